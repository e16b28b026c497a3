//! What a person or a script types in a game.

use tilewire_client::GameView;
use tilewire_client::view::BLANK;
use tilewire_rules::board::{Direction, Square};
use tilewire_rules::notation;

/// A typed line, understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Lay tiles.
    Play(TypedPlay),
    /// Give tiles back for others.
    Exchange(Vec<String>),
    /// Use the turn up for nothing.
    Pass,
    /// Say something about the last play.
    Answer(Answer),
    /// Give the game up.
    Resign,
    /// Call the game off before it counts.
    Abort,
    /// Claim the place of a vanished seat, or of the only vanished one.
    Claim(Option<u8>),
    /// Begin an own offer with the members it has.
    Start,
    /// In the lobby: offer a game.
    New(Visibility),
    /// In the lobby: be matched.
    Quick,
    /// In the lobby: join an offer, named by its place in the list, its id or its code.
    Join(String),
    /// In the lobby: watch a live game, named by its place in the list or its id.
    Watch(String),
    /// In the lobby: return to an unfinished game, named by its place in the list or its id.
    Resume(String),
    /// Put the own rack in another order.
    Shuffle,
    /// Explain the commands.
    Help,
    /// End the program.
    Quit,
}

/// Who sees an offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visibility {
    /// Everybody in the lobby.
    Public,
    /// Only players who have its code.
    Private,
}

/// What can be said about a play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// It has a bad word.
    Challenge,
    /// Wait, I think about it.
    Hold,
    /// I have thought.
    Release,
    /// It is good.
    Accept,
    /// I take my play back.
    Withdraw,
    /// I stand by my play.
    Stand,
}

/// A play as typed: where, and one face for each square.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedPlay {
    start: Square,
    direction: Direction,
    faces: Vec<String>,
}

/// A play as the wire wants it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WirePlay {
    /// Such as `8F`.
    pub start: String,
    /// `.` for a tile that lies there already.
    pub tiles: Vec<String>,
}

/// Why a line was not understood, for people.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadInput(pub String);

/// Longest line worth reading, bytes; the longest play is far below.
pub const LINE_MAX_BYTES: usize = 400;

impl Command {
    /// Reads a line that is not blank.
    ///
    /// # Errors
    /// Everything that is no command, with what was expected.
    pub fn parse(line: &str) -> Result<Self, BadInput> {
        if line.len() > LINE_MAX_BYTES {
            return Err(BadInput("that is too long for a command".to_owned()));
        }
        let mut words = line.split_whitespace();
        let first = words.next().unwrap_or_default();
        let rest: Vec<&str> = words.collect();
        if notation::parse_coordinate(first).is_ok() {
            return play(first, &rest);
        }
        let verb = first.to_lowercase();
        let alone = |command: Self| match rest.first() {
            None => Ok(command),
            Some(extra) => Err(BadInput(format!(
                "`{verb}` stands alone; what is `{extra}`?"
            ))),
        };
        match verb.as_str() {
            "play" => match rest.split_first() {
                Some((start, rest)) => play(start, rest),
                None => Err(BadInput("play what? Such as: play 8F HORN".to_owned())),
            },
            "exchange" | "x" => exchange(&rest),
            "pass" => alone(Self::Pass),
            "challenge" => alone(Self::Answer(Answer::Challenge)),
            "hold" => alone(Self::Answer(Answer::Hold)),
            "release" => alone(Self::Answer(Answer::Release)),
            "accept" | "ok" => alone(Self::Answer(Answer::Accept)),
            "withdraw" => alone(Self::Answer(Answer::Withdraw)),
            "stand" => alone(Self::Answer(Answer::Stand)),
            "resign" => alone(Self::Resign),
            "abort" => alone(Self::Abort),
            "claim" => claim(&rest),
            "start" => alone(Self::Start),
            "new" => match rest[..] {
                [] => Ok(Self::New(Visibility::Public)),
                ["private"] => Ok(Self::New(Visibility::Private)),
                _ => Err(BadInput("write new, or new private".to_owned())),
            },
            "quick" => alone(Self::Quick),
            "join" => named(&verb, &rest).map(Self::Join),
            "watch" => named(&verb, &rest).map(Self::Watch),
            "resume" => named(&verb, &rest).map(Self::Resume),
            "shuffle" => alone(Self::Shuffle),
            "help" | "?" => alone(Self::Help),
            "quit" | "exit" => alone(Self::Quit),
            _ => Err(BadInput(format!(
                "`{first}` is no command and no square; type a play such as 8F HORN, or help"
            ))),
        }
    }
}

fn play(start: &str, rest: &[&str]) -> Result<Command, BadInput> {
    let (square, direction) = notation::parse_coordinate(start).map_err(|_| {
        BadInput(format!(
            "`{start}` is no start of a play; 8F goes across, F8 goes down"
        ))
    })?;
    let [word] = rest else {
        return Err(BadInput(format!(
            "write the square and the tiles in one word: {start} HORN"
        )));
    };
    Ok(Command::Play(TypedPlay {
        start: square,
        direction,
        faces: faces(word)?,
    }))
}

fn exchange(rest: &[&str]) -> Result<Command, BadInput> {
    let faces = faces(&rest.concat())?;
    if faces.is_empty() {
        return Err(BadInput(
            "exchange which tiles? Such as: exchange AEI".to_owned(),
        ));
    }
    if faces.iter().any(|face| face == ".") {
        return Err(BadInput(
            "only tiles of your rack can be exchanged".to_owned(),
        ));
    }
    Ok(Command::Exchange(
        faces.iter().map(|face| face.to_uppercase()).collect(),
    ))
}

/// The one thing a command is about; of a list, the first when none is named.
fn named(verb: &str, rest: &[&str]) -> Result<String, BadInput> {
    match rest {
        [] => Ok("1".to_owned()),
        [what] => Ok((*what).to_owned()),
        _ => Err(BadInput(format!("{verb} one at a time: {verb} 1"))),
    }
}

fn claim(rest: &[&str]) -> Result<Command, BadInput> {
    match rest {
        [] => Ok(Command::Claim(None)),
        [seat] => match seat.parse() {
            Ok(seat) => Ok(Command::Claim(Some(seat))),
            Err(_) => Err(BadInput(format!("`{seat}` is no seat; seats count from 0"))),
        },
        _ => Err(BadInput("claim one seat at a time".to_owned())),
    }
}

/// Splits a word into faces: single characters, or several between brackets.
fn faces(word: &str) -> Result<Vec<String>, BadInput> {
    let mut faces = Vec::new();
    let mut rest = word.chars();
    while let Some(c) = rest.next() {
        match c {
            '[' => {
                let (face, after) = rest
                    .as_str()
                    .split_once(']')
                    .ok_or_else(|| BadInput("a bracket [ needs its ]".to_owned()))?;
                if face.is_empty() || !face.chars().any(char::is_alphabetic) {
                    return Err(BadInput(format!("`[{face}]` is no tile")));
                }
                faces.push(face.to_owned());
                rest = after.chars();
            }
            '.' | '?' => faces.push(c.to_string()),
            _ if c.is_alphabetic() => faces.push(c.to_string()),
            _ => return Err(BadInput(format!("`{c}` is no tile"))),
        }
    }
    Ok(faces)
}

impl TypedPlay {
    /// The play as the wire wants it, given what lies on the board and on the rack.
    ///
    /// A typed letter that lies there already becomes `.`. Lower case is a blank; but when all is typed in lower case and
    /// there are not as many blanks on the rack, the letters are meant as they lie on the rack, and a blank stands in for
    /// what is missing.
    #[must_use]
    pub fn resolve(&self, view: &GameView) -> WirePlay {
        let mut tiles: Vec<String> = Vec::with_capacity(self.faces.len());
        for (steps, face) in self.faces.iter().enumerate() {
            let there = view.at(self.start.ahead(self.direction, steps));
            let is_same = there.is_some_and(|there| there.to_uppercase() == face.to_uppercase());
            tiles.push(if is_same {
                ".".to_owned()
            } else {
                face.clone()
            });
        }
        let typed = || tiles.iter().filter(|face| *face != ".");
        let blanks = view.rack.iter().filter(|face| *face == BLANK).count();
        let is_lower = |face: &String| face.chars().any(char::is_lowercase);
        if typed().all(is_lower) && typed().count() > blanks {
            tiles = without_case(&tiles, &view.rack);
        }
        WirePlay {
            start: notation::format_coordinate(self.start, self.direction),
            tiles,
        }
    }
}

/// Reads tiles typed without regard to case: from the rack as long as it has them, then from its blanks.
fn without_case(tiles: &[String], rack: &[String]) -> Vec<String> {
    let mut rack = rack.to_vec();
    let mut take = |face: &str| {
        let place = rack.iter().position(|tile| tile == face);
        place.map(|place| rack.remove(place)).is_some()
    };
    tiles
        .iter()
        .map(|face| {
            let upper = face.to_uppercase();
            if face == "." || take(&upper) {
                upper
            } else if take(BLANK) {
                face.clone()
            } else {
                upper
            }
        })
        .collect()
}

#[cfg(test)]
mod tests;

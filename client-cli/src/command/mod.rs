//! Commands that a player or a script types.

mod play;

use tilewire_protocol::DeclineReason;
use tilewire_protocol::limits::CHAT_TEXT_MAX_BYTES;
use tilewire_rules::notation;

use crate::reporting::{ReportReason, TypedReport};
use play::faces;
pub use play::{TypedPlay, WirePlay};

/// A command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Play tiles.
    Play(TypedPlay),
    /// Exchange tiles.
    Exchange(Vec<String>),
    /// Pass.
    Pass,
    /// Answer the last play.
    Answer(Answer),
    /// Resign.
    Resign,
    /// Cancel the game before both players have moved; in a rated game that has begun, ask the opponent for it.
    Abort,
    /// Answer the opponent's request to cancel a rated game: whether to cancel it.
    AnswerAbort(bool),
    /// Claim the game from a seat that is away or silent; `None` means the only such seat.
    Claim(Option<u8>),
    /// Ask whether the player on turn is still there.
    Nudge,
    /// Answer a nudge.
    Here,
    /// Ask the others to adjourn the game.
    Adjourn,
    /// Answer a request to adjourn the game: whether to agree.
    AnswerAdjourn(bool),
    /// Give an opponent time, in seconds; `None` means one limit, in a game with a limit for each move.
    Give(Option<u8>),
    /// Take no time in this game.
    Refuse,
    /// Ask for a hint of this grade.
    Hint(u8),
    /// After a game: offer a rematch or agree to one (true), decline it or take the offer back (false).
    Rematch(bool),
    /// Start the player's offer with the players who joined it.
    Start,
    /// In the lobby: open an offer, with options changed by these flags.
    New(Visibility, Vec<String>),
    /// In the lobby: join an equal offer, or open one, with options changed by these flags.
    Quick(Vec<String>),
    /// In the lobby: invite the player with this handle, with options changed by these flags.
    Invite(String, Vec<String>),
    /// In the lobby: accept an invitation, given by its number in the list or its id.
    AcceptInvitation(String),
    /// In the lobby: decline an invitation, or take back one's own.
    DeclineInvitation(String, Option<DeclineReason>),
    /// In the lobby: join an offer, given by its number in the list, its id or its code.
    Join(String),
    /// In the lobby: watch a live game, given by its number in the list or its id.
    Watch(String),
    /// In the lobby: return to an unfinished game, given by its number in the list or its id.
    Resume(String),
    /// Write a line of chat to the others of the game or of the lobby.
    Say(String),
    /// Write a line of chat to a friend: the handle, and the text.
    Tell(String, String),
    /// Show the latest lines of chat.
    Chat,
    /// Report a player to the moderators.
    Report(TypedReport),
    /// Shuffle the rack.
    Shuffle,
    /// Show the help page.
    Help,
    /// End the program.
    Quit,
}

/// The visibility of an offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visibility {
    /// The lobby lists it.
    Public,
    /// Only players with its code can join.
    Private,
}

/// An answer to a play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Challenge it.
    Challenge,
    /// Stop the challenge timer.
    Hold,
    /// Restart the challenge timer.
    Release,
    /// Accept it.
    Accept,
    /// Take back the player's own play.
    Withdraw,
    /// Keep the player's own play.
    Stand,
}

/// The reason why a line is not a command.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadInput(pub String);

/// Longest line that is read, in bytes: `tell` with a handle and the longest line of chat.
pub const LINE_MAX_BYTES: usize = CHAT_TEXT_MAX_BYTES + 100;

impl Command {
    /// Parses a line that is not blank.
    ///
    /// # Errors
    /// Returns an error that says what a valid command looks like.
    pub fn parse(line: &str) -> Result<Self, BadInput> {
        if line.len() > LINE_MAX_BYTES {
            return Err(BadInput("the line is too long for a command".to_owned()));
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
                "`{verb}` takes no argument; remove `{extra}`"
            ))),
        };
        match verb.as_str() {
            "play" => match rest.split_first() {
                Some((start, rest)) => play(start, rest),
                None => Err(BadInput("add a play, for example: play 8F HORN".to_owned())),
            },
            "exchange" | "x" => exchange(&rest),
            "pass" => alone(Self::Pass),
            "challenge" => alone(Self::Answer(Answer::Challenge)),
            "hold" => alone(Self::Answer(Answer::Hold)),
            "release" => alone(Self::Answer(Answer::Release)),
            "accept" if !rest.is_empty() => named(&verb, &rest).map(Self::AcceptInvitation),
            "accept" | "ok" => alone(Self::Answer(Answer::Accept)),
            "decline" => decline(&rest),
            "invite" => invite(&rest),
            "withdraw" => alone(Self::Answer(Answer::Withdraw)),
            "stand" => alone(Self::Answer(Answer::Stand)),
            "resign" => alone(Self::Resign),
            "abort" => abort(&rest),
            "claim" => claim(&rest),
            "nudge" => alone(Self::Nudge),
            "here" => alone(Self::Here),
            "adjourn" => adjourn(&rest),
            "give" => give(&rest),
            "refuse" => alone(Self::Refuse),
            "hint" => hint(&rest),
            "rematch" => rematch(&rest),
            "start" => alone(Self::Start),
            "new" => Ok(new_offer(&rest)),
            "quick" => Ok(Self::Quick(owned(&rest))),
            "join" => named(&verb, &rest).map(Self::Join),
            "watch" => named(&verb, &rest).map(Self::Watch),
            "resume" => named(&verb, &rest).map(Self::Resume),
            "say" => said(line).map(Self::Say),
            "tell" => told(line),
            "chat" => alone(Self::Chat),
            "report" => report(&rest),
            "shuffle" => alone(Self::Shuffle),
            "help" | "?" => alone(Self::Help),
            "quit" | "exit" => alone(Self::Quit),
            _ => Err(unknown(first, &verb)),
        }
    }
}

/// The names of all commands.
const VERBS: [&str; 34] = [
    "play",
    "exchange",
    "pass",
    "challenge",
    "hold",
    "release",
    "accept",
    "withdraw",
    "stand",
    "resign",
    "abort",
    "claim",
    "nudge",
    "here",
    "adjourn",
    "give",
    "refuse",
    "hint",
    "rematch",
    "start",
    "new",
    "quick",
    "invite",
    "decline",
    "join",
    "watch",
    "resume",
    "say",
    "tell",
    "chat",
    "report",
    "shuffle",
    "help",
    "quit",
];

/// The largest distance between an unknown word and the command that the error suggests, in typing errors.
const TYPING_ERRORS_MAX: usize = 2;

/// The error for a word that is not a command; it suggests the nearest one.
fn unknown(typed: &str, verb: &str) -> BadInput {
    let distances = VERBS.map(|known| (strsim::osa_distance(known, verb), known));
    let nearest = distances.into_iter().min();
    // Two typing errors can turn a word of three letters into almost any other word.
    let allowed = TYPING_ERRORS_MAX.min(verb.chars().count() / 2);
    BadInput(match nearest {
        Some((distance, known)) if distance <= allowed => {
            format!("`{typed}` is not a command; did you mean {known}?")
        }
        _ => {
            format!("`{typed}` is not a command or a square; type a play such as 8F HORN, or help")
        }
    })
}

fn play(start: &str, rest: &[&str]) -> Result<Command, BadInput> {
    let (square, direction) = notation::parse_coordinate(start).map_err(|_| {
        BadInput(format!(
            "`{start}` is not the start of a play; 8F goes across, F8 goes down"
        ))
    })?;
    let [word] = rest else {
        return Err(BadInput(format!(
            "type the square and then the tiles as one word: {start} HORN"
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
            "add the tiles to exchange, for example: exchange AEI".to_owned(),
        ));
    }
    if faces.iter().any(|face| face == ".") {
        return Err(BadInput(
            "you can only exchange tiles of your rack".to_owned(),
        ));
    }
    Ok(Command::Exchange(
        faces.iter().map(|face| face.to_uppercase()).collect(),
    ))
}

/// The offer of `new [private] [FLAGS]`.
fn new_offer(rest: &[&str]) -> Command {
    match rest.split_first() {
        Some((&"private", flags)) => Command::New(Visibility::Private, owned(flags)),
        _ => Command::New(Visibility::Public, owned(rest)),
    }
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// The argument of a command that names an item of a list; `1`, the first item, if there is no argument.
fn named(verb: &str, rest: &[&str]) -> Result<String, BadInput> {
    match rest {
        [] => Ok("1".to_owned()),
        [what] => Ok((*what).to_owned()),
        _ => Err(BadInput(format!(
            "`{verb}` takes one argument, for example: {verb} 1"
        ))),
    }
}

/// `invite NAME [FLAGS]`.
fn invite(rest: &[&str]) -> Result<Command, BadInput> {
    match rest.split_first() {
        Some((handle, flags)) if !handle.starts_with('-') => {
            Ok(Command::Invite((*handle).to_owned(), owned(flags)))
        }
        _ => Err(BadInput(
            "add the name of a player, for example: invite anna".to_owned(),
        )),
    }
}

/// `decline [NUMBER] [REASON]`.
fn decline(rest: &[&str]) -> Result<Command, BadInput> {
    let (what, reason) = match rest {
        [] => ("1", None),
        [one] => match reason(one) {
            None => (*one, None),
            given => ("1", given),
        },
        [what, word] => match reason(word) {
            None => {
                return Err(BadInput(format!(
                    "`{word}` is not a reason; the reasons are busy, other and no"
                )));
            }
            given => (*what, given),
        },
        _ => {
            return Err(BadInput(
                "`decline` takes a number and a reason, for example: decline 1 busy".to_owned(),
            ));
        }
    };
    Ok(Command::DeclineInvitation(what.to_owned(), reason))
}

fn reason(word: &str) -> Option<DeclineReason> {
    match word {
        "busy" => Some(DeclineReason::Busy),
        "other" => Some(DeclineReason::OtherOptions),
        "no" => Some(DeclineReason::No),
        _ => None,
    }
}

/// `abort`, or the answer to the opponent's request: `abort yes` or `abort no`.
fn abort(rest: &[&str]) -> Result<Command, BadInput> {
    match rest {
        [] => Ok(Command::Abort),
        ["yes"] => Ok(Command::AnswerAbort(true)),
        ["no"] => Ok(Command::AnswerAbort(false)),
        [other, ..] => Err(BadInput(format!(
            "`{other}` is not an answer; type abort, or abort yes or abort no to answer a request"
        ))),
    }
}

/// `adjourn`, or the answer to a request: `adjourn yes` or `adjourn no`.
fn adjourn(rest: &[&str]) -> Result<Command, BadInput> {
    match rest {
        [] => Ok(Command::Adjourn),
        ["yes"] => Ok(Command::AnswerAdjourn(true)),
        ["no"] => Ok(Command::AnswerAdjourn(false)),
        [other, ..] => Err(BadInput(format!(
            "`{other}` is not an answer; type adjourn, or adjourn yes or adjourn no to answer a request"
        ))),
    }
}

/// `rematch`, or `rematch no` to decline it or to take the offer back.
fn rematch(rest: &[&str]) -> Result<Command, BadInput> {
    match rest {
        [] | ["yes"] => Ok(Command::Rematch(true)),
        ["no"] => Ok(Command::Rematch(false)),
        [other, ..] => Err(BadInput(format!(
            "`{other}` is not an answer; type rematch, or rematch no to decline"
        ))),
    }
}

/// The rest of a line after its first word, as typed.
fn said(line: &str) -> Result<String, BadInput> {
    let rest = line.trim_start().split_once(char::is_whitespace);
    let text = rest.map_or("", |(_, text)| text.trim());
    match text {
        "" => Err(BadInput(
            "add the text, for example: say good luck".to_owned(),
        )),
        text => Ok(text.to_owned()),
    }
}

/// `tell NAME TEXT`.
fn told(line: &str) -> Result<Command, BadInput> {
    let rest = said(line).unwrap_or_default();
    match rest.split_once(char::is_whitespace) {
        Some((friend, text)) => Ok(Command::Tell(friend.to_owned(), text.trim().to_owned())),
        None => Err(BadInput(
            "add a friend and the text, for example: tell ben good luck".to_owned(),
        )),
    }
}

/// `report NAME REASON [TEXT]`. The name of a guest can have several words.
fn report(rest: &[&str]) -> Result<Command, BadInput> {
    let words = rest.iter().enumerate().skip(1);
    let mut reasons = words.filter_map(|(at, word)| Some((at, ReportReason::named(word)?)));
    let Some((at, reason)) = reasons.next() else {
        return Err(BadInput(
            "add a player and a reason (abuse, cheating, stalling, name or other): report eve abuse"
                .to_owned(),
        ));
    };
    Ok(Command::Report(TypedReport {
        name: rest[..at].join(" "),
        reason,
        words: rest[at + 1..].join(" "),
    }))
}

/// `give 15`, or `give` in a game with a limit for each move.
fn give(rest: &[&str]) -> Result<Command, BadInput> {
    match rest {
        [] => Ok(Command::Give(None)),
        [seconds] => match seconds.parse() {
            Ok(seconds @ 5..=60) => Ok(Command::Give(Some(seconds))),
            _ => Err(BadInput(format!(
                "`{seconds}` is not a time; give 5 to 60 seconds, for example: give 15"
            ))),
        },
        _ => Err(BadInput("`give` takes one number of seconds".to_owned())),
    }
}

/// `hint`, or `hint 1` and `hint 2` for less than the whole turn.
fn hint(rest: &[&str]) -> Result<Command, BadInput> {
    match rest {
        [] | ["3"] => Ok(Command::Hint(3)),
        ["2"] => Ok(Command::Hint(2)),
        ["1"] => Ok(Command::Hint(1)),
        [other, ..] => Err(BadInput(format!(
            "`{other}` is not a hint; type hint, hint 1 (what kind of play) or hint 2 (and where)"
        ))),
    }
}

fn claim(rest: &[&str]) -> Result<Command, BadInput> {
    match rest {
        [] => Ok(Command::Claim(None)),
        [seat] => match seat.parse() {
            Ok(seat) => Ok(Command::Claim(Some(seat))),
            Err(_) => Err(BadInput(format!(
                "`{seat}` is not a seat; seats are numbered from 0"
            ))),
        },
        _ => Err(BadInput("`claim` takes one seat".to_owned())),
    }
}

#[cfg(test)]
mod tests;

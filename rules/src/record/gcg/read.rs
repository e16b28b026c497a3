//! Reads a [`Gcg`] from bytes.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

use super::{Event, Gcg, Kind, LastRack, Player, Pragma};
use crate::quoted::quoted;

/// The largest number of lines: far more than any game has.
const MAX_LINES: usize = 20_000;
/// Most players.
const MAX_PLAYERS: usize = 4;

/// Why a file is not GCG, and the line, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct GcgError {
    /// The line.
    pub line: usize,
    /// The problem with the line.
    pub problem: GcgProblem,
}

/// A problem with a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GcgProblem {
    /// The encoding is neither UTF-8 nor ISO 8859-1.
    #[error("the encoding {} is neither UTF-8 nor ISO-8859-1", quoted(.0))]
    Encoding(String),
    /// The encoding is not named in the first line.
    #[error("the encoding must be named in the first line")]
    LateEncoding,
    /// The bytes do not match the encoding.
    #[error("the file says UTF-8 but is not valid UTF-8")]
    NotUtf8,
    /// The file has too many lines.
    #[error("there are more than {MAX_LINES} lines")]
    TooLong,
    /// The line is neither a pragma nor an event.
    #[error("expected a pragma (#...) or an event (>nick: ...)")]
    Stray,
    /// The pragma must come before the events.
    #[error("#{0} must come before the first event")]
    Late(String),
    /// The player has no number, no nick, or the nick of another player.
    #[error("expected #playerN with a unique nick, numbered from 1 without gaps")]
    Player,
    /// The file names no players.
    #[error("no players are named before the first event")]
    NoPlayers,
    /// The nick is unknown.
    #[error("no player has the nick {}", quoted(.0))]
    UnknownNick(String),
    /// The text is not a number of points.
    #[error("{} is not a number of points", quoted(.0))]
    Number(String),
    /// The event has no known form.
    #[error(
        "expected a play, a pass, an exchange, a challenge or an adjustment, with points and total"
    )]
    Form,
    /// A continuation line has no line before it.
    #[error("there is no line to continue")]
    Continuation,
}

/// Reads a file.
///
/// Without a named encoding, bytes that are not valid UTF-8 are read as ISO 8859-1. Lines may end in LF, CR LF
/// or CR.
///
/// # Errors
/// Names the first line that cannot be read.
pub fn read(bytes: &[u8]) -> Result<Gcg, GcgError> {
    let text = decode(bytes)?;
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut reader = Reader::default();
    for (line, text) in (1..).zip(text.lines()) {
        let result = if line > MAX_LINES {
            Err(GcgProblem::TooLong)
        } else {
            reader.line(line, text)
        };
        result.map_err(|problem| GcgError { line, problem })?;
    }
    if reader.gcg.players.is_empty() {
        let problem = GcgProblem::NoPlayers;
        return Err(GcgError { line: 1, problem });
    }
    Ok(reader.gcg)
}

fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, GcgError> {
    let error = |problem| GcgError { line: 1, problem };
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let latin_1 = || Cow::Owned(bytes.iter().map(|byte| char::from(*byte)).collect());
    let first = bytes.split(|byte| matches!(byte, b'\n' | b'\r')).next();
    let first = String::from_utf8_lossy(first.unwrap_or_default());
    let Some(named) = first.strip_prefix("#character-encoding") else {
        return Ok(std::str::from_utf8(bytes).map_or_else(|_| latin_1(), Cow::Borrowed));
    };
    match named.trim().to_ascii_uppercase().as_str() {
        "UTF-8" | "UTF8" => {
            let text = std::str::from_utf8(bytes).map_err(|_| error(GcgProblem::NotUtf8))?;
            Ok(Cow::Borrowed(text))
        }
        "ISO-8859-1" | "ISO8859-1" | "LATIN1" | "LATIN-1" => Ok(latin_1()),
        _ => Err(error(GcgProblem::Encoding(named.trim().to_owned()))),
    }
}

/// The target of a continuation line.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Last {
    #[default]
    Nothing,
    Pragma,
    Note,
    EarlyNote,
    Other,
}

#[derive(Default)]
struct Reader {
    gcg: Gcg,
    last: Last,
}

impl Reader {
    fn line(&mut self, number: usize, text: &str) -> Result<(), GcgProblem> {
        if let Some(event) = text.strip_prefix('>') {
            self.last = Last::Other;
            let event = self.event(number, event)?;
            self.gcg.events.push(event);
            return Ok(());
        }
        if text.trim().is_empty() {
            return Ok(());
        }
        let Some(pragma) = text.strip_prefix('#') else {
            // Old files continue notes without a mark.
            return match self.last {
                Last::Note | Last::EarlyNote => self.continuation(text),
                _ => Err(GcgProblem::Stray),
            };
        };
        if let Some(more) = pragma.strip_prefix('-') {
            return self.continuation(more.strip_prefix(' ').unwrap_or(more));
        }
        let (name, value) = pragma
            .split_once(char::is_whitespace)
            .unwrap_or((pragma, ""));
        self.pragma(number, name, value.trim_end())
    }

    fn continuation(&mut self, more: &str) -> Result<(), GcgProblem> {
        let text = match self.last {
            Last::Pragma | Last::EarlyNote => {
                self.gcg.pragmata.last_mut().map(|pragma| &mut pragma.value)
            }
            Last::Note => self
                .gcg
                .events
                .last_mut()
                .and_then(|event| event.note.as_mut()),
            Last::Nothing | Last::Other => None,
        };
        let text = text.ok_or(GcgProblem::Continuation)?;
        text.push('\n');
        text.push_str(more.trim_end());
        Ok(())
    }

    fn pragma(&mut self, line: usize, name: &str, value: &str) -> Result<(), GcgProblem> {
        self.last = Last::Other;
        match name {
            "character-encoding" if line > 1 => return Err(GcgProblem::LateEncoding),
            "character-encoding" => {}
            "note" => self.note(value),
            "incomplete" => self.gcg.incomplete = Some(value.to_owned()),
            _ if name.starts_with("player") => self.player(&name["player".len()..], value)?,
            _ if is_rack(name) => {
                let player = name["rack".len()..]
                    .parse()
                    .map_err(|_| GcgProblem::Player)?;
                self.gcg.racks.push(LastRack {
                    line,
                    player,
                    tiles: value.nfc().collect(),
                });
            }
            _ if !self.gcg.events.is_empty() => return Err(GcgProblem::Late(name.to_owned())),
            _ => {
                self.gcg.pragmata.push(Pragma {
                    name: name.to_owned(),
                    value: value.to_owned(),
                });
                self.last = Last::Pragma;
            }
        }
        Ok(())
    }

    /// A note belongs to the event before it; one before the first event is kept as a pragma.
    fn note(&mut self, value: &str) {
        let Some(event) = self.gcg.events.last_mut() else {
            self.gcg.pragmata.push(Pragma {
                name: "note".to_owned(),
                value: value.to_owned(),
            });
            self.last = Last::EarlyNote;
            return;
        };
        match &mut event.note {
            Some(note) => {
                note.push('\n');
                note.push_str(value);
            }
            None => event.note = Some(value.to_owned()),
        }
        self.last = Last::Note;
    }

    fn player(&mut self, number: &str, value: &str) -> Result<(), GcgProblem> {
        if !self.gcg.events.is_empty() {
            return Err(GcgProblem::Late(format!("player{number}")));
        }
        let next = self.gcg.players.len() + 1;
        let (nick, name) = value
            .split_once(char::is_whitespace)
            .unwrap_or((value, value));
        let is_fine = number.parse() == Ok(next)
            && next <= MAX_PLAYERS
            && !nick.is_empty()
            && self.gcg.player(nick).is_none();
        if !is_fine {
            return Err(GcgProblem::Player);
        }
        self.gcg.players.push(Player {
            nick: nick.to_owned(),
            name: name.trim().to_owned(),
        });
        Ok(())
    }

    fn event(&self, line: usize, text: &str) -> Result<Event, GcgProblem> {
        if self.gcg.players.is_empty() {
            return Err(GcgProblem::NoPlayers);
        }
        let (nick, rest) = text.split_once(':').ok_or(GcgProblem::Form)?;
        let nick = nick.trim();
        if self.gcg.player(nick).is_none() {
            return Err(GcgProblem::UnknownNick(nick.to_owned()));
        }
        // Tiles have composed letters; some tools write an accent as a character of its own.
        let rest: String = rest.nfc().collect();
        let tokens: Vec<&str> = rest.split_whitespace().collect();
        let [said @ .., score, total] = without_words(&tokens) else {
            return Err(GcgProblem::Form);
        };
        let (rack, kind) = kind(said).ok_or(GcgProblem::Form)?;
        Ok(Event {
            line,
            nick: nick.to_owned(),
            rack,
            kind,
            score: points(score)?,
            total: points(total)?,
            note: None,
        })
    }
}

/// Drops the words that old versions of Quackle write after the total of a play.
fn without_words<'a, 'b>(tokens: &'a [&'b str]) -> &'a [&'b str] {
    let is_play = tokens.iter().take(2).any(|token| is_position(token));
    let is_number = |token: &str| points(token).is_ok();
    let is_signed = |token: &str| token.starts_with('+') && is_number(token);
    let pair = tokens
        .windows(2)
        .rposition(|pair| is_signed(pair[0]) && is_number(pair[1]));
    match pair {
        Some(at) if is_play => &tokens[..at + 2],
        _ => tokens,
    }
}

fn is_rack(name: &str) -> bool {
    let number = name.strip_prefix("rack");
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}

/// Distinguishes the forms by the text between nick and points; the rack may be missing in all.
fn kind(said: &[&str]) -> Option<(String, Kind)> {
    let play = |rack: &str, position: &str, tiles: &str| {
        let kind = Kind::Play {
            position: position.to_owned(),
            // Some tools put tiles that lie on the board in parentheses.
            tiles: tiles.replace(['(', ')'], ""),
        };
        Some((rack.to_owned(), kind))
    };
    let (rack, last) = match said {
        // Old versions of Quackle add a column with the word.
        [rack, position, tiles, _word] if is_position(position) => {
            return play(rack, position, tiles);
        }
        [position, tiles, _word] if is_position(position) => return play("", position, tiles),
        [rack, position, tiles] => return play(rack, position, tiles),
        [position, tiles] if is_position(position) && !is_mark(tiles) => {
            return play("", position, tiles);
        }
        [rack, last] => (*rack, *last),
        [last] => ("", *last),
        _ => return None,
    };
    let in_brackets = |text: &str| Some(text.strip_prefix('(')?.strip_suffix(')')?.to_owned());
    let kind = match last {
        "--" => Kind::Off,
        "-" => Kind::Pass,
        "(challenge)" => Kind::Challenge,
        "(time)" => Kind::Time,
        _ if last.starts_with('-') => Kind::Exchange(last[1..].to_owned()),
        _ => {
            let tiles = in_brackets(last)?;
            if rack.is_empty() {
                Kind::RackBonus(tiles)
            } else {
                Kind::RackPenalty(tiles)
            }
        }
    };
    Some((rack.to_owned(), kind))
}

fn is_position(text: &str) -> bool {
    crate::notation::parse_coordinate(text).is_ok()
}

fn is_mark(text: &str) -> bool {
    text.starts_with('-') || text.starts_with('(')
}

fn points(text: &str) -> Result<i32, GcgProblem> {
    // Old versions of Quackle write a loss as `+-5`.
    let digits = text.strip_prefix('+').unwrap_or(text);
    let is_signed_twice = digits.starts_with('+');
    match digits.parse() {
        Ok(points) if !is_signed_twice => Ok(points),
        _ => Err(GcgProblem::Number(text.to_owned())),
    }
}

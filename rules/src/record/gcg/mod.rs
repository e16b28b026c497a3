//! GCG, the text format of annotated games.

mod from_log;
mod read;
mod write;

pub use from_log::from_log;
pub use read::{GcgError, GcgProblem, read};
pub use write::write;

/// The contents of a GCG file. Tiles, racks and positions stay text, because only a rule set knows its tiles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gcg {
    /// The players, in the order of their numbers.
    pub players: Vec<Player>,
    /// Every other pragma before the events, in order.
    pub pragmata: Vec<Pragma>,
    /// The lines of the score sheet, in order.
    pub events: Vec<Event>,
    /// Racks of an unfinished game: the player's number, counted from 1, and the tiles.
    pub racks: Vec<(u8, String)>,
    /// The text of `#incomplete`, if present.
    pub incomplete: Option<String>,
}

/// A line `#name value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pragma {
    /// The name, without the `#`.
    pub name: String,
    /// The value; continuation lines follow a line feed.
    pub value: String,
}

/// A player of a GCG file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// The nick that events use, without white space.
    pub nick: String,
    /// The full name.
    pub name: String,
}

/// A line of the score sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The line in the file, counted from 1; 0 if it is not from a file.
    pub line: usize,
    /// The nick of the player.
    pub nick: String,
    /// The rack before the event; empty if the file does not name it.
    pub rack: String,
    /// The kind of event.
    pub kind: Kind,
    /// The points of the event.
    pub score: i32,
    /// The player's score after the event.
    pub total: i32,
    /// Notes on the event, line by line.
    pub note: Option<String>,
}

/// The kind of a line of the score sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Tiles were laid.
    Play {
        /// Such as `8D` (across) or `D8` (down).
        position: String,
        /// `.` where a tile lay, lower case for blanks.
        tiles: String,
    },
    /// The previous play was challenged off.
    Off,
    /// A pass, or a turn lost ([`LOST_TURN`] is in the note then).
    Pass,
    /// Tiles were exchanged: the tiles, or only their number.
    Exchange(String),
    /// Points for a failed challenge.
    Challenge,
    /// The tiles left on the other racks.
    RackBonus(String),
    /// The player's own tiles that are left.
    RackPenalty(String),
    /// Overtime.
    Time,
}

/// The note of a pass for a turn lost by a failed challenge.
pub const LOST_TURN: &str = "#unsuccessful-challenge";

/// The name of the pragma for a rule set other than the classic one.
pub const RULE_SET: &str = "rule-set";

impl Gcg {
    /// The value of the first pragma of this name.
    #[must_use]
    pub fn pragma(&self, name: &str) -> Option<&str> {
        let found = self.pragmata.iter().find(|pragma| pragma.name == name);
        found.map(|pragma| pragma.value.as_str())
    }

    /// Returns the number of the player with this nick, counted from 0.
    #[must_use]
    pub fn player(&self, nick: &str) -> Option<usize> {
        self.players.iter().position(|player| player.nick == nick)
    }
}

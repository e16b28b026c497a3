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
    /// Racks of an unfinished game.
    pub racks: Vec<LastRack>,
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

/// The rack of a player after the last line of an unfinished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastRack {
    /// The line in the file, counted from 1; 0 if it is not from a file.
    pub line: usize,
    /// The player's number, counted from 1.
    pub player: u8,
    /// The tiles.
    pub tiles: String,
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

/// The name of the pragma for the rule that ends a game by inactivity, if it is not the usual one of the rule set.
pub const INACTIVITY: &str = "inactivity";

impl Gcg {
    /// The value of the first pragma of this name.
    #[must_use]
    pub fn pragma(&self, name: &str) -> Option<&str> {
        let found = self.pragmata.iter().find(|pragma| pragma.name == name);
        found.map(|pragma| pragma.value.as_str())
    }

    /// Returns the language that the pragmas name: `#tile-set english set`, `#tile-distribution english_super`.
    #[must_use]
    pub fn language(&self) -> Option<String> {
        let named = self
            .pragma("tile-set")
            .or_else(|| self.pragma("tile-distribution"))?;
        let named = named.trim().to_lowercase();
        let named = named.strip_suffix(" set").unwrap_or(&named);
        let named = named.strip_suffix("_super").unwrap_or(named);
        Some(named.trim().to_owned()).filter(|named| !named.is_empty())
    }

    /// Returns the number of the player with this nick, counted from 0.
    #[must_use]
    pub fn player(&self, nick: &str) -> Option<usize> {
        self.players.iter().position(|player| player.nick == nick)
    }
}

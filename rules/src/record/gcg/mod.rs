//! GCG, the text format of annotated games.

mod from_log;
mod read;
mod write;

pub use from_log::from_log;
pub use read::{GcgError, GcgProblem, read};
pub use write::write;

/// A game as a GCG file has it. Tiles, racks and positions stay text: which tiles there are is the rule set's to say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gcg {
    /// The players, in the order of their numbers.
    pub players: Vec<Player>,
    /// Every other pragma that stands before the events, in order.
    pub pragmata: Vec<Pragma>,
    /// What happened, in order.
    pub events: Vec<Event>,
    /// Racks of an unfinished game: the player's number, counted from 1, and the tiles.
    pub racks: Vec<(u8, String)>,
    /// What `#incomplete` says, if it stands there.
    pub incomplete: Option<String>,
}

/// A line `#name value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pragma {
    /// What it is about, without the `#`.
    pub name: String,
    /// The rest; further lines follow a line feed.
    pub value: String,
}

/// A player of a GCG file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// The name events go by; without white space.
    pub nick: String,
    /// The name for people.
    pub name: String,
}

/// A line of the score sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its line in the file, counted from 1; 0 for one that stands in no file yet.
    pub line: usize,
    /// Whose.
    pub nick: String,
    /// The rack before it; empty where the file does not say.
    pub rack: String,
    /// What was done.
    pub kind: Kind,
    /// What it brought.
    pub score: i32,
    /// The player's points after it.
    pub total: i32,
    /// Notes on it, line by line.
    pub note: Option<String>,
}

/// What a line of the score sheet stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Tiles were laid.
    Play {
        /// Such as `8D` (across) or `D8` (down).
        position: String,
        /// `.` where a tile lay, lower case for blanks.
        tiles: String,
    },
    /// The play before was challenged off.
    Off,
    /// A pass, or a turn lost ([`LOST_TURN`] is in the note then).
    Pass,
    /// Tiles were exchanged: the tiles, or only their number.
    Exchange(String),
    /// Points for a failed challenge.
    Challenge,
    /// The tiles left on the other racks.
    RackBonus(String),
    /// The own tiles left.
    RackPenalty(String),
    /// Overtime.
    Time,
}

/// What the note of a pass says when the turn was lost by a failed challenge.
pub const LOST_TURN: &str = "#unsuccessful-challenge";

/// Name of the pragma that says which rule set was played, where it is not the classic one.
pub const RULE_SET: &str = "rule-set";

impl Gcg {
    /// The value of the first pragma of this name.
    #[must_use]
    pub fn pragma(&self, name: &str) -> Option<&str> {
        let found = self.pragmata.iter().find(|pragma| pragma.name == name);
        found.map(|pragma| pragma.value.as_str())
    }

    /// The number of the player events call by this nick, counted from 0.
    #[must_use]
    pub fn player(&self, nick: &str) -> Option<usize> {
        self.players.iter().position(|player| player.nick == nick)
    }
}

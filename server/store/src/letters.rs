//! Letters, the mailboxes of players, and the codes that prove an address.
//!
//! A letter is stored in the transaction of the change that it reports: with the change of an account, with an invitation, or
//! in a [`LetterPage`] with the new place in the journal. So it is written exactly once. The courier reads the letters that
//! are due and stores what became of each.

use std::fmt::{self, Debug};

use serde::{Deserialize, Serialize};
use tilewire_people::accounts::Notice;
use tilewire_people::codes::{MailCode, MailPurpose};
use tilewire_people::letters::{Language, LetterKind};
use tilewire_protocol::GameId;
use tilewire_rules::time::{Seat, Seq, Timestamp, TurnNo};

use super::{Arrival, Cursor};

/// A text that no log shows: an address or a code.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Hidden(pub String);

impl Debug for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hidden")
    }
}

/// The action that a game by correspondence waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AwaitedAction {
    /// To make this turn.
    Turn(TurnNo),
    /// To answer the challenge of its play with this number.
    Consent(Seq),
    /// To challenge the last play, which has this number, or to accept it.
    Final(Seq),
}

/// The content of a letter. That of a game is made from the game when the letter is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Letter {
    /// The game waits for the seat.
    Turn {
        /// The seat.
        seat: Seat,
        /// The action that the game waits for.
        asked: AwaitedAction,
    },
    /// A turn was completed.
    Update {
        /// The seat of the reader.
        seat: Seat,
    },
    /// The time of the seat runs out.
    Reminder {
        /// The seat.
        seat: Seat,
        /// The action that the game waits for.
        asked: AwaitedAction,
        /// When the time is over, if there is a time.
        deadline: Option<Timestamp>,
        /// The identity of the player who asks; `None`: the server reminds by itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<String>,
    },
    /// The game has ended.
    Result {
        /// The seat of the reader.
        seat: Seat,
    },
    /// Another player invites to a game.
    Invitation {
        /// The id of the invitation.
        seek: String,
        /// The identity of the sender.
        from: String,
        /// The name of the sender.
        name: String,
        /// The rule set.
        rule_set: String,
        /// The lexicon.
        lexicon: String,
        /// The time for each turn, ms, in a game by correspondence.
        limit_ms: Option<i64>,
    },
    /// The letters beyond the bound of a day.
    Digest {
        /// The day: days since 1970.
        day: i64,
    },
    /// The account was changed.
    Security {
        /// The change.
        notice: Notice,
        /// The handle.
        handle: String,
        /// The language.
        language: Language,
    },
    /// A code that proves the address.
    Code {
        /// The eight digits.
        digits: Hidden,
        /// The purpose of the code.
        purpose: MailPurpose,
        /// The language.
        language: Language,
    },
}

impl Letter {
    /// Returns the kind.
    #[must_use]
    pub const fn kind(&self) -> LetterKind {
        match self {
            Self::Turn { .. } => LetterKind::Turn,
            Self::Update { .. } => LetterKind::Update,
            Self::Reminder { .. } => LetterKind::Reminder,
            Self::Result { .. } => LetterKind::Result,
            Self::Invitation { .. } => LetterKind::Invitation,
            Self::Digest { .. } => LetterKind::Digest,
            Self::Security { .. } => LetterKind::Security,
            Self::Code { .. } => LetterKind::Code,
        }
    }
}

/// A letter to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewLetter {
    /// The name of the letter, which no other letter ever has. The `Message-ID` follows from it.
    pub key: String,
    /// The reader. A player without a mailbox gets no letter; nothing is stored then, unless there is an `address`.
    pub identity: String,
    /// The address; `None`: that of the mailbox when the letter is sent.
    pub address: Option<Hidden>,
    /// The game.
    pub game: Option<GameId>,
    /// When that happened which the letter reports.
    pub at: Timestamp,
    /// When the courier looks at it first.
    pub due_at: Timestamp,
    /// When the courier gives up.
    pub until: Timestamp,
    /// The content.
    pub content: Letter,
}

/// A letter of the outbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredLetter {
    /// The letter.
    pub letter: NewLetter,
    /// How often the mail server has put it off.
    pub tries: u32,
    /// How often it was sent without a known outcome.
    pub unknown: u32,
}

/// The fate of a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settlement {
    /// The mail server has taken it: it goes away and counts in this day.
    Sent {
        /// The day: days since 1970.
        day: i64,
    },
    /// The mail server refuses it for good: it goes away, and the mailbox is disabled after a number of refusals.
    Refused {
        /// When.
        at: Timestamp,
        /// The refusals in a row that disable a mailbox.
        most: u32,
    },
    /// It goes away.
    Dropped,
    /// The courier tries again.
    Later {
        /// When.
        due_at: Timestamp,
        /// Whether the mail server is known not to have it.
        is_known: bool,
    },
    /// It waits for the digest of this day.
    Digest {
        /// The day: days since 1970.
        day: i64,
        /// When the digest is due.
        due_at: Timestamp,
        /// When the courier gives up on the digest.
        until: Timestamp,
    },
}

/// The mailbox of a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mailbox {
    /// The player.
    pub identity: String,
    /// The address.
    pub address: Hidden,
    /// The letters of the day in which the last one was sent.
    pub sent: u32,
    /// That day: days since 1970.
    pub day: i64,
    /// When the courier stopped using the address, because mail servers have refused it.
    pub disabled_at: Option<Timestamp>,
}

/// A code that was sent to an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredCode {
    /// The digest of the ticket that the player got for it.
    pub ticket: String,
    /// The address.
    pub address: Hidden,
    /// The code.
    pub code: MailCode,
    /// When it can be removed.
    pub expires_at: Timestamp,
}

/// A game with new records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedGame {
    /// The game.
    pub game: GameId,
    /// `seq` of the last record before them; 0 if the game is new.
    pub after: u64,
    /// `seq` of the last one of them.
    pub last: u64,
}

/// The games with new records in a part of the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedGames {
    /// The games, each once.
    pub games: Vec<ChangedGame>,
    /// The place up to which the journal was looked through.
    pub until: Arrival,
    /// Whether that is its end.
    pub is_end: bool,
}

/// Which letters of a game that were not sent are out of date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outdated {
    /// None.
    Nothing,
    /// The reminders: a deadline has moved.
    Reminders,
    /// Those that ask for something: something else is asked now.
    Asking,
}

/// The letters of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameLetters {
    /// The game.
    pub game: GameId,
    /// The stored letters that go away first.
    pub outdated: Outdated,
    /// The new letters.
    pub letters: Vec<NewLetter>,
}

/// Letters of games and the new place in the journal: stored together or not at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LetterPage {
    /// The place from which they were computed.
    pub after: Cursor,
    /// The new place.
    pub until: Arrival,
    /// The letters.
    pub games: Vec<GameLetters>,
}

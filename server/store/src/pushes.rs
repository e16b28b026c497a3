//! Pushes: the browsers that get them, the pushes that wait, and the key pairs that sign them.
//!
//! A push is stored with the letter that it repeats, in the same transaction: one for each device of the reader. So it is
//! written exactly once, and what removes a letter as out of date removes its pushes too.

use std::fmt::Debug;

use tilewire_rules::time::Timestamp;

use super::{Hidden, NewLetter};
use tilewire_base::vapid::{PUBLIC_BYTES, PushSecret};

/// The keys of a browser that a push is encrypted with (RFC 8291).
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Receiver {
    /// The public key of the browser: an uncompressed point of P-256.
    pub public: [u8; PUBLIC_BYTES],
    /// A secret that the browser shares with this server.
    pub auth: [u8; 16],
}

impl Debug for Receiver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Receiver")
    }
}

/// A browser that gets the pushes of a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Device {
    /// The id, which the player may see.
    pub id: String,
    /// The player.
    pub identity: String,
    /// The session in which the player asked for pushes. They end with it.
    pub family: String,
    /// Where pushes are sent to. Who knows it can send there, so no log shows it.
    pub endpoint: Hidden,
    /// The keys that pushes to the device are encrypted with.
    pub receiver: Receiver,
    /// The name of the key pair that the browser accepts.
    pub kid: String,
    /// The program and the machine, for the list of devices.
    pub label: String,
    /// When the player asked.
    pub created_at: Timestamp,
    /// When the push service took a push last.
    pub used_at: Option<Timestamp>,
    /// The pushes of the day in which the last one was sent.
    pub sent: u32,
    /// That day: days since 1970.
    pub day: i64,
}

/// The outcome of adding a device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeviceOutcome {
    /// It is stored. The id of one that was there already stays.
    Stored(String),
    /// The player has as many as allowed.
    TooMany,
    /// The session has ended.
    NoSession,
}

/// A push that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPush {
    /// The name of the push, which no other push ever has.
    pub key: String,
    /// The letter that it repeats, with the times of the push.
    pub letter: NewLetter,
    /// The device.
    pub device: Device,
    /// The server of the push service, with its port.
    pub service: String,
    /// How often the push service has put it off.
    pub tries: u32,
    /// How often it was sent without a known outcome.
    pub unknown: u32,
}

/// The fate of a push.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PushSettlement {
    /// The push service has taken it: it goes away and counts in this day.
    Sent {
        /// When.
        at: Timestamp,
        /// The day: days since 1970.
        day: i64,
    },
    /// The push service refuses it for good: it goes away, and the device too after a number of refusals in a row.
    Refused {
        /// The refusals in a row that remove a device.
        most: u32,
    },
    /// The browser has ended the subscription: the device goes away with everything that waits for it.
    Gone,
    /// It goes away.
    Dropped,
    /// The courier tries again.
    Later {
        /// When.
        due_at: Timestamp,
        /// The outcome of the attempt, as far as it is known.
        attempt: Attempt,
    },
}

/// The outcome of an attempt to send a push, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attempt {
    /// There was none.
    NotMade,
    /// The push service is known not to have it.
    Refused,
    /// Nobody knows.
    Unknown,
}

/// A key pair of this server with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PushKey {
    /// The name.
    pub kid: String,
    /// The key pair.
    pub secret: PushSecret,
}

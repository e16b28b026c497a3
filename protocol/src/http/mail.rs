//! The mail address of an account, and its letters.

use serde::{Deserialize, Serialize};

use crate::macros::wire_enum;

wire_enum! {
    /// The language of letters.
    LetterLanguage {
        /// English.
        En = "en",
        /// German.
        De = "de",
    }
}

/// A ticket for a code. The answer does not show whether an account has the address.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MailTicket {
    /// The ticket. The code counts only together with it; keep it secret.
    pub ticket: String,
    /// The number of digits of the code.
    pub digits: usize,
    /// When the code expires, unix ms.
    pub expires_at: i64,
    /// Whether the mail server did not answer last: the letter goes out when it answers again, unless the code has expired.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub delayed: bool,
}

/// The letters that a player wants. Letters about the account always come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each kind of letter is switched on and off alone"
)]
pub struct Letters {
    /// A game by correspondence waits for the player.
    pub turn: bool,
    /// A turn of such a game, for the players who are not on turn.
    pub update: bool,
    /// The time of a turn runs out.
    pub reminder: bool,
    /// Such a game has ended.
    pub result: bool,
    /// Another player invites.
    pub invitation: bool,
    /// The language.
    pub language: LetterLanguage,
}

/// The mail address of an account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Mail {
    /// The address.
    pub address: String,
    /// Whether mail servers have refused the address, so that it is used no more; only `GET /me` says so. To use it again,
    /// remove it and add it anew.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub refused: bool,
}

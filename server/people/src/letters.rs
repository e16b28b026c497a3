//! Letters: the mail that the server sends to players, the choices of a player about it, and mail addresses.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Longest mail address, bytes (RFC 5321: a path has 256 with its brackets).
pub const ADDRESS_MAX_BYTES: usize = 254;
/// Longest part of an address before the `@`, bytes (RFC 5321).
const LOCAL_MAX_BYTES: usize = 64;
/// Longest part between two points of a domain, bytes (RFC 1035).
const LABEL_MAX_BYTES: usize = 63;

/// The kind of a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LetterKind {
    /// A game waits for the player.
    Turn,
    /// A turn of a game, for the players who are not on turn.
    Update,
    /// The time of a turn runs out.
    Reminder,
    /// A game has ended.
    Result,
    /// Another player invites.
    Invitation,
    /// A summary of the events beyond the daily limit.
    Digest,
    /// The account was changed.
    Security,
    /// A code that proves the address.
    Code,
}

impl LetterKind {
    /// Every kind.
    pub const ALL: [Self; 8] = [
        Self::Turn,
        Self::Update,
        Self::Reminder,
        Self::Result,
        Self::Invitation,
        Self::Digest,
        Self::Security,
        Self::Code,
    ];

    /// Returns the stable name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Turn => "turn",
            Self::Update => "update",
            Self::Reminder => "reminder",
            Self::Result => "result",
            Self::Invitation => "invitation",
            Self::Digest => "digest",
            Self::Security => "security",
            Self::Code => "code",
        }
    }

    /// Returns the kind with this name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Says whether the letter is about the account: the player cannot switch it off, and no bound of a day holds it back.
    #[must_use]
    pub const fn is_about_account(self) -> bool {
        match self {
            Self::Security | Self::Code => true,
            Self::Turn
            | Self::Update
            | Self::Reminder
            | Self::Result
            | Self::Invitation
            | Self::Digest => false,
        }
    }
}

/// The language of letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// English.
    #[default]
    En,
    /// German.
    De,
}

/// The letters that a player wants, and their language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each kind of letter is switched on and off alone"
)]
#[serde(default)]
pub struct LetterChoices {
    /// Letters of the kind [`LetterKind::Turn`].
    pub turn: bool,
    /// Letters of the kind [`LetterKind::Update`].
    pub update: bool,
    /// Letters of the kind [`LetterKind::Reminder`].
    pub reminder: bool,
    /// Letters of the kind [`LetterKind::Result`].
    pub result: bool,
    /// Letters of the kind [`LetterKind::Invitation`].
    pub invitation: bool,
    /// The language.
    pub language: Language,
}

impl Default for LetterChoices {
    fn default() -> Self {
        Self {
            turn: true,
            update: true,
            reminder: true,
            result: true,
            invitation: true,
            language: Language::default(),
        }
    }
}

impl LetterChoices {
    /// Says whether the player has chosen nothing.
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Says whether the player wants letters of a kind.
    #[must_use]
    pub const fn wants(self, kind: LetterKind) -> bool {
        match kind {
            LetterKind::Turn => self.turn,
            LetterKind::Update => self.update,
            LetterKind::Reminder => self.reminder,
            LetterKind::Result => self.result,
            LetterKind::Invitation => self.invitation,
            LetterKind::Digest | LetterKind::Security | LetterKind::Code => true,
        }
    }

    /// Returns the choices without letters of a kind. Without [`LetterKind::Digest`], no letter of a game is left. Letters
    /// about the account stay.
    #[must_use]
    pub const fn without(mut self, kind: LetterKind) -> Self {
        match kind {
            LetterKind::Turn => self.turn = false,
            LetterKind::Update => self.update = false,
            LetterKind::Reminder => self.reminder = false,
            LetterKind::Result => self.result = false,
            LetterKind::Invitation => self.invitation = false,
            LetterKind::Digest => {
                return Self {
                    turn: false,
                    update: false,
                    reminder: false,
                    result: false,
                    invitation: false,
                    language: self.language,
                };
            }
            LetterKind::Security | LetterKind::Code => {}
        }
        self
    }
}

/// A mail address that every server can carry: ASCII, without quotes, comments and line breaks.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Address(String);

/// The text is not a mail address that the server takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "this is not a mail address: it is written name@example.org, in ASCII, with at most {ADDRESS_MAX_BYTES} bytes"
)]
pub struct NoAddress;

impl NoAddress {
    /// Returns the stable code of the error.
    #[must_use]
    pub const fn code(self) -> &'static str {
        "bad_address"
    }
}

impl Address {
    /// Returns the address as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the form by which addresses are compared. The case counts nowhere: no provider gives two people addresses
    /// that differ by it.
    #[must_use]
    pub fn key(&self) -> String {
        self.0.to_ascii_lowercase()
    }

    /// Returns the form by which limits count: the part of the name from a plus on leads to the same mailbox. Points count,
    /// because they do at most providers.
    #[must_use]
    pub fn mailbox(&self) -> String {
        let key = self.key();
        match key.rsplit_once('@') {
            Some((local, domain)) => {
                // A name cannot begin with the tag.
                let end = local.find('+').filter(|end| *end > 0);
                format!("{}@{domain}", &local[..end.unwrap_or(local.len())])
            }
            None => key,
        }
    }
}

impl FromStr for Address {
    type Err = NoAddress;

    fn from_str(text: &str) -> Result<Self, NoAddress> {
        let text = text.trim_matches(' ');
        let (local, domain) = text.rsplit_once('@').ok_or(NoAddress)?;
        let is_sound = text.len() <= ADDRESS_MAX_BYTES && is_local(local) && is_domain(domain);
        is_sound.then(|| Self(text.to_owned())).ok_or(NoAddress)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Says whether a text is a dot-string of RFC 5321, without the characters that some mail servers take for a route to another
/// server.
fn is_local(local: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty()
            && part
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"#$&'*+-/=?^_`{|}~".contains(&byte))
    };
    local.len() <= LOCAL_MAX_BYTES && local.split('.').all(is_part)
}

fn is_domain(domain: &str) -> bool {
    let is_label = |label: &str| {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        !label.is_empty()
            && label.len() <= LABEL_MAX_BYTES
            && label.bytes().all(is_plain)
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    // A domain of digits alone is an address of a machine without its brackets.
    let is_name = domain.bytes().any(|byte| byte.is_ascii_alphabetic());
    // A name without a point is a machine of the operator's network.
    is_name && domain.contains('.') && domain.split('.').all(is_label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_plain_ascii() {
        for (text, expected) in [
            ("anna@example.org", Some("anna@example.org")),
            (
                " Anna.B+tiles@Mail.Example.org ",
                Some("Anna.B+tiles@Mail.Example.org"),
            ),
            ("anna@localhost", None),
            ("anna%example.com@example.org", None),
            ("example.com!anna@example.org", None),
            ("", None),
            ("anna", None),
            ("@example.org", None),
            ("anna@", None),
            ("anna@example..org", None),
            ("anna@-example.org", None),
            ("an..na@example.org", None),
            (".anna@example.org", None),
            ("anna@example.org\r\nBcc: eve@example.org", None),
            ("anna\n@example.org", None),
            ("änna@example.org", None),
            ("anna@exämple.org", None),
            ("\"an na\"@example.org", None),
            ("anna@bob@example.org", None),
            ("anna@127.0.0.1", None),
            ("anna@[127.0.0.1]", None),
            ("anna <anna@example.org>", None),
        ] {
            let read = text.parse::<Address>();
            assert_eq!(
                read.as_ref().ok().map(Address::as_str),
                expected,
                "{text:?}"
            );
        }
        let long = format!("{}@example.org", "a".repeat(LOCAL_MAX_BYTES + 1));
        assert_eq!(long.parse::<Address>(), Err(NoAddress));
        let long = format!("a@{}org", "example.".repeat(ADDRESS_MAX_BYTES / 8 + 1));
        assert_eq!(long.parse::<Address>(), Err(NoAddress));
    }

    #[test]
    fn addresses_are_compared_without_case() {
        let address: Address = "Anna@Example.ORG".parse().unwrap();
        assert_eq!(address.key(), "anna@example.org");
    }

    #[test]
    fn limits_count_mailboxes() {
        for (text, expected) in [
            ("Anna+tiles@Example.org", "anna@example.org"),
            ("anna+a+b@example.org", "anna@example.org"),
            ("an.na@example.org", "an.na@example.org"),
            ("+anna@example.org", "+anna@example.org"),
        ] {
            let address: Address = text.parse().unwrap();
            assert_eq!(address.mailbox(), expected);
        }
    }

    #[test]
    fn every_kind_but_those_of_the_account_can_be_switched_off() {
        for kind in LetterKind::ALL {
            assert_eq!(LetterKind::of_name(kind.name()), Some(kind));
            let choices = LetterChoices::default().without(kind);
            let has_switch = !kind.is_about_account() && kind != LetterKind::Digest;
            assert_eq!(choices.wants(kind), !has_switch, "{kind:?}");
        }
        let none = LetterChoices::default().without(LetterKind::Digest);
        let of_games = LetterKind::ALL
            .into_iter()
            .filter(|kind| !kind.is_about_account() && *kind != LetterKind::Digest);
        for kind in of_games {
            assert!(!none.wants(kind), "{kind:?}");
        }
    }
}

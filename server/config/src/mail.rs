//! Letters to players: the mail server that takes them, and their bounds.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tilewire_rules::time::Millis;

use super::Key;
use super::sections::{DAY, HOUR, MINUTE, SECOND};

/// The mail server, and the bounds of letters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MailConfig {
    /// The name of the mail server. Empty: the server sends no letters.
    pub server: String,
    /// Its port; 0: the usual one for `security`.
    pub port: u16,
    /// How the connection is protected.
    pub security: MailSecurity,
    /// The name that the server logs in with; empty: it does not log in.
    pub user: String,
    /// File with the password.
    pub password_file: PathBuf,
    /// PEM file with the certificates that vouch for the mail server; empty: those of the system.
    pub ca_file: PathBuf,
    /// The sender of letters.
    pub from: String,
    /// The address of this server's page, for links. Empty: letters have no links.
    pub public_url: String,
    /// The wait before a letter about a game.
    pub wait_ms: Millis,
    /// Letters about games to one player in a day.
    pub per_day: u32,
    /// The time for each step of a conversation with the mail server.
    pub step_ms: Millis,
    /// Conversations at the same time.
    pub connections: usize,
    /// Letters in memory.
    pub window: usize,
    /// The wait after the mail server has put a letter off; doubles with each further time.
    pub retry_ms: Millis,
    /// The longest such wait.
    pub retry_max_ms: Millis,
    /// The time after which a letter that is put off is given up.
    pub give_up_ms: Millis,
    /// Refusals in a row that disable an address.
    pub refusals: u32,
    /// Codes for one mailbox that clients of one network may ask for within `codes_ms`.
    pub codes_per_mailbox: usize,
    /// Codes that strangers may have sent to one mailbox within `codes_ms`.
    pub codes_of_strangers: usize,
    /// Mailboxes that clients claim for accounts within `codes_ms`.
    pub codes_mailboxes: usize,
    /// Codes for one client's address within `codes_ms`.
    pub codes_per_address: usize,
    /// The period in which codes are counted.
    pub codes_ms: Millis,
}

/// How the connection to the mail server is protected.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MailSecurity {
    /// The connection becomes TLS by STARTTLS; a mail server without it gets no letter.
    #[default]
    Starttls,
    /// The connection is TLS from the start.
    Tls,
    /// It is not protected: for a mail server on the same machine.
    None,
}

impl MailSecurity {
    /// Returns the usual port.
    #[must_use]
    pub const fn usual_port(self) -> u16 {
        match self {
            Self::Starttls => 587,
            Self::Tls => 465,
            Self::None => 25,
        }
    }
}

impl MailConfig {
    /// The keys that are numbers.
    pub const KEYS: &'static [Key] = number_keys! {
        "port" "Port of the mail server; 0: 587 with starttls, 465 with tls, 25 with none." 0, 0 => 65_535;
        "wait_ms" "Time before a letter about a game is sent; a player who comes in this time gets none." MINUTE, 0 => DAY;
        "per_day" "Letters about games to one player in a day; the others come together at the end of the day." 50, 1 => 10_000;
        "step_ms" "Time for each step of a conversation with the mail server." 30 * SECOND, 10 => 10 * MINUTE;
        "connections" "Conversations with the mail server at the same time." 2, 1 => 64;
        "window" "Letters that the courier holds in memory." 64, 1 => 10_000;
        "retry_ms" "Wait after the mail server could not take a letter; doubles with each further time." MINUTE, 10 => DAY;
        "retry_max_ms" "Longest such wait." HOUR, 10 => DAY;
        "give_up_ms" "Time after which a letter that the mail server cannot take is given up." DAY, SECOND => 30 * DAY;
        "refusals" "Letters to an address that mail servers refuse in a row before the address is used no more." 3, 1 => 1_000;
        "codes_per_mailbox" "Codes for one mailbox that clients of one network may ask for within mail.codes_ms." 5, 1 => 1_000;
        "codes_of_strangers" "Codes to one mailbox within mail.codes_ms that clients ask for at addresses where its player was not signed in; they get no letter beyond." 15, 1 => 1_000;
        "codes_mailboxes" "Mailboxes that clients claim for accounts within mail.codes_ms; strangers must not make this server send mail to everybody." 2_000, 1 => 1_000_000;
        "codes_per_address" "Codes that clients of one address may ask for within mail.codes_ms." 20, 1 => 1_000_000;
        "codes_ms" "Period in which codes are counted." HOUR, SECOND => DAY;
    };

    /// Says whether the server sends letters.
    #[must_use]
    pub const fn is_on(&self) -> bool {
        !self.server.is_empty()
    }

    /// Returns the port of the mail server.
    #[must_use]
    pub const fn port(&self) -> u16 {
        match self.port {
            0 => self.security.usual_port(),
            port => port,
        }
    }

    /// Returns the address of this server's page without a slash at its end; `None` if there is none.
    #[must_use]
    pub fn page(&self) -> Option<&str> {
        let page = self.public_url.trim_end_matches('/');
        (!page.is_empty()).then_some(page)
    }
}

impl Default for MailConfig {
    fn default() -> Self {
        Self {
            server: String::new(),
            port: 0,
            security: MailSecurity::default(),
            user: String::new(),
            password_file: PathBuf::new(),
            ca_file: PathBuf::new(),
            from: String::new(),
            public_url: String::new(),
            wait_ms: Millis(MINUTE),
            per_day: 50,
            step_ms: Millis(30 * SECOND),
            connections: 2,
            window: 64,
            retry_ms: Millis(MINUTE),
            retry_max_ms: Millis(HOUR),
            give_up_ms: Millis(DAY),
            refusals: 3,
            codes_per_mailbox: 5,
            codes_of_strangers: 15,
            codes_mailboxes: 2_000,
            codes_per_address: 20,
            codes_ms: Millis(HOUR),
        }
    }
}

#[cfg(test)]
mod tests {
    use toml::Table;

    use super::*;

    /// The table of keys and the type state each default once more.
    #[test]
    fn the_keys_have_the_defaults() {
        let defaults = Table::try_from(MailConfig::default()).unwrap();
        for key in MailConfig::KEYS {
            let found = defaults[key.name].as_integer();
            assert_eq!(found, Some(key.default), "{}", key.name);
        }
    }
}

//! The mail address of the own account, and codes by mail: `tilewire account mail`, and `login` and `recover` with an address.

use std::io::{Write, stderr};

use anyhow::{Result, bail};
use clap::{Subcommand, ValueEnum};
use serde_json::{Value, json};
use tilewire_protocol::http::{LetterLanguage, Letters, MailTicket, Me};

use super::api::Api;
use super::password::Source;

/// A change of the mail address.
#[derive(Debug, Clone, Subcommand)]
pub enum MailSetting {
    /// Set the email; a code is sent there
    Set {
        /// The address
        #[arg(value_name = "ADDRESS")]
        address: String,
        /// Read the password and, after the email has come, the code from stdin, one on each line
        #[arg(long)]
        password_stdin: bool,
    },
    /// Remove the address
    Remove {
        /// Read the password from stdin
        #[arg(long)]
        password_stdin: bool,
    },
}

/// A kind of letter about games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LetterKind {
    /// A game by correspondence waits for you.
    Turn,
    /// A turn of another player, when it is not your turn.
    Update,
    /// Your time runs out.
    Reminder,
    /// A game has ended.
    Result,
    /// A player invites you.
    Invitation,
}

/// The language of letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Language {
    /// English.
    En,
    /// German.
    De,
}

fn kind(letters: &mut Letters, kind: LetterKind) -> &mut bool {
    match kind {
        LetterKind::Turn => &mut letters.turn,
        LetterKind::Update => &mut letters.update,
        LetterKind::Reminder => &mut letters.reminder,
        LetterKind::Result => &mut letters.result,
        LetterKind::Invitation => &mut letters.invitation,
    }
}

/// The kinds of letters that are on, in words.
pub(super) fn in_words(letters: &Letters) -> String {
    let kinds = [
        ("turn", letters.turn),
        ("update", letters.update),
        ("reminder", letters.reminder),
        ("result", letters.result),
        ("invitation", letters.invitation),
    ];
    let off: Vec<&str> = kinds
        .iter()
        .filter(|(_, is_on)| !is_on)
        .map(|(name, _)| *name)
        .collect();
    let language = letters.language;
    match off.len() {
        0 => format!("all, in {language}"),
        5 => "none".to_owned(),
        1 | 2 => format!("all but {}, in {language}", off.join(", ")),
        count => format!("{} kinds, in {language}", kinds.len() - count),
    }
}

/// Asks for a code, reads it, and returns what proves the address.
pub(super) fn proof(api: &Api, address: &str, purpose: &str, secrets: Source) -> Result<Value> {
    let asked = json!({ "address": address, "purpose": purpose });
    let MailTicket {
        ticket, delayed, ..
    } = api.post("/mail-codes", &asked)?;
    // The server tells nobody whether an account has the address.
    let text = match (purpose, delayed) {
        (_, true) => {
            "This server cannot send email at the moment. The code comes later, or try again later."
        }
        ("log_in" | "recover", false) => {
            "If an account uses this address, a code has been sent there."
        }
        (_, false) => "A code has been sent to this address.",
    };
    writeln!(stderr(), "{text}")?;
    let code = secrets.password("Code")?;
    Ok(json!({ "ticket": ticket, "code": code }))
}

/// Sets or removes the address.
pub(super) fn change(api: &Api, setting: &MailSetting) -> Result<Me> {
    match setting {
        MailSetting::Set {
            address,
            password_stdin,
        } => {
            let secrets = Source::new(*password_stdin)?;
            let password = secrets.password("Password")?;
            let mail = proof(api, address, "register", secrets)?;
            let body = json!({ "mail": mail, "password": password });
            api.put("/account/mail", &body)
        }
        MailSetting::Remove { password_stdin } => {
            let password = Source::new(*password_stdin)?.password("Password")?;
            api.post("/account/mail/remove", &json!({ "password": password }))
        }
    }
}

/// Switches a kind of letter on or off.
pub(super) fn notify(api: &Api, kind: LetterKind, is_on: bool) -> Result<Me> {
    let mut letters = letters(api)?;
    *self::kind(&mut letters, kind) = is_on;
    api.put("/account/letters", &json!(letters))
}

/// Sets the language of letters.
pub(super) fn language(api: &Api, language: Language) -> Result<Me> {
    let mut letters = letters(api)?;
    letters.language = match language {
        Language::En => LetterLanguage::En,
        Language::De => LetterLanguage::De,
    };
    api.put("/account/letters", &json!(letters))
}

fn letters(api: &Api) -> Result<Letters> {
    let me: Me = api.get("/me")?;
    match me.letters {
        Some(letters) => Ok(letters),
        None => bail!("the server sends no emails to this account"),
    }
}

#[cfg(test)]
mod tests {
    use super::{LetterKind, LetterLanguage, Letters, in_words, kind};

    #[test]
    fn the_letters_are_named_shortly() {
        let all = Letters {
            turn: true,
            update: true,
            reminder: true,
            result: true,
            invitation: true,
            language: LetterLanguage::En,
        };
        let kinds = [
            LetterKind::Update,
            LetterKind::Result,
            LetterKind::Turn,
            LetterKind::Reminder,
            LetterKind::Invitation,
        ];
        let expected = [
            "all, in en",
            "all but update, in en",
            "all but update, result, in en",
            "2 kinds, in en",
            "1 kinds, in en",
            "none",
        ];
        let mut letters = all;
        assert_eq!(in_words(&letters), expected[0]);
        for (off, expected) in kinds.into_iter().zip(&expected[1..]) {
            *kind(&mut letters, off) = false;
            assert_eq!(in_words(&letters), *expected);
            assert!(in_words(&letters).len() <= 30);
        }
    }
}

//! The own account: `tilewire account` shows and changes its settings, exports and erases it.

use std::fmt::Write as _;
use std::io::{Write as _, stdout};
use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Subcommand, ValueEnum};
use serde::Serialize;
use serde_json::json;
use tilewire_protocol::http::{self, Me};

use super::api::Api;
use super::mail::{self, Language, LetterKind, MailSetting};
use super::push::{self, PushSetting};
use super::vacation::{VacationChange, parse_vacation};
use super::{NewToken, personal, show, vacation};
use crate::text::{printable, utc};

/// Characters of a value in the list of settings.
const VALUE_CHARS: usize = 27;

/// Flags of `account`.
#[derive(Debug, Clone, Args)]
pub struct SettingsArgs {
    /// The setting to change; without one, all settings are shown.
    #[command(subcommand)]
    pub setting: Option<Setting>,
}

/// A setting of the account.
#[derive(Debug, Clone, Subcommand)]
pub enum Setting {
    /// Turn chat on or off; without chat you see and receive no messages
    Chat {
        /// Whether you have chat
        #[arg(value_name = "on|off")]
        switch: Switch,
    },
    /// Choose who can invite you; nobody is told
    Invitations {
        /// The players
        #[arg(value_name = "anybody|followed|nobody")]
        from: Inviters,
    },
    /// Set or remove your email, for notifications about correspondence games and to sign in without a password
    #[command(subcommand)]
    Mail(MailSetting),
    /// Turn a kind of email on or off; emails about your account are always sent
    Notify {
        /// The kind
        #[arg(value_name = "KIND")]
        kind: LetterKind,
        /// Whether you want it
        #[arg(value_name = "on|off")]
        switch: Switch,
    },
    /// Show browser notifications, choose the kinds, or stop those of a browser
    Push {
        /// The setting to change; without it, all settings are shown
        #[command(subcommand)]
        setting: Option<PushSetting>,
    },
    /// Choose the language of emails and notifications
    Language {
        /// The language
        #[arg(value_name = "en|de")]
        language: Language,
    },
    /// Go on vacation for some days, or end it: deadlines in games with vacation are extended
    Vacation {
        /// The days, or `end`; without it, the command shows the days left
        #[arg(value_name = "DAYS|end", value_parser = parse_vacation)]
        change: Option<VacationChange>,
    },
    /// Download everything the server stores about you as a ZIP file
    Export {
        /// The file; it must not exist
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Delete your account, your messages, and your name in all games
    Erase {
        /// Cancel the deletion; possible until it takes effect
        #[arg(long)]
        cancel: bool,
        /// Your username, to confirm; without it, you are asked to type it
        #[arg(long, value_name = "USERNAME", conflicts_with = "cancel")]
        confirm: Option<String>,
    },
}

/// The players that may invite a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Inviters {
    /// All players.
    Anybody,
    /// The players that the player follows.
    Followed,
    /// Nobody.
    Nobody,
}

/// On or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// On.
    On,
    /// Off.
    Off,
}

/// Changes a setting, and shows all of them.
pub(super) fn run(api: &Api, args: &SettingsArgs, as_json: bool) -> Result<NewToken> {
    let me: Me = match &args.setting {
        None => api.get("/me")?,
        Some(Setting::Chat { switch }) => {
            let body = json!({ "enabled": *switch == Switch::On });
            api.put("/account/chat", &body)?
        }
        Some(Setting::Invitations { from }) => {
            api.put("/account/invitations", &json!({ "from": from }))?
        }
        Some(Setting::Mail(setting)) => mail::change(api, setting)?,
        Some(Setting::Notify { kind, switch }) => mail::notify(api, *kind, *switch == Switch::On)?,
        Some(Setting::Language { language }) => mail::language(api, *language)?,
        Some(Setting::Push { setting }) => return push::run(api, setting.as_ref(), as_json),
        Some(Setting::Vacation { change }) => return vacation::run(api, *change, as_json),
        Some(Setting::Export { file }) => return personal::export(api, file, as_json),
        Some(Setting::Erase { cancel: true, .. }) => return personal::keep(api, as_json),
        Some(Setting::Erase { confirm, .. }) => {
            return personal::erase(api, confirm.as_deref(), as_json);
        }
    };
    if as_json {
        show::write_json("account", &me)?;
    } else {
        write!(stdout(), "{}", text(&me))?;
    }
    Ok(NewToken::Keep)
}

/// The settings as text of at most 80 columns.
fn text(me: &Me) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: &str, change: &str| {
        writeln!(text, "{name:<12}{value:<28}tilewire account {change}").expect("a string grows");
    };
    let chat = if me.chat { "on" } else { "off: no messages" };
    line("Chat", chat, "chat on|off");
    let invitations = match me.invitations_from {
        http::Inviters::Followed => "from players you follow".to_owned(),
        other => format!("from {other}"),
    };
    line("Invitations", &invitations, "invitations FROM");
    if let Some(letters) = &me.letters {
        let value = match &me.mail {
            None => "none".to_owned(),
            Some(mail) if mail.refused => format!("refused: {}", printable(&mail.address)),
            Some(mail) => printable(&mail.address).to_string(),
        };
        line("Email", &short(&value), "mail set ADDRESS");
        line(
            "Emails",
            &short(&mail::in_words(letters)),
            "notify KIND on|off",
        );
    }
    if let Some(at) = me.erased_at {
        let value = format!("on {}", utc(at));
        line("Deletion", &value, "erase --cancel");
    }
    text
}

/// Cuts a value so that it fits into its column.
fn short(value: &str) -> String {
    match value.chars().count() {
        0..=VALUE_CHARS => value.to_owned(),
        _ => value.chars().take(VALUE_CHARS - 1).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use unicode_width::UnicodeWidthStr;

    use super::text;

    #[test]
    fn each_setting_names_the_command_that_changes_it() {
        let shown = |more: serde_json::Value| {
            let mut me = json!({ "identity": "ia", "origin": "server", "created_at": 1,
                "roles": [], "recovery_codes_left": 0, "chat": true, "invitations_from": "anybody" });
            let fields = more.as_object().expect("an object").clone();
            me.as_object_mut().expect("an object").extend(fields);
            let shown = text(&serde_json::from_value(me).expect("an account"));
            assert!(shown.lines().all(|line| line.width() <= 80), "{shown}");
            shown
        };
        for (me, expected) in [
            (
                json!({}),
                "Chat        on                          tilewire account chat on|off\n",
            ),
            (
                json!({ "chat": false }),
                "Chat        off: no messages            tilewire account chat on|off\n",
            ),
            (
                json!({ "invitations_from": "anybody" }),
                "Invitations from anybody                tilewire account invitations FROM\n",
            ),
            (
                json!({ "invitations_from": "followed" }),
                "Invitations from players you follow     tilewire account invitations FROM\n",
            ),
            (
                json!({
                    "mail": { "address": "anna.with.a.long.name@example.org" },
                    "letters": { "turn": true, "update": false, "reminder": true, "result": true,
                        "invitation": true, "language": "de" },
                }),
                "Email       anna.with.a.long.name@exam… tilewire account mail set ADDRESS\n\
                 Emails      all but update, in de       tilewire account notify KIND on|off\n",
            ),
            (
                json!({ "erased_at": 1_800_000_000_000_i64 }),
                "Deletion    on 2027-01-15 08:00 UTC     tilewire account erase --cancel\n",
            ),
        ] {
            let shown = shown(me);
            assert!(shown.contains(expected), "{shown}");
        }
    }
}

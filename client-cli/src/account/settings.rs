//! The settings of the own account: `tilewire account`.

use std::fmt::Write as _;
use std::io::{Write as _, stdout};

use anyhow::Result;
use clap::{Args, Subcommand, ValueEnum};
use serde_json::json;

use super::api::{Api, Me};
use super::show;

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
    /// Switch chat on or off; without chat you are in no room and nobody can write to you
    Chat {
        /// Whether you have chat
        #[arg(value_name = "on|off")]
        switch: Switch,
    },
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
pub(super) fn run(api: &Api, setting: Option<&Setting>, as_json: bool) -> Result<()> {
    let me: Me = match setting {
        None => api.get("/me")?,
        Some(Setting::Chat { switch }) => {
            let body = json!({ "enabled": *switch == Switch::On });
            api.put("/account/chat", &body)?
        }
    };
    if as_json {
        return show::write_json("account", &me);
    }
    write!(stdout(), "{}", text(&me))?;
    Ok(())
}

/// The settings as text of at most 80 columns.
fn text(me: &Me) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: &str, change: &str| {
        writeln!(text, "{name:<12}{value:<28}tilewire account {change}").expect("a string grows");
    };
    if let Some(is_on) = me.chat {
        let value = if is_on {
            "on"
        } else {
            "off: nobody writes to you"
        };
        line("Chat", value, "chat on|off");
    }
    if text.is_empty() {
        text.push_str("The server has no settings of accounts.\n");
    }
    text
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
                "roles": [], "recovery_codes_left": 0 });
            let fields = more.as_object().expect("an object").clone();
            me.as_object_mut().expect("an object").extend(fields);
            let shown = text(&serde_json::from_value(me).expect("an account"));
            assert!(shown.lines().all(|line| line.width() <= 80), "{shown}");
            shown
        };
        for (me, expected) in [
            (json!({}), "The server has no settings of accounts.\n"),
            (
                json!({ "chat": true }),
                "Chat        on                          tilewire account chat on|off\n",
            ),
            (
                json!({ "chat": false }),
                "Chat        off: nobody writes to you   tilewire account chat on|off\n",
            ),
        ] {
            assert_eq!(shown(me), expected);
        }
    }
}

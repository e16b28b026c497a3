//! `tilewire account push`: notifications of browsers. A browser asks for them on the page; here they are shown and ended.

use std::fmt::Write as _;
use std::io::{Write as _, stdout};

use anyhow::Result;
use clap::{Subcommand, ValueEnum};
use serde_json::json;
use tilewire_protocol::http::{PushKinds, Pushes};

use super::NewToken;
use super::api::{Api, encoded};
use super::settings::Switch;
use super::show;
use crate::text::{ago, printable};

/// The kind of a notification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PushKind {
    /// A game by correspondence waits for you.
    Turn,
    /// Your time runs out.
    Reminder,
    /// A game has ended.
    Result,
    /// A player invites you.
    Invitation,
}

/// A change of the notifications.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum PushSetting {
    /// Turn a kind on or off
    Set {
        /// The kind
        #[arg(value_name = "KIND")]
        kind: PushKind,
        /// Whether you want it
        #[arg(value_name = "on|off")]
        switch: Switch,
    },
    /// Stop the notifications of a browser
    Remove {
        /// The id of the browser in the list
        #[arg(value_name = "ID")]
        device: String,
    },
}

fn kind(kinds: &mut PushKinds, kind: PushKind) -> &mut bool {
    match kind {
        PushKind::Turn => &mut kinds.turn,
        PushKind::Reminder => &mut kinds.reminder,
        PushKind::Result => &mut kinds.result,
        PushKind::Invitation => &mut kinds.invitation,
    }
}

/// Changes something, and shows what there is.
pub(super) fn run(api: &Api, setting: Option<&PushSetting>, as_json: bool) -> Result<NewToken> {
    let path = "/account/pushes";
    let pushes: Pushes = match setting {
        None => api.get(path)?,
        Some(PushSetting::Set { kind, switch }) => {
            let Pushes { mut kinds, .. } = api.get(path)?;
            *self::kind(&mut kinds, *kind) = *switch == Switch::On;
            api.put(path, &json!(kinds))?
        }
        Some(PushSetting::Remove { device }) => {
            api.send_bare("DELETE", &format!("{path}/devices/{}", encoded(device)))?;
            api.get(path)?
        }
    };
    if as_json {
        show::write_json("pushes", &pushes)?;
    } else {
        write!(stdout(), "{}", text(&pushes))?;
    }
    Ok(NewToken::Keep)
}

fn text(pushes: &Pushes) -> String {
    let PushKinds {
        turn,
        reminder,
        result,
        invitation,
    } = pushes.kinds;
    let mut text = String::new();
    let kinds = [
        ("turn", turn),
        ("reminder", reminder),
        ("result", result),
        ("invitation", invitation),
    ];
    for (name, is_on) in kinds {
        let switch = if is_on { "on" } else { "off" };
        writeln!(text, "{name:<12}{switch}").expect("a string grows");
    }
    for device in &pushes.devices {
        let used = match device.used_at {
            Some(at) => format!("notified {}", ago(pushes.server_time.saturating_sub(at))),
            None => "not notified yet".to_owned(),
        };
        let (id, label) = (printable(&device.id), printable(&device.label));
        writeln!(text, "{id}  {used}  {label}").expect("a string grows");
    }
    if pushes.devices.is_empty() {
        text.push_str(
            "No browser has notifications on; turn them on in a browser, on your account page.\n",
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use tilewire_protocol::http::PushDevice;

    use super::*;

    fn pushes(devices: Vec<PushDevice>) -> Pushes {
        Pushes {
            kinds: PushKinds {
                turn: true,
                reminder: true,
                result: false,
                invitation: true,
            },
            key: String::new(),
            devices,
            most_devices: 10,
            server_time: 1_800_000_000_000,
        }
    }

    #[test]
    fn the_player_reads_kinds_and_browsers() {
        let kinds = "turn        on\nreminder    on\nresult      off\ninvitation  on\n";
        let none =
            "No browser has notifications on; turn them on in a browser, on your account page.\n";
        assert_eq!(text(&pushes(Vec::new())), format!("{kinds}{none}"));
        let device = PushDevice {
            id: "abc".to_owned(),
            label: "Firefox\u{1b}[2J".to_owned(),
            created_at: 1,
            used_at: None,
            current: false,
        };
        let text = text(&pushes(vec![device]));
        let row = text.strip_prefix(kinds).expect("the kinds come first");
        assert!(row.starts_with("abc  not notified yet  Firefox"), "{row}");
        assert!(!row.contains('\u{1b}'), "{row}");
    }

    #[test]
    fn each_kind_has_its_switch() {
        let mut kinds = pushes(Vec::new()).kinds;
        for kind in PushKind::value_variants() {
            *super::kind(&mut kinds, *kind) = false;
        }
        let PushKinds {
            turn,
            reminder,
            result,
            invitation,
        } = kinds;
        assert!(!turn && !reminder && !result && !invitation);
    }
}

//! The bodies of requests and answers about moderation.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tilewire_people::audit::Entry;
use tilewire_people::conduct::SERVER;
use tilewire_people::moderation::{ContextLine, Reason, is_operation};
use tilewire_protocol::http;

use tilewire_accounts::people::{Failure, People};
use tilewire_store::{StoredReport, StoredRestriction};

/// The actor of an entry that is no identity.
const OPERATOR: &str = "operator";

/// Reports a player.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct ReportOrder {
    /// The player: a handle, or an identity as in games and in chat.
    pub(super) player: String,
    /// The reason.
    pub(super) reason: ReasonAsked,
    /// The reporter's own words.
    #[serde(default)]
    #[schemars(length(max = 500))]
    pub(super) words: String,
    /// The game that the report is about.
    pub(super) game: Option<String>,
    /// The chat room that the report is about; with `line`.
    pub(super) room: Option<String>,
    /// The number of a line of the player in the room.
    pub(super) line: Option<u64>,
    /// The code of a private game, for a line of the room of its spectators.
    pub(super) code: Option<String>,
}

/// The reason of a report.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum ReasonAsked {
    /// Insults, threats, spam.
    Abuse,
    /// Help by a program or by another person.
    Cheating,
    /// Letting the time run out instead of resigning.
    Stalling,
    /// The name.
    Name,
    /// Something else.
    Other,
}

impl From<ReasonAsked> for Reason {
    fn from(asked: ReasonAsked) -> Self {
        match asked {
            ReasonAsked::Abuse => Self::Abuse,
            ReasonAsked::Cheating => Self::Cheating,
            ReasonAsked::Stalling => Self::Stalling,
            ReasonAsked::Name => Self::Name,
            ReasonAsked::Other => Self::Other,
        }
    }
}

/// An action of a moderator.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct ActOrder {
    /// The action.
    pub(super) action: ActionAsked,
    /// The player: a handle or an identity; absent: the player of `report`.
    pub(super) player: Option<String>,
    /// The reason, which the player reads.
    #[schemars(length(min = 1, max = 500))]
    pub(super) reason: String,
    /// `mute`, `no_rated`, `no_public`, `suspend`: when it ends, unix ms; absent: when a moderator undoes it.
    pub(super) until: Option<i64>,
    /// `hide_lines`: the chat room.
    pub(super) room: Option<String>,
    /// `hide_lines`: the numbers of lines of the player.
    #[serde(default)]
    #[schemars(length(max = 50))]
    pub(super) lines: Vec<u64>,
    /// `rename`: the new handle.
    pub(super) handle: Option<String>,
    /// The report that the action closes.
    pub(super) report: Option<u64>,
}

/// An action of a moderator.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum ActionAsked {
    /// The player cannot write in chat.
    Mute,
    /// The player cannot begin rated games.
    NoRated,
    /// The player cannot open or join public seeks.
    NoPublic,
    /// The player cannot log in.
    Suspend,
    /// Nobody reads these lines.
    HideLines,
    /// The player gets another handle.
    Rename,
    /// The report is closed; nothing else.
    Close,
    /// The points for games that the player left are gone, and so is the waiting time.
    Forgive,
}

/// Undoes an action.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct UndoOrder {
    /// The reason, which the player reads.
    #[schemars(length(min = 1, max = 500))]
    pub(super) reason: String,
}

/// The number of a stored report, or of a stored entry of the audit.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Numbered {
    /// The number.
    pub(super) number: u64,
}

/// Which reports.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReportsQuery {
    /// `next` of the page before.
    pub(super) behind: Option<String>,
    /// The most reports of the page: 1 to 100; 50 if it is absent.
    #[schemars(range(min = 1, max = 100))]
    pub(super) limit: Option<u16>,
}

/// Which entries of the audit.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EntriesQuery {
    /// `next` of the page before.
    #[schemars(range(min = 0))]
    pub(super) before: Option<i64>,
    /// The most entries of the page: 1 to 100; 50 if it is absent.
    #[schemars(range(min = 1, max = 100))]
    pub(super) limit: Option<u16>,
}

/// A page of reports: open ones first, then closed ones, each the newest first.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Reports")]
pub(super) struct ReportsBody {
    /// The reports.
    pub(super) reports: Vec<ReportLine>,
    /// `behind` of the next page; absent: there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) next: Option<String>,
    /// The server's time, unix ms.
    pub(super) server_time: i64,
}

/// A player in a report.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ReportedPerson {
    /// The identity.
    pub(super) identity: String,
    /// The name at the time of the report.
    pub(super) name: String,
}

/// A report, without its context.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ReportLine {
    /// Its number.
    pub(super) number: u64,
    /// When it came, unix ms.
    pub(super) at: i64,
    /// The reporter.
    pub(super) reporter: ReportedPerson,
    /// The reported player.
    pub(super) target: ReportedPerson,
    /// The reason: `abuse`, `cheating`, `stalling`, `name` or `other`.
    pub(super) reason: String,
    /// The reporter's own words.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) words: String,
    /// The game that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) game: Option<String>,
    /// The chat room that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) room: Option<String>,
    /// The number of the line in the room.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) line: Option<u64>,
    /// The number of the entry of the audit that closed it; absent: it is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) closed: Option<u64>,
}

/// A report with the lines around the reported one, as they were when it came.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Report")]
pub(super) struct ReportBody {
    /// The report.
    pub(super) report: ReportLine,
    /// The lines, the oldest first.
    pub(super) context: Vec<ContextBody>,
}

/// A line of a chat room, as it was when the report came.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ReportedLine")]
pub(super) struct ContextBody {
    /// Its number in the room.
    pub(super) line: u64,
    /// When it was written, unix ms.
    pub(super) at: i64,
    /// The identity that wrote it.
    pub(super) identity: String,
    /// Its display name at that time.
    pub(super) name: String,
    /// The text.
    pub(super) text: String,
}

/// A page of the audit, the newest entry first.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Audit")]
pub(super) struct AuditBody {
    /// The entries.
    pub(super) entries: Vec<EntryBody>,
    /// `before` of the next page; absent: there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) next: Option<u64>,
}

/// The history of moderation of a player.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ModerationHistory")]
pub(super) struct HistoryBody {
    /// The identity.
    pub(super) identity: String,
    /// The handle; of a guest, the display name.
    pub(super) name: String,
    /// The points for games that the player left or held up.
    pub(super) conduct: http::Conduct,
    /// The restrictions in force.
    pub(super) restrictions: Vec<RestrictionBody>,
    /// The entries of the audit about the player, the newest first.
    pub(super) entries: Vec<EntryBody>,
    /// `before` of the next page; absent: there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) next: Option<u64>,
}

/// A restriction that is in force.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Restriction")]
pub(super) struct RestrictionBody {
    /// `mute`, `no_rated`, `no_public`, `suspend` or `wait`.
    pub(super) kind: String,
    /// The number of its entry of the audit, which `undo` takes.
    pub(super) number: u64,
    /// The reason.
    pub(super) reason: String,
    /// When it ends, unix ms; absent: when a moderator undoes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) until: Option<i64>,
}

/// An entry of the audit.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "AuditEntry")]
pub(super) struct EntryBody {
    /// Its number: 1, 2, 3 … without gaps.
    pub(super) number: u64,
    /// When it was written, unix ms.
    pub(super) at: i64,
    /// The identity that acted, `operator`, or `server`.
    pub(super) actor: String,
    /// The display name that it has now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) actor_name: Option<String>,
    /// The action, such as `muted` or `role_granted:admin`.
    pub(super) action: String,
    /// The identity that it concerns; of an `operation`, the game or the part of the server.
    pub(super) target: String,
    /// The display name that it has now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) target_name: Option<String>,
    /// The reason, in the words of the actor.
    pub(super) reason: String,
    /// When the effect ends by itself, unix ms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) until: Option<i64>,
    /// The digest of the entry.
    pub(super) digest: String,
    /// The digest of the entry before it.
    pub(super) previous: String,
}

impl From<StoredReport> for ReportLine {
    fn from(stored: StoredReport) -> Self {
        let report = stored.report;
        Self {
            number: stored.number,
            at: report.at.0,
            reporter: ReportedPerson {
                identity: report.reporter,
                name: report.reporter_name,
            },
            target: ReportedPerson {
                identity: report.target,
                name: report.target_name,
            },
            reason: report.reason.name().to_owned(),
            words: report.words,
            game: report.game,
            room: report.room,
            line: report.line,
            closed: stored.closed,
        }
    }
}

impl From<StoredReport> for ReportBody {
    fn from(mut stored: StoredReport) -> Self {
        let context = std::mem::take(&mut stored.report.context);
        Self {
            report: stored.into(),
            context: context.into_iter().map(ContextBody::from).collect(),
        }
    }
}

impl From<ContextLine> for ContextBody {
    fn from(line: ContextLine) -> Self {
        Self {
            line: line.line,
            at: line.at.0,
            identity: line.identity,
            name: line.name,
            text: line.text,
        }
    }
}

impl From<StoredRestriction> for RestrictionBody {
    fn from(restriction: StoredRestriction) -> Self {
        Self {
            kind: restriction.restraint.name().to_owned(),
            number: restriction.entry,
            reason: restriction.reason,
            until: restriction.until.map(|until| until.0),
        }
    }
}

/// Returns entries of the audit with the names that the players have now.
///
/// # Errors
/// When the storage does not answer.
pub(super) async fn named(people: &People, entries: Vec<Entry>) -> Result<Vec<EntryBody>, Failure> {
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    for entry in &entries {
        let target = Some(&entry.action.target).filter(|_| !is_operation(&entry.action.action));
        for identity in [Some(&entry.action.actor), target].into_iter().flatten() {
            let is_person = ![OPERATOR, SERVER].contains(&identity.as_str());
            if is_person && !names.contains_key(identity) {
                names.insert(identity.clone(), people.name_of(identity).await?);
            }
        }
    }
    let body = |entry: Entry| EntryBody {
        number: entry.number,
        at: entry.at.0,
        digest: entry.digest().to_string(),
        previous: entry.previous.to_string(),
        actor_name: names.get(&entry.action.actor).cloned(),
        target_name: names.get(&entry.action.target).cloned(),
        actor: entry.action.actor,
        action: entry.action.action,
        target: entry.action.target,
        reason: entry.action.reason,
        until: entry.action.until.map(|until| until.0),
    };
    Ok(entries.into_iter().map(body).collect())
}

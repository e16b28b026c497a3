//! Commands of the operator for reports and players in the data directory: the acts of a moderator, except those on lines of chat.
//! A server may run meanwhile; it reads the changes.

use std::fmt::Write;

use anyhow::{Context, bail};
use tilewire_people::accounts::{Account, Actor, Input};
use tilewire_people::audit::Entry;
use tilewire_people::conduct::Conduct;
use tilewire_people::handles::{Handle, HandleKey};
use tilewire_people::moderation::{self, Deed, Order, Restraint, Target, restrained};
use tilewire_rules::quoted::quoted;
use tilewire_rules::time::{Millis, Timestamp};

use crate::account_commands::line;
use crate::cli::{ActTask, ModerationTask, OperatorAct};
use tilewire_accounts::people::changed;
use tilewire_base::clock::{ServerClock, time_text};
use tilewire_config::Config;
use tilewire_sql::OperatorStorage;
use tilewire_store::{
    ModerationChange, ModerationError, ReportPosition, StoredAccount, StoredReport,
};

/// How often a change is computed anew because the server has changed the account meanwhile.
const ATTEMPTS: usize = 8;
/// Reports and entries that are read at once.
const READ_TOGETHER: usize = 200;
/// One hour.
const HOUR: Millis = Millis(3_600_000);

/// Shows reports and acts on them; returns what there is to say.
///
/// # Errors
/// When there is no such report, action or player, or nothing would change.
pub fn moderation(config: &Config, task: &ModerationTask) -> anyhow::Result<String> {
    let mut storage = tilewire_databases::open_for_operator(config)?;
    match task {
        ModerationTask::Reports => reports(&storage),
        ModerationTask::Show { number } => {
            let stored = report(&storage, *number)?;
            let points = points(&storage, &stored.report.target)?;
            Ok(show(&stored)? + &points)
        }
        ModerationTask::Act(task) => act(&mut storage, task),
        ModerationTask::Undo { number, reason } => {
            let entry = storage.entry(*number)?;
            let entry = entry.with_context(|| format!("there is no action {number}"))?;
            let order = Order {
                deed: moderation::undo(&entry)?,
                reason: reason.clone(),
                until: None,
            };
            let target = entry.action.target.clone();
            let step = Step {
                order,
                handle: None,
                closes: None,
                undone: Some(&entry),
            };
            done(perform(&mut storage, &target, &step)?)
        }
        ModerationTask::History { player } => {
            let (identity, name) = player_of(&storage, player)?;
            let mut text = format!("{name} ({identity})\n{}", points(&storage, &identity)?);
            let mut before = None;
            loop {
                let page = storage.entries(Some(&identity), before, READ_TOGETHER)?;
                let Some(last) = page.last() else {
                    return Ok(text);
                };
                before = Some(last.number);
                for entry in &page {
                    text.push_str(&line(entry));
                }
            }
        }
    }
}

/// Returns a line about the points of a player for games that the player left; nothing without points.
fn points(storage: &OperatorStorage, identity: &str) -> anyhow::Result<String> {
    let Conduct {
        points,
        waits,
        until,
        ..
    } = storage.conduct(identity)?.conduct;
    if points == 0 && until.is_none() {
        return Ok(String::new());
    }
    let last = until.map_or_else(String::new, |until| {
        format!(
            "; {waits} waiting times, the last one until {}",
            time_text(until)
        )
    });
    Ok(format!("  points for games left: {points}{last}\n"))
}

fn reports(storage: &OperatorStorage) -> anyhow::Result<String> {
    let mut text = String::new();
    let mut behind = ReportPosition::START;
    loop {
        let page = storage.reports(behind, READ_TOGETHER)?;
        let Some(last) = page.last() else {
            return Ok(text);
        };
        behind = ReportPosition {
            is_closed: last.closed.is_some(),
            number: last.number,
        };
        for stored in &page {
            writeln!(text, "{}", summary(stored))?;
        }
    }
}

fn report(storage: &OperatorStorage, number: u64) -> anyhow::Result<StoredReport> {
    let found = storage.report(number)?;
    found.with_context(|| format!("there is no report {number}"))
}

/// Returns a report in one line.
fn summary(stored: &StoredReport) -> String {
    let report = &stored.report;
    let state = stored.closed.map_or_else(
        || "open".to_owned(),
        |entry| format!("closed by action {entry}"),
    );
    format!(
        "{}  {}  {state}  {}: {} ({}), by {}",
        stored.number,
        time_text(report.at),
        report.reason.name(),
        report.target_name,
        report.target,
        report.reporter_name
    )
}

/// Returns a report with everything in it. Text that players wrote is quoted: it may have control characters.
fn show(stored: &StoredReport) -> anyhow::Result<String> {
    let report = &stored.report;
    let mut text = format!("{}\n", summary(stored));
    if !report.words.is_empty() {
        writeln!(text, "  words: {}", quoted(&report.words))?;
    }
    if let Some(game) = &report.game {
        writeln!(text, "  game: {game}")?;
    }
    if let (Some(room), Some(line)) = (&report.room, report.line) {
        writeln!(text, "  line {line} of {room}:")?;
    }
    for line in &report.context {
        let mark = if Some(line.line) == report.line {
            '>'
        } else {
            ' '
        };
        writeln!(
            text,
            "  {mark} {}  {}  {}: {}",
            line.line,
            time_text(line.at),
            quoted(&line.name),
            quoted(&line.text)
        )?;
    }
    Ok(text)
}

fn act(storage: &mut OperatorStorage, task: &ActTask) -> anyhow::Result<String> {
    let stored = task
        .report
        .map(|number| report(storage, number))
        .transpose()?;
    let target = match (&task.player, &stored) {
        (Some(player), _) => player_of(storage, player)?.0,
        (None, Some(stored)) => stored.report.target.clone(),
        (None, None) => bail!("name the player, or a report with --report"),
    };
    let now = ServerClock::system().now();
    let until = task.hours.map(|hours| now + HOUR * i64::from(hours));
    let (deed, handle) = match task.action {
        OperatorAct::Mute => (Deed::Restrain(Restraint::Mute), None),
        OperatorAct::NoRated => (Deed::Restrain(Restraint::NoRated), None),
        OperatorAct::NoPublic => (Deed::Restrain(Restraint::NoPublic), None),
        OperatorAct::Suspend => (Deed::Restrain(Restraint::Suspend), None),
        OperatorAct::Rename => {
            let wanted = task
                .handle
                .as_deref()
                .context("name the handle: --handle")?;
            (Deed::Rename, Some(Handle::parse(wanted)?))
        }
        OperatorAct::Close if stored.is_none() => bail!("name the report: --report"),
        OperatorAct::Close => (Deed::Close, None),
        OperatorAct::Forgive => (Deed::Forgive, None),
    };
    let step = Step {
        order: Order {
            deed,
            reason: task.reason.clone(),
            until,
        },
        handle,
        closes: task.report,
        undone: None,
    };
    done(perform(storage, &target, &step)?)
}

fn done(number: u64) -> anyhow::Result<String> {
    Ok(format!(
        "done; this is action {number}, which `moderation undo {number}` undoes if it lasts\n"
    ))
}

/// An action of the operator.
struct Step<'a> {
    order: Order,
    handle: Option<Handle>,
    closes: Option<u64>,
    undone: Option<&'a Entry>,
}

/// Stores an action; returns its number.
fn perform(storage: &mut OperatorStorage, target: &str, step: &Step<'_>) -> anyhow::Result<u64> {
    for _ in 0..ATTEMPTS {
        let at = ServerClock::system().now();
        let stored = storage.account(target)?;
        let concerned = Target {
            identity: target.to_owned(),
            role: stored.as_ref().and_then(|one| one.account.highest_role()),
        };
        let action = step.order.check(at, &Actor::Operator, &concerned)?;
        let account = match stored {
            Some(StoredAccount { version, account }) => match input(&account, at, step) {
                Some(input) => Some(changed(version, account, at, input)?),
                None => None,
            },
            None if step.order.deed == Deed::Rename => bail!("a guest has no handle"),
            None => None,
        };
        let change = ModerationChange {
            at,
            action,
            deed: step.order.deed.clone(),
            account,
            closes: step.closes,
        };
        match storage.moderate(&change) {
            Ok(number) => return Ok(number),
            Err(ModerationError::Stale) => {}
            Err(error) => return Err(error.into()),
        }
    }
    bail!("the account of {target} changes all the time; try again")
}

/// Returns the effect of an action on the account of its target, if it has one.
fn input(account: &Account, at: Timestamp, step: &Step<'_>) -> Option<Input> {
    let (actor, reason) = (Actor::Operator, step.order.reason.clone());
    let suspended = |entry: &Entry| restrained(&entry.action.action) == Some(Restraint::Suspend);
    match (&step.order.deed, &step.handle, step.undone) {
        (Deed::Restrain(Restraint::Suspend), ..) => Some(Input::Suspend {
            actor,
            until: step.order.until,
            reason,
        }),
        // The storage refuses the handle of another player.
        (Deed::Rename, Some(handle), _) => Some(Input::Rename {
            actor,
            handle: handle.clone(),
            holder: None,
            reason,
        }),
        (Deed::Undo(_), _, Some(entry)) if account.is_suspended(at) && suspended(entry) => {
            Some(Input::Restore { actor, reason })
        }
        _ => None,
    }
}

/// Returns the identity and the name of the player with a handle or an identity; guests have an identity only.
fn player_of(storage: &OperatorStorage, player: &str) -> anyhow::Result<(String, String)> {
    let by_handle = storage.account_of(&HandleKey::of(player))?;
    let found = match by_handle {
        Some(stored) => Some(stored),
        None => storage.account(player)?,
    };
    if let Some(stored) = found {
        let registration = stored.account.registration.as_ref();
        let name = registration.map_or("-", |registration| registration.handle.as_str());
        return Ok((stored.account.identity.clone(), name.to_owned()));
    }
    let row = storage.identity(player);
    let row = row.with_context(|| format!("there is no player {player}"))?;
    Ok((row.identity, row.name))
}

//! Commands of the operator for the accounts in the data directory: roles, the audit, and sessions for issued tokens. A server may
//! run meanwhile.

use std::fmt::Write;

use anyhow::{Context, bail};
use tilewire_people::accounts::{Account, Actor, Input, NewSession, Origin, Role};
use tilewire_people::audit::{self, Entry, EntryDigest};
use tilewire_people::handles::HandleKey;
use tilewire_rules::quoted::quoted;

use crate::cli::{AuditTask, RoleChange, RolesTask};
use tilewire_base::clock::{ServerClock, time_text};
use tilewire_config::Config;
use tilewire_sql::OperatorStorage;
use tilewire_store::{AccountChange, AccountError, StoredAccount};

/// How often a change is computed anew because the server has changed the account meanwhile.
const ATTEMPTS: usize = 8;
/// The label of a session that began with an issued token.
const ISSUED_LABEL: &str = "a token from the operator";

/// Gives, takes and lists roles; returns what there is to say.
///
/// # Errors
/// When there is no such player, or the player has the role already or does not have it.
pub fn roles(config: &Config, task: &RolesTask) -> anyhow::Result<String> {
    let mut storage = tilewire_databases::open_for_operator(config)?;
    match task {
        RolesTask::List => {
            let mut text = String::new();
            for account in storage.with_roles()? {
                let roles: Vec<&str> = account.roles.iter().copied().map(Role::name).collect();
                writeln!(text, "{}  {}", named(&account), roles.join(", "))?;
            }
            Ok(text)
        }
        RolesTask::Grant(RoleChange {
            player,
            role,
            reason,
        }) => {
            let account = change(
                &mut storage,
                player,
                &Input::GrantRole {
                    actor: Actor::Operator,
                    role: *role,
                    reason: reason.clone(),
                },
            )?;
            Ok(format!("{} is {} now\n", named(&account), role.name()))
        }
        RolesTask::Revoke(RoleChange {
            player,
            role,
            reason,
        }) => {
            let account = change(
                &mut storage,
                player,
                &Input::RevokeRole {
                    actor: Actor::Operator,
                    role: *role,
                    reason: reason.clone(),
                },
            )?;
            Ok(format!(
                "{} is no longer {}\n",
                named(&account),
                role.name()
            ))
        }
    }
}

/// Shows or checks the audit; returns what there is to say.
///
/// # Errors
/// When the audit is not whole.
pub fn audit(config: &Config, task: &AuditTask) -> anyhow::Result<String> {
    let entries = tilewire_databases::open_for_operator(config)?.audit()?;
    match task {
        AuditTask::List => {
            let mut text = String::new();
            for entry in &entries {
                text.push_str(&line(entry));
            }
            Ok(text)
        }
        AuditTask::Verify { newest } => {
            audit::verify(&entries, *newest).context("the audit is not whole")?;
            let last = entries.last().map_or(EntryDigest::NONE, Entry::digest);
            Ok(format!(
                "the audit is whole: {} entries; the digest of the newest is {last}\n",
                entries.len()
            ))
        }
    }
}

/// Begins a session of a registered player for a token that the operator issues. Guests have no sessions.
///
/// # Errors
/// When the storage fails.
pub(crate) fn open_session(
    storage: &mut OperatorStorage,
    identity: &str,
    family: &str,
) -> anyhow::Result<()> {
    let stored = storage.account(identity)?;
    if stored.is_none_or(|stored| stored.account.origin == Origin::Site) {
        return Ok(());
    }
    change(
        storage,
        identity,
        &Input::OpenSession {
            session: NewSession {
                family: family.to_owned(),
                label: ISSUED_LABEL.to_owned(),
            },
        },
    )?;
    Ok(())
}

/// Changes the account of a player and returns it.
fn change(storage: &mut OperatorStorage, player: &str, input: &Input) -> anyhow::Result<Account> {
    for _ in 0..ATTEMPTS {
        let StoredAccount {
            version,
            mut account,
        } = find(storage, player)?;
        let at = ServerClock::system().now();
        let effects = account.handle(at, input.clone())?;
        let change = AccountChange {
            expected: version,
            account: account.clone(),
            effects,
            at,
        };
        match storage.apply(&change) {
            Ok(()) => return Ok(account),
            Err(AccountError::Stale) => {}
            Err(error) => return Err(error.into()),
        }
    }
    bail!("the account of {player} changes all the time; try again")
}

/// Returns the account with this handle or identity.
fn find(storage: &OperatorStorage, player: &str) -> anyhow::Result<StoredAccount> {
    let by_handle = storage.account_of(&HandleKey::of(player))?;
    let found = match by_handle {
        Some(stored) => Some(stored),
        None => storage.account(player)?,
    };
    found.with_context(|| format!("there is no registered player {player}"))
}

fn named(account: &Account) -> String {
    let registration = account.registration.as_ref();
    let handle = registration.map_or("-", |registration| registration.handle.as_str());
    format!("{handle} ({})", account.identity)
}

/// Returns an entry of the audit in one line.
pub(crate) fn line(entry: &Entry) -> String {
    let action = &entry.action;
    let until = action
        .until
        .map_or_else(String::new, |until| format!(" until {}", time_text(until)));
    format!(
        "{}  {}  {}  {} {}{until}  {}\n",
        entry.number,
        time_text(entry.at),
        action.actor,
        action.action,
        action.target,
        quoted(&action.reason)
    )
}

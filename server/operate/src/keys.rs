//! Commands of the operator for keys, identities and tokens in the data directory. A server may run meanwhile, and applies the
//! changes.

use std::fmt::Write;
use std::io::Read;

use anyhow::{Context, bail};
use tilewire_rules::quoted::quoted;
use tilewire_rules::time::Timestamp;

use crate::account_commands;
use crate::cli::{IdentitiesTask, KeysTask, PushKeysTask, TokensTask};
use tilewire_accounts::identity::Tokens;
use tilewire_base::clock::{ServerClock, time_text};
use tilewire_base::ids::Ids;
use tilewire_config::Config;
use tilewire_delivery::session::Pass;
use tilewire_sql::OperatorStorage;

/// Most bytes read from standard input for a token.
const TOKEN_INPUT_BYTES: u64 = 16 * 1024;

/// Lists, makes and removes keys; returns what there is to say.
///
/// # Errors
/// When there is no such key, or no data directory.
pub fn keys(config: &Config, task: &KeysTask) -> anyhow::Result<String> {
    let mut storage = tilewire_databases::open_for_operator(config)?;
    match task {
        KeysTask::List => {
            let mut text = String::new();
            for (at, key) in storage.token_keys()?.iter().enumerate() {
                let use_ = if at == 0 { "signs" } else { "verifies" };
                let created = time_text(key.created_at);
                writeln!(text, "{}  {use_:<8}  created {created}", key.kid)?;
            }
            Ok(text)
        }
        KeysTask::Rotate => {
            let kid = storage.rotate_token_key(now())?;
            Ok(format!(
                "{kid} signs from now on; the others verify until they are retired\n"
            ))
        }
        KeysTask::Retire { kid } => {
            storage.retire_token_key(kid)?;
            Ok(format!(
                "{kid} is removed; what it has signed is refused from now on\n"
            ))
        }
        KeysTask::Push(task) => push_keys(&mut storage, task),
    }
}

/// Lists, makes and removes key pairs of pushes; returns what there is to say.
fn push_keys(storage: &mut OperatorStorage, task: &PushKeysTask) -> anyhow::Result<String> {
    match task {
        PushKeysTask::List => {
            let mut text = String::new();
            for (at, key) in storage.push_keys()?.iter().enumerate() {
                let use_ = if at == 0 { "newest" } else { "in use" };
                let created = time_text(key.created_at);
                writeln!(text, "{}  {use_:<6}  created {created}", key.kid)?;
            }
            Ok(text)
        }
        PushKeysTask::Rotate => {
            let kid = storage.rotate_push_key(now())?;
            Ok(format!(
                "{kid} is for browsers that ask from now on; the others stay in use until they are retired\n"
            ))
        }
        PushKeysTask::Retire { kid } => {
            let devices = storage.retire_push_key(kid)?;
            Ok(format!(
                "{kid} is removed; browsers that get no more pushes: {devices}\n"
            ))
        }
    }
}

/// Shows, refuses and takes back identities; returns what there is to say.
///
/// # Errors
/// When there is no such identity.
pub fn identities(config: &Config, task: &IdentitiesTask) -> anyhow::Result<String> {
    let mut storage = tilewire_databases::open_for_operator(config)?;
    match task {
        IdentitiesTask::Show { identity } => {
            let row = storage.identity(identity)?;
            let revoked = storage.credentials()?.revoked_identities;
            let state = match revoked.get(identity) {
                Some(Some(reason)) => format!("revoked ({reason})"),
                Some(None) => "revoked".to_owned(),
                None => "welcome".to_owned(),
            };
            let created = time_text(row.created_at);
            Ok(format!(
                "{identity}  {state}  created {created}  {}\n",
                quoted(&row.name)
            ))
        }
        IdentitiesTask::Revoke { identity, reason } => {
            storage.revoke_identity(identity, reason.as_deref(), now())?;
            Ok(format!("{identity} is refused from now on\n"))
        }
        IdentitiesTask::Restore { identity } => {
            storage.restore_identity(identity)?;
            Ok(format!("{identity} is welcome again\n"))
        }
    }
}

/// Revokes and makes tokens; returns what there is to say.
///
/// # Errors
/// When the token is none of this server's, or there is no such identity.
pub fn tokens(config: &Config, task: &TokensTask) -> anyhow::Result<String> {
    let mut storage = tilewire_databases::open_for_operator(config)?;
    let credentials = storage.credentials()?;
    let tokens = Tokens::new(&credentials.keys, &config.identity);
    match task {
        TokensTask::Revoke => {
            let mut text = String::new();
            std::io::stdin()
                .take(TOKEN_INPUT_BYTES)
                .read_to_string(&mut text)
                .context("cannot read the token from standard input")?;
            let pass = tokens.verify(text.trim(), now())?;
            if pass.family.is_empty() {
                bail!(
                    "the token belongs to no family; revoke its identity {}",
                    pass.identity
                );
            }
            storage.revoke_family(&pass.family, &pass.identity, now())?;
            Ok(format!(
                "this token of {} is refused from now on, and all that came of it\n",
                pass.identity
            ))
        }
        TokensTask::Issue { identity } => {
            storage.identity(identity)?;
            let family = Ids::system().token_family();
            account_commands::open_session(&mut storage, identity, &family)?;
            let pass = Pass::without_token(identity.clone(), family);
            Ok(format!("{}\n", tokens.issue(&pass, now()).token))
        }
    }
}

fn now() -> Timestamp {
    ServerClock::system().now()
}

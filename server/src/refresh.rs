//! Loads changed keys and revocations into a running server.
//!
//! The operator's commands change them in the storage while the server runs; the embedding site changes its file of keys.

use std::sync::Arc;
use std::time::Duration;

use tilewire_rules::time::Timestamp;
use tokio::signal::unix::Signal;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use tilewire_accounts::enforcement::close_revoked;
use tilewire_accounts::identity::{Accounts, Reread};
use tilewire_accounts::people::People;
use tilewire_base::clock::ServerClock;
use tilewire_control::AddressBlocks;
use tilewire_delivery::outbound::Registry;
use tilewire_game::Directory;
use tilewire_relay::Exchange;
use tilewire_store::{Storage, StoreError};

/// The sources that a refresh reads, and the state that it changes.
pub(crate) struct Refresh {
    pub(crate) accounts: Arc<Accounts>,
    pub(crate) registry: Arc<Registry>,
    pub(crate) people: Arc<People>,
    pub(crate) directory: Arc<Directory>,
    pub(crate) clock: ServerClock,
    pub(crate) storage: Arc<dyn Storage>,
    /// The relay, whose batches are sealed with the keys.
    pub(crate) relay: Option<Arc<Exchange>>,
    /// The blocked addresses, if other servers can change them.
    pub(crate) blocked: Option<Arc<AddressBlocks>>,
    /// The version of the credentials that the accounts have.
    pub(crate) seen: u64,
    pub(crate) every: Duration,
}

/// Looks for changes at regular times, and immediately after SIGHUP, until `stop`.
pub(crate) async fn run(refresh: Refresh, mut hangups: Signal, stop: CancellationToken) {
    let Refresh {
        accounts,
        registry,
        people,
        directory,
        clock,
        storage,
        relay,
        blocked,
        mut seen,
        every,
    } = refresh;
    let mut ticks = tokio::time::interval(every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = ticks.tick() => {}
            told = hangups.recv() => {
                if told.is_none() {
                    return;
                }
                tracing::info!("SIGHUP: looking for changed keys");
            }
        }
        let before = seen;
        if storage
            .credential_changes()
            .await
            .is_ok_and(|now| now != seen)
            && let Err(error) = reread(&people, &*storage, clock.now()).await
        {
            tracing::warn!(%error, "restrictions and switches could not be read; the server keeps the last ones");
        }
        seen = credentials(&accounts, (&registry, relay.as_deref()), &*storage, before).await;
        if seen != before {
            // Another server may have erased them.
            directory.forget_names(&accounts.tokens().erased()).await;
        }
        site(&accounts).await;
        if let Some(blocked) = &blocked
            && let Err(error) = blocked.follow(&*people.enforcement().store).await
        {
            tracing::warn!(%error, "the blocked addresses could not be read; the server keeps the last ones");
        }
    }
}

/// Reads restrictions, and which players have switched chat off.
async fn reread(people: &People, storage: &dyn Storage, now: Timestamp) -> Result<(), StoreError> {
    people.enforcement().reread(now).await?;
    people.chat_off().reread(storage).await
}

/// Loads changed keys and revocations; returns the version that was loaded last.
async fn credentials(
    accounts: &Accounts,
    (registry, relay): (&Registry, Option<&Exchange>),
    storage: &dyn Storage,
    seen: u64,
) -> u64 {
    let found = match storage.credential_changes().await {
        Ok(count) if count == seen => return seen,
        Ok(_) => storage.credentials().await,
        Err(error) => Err(error),
    };
    let found = match found {
        Ok(found) => found,
        Err(error) => {
            tracing::warn!(%error, "keys and revocations could not be read; the server keeps the last ones");
            return seen;
        }
    };
    accounts.tokens().replace(&found);
    if let Some(relay) = relay {
        relay.reseal(&found.keys);
    }
    let closed = close_revoked(accounts, registry, registry.all());
    tracing::info!(
        keys = found.keys.len(),
        signs = found.keys[0].kid,
        revoked_identities = found.revoked_identities.len(),
        revoked_tokens = found.revoked_families.len(),
        closed,
        "keys and revocations have changed"
    );
    found.version
}

async fn site(accounts: &Arc<Accounts>) {
    let accounts = Arc::clone(accounts);
    let reread = tokio::task::spawn_blocking(move || {
        let site = accounts.tokens().site();
        site.map_or(Ok(Reread::Unchanged), |site| site.reread())
    });
    match reread.await {
        Ok(Ok(Reread::Changed)) => tracing::info!("new keys of the site are in use"),
        Ok(Err(error)) => {
            tracing::error!(%error, "the site's new keys cannot be used; the server keeps the old ones");
        }
        // The task was cancelled because the process ends.
        Ok(Ok(Reread::Unchanged)) | Err(_) => {}
    }
}

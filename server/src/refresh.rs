//! Carries changes of keys and revocations over into a running server: the operator's commands change them beside it,
//! and the embedding site its file of keys.

use std::sync::Arc;
use std::time::Duration;

use tilewire_protocol::CloseCode;
use tokio::signal::unix::Signal;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::identity::Reread;
use crate::storage::Storage;

/// What a connection that is closed for it is told.
pub(crate) const REVOKED: &str = "the token or the identity was revoked";

/// Looks for changes now and then, and at once when the process is told to by a signal, until `stop`.
pub(crate) async fn run(
    app: Arc<App>,
    storage: Arc<Storage>,
    mut hangups: Signal,
    stop: CancellationToken,
) {
    let every = Duration::from_millis(app.config.identity.refresh_ms.unsigned_abs());
    let mut ticks = tokio::time::interval(every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut seen = storage.found_credentials().version;
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = ticks.tick() => {}
            told = hangups.recv() => {
                if told.is_none() {
                    return;
                }
                tracing::info!("told to look at the keys again");
            }
        }
        seen = credentials(&app, &storage, seen).await;
        site(&app).await;
    }
}

/// Takes new keys and revocations over if there are any; returns how many changes are known.
async fn credentials(app: &App, storage: &Storage, seen: u64) -> u64 {
    let found = match storage.credential_changes().await {
        Ok(count) if count == seen => return seen,
        Ok(_) => storage.credentials().await,
        Err(error) => Err(error),
    };
    let found = match found {
        Ok(found) => found,
        Err(error) => {
            tracing::warn!(%error, "keys and revocations could not be read; the former ones count");
            return seen;
        }
    };
    app.tokens.replace(&found);
    let closed = close_unwelcome(app);
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

/// Closes the connections of those who would not be let in any more; returns how many.
fn close_unwelcome(app: &App) -> usize {
    let mut closed = 0;
    for peer in app.registry.all() {
        if peer.pass().is_some_and(|pass| !app.tokens.is_good(pass)) {
            peer.close(CloseCode::BadToken, REVOKED);
            closed += 1;
        }
    }
    closed
}

async fn site(app: &Arc<App>) {
    let looked_at = Arc::clone(app);
    let reread = tokio::task::spawn_blocking(move || {
        looked_at
            .tokens
            .site()
            .map_or(Ok(Reread::Unchanged), |site| site.reread())
    });
    match reread.await {
        Ok(Ok(Reread::Changed)) => tracing::info!("new keys of the site are in use"),
        Ok(Err(error)) => {
            tracing::error!(%error, "the site's new keys cannot be used; the former ones count");
        }
        // A task that was given up because the process ends.
        Ok(Ok(Reread::Unchanged)) | Err(_) => {}
    }
}

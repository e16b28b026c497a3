//! The task of the chronicle.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::{Chronicle, ChronicleServices, Progress};

/// How often the journal is looked at although no game is known to have ended.
const POLL: Duration = Duration::from_secs(5);
/// The wait after the storage did not answer.
const RETRY: Duration = Duration::from_secs(1);

/// Follows the journal until `stop`.
pub async fn run(parts: ChronicleServices, stop: CancellationToken) {
    let store = parts.store.clone();
    let mut chronicle = Chronicle::new(parts);
    let follow = async {
        loop {
            match chronicle.step().await {
                Ok(Progress::More) => {}
                Ok(Progress::AtEnd) => {
                    // The end of a game between the step and the wait has left its mark in the storage.
                    tokio::time::timeout(POLL, store.ended()).await.ok();
                }
                Err(error) => {
                    tracing::warn!(%error, "the chronicle waits for the storage");
                    tokio::time::sleep(RETRY).await;
                }
            }
        }
    };
    stop.run_until_cancelled(follow).await;
}

//! Connections that do nothing.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use super::enter;
use crate::host;
use crate::link::{Heard, Link};
use crate::rng::Rng;
use crate::shared::{Mode, Shared};

/// Stays connected until the run ends.
pub(crate) async fn rest(shared: Arc<Shared>, due: Instant) {
    let mut modes = shared.modes();
    let Ok((mut link, _)) = Link::enter(&shared.address, None).await else {
        return shared.error("no connection");
    };
    shared.recorder.joined(due.elapsed());
    loop {
        tokio::select! {
            heard = link.next() => if matches!(heard, Heard::Closed(_)) {
                return shared.error("connection lost");
            },
            () = async { drop(modes.wait_for(|mode| *mode == Mode::Leaving).await) } => {
                return link.close().await;
            }
        }
    }
}

/// Stays connected and idle until the run ends; after about `stay` another client replaces it.
pub(crate) async fn idle(shared: Arc<Shared>, stay: Duration, number: u32) {
    let mut rng = Rng::new(shared.behavior.seed, (1 << 42) + u64::from(number));
    let mut modes = shared.modes();
    while let Some((mut link, _)) = enter(&shared, None, &mut rng).await {
        let until = host::now() + rng.exponential(stay);
        if stay_until(&mut link, until, &mut modes).await {
            return link.close().await;
        }
        link.close().await;
    }
}

/// Says whether it is time to leave.
async fn stay_until(link: &mut Link, until: Instant, modes: &mut watch::Receiver<Mode>) -> bool {
    loop {
        tokio::select! {
            heard = link.next() => if matches!(heard, Heard::Closed(_)) {
                return false;
            },
            () = sleep_until(until) => return false,
            () = async { drop(modes.wait_for(|mode| *mode == Mode::Leaving).await) } => return true,
        }
    }
}

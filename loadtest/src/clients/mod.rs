//! The clients of a run other than players: spectators, followers of the lobby, seekers, people
//! who log in or chat, and idle connections.

pub(crate) mod chatter;
pub(crate) mod follower;
pub(crate) mod idle;
pub(crate) mod seeker;
pub(crate) mod sign_in;
pub(crate) mod spectator;

use std::sync::Arc;
use std::time::Duration;

use tilewire_protocol::Token;
use tokio::time::{Instant, sleep, timeout};

use crate::host;
use crate::link::Link;
use crate::rng::Rng;
use crate::shared::{Mode, Shared};

/// Pause before a client that was refused connects again; up to twice that.
const RECONNECT_AFTER: Duration = Duration::from_millis(50);

/// Starts a client at a given time.
pub(crate) async fn at(due: Instant, who: impl Future<Output = ()>) {
    sleep(due.saturating_duration_since(host::now())).await;
    who.await;
}

/// Connects, again and again if need be; `None` when it is time to leave.
pub(crate) async fn enter(
    shared: &Arc<Shared>,
    token: Option<Token>,
    rng: &mut Rng,
) -> Option<(Link, Token)> {
    loop {
        if shared.mode() == Mode::Leaving {
            return None;
        }
        if let Ok((link, welcome)) = Link::enter(&shared.address, token.clone()).await {
            return Some((link, welcome.token));
        }
        let mut modes = shared.modes();
        let leaving = modes.wait_for(|mode| *mode == Mode::Leaving);
        drop(timeout(RECONNECT_AFTER.mul_f64(1.0 + rng.unit()), leaving).await);
    }
}

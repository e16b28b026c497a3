//! Connections of players: accepted, upgraded, read, written, ended in good order.
//!
//! `upgrade` speaks HTTP, `socket` carries the session of one client out, [`outbox`] holds what waits to be written.

mod heartbeat;
pub mod outbox;
mod records;
mod requests;
mod socket;
mod upgrade;
mod writer;

pub use socket::serve_messages;

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::metrics;

/// Pause after the system could not give a socket (too many open files): accepting again at once would spin.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// The number of connections there are, and of those that are somebody's.
#[derive(Debug, Default)]
pub struct Connections {
    open: AtomicUsize,
    /// Those that have become WebSockets and have not said goodbye yet.
    sockets: AtomicUsize,
}

impl Connections {
    /// Returns how many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.open.load(Ordering::Relaxed)
    }

    /// Returns how many of them are WebSockets that have not said goodbye yet.
    #[must_use]
    pub fn sockets(&self) -> usize {
        self.sockets.load(Ordering::Acquire)
    }

    fn socket(self: &Arc<Self>) -> OpenSocket {
        self.sockets.fetch_add(1, Ordering::AcqRel);
        OpenSocket(Arc::clone(self))
    }

    fn enter(self: &Arc<Self>, most: usize, from: IpAddr) -> Option<Slot> {
        let entered = self
            .open
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, |open| {
                (open < most).then_some(open + 1)
            });
        entered.ok().map(|_| {
            metrics::connections(1);
            Slot {
                connections: Arc::clone(self),
                from: Some(from),
            }
        })
    }
}

/// One connection's place; free again when dropped.
#[derive(Debug)]
pub(crate) struct Slot {
    connections: Arc<Connections>,
    from: Option<IpAddr>,
}

impl Slot {
    /// Returns where the connection comes from.
    pub(crate) const fn from(&self) -> Option<IpAddr> {
        self.from
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.connections.open.fetch_sub(1, Ordering::AcqRel);
        metrics::connections(-1);
    }
}

/// Counts one WebSocket until it is dropped.
#[derive(Debug)]
struct OpenSocket(Arc<Connections>);

impl Drop for OpenSocket {
    fn drop(&mut self) {
        self.0.sockets.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Takes connections until `stop`.
pub(crate) async fn accept(app: Arc<App>, listener: TcpListener, stop: CancellationToken) {
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        let (stream, from) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        // A full server closes at once; there is nobody to speak HTTP with.
        let Some(slot) = app
            .connections
            .enter(app.config.limits.connections, from.ip())
        else {
            tracing::debug!("refused a connection: there are as many as there may be");
            continue;
        };
        // Moves are small and must not wait for more to send.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection had ended already");
        }
        tokio::spawn(upgrade::serve(Arc::clone(&app), stream, slot));
    }
}

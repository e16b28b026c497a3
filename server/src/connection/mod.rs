//! Connections of clients: accept, upgrade to a WebSocket, read, write, close.
//!
//! [`Connections`] limits who may connect. `tls` and `upgrade` speak with a client before it has a WebSocket, on the threads
//! of the [`HandshakeRuntime`]. `served` is the life of a connection, and `socket` carries out its session.

mod admission;
mod handshake;
mod handshake_runtime;
mod heartbeat;
mod origin;
mod proxy;
mod reader;
mod records;
mod requests;
mod served;
mod services;
mod socket;
mod tls;
mod turn_away;
mod upgrade;

pub use admission::Connections;
pub(crate) use handshake_runtime::HandshakeRuntime;
pub use served::serve_messages;
pub use services::Services;
pub use tls::{CertificateError, Certificates, Reload};

use std::future::poll_fn;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use socket2::{SockRef, TcpKeepalive};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use self::turn_away::TurnAway;
use crate::address::ClientAddress;
use crate::config::Timing;
use crate::metrics;

/// Pause after the system could not give a socket (too many open files): accepting again at once would spin.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Accepts connections until `stop`, on the [`HandshakeRuntime`].
pub(crate) async fn accept(
    services: Arc<Services>,
    listener: TcpListener,
    certificates: Option<Arc<Certificates>>,
    stop: CancellationToken,
) {
    let turn_away = TurnAway::default();
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => return,
            accepted = accept_into(&services.main_runtime, &listener) => accepted,
        };
        let (stream, from) = match accepted {
            Ok((stream, from)) => (stream, from.ip()),
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let source = source_of(&services, from);
        let slot = match services.connections.enter(source, services.clock.now()) {
            Ok(slot) => slot,
            Err(refusal) => {
                metrics::connection_refused(refusal.name());
                tracing::debug!(%from, reason = refusal.name(), "refused a connection");
                // Who wants TLS would have to be greeted first: that is what a flood is after.
                if certificates.is_none() {
                    turn_away.politely(stream, refusal);
                }
                continue;
            }
        };
        if let Err(error) = prepare(&stream, &services.config.timing) {
            tracing::debug!(%error, "a connection had ended already");
        }
        let acceptor = certificates
            .as_ref()
            .map(|certificates| certificates.acceptor());
        tokio::spawn(upgrade::receive(
            Arc::clone(&services),
            stream,
            from,
            acceptor,
            slot,
        ));
        // A storm of newcomers comes in one by one: whoever is greeted goes on between any two of them.
        tokio::task::yield_now().await;
    }
}

/// Takes the next connection; its socket waits with those of `runtime`, wherever this runs.
async fn accept_into(
    runtime: &Handle,
    listener: &TcpListener,
) -> std::io::Result<(TcpStream, SocketAddr)> {
    poll_fn(|context| {
        let _entered = runtime.enter();
        listener.poll_accept(context)
    })
    .await
}

/// Returns where a connection comes from, unless a trusted proxy will say.
fn source_of(services: &Services, from: IpAddr) -> Option<ClientAddress> {
    (!proxy::is_proxy(&services.config.http, from)).then(|| ClientAddress::from(from))
}

/// Sets what the system does for a connection by itself.
fn prepare(stream: &TcpStream, timing: &Timing) -> std::io::Result<()> {
    // Moves are small and must not wait for more to send.
    stream.set_nodelay(true)?;
    let socket = SockRef::from(stream);
    let silence = Duration::from_millis(timing.tcp_keepalive_ms.unsigned_abs());
    socket.set_tcp_keepalive(
        &TcpKeepalive::new()
            .with_time(silence)
            .with_interval(silence),
    )?;
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(Duration::from_millis(
        timing.tcp_user_timeout_ms.unsigned_abs(),
    )))?;
    Ok(())
}

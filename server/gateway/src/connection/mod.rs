//! Connections of clients: accept, upgrade to a WebSocket, read, write, close.
//!
//! [`Connections`] limits who may connect. `tls` and `upgrade` speak with a client before it has a WebSocket, on the threads
//! of the `HandshakeRuntime`. `serve` is the life of a WebSocket, `client` carries out what its session decides, and
//! `served` answers its requests.

mod admission;
mod chat;
mod client;
mod expiry;
mod handshake;
mod handshake_runtime;
mod heartbeat;
mod look_up;
mod meter;
mod origin;
mod page;
mod proxy;
mod reader;
mod records;
mod reject;
mod remote;
mod requests;
mod serve;
mod served;
mod services;
mod tls;
mod unsubscribe;
mod upgrade;

pub use admission::Connections;
pub use handshake_runtime::HandshakeRuntime;
pub use meter::Budgets;
pub use remote::RemoteClients;
pub use serve::serve_messages;
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

use self::reject::Rejections;
use tilewire_base::address::ClientAddress;
use tilewire_base::metrics;
use tilewire_config::Timing;

/// Pause after the system could not give a socket, for example because of too many open files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Accepts connections until `stop`, on the `HandshakeRuntime`.
pub async fn accept(
    services: Arc<Services>,
    listener: TcpListener,
    certificates: Option<Arc<Certificates>>,
    stop: CancellationToken,
) {
    let rejections = Rejections::default();
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
        let address = address_of(&services, from);
        let slot = match services.connections.enter(address, services.clock.now()) {
            Ok(slot) => slot,
            Err(refusal) => {
                metrics::connection_refused(refusal.name());
                tracing::debug!(%from, reason = refusal.name(), "refused a connection");
                // An answer over TLS would need a handshake, and a flood aims at that cost.
                if certificates.is_none() {
                    rejections.send(stream, refusal);
                }
                continue;
            }
        };
        if let Err(error) = prepare(&stream, &services.config.timing) {
            tracing::debug!(%error, "a connection ended before its socket options were set");
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
        // Connections that are accepted already continue between any two new ones.
        tokio::task::yield_now().await;
    }
}

/// Accepts the next connection; its socket is registered with `runtime`, not with the caller's.
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

/// Returns the address of a client, unless a trusted proxy will name it.
fn address_of(services: &Services, from: IpAddr) -> Option<ClientAddress> {
    (!proxy::is_proxy(&services.config.http, from)).then(|| ClientAddress::from(from))
}

/// Sets the socket options of a connection.
fn prepare(stream: &TcpStream, timing: &Timing) -> std::io::Result<()> {
    // Messages are small and must not wait for more.
    stream.set_nodelay(true)?;
    let socket = SockRef::from(stream);
    let silence = timing.tcp_keepalive_ms.to_duration();
    socket.set_tcp_keepalive(
        &TcpKeepalive::new()
            .with_time(silence)
            .with_interval(silence),
    )?;
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(timing.tcp_user_timeout_ms.to_duration()))?;
    Ok(())
}

//! The sockets that the server listens on.

use std::io;
use std::net::SocketAddr;

use anyhow::bail;
use tokio::net::TcpSocket;

use tilewire_config::Limits;

/// Reserves an address without taking connections yet. `flag` is the option that chooses the address.
///
/// # Errors
/// When the address cannot be used; the text says what to do.
pub(crate) fn bind(address: SocketAddr, flag: &str) -> anyhow::Result<TcpSocket> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    // A restarted server gets its port although old connections linger.
    socket.set_reuseaddr(true)?;
    match socket.bind(address) {
        Ok(()) => Ok(socket),
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => bail!(
            "{address} is in use, perhaps by another server; stop it, or choose another address with {flag}"
        ),
        Err(error) => {
            bail!("cannot listen on {address}: {error}; choose another address with {flag}")
        }
    }
}

/// Bounds what the kernel keeps for each connection of a listener: for a client that reads nothing it would keep megabytes.
///
/// # Errors
/// When the system refuses the sizes.
pub(crate) fn bound_buffers(listener: TcpSocket, limits: &Limits) -> io::Result<TcpSocket> {
    listener.set_send_buffer_size(limits.send_buffer_bytes)?;
    listener.set_recv_buffer_size(limits.receive_buffer_bytes)?;
    Ok(listener)
}

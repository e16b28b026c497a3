//! Ports of this machine that belong to one test.

use std::net::{Ipv4Addr, SocketAddr};

use socket2::{Domain, Socket, Type};

/// A port that the system gives to nobody who asks for a free one. A program that names it can listen there, stop and listen
/// again: the socket that keeps it never listens.
#[derive(Debug)]
pub struct Port {
    _kept: Socket,
    /// Its number.
    pub number: u16,
}

impl Port {
    /// Reserves a free port until it is dropped.
    ///
    /// # Panics
    /// When no port is free.
    #[must_use]
    pub fn reserve() -> Self {
        let kept = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
        // Both sockets need this to be bound to one port.
        kept.set_reuse_address(true).expect("a usual option");
        let anywhere = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        kept.bind(&anywhere.into()).expect("a port is free");
        let bound = kept.local_addr().expect("an address").as_socket();
        Self {
            number: bound.expect("an address of IP").port(),
            _kept: kept,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn a_program_that_names_the_port_listens_there_again_and_again() {
        let port = Port::reserve();
        for _ in 0..3 {
            TcpListener::bind((Ipv4Addr::LOCALHOST, port.number)).expect("it is ours");
        }
    }
}

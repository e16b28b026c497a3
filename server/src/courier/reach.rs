//! The addresses that the server may connect to at the wish of others: those of the public internet, and networks that the
//! operator allows. The check is made on the address of the connection, so a name that leads elsewhere the next time gains
//! nothing.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use tokio::net::TcpStream;

use crate::config::Network;

/// Addresses of one name that are tried.
const TRIED: usize = 4;

/// IPv4 networks that are not public: address and length of the prefix.
const NOT_PUBLIC_4: &[([u8; 4], u32)] = &[
    ([0, 0, 0, 0], 8),       // this network, and unspecified
    ([10, 0, 0, 0], 8),      // private
    ([100, 64, 0, 0], 10),   // shared by the customers of a provider
    ([127, 0, 0, 0], 8),     // loopback
    ([169, 254, 0, 0], 16),  // link-local; metadata of machines in a cloud
    ([172, 16, 0, 0], 12),   // private
    ([192, 0, 0, 0], 24),    // protocol assignments
    ([192, 0, 2, 0], 24),    // documentation
    ([192, 88, 99, 0], 24),  // relays of 6to4
    ([192, 168, 0, 0], 16),  // private
    ([198, 18, 0, 0], 15),   // benchmarks
    ([198, 51, 100, 0], 24), // documentation
    ([203, 0, 113, 0], 24),  // documentation
    ([224, 0, 0, 0], 4),     // multicast
    ([240, 0, 0, 0], 4),     // reserved, and broadcast
];

/// IPv6 networks within the public 2000::/3 that are not public, or that lead to IPv4.
const NOT_PUBLIC_6: &[([u16; 8], u32)] = &[
    ([0x2001, 0, 0, 0, 0, 0, 0, 0], 23), // protocol assignments, Teredo
    ([0x2001, 0xdb8, 0, 0, 0, 0, 0, 0], 32), // documentation
    ([0x2002, 0, 0, 0, 0, 0, 0, 0], 16), // 6to4
    ([0x3fff, 0, 0, 0, 0, 0, 0, 0], 20), // documentation
];

/// Says whether an address is one of the public internet. IPv4 within IPv6 is not.
pub(crate) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            let bits = address.to_bits();
            NOT_PUBLIC_4.iter().all(|(network, prefix)| {
                (bits ^ Ipv4Addr::from(*network).to_bits()) >> (32 - prefix) != 0
            })
        }
        IpAddr::V6(address) => {
            let bits = address.to_bits();
            let is_global = bits >> 125 == 1;
            is_global
                && NOT_PUBLIC_6.iter().all(|(network, prefix)| {
                    (bits ^ Ipv6Addr::from(*network).to_bits()) >> (128 - prefix) != 0
                })
        }
    }
}

/// Says whether the server may connect to an address.
pub(crate) fn may_reach(address: IpAddr, allowed: &[Network]) -> bool {
    is_public(address) || allowed.iter().any(|network| network.contains(address))
}

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoConnection {
    /// The name has no address.
    #[error("the name has no address: {0}")]
    Name(io::Error),
    /// None of the addresses may be reached.
    #[error("{0} is not a public address; allow_private can allow it")]
    Refused(IpAddr),
    /// No address takes a connection.
    #[error("{0}")]
    Connect(io::Error),
}

/// Finds the addresses of a name, and returns those that may be reached.
///
/// # Errors
/// When there is none.
pub(crate) async fn resolve(
    host: &str,
    port: u16,
    allowed: &[Network],
) -> Result<Vec<SocketAddr>, NoConnection> {
    let found = tokio::net::lookup_host((host, port)).await;
    let found: Vec<SocketAddr> = found.map_err(NoConnection::Name)?.collect();
    let reachable = found.iter().filter(|one| may_reach(one.ip(), allowed));
    let reachable: Vec<SocketAddr> = reachable.copied().take(TRIED).collect();
    match (reachable.is_empty(), found.first()) {
        (false, _) => Ok(reachable),
        (true, Some(refused)) => Err(NoConnection::Refused(refused.ip())),
        (true, None) => Err(NoConnection::Name(io::ErrorKind::NotFound.into())),
    }
}

/// Connects to the first of these addresses that takes the connection.
///
/// # Errors
/// When none does, or the connection leads elsewhere.
pub(crate) async fn connect(
    addresses: &[SocketAddr],
    allowed: &[Network],
) -> Result<(TcpStream, SocketAddr), NoConnection> {
    let stream = TcpStream::connect(addresses).await;
    let stream = stream.map_err(NoConnection::Connect)?;
    let peer = stream.peer_addr().map_err(NoConnection::Connect)?;
    match may_reach(peer.ip(), allowed) {
        true => Ok((stream, peer)),
        false => Err(NoConnection::Refused(peer.ip())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(address: &str, allowed: &[&str], expected: bool) {
        let allowed: Vec<Network> = allowed.iter().map(|text| text.parse().unwrap()).collect();
        let found = may_reach(address.parse().unwrap(), &allowed);
        assert_eq!(found, expected, "{address} {allowed:?}");
    }

    #[test]
    fn only_public_addresses_are_reached() {
        for address in [
            "1.1.1.1",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.167.255.255",
            "223.255.255.255",
            "2606:4700::1111",
            "2a00::1",
            "2003::1",
        ] {
            check(address, &[], true);
        }
        for address in [
            "0.0.0.0",
            "0.1.2.3",
            "10.1.2.3",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.9.9.9",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.1",
            "192.0.2.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:1.1.1.1",
            "::ffff:127.0.0.1",
            "64:ff9b::a00:1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "fc00::1",
            "fdff::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            check(address, &[], false);
        }
    }

    #[test]
    fn an_operator_allows_networks() {
        check("10.1.2.3", &["10.1.0.0/16"], true);
        check("10.2.2.3", &["10.1.0.0/16"], false);
        check("::1", &["127.0.0.1"], false);
        check("127.0.0.1", &["127.0.0.1"], true);
        // An address within another one is allowed in the form in which the name has it.
        check("::ffff:127.0.0.1", &["127.0.0.1"], false);
        check("::ffff:127.0.0.1", &["::ffff:127.0.0.1"], true);
    }

    #[tokio::test]
    async fn a_name_of_this_machine_is_refused() {
        for host in ["127.0.0.1", "localhost", "0"] {
            let found = resolve(host, 80, &[]).await;
            assert!(
                matches!(found, Err(NoConnection::Refused(_))),
                "{host}: {found:?}"
            );
        }
        let allowed = ["127.0.0.0/8".parse().unwrap()];
        let found = resolve("127.0.0.1", 80, &allowed).await.unwrap();
        assert_eq!(found, [SocketAddr::from(([127, 0, 0, 1], 80))]);
    }
}

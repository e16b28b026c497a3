//! The addresses that a request may go to: those of the public internet, and networks that the operator allows.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{Ipv4Net, Ipv6Net};

use tilewire_config::ip_network::Network;

/// IPv4 networks that are not public.
const NOT_PUBLIC_4: [Ipv4Net; 17] = [
    v4([0, 0, 0, 0], 8),       // this network, and unspecified
    v4([10, 0, 0, 0], 8),      // private
    v4([100, 64, 0, 0], 10),   // shared by the customers of a provider
    v4([127, 0, 0, 0], 8),     // loopback
    v4([169, 254, 0, 0], 16),  // link-local; metadata of machines in a cloud
    v4([172, 16, 0, 0], 12),   // private
    v4([192, 0, 0, 0], 24),    // protocol assignments
    v4([192, 0, 2, 0], 24),    // documentation
    v4([192, 31, 196, 0], 24), // answers about private addresses
    v4([192, 52, 193, 0], 24), // tunnels of multicast
    v4([192, 88, 99, 0], 24),  // relays of 6to4
    v4([192, 168, 0, 0], 16),  // private
    v4([198, 18, 0, 0], 15),   // benchmarks
    v4([198, 51, 100, 0], 24), // documentation
    v4([203, 0, 113, 0], 24),  // documentation
    v4([224, 0, 0, 0], 4),     // multicast
    v4([240, 0, 0, 0], 4),     // reserved, and broadcast
];

/// The IPv6 addresses that are given to networks of the internet. Those that contain an IPv4 address, such as mapped and
/// translated ones (NAT64), are outside.
const GLOBAL: Ipv6Net = v6([0x2000, 0], 3);

/// IPv6 networks within [`GLOBAL`] that are not public, or that lead to IPv4.
const NOT_PUBLIC_6: [Ipv6Net; 4] = [
    v6([0x2001, 0], 23),     // protocol assignments, Teredo
    v6([0x2001, 0xdb8], 32), // documentation
    v6([0x2002, 0], 16),     // 6to4
    v6([0x3fff, 0], 20),     // documentation
];

const fn v4(start: [u8; 4], length: u8) -> Ipv4Net {
    let [a, b, c, d] = start;
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), length)
}

const fn v6(start: [u16; 2], length: u8) -> Ipv6Net {
    let [a, b] = start;
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, 0, 0, 0, 0, 0, 0), length)
}

/// Where requests may go.
#[derive(Debug, Clone)]
pub struct Reach {
    /// Networks that are not public and that may be reached all the same.
    pub allowed: Vec<Network>,
    /// Whether a port may be another one than the usual one: an operator may name any, a stranger may not.
    pub any_port: bool,
}

impl Reach {
    /// Says whether a request may go to an address.
    pub(super) fn has(&self, address: IpAddr) -> bool {
        is_public(address) || self.allowed.iter().any(|network| network.contains(address))
    }
}

/// Says whether an address is one of the public internet. IPv4 within IPv6 is not.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !NOT_PUBLIC_4
            .iter()
            .any(|network| network.contains(&address)),
        IpAddr::V6(address) => {
            let mut others = NOT_PUBLIC_6.iter();
            GLOBAL.contains(&address) && !others.any(|network| network.contains(&address))
        }
    }
}

#[cfg(test)]
mod tests {
    use ipnet::IpNet;

    use super::*;

    #[track_caller]
    fn check(address: &str, allowed: &[&str], expected: bool) {
        let networks = allowed.iter().map(|text| text.parse().unwrap());
        let reach = Reach {
            allowed: networks.collect(),
            any_port: false,
        };
        let found = reach.has(address.parse().unwrap());
        assert_eq!(found, expected, "{address} {allowed:?}");
    }

    #[test]
    fn public_addresses_are_reached() {
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
            "2003::1",
            "2606:4700::1111",
            "2a00:1450:4001:800::200e",
        ] {
            check(address, &[], true);
        }
    }

    #[test]
    fn other_addresses_are_not() {
        for address in [
            "0.0.0.0",
            "0.1.2.3",
            "10.1.2.3",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.254",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.31.196.1",
            "192.52.193.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "239.255.255.250",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "::ffff:1.1.1.1",
            "::ffff:127.0.0.1",
            "64:ff9b::8.8.8.8",
            "64:ff9b::10.0.0.1",
            "64:ff9b:1::1",
            "100::1",
            "1fff::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::1",
            "3fff::1",
            "4000::1",
            "5f00::1",
            "fc00::1",
            "fd12:3456::1",
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
        check("1.1.1.1", &["10.1.0.0/16"], true);
        check("127.0.0.1", &["127.0.0.1"], true);
        check("::1", &["127.0.0.1"], false);
        // An address within another one is allowed in the form in which the name has it.
        check("::ffff:127.0.0.1", &["127.0.0.1"], false);
        check("::ffff:127.0.0.1", &["::ffff:127.0.0.1"], true);
        check("64:ff9b::8.8.8.8", &["64:ff9b::/96"], true);
    }

    /// The tables hold whole networks: a start with bits behind the length would be a mistyped row.
    #[test]
    fn every_network_begins_at_its_start() {
        let v4 = NOT_PUBLIC_4.into_iter().map(IpNet::from);
        let v6 = NOT_PUBLIC_6.into_iter().chain([GLOBAL]).map(IpNet::from);
        for network in v4.chain(v6) {
            assert_eq!(network, network.trunc());
        }
    }
}

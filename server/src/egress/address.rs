//! The addresses that belong to nobody's own network.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{Ipv4Net, Ipv6Net};

use crate::config::Network;

/// IPv4 networks that are not the public Internet (IANA, special-purpose addresses), with multicast.
const NOT_PUBLIC: [Ipv4Net; 16] = [
    v4([0, 0, 0, 0], 8),
    v4([10, 0, 0, 0], 8),
    v4([100, 64, 0, 0], 10),
    v4([127, 0, 0, 0], 8),
    v4([169, 254, 0, 0], 16),
    v4([172, 16, 0, 0], 12),
    v4([192, 0, 0, 0], 24),
    v4([192, 0, 2, 0], 24),
    v4([192, 31, 196, 0], 24),
    v4([192, 52, 193, 0], 24),
    v4([192, 88, 99, 0], 24),
    v4([192, 168, 0, 0], 16),
    v4([198, 18, 0, 0], 15),
    v4([198, 51, 100, 0], 24),
    v4([203, 0, 113, 0], 24),
    // Multicast, and what is reserved above it with the broadcast address.
    v4([224, 0, 0, 0], 3),
];

/// The IPv6 addresses that are given to networks of the Internet.
const GLOBAL: Ipv6Net = v6([0x2000, 0, 0], 3);

/// Parts of [`GLOBAL`] that are not the public Internet. 6to4 and Teredo contain IPv4 addresses.
const NOT_GLOBAL: [Ipv6Net; 4] = [
    v6([0x2001, 0, 0], 23),
    v6([0x2001, 0x0db8, 0], 32),
    v6([0x2002, 0, 0], 16),
    v6([0x3fff, 0, 0], 20),
];

/// Translated IPv4 addresses (NAT64): on a network without IPv4 the whole IPv4 Internet is there.
const TRANSLATED: Ipv6Net = v6([0x0064, 0xff9b, 0], 96);

const fn v4(start: [u8; 4], length: u8) -> Ipv4Net {
    let [a, b, c, d] = start;
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), length)
}

const fn v6(start: [u16; 3], length: u8) -> Ipv6Net {
    let [a, b, c] = start;
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0), length)
}

/// Says whether an address is on the public Internet: not private, not of the machine or the link, not multicast, not
/// reserved, and no IPv4 address in the clothes of IPv6, unless that one is public.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !NOT_PUBLIC.iter().any(|net| net.contains(&address)),
        IpAddr::V6(address) if TRANSLATED.contains(&address) => {
            let [.., a, b, c, d] = address.octets();
            is_public(IpAddr::V4(Ipv4Addr::new(a, b, c, d)))
        }
        IpAddr::V6(address) => {
            GLOBAL.contains(&address) && !NOT_GLOBAL.iter().any(|net| net.contains(&address))
        }
    }
}

/// Says whether a request may go to an address: it is public, or in a network that the operator allows.
pub(crate) fn may_reach(address: IpAddr, allowed: &[Network]) -> bool {
    is_public(address) || allowed.iter().any(|network| network.contains(address))
}

#[cfg(test)]
mod tests {
    use ipnet::IpNet;

    use super::*;

    #[track_caller]
    fn check(address: &str, expected: bool) {
        assert_eq!(is_public(address.parse().unwrap()), expected, "{address}");
    }

    #[test]
    fn addresses_of_the_internet_are_public() {
        for address in [
            "1.1.1.1",
            "8.8.8.8",
            "100.63.255.255",
            "100.128.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.167.255.255",
            "223.255.255.255",
            "2606:4700:4700::1111",
            "2a00:1450:4001:800::200e",
            "64:ff9b::8.8.8.8",
        ] {
            check(address, true);
        }
    }

    #[test]
    fn addresses_of_own_networks_are_not() {
        for address in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "100.64.0.1",
            "127.0.0.1",
            "127.255.255.254",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "239.255.255.250",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:8.8.8.8",
            "::8.8.8.8",
            "64:ff9b::10.0.0.1",
            "64:ff9b::127.0.0.1",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::1",
            "3fff::1",
            "5f00::1",
            "fc00::1",
            "fd12:3456::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            check(address, false);
        }
    }

    #[test]
    fn an_operator_allows_networks() {
        let allowed: [Network; 1] = ["10.1.0.0/16".parse().unwrap()];
        for (address, expected) in [("10.1.2.3", true), ("10.2.2.3", false), ("1.1.1.1", true)] {
            let found = may_reach(address.parse().unwrap(), &allowed);
            assert_eq!(found, expected, "{address}");
        }
    }

    /// The tables hold whole networks: a start with bits behind the length would be a mistyped row.
    #[test]
    fn every_network_begins_at_its_start() {
        let v4 = NOT_PUBLIC.into_iter().map(IpNet::from);
        let v6 = NOT_GLOBAL.into_iter().chain([GLOBAL, TRANSLATED]);
        for net in v4.chain(v6.map(IpNet::from)) {
            assert_eq!(net, net.trunc());
        }
    }
}

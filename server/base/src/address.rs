//! The addresses and networks that a client's limits are counted for.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

/// The unit that limits count: an IPv4 address, or the first 64 bits of an IPv6 address. A household gets 64 bits, and can
/// choose the rest of its addresses itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClientAddress(IpAddr);

impl fmt::Display for ClientAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)?;
        if self.0.is_ipv6() {
            f.write_str("/64")?;
        }
        Ok(())
    }
}

impl ClientAddress {
    /// Returns the address; of IPv6, its first 64 bits.
    #[must_use]
    pub const fn ip(self) -> IpAddr {
        self.0
    }
}

impl From<IpAddr> for ClientAddress {
    fn from(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V4(address) => address.into(),
            IpAddr::V6(address) => {
                let network = address.to_bits() & !u128::from(u64::MAX);
                Ipv6Addr::from_bits(network).into()
            }
        })
    }
}

/// The networks of IPv6 that are counted beside the first 64 bits, and how many times the limit of an address each has.
/// A customer of a provider often gets 56 bits and a company 48, so 64 bits alone would be no limit.
const WIDER_NETWORKS: [(u32, usize); 2] = [(56, 2), (48, 4)];

/// A network that limits count as one: an IPv4 address, or the first 64, 56 or 48 bits of an IPv6 address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClientNetwork {
    address: ClientAddress,
    bits: u32,
}

impl ClientAddress {
    /// Returns the widest network that counts this client: lists show its clients fairly.
    pub fn widest_network(self) -> ClientNetwork {
        let own = ClientNetwork {
            address: self,
            bits: 0,
        };
        self.networks().last().map_or(own, |(network, _)| network)
    }

    /// Returns the networks that count this client, the smallest first, and how many times the limit of an address each
    /// has.
    pub fn networks(self) -> impl Iterator<Item = (ClientNetwork, usize)> {
        let own = ClientNetwork {
            address: self,
            bits: if self.0.is_ipv6() { 64 } else { 32 },
        };
        let wider = WIDER_NETWORKS.into_iter().filter_map(move |(bits, times)| {
            let IpAddr::V6(address) = self.0 else {
                return None;
            };
            let address = Ipv6Addr::from_bits(address.to_bits() & !(u128::MAX >> bits));
            let address = Self(address.into());
            Some((ClientNetwork { address, bits }, times))
        });
        std::iter::once((own, 1)).chain(wider)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ipv6_client_counts_for_three_networks() {
        let networks = |text: &str| {
            let address = ClientAddress::from(text.parse::<IpAddr>().unwrap());
            address.networks().collect::<Vec<_>>()
        };
        let first = networks("2001:db8:0:1::1");
        assert_eq!(
            first.iter().map(|(_, times)| *times).collect::<Vec<_>>(),
            [1, 2, 4]
        );
        for (other, shared) in [
            ("2001:db8:0:1::2", 3),
            ("2001:db8:0:2::1", 2),
            ("2001:db8:0:100::1", 1),
            ("2001:db8:1::1", 0),
        ] {
            let others = networks(other);
            let both = first.iter().filter(|network| others.contains(network));
            assert_eq!(both.count(), shared, "{other}");
        }
        assert_eq!(networks("192.0.2.1").len(), 1);
        assert_ne!(networks("192.0.2.1"), networks("192.0.2.2"));
    }

    #[test]
    fn one_household_is_one_address() {
        let address = |text: &str| ClientAddress::from(text.parse::<IpAddr>().unwrap());
        assert_eq!(address("2001:db8:0:1::1"), address("2001:db8:0:1:ffff::2"));
        assert_ne!(address("2001:db8:0:1::1"), address("2001:db8:0:2::1"));
        assert_eq!(address("::ffff:192.0.2.1"), address("192.0.2.1"));
        assert_ne!(address("192.0.2.1"), address("192.0.2.2"));
        assert_eq!(address("2001:db8:0:1::1").to_string(), "2001:db8:0:1::/64");
        assert_eq!(address("192.0.2.1").to_string(), "192.0.2.1");
    }
}

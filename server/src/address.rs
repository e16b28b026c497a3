//! The address that a client's limits are counted for.

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

#[cfg(test)]
mod tests {
    use super::*;

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

//! Networks of addresses, as operators write them.

use std::net::IpAddr;
use std::str::FromStr;

use ipnet::IpNet;
use serde::Serialize;

/// One address or all addresses with a prefix, such as `10.0.0.0/8`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Network(IpNet);

impl Network {
    /// Says whether the network contains an address.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.contains(&address)
    }
}

/// The text is not a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("neither an address nor a network such as 10.0.0.0/8")]
pub struct NoNetwork;

impl FromStr for Network {
    type Err = NoNetwork;

    fn from_str(text: &str) -> Result<Self, NoNetwork> {
        let network = text.parse::<IpAddr>().map(IpNet::from);
        network
            .or_else(|_| text.parse::<IpNet>())
            .map(Self)
            .map_err(|_| NoNetwork)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_are_addresses_or_prefixes() {
        let holds = |network: &str, address: &str| {
            let network: Network = network.parse().unwrap();
            network.contains(address.parse().unwrap())
        };
        assert!(holds("10.0.0.0/8", "10.9.8.7"));
        assert!(!holds("10.0.0.0/8", "11.0.0.1"));
        assert!(holds("192.0.2.1", "192.0.2.1"));
        assert!(!holds("192.0.2.1", "192.0.2.2"));
        assert!(holds("2001:db8::/32", "2001:db8::1"));
        assert_eq!("10.0.0.0/40".parse::<Network>(), Err(NoNetwork));
        assert_eq!("proxy.example".parse::<Network>(), Err(NoNetwork));
    }
}

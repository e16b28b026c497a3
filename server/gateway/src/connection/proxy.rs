//! The address of a client behind a trusted proxy.

use std::net::IpAddr;

use axum::http::header::FORWARDED;
use axum::http::{HeaderMap, HeaderName};

use tilewire_config::{HttpConfig, Network, ProxyHeader};

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Says whether an address is a trusted proxy's.
pub(super) fn is_proxy(config: &HttpConfig, address: IpAddr) -> bool {
    holds(&config.trusted_proxies.0, address)
}

/// Returns the address of the client for whom a trusted proxy asks.
///
/// The server reads the proxies' header from its end, where the last proxy wrote. The first address that is not a trusted
/// proxy's is the client's. The client may have written everything before it, so the server ignores that.
pub(super) fn client_of(config: &HttpConfig, proxy: IpAddr, headers: &HeaderMap) -> IpAddr {
    let mut client = proxy;
    for hop in hops(config.proxy_header, headers).iter().rev() {
        match hop {
            Some(address) => client = *address,
            // The proxy does not name its client; the limits count the proxy.
            None => break,
        }
        if !is_proxy(config, client) {
            break;
        }
    }
    client
}

fn holds(networks: &[Network], address: IpAddr) -> bool {
    let address = address.to_canonical();
    networks.iter().any(|network| network.contains(address))
}

/// Returns the addresses in the header, in order; `None` for an entry that is not an address.
fn hops(header: ProxyHeader, headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    let name = match header {
        ProxyHeader::XForwardedFor => X_FORWARDED_FOR,
        ProxyHeader::Forwarded => FORWARDED,
    };
    let values = headers.get_all(name);
    let entries = values
        .iter()
        .flat_map(|value| value.to_str().unwrap_or("?").split(','));
    entries
        .map(|entry| match header {
            ProxyHeader::XForwardedFor => node(entry.trim()),
            ProxyHeader::Forwarded => forwarded_for(entry),
        })
        .collect()
}

/// Reads the `for` of one element of `Forwarded`: `for=192.0.2.1;proto=https`, `for="[2001:db8::1]:4711"`.
fn forwarded_for(element: &str) -> Option<IpAddr> {
    element.split(';').find_map(|pair| {
        let (name, value) = pair.split_once('=')?;
        let is_for = name.trim().eq_ignore_ascii_case("for");
        is_for.then(|| node(value.trim().trim_matches('"')))?
    })
}

/// Reads an address, with or without brackets and port.
fn node(text: &str) -> Option<IpAddr> {
    let address = text.parse::<IpAddr>();
    let address = address.or_else(|_| {
        text.parse()
            .map(|with_port: std::net::SocketAddr| with_port.ip())
    });
    let bracketed = || text.strip_prefix('[')?.strip_suffix(']')?.parse().ok();
    let address = address.ok().or_else(bracketed)?;
    Some(address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(header: ProxyHeader, lines: &[&str]) -> String {
        let config = HttpConfig {
            trusted_proxies: tilewire_config::List(vec![
                "10.0.0.0/8".parse().unwrap(),
                "2001:db8:1::/48".parse().unwrap(),
            ]),
            proxy_header: header,
            ..HttpConfig::default()
        };
        let mut headers = HeaderMap::new();
        for line in lines {
            let (name, value) = line.split_once(": ").unwrap();
            headers.append(HeaderName::try_from(name).unwrap(), value.parse().unwrap());
        }
        client_of(&config, "10.0.0.1".parse().unwrap(), &headers).to_string()
    }

    #[test]
    fn the_last_untrusted_address_counts() {
        let client = |lines: &[&str]| client(ProxyHeader::XForwardedFor, lines);
        assert_eq!(client(&[]), "10.0.0.1");
        assert_eq!(client(&["x-forwarded-for: 192.0.2.7"]), "192.0.2.7");
        // The client wrote the first entry.
        let faked = "x-forwarded-for: 198.51.100.1, 192.0.2.7, 10.2.2.2";
        assert_eq!(client(&[faked]), "192.0.2.7");
        let lines = [
            "x-forwarded-for: 198.51.100.1",
            "x-forwarded-for: 192.0.2.7:4711",
        ];
        assert_eq!(client(&lines), "192.0.2.7");
        assert_eq!(
            client(&["x-forwarded-for: [2001:db8::7]:80"]),
            "2001:db8::7"
        );
        assert_eq!(client(&["x-forwarded-for: 10.3.3.3"]), "10.3.3.3");
        // Entries before one that is not an address are ignored.
        assert_eq!(client(&["x-forwarded-for: 192.0.2.7, unknown"]), "10.0.0.1");
        assert_eq!(
            client(&["x-forwarded-for: 192.0.2.7, , 10.4.4.4"]),
            "10.4.4.4"
        );
        // The client wrote the other header.
        assert_eq!(client(&["forwarded: for=192.0.2.7"]), "10.0.0.1");
    }

    #[test]
    fn the_standard_header_is_read_when_it_is_chosen() {
        let client = |lines: &[&str]| client(ProxyHeader::Forwarded, lines);
        assert_eq!(
            client(&["forwarded: For=\"[2001:db8::7]:47\";proto=https"]),
            "2001:db8::7"
        );
        let hops = "forwarded: for=192.0.2.7, for=10.1.1.1;by=10.0.0.1";
        assert_eq!(client(&[hops]), "192.0.2.7");
        assert_eq!(client(&["forwarded: for=_hidden"]), "10.0.0.1");
        assert_eq!(client(&["x-forwarded-for: 192.0.2.7"]), "10.0.0.1");
    }
}

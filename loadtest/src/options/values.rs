//! The values that flags take: times, shares, addresses and bot levels.

use std::net::Ipv6Addr;
use std::time::Duration;

use serde::Serializer;
use tilewire_rules::bot::BotLevel;

/// Parses a time in seconds, such as `0.5`.
///
/// # Errors
/// When it is not a number, or longer than a day.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected seconds")?;
    if !(0.0..=86_400.0).contains(&seconds) {
        return Err("expected 0 to 86400 seconds".to_owned());
    }
    Ok(Duration::from_secs_f64(seconds))
}

/// Parses a time in milliseconds, such as `2000` or `12.5`.
///
/// # Errors
/// When it is not a number, or longer than a day.
pub fn millis(text: &str) -> Result<Duration, String> {
    let millis: f64 = text.parse().map_err(|_| "expected milliseconds")?;
    if !(0.0..=86_400_000.0).contains(&millis) {
        return Err("expected 0 to 86400000 milliseconds".to_owned());
    }
    Ok(Duration::from_secs_f64(millis / 1_000.0))
}

/// Writes a time as milliseconds.
pub fn in_millis<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
    if time.subsec_nanos().is_multiple_of(1_000_000) {
        return to.serialize_u128(time.as_millis());
    }
    to.serialize_f64(time.as_secs_f64() * 1_000.0)
}

/// Parses a server address, `ADDR:PORT`, `ws://ADDR:PORT` or `ws://ADDR:PORT/ws`, and returns `ADDR:PORT`.
///
/// # Errors
/// When it has another form.
pub fn address(text: &str) -> Result<String, String> {
    let expected = || "expected ADDR:PORT or ws://ADDR:PORT/ws; TLS is not supported".to_owned();
    let address = match text.strip_prefix("ws://") {
        Some(rest) => rest.strip_suffix("/ws").unwrap_or(rest),
        None => text,
    };
    let (host, port) = address.rsplit_once(':').ok_or_else(expected)?;
    let is_port = port.parse::<u16>().is_ok_and(|port| port > 0) && !port.starts_with('+');
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let is_host = match host
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
    {
        Some(host) => host.parse::<Ipv6Addr>().is_ok(),
        None => !host.is_empty() && host.chars().all(is_name),
    };
    if is_port && is_host {
        Ok(address.to_owned())
    } else {
        Err(expected())
    }
}

/// Parses a share, such as `0.05`.
///
/// # Errors
/// When it is not from 0 to 1.
pub fn share(text: &str) -> Result<f64, String> {
    let share: f64 = text.parse().map_err(|_| "expected a number")?;
    if (0.0..=1.0).contains(&share) {
        Ok(share)
    } else {
        Err("expected 0 to 1".to_owned())
    }
}

/// Serializes bot levels by name.
pub mod level_name {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use tilewire_rules::bot::BotLevel;

    /// Writes the name.
    pub fn serialize<S: Serializer>(level: &BotLevel, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(level.name())
    }

    /// Reads the name.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BotLevel, D::Error> {
        super::level(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// Parses a bot level.
///
/// # Errors
/// When the level does not exist.
pub fn level(text: &str) -> Result<BotLevel, String> {
    text.parse().map_err(|error| format!("{error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_named_by_its_address() {
        let check = |text: &str, wanted: Option<&str>| {
            assert_eq!(address(text).ok().as_deref(), wanted, "{text}");
        };
        for host in [
            "127.0.0.1:7780",
            "localhost:1",
            "a-b.example.org:80",
            "[::1]:7780",
        ] {
            check(host, Some(host));
            check(&format!("ws://{host}"), Some(host));
            check(&format!("ws://{host}/ws"), Some(host));
            for wrong in ["wss://", "http://", "ws:", "//", "user@"] {
                check(&format!("{wrong}{host}"), None);
            }
            for wrong in ["/", "/ws/", "/play", "/ws?x=1", "?x=1", "00000"] {
                check(&format!("ws://{host}{wrong}"), None);
            }
            check(&format!("{host}/ws"), None);
        }
        for wrong in [
            "",
            "localhost",
            "127.0.0.1:",
            ":7780",
            "::1:7780",
            "[::1]",
            "a:0",
            "a:+1",
        ] {
            check(wrong, None);
        }
    }

    #[test]
    fn milliseconds_may_have_parts() {
        let check = |text: &str, wanted: Option<u64>| {
            let wanted = wanted.map(Duration::from_micros);
            assert_eq!(millis(text).ok(), wanted, "{text}");
        };
        check("2000", Some(2_000_000));
        check("12.5", Some(12_500));
        check("0", Some(0));
        for wrong in ["", "-1", "2s", "1e12", "NaN"] {
            check(wrong, None);
        }
        let written =
            |text: &str| in_millis(&millis(text).expect(text), serde_json::value::Serializer);
        assert_eq!(written("2000").ok(), Some(serde_json::json!(2_000)));
        assert_eq!(written("12.5").ok(), Some(serde_json::json!(12.5)));
    }
}

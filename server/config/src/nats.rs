//! The address of a NATS server, and the name of a cluster at NATS.

use async_nats::ServerAddr;

/// Reads the URL of a server: `tls://user@host:port` or `nats://user@host:port`.
///
/// # Errors
/// When it is none; the text never has its password.
pub fn address(url: &str) -> Result<ServerAddr, &'static str> {
    url.parse()
        .map_err(|_| "a NATS server has a URL such as tls://user@host:4222")
}

/// Checks the name of a cluster, which is a part of the subjects of its nodes.
///
/// # Errors
/// When it has other characters, or none.
pub fn check_name(name: &str) -> Result<(), &'static str> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    match !name.is_empty() && name.bytes().all(is_plain) {
        true => Ok(()),
        false => Err("the name of a cluster consists of letters, digits, `-` and `_`"),
    }
}

//! The address of a program, as an operator or a stranger has written it.

use std::fmt;
use std::str::FromStr;

use axum::http::Uri;
use axum::http::uri::PathAndQuery;
use rustls::pki_types::{InvalidDnsNameError, ServerName};

/// How a program is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// With TLS.
    Https,
    /// Without.
    Http,
}

impl Scheme {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Https, Self::Http];

    const fn text(self) -> &'static str {
        match self {
            Self::Https => "https",
            Self::Http => "http",
        }
    }

    const fn usual_port(self) -> u16 {
        match self {
            Self::Https => 443,
            Self::Http => 80,
        }
    }
}

/// An address `https://…`, or `http://…` where that is allowed. `Debug` shows the server only: a path can be a secret.
#[derive(Clone, PartialEq, Eq)]
pub struct Target {
    scheme: Scheme,
    host: String,
    port: u16,
    path: PathAndQuery,
}

/// Why a text is no target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoTarget {
    /// It is no absolute address.
    #[error("is not written https://HOST/PATH")]
    Unreadable,
    /// The scheme is another one.
    #[error("must begin with https://")]
    OtherScheme,
    /// It has a user name or a password.
    #[error("must have no user and no password")]
    HasUser,
}

impl Target {
    /// Reads an address with one of these schemes.
    ///
    /// # Errors
    /// Says why it is none.
    pub fn read(text: &str, schemes: &[Scheme]) -> Result<Self, NoTarget> {
        let uri: Uri = text.parse().map_err(|_| NoTarget::Unreadable)?;
        let authority = uri.authority().ok_or(NoTarget::Unreadable)?;
        let mut known = schemes.iter();
        let scheme = known.find(|scheme| uri.scheme_str() == Some(scheme.text()));
        let scheme = *scheme.ok_or(NoTarget::OtherScheme)?;
        if authority.as_str().contains('@') {
            return Err(NoTarget::HasUser);
        }
        let port = match authority.as_str().strip_prefix(authority.host()) {
            Some("") => scheme.usual_port(),
            // A port that is no number is none.
            _ => authority.port_u16().ok_or(NoTarget::Unreadable)?,
        };
        let host = authority.host().to_ascii_lowercase();
        if host.is_empty() || port == 0 {
            return Err(NoTarget::Unreadable);
        }
        let path = uri.path_and_query().cloned();
        Ok(Self {
            scheme,
            host,
            port,
            path: path.unwrap_or_else(|| PathAndQuery::from_static("/")),
        })
    }

    /// Returns the server with its port, as a name: what failures of one server are counted under.
    pub fn server(&self) -> String {
        format!("{}:{}", self.host, self.port)
    }

    /// Returns the server as requests name it: without the usual port.
    pub fn authority(&self) -> String {
        match self.has_usual_port() {
            true => self.host.clone(),
            false => self.server(),
        }
    }

    /// Returns the origin in the form of RFC 6454: without the usual port.
    pub fn origin(&self) -> String {
        format!("{}://{}", self.scheme.text(), self.authority())
    }

    /// Returns the name or address of the server, an IPv6 address without brackets.
    pub fn bare_host(&self) -> &str {
        self.host.trim_matches(['[', ']'])
    }

    /// Returns the name that the certificate of the server must have.
    ///
    /// # Errors
    /// When no certificate could have it.
    pub fn server_name(&self) -> Result<ServerName<'static>, InvalidDnsNameError> {
        ServerName::try_from(self.bare_host().to_owned())
    }

    /// Returns the port.
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// Says whether the port is the usual one of the scheme.
    pub const fn has_usual_port(&self) -> bool {
        self.port == self.scheme.usual_port()
    }

    /// Says whether the server is spoken to with TLS.
    pub const fn is_https(&self) -> bool {
        matches!(self.scheme, Scheme::Https)
    }

    /// Returns the path with the query.
    pub const fn path(&self) -> &PathAndQuery {
        &self.path
    }
}

/// Reads an address with TLS.
impl FromStr for Target {
    type Err = NoTarget;

    fn from_str(text: &str) -> Result<Self, NoTarget> {
        Self::read(text, &[Scheme::Https])
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Target").field(&self.server()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, schemes: &[Scheme], expected: Result<(&str, &str, &str), NoTarget>) {
        let read = Target::read(text, schemes);
        let found = read.map(|read| (read.server(), read.origin(), read.path().to_string()));
        let expected = expected
            .map(|(server, origin, path)| (server.to_owned(), origin.to_owned(), path.to_owned()));
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn a_target_is_an_address_with_one_of_the_schemes() {
        for (text, server, origin, path) in [
            (
                "https://Push.Example/send/abc?x=1",
                "push.example:443",
                "https://push.example",
                "/send/abc?x=1",
            ),
            (
                "https://push.example:443",
                "push.example:443",
                "https://push.example",
                "/",
            ),
            (
                "https://push.example:80/a",
                "push.example:80",
                "https://push.example:80",
                "/a",
            ),
            (
                "https://[2606:4700::1]/a",
                "[2606:4700::1]:443",
                "https://[2606:4700::1]",
                "/a",
            ),
        ] {
            check(text, &[Scheme::Https], Ok((server, origin, path)));
            check(text, &Scheme::ALL, Ok((server, origin, path)));
            check(text, &[Scheme::Http], Err(NoTarget::OtherScheme));
        }
        for (text, server, origin, path) in [
            (
                "http://10.0.0.1:8080/a?b=c",
                "10.0.0.1:8080",
                "http://10.0.0.1:8080",
                "/a?b=c",
            ),
            ("http://shop/", "shop:80", "http://shop", "/"),
        ] {
            check(text, &Scheme::ALL, Ok((server, origin, path)));
            check(text, &[Scheme::Https], Err(NoTarget::OtherScheme));
        }
    }

    #[test]
    fn other_texts_are_refused() {
        check(
            "ftp://push.example/a",
            &Scheme::ALL,
            Err(NoTarget::OtherScheme),
        );
        for text in ["https://me@push.example/a", "http://me:secret@shop/a"] {
            check(text, &Scheme::ALL, Err(NoTarget::HasUser));
        }
        for text in [
            "",
            "push.example/a",
            "/a",
            "https://",
            "https:///a",
            "https://push.example:0/a",
            "https://push.example:99999/a",
            "https://push.example/ä b",
            "https://push.example/a\r\nX: y",
        ] {
            check(text, &Scheme::ALL, Err(NoTarget::Unreadable));
        }
    }

    #[test]
    fn a_log_shows_the_server_only() {
        let target: Target = "https://push.example/secret".parse().unwrap();
        assert_eq!(format!("{target:?}"), "Target(\"push.example:443\")");
    }
}

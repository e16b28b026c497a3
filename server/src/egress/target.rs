//! The address of a server as a stranger has written it.

use std::fmt;
use std::str::FromStr;

use axum::http::Uri;

/// The usual port of `https`.
const HTTPS_PORT: u16 = 443;

/// An `https` address. `Debug` shows the server only: the path of a push subscription is a secret.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Target {
    uri: Uri,
    host: String,
    port: u16,
}

/// Why a text is no target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoTarget {
    /// It is no absolute address.
    #[error("is not an address such as https://push.example/abc")]
    Unreadable,
    /// The scheme is another one.
    #[error("must begin with https://")]
    NotHttps,
    /// It has a user name or a password.
    #[error("must have no user and no password")]
    HasUser,
}

impl Target {
    /// Returns the server with its port, as a name: what failures of one server are counted under.
    pub(crate) fn server(&self) -> String {
        format!("{}:{}", self.host, self.port)
    }

    /// Returns the origin in the form of RFC 6454: without the usual port.
    pub(crate) fn origin(&self) -> String {
        match self.port {
            HTTPS_PORT => format!("https://{}", self.host),
            port => format!("https://{}:{port}", self.host),
        }
    }

    /// Returns the name or address of the server, an IPv6 address in brackets.
    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    /// Returns the port.
    pub(crate) const fn port(&self) -> u16 {
        self.port
    }

    /// Says whether the port is the usual one.
    pub(crate) const fn has_usual_port(&self) -> bool {
        self.port == HTTPS_PORT
    }

    /// Returns the path with the query.
    pub(crate) fn path(&self) -> &str {
        self.uri.path_and_query().map_or("/", |path| path.as_str())
    }
}

impl FromStr for Target {
    type Err = NoTarget;

    fn from_str(text: &str) -> Result<Self, NoTarget> {
        let uri: Uri = text.parse().map_err(|_| NoTarget::Unreadable)?;
        let authority = uri.authority().ok_or(NoTarget::Unreadable)?;
        if uri.scheme_str() != Some("https") {
            return Err(NoTarget::NotHttps);
        }
        if authority.as_str().contains('@') {
            return Err(NoTarget::HasUser);
        }
        let port = match authority.as_str().strip_prefix(authority.host()) {
            Some("") => HTTPS_PORT,
            // A port that is no number is none.
            _ => authority.port_u16().ok_or(NoTarget::Unreadable)?,
        };
        let host = authority.host().to_ascii_lowercase();
        if host.is_empty() || port == 0 {
            return Err(NoTarget::Unreadable);
        }
        Ok(Self { uri, host, port })
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
    fn check(text: &str, expected: Result<(&str, &str, &str), NoTarget>) {
        let read = text.parse::<Target>();
        let read = read.as_ref().map_err(|error| *error);
        let found = read.map(|target| (target.server(), target.origin(), target.path().to_owned()));
        let expected = expected
            .map(|(server, origin, path)| (server.to_owned(), origin.to_owned(), path.to_owned()));
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn a_target_is_an_https_address() {
        check(
            "https://Push.Example/send/abc?x=1",
            Ok(("push.example:443", "https://push.example", "/send/abc?x=1")),
        );
        check(
            "https://push.example:443",
            Ok(("push.example:443", "https://push.example", "/")),
        );
        check(
            "https://push.example:8443/a",
            Ok(("push.example:8443", "https://push.example:8443", "/a")),
        );
        check(
            "https://[2606:4700::1]/a",
            Ok(("[2606:4700::1]:443", "https://[2606:4700::1]", "/a")),
        );
        check("http://push.example/a", Err(NoTarget::NotHttps));
        check("ftp://push.example/a", Err(NoTarget::NotHttps));
        check("https://me@push.example/a", Err(NoTarget::HasUser));
        check("https://me:secret@push.example/a", Err(NoTarget::HasUser));
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
            check(text, Err(NoTarget::Unreadable));
        }
    }

    #[test]
    fn a_log_shows_the_server_only() {
        let target: Target = "https://push.example/secret".parse().unwrap();
        assert_eq!(format!("{target:?}"), "Target(\"push.example:443\")");
    }
}

//! Settings of the players' listener that are not numbers: files, names and addresses.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use axum::http::Uri;
use serde::de::{self, Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};

use crate::ip_network::Network;

use tilewire_rules::quoted::quoted;

/// The certificate of the players' listener: both files, or neither for a listener without TLS.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TlsConfig {
    /// A PEM file: the server's certificate and its chain.
    pub certificate: PathBuf,
    /// A PEM file: the certificate's private key.
    pub key: PathBuf,
}

impl TlsConfig {
    /// Says whether the players' listener speaks TLS.
    #[must_use]
    pub fn is_on(&self) -> bool {
        !self.certificate.as_os_str().is_empty()
    }
}

/// The origins and proxies that the players' listener trusts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HttpConfig {
    /// Web sites whose pages may connect, in addition to pages of the server's own address.
    pub allowed_origins: List<AllowedOrigin>,
    /// Proxies that may name the client's address.
    pub trusted_proxies: List<Network>,
    /// The header in which they name it.
    pub proxy_header: ProxyHeader,
}

/// The header in which a trusted proxy names its client. Only one is read: a proxy that writes one of them passes the
/// other on as the client sent it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProxyHeader {
    /// `X-Forwarded-For`, which nearly every proxy writes.
    #[default]
    XForwardedFor,
    /// `Forwarded` (RFC 7239).
    Forwarded,
}

/// A list: in a file as an array, in an environment variable as text with commas.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct List<T>(pub Vec<T>);

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: FromStr<Err: fmt::Display>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<T>(std::marker::PhantomData<T>);
        impl<'de, T: FromStr<Err: fmt::Display>> Visitor<'de> for Entries<T> {
            type Value = List<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of texts, or one text with commas")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
                let entries = text.split(',').map(str::trim);
                let entries = entries.filter(|entry| !entry.is_empty()).map(read);
                entries.collect::<Result<_, _>>().map(List)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(text) = list.next_element::<String>()? {
                    entries.push(read(&text)?);
                }
                Ok(List(entries))
            }
        }
        deserializer.deserialize_any(Entries(std::marker::PhantomData))
    }
}

fn read<T: FromStr<Err: fmt::Display>, E: de::Error>(text: &str) -> Result<T, E> {
    text.parse()
        .map_err(|error| E::custom(format_args!("{}: {error}", quoted(text))))
}

/// A web site, as browsers write it in `Origin`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebOrigin {
    scheme: String,
    host: String,
    port: u16,
}

/// The text is not an origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no origin: it is written https://HOST or https://HOST:PORT, without a path")]
pub struct NoOrigin;

impl FromStr for WebOrigin {
    type Err = NoOrigin;

    fn from_str(text: &str) -> Result<Self, NoOrigin> {
        let uri: Uri = text.parse().map_err(|_| NoOrigin)?;
        let scheme = uri.scheme_str().ok_or(NoOrigin)?.to_ascii_lowercase();
        let authority = uri.authority().ok_or(NoOrigin)?;
        // A URI of scheme and authority alone has the path "/"; the text must not have one.
        let is_bare = !text.ends_with('/') && uri.path().len() <= 1 && uri.query().is_none();
        if !is_bare || authority.as_str().contains('@') {
            return Err(NoOrigin);
        }
        let usual = usual_port(&scheme).ok_or(NoOrigin)?;
        Ok(Self {
            host: authority.host().to_ascii_lowercase(),
            port: authority.port_u16().unwrap_or(usual),
            scheme,
        })
    }
}

impl WebOrigin {
    /// Returns the host, in lower case.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Says whether a request to this `Host` stays within the origin. The scheme is not compared: behind a proxy that
    /// ends TLS, the server does not know it.
    #[must_use]
    pub fn is_host(&self, host: &str) -> bool {
        let Ok(authority) = host.parse::<axum::http::uri::Authority>() else {
            return false;
        };
        let port = authority.port_u16().or_else(|| usual_port(&self.scheme));
        authority.host().eq_ignore_ascii_case(&self.host) && port == Some(self.port)
    }
}

impl fmt::Display for WebOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme, self.host)?;
        match usual_port(&self.scheme) {
            Some(usual) if usual == self.port => Ok(()),
            _ => write!(f, ":{}", self.port),
        }
    }
}

fn usual_port(scheme: &str) -> Option<u16> {
    match scheme {
        "http" => Some(80),
        "https" => Some(443),
        _ => None,
    }
}

/// An entry of `http.allowed_origins`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AllowedOrigin {
    /// `*`: every page of the web.
    Any,
    /// The pages of one site.
    Site(WebOrigin),
}

impl FromStr for AllowedOrigin {
    type Err = NoOrigin;

    fn from_str(text: &str) -> Result<Self, NoOrigin> {
        match text {
            "*" => Ok(Self::Any),
            site => site.parse().map(Self::Site),
        }
    }
}

impl fmt::Display for AllowedOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("*"),
            Self::Site(site) => site.fmt(f),
        }
    }
}

impl Serialize for AllowedOrigin {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_scheme_host_and_port() {
        let read = |text: &str| text.parse::<WebOrigin>().map(|origin| origin.to_string());
        assert_eq!(
            read("HTTPS://Play.Example:443"),
            Ok("https://play.example".into())
        );
        assert_eq!(
            read("http://play.example:8080"),
            Ok("http://play.example:8080".into())
        );
        assert_eq!(read("http://[::1]:80"), Ok("http://[::1]".into()));
        for bad in [
            "",
            "null",
            "play.example",
            "https://",
            "https://play.example/",
            "https://play.example/page",
            "https://me@play.example",
            "ftp://play.example",
            "https://play.example?x",
        ] {
            assert_eq!(read(bad), Err(NoOrigin), "{bad:?}");
        }
    }

    #[test]
    fn a_host_is_compared_with_its_usual_port() {
        let origin: WebOrigin = "https://play.example".parse().unwrap();
        assert!(origin.is_host("play.example"));
        assert!(origin.is_host("PLAY.example:443"));
        assert!(!origin.is_host("play.example:80"));
        assert!(!origin.is_host("play.example.evil"));
        assert!(!origin.is_host(""));
    }
}

//! The settings as text for people and files.

use std::fmt::Write;

use super::Config;

impl Config {
    /// Returns all settings as TOML that can be read again.
    ///
    /// # Errors
    /// When a path is not UTF-8.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(self)
    }
}

/// The meanings of the settings that are not numbers.
const TEXTS: &[(&str, &str)] = &[
    ("listen", "Address and port for players."),
    (
        "admin_listen",
        "Address and port for health, metrics and notices; must not be public.",
    ),
    (
        "data_dir",
        "Directory for all data; created if it does not exist.",
    ),
    (
        "tls.certificate",
        "PEM file with the server's certificate and its chain; empty: no TLS.",
    ),
    ("tls.key", "PEM file with the certificate's private key."),
    (
        "http.allowed_origins",
        "Web sites whose pages may connect, such as https://play.example, or * for all; the server's own may always.",
    ),
    (
        "http.trusted_proxies",
        "Addresses and networks (10.0.0.0/8) of proxies that may name the client's address.",
    ),
    (
        "http.proxy_header",
        "The header in which they name it: x-forwarded-for or forwarded.",
    ),
    ("log.format", "Format of the log on stderr: text or json."),
    (
        "log.filter",
        "Log level, or directives such as info,tilewire_server::game=debug.",
    ),
    (
        "site.issuer",
        "The `iss` of the embedding site's tokens; empty: only the server's own tokens are accepted.",
    ),
    (
        "site.audience",
        "The `aud` of the site's tokens, a name for this server.",
    ),
    (
        "site.secret_file",
        "File with the secret of tokens signed by HS256; give one of the three files.",
    ),
    (
        "site.public_key_file",
        "File with the Ed25519 public key (PEM) of tokens signed by EdDSA.",
    ),
    (
        "site.jwks_file",
        "File with the site's keys as a JSON Web Key Set; a token's `kid` names one. Read again when it changes.",
    ),
    (
        "lexica.missing",
        "What to do with unfinished games whose lexicon is missing: refuse (to start) or leave (them alone).",
    ),
    (
        "recovery.damaged",
        "What to do with unfinished games whose log is damaged: refuse (to start) or leave (them alone).",
    ),
];

/// Returns a page that explains every setting: key, default, range, meaning.
#[must_use]
pub fn reference() -> String {
    let defaults = toml::Value::try_from(Config::default());
    let defaults = defaults.expect("the defaults are plain data");
    let mut page = String::new();
    for (key, meaning) in TEXTS {
        let default = key
            .split('.')
            .try_fold(&defaults, |value, name| value.get(name));
        let default = default.map(ToString::to_string).unwrap_or_default();
        entry(&mut page, key, &default, "", meaning);
    }
    for (section, keys) in Config::number_keys() {
        for key in keys {
            let name = format!("{section}.{}", key.name);
            let range = format!("  ({} to {})", key.min, key.max);
            entry(
                &mut page,
                &name,
                &key.default.to_string(),
                &range,
                key.meaning.trim(),
            );
        }
    }
    page
}

fn entry(page: &mut String, key: &str, default: &str, range: &str, meaning: &str) {
    writeln!(page, "{key} = {default}{range}\n    {meaning}").expect("text takes every write");
}

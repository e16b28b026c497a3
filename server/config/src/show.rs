//! The settings as text for people and files.

use std::collections::HashMap;

use toml::Table;

use super::Config;
use super::tables::find;

impl Config {
    /// Returns all settings as TOML that can be read again, with a comment that explains each. A password in a URL is left
    /// out.
    ///
    /// # Errors
    /// When a path is not UTF-8.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        let explanations = explanations();
        let mut page = String::new();
        let mut section = String::new();
        let mut shown = self.clone();
        shown.storage.url = shown.storage.url.without_password();
        shown.cluster.nats_url = shown.cluster.nats_url.without_password();
        for line in toml::to_string(&shown)?.lines() {
            if let Some(name) = line
                .strip_prefix('[')
                .and_then(|name| name.strip_suffix(']'))
            {
                section = format!("{name}.");
            } else if let Some((name, _)) = line.split_once(" = ") {
                let explanation = explanations.get(&format!("{section}{name}"));
                page.push_str(explanation.map_or("", String::as_str));
            }
            page.push_str(line);
            page.push('\n');
        }
        Ok(page)
    }
}

/// The meanings of the settings that are not numbers.
const TEXTS: &[(&str, &str)] = &[
    ("listen", "Address and port for players."),
    (
        "admin_listen",
        "Address and port for health, metrics and notices; beyond loopback it needs admin.token_file.",
    ),
    (
        "data_dir",
        "Directory for all data; created if it does not exist.",
    ),
    (
        "admin.token_file",
        "File with the token that metrics and notices require (`Authorization: Bearer`); empty: none.",
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
        "Log level, or directives such as info,tilewire_game=debug.",
    ),
    (
        "log.traces",
        "URL of an OpenTelemetry collector, such as http://127.0.0.1:4318/v1/traces; empty: no traces. Needs the feature otlp.",
    ),
    (
        "mail.server",
        "The mail server that takes letters to players; empty: no letters.",
    ),
    (
        "mail.security",
        "How the connection to it is protected: starttls, tls, or none (for one on the same machine).",
    ),
    (
        "mail.user",
        "The name that this server logs in with; empty: it does not log in.",
    ),
    (
        "mail.password_file",
        "File with the password; only its owner and its group may read it.",
    ),
    (
        "mail.ca_file",
        "PEM file with the certificates that vouch for the mail server; empty: those of the system.",
    ),
    (
        "mail.from",
        "The sender of letters, such as Tilewire <tiles@example.org>.",
    ),
    (
        "mail.public_url",
        "The address of this server's page, such as https://play.example, for links in letters; empty: no links.",
    ),
    (
        "webhooks.targets",
        "Programs that are told of games and accounts: [[webhooks.targets]] with name, url and secret_file (docs/operating/webhooks.md).",
    ),
    (
        "push.contact",
        "An address of the operator for people who run push services, such as mailto:you@example.org; empty: no pushes.",
    ),
    (
        "push.ca_file",
        "PEM file with the certificates that vouch for push services; empty: those of the system.",
    ),
    (
        "push.allow_private",
        "Networks such as 10.1.0.0/16 that are not public and that pushes may go to all the same, at every port; empty: port 443 of public addresses only.",
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
        "site.page_origins",
        "Exact origins of pages that may contain the server's page and tell it its player's token; empty: none may contain it.",
    ),
    (
        "cluster.nats_url",
        "The server of NATS that connects the servers, such as tls://tilewire@nats.example:4222; empty: players connect to the server of their game. Only one on this machine may do without TLS.",
    ),
    (
        "cluster.nats_credentials_file",
        "File whose first line is the password of the user at NATS; only its owner and its group may read it.",
    ),
    (
        "cluster.nats_ca_file",
        "PEM file with the certificates that vouch for NATS; empty: those of the system.",
    ),
    (
        "cluster.nats_name",
        "Name of these servers at NATS, in letters, digits, - and _, if other clusters use it too; empty: main.",
    ),
    (
        "storage.url",
        "The database, such as postgres://tilewire@db.example/tilewire; empty: SQLite in data_dir.",
    ),
    (
        "storage.password_file",
        "File with the password of the database; only its owner and its group may read it.",
    ),
    (
        "storage.ca_file",
        "PEM file with the certificates that vouch for the database; empty: those of the system.",
    ),
    (
        "backup.directory",
        "Directory of the backups that the server makes, on another disk if possible; it must exist. backup drill reads the newest.",
    ),
    (
        "ratings.spread_pools",
        "Pools in which a win by more points counts more, such as classic/wordnik/rapid; after a change: ratings rebuild.",
    ),
    (
        "lexica.missing",
        "What to do with unfinished games whose lexicon is missing: refuse (to start) or leave (them alone).",
    ),
    (
        "recovery.damaged",
        "What to do with unfinished games whose log is damaged: refuse (to start) or leave (them alone).",
    ),
    (
        "recovery.clock",
        "What to do when the machine's clock is far from the time at which a server last ran: check (refuse to start) or \
         accept. Set it for one start only: --accept-clock.",
    ),
];

/// Returns the meaning of every key, dotted, with its range and default.
fn explanations() -> HashMap<String, String> {
    let defaults = Table::try_from(Config::default()).expect("the defaults are plain data");
    let texts = TEXTS.iter().map(|(key, meaning)| {
        let default = find(&defaults, key).map(ToString::to_string);
        let default = default.unwrap_or_default();
        (
            (*key).to_owned(),
            format!("# {meaning}\n# Default: {default}\n"),
        )
    });
    let numbers = Config::number_keys()
        .into_iter()
        .flat_map(|(section, keys)| {
            keys.iter().map(move |key| {
                let (name, meaning) = (format!("{section}.{}", key.name), key.meaning.trim());
                let range = format!("{} to {}", key.min, key.max);
                (
                    name,
                    format!("# {meaning}\n# Range: {range}. Default: {}\n", key.default),
                )
            })
        });
    texts.chain(numbers).collect()
}

//! The checks of values.

use toml::{Table, Value};
use tracing_subscriber::EnvFilter;

use super::check_mail::mail;
use super::check_push::push;
use super::check_webhooks::webhooks;
use super::tables::{find, set};
use super::{Config, SiteConfig, StorageConfig, Timing};
use crate::nats;

/// A wrong value.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Problem {
    /// The key, dotted.
    pub(super) key: String,
    /// The reason why its value is wrong.
    pub(super) reason: String,
}

/// Reads the configuration, and checks every value and their relations. `defaults` has all keys and no wrong value. Returns every
/// wrong value too; where one cannot be read, its default takes its place.
pub(super) fn check(mut values: Table, defaults: &Table) -> (Option<Config>, Vec<Problem>) {
    let mut found = Problems::default();
    ranges(&mut values, defaults, &mut found);
    let Some(config) = read(values, defaults, &mut found) else {
        return (None, found.0);
    };
    addresses(&config, &mut found);
    certificate(&config, &mut found);
    waits(&config.timing, &mut found);
    sizes(&config, &mut found);
    site(&config.site, &mut found);
    mail(&config.mail, &mut found);
    database(&config.storage, &mut found);
    cluster(&config, &mut found);
    webhooks(&config, &mut found);
    push(&config.push, &mut found);
    if config.backup.is_on() && !config.backup.has_directory() {
        let reason = "needs backup.directory, where the backups are kept".to_owned();
        found.add("backup.every_ms", reason);
    }
    if let Err(error) = EnvFilter::builder().parse(&config.log.filter) {
        found.add("log.filter", error.to_string());
    }
    traces(&config.log.traces, &mut found);
    (Some(config), found.0)
}

/// The reason has nothing of the URL, which can have a password.
fn database(storage: &StorageConfig, found: &mut Problems) {
    if storage.has_server()
        && storage
            .url
            .expose()
            .parse::<tokio_postgres::Config>()
            .is_err()
    {
        let reason = "must be a URL such as postgres://user@host/database".to_owned();
        found.add("storage.url", reason);
    }
    let has_password = !storage.password_file.as_os_str().is_empty();
    if has_password && !storage.has_server() {
        found.add("storage.password_file", "needs storage.url".to_owned());
    }
}

/// The lease has to outlive some renewals that are late, or lost with their connection.
fn cluster(config: &Config, found: &mut Problems) {
    const RENEWALS: i64 = 4;
    const BEATS: i64 = 4;
    let cluster = &config.cluster;
    if cluster.is_on() && !config.storage.has_server() {
        let reason = "needs storage.url: servers share a database of PostgreSQL".to_owned();
        found.add("cluster.node", reason);
    }
    if !cluster.nats_url.is_empty() {
        if !cluster.is_on() {
            found.add("cluster.nats_url", "needs cluster.node".to_owned());
        }
        if let Err(reason) = nats::address(cluster.nats_url.expose()) {
            found.add("cluster.nats_url", reason.to_owned());
        }
    } else if !cluster.nats_credentials_file.as_os_str().is_empty() {
        let reason = "needs cluster.nats_url".to_owned();
        found.add("cluster.nats_credentials_file", reason);
    }
    if !cluster.nats_name.is_empty()
        && let Err(reason) = nats::check_name(&cluster.nats_name)
    {
        found.add("cluster.nats_name", reason.to_owned());
    }
    let is_short = cluster.silent_ms < cluster.beat_ms * BEATS;
    found.relation(["cluster.silent_ms", "cluster.beat_ms"], is_short, || {
        let (silent_ms, least_ms) = (cluster.silent_ms, cluster.beat_ms * BEATS);
        format!("{silent_ms} is less than {BEATS} times cluster.beat_ms, {least_ms}")
    });
    let (lease_ms, least_ms) = (cluster.lease_ms, cluster.renew_ms * RENEWALS);
    let is_short = lease_ms < least_ms;
    found.relation(["cluster.lease_ms", "cluster.renew_ms"], is_short, || {
        format!("{lease_ms} is less than {RENEWALS} times cluster.renew_ms, {least_ms}")
    });
}

/// The collector has to be near: its connection has no TLS.
fn traces(collector: &str, found: &mut Problems) {
    if collector.is_empty() {
        return;
    }
    let is_usable = |url: hyper::Uri| url.scheme_str() == Some("http") && url.host().is_some();
    if !collector.parse().is_ok_and(is_usable) {
        found.add("log.traces", "is no URL with http://".to_owned());
    } else if !cfg!(feature = "otlp") {
        let reason = "this program was built without the feature otlp".to_owned();
        found.add("log.traces", reason);
    }
}

#[derive(Default)]
pub(super) struct Problems(Vec<Problem>);

impl Problems {
    pub(super) fn add(&mut self, key: &str, reason: String) {
        let key = key.to_owned();
        self.0.push(Problem { key, reason });
    }

    /// Reports `keys[0]` if the values of the keys do not fit together. A key that is reported already has its default
    /// here, so its relations say nothing.
    fn relation(&mut self, keys: [&str; 2], is_wrong: bool, reason: impl FnOnce() -> String) {
        let is_reported = |key: &&str| self.0.iter().any(|problem| problem.key == **key);
        if is_wrong && !keys.iter().any(is_reported) {
            self.add(keys[0], reason());
        }
    }

    /// Reports `smaller` if its value is more than that of `larger`.
    pub(super) fn ordered<T: PartialOrd + std::fmt::Display>(
        &mut self,
        (smaller, low): (&str, T),
        (larger, high): (&str, T),
    ) {
        let reason = || format!("{low} is more than {larger}, {high}");
        self.relation([smaller, larger], low > high, reason);
    }
}

/// Reads the values into their types. A value of the wrong type is reported and replaced by its default, so that the
/// others are read too.
fn read(mut values: Table, defaults: &Table, found: &mut Problems) -> Option<Config> {
    loop {
        let read = serde_path_to_error::deserialize(Value::Table(values.clone()));
        let error: serde_path_to_error::Error<toml::de::Error> = match read {
            Ok(config) => return Some(config),
            Err(error) => error,
        };
        let path = error.path().to_string();
        // A list is one value, also when one of its elements is wrong.
        let key = path.split('[').next().unwrap_or_default();
        found.add(key, plain(error.inner().message()));
        let default = find(defaults, key)?;
        if find(&values, key) == Some(default) {
            return None; // the default does not help, so the fault is elsewhere
        }
        set(&mut values, key, default.clone());
    }
}

/// Returns the message of a value of the wrong type without the words of a program.
fn plain(message: &str) -> String {
    const WORDS: [(&str, &str); 12] = [
        ("invalid type: ", "not the right type: "),
        ("invalid value: ", "not a right value: "),
        ("unknown variant ", "unknown word "),
        ("floating point", "number"),
        ("boolean", "true or false:"),
        ("string", "text"),
        ("integer", "number"),
        ("a sequence", "a list"),
        ("sequence", "list"),
        ("a map", "a section"),
        ("expected one of", "expected one of the words"),
        ("struct ", "section "),
    ];
    const NUMBERS: [&str; 8] = ["usize", "u64", "u32", "u16", "u8", "i64", "i32", "f64"];
    let mut text = message.to_owned();
    for (word, better) in WORDS {
        text = text.replace(word, better);
    }
    for number in NUMBERS {
        text = text.replace(&format!("expected {number}"), "expected a whole number");
    }
    text
}

/// Checks the numbers before they are converted, so that the error can name the range.
fn ranges(values: &mut Table, defaults: &Table, found: &mut Problems) {
    for (section, keys) in Config::number_keys() {
        for key in keys {
            let path = format!("{section}.{}", key.name);
            // `read` reports a value that is not a whole number.
            let Some(value) = find(values, &path).and_then(Value::as_integer) else {
                continue;
            };
            if (key.min..=key.max).contains(&value) {
                continue;
            }
            let reason = format!("{value} is not between {} and {}", key.min, key.max);
            found.add(&path, reason);
            if let Some(default) = find(defaults, &path) {
                set(values, &path, default.clone());
            }
        }
    }
}

fn addresses(config: &Config, found: &mut Problems) {
    if config.listen == config.admin_listen && config.listen.port() != 0 {
        let reason = format!("{} is where the players connect", config.listen);
        found.add("admin_listen", reason);
    }
    let admin = config.admin_listen;
    if !admin.ip().to_canonical().is_loopback() && !config.admin.has_token() {
        let reason = format!(
            "{admin} is not a loopback address; everyone who reaches it could send notices without admin.token_file"
        );
        found.add("admin_listen", reason);
    }
    if config.data_dir.as_os_str().is_empty() {
        found.add("data_dir", "names no directory".to_owned());
    }
}

fn certificate(config: &Config, found: &mut Problems) {
    let tls = &config.tls;
    match (tls.is_on(), !tls.key.as_os_str().is_empty()) {
        (true, false) => found.add(
            "tls.certificate",
            "needs tls.key, the file with its private key".to_owned(),
        ),
        (false, true) => found.add(
            "tls.key",
            "needs tls.certificate, the file with its certificate".to_owned(),
        ),
        (true, true) | (false, false) => {}
    }
}

fn waits(timing: &Timing, found: &mut Problems) {
    let heartbeats = ["timing.heartbeat_lost_ms", "timing.heartbeat_ms"];
    let (lost, every) = (timing.heartbeat_lost_ms, timing.heartbeat_ms);
    found.relation(heartbeats, lost <= every * 2, || {
        format!("{lost} is not longer than two heartbeats of {every} ms")
    });
    let (sleep, ahead, poll) = (
        timing.sleep_min_ms,
        timing.wake_ahead_ms,
        timing.wake_poll_ms,
    );
    let is_short = sleep < ahead + poll;
    found.relation(["timing.sleep_min_ms", "timing.wake_ahead_ms"], is_short, || {
        format!("{sleep} is less than timing.wake_ahead_ms and timing.wake_poll_ms together, {ahead} and {poll}")
    });
    found.ordered(
        ("timing.storage_retry_ms", timing.storage_retry_ms),
        ("timing.storage_retry_max_ms", timing.storage_retry_max_ms),
    );
    found.ordered(
        (
            "timing.wrong_password_wait_ms",
            timing.wrong_password_wait_ms,
        ),
        (
            "timing.wrong_password_wait_max_ms",
            timing.wrong_password_wait_max_ms,
        ),
    );
}

fn sizes(config: &Config, found: &mut Problems) {
    let limits = &config.limits;
    found.ordered(
        ("limits.write_bytes", limits.write_bytes),
        ("limits.outbox_bytes", limits.outbox_bytes),
    );
    found.ordered(
        (
            "limits.unauthenticated_per_address",
            limits.unauthenticated_per_address,
        ),
        ("limits.unauthenticated", limits.unauthenticated),
    );
    found.ordered(
        ("limits.open_seeks", limits.open_seeks),
        ("limits.open_seeks_total", limits.open_seeks_total),
    );
    found.ordered(
        ("limits.open_seeks", limits.open_seeks),
        (
            "limits.open_seeks_per_address",
            limits.open_seeks_per_address,
        ),
    );
}

fn site(site: &SiteConfig, found: &mut Problems) {
    let files: Vec<&str> = site.files().map(|(key, _)| key).collect();
    if site.issuer.is_empty() && site.audience.is_empty() && files.is_empty() {
        return;
    }
    if site.issuer.is_empty() {
        found.add("site.issuer", "a site has an issuer".to_owned());
    }
    if site.audience.is_empty() {
        found.add("site.audience", "a site has an audience".to_owned());
    }
    match files.as_slice() {
        [_] => {}
        [] => found.add(
            "site.issuer",
            "a site needs one of site.secret_file, site.public_key_file and site.jwks_file"
                .to_owned(),
        ),
        [first, others @ ..] => found.add(
            first,
            format!("{} is given too; one is enough", others.join(", ")),
        ),
    }
}

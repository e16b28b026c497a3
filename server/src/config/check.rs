//! The checks of values.

use toml::{Table, Value};
use tracing_subscriber::EnvFilter;

use super::tables::find;
use super::{Config, SiteConfig, Timing};

/// A key, dotted, and what is wrong with its value.
type Problem = (String, String);

/// Reads the configuration, and checks every value and their relations.
pub(super) fn check(values: Table) -> Result<Config, Problem> {
    ranges(&values)?;
    let config = read(values)?;
    addresses(&config)?;
    files(&config)?;
    waits(&config.timing)?;
    sizes(&config)?;
    site(&config.site)?;
    let filter = EnvFilter::builder().parse(&config.log.filter);
    filter.map_err(|error| ("log.filter".to_owned(), error.to_string()))?;
    Ok(config)
}

/// Reads the values into their types.
fn read(values: Table) -> Result<Config, Problem> {
    serde_path_to_error::deserialize(Value::Table(values)).map_err(|error| {
        let path = error.path().to_string();
        // A list is one value, also when one of its elements is wrong.
        let key = path.split('[').next().unwrap_or_default();
        (key.to_owned(), error.inner().message().to_owned())
    })
}

/// Checks the numbers before they are converted, so that the error can name the range.
fn ranges(values: &Table) -> Result<(), Problem> {
    for (section, keys) in Config::number_keys() {
        for key in keys {
            let path = format!("{section}.{}", key.name);
            // `read` reports a value that is not a whole number.
            let Some(value) = find(values, &path).and_then(Value::as_integer) else {
                continue;
            };
            if !(key.min..=key.max).contains(&value) {
                let reason = format!("{value} is not between {} and {}", key.min, key.max);
                return Err((path, reason));
            }
        }
    }
    Ok(())
}

fn addresses(config: &Config) -> Result<(), Problem> {
    if config.listen == config.admin_listen && config.listen.port() != 0 {
        let reason = format!("{} is where the players connect", config.listen);
        return refuse("admin_listen", reason);
    }
    if config.data_dir.as_os_str().is_empty() {
        return refuse("data_dir", "names no directory".to_owned());
    }
    Ok(())
}

fn files(config: &Config) -> Result<(), Problem> {
    let tls = &config.tls;
    match (tls.is_on(), !tls.key.as_os_str().is_empty()) {
        (true, false) => refuse(
            "tls.certificate",
            "needs tls.key, the file with its private key".to_owned(),
        ),
        (false, true) => refuse(
            "tls.key",
            "needs tls.certificate, the file with its certificate".to_owned(),
        ),
        (true, true) | (false, false) => Ok(()),
    }
}

fn waits(timing: &Timing) -> Result<(), Problem> {
    if timing.heartbeat_lost_ms <= timing.heartbeat_ms * 2 {
        let reason = format!(
            "{} is not longer than two heartbeats of {} ms",
            timing.heartbeat_lost_ms, timing.heartbeat_ms
        );
        return refuse("timing.heartbeat_lost_ms", reason);
    }
    if timing.sleep_min_ms < timing.wake_ahead_ms + timing.wake_poll_ms {
        let reason = format!(
            "{} is less than timing.wake_ahead_ms and timing.wake_poll_ms together, {} and {}",
            timing.sleep_min_ms, timing.wake_ahead_ms, timing.wake_poll_ms
        );
        return refuse("timing.sleep_min_ms", reason);
    }
    if timing.storage_retry_max_ms < timing.storage_retry_ms {
        let reason = format!(
            "{} is less than timing.storage_retry_ms, {}",
            timing.storage_retry_max_ms, timing.storage_retry_ms
        );
        return refuse("timing.storage_retry_max_ms", reason);
    }
    Ok(())
}

fn sizes(config: &Config) -> Result<(), Problem> {
    let limits = &config.limits;
    if limits.write_bytes > limits.outbox_bytes {
        let reason = format!(
            "{} is more than limits.outbox_bytes, {}",
            limits.write_bytes, limits.outbox_bytes
        );
        return refuse("limits.write_bytes", reason);
    }
    if limits.unauthenticated_per_address > limits.unauthenticated {
        let reason = format!(
            "{} is more than limits.unauthenticated, {}",
            limits.unauthenticated_per_address, limits.unauthenticated
        );
        return refuse("limits.unauthenticated_per_address", reason);
    }
    if limits.open_seeks > limits.open_seeks_total {
        let reason = format!(
            "{} is more than limits.open_seeks_total, {}",
            limits.open_seeks, limits.open_seeks_total
        );
        return refuse("limits.open_seeks", reason);
    }
    Ok(())
}

fn site(site: &SiteConfig) -> Result<(), Problem> {
    let files: Vec<&str> = site.files().map(|(key, _)| key).collect();
    let is_meant = !(site.issuer.is_empty() && site.audience.is_empty() && files.is_empty());
    match files.as_slice() {
        _ if !is_meant => Ok(()),
        _ if site.issuer.is_empty() => refuse("site.issuer", "a site has an issuer".to_owned()),
        _ if site.audience.is_empty() => {
            refuse("site.audience", "a site has an audience".to_owned())
        }
        [_] => Ok(()),
        [] => refuse(
            "site.issuer",
            "a site needs one of site.secret_file, site.public_key_file and site.jwks_file"
                .to_owned(),
        ),
        [first, others @ ..] => refuse(
            first,
            format!("{} is given too; one is enough", others.join(", ")),
        ),
    }
}

fn refuse(key: &str, reason: String) -> Result<(), Problem> {
    Err((key.to_owned(), reason))
}

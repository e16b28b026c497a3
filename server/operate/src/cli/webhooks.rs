//! The commands about webhooks.

use std::time::SystemTime;

use clap::Subcommand;

/// Tasks for webhooks.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum WebhooksTask {
    /// List the webhooks, with the events that wait and those that have failed
    List,
    /// Send one test event, and say at which step it fails if it does
    Test {
        /// The name of the webhook
        #[arg(value_name = "NAME")]
        name: String,
    },
    /// Let failed events wait again; a running server sends them
    Replay {
        /// The name of the webhook
        #[arg(value_name = "NAME")]
        name: String,
        /// Events from this time on, such as 2026-05-01T12:00:00Z, or from so long ago, such as 2h
        #[arg(long, value_name = "TIME", value_parser = since)]
        since: SystemTime,
    },
}

/// Reads a time, or a duration up to now.
fn since(text: &str) -> Result<SystemTime, String> {
    if let Ok(time) = humantime::parse_rfc3339_weak(text) {
        return Ok(time);
    }
    let ago = humantime::parse_duration(text);
    let ago = ago.map_err(|_| "give a time such as 2026-05-01T12:00:00Z, or 2h".to_owned())?;
    #[expect(
        clippy::disallowed_methods,
        reason = "the command line is a shell: it reads the time once"
    )]
    let now = SystemTime::now();
    let start = now.checked_sub(ago).unwrap_or(SystemTime::UNIX_EPOCH);
    Ok(start.max(SystemTime::UNIX_EPOCH))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_time_or_a_duration_names_a_moment() {
        let second = SystemTime::UNIX_EPOCH + Duration::from_secs(1_777_636_800);
        assert_eq!(since("2026-05-01T12:00:00Z"), Ok(second));
        assert!(since("2h").unwrap() > second);
        assert!(since("yesterday").is_err());
        assert_eq!(since("100000years"), Ok(SystemTime::UNIX_EPOCH));
    }
}

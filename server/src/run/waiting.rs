//! The wait of a start for what it needs from outside: the database, NATS, and a disk that takes writes.
//!
//! An outage of these ends by itself. Wrong settings do not, so they end the start at once.

use std::fmt;

use tilewire_rules::time::Millis;

use tilewire_base::backoff::doubled;
use tilewire_base::ids::Ids;
use tilewire_base::tasks::Signals;
use tilewire_control::admin_token::TokenFileError;
use tilewire_gateway::admin::Readiness;
use tilewire_relay::bus::NatsError;
use tilewire_sql::open_error::{OpenError, takes_no_writes};
use tilewire_sql::postgres::error::PostgresError;

/// The wait after the first attempt.
const WAIT: Millis = Millis(250);
/// The longest wait between two attempts.
const WAIT_MAX: Millis = Millis(5_000);

/// Something outside the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Need {
    Database,
    Nats,
    Disk,
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Database => "the database",
            Self::Nats => "NATS",
            Self::Disk => "a disk that takes writes",
        })
    }
}

impl Need {
    /// Returns the need that an error is about, if a wait may mend it.
    fn of(error: &anyhow::Error) -> Option<Self> {
        if let Some(error) = error.downcast_ref::<NatsError>() {
            return error.is_passing().then_some(Self::Nats);
        }
        if let Some(error) = error.downcast_ref::<TokenFileError>() {
            let is_of_disk = error.io_error().is_some_and(takes_no_writes);
            return is_of_disk.then_some(Self::Disk);
        }
        let of_database = |error: &PostgresError| error.is_passing().then_some(Self::Database);
        match error.downcast_ref::<OpenError>() {
            Some(OpenError::Postgres(error)) => of_database(error),
            Some(error) => error.is_of_disk().then_some(Self::Disk),
            None => error.downcast_ref().and_then(of_database),
        }
    }
}

/// Attempts something until nothing that it needs is away. `None`: a signal to stop came first.
///
/// # Errors
/// The first error that no wait mends.
pub(super) async fn until_there<T>(
    readiness: &Readiness,
    signals: &mut Signals,
    mut attempt: impl AsyncFnMut() -> anyhow::Result<T>,
) -> anyhow::Result<Option<T>> {
    let (mut missing, mut failures) = (None, 0);
    loop {
        let done = tokio::select! {
            done = attempt() => done,
            () = signals.next() => return Ok(None),
        };
        let error = match done {
            Ok(made) => {
                if let Some(need) = missing {
                    tracing::info!("{need} is there: the start goes on");
                }
                readiness.set_loading();
                return Ok(Some(made));
            }
            Err(error) => error,
        };
        let Some(need) = Need::of(&error) else {
            return Err(error);
        };
        let why = format!("{error:#}");
        if missing != Some(need) {
            (missing, failures) = (Some(need), 0);
            tracing::warn!(error = why, "the start waits for {need}");
        }
        readiness.set_waiting(format!("{need}: {why}"));
        let wait = spread(doubled(WAIT, WAIT_MAX, failures), Ids::system().bytes());
        failures = failures.saturating_add(1);
        tokio::select! {
            () = tokio::time::sleep(wait.to_duration()) => {}
            () = signals.next() => return Ok(None),
        }
    }
}

/// Returns a part of a wait, from half of it to all: the servers of an outage do not come back at one moment.
fn spread(wait: Millis, [random]: [u8; 1]) -> Millis {
    let half = wait.0 / 2;
    Millis(half + half * i64::from(random) / i64::from(u8::MAX))
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn waits_are_spread_between_half_and_all() {
        for (random, expected) in [(0, 125), (u8::MAX, 250)] {
            assert_eq!(spread(WAIT, [random]), Millis(expected));
        }
        let longest = spread(doubled(WAIT, WAIT_MAX, u32::MAX), [u8::MAX]);
        assert_eq!(longest, WAIT_MAX);
    }

    #[test]
    fn only_what_comes_back_by_itself_is_waited_for() {
        let place = || "db:5432/games".to_owned();
        let refused = |code: &str| PostgresError::Refused {
            code: code.to_owned(),
            message: "no".to_owned(),
        };
        let directory = |kind: io::ErrorKind| OpenError::Directory {
            path: "data".into(),
            source: kind.into(),
        };
        let connect = PostgresError::Connect {
            place: place(),
            why: "connection refused".to_owned(),
        };
        let denied = PostgresError::Denied {
            place: place(),
            why: "no such user".to_owned(),
        };
        for (error, expected) in [
            (OpenError::Postgres(connect), Some(Need::Database)),
            (OpenError::Postgres(refused("53100")), Some(Need::Database)),
            (OpenError::Postgres(refused("25006")), Some(Need::Database)),
            (OpenError::Postgres(denied), None),
            (OpenError::Postgres(PostgresError::NoTables(place())), None),
            (
                directory(io::ErrorKind::ReadOnlyFilesystem),
                Some(Need::Disk),
            ),
            (directory(io::ErrorKind::StorageFull), Some(Need::Disk)),
            (directory(io::ErrorKind::PermissionDenied), None),
        ] {
            let text = error.to_string();
            assert_eq!(Need::of(&error.into()), expected, "{text}");
        }
        let settings = NatsError::Settings("no".to_owned());
        assert_eq!(Need::of(&settings.into()), None);
        let away = anyhow::Error::from(NatsError::Subscribe("no echo".to_owned()));
        assert_eq!(
            Need::of(&away.context("cluster.nats_url")),
            Some(Need::Nats)
        );
    }
}

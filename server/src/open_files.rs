//! The limit of open files of the process, and the limits of connections that follow from it.

use tilewire_config::Limits;

/// Files that the server needs for itself: the storage, the listeners, the operator's connections.
const RESERVED: u64 = 256;
/// The part of all connections that one address may have, at most, where files are scarce: a quarter.
const ADDRESS_PART: usize = 4;
/// The part of all connections that may be unauthenticated where files are scarce: a half.
const UNAUTHENTICATED_PART: usize = 2;

/// Raises the soft limit of open files to the hard limit; returns the limit that now holds, if there is one.
#[cfg(unix)]
pub(crate) fn raise() -> Option<u64> {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    let before = limit.current;
    limit.current = limit.maximum;
    if before == limit.current {
        return before;
    }
    match setrlimit(Resource::Nofile, limit) {
        Ok(()) => {
            tracing::info!(
                before,
                now = limit.current,
                "raised the limit of open files"
            );
            limit.current
        }
        Err(error) => {
            tracing::warn!(%error, limit = before, "the limit of open files could not be raised");
            before
        }
    }
}

/// Lowers the limits of connections to the number of open files, so that no address can use them all up.
pub(crate) fn fit(limits: &mut Limits, files: u64) {
    let room = files.saturating_sub(RESERVED).max(1);
    let room = usize::try_from(room).unwrap_or(usize::MAX);
    if room >= limits.connections {
        return;
    }
    let part = |of: usize, part: usize| (of / part).max(1);
    limits.connections = room;
    limits.connections_per_address = limits.connections_per_address.min(part(room, ADDRESS_PART));
    limits.unauthenticated = limits.unauthenticated.min(part(room, UNAUTHENTICATED_PART));
    let own = part(room, UNAUTHENTICATED_PART * ADDRESS_PART);
    limits.unauthenticated_per_address = limits.unauthenticated_per_address.min(own);
    tracing::warn!(
        open_files = files,
        connections = limits.connections,
        connections_per_address = limits.connections_per_address,
        unauthenticated = limits.unauthenticated,
        unauthenticated_per_address = limits.unauthenticated_per_address,
        "the limit of open files is too low for limits.connections; the server accepts fewer connections"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_files_leave_room_for_every_address() {
        let check = |files: u64, expected: [usize; 4]| {
            let mut limits = Limits::default();
            fit(&mut limits, files);
            let found = [
                limits.connections,
                limits.connections_per_address,
                limits.unauthenticated,
                limits.unauthenticated_per_address,
            ];
            assert_eq!(found, expected, "{files}");
        };
        check(1_048_576, [60_000, 1_024, 8_192, 512]);
        check(60_256, [60_000, 1_024, 8_192, 512]);
        check(20_256, [20_000, 1_024, 8_192, 512]);
        check(1_024, [768, 192, 384, 96]);
        check(100, [1, 1, 1, 1]);
    }

    #[test]
    fn limits_that_fit_stay() {
        let mut limits = Limits {
            unauthenticated: 3,
            unauthenticated_per_address: 2,
            ..Limits::default()
        };
        fit(&mut limits, 1_024);
        assert_eq!(limits.unauthenticated, 3);
        assert_eq!(limits.unauthenticated_per_address, 2);
    }
}

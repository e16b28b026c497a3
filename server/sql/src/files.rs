//! The files of a data directory and their sizes.

use std::fs;
use std::path::Path;

use tilewire_store::StorageSizes;

/// Name of the database within the directory.
pub const DATABASE: &str = "tilewire.sqlite";
/// Name of its write-ahead log, which SQLite removes when the database is closed.
pub const LOG: &str = "tilewire.sqlite-wal";
/// Name of the index of the log, which the connections share.
pub const LOG_INDEX: &str = "tilewire.sqlite-shm";

/// Returns the sizes of the files in a data directory. It opens none of them: closing a descriptor of a file would release
/// SQLite's locks.
pub(crate) fn sizes(directory: &Path) -> StorageSizes {
    let size = |name| fs::metadata(directory.join(name)).map_or(0, |file| file.len());
    let disk = rustix::fs::statvfs(directory).ok();
    StorageSizes {
        database: size(DATABASE),
        log: size(LOG),
        free: disk.map_or(0, |disk| disk.f_bavail.saturating_mul(disk.f_frsize)),
    }
}

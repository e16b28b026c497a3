//! Files that commands write.

use std::fs::{self, File};
use std::io::{self, Write, stdout};
use std::path::{Path, PathBuf};
use std::process;

/// The path that stands for stdin or stdout.
pub(crate) const STANDARD: &str = "-";

/// The handling of a file that exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Existing {
    /// The command fails, and the file stays as it is.
    Keep,
    /// The command replaces it.
    Replace,
}

/// The reason why a file was not written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WriteError {
    #[error("{} already exists; use --force to replace it", .0.display())]
    Exists(PathBuf),
    #[error("cannot write {}: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    /// The output cannot be written.
    #[error(transparent)]
    Output(io::Error),
}

impl Existing {
    /// The handling that the flag `--force` selects.
    pub(crate) const fn with_force(force: bool) -> Self {
        if force { Self::Replace } else { Self::Keep }
    }

    /// Checks that the command may write a file.
    ///
    /// # Errors
    /// Returns an error if the file exists and must stay as it is.
    pub(crate) fn check(self, path: &Path) -> Result<(), WriteError> {
        match self {
            Self::Keep if path.is_file() => Err(WriteError::Exists(path.to_owned())),
            Self::Keep | Self::Replace => Ok(()),
        }
    }
}

/// Writes a file so that readers see either the whole file or none. `-` is stdout.
///
/// # Errors
/// Returns an error if the file exists and must stay as it is, or if it cannot be written.
pub(crate) fn write(path: &Path, bytes: &[u8], existing: Existing) -> Result<(), WriteError> {
    if path.as_os_str() == STANDARD {
        let mut out = stdout().lock();
        return out
            .write_all(bytes)
            .and_then(|()| out.flush())
            .map_err(WriteError::Output);
    }
    existing.check(path)?;
    // A device or a pipe receives the bytes itself.
    let is_special = path.exists() && !path.is_file();
    let written = if is_special {
        fs::write(path, bytes)
    } else {
        write_whole(path, bytes)
    };
    written.map_err(|source| WriteError::Write {
        path: path.to_owned(),
        source,
    })
}

/// Writes a temporary file and renames it.
fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(format!(".{}.tmp", process::id()));
    let unfinished = PathBuf::from(unfinished);
    let written = (|| {
        let mut file = File::create_new(&unfinished)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&unfinished, path)
    })();
    if written.is_err() {
        // The temporary file may not exist.
        drop(fs::remove_file(&unfinished));
    }
    written
}

//! The server's own files: for their owner alone, and never reached through a symbolic link.

use std::fs::{File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

use rustix::fs::OFlags;

/// The permissions of a file.
const FILE_MODE: u32 = 0o600;
/// The permissions of a directory.
const DIRECTORY_MODE: u32 = 0o700;
/// The permissions of other users.
const OTHERS: u32 = 0o077;

/// Opens a file for reading and writing, and creates it if there is none.
///
/// # Errors
/// When it is a symbolic link or no file, or other users have access to it and the server cannot change that.
pub(super) fn open(path: &Path) -> io::Result<File> {
    opened(path, options().create(true).truncate(false))
}

/// Creates a file.
///
/// # Errors
/// When there is one.
pub(super) fn create(path: &Path) -> io::Result<File> {
    opened(path, options().create_new(true))
}

/// Checks a file that may not exist.
///
/// # Errors
/// As [`open`].
pub(super) fn correct(path: &Path) -> io::Result<()> {
    match opened(path, &options()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        checked => checked.map(drop),
    }
}

/// Takes away the access that other users have to an open directory.
///
/// # Errors
/// When it belongs to another user.
pub(super) fn close_directory(directory: &File, path: &Path) -> io::Result<()> {
    close_to_others(directory, path, DIRECTORY_MODE)
}

fn options() -> OpenOptions {
    let no_link = i32::try_from(OFlags::NOFOLLOW.bits()).expect("flags of open fit into an int");
    let mut options = OpenOptions::new();
    options
        .read(true)
        .write(true)
        .mode(FILE_MODE)
        .custom_flags(no_link);
    options
}

fn opened(path: &Path, options: &OpenOptions) -> io::Result<File> {
    let refused =
        |error: &dyn std::fmt::Display| io::Error::other(format!("{}: {error}", path.display()));
    let file = match options.open(path) {
        Ok(file) => file,
        Err(_) if path.is_symlink() => {
            return Err(refused(
                &"it is a symbolic link, which the server does not follow",
            ));
        }
        Err(error) => return Err(io::Error::new(error.kind(), refused(&error))),
    };
    if !file.metadata()?.is_file() {
        return Err(refused(&"it is not a file"));
    }
    close_to_others(&file, path, FILE_MODE)?;
    Ok(file)
}

fn close_to_others(file: &File, path: &Path, mode: u32) -> io::Result<()> {
    let found = file.metadata()?.permissions().mode() & 0o777;
    if found & OTHERS == 0 {
        return Ok(());
    }
    file.set_permissions(Permissions::from_mode(mode))?;
    let (path, found, now) = (
        path.display(),
        format!("{found:03o}"),
        format!("{mode:03o}"),
    );
    tracing::warn!(%path, found, now, "other users had access; the permissions were corrected");
    Ok(())
}

//! Files of the operator that contain keys and secrets: the size is bounded, and a secret that other users can read is
//! refused.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Largest file, bytes.
const MAX_BYTES: u64 = 256 * 1024;

/// A file of the operator as it was read.
#[derive(Clone, PartialEq, Eq)]
pub struct OperatorFile {
    /// Its content.
    pub content: Vec<u8>,
    /// Its permissions.
    mode: u32,
}

/// The users who may read a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readers {
    /// The owner of the file.
    Owner,
    /// The owner and the group of the file.
    Group,
}

/// The reason why a file with a secret is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "it contains a secret, and its mode {mode:03o} gives other users access; replace the secret and run `chmod {} FILE`",
    readers.mode()
)]
pub struct Exposed {
    mode: u32,
    readers: Readers,
}

impl OperatorFile {
    /// Reads a file.
    pub fn read(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let mode = file.metadata()?.permissions().mode() & 0o777;
        let mut content = Vec::new();
        file.take(MAX_BYTES + 1).read_to_end(&mut content)?;
        if u64::try_from(content.len()).is_ok_and(|bytes| bytes > MAX_BYTES) {
            let text = format!("it has more than {MAX_BYTES} bytes");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, text));
        }
        Ok(Self { content, mode })
    }

    /// Checks that only `readers` have access to the file.
    ///
    /// # Errors
    /// When other users have access.
    pub const fn refuse_exposed(&self, readers: Readers) -> Result<(), Exposed> {
        let mode = self.mode;
        match mode & readers.others() {
            0 => Ok(()),
            _ => Err(Exposed { mode, readers }),
        }
    }
}

impl Readers {
    /// Returns the mode of a file that its owner writes and these users read.
    const fn mode(self) -> &'static str {
        match self {
            Self::Owner => "600",
            Self::Group => "640",
        }
    }

    /// Returns the bits of a mode that give other users access.
    const fn others(self) -> u32 {
        match self {
            Self::Owner => 0o077,
            Self::Group => 0o007,
        }
    }
}

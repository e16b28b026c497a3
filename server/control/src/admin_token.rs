//! The token of the admin listener, which the operator's programs send.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use subtle::ConstantTimeEq;

use tilewire_base::ids::Ids;
use tilewire_base::operator_file::{Exposed, OperatorFile, Readers};
use tilewire_config::{AdminConfig, Config};

/// The start of every path on the admin listener.
pub const ADMIN_PATH: &str = "/admin/v1";

/// Shortest token, bytes: the length of 128 bits in hexadecimal digits.
const TOKEN_MIN_BYTES: usize = 32;

/// The setting that names a file with a token.
const NAMED: &str = "admin.token_file";
/// Name of the file in the data directory with the token that the server makes.
const OWN_FILE: &str = "admin-token";
/// Name of that file until it is complete.
const OWN_FILE_PART: &str = "admin-token.part";
/// The permissions of that file.
const OWN_FILE_MODE: u32 = 0o600;

/// The token of the admin listener.
pub struct AdminToken(Vec<u8>);

/// The reason why the token cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("the token of the admin listener ({key}): cannot use the file {}: {reason}", path.display())]
pub struct TokenFileError {
    /// The setting that says where the file is.
    key: &'static str,
    path: PathBuf,
    reason: TokenFault,
}

/// The faults of a file with a token.
#[derive(Debug, thiserror::Error)]
pub enum TokenFault {
    /// It cannot be read.
    #[error("{0}")]
    Read(#[from] io::Error),
    /// Other users can read it.
    #[error("{0}")]
    Exposed(#[from] Exposed),
    /// The token is too short.
    #[error("the token has {0} bytes; it needs at least {TOKEN_MIN_BYTES}")]
    Short(usize),
    /// A header cannot contain the token.
    #[error("the token has other characters than visible ASCII ones and spaces")]
    Characters,
}

impl TokenFileError {
    fn of(config: &Config, path: PathBuf, reason: TokenFault) -> Self {
        let key = match config.admin.has_token() {
            true => NAMED,
            false => "data_dir; admin.token_file names no other",
        };
        Self { key, path, reason }
    }

    /// Returns the error of the file system, if that is the fault.
    #[must_use]
    pub fn io_error(&self) -> Option<&io::Error> {
        match &self.reason {
            TokenFault::Read(error) => Some(error),
            _ => None,
        }
    }
}

impl AdminToken {
    /// Returns the token of a configuration; `None` when the configuration names no file.
    ///
    /// # Errors
    /// Names the file and its fault.
    pub fn load(config: &AdminConfig) -> Result<Option<Self>, TokenFileError> {
        let path = &config.token_file;
        let token = config.has_token().then(|| Self::read(path));
        token.transpose().map_err(|reason| TokenFileError {
            key: NAMED,
            path: path.clone(),
            reason,
        })
    }

    /// Returns the path of the file with the token that operations require.
    #[must_use]
    pub fn path(config: &Config) -> PathBuf {
        match config.admin.has_token() {
            true => config.admin.token_file.clone(),
            false => config.data_dir.join(OWN_FILE),
        }
    }

    /// Returns the token that operations require: that of `admin.token_file`, or the one in the data directory, which the
    /// first start makes.
    ///
    /// # Errors
    /// Names the file and its fault.
    pub fn required(config: &Config, ids: &Ids) -> Result<Self, TokenFileError> {
        let path = Self::path(config);
        let is_missing = || fs::symlink_metadata(&path).is_err_and(|error| is_absent(&error));
        let made = match !config.admin.has_token() && is_missing() {
            true => make(&config.data_dir, ids).map_err(TokenFault::from),
            false => Ok(()),
        };
        let token = made.and_then(|()| Self::read(&path));
        token.map_err(|reason| TokenFileError::of(config, path, reason))
    }

    /// Reads the token for a program that asks a running server.
    ///
    /// # Errors
    /// Names the file and its fault.
    pub fn of_server(config: &Config) -> Result<Self, TokenFileError> {
        let path = Self::path(config);
        Self::read(&path).map_err(|reason| TokenFileError::of(config, path, reason))
    }

    /// Returns the value of `Authorization`.
    #[must_use]
    pub fn authorization(&self) -> String {
        // The token is ASCII.
        format!("Bearer {}", String::from_utf8_lossy(&self.0))
    }

    /// Returns the token with this text, for tests.
    #[cfg(any(test, feature = "testing"))]
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self(text.as_bytes().to_owned())
    }

    fn read(path: &Path) -> Result<Self, TokenFault> {
        let file = OperatorFile::read(path)?;
        file.refuse_exposed(Readers::Owner)?;
        // Editors and `echo` append a newline, which is not part of the token.
        let token = file.content.trim_ascii();
        if token.len() < TOKEN_MIN_BYTES {
            return Err(TokenFault::Short(token.len()));
        }
        if !token.iter().all(|byte| matches!(byte, b' '..=b'~')) {
            return Err(TokenFault::Characters);
        }
        Ok(Self(token.to_owned()))
    }

    /// Returns the value of the `Authorization` header with the token.
    pub fn bearer(&self) -> String {
        format!("Bearer {}", String::from_utf8_lossy(&self.0))
    }

    /// Says whether `given` is the token. The time of the comparison depends only on the length.
    pub fn is(&self, given: &[u8]) -> bool {
        self.0.ct_eq(given).into()
    }
}

fn is_absent(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
}

/// Makes the file with the token: it is complete or absent, and no other user can read it.
fn make(data_dir: &Path, ids: &Ids) -> io::Result<()> {
    let part = data_dir.join(OWN_FILE_PART);
    match fs::remove_file(&part) {
        Err(error) if !is_absent(&error) => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let mut options = OpenOptions::new();
    let mut file: File = options
        .write(true)
        .create_new(true)
        .mode(OWN_FILE_MODE)
        .open(&part)?;
    writeln!(file, "{}", HEXLOWER.encode(&ids.secret()))?;
    file.sync_all()?;
    fs::rename(&part, data_dir.join(OWN_FILE))
}

impl fmt::Debug for AdminToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AdminToken").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn config(directory: &Path) -> Config {
        Config {
            data_dir: directory.to_owned(),
            ..Config::default()
        }
    }

    #[test]
    fn the_first_start_makes_a_token_for_its_owner_alone() {
        let directory = tempfile::tempdir().unwrap();
        let config = config(directory.path());
        assert!(AdminToken::of_server(&config).is_err(), "there is none yet");
        fs::write(directory.path().join(OWN_FILE_PART), "half").unwrap();
        let first = AdminToken::required(&config, &Ids::seeded(1)).unwrap();
        let path = AdminToken::path(&config);
        let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode, first.0.len()), (OWN_FILE_MODE, 64));
        let second = AdminToken::required(&config, &Ids::seeded(2)).unwrap();
        assert_eq!(first.0, second.0, "a restart keeps it");
        assert!(second.is(&first.0) && !second.is(&first.0[1..]));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        let refused = AdminToken::required(&config, &Ids::seeded(3)).unwrap_err();
        assert!(refused.to_string().contains("640"));
    }

    #[test]
    fn the_file_of_the_configuration_is_never_made() {
        let directory = tempfile::tempdir().unwrap();
        let mut config = config(directory.path());
        config.admin.token_file = directory.path().join("own");
        assert!(AdminToken::required(&config, &Ids::seeded(1)).is_err());
        assert!(!config.admin.token_file.exists());
    }
}

//! The token of the admin listener, which the operator's programs send.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use subtle::ConstantTimeEq;

use crate::config::AdminConfig;
use crate::operator_file::{Exposed, OperatorFile, Readers};

/// Shortest token, bytes: the length of 128 bits in hexadecimal digits.
const TOKEN_MIN_BYTES: usize = 32;

/// The token of the admin listener.
pub struct AdminToken(Vec<u8>);

/// The reason why the token cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("`admin.token_file`: cannot use the file {}: {reason}", path.display())]
pub struct TokenFileError {
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

impl AdminToken {
    /// Returns the token of a configuration; `None` when the configuration names no file.
    ///
    /// # Errors
    /// Names the file and its fault.
    pub fn load(config: &AdminConfig) -> Result<Option<Self>, TokenFileError> {
        let path = &config.token_file;
        let token = config.has_token().then(|| Self::read(path));
        token.transpose().map_err(|reason| TokenFileError {
            path: path.clone(),
            reason,
        })
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
    pub(crate) fn bearer(&self) -> String {
        format!("Bearer {}", String::from_utf8_lossy(&self.0))
    }

    /// Says whether `given` is the token. The time of the comparison depends only on the length.
    pub(super) fn is(&self, given: &[u8]) -> bool {
        self.0.ct_eq(given).into()
    }
}

impl fmt::Debug for AdminToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AdminToken").finish_non_exhaustive()
    }
}

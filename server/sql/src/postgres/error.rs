//! Why PostgreSQL did not do what it was asked.

use tokio_postgres::error::SqlState;

use tilewire_store::NodeId;

/// The error that `prove_lease` raises when another server has the lease.
const FENCED: &str = "TW001";
/// The error that it raises when another server has the shard of a game.
const NOT_OWNED: &str = "TW002";

/// The classes of refusals that settings cause: authorization, an unknown database, missing rights.
const DENIALS: [&str; 3] = ["28", "3D", "42"];
/// The class of refusals for want of disk, memory or connections.
const NO_ROOM: &str = "53";
/// The refusal of a change by a server that only reads.
const READ_ONLY: &str = "25006";

/// Why a database of PostgreSQL cannot be used, or a statement failed. No text has a password.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PostgresError {
    /// The settings do not say how to connect.
    #[error("{0}")]
    Settings(String),
    /// There is no connection; nothing was sent.
    #[error("cannot connect to the database {place}: {why}")]
    Connect {
        /// Host, port and name of the database.
        place: String,
        /// The reason.
        why: String,
    },
    /// PostgreSQL does not let this server in: a wrong user, password or name of the database.
    #[error(
        "the database {place} refuses this server: {why}; correct storage.url or storage.password_file"
    )]
    Denied {
        /// Host, port and name of the database.
        place: String,
        /// The reason.
        why: String,
    },
    /// PostgreSQL refused a statement; nothing of it is stored.
    #[error("the database refused it: {message} ({code})")]
    Refused {
        /// The SQLSTATE.
        code: String,
        /// The words of PostgreSQL.
        message: String,
    },
    /// The connection was lost before the answer. A statement that was sent may take effect later.
    #[error("the connection to the database was lost: {0}")]
    Lost(String),
    /// Another server uses the database.
    #[error("another server is using the database {0}; stop it, or name another with storage.url")]
    InUse(String),
    /// Another server has the number of this one, or the database for itself.
    #[error(
        "a server with the number {} uses the database {place}, or one without a number; give each server of a cluster a \
         number of its own with cluster.node", node.0
    )]
    NumberInUse {
        /// Host, port and name of the database.
        place: String,
        /// The number.
        node: NodeId,
    },
    /// Other servers of the cluster have lexica or rule sets that this one does not have.
    #[error(
        "other servers of the cluster have lexica or rule sets that this one lacks: {0}; put their files into its data \
         directory, or set lexica.missing = \"leave\""
    )]
    Lacks(String),
    /// The database has no tables of this program.
    #[error("the database {0} has no tables yet; make them with: tilewire-server migrate")]
    NoTables(String),
    /// The database has the tables of another version.
    #[error(
        "the database {place} has schema {found}, and this program uses {known}: {}",
        if found < known { "bring it up to date with: tilewire-server migrate" } else { "start the newer version of this program" }
    )]
    OtherSchema {
        /// Host, port and name of the database.
        place: String,
        /// Version of the database's schema.
        found: usize,
        /// The version that this program uses.
        known: usize,
    },
    /// The server is too old.
    #[error("the database {place} is PostgreSQL {found}; this program needs 15 or later")]
    OldServer {
        /// Host, port and name of the database.
        place: String,
        /// The number of the version, such as 140005.
        found: i64,
    },
    /// Something is there already; nothing is overwritten.
    #[error("the database {0} has data already; name an empty database")]
    NotEmpty(String),
    /// A copy is not the same as what was copied.
    #[error("the copy of table {0} differs from the original; nothing was changed")]
    CopyDiffers(String),
    /// The rows do not fit together.
    #[error(
        "the database {place} is damaged: {problem}; restore a backup (tilewire-server restore FILE) into an empty database"
    )]
    Damaged {
        /// Host, port and name of the database.
        place: String,
        /// The problem.
        problem: String,
    },
}

impl PostgresError {
    /// Says whether the connection is gone, so that a statement that was sent may take effect later.
    pub const fn is_lost(&self) -> bool {
        matches!(self, Self::Lost(_))
    }

    /// Says whether the database cannot serve now and may do so later, without a change of settings.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Connect { .. } | Self::Lost(_) => true,
            // It has no room, or it is a standby.
            Self::Refused { code, .. } => code.starts_with(NO_ROOM) || code == READ_ONLY,
            _ => false,
        }
    }

    /// Says whether a refusal of a connection is about the settings: no wait mends it.
    pub(crate) fn is_denial(code: &str) -> bool {
        DENIALS.iter().any(|class| code.starts_with(class))
    }

    /// Says whether another server has the shard of a game that was to be written.
    pub fn is_not_owned(&self) -> bool {
        matches!(self, Self::Refused { code, .. } if code == NOT_OWNED)
    }

    /// Says whether another server has the lease.
    pub fn is_fenced(&self) -> bool {
        matches!(self, Self::Refused { code, .. } if code == FENCED)
    }
}

impl From<tokio_postgres::Error> for PostgresError {
    fn from(error: tokio_postgres::Error) -> Self {
        let Some(refusal) = error.as_db_error() else {
            return Self::Lost(causes(&error));
        };
        let code = refusal.code();
        let message = refusal.message().to_owned();
        // The server stops, or cannot tell how a commit ended.
        let is_end = code.code().starts_with("57P")
            || code.code().starts_with("08")
            || *code == SqlState::T_R_STATEMENT_COMPLETION_UNKNOWN;
        if is_end {
            return Self::Lost(message);
        }
        Self::Refused {
            code: code.code().to_owned(),
            message,
        }
    }
}

/// Returns an error with its causes.
pub(crate) fn causes(error: &(dyn std::error::Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

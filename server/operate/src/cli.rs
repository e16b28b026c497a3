//! The command line.

mod admin;
mod admin_server;
mod cluster;
mod mail;
mod people;
mod webhooks;

pub use admin::{AdminCommand, AdminTask, GameFilters, GameResult, GameState, GameTask};
pub use admin_server::{NoticeArgs, ServerTask};
pub use cluster::ClusterTask;
pub use mail::MailTask;
pub use people::{
    ActTask, AuditTask, ConductTask, ModerationTask, OperatorAct, RatingsTask, RoleChange,
    RolesTask,
};
pub use webhooks::WebhooksTask;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

use tilewire_config::{DamagedGames, LogFormat, Sources};

/// Longest reason of a revocation: it fits into a close frame behind the text around it.
const REASON_MAX_BYTES: usize = 80;

const EXAMPLES: &str = "\
Examples:
  tilewire-server
      Start with the defaults; everything is kept in ./tilewire-data
  tilewire-server --listen 0.0.0.0:7780 --data-dir /var/lib/tilewire
      Take players from other machines
  tilewire-server config print > tilewire.toml
      Write a file with every setting in use and its explanation
  tilewire-server backup /mnt/tilewire-2026-05-01.sqlite
      Copy everything while the server runs; put it back with: tilewire-server restore FILE
  tilewire-server backup drill
      Restore the newest scheduled backup (backup.directory) into a temporary directory and check every game
  tilewire-server migrate --to postgres://tilewire@db.example/tilewire
      Move everything into a database of PostgreSQL; then set storage.url
  tilewire-server check
      Replay every game that is stored and verify the bags of those that are over
  tilewire-server keys rotate
      Sign tokens with a new key; when the old tokens have ended: tilewire-server keys retire KEY
  tilewire-server tokens revoke < leaked-token
      Refuse a token and all that came of it
  tilewire-server roles grant anna admin
      Make a registered player an admin; show who did what: tilewire-server audit list
  tilewire-server moderation reports
      List what players have reported; act with: tilewire-server moderation act mute eve --hours 24 --reason TEXT
  tilewire-server admin games --state running
      List the games of the running server; show one with its log: tilewire-server admin game GAME
  tilewire-server ratings check
      Compute all ratings from the beginning and compare them with the stored ones
  tilewire-server top
      Watch a running server; it asks the admin listener
  tilewire-server config check --config my.toml
      List every error in a file, with its line

Where settings come from, the first that has one wins:
  1. flags
  2. environment variables: TILEWIRE_LISTEN, TILEWIRE_LIMITS__SPECTATORS (two underscores for a dot)
  3. the file named by --config, or ./tilewire.toml if it is there
  4. defaults

Health, readiness and metrics: http://ADMIN-ADDR/healthz, /readyz, /metrics";

/// The Tilewire server: live crossword board games over WebSockets.
///
/// It keeps all data in one directory. SIGTERM or Ctrl-C stops it in order; a second one stops it immediately. After
/// any stop, a restart continues every game.
#[derive(Debug, Parser)]
#[command(name = "tilewire-server", version, after_help = EXAMPLES, max_term_width = 100)]
pub struct Cli {
    /// The task; without one, the program serves.
    #[command(subcommand)]
    pub task: Option<Task>,
    /// The sources of settings, and the settings given by flags.
    #[command(flatten)]
    pub flags: Flags,
}

/// Settings given by flags.
#[derive(Debug, Clone, Default, Args)]
pub struct Flags {
    /// Read settings from this file [default: ./tilewire.toml, if it exists]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Address and port for players [default: 127.0.0.1:7780]
    #[arg(long, global = true, value_name = "ADDR")]
    pub listen: Option<String>,
    /// Address and port for health, metrics and notices; must not be public [default: 127.0.0.1:7781]
    #[arg(long, global = true, value_name = "ADDR")]
    pub admin_listen: Option<String>,
    /// Directory for all data; created if it does not exist [default: ./tilewire-data]
    #[arg(long, global = true, value_name = "DIR")]
    pub data_dir: Option<String>,
    /// Format of the log on stderr [default: text]
    #[arg(long, global = true, value_name = "FORMAT")]
    pub log_format: Option<LogFormat>,
    /// Log level: error, warn, info, debug, trace, or e.g. info,tilewire=debug [default: info]
    #[arg(long = "log", global = true, value_name = "FILTER")]
    pub log: Option<String>,
    /// Handling of unfinished games whose log is damaged: refuse to start, or leave them alone [default: refuse]
    #[arg(long, value_name = "WHAT")]
    pub damaged_games: Option<DamagedGames>,
    /// Start although the machine's clock is far from the time at which a server last ran
    #[arg(long)]
    pub accept_clock: bool,
}

/// A task of the program other than serving.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum Task {
    /// Print, check or explain the settings
    #[command(subcommand)]
    Config(ConfigTask),
    /// Replay every stored game and verify the finished ones; a server may run meanwhile
    Check,
    /// Copy the database into a new file, or try a backup; a server may run meanwhile
    #[command(subcommand_negates_reqs = true)]
    Backup {
        /// The file to create
        #[arg(required = true)]
        file: Option<PathBuf>,
        /// The task; without one, a backup is made
        #[command(subcommand)]
        task: Option<BackupTask>,
    },
    /// Restore a backup into a data directory without games, or into the empty database that storage.url names
    Restore {
        /// A file that `backup` created
        file: PathBuf,
    },
    /// Make the tables of the database that storage.url names, or bring them up to date; the server must be stopped
    Migrate {
        /// Copy everything from the data directory into this database, which has no data; every row is compared
        #[arg(long, value_name = "URL")]
        to: Option<String>,
    },
    /// Show the servers that share the database that storage.url names
    #[command(subcommand)]
    Cluster(ClusterTask),
    /// Show or accept the machine's clock, which the start compares with the time at which a server last ran
    #[command(subcommand)]
    Clock(ClockTask),
    /// List, create and remove the keys that sign tokens; a running server loads the changes
    #[command(subcommand)]
    Keys(KeysTask),
    /// Show, ban or unban an identity; a running server loads the changes
    #[command(subcommand)]
    Identities(IdentitiesTask),
    /// Revoke a token, or issue one to a user who lost theirs; a running server loads the changes
    #[command(subcommand)]
    Tokens(TokensTask),
    /// Give roles to registered players, take them away, or list them; every change is in the audit
    #[command(subcommand)]
    Roles(RolesTask),
    /// Show reports of players, act on them, and undo that; a running server loads the changes
    #[command(subcommand)]
    Moderation(ModerationTask),
    /// Ask a running server over its admin listener: connections, players, games
    Admin(AdminCommand),
    /// Show the audit, or check that it is whole
    #[command(subcommand)]
    Audit(AuditTask),
    /// Try the mail server
    #[command(subcommand)]
    Mail(MailTask),
    /// List the webhooks, try one, or send its failed events again; a server may run meanwhile
    #[command(subcommand)]
    Webhooks(WebhooksTask),
    /// Check the ratings against all results, or compute them again; a server may run meanwhile
    #[command(subcommand)]
    Ratings(RatingsTask),
    /// Check the points of players who left games against all results, or compute them again; a server may run meanwhile
    #[command(subcommand)]
    Conduct(ConductTask),
    /// Show a running server in the terminal: players, games, latencies, queues; q ends
    Top {
        /// Print one page, of one second, and end
        #[arg(long)]
        once: bool,
    },
    /// Print the completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the man page, or write a page for each command
    Man {
        /// The directory for one page for each command; existing pages are replaced
        #[arg(short, long, value_name = "DIR")]
        output: Option<PathBuf>,
    },
}

/// Tasks for backups.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum BackupTask {
    /// Restore a backup into a temporary directory, check every game, say what was found, and remove the directory
    Drill {
        /// The backup [default: the newest one in backup.directory]
        file: Option<PathBuf>,
    },
}

/// Tasks for the machine's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Subcommand)]
pub enum ClockTask {
    /// Show the machine's clock, when a server last ran, and when the clock last jumped
    Show,
    /// Accept the machine's clock for the next start, however far it is from the time at which a server last ran
    Accept,
}

/// Tasks for the keys that sign tokens.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum KeysTask {
    /// Show the keys, the newest first: it signs, and all of them verify
    List,
    /// Create a new key, which signs from now on; the others still verify
    Rotate,
    /// Remove a key: the tokens it signed are refused, and connections that used one are closed
    Retire {
        /// The name of the key
        kid: String,
    },
    /// List, create and remove the key pairs by which push services know this server; a running server loads the changes
    #[command(subcommand)]
    Push(PushKeysTask),
}

/// Tasks for the key pairs of pushes.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum PushKeysTask {
    /// Show the key pairs, the newest first: browsers that ask for pushes get it
    List,
    /// Create a new key pair for browsers that ask from now on; the others stay in use
    Rotate,
    /// Remove a key pair: the browsers that asked with it get no more pushes
    Retire {
        /// The name of the key pair
        kid: String,
    },
}

/// Tasks for an identity.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum IdentitiesTask {
    /// Show an identity
    Show {
        /// The identity
        identity: String,
    },
    /// Ban an identity: refuse all its tokens and close its connections; its games go on without it
    Revoke {
        /// The identity
        identity: String,
        /// The reason, which the player is told
        #[arg(long, value_name = "TEXT", value_parser = reason)]
        reason: Option<String>,
    },
    /// Unban an identity
    Restore {
        /// The identity
        identity: String,
    },
}

/// Reads a reason that fits into a close frame.
fn reason(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() || text.len() > REASON_MAX_BYTES || text.chars().any(char::is_control) {
        return Err(format!("give one line of 1 to {REASON_MAX_BYTES} bytes"));
    }
    Ok(text.to_owned())
}

/// Tasks for tokens.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum TokensTask {
    /// Revoke the token on standard input and all tokens of its family, and close connections that used one
    Revoke,
    /// Print a new token for an identity
    Issue {
        /// The identity
        identity: String,
    },
}

/// Tasks for the settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Subcommand)]
pub enum ConfigTask {
    /// Print every setting in use with its meaning, range and default, as a file that can be read again
    Print,
    /// List every error in the settings: unknown keys, wrong values, keys and certificates that cannot be read
    Check,
    /// List every setting, and whether a change of it needs a reload or a restart
    Keys,
}

impl Flags {
    /// Returns the sources of the configuration with these flags in this process.
    #[must_use]
    pub fn sources(&self) -> Sources {
        let format = self.log_format.map(|format| match format {
            LogFormat::Text => "text".to_owned(),
            LogFormat::Json => "json".to_owned(),
        });
        let damaged = self.damaged_games.map(|damaged| match damaged {
            DamagedGames::Refuse => "refuse".to_owned(),
            DamagedGames::Leave => "leave".to_owned(),
        });
        let clock = self.accept_clock.then(|| "accept".to_owned());
        let flags = [
            ("listen", &self.listen),
            ("admin_listen", &self.admin_listen),
            ("data_dir", &self.data_dir),
            ("log.format", &format),
            ("log.filter", &self.log),
            ("recovery.damaged", &damaged),
            ("recovery.clock", &clock),
        ];
        let given = flags.into_iter();
        let given = given.filter_map(|(key, value)| Some((key, value.clone()?)));
        let variables = std::env::vars_os();
        Sources {
            flags: given.collect(),
            environment: variables
                .filter_map(|(name, value)| {
                    let value = value.to_string_lossy().into_owned();
                    Some((name.into_string().ok()?, value))
                })
                .collect(),
            file: self.config.clone(),
            directory: PathBuf::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BackupTask, Cli, ConfigTask, Task};
    use clap::{CommandFactory, Parser};
    use std::path::PathBuf;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn flags_become_settings() {
        let line = "tilewire-server config print --listen 1.2.3.4:5 --log-format json --log debug";
        let cli = Cli::parse_from(line.split(' '));
        assert_eq!(cli.task, Some(Task::Config(ConfigTask::Print)));
        let expected = [
            ("listen", "1.2.3.4:5".to_owned()),
            ("log.format", "json".to_owned()),
            ("log.filter", "debug".to_owned()),
        ];
        assert_eq!(cli.flags.sources().flags, expected);
    }
    #[test]
    fn a_backup_has_a_file_or_a_task() {
        let parse = |line: &str| Cli::try_parse_from(line.split(' ')).map(|cli| cli.task);
        let backup = |file: Option<&str>, task| Task::Backup {
            file: file.map(PathBuf::from),
            task,
        };
        let newest = Some(BackupTask::Drill { file: None });
        for (line, expected) in [
            ("a backup b.sqlite", backup(Some("b.sqlite"), None)),
            ("a backup ./drill", backup(Some("./drill"), None)),
            ("a backup drill", backup(None, newest.clone())),
            ("a backup --data-dir d drill", backup(None, newest)),
        ] {
            assert_eq!(parse(line).unwrap(), Some(expected), "{line}");
        }
        assert!(parse("a backup").is_err());
    }
}

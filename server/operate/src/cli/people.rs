//! The commands about players: roles, moderation, ratings, points, and the audit.

use clap::{Args, Subcommand, ValueEnum};
use tilewire_people::accounts::Role;
use tilewire_people::audit::EntryDigest;

/// Tasks for roles.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum RolesTask {
    /// Give a registered player a role
    Grant(RoleChange),
    /// Take a role away from a registered player
    Revoke(RoleChange),
    /// Show every player who has a role
    List,
}

/// A change of a role.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct RoleChange {
    /// The handle or the identity of the player
    #[arg(value_name = "PLAYER")]
    pub player: String,
    /// The role: moderator, director or admin
    #[arg(value_name = "ROLE", value_parser = role)]
    pub role: Role,
    /// The reason, for the audit
    #[arg(long, value_name = "TEXT", default_value = "by the operator")]
    pub reason: String,
}

/// Tasks for reports and players.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum ModerationTask {
    /// List the reports, open ones first
    Reports,
    /// Show a report with the lines around the reported one
    Show {
        /// The number of the report
        number: u64,
    },
    /// Mute, restrict, suspend, rename or forgive a player, or close a report; the player is told
    Act(ActTask),
    /// Undo an action; the player is told
    Undo {
        /// The number of the action, as `act` and `history` show it
        number: u64,
        /// The reason, which the player reads
        #[arg(long, value_name = "TEXT", default_value = "by the operator")]
        reason: String,
    },
    /// Show what was done about a player
    History {
        /// The handle or the identity of the player
        #[arg(value_name = "PLAYER")]
        player: String,
    },
}

/// An action about a player.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct ActTask {
    /// The action
    #[arg(value_name = "ACTION")]
    pub action: OperatorAct,
    /// The handle or the identity of the player; without it, the player of the report
    #[arg(value_name = "PLAYER")]
    pub player: Option<String>,
    /// The hours after which it ends by itself; without them, it lasts until it is undone
    #[arg(long, value_name = "HOURS", value_parser = clap::value_parser!(u32).range(1..=87_600))]
    pub hours: Option<u32>,
    /// The new handle, for rename
    #[arg(long, value_name = "HANDLE")]
    pub handle: Option<String>,
    /// The report that the action closes
    #[arg(long, value_name = "NUMBER")]
    pub report: Option<u64>,
    /// The reason, which the player reads
    #[arg(long, value_name = "TEXT")]
    pub reason: String,
}

/// An operator's action about a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum OperatorAct {
    /// The player cannot write in chat
    Mute,
    /// The player cannot begin rated games
    NoRated,
    /// The player cannot open or join public seeks
    NoPublic,
    /// The player cannot log in; all sessions end
    Suspend,
    /// The player gets another handle
    Rename,
    /// The report is closed, and nothing else happens
    Close,
    /// The points for games that the player left are gone, and so is the waiting time
    Forgive,
}

/// Tasks for ratings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Subcommand)]
pub enum RatingsTask {
    /// Compute all ratings from the beginning and compare them, byte by byte, with the stored ones
    Check,
    /// Compute all ratings from the beginning and store what differs
    Rebuild,
}

/// Tasks for the points of players who left games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Subcommand)]
pub enum ConductTask {
    /// Compute all points from the results and compare them with the stored ones
    Check,
    /// Compute all points from the results and store what differs; no waiting time begins or ends
    Rebuild,
}

/// Tasks for the audit.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum AuditTask {
    /// Show every entry, the oldest first
    List,
    /// Check that no entry was changed, removed or inserted
    Verify {
        /// The digest of the newest entry as an earlier check printed it; finds removed newest entries too
        #[arg(long, value_name = "DIGEST", value_parser = digest)]
        newest: Option<EntryDigest>,
    },
}

/// Reads the name of a role.
fn role(text: &str) -> Result<Role, String> {
    let known = [Role::Moderator, Role::Director, Role::Admin];
    let found = known.into_iter().find(|role| role.name() == text);
    found.ok_or_else(|| "a role is moderator, director or admin".to_owned())
}

/// Reads the digest of an entry.
fn digest(text: &str) -> Result<EntryDigest, String> {
    EntryDigest::try_from(text.to_owned()).map_err(|error| error.to_string())
}

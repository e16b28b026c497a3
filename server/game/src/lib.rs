//! Games: one actor each around a pure room, the hubs for their spectators, and the directory that finds and creates
//! games.
//!
//! Invariant: it knows no socket, no HTTP, no account and no database.
//!
//! An event is durable before it is announced, and a slow client delays neither the game nor others. [`room`] decides
//! without I/O, the actor carries its effects out, [`hub`] serves spectators, and [`directory`] finds and creates
//! games. The rest of the server reaches a game through its [`handle`].

mod actor;
pub mod attach;
pub mod bot_turn;
pub mod bounds;
pub mod directory;
pub mod finished;
mod gone;
pub mod handle;
pub mod hinting;
pub mod hub;
mod listing;
mod news;
mod nodes;
pub mod operator;
pub mod owner_table;
pub mod owners;
mod placement;
pub mod position;
pub mod recovery;
mod report;
mod reported;
pub mod room;
mod stored_summary;
#[cfg(any(test, feature = "testing"))]
pub mod summaries;
mod watched;

#[cfg(test)]
mod tests;

pub use attach::Attach;
pub use bounds::GameBounds;
pub use directory::{
    ChatFacts, CreateError, Directory, FindError, KnownGame, LostTime, NewGame, NewPlayer,
    OpenShard, Services, Sleeping, StillTimes, TakeUpError,
};
pub use handle::{Busy, GameHandle};
pub use news::GameNews;
pub use nodes::GameNodes;
pub use placement::{Location, Placement, SingleNode};
pub use report::{GameReport, ReportedLine, Reporter};
pub use watched::{WATCHED_LONGEST, WATCHED_MOST, Watched};

use std::time::Duration;

/// Waits for the given time; without one, waits for ever.
async fn sleep_for(wait: Option<Duration>) {
    match wait {
        Some(wait) => tokio::time::sleep(wait).await,
        None => std::future::pending().await,
    }
}

//! Games: one actor each, durable before told, nobody's slowness reaching anybody else.
//!
//! [`room`] decides (pure), the actor carries out, [`hub`] serves spectators, [`directory`] finds and makes games,
//! [`handle`] is what the rest of the server holds of a game.

mod actor;
pub mod attach;
pub mod bounds;
pub mod directory;
mod gone;
pub mod handle;
pub mod house;
pub mod hub;
mod lines;
mod news;
mod placement;
pub mod position;
pub mod recovery;
pub mod room;
mod shelf;

#[cfg(test)]
mod tests;

pub use attach::{Attach, ResumePoint};
pub use bounds::GameBounds;
pub use directory::{
    CreateError, Directory, FindError, NewGame, NewPlayer, Services, Sleeping, TakeUpError,
};
pub use handle::{Busy, GameHandle};
pub use news::GameNews;
pub use placement::{Place, Placement, SingleNode};

use std::time::Duration;

/// Waits so long; for ever without a time.
async fn sleep_for(wait: Option<Duration>) {
    match wait {
        Some(wait) => tokio::time::sleep(wait).await,
        None => std::future::pending().await,
    }
}

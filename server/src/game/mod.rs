//! Games: one actor each, durable before told, nobody's slowness reaching anybody else.
//!
//! [`room`] decides (pure), the actor carries out, [`hub`] serves spectators, [`directory`] finds and makes games,
//! [`handle`] is what the rest of the server holds of a game.

mod actor;
pub mod bounds;
pub mod directory;
pub mod handle;
pub mod house;
pub mod hub;
mod lines;
mod placement;
pub mod position;
pub mod recovery;
pub mod room;
mod shelf;

#[cfg(test)]
mod tests;

pub use bounds::GameBounds;
pub use directory::{
    CreateError, Directory, FindError, GameNews, NewGame, NewPlayer, Services, Sleeping,
    TakeUpError,
};
pub use handle::{Busy, GameHandle, ResumePoint};
pub use placement::{Place, Placement, SingleNode};

use std::time::Duration;

/// Waits so long; for ever without a time.
async fn sleep_for(wait: Option<Duration>) {
    match wait {
        Some(wait) => tokio::time::sleep(wait).await,
        None => std::future::pending().await,
    }
}

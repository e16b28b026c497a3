//! The relay between the nodes of a cluster: a client of one node plays games that other nodes run.
//!
//! Invariant: it knows no rule of a game: it passes requests, answers and frames on, and their owner decides.
//!
//! The node with the connection of a client is its *gateway*. It passes requests on to the *owner* of a game's shard, or of the lobby,
//! and passes the owner's frames on to the client. [`Relay`] is pure: it gets the time, the requests, the batches of other nodes and
//! the owners of the parts, and says what to do. The bus may lose everything: what was lost is asked for again. [`Exchange`] carries
//! out what it says.

pub mod asks;
pub mod batch;
pub mod bus;
pub mod channel;
mod games;
pub mod gateway;
mod groups;
pub mod link;
pub mod message;
mod node;
pub mod owner;
mod shell;
mod summary;

pub use batch::{Batch, BatchError, Sealer};
pub use games::{AboutGames, Left};
pub use node::{Bounds, Effect, Input, Relay};
pub use shell::{ClientLink, Exchange, RelayHandle, RemoteClient, RemoteService, Start};

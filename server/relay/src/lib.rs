//! The relay between the nodes of a cluster: a client of one node plays games that other nodes run.
//!
//! The node with the connection of a client is its *front*. It passes requests on to the *owner* of a game's shard, or of the lobby,
//! and passes the owner's frames on to the client. [`Relay`] is pure: it gets the time, the requests, the batches of other nodes and
//! the owners of the parts, and says what to do. The bus may lose everything: what was lost is asked for again. [`Exchange`] carries
//! out what it says.

pub mod asks;
pub mod batch;
pub mod bus;
pub mod channel;
pub mod front;
mod games;
mod groups;
pub mod link;
pub mod message;
mod node;
pub mod owner;
mod shell;
mod told;

pub use batch::{Batch, BatchError, Life, Sealer};
pub use games::{AboutGames, Left};
pub use node::{Bounds, Effect, Input, Relay};
pub use shell::{Exchange, Guest, Host, Line, RelayHandle, Start};
pub use told::told;

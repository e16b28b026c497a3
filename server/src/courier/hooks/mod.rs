//! Webhooks: events of games and accounts for programs of others, signed by Standard Webhooks (H-HOOK).
//!
//! [`follow`] writes events into an outbox of their own, as a spectator sees them; the task delivers what is due. [`machine`]
//! decides and is pure.
//!
//! Invariant: no event has a rack, a hidden tile or a private code, and none is delivered before a spectator could see it.

mod bodies;
mod events;
mod follow;
mod machine;
mod operate;
mod post;
mod sign;
mod start;
mod task;

pub(crate) use bodies::described;
pub use operate::webhooks;
pub use post::{Delivery, Endpoint, HookFault, Undelivered};
pub(crate) use start::start_hooks;
pub use start::{HookParts, hook_problem, start_hooks_with};

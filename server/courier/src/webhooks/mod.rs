//! Webhooks: events of games and accounts for programs of others, signed by Standard Webhooks (H-HOOK).
//!
//! `follow` writes events into an outbox of their own, as a spectator sees them; the task delivers what is due. `machine`
//! decides and is pure.
//!
//! Invariant: no event has a rack, a hidden tile or a private code, and none is delivered before a spectator could see it.

pub mod bodies;
mod events;
mod follow;
mod machine;
pub mod post;
mod sender;
mod sign;
mod start;

pub use bodies::described;

pub use post::{Delivery, Endpoint, Undelivered, WebhookFault};
pub use start::start_webhooks;
pub use start::{WebhookParts, start_webhooks_with, webhook_problem};

//! The couriers of letters, pushes and webhooks: each writes to an outbox and sends from it.
//!
//! Invariant: it knows no running game and no connection of a client: it reads the journal, and nothing on the path of a turn waits for it.
//!
//! `follow` reads the journal as the chronicle does. `outbox` sends what is due through `egress`: one worker for letters, pushes and
//! webhooks, with a pure machine. A letter about a turn is sent only if the game still waits for that turn when the letter is made.

mod awaited_action;
mod compose;
mod contents;
mod context;
mod follow;
mod journal;
mod machine;
mod outbox;
mod pages;
mod push;
mod sender;
mod smtp;
mod start;
#[cfg(any(test, feature = "testing"))]
pub mod table;
mod trial;
pub mod webhooks;

pub use compose::{Parcel, message_id};
pub use machine::Outcome;
pub use push::problem as push_problem;
pub use push::{Parts as PushParts, start as start_pushes};
pub use smtp::{Carrier, Failure, MailFault, Stage};
pub use start::{Parts, problem, start_with};
pub use start::{Read, follow, start};
pub use trial::trial;
pub use webhooks::{
    Delivery, Endpoint, Undelivered, WebhookFault, WebhookParts, start_webhooks_with,
    webhook_problem,
};
pub use webhooks::{described, start_webhooks};

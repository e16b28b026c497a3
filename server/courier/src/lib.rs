//! The courier: writes letters about games into the outbox with the pushes that repeat them, and sends both. `hooks` does
//! the same with events for programs of others.
//!
//! It is the only part of the server that opens connections, through `egress`. Nothing on the path of play waits for it:
//! `follow` reads the journal as the chronicle does. `outbox` sends what is due: one worker for letters, pushes and webhooks, with a
//! pure machine.
//!
//! Invariant: a letter about a turn is sent only if the game still waits for that turn when the letter is made.

mod asked;
mod backoff;
mod compose;
mod contents;
mod context;
pub mod follow;
pub mod hooks;
mod journal;
mod machine;
mod outbox;
mod pages;
pub mod push;
mod sender;
mod smtp;
pub mod start;
#[cfg(any(test, feature = "testing"))]
pub mod table;
pub mod trial;

pub use compose::{Parcel, message_id};
pub use hooks::{
    Delivery, Endpoint, HookFault, HookParts, Undelivered, hook_problem, start_hooks_with,
};
pub use hooks::{described, start_hooks};
pub use machine::Outcome;
pub use push::problem as push_problem;
pub use push::{Parts as PushParts, start as start_pushes};
pub use smtp::{Carrier, Failure, MailFault, Stage};
pub use start::{Parts, problem, start_with};
pub use start::{Read, follow, start};
pub use trial::trial;

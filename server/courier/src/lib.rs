//! The courier: writes letters about games into the outbox with the pushes that repeat them, and sends both. `hooks` does
//! the same with events for programs of others.
//!
//! It is the only part of the server that opens connections, through `egress`. Nothing on the path of play waits for it:
//! `follow` reads the journal as the chronicle does, and the task sends what is due. `machine` decides and is pure.
//!
//! Invariant: a letter about a turn is sent only if the game still waits for that turn when the letter is made.

mod asked;
mod backoff;
mod compose;
mod contents;
mod follow;
pub mod hooks;
mod journal;
mod look;
mod machine;
mod pages;
mod push;
mod smtp;
mod start;
#[cfg(any(test, feature = "testing"))]
pub mod table;
mod task;
mod trial;
mod work;

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

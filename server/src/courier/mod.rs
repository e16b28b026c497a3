//! The courier: writes letters about games into the outbox, and sends what the outbox has.
//!
//! [`hooks`] does the same with events for programs of others. The courier is the only part of the server that opens connections. Nothing on the path of play waits for it: [`follow`] reads the
//! journal as the chronicle does, and the task sends what is due. [`machine`] decides and is pure.
//!
//! Invariant: a letter about a turn is sent only if the game still waits for that turn when the letter is made.

mod asked;
mod compose;
mod follow;
mod hooks;
mod look;
mod machine;
mod pages;
mod reach;
mod smtp;
mod start;
mod stream;
mod task;
mod trial;
mod trust;
mod web;

pub use hooks::{HookFault, hook_problem, webhooks};
pub(crate) use hooks::{HookParts, described, start_hooks};
pub use smtp::MailFault;
pub use start::problem;
pub(crate) use start::{Parts, start};
pub use trial::trial;

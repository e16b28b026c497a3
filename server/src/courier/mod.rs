//! The courier: writes letters about games into the outbox, and sends what the outbox has.
//!
//! It is the only part of the server that opens connections. Nothing on the path of play waits for it: [`follow`] reads the
//! journal as the chronicle does, and the task sends what is due. [`machine`] decides and is pure.
//!
//! Invariant: a letter about a turn is sent only if the game still waits for that turn when the letter is made.

mod asked;
mod compose;
mod follow;
mod look;
mod machine;
mod pages;
mod smtp;
mod start;
mod stream;
mod task;
mod trial;

pub use crate::links::LinkKey;
pub use compose::{Parcel, message_id};
pub use machine::Outcome;
pub use smtp::{Carrier, Failure, MailFault, Stage};
pub(crate) use start::start;
pub use start::{Parts, problem, start_with};
pub use trial::trial;

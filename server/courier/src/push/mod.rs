//! Pushes to browsers (Web Push): a short text for each letter that asks for something, encrypted for one browser and handed
//! to the push service that the browser has chosen.
//!
//! Invariant: a push has no rack, no tile of the bag and no code. It says what the subject of the letter says.

mod content;
mod context;
mod machine;
mod sender;
mod start;

pub use start::problem;
pub use start::{Parts, start};

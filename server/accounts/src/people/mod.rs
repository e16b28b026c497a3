//! The shell around accounts: reads an account, lets the pure machine change it, stores it and carries out the effects.
//!
//! [`tilewire_people`] decides; this module owns the clock, the randomness, the storage and the threads that hash
//! passwords. An answer follows the commit. Passwords, codes and tokens are never logged.

mod blocks;
mod change;
mod chat_off;
#[cfg(test)]
mod chat_off_tests;
mod erasure;
mod failure;
#[cfg(test)]
mod growth_tests;
mod hashing;
mod letters;
mod limits;
mod moderation;
#[cfg(test)]
mod moderation_tests;
mod operations;
mod passwords;
#[cfg(test)]
mod personal_tests;
#[cfg(test)]
mod push_tests;
mod pushes;
mod ratings;
#[cfg(test)]
mod registration_tests;
#[cfg(test)]
mod relation_tests;
mod relations;
mod service;
mod sessions;
#[cfg(test)]
mod sign_in_tests;
#[cfg(test)]
mod tests;
mod vacations;

pub use blocks::Blocks;
pub use chat_off::ChatOff;
pub use failure::Failure;
pub use letters::{CodeAsked, CodeSent, Letters, MailProof, MailReach, OwnerProof};
pub use moderation::changed;
pub use moderation::{Acting, Concerned, Reporting, Wanted};
pub use operations::Operation;
pub use pushes::{DeviceAsked, PushState, Pushes};
pub use ratings::{NoRatings, Ratings, START};
pub use relations::Invited;
pub use service::{People, PeopleServices, Recovery, Registration, SignedIn};

//! The oracle: a second, slow account of a game, by which every test judges the product.
//!
//! It shares no placing, scoring, clock or fold code with the product. The events of `docs/PROTOCOL.md` as JSON
//! documents are its language: [`Fold`] applies what events say, and [`Judge`] also computes what they must say.
//! Typed events of the wire enter through [`document_of`], records of a game's log through [`Records`].

pub mod chance;
mod clocks;
mod document;
mod fold;
mod grid;
pub mod history;
mod judge;
mod records;
pub mod walk;

pub use clocks::Slack;
pub use document::{Square, document_of, laid, number, texts};
pub use fold::{Fold, Seat};
pub use grid::{Board, Judged, Laid, Rule, Word};
pub use judge::Judge;
pub use records::Records;

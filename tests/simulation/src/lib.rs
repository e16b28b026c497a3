//! The simulation of the whole server, and the bugs that it has to find.

pub mod planted;
mod simulation;

pub use simulation::*;

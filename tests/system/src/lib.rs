//! Whole-system tests, and the parts that only they need: several servers, readers of foreign bytes, the imports of our crates.

pub mod alerts;
pub mod cluster;
pub mod fuzz;
pub mod imports;
pub mod page_vectors;

// The fuzz targets name it as their own build does.
use tilewire_conformance::words;

//! Tests of the tree itself: its documents, its crates, the readers of foreign bytes, and instruction counts.

mod decoding_cost;
mod docs;
mod fuzz;
mod instructions;
mod tidy;

//! Tests of the wire protocol as a client author meets it: bytes in, bytes out.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod bounds;
mod catalogue;
mod clauses;
mod codes;
mod document;
#[expect(clippy::too_many_lines, reason = "they are tables")]
mod examples;
#[expect(clippy::too_many_lines, reason = "they are tables")]
mod frames;
mod frozen;
mod golden;
mod head;
mod hostile;
mod roundtrip;
mod schema;
mod sizes;
mod tree;

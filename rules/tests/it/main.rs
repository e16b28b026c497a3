//! Tests of the rules through the crate's public face, in one binary.
//!
//! Cases that are facts live in `tests/data`; each names the rows of the collected rule sheets it stands for, as
//! sheet, section and number: `000-C-G1` is the first rule of play on the classic sheet.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod best_turn;
mod compare;
mod fairness;
mod games;
mod lexicon;
mod lexicon_build;
mod lexicon_hostile;
mod movegen;
mod movegen_oracle;
mod movegen_sets;
mod negative;
mod printed;
mod properties;
mod records;
mod rows;
mod rule_set_bases;
mod rule_sets;
mod sequences;
mod stream;
mod support;
mod table;

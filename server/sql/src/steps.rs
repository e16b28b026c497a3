//! The tables, as steps that lead to them: SQL that SQLite reads, and that `postgres::dialect` translates.

/// All steps, in order. The version of a schema is the number of steps that made it. One that is released is never edited: a
/// change is another step.
pub const STEPS: &[&str] = &[include_str!("steps/version_1.sql")];

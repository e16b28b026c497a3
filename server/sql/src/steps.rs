//! The tables, as steps that lead to them: SQL that SQLite reads, and that `postgres::dialect` translates.

mod pushes;
mod versions_1_to_7;
mod versions_8_to_16;
mod webhooks;

/// All steps, in order. The version of a schema is the number of steps that made it. One that is released is never edited: a
/// change is another step.
pub const STEPS: &[&str] = &[
    versions_1_to_7::VERSION_1,
    versions_1_to_7::VERSION_2,
    versions_1_to_7::VERSION_3,
    versions_1_to_7::VERSION_4,
    versions_1_to_7::VERSION_5,
    versions_1_to_7::VERSION_6,
    versions_1_to_7::VERSION_7,
    versions_8_to_16::VERSION_8,
    versions_8_to_16::VERSION_9,
    versions_8_to_16::VERSION_10,
    versions_8_to_16::VERSION_11,
    versions_8_to_16::VERSION_12,
    versions_8_to_16::VERSION_13,
    versions_8_to_16::VERSION_14,
    versions_8_to_16::VERSION_15,
    versions_8_to_16::VERSION_16,
    webhooks::VERSION_17,
    pushes::VERSION_18,
];

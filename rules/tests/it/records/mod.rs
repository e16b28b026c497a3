//! Checked records: right ones, and ones with a contradiction that the check has to name.

mod mutations;
mod native;
mod score_sheets;
mod tampered;

//! Checked records: right ones, and ones with a contradiction that the check has to name.

mod native;
mod score_sheets;

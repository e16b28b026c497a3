//! Records that are stored together.

use std::ops::Deref;
use std::sync::Arc;

use tilewire_rules::event::Record;

use super::codec::{self, CodecError};

/// Records that are stored together, and the form they are stored in: it is made once, for the journal and for whoever
/// keeps them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordBatch {
    records: Arc<[Record]>,
    row: RecordRow,
}

/// Records that were stored together, in the form they are stored in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordRow {
    /// `seq` of the last one; 0 when there is none.
    pub last: u64,
    /// The encoded records.
    pub bytes: Arc<[u8]>,
}

impl From<Vec<Record>> for RecordBatch {
    fn from(records: Vec<Record>) -> Self {
        let row = RecordRow {
            last: records.last().map_or(0, |record| record.seq.0),
            bytes: codec::encode(&records).into(),
        };
        Self {
            records: records.into(),
            row,
        }
    }
}

impl From<RecordBatch> for RecordRow {
    fn from(batch: RecordBatch) -> Self {
        batch.row
    }
}

impl Deref for RecordBatch {
    type Target = [Record];

    fn deref(&self) -> &[Record] {
        &self.records
    }
}

impl RecordRow {
    /// Returns the records.
    ///
    /// # Errors
    /// When they are damaged, or a newer program wrote them.
    pub fn records(&self) -> Result<Vec<Record>, CodecError> {
        codec::decode(&self.bytes)
    }
}

//! How records are stored: one leading byte with the version of the form, then the record.
//!
//! Version 1 is MessagePack with named fields. Forms are added, never changed: an old log is read for ever.

use tilewire_rules::event::Record;

/// MessagePack with named fields.
const VERSION_1: u8 = 1;

/// Why a stored record cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum CodecError {
    /// There is nothing.
    #[error("the record is empty")]
    Empty,
    /// A newer program wrote it.
    #[error("the record has form {0}; this program knows up to {VERSION_1}")]
    Version(u8),
    /// It is damaged, or a newer program wrote it.
    #[error("the record cannot be read: {0}")]
    Content(#[from] rmp_serde::decode::Error),
}

/// Returns the stored form of a record.
pub(crate) fn encode(record: &Record) -> Vec<u8> {
    let mut bytes = vec![VERSION_1];
    rmp_serde::encode::write_named(&mut bytes, record)
        .expect("a record is plain data, and memory takes every write");
    bytes
}

/// Returns the record of a stored form.
pub(crate) fn decode(bytes: &[u8]) -> Result<Record, CodecError> {
    match bytes.split_first() {
        None => Err(CodecError::Empty),
        Some((&VERSION_1, content)) => Ok(rmp_serde::from_slice(content)?),
        Some((version, _)) => Err(CodecError::Version(*version)),
    }
}

#[cfg(test)]
mod tests {
    use super::{CodecError, decode, encode};
    use crate::storage::contract::samples;

    #[test]
    fn records_come_back_as_they_were() {
        for record in samples::records("g", 1, 20) {
            assert_eq!(decode(&encode(&record)).unwrap(), record);
        }
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        assert!(matches!(decode(&[]), Err(CodecError::Empty)));
        assert!(matches!(decode(&[9, 1]), Err(CodecError::Version(9))));
        let mut bytes = encode(&samples::records("g", 1, 1)[0]);
        bytes.truncate(bytes.len() - 1);
        assert!(matches!(decode(&bytes), Err(CodecError::Content(_))));
    }
}

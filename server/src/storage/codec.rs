//! How records are stored: one leading byte with the version of the form, then the record.
//!
//! Version 1 is MessagePack with named fields. Version 2 is the first bytes of the SHA-256 of that, then the same: damage
//! that happens to read as another record is still damage. Forms are added, never changed: an old log is read for ever.

use sha2::{Digest, Sha256};
use tilewire_rules::event::Record;

/// MessagePack with named fields.
const VERSION_1: u8 = 1;
/// The same behind its digest.
const VERSION_2: u8 = 2;
/// Bytes of the digest that are stored. Damage is met by chance, not made: one in 2^64 goes unnoticed.
const DIGEST_BYTES: usize = 8;

/// Why a stored record cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum CodecError {
    /// There is nothing.
    #[error("the record is empty")]
    Empty,
    /// A newer program wrote it.
    #[error("the record has form {0}; this program knows up to {VERSION_2}")]
    Version(u8),
    /// It is not what was written.
    #[error("the record is damaged: it does not have the digest it was written with")]
    Digest,
    /// It is damaged, or a newer program wrote it.
    #[error("the record cannot be read: {0}")]
    Content(#[from] rmp_serde::decode::Error),
}

/// Returns the stored form of a record.
pub(crate) fn encode(record: &Record) -> Vec<u8> {
    let mut bytes = vec![0; 1 + DIGEST_BYTES];
    rmp_serde::encode::write_named(&mut bytes, record)
        .expect("a record is plain data, and memory takes every write");
    let digest = digest(&bytes[1 + DIGEST_BYTES..]);
    bytes[0] = VERSION_2;
    bytes[1..=DIGEST_BYTES].copy_from_slice(&digest);
    bytes
}

/// Returns the record of a stored form.
pub(crate) fn decode(bytes: &[u8]) -> Result<Record, CodecError> {
    match bytes.split_first() {
        None => Err(CodecError::Empty),
        Some((&VERSION_1, content)) => Ok(rmp_serde::from_slice(content)?),
        Some((&VERSION_2, rest)) => match rest.split_first_chunk() {
            Some((found, content)) if *found == digest(content) => {
                Ok(rmp_serde::from_slice(content)?)
            }
            _ => Err(CodecError::Digest),
        },
        Some((version, _)) => Err(CodecError::Version(*version)),
    }
}

fn digest(content: &[u8]) -> [u8; DIGEST_BYTES] {
    let mut bytes = [0; DIGEST_BYTES];
    bytes.copy_from_slice(&Sha256::digest(content)[..DIGEST_BYTES]);
    bytes
}

#[cfg(test)]
mod tests {
    use super::{CodecError, decode, encode};
    use crate::storage::contract::samples;

    #[test]
    fn records_come_back_as_they_were() {
        for record in samples::records("g", 1, 20) {
            let stored = encode(&record);
            assert_eq!(decode(&stored).unwrap(), record);
            let first_form = [&[1], &stored[1 + super::DIGEST_BYTES..]].concat();
            assert_eq!(decode(&first_form).unwrap(), record);
        }
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        assert!(matches!(decode(&[]), Err(CodecError::Empty)));
        assert!(matches!(decode(&[9, 1]), Err(CodecError::Version(9))));
        let sound = encode(&samples::records("g", 1, 1)[0]);
        assert!(matches!(
            decode(&sound[..sound.len() - 1]),
            Err(CodecError::Digest)
        ));
        assert!(matches!(decode(&sound[..4]), Err(CodecError::Digest)));
        for (at, bit) in (0..sound.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
            let mut damaged = sound.clone();
            damaged[at] ^= 1 << bit;
            assert!(decode(&damaged).is_err(), "byte {at}, bit {bit}");
        }
        let first = [&[1], &sound[1 + super::DIGEST_BYTES..sound.len() - 1]].concat();
        assert!(matches!(decode(&first), Err(CodecError::Content(_))));
    }
}

//! How records are stored: one leading byte with the version of the form, then the records.
//!
//! Version 1 is one record, MessagePack with named fields. Version 2 is the first bytes of the SHA-256 of that, then the
//! same: damage that happens to read as another record is still damage. Version 3 is the same for all records of an
//! append, in an array. Forms are added, never changed: an old log is read for ever.

use sha2::{Digest, Sha256};
use tilewire_rules::event::Record;

/// A record, MessagePack with named fields.
const VERSION_1: u8 = 1;
/// The same behind its digest.
const VERSION_2: u8 = 2;
/// An array of them behind its digest.
const VERSION_3: u8 = 3;
/// Bytes of the digest that are stored. Damage is met by chance, not made: one in 2^64 goes unnoticed.
const DIGEST_BYTES: usize = 8;

/// Why stored records cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum CodecError {
    /// There is nothing.
    #[error("there is no record")]
    Empty,
    /// A newer program wrote it.
    #[error("the records have form {0}; this program knows up to {VERSION_3}")]
    Version(u8),
    /// It is not what was written.
    #[error("the records are damaged: they do not have the digest they were written with")]
    Digest,
    /// It is damaged, or a newer program wrote it.
    #[error("the records cannot be read: {0}")]
    Content(#[from] rmp_serde::decode::Error),
}

/// Returns the stored form of records.
pub(crate) fn encode(records: &[Record]) -> Vec<u8> {
    let mut bytes = vec![0; 1 + DIGEST_BYTES];
    rmp_serde::encode::write_named(&mut bytes, records)
        .expect("records are plain data, and memory takes every write");
    let digest = digest(&bytes[1 + DIGEST_BYTES..]);
    bytes[0] = VERSION_3;
    bytes[1..=DIGEST_BYTES].copy_from_slice(&digest);
    bytes
}

/// Returns the records of a stored form.
pub(crate) fn decode(bytes: &[u8]) -> Result<Vec<Record>, CodecError> {
    let (&version, rest) = bytes.split_first().ok_or(CodecError::Empty)?;
    match version {
        VERSION_1 => Ok(vec![rmp_serde::from_slice(rest)?]),
        VERSION_2 => Ok(vec![rmp_serde::from_slice(behind_digest(rest)?)?]),
        VERSION_3 => Ok(rmp_serde::from_slice(behind_digest(rest)?)?),
        _ => Err(CodecError::Version(version)),
    }
}

fn behind_digest(bytes: &[u8]) -> Result<&[u8], CodecError> {
    match bytes.split_first_chunk() {
        Some((found, content)) if *found == digest(content) => Ok(content),
        _ => Err(CodecError::Digest),
    }
}

fn digest(content: &[u8]) -> [u8; DIGEST_BYTES] {
    let mut bytes = [0; DIGEST_BYTES];
    bytes.copy_from_slice(&Sha256::digest(content)[..DIGEST_BYTES]);
    bytes
}

#[cfg(test)]
mod tests {
    use super::{CodecError, VERSION_1, VERSION_2, decode, digest, encode};
    use crate::storage::contract_suite::samples;

    #[test]
    fn records_come_back_as_they_were() {
        let records = samples::records("g", 1, 20);
        for together in [1, 2, 20] {
            for records in records.chunks(together) {
                assert_eq!(decode(&encode(records)).unwrap(), records);
            }
        }
        for record in records {
            let content = rmp_serde::to_vec_named(&record).unwrap();
            let first_form = [&[VERSION_1], &content[..]].concat();
            let second_form = [&[VERSION_2], &digest(&content)[..], &content].concat();
            for form in [first_form, second_form] {
                assert_eq!(decode(&form).unwrap(), std::slice::from_ref(&record));
            }
        }
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        assert!(matches!(decode(&[]), Err(CodecError::Empty)));
        assert!(matches!(decode(&[9, 1]), Err(CodecError::Version(9))));
        let sound = encode(&samples::records("g", 1, 2));
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
        let content = rmp_serde::to_vec_named(&samples::records("g", 1, 1)[0]).unwrap();
        let first_form = [&[VERSION_1], &content[..content.len() - 1]].concat();
        assert!(matches!(decode(&first_form), Err(CodecError::Content(_))));
    }
}

//! The stored form of records, accounts and results: one byte with the number of the form, the first bytes of the SHA-256 of the
//! content, and the content in MessagePack with named fields: the records of one append as an array, an account, or the
//! result of a game.
//!
//! The digest detects damage that still decodes.

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use tilewire_people::accounts::Account;
use tilewire_people::results::GameResult;
use tilewire_rules::event::Record;

/// The number of the form of records.
const RECORDS: u8 = 3;
/// The number of the form of accounts.
const ACCOUNT: u8 = 1;
/// The number of the form of results.
const RESULT: u8 = 1;
/// Stored bytes of the digest. It detects accidental damage, not forgery: one damage in 2^64 goes undetected.
const DIGEST_BYTES: usize = 8;

/// Why a stored row cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum CodecError {
    /// The row is empty.
    #[error("the row is empty")]
    Empty,
    /// A newer program wrote the row, or its first byte is damaged.
    #[error("the row has form {found}; this program reads form {known}")]
    Form {
        /// The form of the row.
        found: u8,
        /// The form that this program reads.
        known: u8,
    },
    /// The content does not match its digest.
    #[error("the row is damaged: it does not match its digest")]
    Digest,
    /// The content matches its digest, but is not what the row should hold: another program wrote it.
    #[error("the row cannot be decoded: {0}")]
    Content(#[from] rmp_serde::decode::Error),
}

/// Returns the stored form of records.
pub fn encode(records: &[Record]) -> Vec<u8> {
    seal(RECORDS, records)
}

/// Returns the records of a stored form.
pub fn decode(bytes: &[u8]) -> Result<Vec<Record>, CodecError> {
    open(RECORDS, bytes)
}

/// Returns the stored form of an account.
pub fn encode_account(account: &Account) -> Vec<u8> {
    seal(ACCOUNT, account)
}

/// Returns the account of a stored form.
pub fn decode_account(bytes: &[u8]) -> Result<Account, CodecError> {
    open(ACCOUNT, bytes)
}

/// Returns the stored form of a result.
pub fn encode_result(result: &GameResult) -> Vec<u8> {
    seal(RESULT, result)
}

/// Returns the result of a stored form.
pub fn decode_result(bytes: &[u8]) -> Result<GameResult, CodecError> {
    open(RESULT, bytes)
}

fn seal<T: Serialize + ?Sized>(form: u8, content: &T) -> Vec<u8> {
    let mut bytes = vec![0; 1 + DIGEST_BYTES];
    rmp_serde::encode::write_named(&mut bytes, content)
        .expect("the content is plain data, and a write to memory does not fail");
    let digest = digest(&bytes[1 + DIGEST_BYTES..]);
    bytes[0] = form;
    bytes[1..=DIGEST_BYTES].copy_from_slice(&digest);
    bytes
}

fn open<T: DeserializeOwned>(known: u8, bytes: &[u8]) -> Result<T, CodecError> {
    let (&found, rest) = bytes.split_first().ok_or(CodecError::Empty)?;
    if found != known {
        return Err(CodecError::Form { found, known });
    }
    Ok(rmp_serde::from_slice(behind_digest(rest)?)?)
}

/// Returns the content after its digest.
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
    use super::{CodecError, RECORDS, decode, digest, encode};
    use crate::contract_suite::samples;

    #[test]
    fn decoded_records_equal_the_encoded_ones() {
        let records = samples::records("g", 1, 20);
        for together in [1, 2, 20] {
            for records in records.chunks(together) {
                assert_eq!(decode(&encode(records)).unwrap(), records);
            }
        }
    }

    #[test]
    fn a_damaged_row_is_refused_with_the_reason() {
        assert!(matches!(decode(&[]), Err(CodecError::Empty)));
        assert!(matches!(
            decode(&[9, 1]),
            Err(CodecError::Form { found: 9, .. })
        ));
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
        let record = rmp_serde::to_vec_named(&samples::records("g", 1, 1)[0]).unwrap();
        let no_array = [&[RECORDS], &digest(&record)[..], &record].concat();
        assert!(matches!(decode(&no_array), Err(CodecError::Content(_))));
    }
}

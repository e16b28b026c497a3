//! A batch: the messages of one node to another that one publication on the bus carries, with a head and a seal.
//!
//! Its form: one byte with the number of the form, a seal of 16 bytes, and the head and the messages in MessagePack. The seal is
//! the beginning of an HMAC-SHA256 over everything behind it, with a key that only the servers of one database know. So a batch
//! that another client of the bus makes is refused before it is decoded.

use std::fmt;

use bytes::Bytes;
use ring::hmac;
use serde::{Deserialize, Serialize};

use super::message::{ToGateway, ToOwner};
use tilewire_store::{Incarnation, NodeId};

/// The number of the form of a batch that this program writes.
const FORM: u8 = 1;
/// Bytes of a seal.
const SEAL_BYTES: usize = 16;
/// Bytes before the content.
const HEAD_BYTES: usize = 1 + SEAL_BYTES;
/// The largest batch, bytes: what a NATS server takes by default (`max_payload`).
pub const BATCH_MAX_BYTES: usize = 1_048_576;
/// The largest frame or request in a batch, bytes; the rest of the batch is for what stands beside it.
pub const PAYLOAD_MAX_BYTES: usize = BATCH_MAX_BYTES - 4_096;
/// Bytes that a message takes in a batch at most, beside its payload.
pub const OVERHEAD_BYTES: usize = 512;

/// The head of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// The sender.
    pub from: NodeId,
    /// The sender's incarnation.
    pub incarnation: Incarnation,
    /// The receiver.
    pub to: NodeId,
    /// The incarnation of the receiver that the messages are for; `None` while the sender does not know it, and then there are
    /// none.
    pub to_incarnation: Option<Incarnation>,
    /// Counts the batches of this incarnation to the receiver, from 1.
    pub number: u64,
    /// How often the sender has lost batches of the receiver's incarnation, or has given the receiver up.
    pub resets: u64,
}

/// The messages of a batch, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Messages {
    /// Those to the owner.
    pub to_owner: Vec<ToOwner>,
    /// Those to the gateway.
    pub to_gateway: Vec<ToGateway>,
}

/// A batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// Its head.
    pub head: Head,
    /// Its messages.
    pub messages: Messages,
}

/// The stored fields of a batch, in their order.
type Fields<M> = (i32, i64, i32, Option<i64>, u64, u64, M);

/// Why a batch is refused.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// It is too short or too long.
    #[error("a batch of {0} bytes")]
    Size(usize),
    /// A program of another version wrote it.
    #[error("the batch has form {0}; this program reads form {FORM}")]
    Form(u8),
    /// No key in use has sealed it.
    #[error("the batch is not from a server of this cluster")]
    Seal,
    /// A server sealed it, but it is no batch.
    #[error("the batch cannot be decoded: {0}")]
    Content(#[from] rmp_serde::decode::Error),
}

/// Seals batches and checks seals.
#[derive(Clone)]
pub struct Sealer {
    /// The key that seals first; the others are taken too.
    keys: Vec<hmac::Key>,
}

impl fmt::Debug for Sealer {
    /// Shows no key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sealer with {} keys", self.keys.len())
    }
}

impl Sealer {
    /// Returns the sealer of a cluster. Its keys follow from secrets that all nodes know: the first one seals, all are accepted.
    /// Another use of the same secrets needs another label.
    #[must_use]
    pub fn new<'a>(cluster: &str, secrets: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let derived = secrets.into_iter().map(|secret| {
            let secret = hmac::Key::new(hmac::HMAC_SHA256, secret);
            let label = format!("tilewire relay {cluster}");
            let key = hmac::sign(&secret, label.as_bytes());
            hmac::Key::new(hmac::HMAC_SHA256, key.as_ref())
        });
        Self {
            keys: derived.collect(),
        }
    }

    /// Returns the seal of a content. Without keys, no node accepts the seal.
    fn seal(&self, content: &[u8]) -> [u8; SEAL_BYTES] {
        let mut seal = [0; SEAL_BYTES];
        if let Some(key) = self.keys.first() {
            seal.copy_from_slice(&hmac::sign(key, content).as_ref()[..SEAL_BYTES]);
        }
        seal
    }

    fn accepts(&self, seal: &[u8], content: &[u8]) -> bool {
        self.keys.iter().any(|key| {
            let right = hmac::sign(key, content);
            bool::from(subtle::ConstantTimeEq::ct_eq(
                &right.as_ref()[..SEAL_BYTES],
                seal,
            ))
        })
    }
}

impl Batch {
    /// Encodes and seals a batch.
    ///
    /// # Panics
    /// Never: the content is plain data, and a write to memory does not fail.
    #[must_use]
    pub fn encode(&self, sealer: &Sealer) -> Bytes {
        let Head {
            from,
            incarnation,
            to,
            to_incarnation,
            number,
            resets,
        } = self.head;
        let to_incarnation = to_incarnation.map(|Incarnation(incarnation)| incarnation);
        let fields: Fields<&Messages> = (
            from.0,
            incarnation.0,
            to.0,
            to_incarnation,
            number,
            resets,
            &self.messages,
        );
        let mut bytes = vec![0; HEAD_BYTES];
        rmp_serde::encode::write(&mut bytes, &fields)
            .expect("the content is plain data, and a write to memory does not fail");
        bytes[0] = FORM;
        let seal = sealer.seal(&bytes[HEAD_BYTES..]);
        bytes[1..HEAD_BYTES].copy_from_slice(&seal);
        bytes.into()
    }

    /// Checks and decodes a batch.
    ///
    /// # Errors
    /// Why it is refused.
    pub fn decode(sealer: &Sealer, bytes: &[u8]) -> Result<Self, BatchError> {
        if bytes.len() < HEAD_BYTES || bytes.len() > BATCH_MAX_BYTES {
            return Err(BatchError::Size(bytes.len()));
        }
        let (head, content) = bytes.split_at(HEAD_BYTES);
        if head[0] != FORM {
            return Err(BatchError::Form(head[0]));
        }
        if !sealer.accepts(&head[1..], content) {
            return Err(BatchError::Seal);
        }
        let (from, incarnation, to, to_incarnation, number, resets, messages): Fields<Messages> =
            rmp_serde::from_slice(content)?;
        let head = Head {
            from: NodeId(from),
            incarnation: Incarnation(incarnation),
            to: NodeId(to),
            to_incarnation: to_incarnation.map(Incarnation),
            number,
            resets,
        };
        Ok(Self { head, messages })
    }
}

#[cfg(test)]
mod tests;

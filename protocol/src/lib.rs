//! The Tilewire wire protocol, version 1: message types, codecs, limits, error and close codes.
//!
//! This crate is pure: it opens no socket, reads no clock and draws no randomness. It knows nothing of the rules of the
//! game; squares, faces and words are text here. `docs/PROTOCOL.md` is the same protocol written for people who have
//! only the document.
//!
//! Invariants:
//! - decoding never panics and never allocates more than a small multiple of the bytes it was given;
//! - what is encoded decodes to an equal value, in both encodings;
//! - a client survives everything a later version may add: unknown fields, ops, event kinds and enumeration values.

#[cfg(feature = "http")]
pub mod http;
pub mod limits;
#[cfg(feature = "schema")]
pub mod schema;
#[cfg(feature = "schema")]
mod schema_parts;

mod macros;
mod text;

mod bytes;
mod causes;
mod clocks;
mod close_code;
mod encoding;
mod enums;
mod error_code;
mod ids;

mod wire;

mod adjourn;
mod body;
mod chat;
mod client;
mod criteria;
mod event;
mod game;
mod hints;
mod invitation;
mod lobby;
mod moderation;
mod options;
mod pushes;
mod questions;
mod server;
mod snapshot;

mod codec;

pub use adjourn::*;
pub use bytes::{Bytes, Token};
pub use causes::causes;
pub use chat::*;
pub use client::*;
pub use clocks::*;
pub use close_code::{CloseCode, Reconnect};
pub use codec::{
    DecodeError, SharedAnswer, decode_client, decode_server, encode_client, encode_server,
};
pub use criteria::*;
pub use encoding::{Codec, SUBPROTOCOL_JSON, SUBPROTOCOL_MSGPACK};
pub use enums::*;
pub use error_code::{ErrorCode, ErrorGroup, Remedy};
pub use event::*;
pub use game::*;
pub use hints::*;
pub use ids::{CmdId, GameId, IdentityId, RoomId, SeekId};
pub use invitation::*;
pub use lobby::*;
pub use moderation::*;
pub use options::*;
pub use pushes::*;
pub use questions::*;
pub use server::*;
pub use snapshot::*;
pub use wire::CommandHead;

/// The protocol version this crate speaks, as sent in `hello`.
pub const PROTOCOL_VERSION: u32 = 1;

/// The path of the WebSocket endpoint on the players' listener.
pub const WEBSOCKET_PATH: &str = "/ws";

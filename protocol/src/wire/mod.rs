//! The two encodings as data formats of serde: one reader and one writer, for both encodings and all types.
//!
//! Each type of the protocol is compiled once for reading and once for writing. The reader trusts the structure of its
//! input, because the codec checks it before; it never panics, also when the structure is faulty.

mod fault;
mod head;
mod json;
mod msgpack;
mod reader;
mod writer;

pub(crate) use fault::{Fault, common};
pub use head::CommandHead;
pub(crate) use msgpack::Cursor;
pub(crate) use reader::{ReadError, Reader};
pub(crate) use writer::Writer;

//! Writes values of the protocol's types, in either encoding.

use std::fmt::Display;

use serde::Serialize;
use serde::ser::{Error, Impossible, SerializeSeq, SerializeStruct, SerializeTuple, Serializer};

use crate::encoding::Codec;

/// A frame that is being written.
pub(crate) struct Writer {
    out: Vec<u8>,
    codec: Codec,
    /// Where the map begins that the next struct continues.
    continued: Option<usize>,
}

/// The entries of a list or map that are being written.
pub(crate) struct Entries<'w> {
    writer: &'w mut Writer,
    is_first: bool,
    /// The end of the list or map in JSON.
    close: u8,
}

/// A value that the protocol has no form for; its types have no such value.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct WriteError(String);

type Written = Result<(), WriteError>;

impl Writer {
    pub(crate) const fn new(codec: Codec, out: Vec<u8>) -> Self {
        Self {
            out,
            codec,
            continued: None,
        }
    }

    /// The bytes that were written.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.out
    }

    /// Writes one value.
    pub(crate) fn value<T: Serialize>(&mut self, value: &T) {
        value
            .serialize(self)
            .expect("every value of a type of the protocol can be written");
    }

    /// Writes two structs as one map: the fields of the first, then those of the second.
    pub(crate) fn merged<A: Serialize, B: Serialize>(&mut self, first: &A, second: &B) {
        let start = self.out.len();
        self.value(first);
        self.continued = Some(start);
        self.value(second);
    }

    fn list(&mut self, len: usize) -> Result<Entries<'_>, WriteError> {
        match self.codec {
            Codec::MsgPack => {
                let len = u32::try_from(len).map_err(WriteError::custom)?;
                rmp::encode::write_array_len(&mut self.out, len).map_err(WriteError::custom)?;
            }
            Codec::Json => self.out.push(b'['),
        }
        Ok(Entries {
            writer: self,
            is_first: true,
            close: b']',
        })
    }

    fn map(&mut self, len: usize) -> Result<Entries<'_>, WriteError> {
        let is_first = match (self.continued.take(), self.codec) {
            (None, Codec::Json) => {
                self.out.push(b'{');
                true
            }
            (None, Codec::MsgPack) => {
                let len = u32::try_from(len).map_err(WriteError::custom)?;
                rmp::encode::write_map_len(&mut self.out, len).map_err(WriteError::custom)?;
                true
            }
            (Some(start), Codec::Json) => {
                self.out.pop();
                // Not even one field is between the brackets.
                self.out.len() == start + 1
            }
            (Some(start), Codec::MsgPack) => {
                self.lengthen(start, len)?;
                false
            }
        };
        Ok(Entries {
            writer: self,
            is_first,
            close: b'}',
        })
    }

    /// Adds so many entries to the length of the map that begins at `start`, which has at most 15 now.
    fn lengthen(&mut self, start: usize, more: usize) -> Written {
        let rmp::Marker::FixMap(len) = rmp::Marker::from_u8(self.out[start]) else {
            return Err(WriteError::custom("a long map cannot be continued"));
        };
        let len = u32::try_from(usize::from(len) + more).map_err(WriteError::custom)?;
        let mut head = Vec::new();
        rmp::encode::write_map_len(&mut head, len).map_err(WriteError::custom)?;
        if let [byte] = head[..] {
            self.out[start] = byte;
        } else {
            self.out.splice(start..=start, head);
        }
        Ok(())
    }

    fn json<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        serde_json::to_writer(&mut self.out, value).map_err(WriteError::custom)
    }
}

impl Entries<'_> {
    fn entry<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        self.comma();
        value.serialize(&mut *self.writer)
    }

    fn field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Written {
        self.key(key)?;
        value.serialize(&mut *self.writer)
    }

    fn comma(&mut self) {
        if self.writer.codec == Codec::Json && !self.is_first {
            self.writer.out.push(b',');
        }
        self.is_first = false;
    }

    fn key(&mut self, key: &'static str) -> Written {
        self.comma();
        let out = &mut self.writer.out;
        match self.writer.codec {
            Codec::MsgPack => rmp::encode::write_str(out, key).map_err(WriteError::custom)?,
            Codec::Json => {
                // The names of fields have no characters that JSON escapes.
                out.push(b'"');
                out.extend_from_slice(key.as_bytes());
                out.extend_from_slice(b"\":");
            }
        }
        Ok(())
    }

    fn close(self) {
        if self.writer.codec == Codec::Json {
            self.writer.out.push(self.close);
        }
    }
}

impl Error for WriteError {
    fn custom<T: Display>(text: T) -> Self {
        Self(text.to_string())
    }
}

fn no_form<T>(what: &str) -> Result<T, WriteError> {
    Err(WriteError::custom(format_args!(
        "the protocol has no form for {what}"
    )))
}

impl<'w> Serializer for &'w mut Writer {
    type Ok = ();
    type Error = WriteError;
    type SerializeSeq = Entries<'w>;
    type SerializeTuple = Entries<'w>;
    type SerializeStruct = Entries<'w>;
    type SerializeTupleStruct = Impossible<(), WriteError>;
    type SerializeTupleVariant = Impossible<(), WriteError>;
    type SerializeMap = Impossible<(), WriteError>;
    type SerializeStructVariant = Impossible<(), WriteError>;

    fn is_human_readable(&self) -> bool {
        self.codec == Codec::Json
    }

    fn serialize_bool(self, value: bool) -> Written {
        match self.codec {
            Codec::MsgPack => {
                rmp::encode::write_bool(&mut self.out, value).map_err(WriteError::custom)
            }
            Codec::Json => self.json(&value),
        }
    }

    fn serialize_i8(self, value: i8) -> Written {
        self.serialize_i64(i64::from(value))
    }

    fn serialize_i16(self, value: i16) -> Written {
        self.serialize_i64(i64::from(value))
    }

    fn serialize_i32(self, value: i32) -> Written {
        self.serialize_i64(i64::from(value))
    }

    fn serialize_i64(self, value: i64) -> Written {
        match self.codec {
            Codec::MsgPack => rmp::encode::write_sint(&mut self.out, value)
                .map(drop)
                .map_err(WriteError::custom),
            Codec::Json => self.json(&value),
        }
    }

    fn serialize_u8(self, value: u8) -> Written {
        self.serialize_u64(u64::from(value))
    }

    fn serialize_u16(self, value: u16) -> Written {
        self.serialize_u64(u64::from(value))
    }

    fn serialize_u32(self, value: u32) -> Written {
        self.serialize_u64(u64::from(value))
    }

    fn serialize_u64(self, value: u64) -> Written {
        match self.codec {
            Codec::MsgPack => rmp::encode::write_uint(&mut self.out, value)
                .map(drop)
                .map_err(WriteError::custom),
            Codec::Json => self.json(&value),
        }
    }

    fn serialize_f32(self, _: f32) -> Written {
        no_form("fractions")
    }

    fn serialize_f64(self, _: f64) -> Written {
        no_form("fractions")
    }

    fn serialize_char(self, _: char) -> Written {
        no_form("single characters")
    }

    fn serialize_str(self, text: &str) -> Written {
        match self.codec {
            Codec::MsgPack => {
                rmp::encode::write_str(&mut self.out, text).map_err(WriteError::custom)
            }
            Codec::Json => self.json(text),
        }
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Written {
        match self.codec {
            Codec::MsgPack => {
                rmp::encode::write_bin(&mut self.out, bytes).map_err(WriteError::custom)
            }
            Codec::Json => no_form("raw bytes in JSON"),
        }
    }

    fn serialize_none(self) -> Written {
        no_form("null")
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Written {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Written {
        no_form("null")
    }

    fn serialize_unit_struct(self, _: &'static str) -> Written {
        no_form("null")
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Written {
        no_form("variants")
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Written {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Written {
        no_form("variants")
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Entries<'w>, WriteError> {
        match len {
            Some(len) => self.list(len),
            None => no_form("lists of unknown length"),
        }
    }

    fn serialize_tuple(self, len: usize) -> Result<Entries<'w>, WriteError> {
        self.list(len)
    }

    fn serialize_tuple_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleStruct, WriteError> {
        no_form("tuples with a name")
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, WriteError> {
        no_form("variants")
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, WriteError> {
        no_form("maps with keys of their own")
    }

    fn serialize_struct(self, _: &'static str, len: usize) -> Result<Entries<'w>, WriteError> {
        self.map(len)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, WriteError> {
        no_form("variants")
    }
}

impl SerializeSeq for Entries<'_> {
    type Ok = ();
    type Error = WriteError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        self.entry(value)
    }

    fn end(self) -> Written {
        self.close();
        Ok(())
    }
}

impl SerializeTuple for Entries<'_> {
    type Ok = ();
    type Error = WriteError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        self.entry(value)
    }

    fn end(self) -> Written {
        self.close();
        Ok(())
    }
}

impl SerializeStruct for Entries<'_> {
    type Ok = ();
    type Error = WriteError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Written {
        self.field(key, value)
    }

    fn end(self) -> Written {
        self.close();
        Ok(())
    }
}

//! Reads values of the protocol's types, from either encoding.

use std::borrow::Cow;
use std::fmt::Display;

use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, Error, Expected, MapAccess, SeqAccess, Unexpected, Visitor,
};
use serde::forward_to_deserialize_any;

use super::fault::Fault;
use super::json::Lexer;
use super::msgpack::Cursor;
use crate::error_code::ErrorCode;

/// A place before a value.
#[derive(Clone)]
pub(crate) enum Reader<'de> {
    MsgPack(Cursor<'de>),
    Json(Lexer<'de>),
}

/// A value that does not fit its type, with the path of the field.
#[derive(Debug)]
pub(crate) struct ReadError(Box<Fault>);

/// The entries of a list or map that were not read yet.
struct Entries<'r, 'de> {
    reader: &'r mut Reader<'de>,
    /// Entries that were read.
    index: usize,
    /// All entries; only MessagePack knows them before the end.
    count: Option<usize>,
    /// Whether the end was read.
    is_ended: bool,
    /// The key of the value that comes next.
    key: Cow<'de, str>,
}

/// The value at a position of the input.
enum Found<'de> {
    Nothing,
    Bool(bool),
    Integer(i64),
    Text(Cow<'de, str>),
    Bytes,
    List,
    Map,
}

impl<'de> Reader<'de> {
    /// Reads a body in MessagePack.
    pub(crate) const fn msgpack(body: &'de [u8]) -> Self {
        Self::MsgPack(Cursor::new(body))
    }

    /// Reads the body of a whole message in JSON, its third element.
    pub(crate) fn json(message: &'de str) -> Self {
        let mut lexer = Lexer::new(message);
        // In a message that was checked, all of this is there.
        lexer.take(b'[');
        for _ in 0..2 {
            lexer.skip();
            lexer.take(b',');
        }
        Self::Json(lexer)
    }

    fn boolean(&mut self) -> Option<bool> {
        match self {
            Self::MsgPack(cursor) => cursor.boolean(),
            Self::Json(lexer) => lexer.boolean(),
        }
    }

    fn integer(&mut self) -> Option<i64> {
        match self {
            Self::MsgPack(cursor) => cursor.integer(),
            Self::Json(lexer) => lexer.integer(),
        }
    }

    fn text(&mut self) -> Option<Cow<'de, str>> {
        match self {
            Self::MsgPack(cursor) => cursor.string().map(Cow::Borrowed),
            Self::Json(lexer) => lexer.string(),
        }
    }

    fn bytes(&mut self) -> Option<&'de [u8]> {
        match self {
            Self::MsgPack(cursor) => cursor.binary(),
            Self::Json(_) => None,
        }
    }

    /// Steps into a list or map that begins with this bracket in JSON.
    fn open(&mut self, bracket: u8) -> Option<Entries<'_, 'de>> {
        let count = match self {
            Self::MsgPack(cursor) if bracket == b'[' => Some(cursor.list()?),
            Self::MsgPack(cursor) => Some(cursor.map()?),
            Self::Json(lexer) => {
                lexer.take(bracket)?;
                None
            }
        };
        Some(Entries {
            reader: self,
            index: 0,
            count,
            is_ended: false,
            key: Cow::Borrowed(""),
        })
    }

    fn skip(&mut self) -> Option<()> {
        match self {
            Self::MsgPack(cursor) => cursor.skip(),
            Self::Json(lexer) => lexer.skip(),
        }
    }

    /// Looks at the next value without reading it.
    fn found(&self) -> Found<'de> {
        let mut ahead = self.clone();
        if let Some(value) = ahead.boolean() {
            Found::Bool(value)
        } else if let Some(value) = ahead.integer() {
            Found::Integer(value)
        } else if let Some(text) = ahead.text() {
            Found::Text(text)
        } else if ahead.bytes().is_some() {
            Found::Bytes
        } else if ahead.open(b'[').is_some() {
            Found::List
        } else if ahead.open(b'{').is_some() {
            Found::Map
        } else {
            Found::Nothing
        }
    }

    /// The error of a value of another type than expected.
    #[cold]
    fn unfit(&self, expected: &dyn Expected) -> ReadError {
        let found = self.found();
        let found = match &found {
            Found::Nothing => Unexpected::Other("the end of the frame"),
            Found::Bool(value) => Unexpected::Bool(*value),
            Found::Integer(value) => match u64::try_from(*value) {
                Ok(value) => Unexpected::Unsigned(value),
                Err(_) => Unexpected::Signed(*value),
            },
            Found::Text(text) => Unexpected::Str(text),
            Found::Bytes => Unexpected::Other("bytes (bin)"),
            Found::List => Unexpected::Seq,
            Found::Map => Unexpected::Map,
        };
        ReadError::invalid_type(found, expected)
    }
}

impl ReadError {
    /// The fault, seen from the body.
    pub(crate) fn into_fault(self) -> Fault {
        *self.0
    }

    #[cold]
    fn of(text: &dyn Display) -> Self {
        Self(Box::new(Fault::new(ErrorCode::BadField, text.to_string())))
    }

    #[cold]
    fn under_key(mut self, key: &str) -> Self {
        *self.0 = self.0.under_key(key);
        self
    }

    #[cold]
    fn under_index(mut self, index: usize) -> Self {
        *self.0 = self.0.under_index(index);
        self
    }
}

impl Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0.text())
    }
}

impl std::error::Error for ReadError {}

impl Error for ReadError {
    fn custom<T: Display>(text: T) -> Self {
        Self::of(&text)
    }

    #[cold]
    fn missing_field(field: &'static str) -> Self {
        let text = format!("missing field `{field}`");
        Self(Box::new(Fault::at(ErrorCode::BadField, field, text)))
    }
}

macro_rules! read_integers {
    ($($method:ident)+) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
            self.deserialize_i64(visitor)
        })+
    };
}

impl<'de> Deserializer<'de> for &mut Reader<'de> {
    type Error = ReadError;

    fn is_human_readable(&self) -> bool {
        matches!(self, Reader::Json(_))
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        // No type of the protocol asks for anything but the types below.
        Err(self.unfit(&visitor))
    }

    forward_to_deserialize_any! {
        i128 u128 f32 f64 char unit unit_struct newtype_struct tuple_struct map enum
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.boolean() {
            Some(value) => visitor.visit_bool(value),
            None => Err(self.unfit(&visitor)),
        }
    }

    read_integers! {
        deserialize_i8 deserialize_i16 deserialize_i32
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.integer() {
            Some(value) => match u64::try_from(value) {
                Ok(value) => visitor.visit_u64(value),
                Err(_) => visitor.visit_i64(value),
            },
            None => Err(self.unfit(&visitor)),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.text() {
            Some(text) => visitor.visit_str(&text),
            None => Err(self.unfit(&visitor)),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.bytes() {
            Some(bytes) => visitor.visit_bytes(bytes),
            None => Err(self.unfit(&visitor)),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        // There is no null; an absent field is not read at all.
        visitor.visit_some(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        let Some(mut entries) = self.open(b'[') else {
            return Err(self.unfit(&visitor));
        };
        let value = visitor.visit_seq(&mut entries)?;
        match entries.next(b']') {
            None => Ok(value),
            Some(()) => Err(ReadError::of(&"the list has too many elements")),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        _len: usize,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        match self.open(b'{') {
            Some(entries) => visitor.visit_map(entries),
            None => Err(self.unfit(&"a map")),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.skip() {
            Some(()) => visitor.visit_unit(),
            None => Err(self.unfit(&visitor)),
        }
    }
}

impl Entries<'_, '_> {
    /// Steps to the next entry; `None` at the end, which is `close` in JSON.
    fn next(&mut self, close: u8) -> Option<()> {
        let is_there = !self.is_ended
            && match self.reader {
                Reader::MsgPack(_) => Some(self.index) < self.count,
                Reader::Json(lexer) => lexer.next_entry(self.index == 0, close).is_some(),
            };
        self.is_ended = !is_there;
        self.index += usize::from(is_there);
        is_there.then_some(())
    }

    fn left(&self) -> Option<usize> {
        self.count.map(|count| count - self.index)
    }
}

impl<'de> SeqAccess<'de> for &mut Entries<'_, 'de> {
    type Error = ReadError;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, ReadError> {
        match self.next(b']') {
            None => Ok(None),
            Some(()) => seed
                .deserialize(&mut *self.reader)
                .map(Some)
                .map_err(|error| error.under_index(self.index - 1)),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        self.left()
    }
}

impl<'de> MapAccess<'de> for Entries<'_, 'de> {
    type Error = ReadError;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, ReadError> {
        if self.next(b'}').is_none() {
            return Ok(None);
        }
        self.key = match self.reader.text() {
            Some(key) => key,
            None => return Err(self.reader.unfit(&"a key")),
        };
        if let Reader::Json(lexer) = self.reader {
            lexer.take(b':');
        }
        let key: StrDeserializer<'_, ReadError> = StrDeserializer::new(&self.key);
        seed.deserialize(key).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, ReadError> {
        seed.deserialize(&mut *self.reader)
            .map_err(|error| error.under_key(&self.key))
    }

    fn size_hint(&self) -> Option<usize> {
        self.left()
    }
}

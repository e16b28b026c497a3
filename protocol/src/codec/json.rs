//! The envelope in JSON, and the check of the structure of a frame, with the same limits as in MessagePack.

use std::cell::RefCell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::error::Category;

use super::error::DecodeError;
use crate::error_code::ErrorCode;
use crate::limits;
use crate::wire::{Fault, common};

/// The first two elements of a frame; the third is one well-formed map within all limits.
#[derive(Debug)]
pub(super) struct Envelope {
    pub(super) op: String,
    pub(super) id: u64,
}

/// Writes the part before the body.
pub(super) fn write_head(out: &mut Vec<u8>, op: &str, id: u64) {
    // The ops of this version have no characters that JSON escapes.
    out.push(b'[');
    serde_json::to_writer(&mut *out, op).expect("writing to memory does not fail");
    out.extend_from_slice(format!(",{id},").as_bytes());
}

/// Takes a frame apart and checks the structure of all of it.
pub(super) fn envelope(frame: &[u8]) -> Result<(Envelope, &str), DecodeError> {
    let text = std::str::from_utf8(frame).map_err(|_| {
        let fault = Fault::new(ErrorCode::BadFrame, "text that is not UTF-8");
        DecodeError::new(fault, None)
    })?;
    let found = RefCell::new(Found::default());
    let mut reader = serde_json::Deserializer::from_str(text);
    let read = reader
        .deserialize_any(Frame(&found))
        .and_then(|()| reader.end());
    let found = found.into_inner();
    let id = match found.id {
        Some(Head::Uint(id)) => Some(id),
        _ => None,
    };
    if let Err(error) = read {
        let fault = found.fault.unwrap_or_else(|| {
            let code = match error.classify() {
                Category::Data => ErrorCode::BadMessage,
                Category::Io | Category::Syntax | Category::Eof => ErrorCode::BadFrame,
            };
            Fault::new(code, error.to_string())
        });
        return Err(DecodeError::new(fault, id));
    }
    let Some(Head::Text(op)) = found.op else {
        return Err(DecodeError::new(common::op_no_text(), id));
    };
    let Some(id) = id else {
        return Err(DecodeError::new(common::id_no_integer(), None));
    };
    Ok((Envelope { op, id }, text))
}

/// The parts of a frame that were read, also of one that has a fault behind them.
#[derive(Debug, Default)]
struct Found {
    op: Option<Head>,
    id: Option<Head>,
    fault: Option<Fault>,
}

/// A value, as far as the envelope needs it.
#[derive(Debug)]
enum Head {
    Text(String),
    Uint(u64),
    Map,
    Other,
}

/// Reads the three elements.
struct Frame<'f>(&'f RefCell<Found>);

impl Frame<'_> {
    fn fail<E: Error>(&self, fault: Fault) -> E {
        self.0.borrow_mut().fault.get_or_insert(fault);
        E::custom("refused")
    }
}

impl<'de> Visitor<'de> for Frame<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array [op, id, body]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let scan = Scan {
            found: self.0,
            depth: 1,
        };
        let op = seq
            .next_element_seed(scan)
            .inspect_err(|_| scan.locate(|fault| fault.in_envelope(common::op_no_text())))?
            .ok_or_else(|| self.fail::<A::Error>(common::no_envelope()))?;
        self.0.borrow_mut().op = Some(op);
        let id = seq
            .next_element_seed(scan)
            .inspect_err(|_| scan.locate(|fault| fault.in_envelope(common::id_no_integer())))?
            .ok_or_else(|| self.fail::<A::Error>(common::no_envelope()))?;
        self.0.borrow_mut().id = Some(id);
        let body = seq
            .next_element_seed(scan)
            .inspect_err(|_| scan.locate(|fault| fault.in_body(common::body_no_map())))?;
        match body {
            Some(Head::Map) => {}
            Some(_) => return Err(self.fail(common::body_no_map())),
            None => return Err(self.fail(common::no_envelope())),
        }
        match seq.next_element::<IgnoredAny>()? {
            None => Ok(()),
            Some(_) => Err(self.fail(common::no_envelope())),
        }
    }
}

/// Steps over a value inside `depth` open arrays and maps, and returns its kind.
#[derive(Clone, Copy)]
struct Scan<'f> {
    found: &'f RefCell<Found>,
    depth: usize,
}

impl Scan<'_> {
    fn fail<E: Error>(&self, fault: Fault) -> E {
        Frame(self.found).fail(fault)
    }

    fn inside(self) -> Self {
        Self {
            depth: self.depth + 1,
            ..self
        }
    }

    /// Adds the place to a fault on its way up.
    fn locate(&self, place: impl FnOnce(Fault) -> Fault) {
        let mut found = self.found.borrow_mut();
        found.fault = found.fault.take().map(place);
    }

    fn integer<E: Error>(&self, magnitude: u64) -> Result<(), E> {
        if magnitude <= limits::INTEGER_MAX.unsigned_abs() {
            Ok(())
        } else {
            Err(self.fail(common::integer_range()))
        }
    }
}

impl<'de> DeserializeSeed<'de> for Scan<'_> {
    type Value = Head;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Head, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Scan<'_> {
    type Value = Head;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Head, E> {
        Ok(Head::Other)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Head, E> {
        self.integer(value).map(|()| Head::Uint(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Head, E> {
        self.integer(value.unsigned_abs()).map(|()| Head::Other)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Head, E> {
        Err(self.fail(common::no_integer()))
    }

    fn visit_unit<E: Error>(self) -> Result<Head, E> {
        Err(self.fail(common::null()))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Head, E> {
        // Only the op is ever looked at.
        if self.depth == 1 {
            Ok(Head::Text(text.to_owned()))
        } else {
            Ok(Head::Other)
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Head, A::Error> {
        let inside = self.inside();
        if inside.depth > limits::NESTING_MAX {
            return Err(self.fail(common::too_deep()));
        }
        for index in 0.. {
            match seq.next_element_seed(inside) {
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(error) => {
                    self.locate(|fault| fault.under_index(index));
                    return Err(error);
                }
            }
        }
        Ok(Head::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Head, A::Error> {
        let inside = self.inside();
        if inside.depth > limits::NESTING_MAX {
            return Err(self.fail(common::too_deep()));
        }
        let mut keys: Vec<String> = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            if keys.len() == limits::MAP_ENTRIES_MAX {
                return Err(self.fail(common::too_many_entries()));
            }
            if keys.contains(&key) {
                return Err(self.fail(common::duplicate_key(&key)));
            }
            if let Err(error) = map.next_value_seed(inside) {
                self.locate(|fault| fault.under_key(&key));
                return Err(error);
            }
            keys.push(key);
        }
        Ok(Head::Map)
    }
}

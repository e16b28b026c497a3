//! The envelope in MessagePack, and the check of the structure of a frame.

use rmp::Marker;

use super::error::DecodeError;
use crate::error_code::ErrorCode;
use crate::limits;
use crate::wire::{Cursor, Fault, common};

/// A frame taken apart; the body is one well-formed map within all limits.
pub(super) struct Envelope<'a> {
    pub(super) op: &'a str,
    pub(super) id: u64,
    pub(super) body: &'a [u8],
}

/// Writes the part before the body.
pub(super) fn write_head(out: &mut Vec<u8>, op: &str, id: u64) {
    let head = rmp::encode::write_array_len(out, 3)
        .and_then(|_| rmp::encode::write_str(out, op))
        .and_then(|()| rmp::encode::write_uint(out, id));
    head.expect("writing to memory does not fail");
}

/// Takes a frame apart and checks the structure of all of it.
pub(super) fn envelope(frame: &[u8]) -> Result<Envelope<'_>, DecodeError> {
    let mut scanner = Scanner {
        cursor: Cursor::new(frame),
    };
    let (op, id) = scanner
        .head()
        .map_err(|fault| DecodeError::new(fault, None))?;
    let with_id = |fault: Fault| DecodeError::new(fault, id);
    let op = op.ok_or_else(|| with_id(common::op_no_text()))?;
    let id_read = id.ok_or_else(|| with_id(common::id_no_integer()))?;
    let body = scanner.cursor.rest();
    let marker = scanner.marker().map_err(with_id)?;
    if !matches!(marker, Marker::FixMap(_) | Marker::Map16 | Marker::Map32) {
        return Err(with_id(common::body_no_map()));
    }
    scanner.after(marker, 1).map_err(with_id)?;
    if !scanner.cursor.rest().is_empty() {
        return Err(with_id(Fault::new(
            ErrorCode::BadFrame,
            "bytes after the end of the message",
        )));
    }
    Ok(Envelope {
        op,
        id: id_read,
        body,
    })
}

/// Checks the structure of values; it keeps only the keys of open maps.
struct Scanner<'a> {
    cursor: Cursor<'a>,
}

impl<'a> Scanner<'a> {
    /// Reads the array marker, op and id; `None` where the right type is missing.
    fn head(&mut self) -> Result<(Option<&'a str>, Option<u64>), Fault> {
        let len = match self.marker()? {
            Marker::FixArray(len) => usize::from(len),
            Marker::Array16 => self.length(2)?,
            Marker::Array32 => self.length(4)?,
            _ => return Err(common::no_envelope()),
        };
        if len != 3 {
            return Err(common::no_envelope());
        }
        let op = self.text_or_skip();
        let op = op.map_err(|fault| fault.in_envelope(common::op_no_text()))?;
        let id = self.id_or_skip();
        let id = id.map_err(|fault| fault.in_envelope(common::id_no_integer()))?;
        Ok((op, id))
    }

    fn text_or_skip(&mut self) -> Result<Option<&'a str>, Fault> {
        let marker = self.marker()?;
        match self.text_length(marker)? {
            Some(len) => self.text(len).map(Some),
            None => self.after(marker, 1).map(|()| None),
        }
    }

    fn id_or_skip(&mut self) -> Result<Option<u64>, Fault> {
        let id = match self.marker()? {
            Marker::FixPos(value) => u64::from(value),
            Marker::U8 => self.big_endian(1)?,
            Marker::U16 => self.big_endian(2)?,
            Marker::U32 => self.big_endian(4)?,
            Marker::U64 => self.big_endian(8)?,
            // A number of 0 or more may also stand in a signed form, in which the sign bit is the first.
            Marker::I8 => return self.signed_id(1),
            Marker::I16 => return self.signed_id(2),
            Marker::I32 => return self.signed_id(4),
            Marker::I64 => return self.signed_id(8),
            marker => return self.after(marker, 1).map(|()| None),
        };
        Ok((id <= limits::INTEGER_MAX.unsigned_abs()).then_some(id))
    }

    fn signed_id(&mut self, width: usize) -> Result<Option<u64>, Fault> {
        let value = self.big_endian(width)?;
        let most = (1 << (8 * width - 1)) - 1;
        Ok((value <= most.min(limits::INTEGER_MAX.unsigned_abs())).then_some(value))
    }

    /// Steps over the value that begins with `marker`, inside `depth` open arrays and maps.
    fn after(&mut self, marker: Marker, depth: usize) -> Result<(), Fault> {
        match marker {
            Marker::FixPos(_) | Marker::FixNeg(_) | Marker::True | Marker::False => Ok(()),
            Marker::U8 | Marker::I8 => self.skip(1),
            Marker::U16 | Marker::I16 => self.skip(2),
            Marker::U32 | Marker::I32 => self.skip(4),
            Marker::U64 => {
                integer_in_range(self.big_endian(8)? <= limits::INTEGER_MAX.unsigned_abs())
            }
            Marker::I64 => {
                let value = self.big_endian(8)?.cast_signed();
                integer_in_range(value.unsigned_abs() <= limits::INTEGER_MAX.unsigned_abs())
            }
            Marker::FixStr(_) | Marker::Str8 | Marker::Str16 | Marker::Str32 => {
                let len = self.text_length(marker)?.unwrap_or(0);
                self.text(len).map(drop)
            }
            Marker::Bin8 => self.length(1).and_then(|len| self.skip(len)),
            Marker::Bin16 => self.length(2).and_then(|len| self.skip(len)),
            Marker::Bin32 => self.length(4).and_then(|len| self.skip(len)),
            Marker::FixArray(len) => self.array(usize::from(len), depth + 1),
            Marker::Array16 => self.length(2).and_then(|len| self.array(len, depth + 1)),
            Marker::Array32 => self.length(4).and_then(|len| self.array(len, depth + 1)),
            Marker::FixMap(len) => self.map(usize::from(len), depth + 1),
            Marker::Map16 => self.length(2).and_then(|len| self.map(len, depth + 1)),
            Marker::Map32 => self.length(4).and_then(|len| self.map(len, depth + 1)),
            Marker::Null => Err(common::null()),
            Marker::F32 | Marker::F64 => Err(common::no_integer()),
            Marker::FixExt1
            | Marker::FixExt2
            | Marker::FixExt4
            | Marker::FixExt8
            | Marker::FixExt16
            | Marker::Ext8
            | Marker::Ext16
            | Marker::Ext32 => Err(Fault::new(
                ErrorCode::BadField,
                "extension types are not used",
            )),
            Marker::Reserved => Err(no_value()),
        }
    }

    fn array(&mut self, len: usize, depth: usize) -> Result<(), Fault> {
        self.open(len, depth)?;
        for index in 0..len {
            let step = self.marker().and_then(|marker| self.after(marker, depth));
            step.map_err(|fault| fault.under_index(index))?;
        }
        Ok(())
    }

    fn map(&mut self, len: usize, depth: usize) -> Result<(), Fault> {
        if len > limits::MAP_ENTRIES_MAX {
            return Err(common::too_many_entries());
        }
        self.open(len * 2, depth)?;
        let mut keys = [""; limits::MAP_ENTRIES_MAX];
        for index in 0..len {
            let marker = self.marker()?;
            let Some(key_len) = self.text_length(marker)? else {
                return Err(Fault::new(
                    ErrorCode::BadMessage,
                    "the keys of a map are strings",
                ));
            };
            let key = self.text(key_len)?;
            if keys[..index].contains(&key) {
                return Err(common::duplicate_key(key));
            }
            keys[index] = key;
            let step = self.marker().and_then(|marker| self.after(marker, depth));
            step.map_err(|fault| fault.under_key(key))?;
        }
        Ok(())
    }

    /// Refuses an array or map that is too deep, or that cannot end within the frame (each value takes a byte or more).
    fn open(&self, values: usize, depth: usize) -> Result<(), Fault> {
        if depth > limits::NESTING_MAX {
            Err(common::too_deep())
        } else if values > self.cursor.rest().len() {
            Err(truncated())
        } else {
            Ok(())
        }
    }

    /// Reads the byte that begins a value; 0xc1 begins none, wherever it stands.
    fn marker(&mut self) -> Result<Marker, Fault> {
        match self.cursor.marker().ok_or_else(truncated)? {
            Marker::Reserved => Err(no_value()),
            marker => Ok(marker),
        }
    }

    /// The length of the text that `marker` begins; `None` when it begins something else.
    fn text_length(&mut self, marker: Marker) -> Result<Option<usize>, Fault> {
        match marker {
            Marker::FixStr(len) => Ok(Some(usize::from(len))),
            Marker::Str8 => self.length(1).map(Some),
            Marker::Str16 => self.length(2).map(Some),
            Marker::Str32 => self.length(4).map(Some),
            _ => Ok(None),
        }
    }

    fn text(&mut self, len: usize) -> Result<&'a str, Fault> {
        let bytes = self.bytes(len)?;
        std::str::from_utf8(bytes)
            .map_err(|_| Fault::new(ErrorCode::BadFrame, "text that is not UTF-8"))
    }

    fn length(&mut self, width: usize) -> Result<usize, Fault> {
        self.cursor.length(width).ok_or_else(truncated)
    }

    fn big_endian(&mut self, width: usize) -> Result<u64, Fault> {
        self.cursor.number(width).ok_or_else(truncated)
    }

    fn skip(&mut self, len: usize) -> Result<(), Fault> {
        self.bytes(len).map(drop)
    }

    fn bytes(&mut self, len: usize) -> Result<&'a [u8], Fault> {
        self.cursor.take(len).ok_or_else(truncated)
    }
}

fn integer_in_range(in_range: bool) -> Result<(), Fault> {
    if in_range {
        Ok(())
    } else {
        Err(common::integer_range())
    }
}

fn no_value() -> Fault {
    Fault::new(ErrorCode::BadFrame, "the byte 0xc1 begins no value")
}

fn truncated() -> Fault {
    Fault::new(ErrorCode::BadFrame, "the frame ends inside a value")
}

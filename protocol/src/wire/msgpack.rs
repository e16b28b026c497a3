//! Values in MessagePack.

use rmp::Marker;

/// A place in MessagePack, between two values or behind a marker.
#[derive(Debug, Clone)]
pub(crate) struct Cursor<'de> {
    input: &'de [u8],
    // Invariant: at <= input.len().
    at: usize,
}

impl<'de> Cursor<'de> {
    pub(crate) const fn new(input: &'de [u8]) -> Self {
        Self { input, at: 0 }
    }

    /// The bytes from here on.
    pub(crate) fn rest(&self) -> &'de [u8] {
        &self.input[self.at..]
    }

    pub(crate) fn marker(&mut self) -> Option<Marker> {
        let byte = *self.input.get(self.at)?;
        self.at += 1;
        Some(Marker::from_u8(byte))
    }

    pub(crate) fn take(&mut self, len: usize) -> Option<&'de [u8]> {
        let bytes = self.rest().get(..len)?;
        self.at += len;
        Some(bytes)
    }

    /// A number of so many bytes.
    pub(crate) fn number(&mut self, width: usize) -> Option<u64> {
        let bytes = self.take(width)?.iter();
        Some(bytes.fold(0, |value, &byte| value << 8 | u64::from(byte)))
    }

    /// A length of so many bytes. One that is too large for the memory is also too large for the input.
    pub(crate) fn length(&mut self, width: usize) -> Option<usize> {
        usize::try_from(self.number(width)?).ok()
    }

    /// Steps over a marker, if it begins what `read` reads.
    fn one_of<T>(&mut self, read: impl FnOnce(&mut Self, Marker) -> Option<T>) -> Option<T> {
        let start = self.at;
        let value = self.marker().and_then(|marker| read(self, marker));
        if value.is_none() {
            self.at = start;
        }
        value
    }

    pub(super) fn boolean(&mut self) -> Option<bool> {
        self.one_of(|_, marker| match marker {
            Marker::True => Some(true),
            Marker::False => Some(false),
            _ => None,
        })
    }

    pub(super) fn integer(&mut self) -> Option<i64> {
        self.one_of(|cursor, marker| match marker {
            Marker::FixPos(value) => Some(i64::from(value)),
            Marker::FixNeg(value) => Some(i64::from(value)),
            Marker::U8 => cursor.unsigned(1),
            Marker::U16 => cursor.unsigned(2),
            Marker::U32 => cursor.unsigned(4),
            Marker::U64 => cursor.unsigned(8),
            Marker::I8 => cursor.signed(1),
            Marker::I16 => cursor.signed(2),
            Marker::I32 => cursor.signed(4),
            Marker::I64 => cursor.signed(8),
            _ => None,
        })
    }

    fn unsigned(&mut self, width: usize) -> Option<i64> {
        i64::try_from(self.number(width)?).ok()
    }

    fn signed(&mut self, width: usize) -> Option<i64> {
        let unused = 64 - 8 * u32::try_from(width).ok()?;
        let shifted = self.number(width)?.checked_shl(unused)?;
        Some(shifted.cast_signed() >> unused)
    }

    pub(super) fn string(&mut self) -> Option<&'de str> {
        self.one_of(|cursor, marker| {
            let len = match marker {
                Marker::FixStr(len) => usize::from(len),
                Marker::Str8 => cursor.length(1)?,
                Marker::Str16 => cursor.length(2)?,
                Marker::Str32 => cursor.length(4)?,
                _ => return None,
            };
            std::str::from_utf8(cursor.take(len)?).ok()
        })
    }

    pub(super) fn binary(&mut self) -> Option<&'de [u8]> {
        self.one_of(|cursor, marker| {
            let len = match marker {
                Marker::Bin8 => cursor.length(1)?,
                Marker::Bin16 => cursor.length(2)?,
                Marker::Bin32 => cursor.length(4)?,
                _ => return None,
            };
            cursor.take(len)
        })
    }

    /// Steps into a list and returns the number of its elements.
    pub(super) fn list(&mut self) -> Option<usize> {
        self.one_of(|cursor, marker| match marker {
            Marker::FixArray(len) => Some(usize::from(len)),
            Marker::Array16 => cursor.length(2),
            Marker::Array32 => cursor.length(4),
            _ => None,
        })
    }

    /// Steps into a map and returns the number of its entries.
    pub(super) fn map(&mut self) -> Option<usize> {
        self.one_of(|cursor, marker| match marker {
            Marker::FixMap(len) => Some(usize::from(len)),
            Marker::Map16 => cursor.length(2),
            Marker::Map32 => cursor.length(4),
            _ => None,
        })
    }

    /// Steps over one value.
    pub(super) fn skip(&mut self) -> Option<()> {
        let mut left = 1_usize;
        while left > 0 {
            left -= 1;
            if self.boolean().is_some()
                || self.integer().is_some()
                || self.string().is_some()
                || self.binary().is_some()
            {
                continue;
            }
            let inside = match self.list() {
                Some(elements) => elements,
                None => self.map()?.checked_mul(2)?,
            };
            left = left.checked_add(inside)?;
        }
        Some(())
    }
}

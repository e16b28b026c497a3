//! Both encodings of messages, written without any library that the server uses.
//!
//! Bytes fields are base64url text in a [`Value`], as in JSON. In MessagePack they are `bin`; their names identify
//! them.

use anyhow::{Context as _, Result, bail, ensure};
use data_encoding::BASE64URL_NOPAD;
use serde_json::{Map, Number, Value};

use super::raw::{BINARY, TEXT};

/// How messages travel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Encoding {
    /// Text frames.
    Json,
    /// Binary frames.
    Msgpack,
}

/// Fields that hold bytes.
const BYTES: &[&str] = &["hash", "nonce_hash", "commitment", "secret", "nonce"];

impl Encoding {
    /// The name of the subprotocol.
    #[must_use]
    pub const fn subprotocol(self) -> &'static str {
        match self {
            Self::Json => "tilewire.v1.json",
            Self::Msgpack => "tilewire.v1.msgpack",
        }
    }

    /// The encoding of a subprotocol.
    #[must_use]
    pub fn of(subprotocol: &str) -> Option<Self> {
        [Self::Json, Self::Msgpack]
            .into_iter()
            .find(|encoding| encoding.subprotocol() == subprotocol)
    }

    /// The opcode of its frames.
    #[must_use]
    pub const fn opcode(self) -> u8 {
        match self {
            Self::Json => TEXT,
            Self::Msgpack => BINARY,
        }
    }

    /// The bytes of a message.
    #[must_use]
    pub fn encode(self, message: &Value) -> Vec<u8> {
        match self {
            Self::Json => message.to_string().into_bytes(),
            Self::Msgpack => {
                let mut bytes = Vec::new();
                write(&mut bytes, message, false);
                bytes
            }
        }
    }

    /// Reads a message.
    ///
    /// # Errors
    /// When it is none, or when bytes follow it.
    pub fn decode(self, bytes: &[u8]) -> Result<Value> {
        match self {
            Self::Json => serde_json::from_slice(bytes).context("a text frame holds JSON"),
            Self::Msgpack => {
                let mut reader = Reader { bytes };
                let value = reader.value(0)?;
                ensure!(reader.bytes.is_empty(), "bytes follow the message");
                Ok(value)
            }
        }
    }
}

/// Writes a value, every integer in its shortest form.
fn write(out: &mut Vec<u8>, value: &Value, is_bytes: bool) {
    match value {
        Value::Null => out.push(0xc0),
        Value::Bool(value) => out.push(0xc2 + u8::from(*value)),
        Value::Number(number) => write_number(out, number),
        Value::String(text) => match BASE64URL_NOPAD.decode(text.as_bytes()) {
            Ok(bytes) if is_bytes => {
                sized(out, bytes.len(), None, &[0xc4, 0xc5, 0xc6]);
                out.extend(bytes);
            }
            _ => {
                sized(out, text.len(), Some((0xa0, 32)), &[0xd9, 0xda, 0xdb]);
                out.extend(text.as_bytes());
            }
        },
        Value::Array(values) => {
            sized(out, values.len(), Some((0x90, 16)), &[0, 0xdc, 0xdd]);
            for value in values {
                write(out, value, false);
            }
        }
        Value::Object(fields) => {
            sized(out, fields.len(), Some((0x80, 16)), &[0, 0xde, 0xdf]);
            for (key, value) in fields {
                sized(out, key.len(), Some((0xa0, 32)), &[0xd9, 0xda, 0xdb]);
                out.extend(key.as_bytes());
                write(out, value, BYTES.contains(&key.as_str()));
            }
        }
    }
}

/// Writes a tag with a length: in the tag itself, or in 1, 2 or 4 bytes; a tag of 0 does not exist.
fn sized(out: &mut Vec<u8>, len: usize, short: Option<(u8, usize)>, tags: &[u8; 3]) {
    let wide = u32::try_from(len).unwrap_or(u32::MAX).to_be_bytes();
    match (short, len) {
        (Some((tag, below)), _) if len < below => out.push(tag | wide[3]),
        (_, 0..=0xff) if tags[0] != 0 => out.extend([tags[0], wide[3]]),
        (_, 0..=0xffff) => out.extend([tags[1], wide[2], wide[3]]),
        _ => {
            out.push(tags[2]);
            out.extend(wide);
        }
    }
}

fn write_number(out: &mut Vec<u8>, number: &Number) {
    if let Some(number) = number.as_u64() {
        let wide = number.to_be_bytes();
        match number {
            0..=0x7f => out.push(wide[7]),
            0x80..=0xff => out.extend([0xcc, wide[7]]),
            0x100..=0xffff => {
                out.push(0xcd);
                out.extend(&wide[6..]);
            }
            0x1_0000..=0xffff_ffff => {
                out.push(0xce);
                out.extend(&wide[4..]);
            }
            _ => {
                out.push(0xcf);
                out.extend(wide);
            }
        }
    } else if let Some(number) = number.as_i64() {
        let wide = number.to_be_bytes();
        match number {
            -32..=-1 => out.push(wide[7]),
            -128..=-33 => out.extend([0xd0, wide[7]]),
            -32_768..=-129 => {
                out.push(0xd1);
                out.extend(&wide[6..]);
            }
            -2_147_483_648..=-32_769 => {
                out.push(0xd2);
                out.extend(&wide[4..]);
            }
            _ => {
                out.push(0xd3);
                out.extend(wide);
            }
        }
    } else {
        out.push(0xcb);
        out.extend(number.as_f64().unwrap_or(0.0).to_be_bytes());
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        ensure!(self.bytes.len() >= count, "the message ends too early");
        let (taken, rest) = self.bytes.split_at(count);
        self.bytes = rest;
        Ok(taken)
    }

    fn number(&mut self, width: usize) -> Result<u64> {
        let bytes = self.take(width)?;
        Ok(bytes
            .iter()
            .fold(0, |number, byte| (number << 8) | u64::from(*byte)))
    }

    fn len(&mut self, width: usize) -> Result<usize> {
        Ok(usize::try_from(self.number(width)?)?)
    }

    fn value(&mut self, depth: usize) -> Result<Value> {
        ensure!(depth <= 16, "nested too deep");
        let tag = self.take(1)?[0];
        Ok(match tag {
            0x00..=0x7f => Value::from(tag),
            0xe0..=0xff => Value::from(i64::from(tag) - 256),
            0x80..=0x8f => self.map(usize::from(tag & 0x0f), depth)?,
            0x90..=0x9f => self.array(usize::from(tag & 0x0f), depth)?,
            0xa0..=0xbf => self.text(usize::from(tag & 0x1f))?,
            0xc0 => bail!("null is never sent"),
            0xc2 | 0xc3 => Value::from(tag == 0xc3),
            0xc4..=0xc6 => {
                let len = self.len(1 << (tag - 0xc4))?;
                Value::from(BASE64URL_NOPAD.encode(self.take(len)?))
            }
            0xcc..=0xcf => {
                let width = 1 << (tag - 0xcc);
                let number = self.number(width)?;
                let is_shortest = match width {
                    1 => number > 0x7f,
                    2 => number > 0xff,
                    4 => number > 0xffff,
                    _ => number > 0xffff_ffff,
                };
                ensure!(is_shortest, "{number} is not in its shortest form");
                Value::from(number)
            }
            0xd0..=0xd3 => {
                let width = 1_usize << (tag - 0xd0);
                let shift = 64 - 8 * width;
                let number = i64::from_ne_bytes(self.number(width)?.to_ne_bytes());
                Value::from(number << shift >> shift)
            }
            0xd9..=0xdb => {
                let len = self.len(1 << (tag - 0xd9))?;
                self.text(len)?
            }
            0xdc | 0xdd => {
                let len = self.len(2 << (tag - 0xdc))?;
                self.array(len, depth)?
            }
            0xde | 0xdf => {
                let len = self.len(2 << (tag - 0xde))?;
                self.map(len, depth)?
            }
            other => bail!("{other:#x} is not used by the protocol"),
        })
    }

    fn text(&mut self, len: usize) -> Result<Value> {
        let bytes = self.take(len)?;
        Ok(Value::from(
            std::str::from_utf8(bytes).context("text is UTF-8")?,
        ))
    }

    fn array(&mut self, len: usize, depth: usize) -> Result<Value> {
        (0..len).map(|_| self.value(depth + 1)).collect()
    }

    fn map(&mut self, len: usize, depth: usize) -> Result<Value> {
        let mut fields = Map::new();
        for _ in 0..len {
            let key = self.value(depth + 1)?;
            let key = key.as_str().context("keys are text")?.to_owned();
            let value = self.value(depth + 1)?;
            ensure!(!fields.contains_key(&key), "{key} comes twice");
            fields.insert(key, value);
        }
        Ok(Value::Object(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The example of `docs/PROTOCOL.md`.
    #[test]
    fn a_message_has_the_bytes_of_the_document() {
        let message = json!(["pass", 24, { "game": "g4k7m2q9x3t5v", "cmd_id": "k3Zp-Q_9aa-12", "turn_no": 300 }]);
        let bytes = Encoding::Msgpack.encode(&message);
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        // Fields in the order of their names here; the document has them in the order of its tables.
        assert_eq!(hex.len(), 118);
        assert!(hex.starts_with("93a4706173731883"), "{hex}");
        assert_eq!(Encoding::Msgpack.decode(&bytes).unwrap(), message);
    }

    #[test]
    fn values_come_back() {
        let numbers: [u64; 9] = [
            0,
            127,
            128,
            255,
            256,
            65_535,
            65_536,
            4_294_967_295,
            4_294_967_296,
        ];
        let negative: [i64; 8] = [-1, -32, -33, -128, -129, -32_768, -32_769, -2_147_483_649];
        let long = "x".repeat(70_000);
        let message = json!(["op", 1, {
            "numbers": numbers, "negative": negative, "nonce": "eHl6", "long": long, "flag": true,
            "list": vec![1; 20],
        }]);
        for encoding in [Encoding::Json, Encoding::Msgpack] {
            let bytes = encoding.encode(&message);
            assert_eq!(encoding.decode(&bytes).unwrap(), message);
            assert!(encoding.decode(&bytes[..bytes.len() - 1]).is_err());
        }
        assert!(Encoding::Msgpack.decode(&[0xc0]).is_err(), "null");
        assert!(
            Encoding::Msgpack.decode(&[0xcc, 1]).is_err(),
            "not the shortest"
        );
    }
}

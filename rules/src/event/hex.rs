//! Hashes and secrets as hexadecimal text: readable in logs and in any format.

/// 32 bytes.
pub(super) mod bytes {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use std::fmt::Write;

    pub(in crate::event) fn serialize<S: Serializer>(
        bytes: &[u8; 32],
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let mut text = String::with_capacity(64);
        for byte in bytes {
            write!(text, "{byte:02x}").map_err(serde::ser::Error::custom)?;
        }
        to.serialize_str(&text)
    }

    pub(in crate::event) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<[u8; 32], D::Error> {
        let text = String::deserialize(from)?;
        parse(&text).ok_or_else(|| D::Error::custom("not 64 hexadecimal digits"))
    }

    fn parse(text: &str) -> Option<[u8; 32]> {
        if text.len() != 64 || !text.is_ascii() {
            return None;
        }
        let mut bytes = [0; 32];
        for (byte, at) in bytes.iter_mut().zip((0..64).step_by(2)) {
            *byte = u8::from_str_radix(&text[at..at + 2], 16).ok()?;
        }
        Some(bytes)
    }
}

/// 32 bytes or none.
pub(super) mod option {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct Wrapped(#[serde(with = "super::bytes")] [u8; 32]);

    pub(in crate::event) fn serialize<S: Serializer>(
        bytes: &Option<[u8; 32]>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        bytes.map(Wrapped).serialize(to)
    }

    pub(in crate::event) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<[u8; 32]>, D::Error> {
        Ok(Option::<Wrapped>::deserialize(from)?.map(|wrapped| wrapped.0))
    }
}

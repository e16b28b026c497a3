//! How the wire types read strings and write flags.

/// Reads a string and keeps only what `read` makes of it.
pub(crate) fn visit_text<'de, D, T>(deserializer: D, read: fn(&str) -> T) -> Result<T, D::Error>
where
    D: serde::Deserializer<'de>,
{
    struct Text<T>(fn(&str) -> T);

    impl<T> serde::de::Visitor<'_> for Text<T> {
        type Value = T;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a string")
        }

        fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<T, E> {
            Ok((self.0)(text))
        }
    }

    deserializer.deserialize_str(Text(read))
}

/// Tells serde to leave out a flag that is not set.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes fields by reference"
)]
pub(crate) fn is_false(flag: &bool) -> bool {
    !*flag
}

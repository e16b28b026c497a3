//! The part of a URL behind the question mark, as the fields of a type.

use std::fmt;

use axum::http::StatusCode;
use serde::de::value::{MapDeserializer, StrDeserializer};
use serde::de::{self, DeserializeOwned, Deserializer, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;
use tilewire_protocol::ErrorCode;

use super::input::{field_of, percent_decoded};
use super::refusal::Refusal;

/// The longest query.
const QUERY_MAX_BYTES: usize = 2_048;

/// Reads a query. Numbers and `true` or `false` are read as such where the type has them.
pub(super) fn parsed<T: DeserializeOwned>(query: &str) -> Result<T, Refusal> {
    if query.len() > QUERY_MAX_BYTES {
        let message = format!("the query has at most {QUERY_MAX_BYTES} bytes");
        let code = ErrorCode::TooLarge.as_str();
        return Err(Refusal::new(StatusCode::URI_TOO_LONG, code, message));
    }
    let mut pairs = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let decoded = |part: &str| percent_decoded(&part.replace('+', " "));
        let field = decoded(name);
        let (Some(name), Some(value)) = (field.clone(), decoded(value)) else {
            let field = field.as_deref().unwrap_or(name);
            return Err(wrong(field, "a percent sign in the query begins no byte"));
        };
        if !value.is_empty() {
            pairs.push((name, Text(value)));
        }
    }
    let fields = MapDeserializer::<_, Error>::new(pairs.into_iter());
    serde_path_to_error::deserialize(fields).map_err(|error: serde_path_to_error::Error<Error>| {
        let Error(why) = error.inner();
        let field = field_of(error.path(), why);
        wrong(&field, &format!("{why}; see /api/v1/openapi.json"))
    })
}

fn wrong(field: &str, message: &str) -> Refusal {
    Refusal::field(ErrorCode::BadField.as_str(), field, message)
}

/// An error that serde describes.
#[derive(Debug)]
struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

impl de::Error for Error {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

/// A value of a query.
struct Text(String);

impl<'de> IntoDeserializer<'de, Error> for Text {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl Text {
    fn read<T: std::str::FromStr>(&self, kind: &str) -> Result<T, Error> {
        let parsed = self.0.parse();
        parsed.map_err(|_| Error(format!("a value of the query is not {kind}")))
    }
}

impl<'de> Deserializer<'de> for Text {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_string(self.0)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_bool(self.read("true or false")?)
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_i64(self.read("a whole number")?)
    }

    fn deserialize_i32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_i32(self.read("a whole number")?)
    }

    fn deserialize_u16<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_u16(self.read("a number of at most 65,535")?)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let text: StrDeserializer<'_, Error> = self.0.as_str().into_deserializer();
        text.deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        i8 i16 i128 u8 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::parsed;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Query {
        name: Option<String>,
        from: Option<i64>,
        limit: Option<u16>,
        rated: Option<bool>,
        kind: Option<Kind>,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Kind {
        OutPlay,
    }

    #[test]
    fn a_query_is_read_by_the_types_of_its_fields() {
        let all = "name=Zo%C3%AB+B&from=-5&limit=7&rated=true&kind=out_play";
        let asked: Query = parsed(all).unwrap();
        let expected = Query {
            name: Some("Zoë B".to_owned()),
            from: Some(-5),
            limit: Some(7),
            rated: Some(true),
            kind: Some(Kind::OutPlay),
        };
        assert_eq!(asked, expected);
        let nothing: Query = parsed("&name=&").unwrap();
        assert_eq!((nothing.name, nothing.limit), (None, None));
    }

    #[test]
    fn a_wrong_query_is_refused() {
        for (query, field) in [
            ("limit=65536", "limit"),
            ("limit=-1", "limit"),
            ("from=x", "from"),
            ("rated=1", "rated"),
            ("kind=other", "kind"),
            ("unknown=1", "unknown"),
            ("name=%zz", "name"),
            ("name=a&name=b", "name"),
            ("%zz=a", "%zz"),
        ] {
            let refused = parsed::<Query>(query).err().unwrap();
            assert_eq!(
                (refused.status.as_u16(), refused.body.code.as_str()),
                (400, "bad_field"),
                "{query}"
            );
            let named = refused.body.detail.and_then(|detail| detail.field);
            assert_eq!(named.as_deref(), Some(field), "{query}");
        }
        let long = format!("name={}", "a".repeat(3_000));
        assert_eq!(parsed::<Query>(&long).err().unwrap().status.as_u16(), 414);
    }
}

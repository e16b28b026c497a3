//! The three tables behind the wire types: enumerations, identifiers and messages.
//!
//! Each macro states a table once and derives from it everything that must agree with it.

/// Defines an enumeration that travels as a snake_case string and survives values it does not know.
macro_rules! wire_enum {
    ($(#[$meta:meta])* $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $text:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name {
            $($(#[$variant_meta])* $variant,)+
            /// A value of a later version, which this one does not know; never sent on purpose.
            Unknown,
        }

        impl $name {
            /// Every known value, in the order of the document.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The value as it stands on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)+
                    Self::Unknown => "unknown",
                }
            }

            /// Reads a value from the wire; anything not listed becomes `Unknown`.
            #[must_use]
            pub fn from_wire(text: &str) -> Self {
                match text {
                    $($text => Self::$variant,)+
                    _ => Self::Unknown,
                }
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $crate::schema_parts::one_of(Self::ALL.iter().map(|value| value.as_str()))
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::text::visit_text(deserializer, Self::from_wire)
            }
        }
    };
}

/// Defines an identifier that is opaque text.
macro_rules! wire_id {
    ($(#[$meta:meta])* $name:ident matches $pattern:literal) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub String);

        impl $name {
            /// The identifier as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "pattern": $pattern })
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl PartialEq<str> for $name {
            fn eq(&self, other: &str) -> bool {
                self.0 == other
            }
        }

        impl PartialEq<&str> for $name {
            fn eq(&self, other: &&str) -> bool {
                self.0 == *other
            }
        }

        impl std::borrow::Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }
    };
}

/// Defines the enum of all messages of one direction: each op with the struct of its body.
macro_rules! wire_messages {
    (
        $(#[$meta:meta])* $name:ident {
            $($(#[doc = $doc:literal])+ $variant:ident($body:ty) = $op:literal,)+
        }
        $(unknown { $(#[$unknown_meta:meta])* $unknown:ident })?
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum $name {
            $($(#[doc = $doc])+ $variant($body),)+
            $($(#[$unknown_meta])* $unknown {
                /// The op as received.
                op: String,
            },)?
        }

        impl $name {
            /// Every op of this direction, in the order of the document.
            pub const OPS: &'static [&'static str] = &[$($op),+];

            /// The op that names this message in the envelope.
            #[must_use]
            pub fn op(&self) -> &str {
                match self {
                    $(Self::$variant(_) => $op,)+
                    $(Self::$unknown { op } => op,)?
                }
            }

            /// Describes every message of this direction.
            #[cfg(feature = "schema")]
            pub(crate) fn described(generator: &mut schemars::SchemaGenerator) -> Vec<$crate::schema_parts::Described> {
                vec![$($crate::schema_parts::Described {
                    name: $op,
                    doc: concat!($($doc),+).trim(),
                    body: generator.subschema_for::<$body>(),
                }),+]
            }

            /// Writes the body alone.
            pub(crate) fn write_body(&self, writer: &mut $crate::wire::Writer) {
                match self {
                    $(Self::$variant(body) => $crate::body::Body::write(body, writer),)+
                    $(Self::$unknown { .. } => $crate::body::Body::write(&$crate::body::NoFields {}, writer),)?
                }
            }

            /// Reads the body of `op`; `None` when this direction has no such op.
            pub(crate) fn read_body(
                op: &str,
                body: &$crate::wire::Reader<'_>,
            ) -> Option<Result<Self, $crate::wire::ReadError>> {
                match op {
                    $($op => Some($crate::body::Body::read(body).map(Self::$variant)),)+
                    _ => None,
                }
            }
        }
    };
}

pub(crate) use {wire_enum, wire_id, wire_messages};

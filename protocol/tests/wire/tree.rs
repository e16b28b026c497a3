//! A MessagePack value of any shape, for tests that take messages apart and put them together differently.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

/// The subset of MessagePack that the protocol uses.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Tree {
    Bool(bool),
    Int(i64),
    Uint(u64),
    Text(String),
    Bytes(Vec<u8>),
    List(Vec<Self>),
    Map(Vec<(String, Self)>),
}

impl Tree {
    pub(crate) fn read(frame: &[u8]) -> Self {
        rmp_serde::from_slice(frame).unwrap()
    }

    pub(crate) fn write(&self) -> Vec<u8> {
        rmp_serde::to_vec(self).unwrap()
    }

    /// The same value as in JSON.
    pub(crate) fn of(value: &serde_json::Value) -> Self {
        Self::deserialize(value).unwrap()
    }

    /// The body of a message.
    pub(crate) fn body(&mut self) -> &mut Self {
        match self {
            Self::List(parts) => &mut parts[2],
            other => panic!("{other:?} is no message"),
        }
    }

    /// The value at a path of keys with dots between them.
    pub(crate) fn at(&mut self, path: &str) -> &mut Self {
        path.split('.').fold(self, |tree, key| match tree {
            Self::Map(fields) => {
                let found = fields.iter_mut().find(|(name, _)| name == key);
                &mut found.unwrap_or_else(|| panic!("no {path}")).1
            }
            other => panic!("{other:?} has no {key}"),
        })
    }

    /// Adds a field to every map.
    pub(crate) fn add_everywhere(&mut self, key: &str, value: &Self) {
        match self {
            Self::Map(fields) => {
                for (_, inner) in fields.iter_mut() {
                    inner.add_everywhere(key, value);
                }
                fields.push((key.to_owned(), value.clone()));
            }
            Self::List(values) => {
                for inner in values {
                    inner.add_everywhere(key, value);
                }
            }
            Self::Bool(_) | Self::Int(_) | Self::Uint(_) | Self::Text(_) | Self::Bytes(_) => {}
        }
    }
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Int(value) => serializer.serialize_i64(*value),
            Self::Uint(value) => serializer.serialize_u64(*value),
            Self::Text(value) => serializer.serialize_str(value),
            Self::Bytes(value) => serializer.serialize_bytes(value),
            Self::List(values) => serializer.collect_seq(values),
            Self::Map(fields) => serializer.collect_map(fields.iter().map(|(k, v)| (k, v))),
        }
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyShape)
    }
}

struct AnyShape;

impl<'de> Visitor<'de> for AnyShape {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Tree, E> {
        Ok(Tree::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Tree, E> {
        Ok(Tree::Int(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Tree, E> {
        Ok(Tree::Uint(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Tree, E> {
        Ok(Tree::Text(value.to_owned()))
    }

    fn visit_bytes<E>(self, value: &[u8]) -> Result<Tree, E> {
        Ok(Tree::Bytes(value.to_vec()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Tree, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = seq.next_element()? {
            values.push(value);
        }
        Ok(Tree::List(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tree, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(Tree::Map(fields))
    }
}

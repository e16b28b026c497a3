//! How a body is read: once for most messages, twice for events.

use serde::de::DeserializeOwned;

/// A body (one map) that can be read as often as needed.
pub(crate) trait BodySource {
    /// What goes wrong.
    type Error;

    /// Reads the map as `T`, ignoring fields that are not `T`'s.
    fn read<T: DeserializeOwned>(&self) -> Result<T, Self::Error>;
}

/// What can stand in the body of an envelope.
pub(crate) trait Body: Sized {
    /// Reads itself from a body.
    fn from_body<S: BodySource>(source: &S) -> Result<Self, S::Error>;
}

impl<T: DeserializeOwned> Body for T {
    fn from_body<S: BodySource>(source: &S) -> Result<Self, S::Error> {
        source.read()
    }
}

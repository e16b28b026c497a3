//! How the body of a message is read and written.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::wire::{ReadError, Reader, Writer};

/// The body of a message: one map.
pub(crate) trait Body: Sized {
    /// Reads a body, ignoring fields of later versions.
    fn read(body: &Reader<'_>) -> Result<Self, ReadError>;

    /// Writes the body.
    fn write(&self, writer: &mut Writer);
}

impl<T: Serialize + DeserializeOwned> Body for T {
    fn read(body: &Reader<'_>) -> Result<Self, ReadError> {
        T::deserialize(&mut body.clone())
    }

    fn write(&self, writer: &mut Writer) {
        writer.value(self);
    }
}

/// A body without fields.
#[derive(Serialize, Deserialize)]
pub(crate) struct NoFields {}

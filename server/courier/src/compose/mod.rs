//! Makes letters: their words, their text and HTML, the picture of the position, and the message as the mail server takes it.
//!
//! Invariant: a letter about a game contains what every spectator may see: the board, the turns and the scores. No rack, no
//! tile of the bag and no private code gets here, because [`Sheet`] has no place for them.

/// Chooses the text of a language.
macro_rules! said {
    ($language:expr, $en:expr, $de:expr) => {
        match $language {
            Language::En => $en.to_owned(),
            Language::De => $de.to_owned(),
        }
    };
}

mod font;
mod html;
mod message;
mod picture;
mod sentences;
mod sheet;
mod text;
mod words;

pub(crate) use message::{Envelope, Links, domain_of, parcel};
pub use message::{Parcel, message_id};
pub(crate) use sheet::Sheet;
pub(crate) use words::{About, words};

#[cfg(test)]
mod tests;

//! The message as the mail server takes it.

use std::fmt;
use std::time::{Duration, UNIX_EPOCH};

use data_encoding::HEXLOWER;
use lettre::Message;
use lettre::message::header::{ContentType, Header, HeaderName, HeaderValue};
use lettre::message::{Attachment, Mailbox, MultiPart, SinglePart};
use sha2::{Digest, Sha256};
use tilewire_rules::time::Timestamp;

use super::html::html;
use super::picture::picture;
use super::sheet::Sheet;
use super::text::text;
use super::words::Body;

/// The name of the picture within the message.
pub(super) const BOARD_ID: &str = "board";
/// The digits of a `Message-ID`: 128 bits.
const ID_CHARS: usize = 32;

/// The links of a letter, if there is a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Links {
    /// The game.
    pub(crate) game: Option<String>,
    /// The page.
    pub(crate) page: Option<String>,
    /// The settings of letters.
    pub(crate) settings: Option<String>,
    /// The end of letters of this kind.
    pub(crate) unsubscribe: Option<String>,
}

/// The sender, the reader and the name of a letter.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Envelope<'a> {
    /// The sender.
    pub(crate) from: &'a Mailbox,
    /// The reader.
    pub(crate) to: &'a str,
    /// The `Message-ID`.
    pub(crate) id: &'a str,
    /// When the letter was made.
    pub(crate) at: Timestamp,
}

/// A message with its addresses.
#[derive(Clone, PartialEq, Eq)]
pub struct Parcel {
    /// The address of the sender.
    pub from: lettre::Address,
    /// The address of the reader.
    pub to: lettre::Address,
    /// The message.
    pub bytes: Vec<u8>,
}

impl fmt::Debug for Parcel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without addresses and codes.
        f.write_str("Parcel")
    }
}

/// The parts of a letter cannot make a message.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoMessage {
    /// An address.
    #[error(transparent)]
    Address(#[from] lettre::address::AddressError),
    /// Something else.
    #[error(transparent)]
    Message(#[from] lettre::error::Error),
}

/// `List-Unsubscribe` (RFC 2369).
#[derive(Debug, Clone)]
struct ListUnsubscribe(String);
/// `List-Unsubscribe-Post` (RFC 8058): a request to the address is enough.
#[derive(Debug, Clone)]
struct OneClick(String);
/// `Auto-Submitted` (RFC 3834): no program answers such a letter.
#[derive(Debug, Clone)]
struct AutoSubmitted(String);

/// Declares the header of a type.
macro_rules! header {
    ($kind:ident, $name:literal) => {
        impl Header for $kind {
            fn name() -> HeaderName {
                HeaderName::new_from_ascii_str($name)
            }

            fn parse(text: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
                Ok(Self(text.to_owned()))
            }

            fn display(&self) -> HeaderValue {
                HeaderValue::new(Self::name(), self.0.clone())
            }
        }
    };
}

header!(ListUnsubscribe, "List-Unsubscribe");
header!(OneClick, "List-Unsubscribe-Post");
header!(AutoSubmitted, "Auto-Submitted");

/// Returns the `Message-ID` of a letter: always the same for one letter.
#[must_use]
pub fn message_id(key: &str, domain: &str) -> String {
    let digest = Sha256::new()
        .chain_update("tilewire-letter/1\0")
        .chain_update(key)
        .finalize();
    let digits = HEXLOWER.encode(&digest);
    format!("<{}@{domain}>", &digits[..ID_CHARS])
}

/// Returns the domain of a sender.
pub(crate) fn domain_of(from: &Mailbox) -> &str {
    from.email.domain()
}

/// Makes the message of a letter.
///
/// # Errors
/// When the reader's address is none.
pub(crate) fn parcel(
    envelope: Envelope<'_>,
    body: &Body,
    sheet: Option<&Sheet>,
    links: &Links,
) -> Result<Parcel, NoMessage> {
    let Envelope { from, to, id, at } = envelope;
    let to: lettre::Address = to.parse()?;
    let mut message = Message::builder()
        .from(from.clone())
        .to(Mailbox::new(None, to.clone()))
        .message_id(Some(id.to_owned()))
        .date(UNIX_EPOCH + Duration::from_millis(u64::try_from(at.0).unwrap_or_default()))
        .subject(&body.subject)
        .header(AutoSubmitted("auto-generated".to_owned()));
    if let Some(link) = &links.unsubscribe {
        message = message
            .header(ListUnsubscribe(format!("<{link}>")))
            .header(OneClick("List-Unsubscribe=One-Click".to_owned()));
    }
    let picture = sheet.and_then(picture);
    let html = html(body, sheet, links, picture.is_some());
    let boundary = |part: char| {
        format!(
            "{part}-{}",
            id.trim_matches(&['<', '>'][..]).replace('@', ".")
        )
    };
    let rich = MultiPart::related().boundary(boundary('r'));
    let mut rich = rich.singlepart(SinglePart::html(html));
    if let Some(picture) = picture {
        let kind = ContentType::parse("image/png").expect("it is the type of a PNG");
        rich = rich.singlepart(Attachment::new_inline(BOARD_ID.to_owned()).body(picture, kind));
    }
    let whole = MultiPart::alternative()
        .boundary(boundary('a'))
        .singlepart(SinglePart::plain(text(body, sheet, links)))
        .multipart(rich);
    let message = message.multipart(whole)?;
    Ok(Parcel {
        from: from.email.clone(),
        to,
        bytes: message.formatted(),
    })
}

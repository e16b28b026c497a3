//! Links in letters that need no login: the end of letters of a kind (RFC 8058).

use std::fmt;

use data_encoding::HEXLOWER;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use tilewire_people::letters::LetterKind;

/// The start of the path of the page behind the link.
pub const UNSUBSCRIBE_PATH: &str = "/unsubscribe/";
/// Bytes of a signature in a link: 128 bits.
const MAC_BYTES: usize = 16;

/// The key that signs links.
#[derive(Clone)]
pub struct LinkKey([u8; 32]);

impl fmt::Debug for LinkKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LinkKey")
    }
}

impl LinkKey {
    /// Returns the key with these secret bytes.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns the address of the page that ends letters of a kind to a player.
    pub fn unsubscribe(&self, page: &str, identity: &str, kind: LetterKind) -> String {
        let mac = self.mac(identity, kind).finalize().into_bytes();
        let mac = HEXLOWER.encode(&mac[..MAC_BYTES]);
        let kind = kind.name();
        format!("{page}{UNSUBSCRIBE_PATH}{kind}/{identity}/{mac}")
    }

    /// Returns the player and the kind of a link, from what follows [`UNSUBSCRIBE_PATH`]; `None` if this server has not made
    /// the link.
    pub(crate) fn read<'a>(&self, path: &'a str) -> Option<(&'a str, LetterKind)> {
        let (kind, rest) = path.split_once('/')?;
        let (identity, mac) = rest.split_once('/')?;
        let kind = LetterKind::of_name(kind)?;
        let mac = HEXLOWER.decode(mac.as_bytes()).ok()?;
        if mac.len() != MAC_BYTES || kind.is_about_account() {
            return None;
        }
        let is_own = self.mac(identity, kind).verify_truncated_left(&mac).is_ok();
        is_own.then_some((identity, kind))
    }

    fn mac(&self, identity: &str, kind: LetterKind) -> Hmac<Sha256> {
        let mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("a key has any length");
        // A zero byte separates the parts; none of them contains one.
        mac.chain_update("tilewire-unsubscribe/1\0")
            .chain_update(kind.name())
            .chain_update("\0")
            .chain_update(identity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_read_by_the_server_that_made_it() {
        let (own, other) = (LinkKey::new([1; 32]), LinkKey::new([2; 32]));
        let link = own.unsubscribe("https://play.example", "anna1", LetterKind::Turn);
        let path = link
            .strip_prefix("https://play.example/unsubscribe/")
            .unwrap();
        assert_eq!(own.read(path), Some(("anna1", LetterKind::Turn)));
        assert_eq!(other.read(path), None);
        for changed in [
            path.replace("turn", "update"),
            path.replace("anna1", "anna2"),
            path.replace("turn", "code"),
            path[..path.len() - 2].to_owned(),
            format!("{path}00"),
            "turn/anna1".to_owned(),
            "turn/anna1/".to_owned(),
            String::new(),
        ] {
            assert_eq!(own.read(&changed), None, "{changed}");
        }
    }
}

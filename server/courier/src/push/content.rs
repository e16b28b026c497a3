//! The content of a push, and its topic at the push service.

use data_encoding::BASE64URL_NOPAD;
use serde::Serialize;
use sha2::{Digest, Sha256};
use tilewire_people::letters::Language;

use crate::compose::words;
use crate::contents::Content;
use tilewire_accounts::seal::CONTENT_BYTES;
use tilewire_store::{Letter, NewLetter};

/// Characters of a text at first. It gets shorter until everything fits.
const TEXT_CHARS: usize = 400;
/// Bytes of a digest in a topic: 32 characters, the most that RFC 8030 allows.
const TOPIC_BYTES: usize = 24;

/// A push, as the service worker of the page reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct PushText {
    /// The first line.
    pub(super) title: String,
    /// The text.
    pub(super) body: String,
    /// The path of the page that a click opens.
    pub(super) path: String,
    /// The name of what it is about: a newer notification of the name replaces an older one.
    pub(super) tag: String,
}

impl PushText {
    /// Returns the push that repeats a letter.
    pub(super) fn of(letter: &NewLetter, (about, sheet): &Content, language: Language) -> Self {
        let said = words(about, sheet.as_ref(), language);
        let path = match &letter.game {
            Some(game) => format!("/games/{game}"),
            None => "/".to_owned(),
        };
        Self {
            title: cut(&said.subject, TEXT_CHARS / 2),
            body: cut(&said.lead.join(" "), TEXT_CHARS),
            path,
            tag: topic(letter),
        }
    }

    /// Returns the content to be encrypted: JSON.
    pub(super) fn bytes(mut self) -> Vec<u8> {
        loop {
            let bytes = serde_json::to_vec(&self).expect("a push is plain data");
            let chars = self.body.chars().count().max(self.title.chars().count());
            if bytes.len() <= CONTENT_BYTES || chars == 0 {
                return bytes;
            }
            let shorter = chars * 3 / 4;
            self = Self {
                title: cut(&self.title, shorter),
                body: cut(&self.body, shorter),
                ..self
            };
        }
    }
}

/// Cuts a text to this number of characters; the last one shows that more was cut off.
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let start = text.chars().take(most.saturating_sub(1));
    start.chain((most > 0).then_some('…')).collect()
}

/// Returns the name of what a push is about: the game or the invitation, in a form that tells the push service nothing. A
/// push service that has not delivered the last push of the name replaces it.
pub(super) fn topic(letter: &NewLetter) -> String {
    let about = match (&letter.content, &letter.game) {
        (Letter::Invitation { seek, .. }, _) => format!("seek\0{seek}"),
        (_, Some(game)) => format!("game\0{game}"),
        (_, None) => format!("letter\0{}", letter.key),
    };
    let digest = Sha256::new()
        .chain_update("tilewire-push-topic/1\0")
        .chain_update(&letter.identity)
        .chain_update("\0")
        .chain_update(about)
        .finalize();
    BASE64URL_NOPAD.encode(&digest[..TOPIC_BYTES])
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use tilewire_protocol::GameId;
    use tilewire_rules::time::{Seat, Timestamp, TurnNo};

    use super::*;
    use crate::compose::About;
    use tilewire_store::AwaitedAction;

    fn letter(identity: &str, game: &str, turn: u32) -> NewLetter {
        NewLetter {
            key: format!("{game}/0/turn/{turn}"),
            identity: identity.to_owned(),
            address: None,
            game: Some(GameId::from(game)),
            at: Timestamp(0),
            due_at: Timestamp(0),
            until: Timestamp(1),
            content: Letter::Turn {
                seat: Seat(0),
                asked: AwaitedAction::Turn(TurnNo(turn)),
            },
        }
    }

    fn invitation(from: &str) -> Content {
        let about = About::Invitation {
            from: from.to_owned(),
            rule_set: "Classic".to_owned(),
            lexicon: "wordnik".to_owned(),
            limit_ms: Some(72 * 3_600_000),
            until: Timestamp(1_700_000_000_000),
        };
        (about, None)
    }

    #[test]
    fn a_newer_turn_has_the_topic_of_the_older_one() {
        let first = topic(&letter("anna", "g1", 1));
        assert_eq!(first, topic(&letter("anna", "g1", 2)));
        assert_ne!(first, topic(&letter("anna", "g2", 1)));
        assert_ne!(first, topic(&letter("ben", "g1", 1)));
        assert_eq!(first.len(), 32);
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
        assert!(first.bytes().all(is_allowed), "{first}");
    }

    #[test]
    fn a_push_says_what_the_subject_says_in_the_language_of_the_player() {
        let letter = NewLetter {
            game: None,
            ..letter("anna", "g1", 1)
        };
        for (language, title) in [
            (Language::En, "ben invites you"),
            (Language::De, "ben lädt dich ein"),
        ] {
            let said = PushText::of(&letter, &invitation("ben"), language);
            assert_eq!((said.title.as_str(), said.path.as_str()), (title, "/"));
            let read: Value = serde_json::from_slice(&said.clone().bytes()).unwrap();
            let expected = json!({
                "title": said.title, "body": said.body, "path": "/", "tag": said.tag,
            });
            assert_eq!(read, expected);
        }
    }

    /// Quotes take two bytes each in JSON, and other characters up to four.
    #[test]
    fn a_push_is_short_whatever_the_names_are() {
        for name in ["\"", "🂡", "ä", "x"] {
            let said = PushText::of(
                &letter("anna", "g1", 1),
                &invitation(&name.repeat(3_000)),
                Language::En,
            );
            let bytes = said.bytes();
            assert!(bytes.len() <= CONTENT_BYTES, "{name}: {}", bytes.len());
            let read: Value = serde_json::from_slice(&bytes).unwrap();
            assert!(read["title"].as_str().unwrap().ends_with('…'), "{read}");
        }
    }

    #[test]
    fn a_text_is_cut_between_characters() {
        assert_eq!(cut("äöü", 3), "äöü");
        assert_eq!(cut("äöüß", 3), "äö…");
        assert_eq!(cut("äöü", 0), "");
    }
}

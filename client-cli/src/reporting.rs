//! Reports about players: the report to the moderators, and the confirmation to the reporter.

use clap::ValueEnum;
use serde::Serialize;
use serde_json::{Value, json};
use tilewire_protocol::RoomId;

/// The reason for a report about a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReportReason {
    /// Insults, threats, spam
    Abuse,
    /// Cheating (outside help)
    Cheating,
    /// Stalling
    Stalling,
    /// Inappropriate username
    Name,
    /// Other
    Other,
}

impl ReportReason {
    /// Returns the reason that a word names.
    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::from_str(word, true).ok()
    }
}

/// A report as the user types it in a game or in the lobby.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedReport {
    /// The display name or the handle of the player.
    pub name: String,
    /// The reason.
    pub reason: ReportReason,
    /// A description of what happened, in the user's own words; may be empty.
    pub words: String,
}

/// A report that is ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportOrder {
    /// The name of the player, for the user.
    pub name: String,
    /// The player: a handle or an identity.
    pub player: String,
    /// The reason.
    pub reason: ReportReason,
    /// A description of what happened, in the user's own words; may be empty.
    pub words: String,
    /// The game that it is about.
    pub game: Option<String>,
    /// A line of the player in a chat room; the server adds the lines around it.
    pub line: Option<(RoomId, u64)>,
    /// The code of a private game, for a line in its room.
    pub code: Option<String>,
}

impl ReportOrder {
    /// Returns the body of the request.
    #[must_use]
    pub fn body(&self) -> Value {
        let mut body = json!({
            "player": self.player,
            "reason": self.reason,
            "words": self.words,
        });
        if let Some(game) = &self.game {
            body["game"] = json!(game);
        }
        if let Some((room, line)) = &self.line {
            body["room"] = json!(room);
            body["line"] = json!(line);
        }
        if let Some(code) = &self.code {
            body["code"] = json!(code);
        }
        body
    }
}

#[cfg(test)]
mod tests {
    use super::{ReportOrder, ReportReason, json};

    #[test]
    fn a_report_names_what_it_is_about() {
        let mut order = ReportOrder {
            name: "Eve".to_owned(),
            player: "ieve".to_owned(),
            reason: ReportReason::Stalling,
            words: "let it run".to_owned(),
            game: None,
            line: None,
            code: None,
        };
        let expected = json!({ "player": "ieve", "reason": "stalling", "words": "let it run" });
        assert_eq!(order.body(), expected);
        order.game = Some("g1".to_owned());
        order.line = Some(("p-g1".into(), 7));
        order.code = Some("KEEN-OWL".to_owned());
        let body = order.body();
        assert_eq!(
            (&body["game"], &body["room"], &body["line"]),
            (&json!("g1"), &json!("p-g1"), &json!(7))
        );
        assert_eq!(body["code"], json!("KEEN-OWL"));
    }

    #[test]
    fn every_reason_has_a_word() {
        for (word, reason) in [
            ("abuse", Some(ReportReason::Abuse)),
            ("Cheating", Some(ReportReason::Cheating)),
            ("stalling", Some(ReportReason::Stalling)),
            ("NAME", Some(ReportReason::Name)),
            ("other", Some(ReportReason::Other)),
            ("rude", None),
        ] {
            assert_eq!(ReportReason::named(word), reason, "{word}");
        }
    }
}

//! Offers for certain players.

use super::*;

/// An offer of a game for three with these members.
pub(super) fn seek_of(id: &str, names: &[&str]) -> Seek {
    let member = |name: &&str| Person {
        identity: (*name).into(),
        name: (*name).to_owned(),
        level: None,
        bot: false,
        kind: None,
        rating: None,
    };
    Seek {
        seek: id.into(),
        owner: "owner".into(),
        options: options(3),
        private: false,
        code: None,
        members: names.iter().map(member).collect(),
        created_at: T0,
        criteria: None,
        range: None,
    }
}

/// The lists and the own offer say which players an offer admits.
#[test]
fn an_offer_for_certain_players() {
    let mut seek = seek_of("seek1", &["Anna"]);
    seek.criteria = Some(Box::new(SeekCriteria {
        min_rating: Some(1_400),
        registered: true,
        ..SeekCriteria::default()
    }));
    let text = "rating 1400 or more, no guests";
    assert!(offer_line(&seek).ends_with(&format!("; {text}")));
    let screen = screen_of(&Story::new(&["Anna", "Ben"], Some(0)));
    let content = Content {
        offer: Some((&seek, true)),
        ..content(None)
    };
    let shown = picture(&screen, &content, SMALL);
    assert!(shown.contains(text), "{shown}");
    seek.criteria = None;
    assert!(!offer_line(&seek).contains(';'), "it admits everybody");
}

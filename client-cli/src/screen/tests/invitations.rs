//! Invitations in the lobby and as messages.

use super::*;

fn invitation(from: &str, to: &str) -> Invitation {
    let person = |name: &str| Person {
        identity: name.to_lowercase().as_str().into(),
        name: name.to_owned(),
        level: None,
        bot: false,
        kind: Some(PlayerKind::Registered),
        rating: None,
    };
    Invitation {
        invitation: format!("{from}-{to}").as_str().into(),
        from: person(from),
        to: person(to),
        options: options(2),
        created_at: T0,
        expires_at: T0 + 900_000,
        end: None,
        reason: None,
        game: None,
    }
}

#[test]
fn the_lobby_lists_invitations_and_tells_of_new_ones() {
    let received = invitation("Ben", "Anna");
    let lists = Lists {
        seeks: vec![seek_of("seek1", &["Ben"])],
        invitations: vec![received.clone(), invitation("Anna", "Cleo")],
        ..Lists::default()
    };
    let mut screen = Screen::new(Theme::new(Colours::Off), ScreenOptions::default());
    screen.identity = Some("anna".into());
    let declined = Invitation {
        end: Some(InvitationEnd::Declined),
        reason: Some(DeclineReason::OtherOptions),
        ..invitation("Anna", "Do")
    };
    for told in [received, declined] {
        let push = ServerMessage::Invitation(Box::new(told));
        screen.report(&Report::Push(Box::new(push)), None);
    }
    let content = Content {
        lobby: Some(&lists),
        ..content(None)
    };
    insta::assert_snapshot!("invitations_80x24", picture(&screen, &content, SMALL));
}

//! Invitations in the lobby: sent, received, accepted and declined.

use super::*;

/// An application in an empty lobby.
fn in_lobby() -> App {
    let mut app = app(Goal::Lobby(offer()));
    app.does(Input::Started);
    let (id, _) = app.comes_in().only();
    let answer = OkBody {
        seeks: Some(Vec::new()),
        games: Some(Vec::new()),
        ..OkBody::default()
    };
    app.hears(id, ServerMessage::Ok(Box::new(answer)));
    app
}

fn person(name: &str) -> Person {
    Person {
        identity: name.into(),
        name: name.to_owned(),
        level: None,
        bot: false,
        kind: Some(PlayerKind::Registered),
        rating: None,
    }
}

fn invitation(id: &str, from: &str, to: &str, end: Option<InvitationEnd>) -> ServerMessage {
    ServerMessage::Invitation(Box::new(Invitation {
        invitation: id.into(),
        from: person(from),
        to: person(to),
        options: options(2),
        created_at: T0,
        expires_at: T0 + 900_000,
        end,
        reason: None,
        game: None,
    }))
}

fn listed(app: &App) -> Vec<&str> {
    let known = app.lobby().unwrap().invitations.iter();
    known.map(|one| one.invitation.as_str()).collect()
}

#[track_caller]
fn assert_follows(did: &Did) {
    let ops: Vec<&str> = did.sent.iter().map(|(_, message)| message.op()).collect();
    assert_eq!(ops, ["lobby_unsubscribe", "attach"]);
}

#[test]
fn received_invitations_come_first_and_leave_when_they_end() {
    let mut app = in_lobby();
    app.hears(0, invitation("sent", "anna", "ben", None));
    let did = app.hears(0, invitation("first", "ben", "anna", None));
    assert_eq!(did.reports[0]["type"], "invitation");
    app.hears(0, invitation("second", "cleo", "anna", None));
    app.hears(0, invitation("first", "ben", "anna", None));
    assert_eq!(listed(&app), ["first", "second", "sent"]);
    let end = Some(InvitationEnd::Expired);
    app.hears(0, invitation("first", "ben", "anna", end));
    assert_eq!(listed(&app), ["second", "sent"]);
    // The server tells a new connection of all that are open.
    app.loses(None, "gone");
    let at = app.deadline().unwrap();
    drop(app.handle(at, Input::Tick));
    app.comes_in();
    assert!(app.lists.invitations.is_empty());
}

#[test]
fn the_program_follows_the_game_of_an_accepted_invitation() {
    let mut app = in_lobby();
    app.hears(0, invitation("first", "ben", "anna", None));
    let did = app.types("accept");
    let (id, message) = did.only();
    assert!(
        matches!(message, ClientMessage::AnswerInvitation(body) if body.accept
            && body.invitation.as_str() == "first" && body.nonce_hash.is_some())
    );
    let answer = OkBody {
        game: Some("game1".into()),
        ..OkBody::default()
    };
    assert_follows(&app.hears(id, ServerMessage::Ok(Box::new(answer))));
}

#[test]
fn the_program_follows_the_game_that_the_invited_player_accepts() {
    let mut app = in_lobby();
    let did = app.types("invite Ben classic");
    let (id, message) = did.only();
    let ClientMessage::Invite(body) = message else {
        panic!("{message:?}")
    };
    assert_eq!((&*body.handle, &*body.options.rule_set), ("Ben", "classic"));
    assert!(body.nonce_hash.is_some());
    app.hears(id, ServerMessage::Ok(Box::default()));
    app.hears(0, invitation("sent", "anna", "ben", None));
    let created = |seek: &str| {
        ServerMessage::GameCreated(GameCreated {
            game: "game1".into(),
            seek: seek.into(),
            seat: 0,
        })
    };
    let did = app.hears(0, created("other"));
    assert!(did.sent.is_empty(), "a game of another device");
    assert_follows(&app.hears(0, created("sent")));
}

#[test]
fn an_invitation_is_declined_or_taken_back() {
    let mut app = in_lobby();
    app.hears(0, invitation("first", "ben", "anna", None));
    app.hears(0, invitation("sent", "anna", "ben", None));
    for (line, id, reason) in [
        ("decline busy", "first", Some(DeclineReason::Busy)),
        ("decline 2", "sent", None),
    ] {
        let did = app.types(line);
        let (request, message) = did.only();
        assert!(
            matches!(message, ClientMessage::AnswerInvitation(body) if !body.accept
                && body.invitation.as_str() == id && body.reason == reason),
            "{line}: {message:?}"
        );
        app.hears(request, ServerMessage::Ok(Box::default()));
    }
    for (line, why) in [
        ("accept 2", "you sent this invitation"),
        ("accept 3", "no invitation"),
    ] {
        let did = app.types(line);
        assert!(did.sent.is_empty(), "{line}");
        assert!(did.reports[0].to_string().contains(why), "{line}: {did:?}");
    }
}

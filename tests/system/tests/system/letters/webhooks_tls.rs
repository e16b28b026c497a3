//! Webhooks over TLS, with an authority that the operator names: a certificate counts for its own name only.

use serde_json::{Value, json};
use tilewire_harness::authority::Authority;
use tilewire_harness::server::Server;
use tilewire_harness::webhooks::Receiver;

use super::webhooks::{ALLOWED, Play, counts, failures, has, kinds, settings};

#[test]
fn a_game_is_told_over_tls() {
    let authority = Authority::new();
    let receiver = Receiver::secure(&authority, &authority.certificate("localhost"));
    let server = Server::start(&settings("", &[receiver.target("shop", ALLOWED)]));
    let mut play = Play::begin(&server, &Value::Null);
    play.act(0, "resign", json!({}));
    let events = receiver.wait_for_kind(&server, "game.ended");
    let expected = ["game.created", "game.started", "game.ended"];
    assert_eq!(kinds(&events, &play.game), expected);
    assert!(
        counts(&events).values().all(|count| *count == 1),
        "{events:?}"
    );
    assert!(server.figure(&failures("tls")) < 0.5);
}

/// A certificate for another name, and one by an authority that the operator does not name. A renewed one ends that.
#[test]
fn a_receiver_with_another_certificate_is_told_later() {
    let (authority, stranger) = (Authority::new(), Authority::new());
    for wrong in [
        authority.certificate("other.example"),
        stranger.certificate("localhost"),
    ] {
        let receiver = Receiver::secure(&authority, &wrong);
        let server = Server::start(&settings("", &[receiver.target("shop", ALLOWED)]));
        let play = Play::begin(&server, &Value::Null);
        server.until_figure(&failures("tls"), |value| value >= 2.0);
        let said = server.operate(&["webhooks", "test", "shop"], "");
        let said = said.expect_err("it is refused");
        assert!(said.contains("tls: "), "{said}");
        assert_eq!(receiver.events(), [] as [Value; 0]);
        assert_eq!(receiver.refused(), [""; 0]);
        receiver.certify(&authority.certificate("localhost"));
        let events = receiver.wait_for(&server, |events| has(events, &play.game, "game.started"));
        assert_eq!(kinds(&events, &play.game), ["game.created", "game.started"]);
        assert!(
            counts(&events).values().all(|count| *count == 1),
            "{events:?}"
        );
    }
}

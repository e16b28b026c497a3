//! Pushes to browsers, with a push service that verifies and decrypts them by itself, and fails as real ones do.

use serde_json::{Value, json};
use tilewire_harness::push::PushService;
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;

use super::faults::certificate;
use super::{PASSWORD, ok, refused};

const HANDLES: [&str; 2] = ["anna", "ben"];
/// The nonces of the bag come at once, so that a game begins without waiting.
const GAME: &str = "\n[game]\nnonce_ms = 0\n";

/// A game of two players whose browsers get pushes. Nobody stays connected.
struct Match {
    server: Server,
    service: PushService,
    tokens: [String; 2],
    game: String,
    turn_no: u64,
}

/// Registers a player without an address; returns the token.
fn registered(server: &Server, handle: &str) -> String {
    let (guest, token) = Wire::guest(&server.address, handle);
    let sent = json!({ "handle": handle, "password": PASSWORD });
    let registered = ok(server, "POST /register", Some(&token), &sent);
    drop(guest);
    registered["token"].as_str().expect("a token").to_owned()
}

/// Returns what the server has about pushes.
fn pushes(server: &Server, token: &str) -> Value {
    ok(server, "GET /account/pushes", Some(token), &Value::Null)
}

/// Asks for pushes to a browser.
fn subscribe(server: &Server, service: &PushService, token: &str, browser: &str) -> Value {
    let key = pushes(server, token)["key"].clone();
    let sent = service.subscription(browser, key.as_str().expect("a key"));
    let added = ok(server, "POST /account/pushes/devices", Some(token), &sent);
    assert_eq!(added["devices"][0]["label"], browser, "{added}");
    added
}

/// The number of browsers of a player.
fn devices(server: &Server, token: &str) -> usize {
    let found = pushes(server, token);
    found["devices"].as_array().expect("a list").len()
}

fn dropped(reason: &str) -> String {
    format!("tilewire_pushes_dropped_total{{kind=\"turn\",reason=\"{reason}\"}}")
}

fn failures(stage: &str) -> String {
    format!("tilewire_push_failures_total{{stage=\"{stage}\"}}")
}

impl Match {
    fn begin() -> Self {
        let service = PushService::start(&certificate("localhost"));
        let server = Server::start(&format!("{}{GAME}", service.settings(0)));
        Self::on(server, service)
    }

    /// Two players register with a browser each and begin a game; the first one is on turn.
    fn on(server: Server, service: PushService) -> Self {
        let tokens = HANDLES.map(|handle| {
            let token = registered(&server, handle);
            subscribe(&server, &service, &token, handle);
            token
        });
        let mut anna = Wire::known(&server.address, &tokens[0]);
        let options = json!({
            "rule_set": "email-validated", "seats": 2, "lexicon": "wordnik", "first": "owner",
        });
        let opened = anna.ok("seek", json!({ "cmd_id": "open", "options": options }));
        // The player who is on turn is not here when the push is looked at.
        anna.close();
        let mut ben = Wire::known(&server.address, &tokens[1]);
        let join = json!({ "cmd_id": "join", "seek": opened["seek"]["seek"] });
        let joined = ben.ok("join_seek", join);
        let game = joined["game"].as_str().expect("a game").to_owned();
        ben.close();
        Self {
            server,
            service,
            tokens,
            game,
            turn_no: 1,
        }
    }

    /// Returns the seat on turn.
    fn seat(&self) -> usize {
        usize::from(self.turn_no.is_multiple_of(2))
    }

    /// The player on turn comes, passes and leaves.
    fn pass(&mut self) {
        let mut wire = Wire::known(&self.server.address, &self.tokens[self.seat()]);
        wire.ok("attach", json!({ "game": self.game }));
        let cmd_id = format!("pass{}", self.turn_no);
        let pass = json!({ "game": self.game, "cmd_id": cmd_id, "turn_no": self.turn_no });
        wire.ok("pass", pass);
        wire.close();
        self.turn_no += 1;
    }

    fn rack(&self, seat: usize) -> Vec<String> {
        let mut wire = Wire::known(&self.server.address, &self.tokens[seat]);
        wire.ok("attach", json!({ "game": self.game }));
        let snapshot = wire.pushed(|message| message[0] == "snapshot");
        let rack = snapshot[2]["seats"][seat]["rack"].as_array();
        let rack = rack.expect("a rack").iter();
        let rack = rack.map(|face| face.as_str().expect("a face").to_owned());
        let rack = rack.collect();
        // A player who is here gets no push.
        wire.close();
        rack
    }

    /// Checks that a push asks the seat on turn, and has no rack.
    #[track_caller]
    fn check(&self, push: &Value) {
        let seat = self.seat();
        assert_eq!(push["path"], format!("/push/{}", HANDLES[seat]), "{push}");
        let title = format!("Your turn against {}", HANDLES[1 - seat]);
        assert_eq!(push["said"]["title"], title, "{push}");
        assert_eq!(push["said"]["path"], format!("/games/{}", self.game));
        assert_eq!(push["said"]["tag"], push["topic"]);
        assert_eq!(push["claims"]["sub"], "mailto:tiles@example.org");
        // 72 hours for the turn.
        let ttl: u64 = push["ttl"].as_str().expect("a text").parse().expect("s");
        assert!((71 * 3_600..=72 * 3_600).contains(&ttl), "{push}");
        for rack in [self.rack(0), self.rack(1)] {
            for between in ["", " ", ","] {
                let rack = rack.join(between);
                assert!(!push["said"].to_string().contains(&rack), "{push}");
            }
        }
    }
}

#[test]
fn each_turn_is_pushed_to_the_next_player() {
    let mut all = Match::begin();
    for count in 1..=3 {
        let taken = all.service.wait_for(&all.server, count);
        assert_eq!(taken.len(), count, "{taken:?}");
        all.check(&taken[count - 1]);
        all.pass();
    }
    let taken = all.service.wait_for(&all.server, 4);
    // A newer push about a game replaces an older one to the same player; others learn nothing from the name.
    assert_eq!(taken[0]["topic"], taken[2]["topic"]);
    assert_eq!(taken[1]["topic"], taken[3]["topic"]);
    assert_ne!(taken[0]["topic"], taken[1]["topic"]);
    // All contents have one length.
    assert!(
        taken
            .iter()
            .all(|push| push["length"] == taken[0]["length"])
    );
    let used = pushes(&all.server, &all.tokens[0])["devices"][0]["used_at"].clone();
    assert!(used.is_i64(), "{used}");
    let log = all.server.log();
    assert!(!log.contains("/push/"), "{log}");
}

#[test]
fn a_result_and_an_invitation_are_pushed_in_the_language_of_the_player() {
    let all = Match::begin();
    let _first = all.service.wait_for(&all.server, 1);
    let me = ok(&all.server, "GET /me", Some(&all.tokens[1]), &Value::Null);
    let mut letters = me["letters"].clone();
    letters["language"] = json!("de");
    let path = "PUT /account/letters";
    ok(&all.server, path, Some(&all.tokens[1]), &letters);
    let mut anna = Wire::known(&all.server.address, &all.tokens[0]);
    anna.ok("attach", json!({ "game": all.game }));
    anna.ok("resign", json!({ "game": all.game, "cmd_id": "resign" }));
    let taken = all.service.wait_for(&all.server, 2);
    // The player who has resigned is here.
    assert_eq!(taken[1]["said"]["title"], "Du hast gegen anna gewonnen");
    let options = json!({ "rule_set": "email-validated", "seats": 2, "lexicon": "wordnik" });
    let invite = json!({ "cmd_id": "invite", "handle": "ben", "options": options });
    anna.ok("invite", invite);
    let taken = all.service.wait_for(&all.server, 3);
    assert_eq!(taken[2]["said"]["title"], "anna lädt dich ein");
    assert_eq!(taken[2]["said"]["path"], "/");
    let choice = json!({ "turn": true, "reminder": true, "result": true, "invitation": false });
    let path = "PUT /account/pushes";
    let chosen = ok(&all.server, path, Some(&all.tokens[1]), &choice);
    assert_eq!(chosen["kinds"], choice);
    let options = json!({ "rule_set": "email-challenge", "seats": 2, "lexicon": "wordnik" });
    let invite = json!({ "cmd_id": "again", "handle": "ben", "options": options });
    anna.ok("invite", invite);
    let unwanted = "tilewire_pushes_dropped_total{kind=\"invitation\",reason=\"unwanted\"}";
    all.server.until_figure(unwanted, |value| value == 1.0);
    assert_eq!(all.service.taken().len(), 3);
}

/// A push service that fails and recovers: the push comes, once.
#[test]
fn a_push_comes_after_every_failure_once() {
    let mut all = Match::begin();
    let _first = all.service.wait_for(&all.server, 1);
    for (number, fault) in ["503:1", "500", "429:1", "403"].into_iter().enumerate() {
        let before = all.server.figure(&failures("status"));
        all.service.fail(fault);
        all.pass();
        let more = |value| value > before;
        all.server.until_figure(&failures("status"), more);
        all.service.fail("");
        let taken = all.service.wait_for(&all.server, number + 2);
        assert_eq!(taken.len(), number + 2, "{fault}: {taken:?}");
        all.check(&taken[number + 1]);
    }
}

/// A push service that has the push and does not answer may have taken it: it is sent twice at most.
#[test]
fn a_push_without_an_answer_is_sent_twice_at_most() {
    let mut all = Match::begin();
    let _first = all.service.wait_for(&all.server, 1);
    for (number, fault) in ["stall", "endless"].into_iter().enumerate() {
        all.service.fail(fault);
        all.pass();
        let lost = (number + 1) as f64;
        let is_lost = |value| value >= lost;
        all.server.until_figure(&dropped("unknown"), is_lost);
        let sent = all.service.requests().len();
        assert_eq!(sent, 1 + 2 * (number + 1), "{fault}");
    }
    all.service.fail("");
    all.pass();
    let taken = all.service.wait_for(&all.server, 2);
    all.check(&taken[1]);
}

#[test]
fn a_browser_that_is_gone_is_forgotten() {
    for fault in ["410", "404"] {
        let mut all = Match::begin();
        let _first = all.service.wait_for(&all.server, 1);
        all.service.fail(fault);
        all.pass();
        all.server
            .until_figure(&dropped("gone"), |value| value == 1.0);
        while devices(&all.server, &all.tokens[1]) > 0 {
            std::thread::yield_now();
        }
        assert_eq!(devices(&all.server, &all.tokens[0]), 1);
        // It can ask again.
        all.service.fail("");
        subscribe(&all.server, &all.service, &all.tokens[1], "ben");
    }
}

/// A redirection is not followed, and a browser whose pushes are refused three times is forgotten.
#[test]
fn refusals_forget_a_browser() {
    let mut all = Match::begin();
    let _first = all.service.wait_for(&all.server, 1);
    all.service.fail("redirect");
    for number in 1..=5_u32 {
        all.pass();
        let refused = f64::from(number);
        all.server
            .until_figure(&dropped("refused"), |value| value >= refused);
    }
    while devices(&all.server, &all.tokens[1]) > 0 {
        std::thread::yield_now();
    }
    let requests = all.service.requests();
    let elsewhere = |push: &Value| push["path"] == "/push/elsewhere";
    assert!(!requests.iter().any(elsewhere), "{requests:?}");
    assert_eq!(devices(&all.server, &all.tokens[0]), 1);
}

/// The push service takes the push, and the server dies before it knows: the second push has the same name.
#[test]
fn a_crash_after_the_push_repeats_it_under_one_name() {
    for (point, count) in [("before_web_push:1", 1), ("after_web_push:1", 2)] {
        let service = PushService::start(&certificate("localhost"));
        // The players have left before the push is looked at.
        // A first process has the address that both others keep.
        let mut server = Server::start(&format!("{}{GAME}", service.settings(1_000)));
        assert!(server.stop());
        server.start_dying(point);
        let all = Match::on(server, service);
        all.server.wait_for_death();
        let taken = all.service.wait_for(&all.server, count);
        assert_eq!(taken.len(), count, "{point}: {taken:?}");
        assert!(taken.iter().all(|push| push["topic"] == taken[0]["topic"]));
        let sent = "tilewire_pushes_sent_total{kind=\"turn\"}";
        all.server.until_figure(sent, |value| value >= 1.0);
        assert_eq!(all.service.taken().len(), count, "{point}");
    }
}

#[test]
fn a_player_who_is_here_gets_no_push() {
    let mut all = Match::begin();
    let _first = all.service.wait_for(&all.server, 1);
    let _here = Wire::known(&all.server.address, &all.tokens[1]);
    all.pass();
    all.server
        .until_figure(&dropped("present"), |value| value == 1.0);
    assert_eq!(all.service.requests().len(), 1);
}

/// The pushes of a session end with it.
#[test]
fn a_logout_ends_the_pushes_of_its_browser() {
    let mut all = Match::begin();
    let _first = all.service.wait_for(&all.server, 1);
    let sent = json!({ "handle": "ben", "password": PASSWORD });
    let other = ok(&all.server, "POST /login", None, &sent);
    let other = other["token"].as_str().expect("a token").to_owned();
    assert_eq!(devices(&all.server, &other), 1);
    let own = std::mem::replace(&mut all.tokens[1], other);
    let answer = super::call(&all.server, "POST /logout", Some(&own), &Value::Null);
    assert_eq!(answer.status, 204, "{answer:?}");
    assert_eq!(devices(&all.server, &all.tokens[1]), 0);
    // The next turn of the other player is pushed, so this one has passed by.
    all.pass();
    all.pass();
    let taken = all.service.wait_for(&all.server, 2);
    assert_eq!(taken[1]["path"], "/push/anna");
}

#[test]
fn a_key_pair_is_replaced_and_retired() {
    let mut all = Match::begin();
    let taken = all.service.wait_for(&all.server, 1);
    let old = pushes(&all.server, &all.tokens[0])["key"].clone();
    assert_eq!(taken[0]["key"], old);
    let operate = |task: &[&str]| {
        let task = [&["keys", "push"][..], task].concat();
        all.server.operate(&task, "")
    };
    let listed = operate(&["list"]).expect("a list");
    let kid = listed.split_whitespace().next().expect("a key").to_owned();
    assert!(operate(&["retire", kid.as_str()]).is_err());
    operate(&["rotate"]).expect("a new one");
    let new = pushes(&all.server, &all.tokens[0])["key"].clone();
    assert_ne!(new, old);
    // A browser that has subscribed with the old one meanwhile asks again.
    let stale = all
        .service
        .subscription("late", old.as_str().expect("a key"));
    let path = "POST /account/pushes/devices";
    let answer = refused(&all.server, path, Some(&all.tokens[0]), &stale);
    assert_eq!(answer, (409, "push_key_changed".to_owned()));
    let said = operate(&["retire", kid.as_str()]).expect("it is not the newest");
    assert!(said.ends_with("no more pushes: 2\n"), "{said}");
    assert_eq!(devices(&all.server, &all.tokens[1]), 0);
    subscribe(&all.server, &all.service, &all.tokens[1], "ben");
    all.pass();
    let taken = all.service.wait_for(&all.server, 2);
    assert_eq!(taken[1]["key"], new);
}

/// Without `allow_private` no push reaches this machine, whatever its name is.
#[test]
fn a_private_address_is_refused() {
    let service = PushService::start(&certificate("localhost"));
    let config = format!("{}[mail]\nwait_ms = 0\n{GAME}", service.guarded());
    let server = Server::start(&config);
    let token = registered(&server, "anna");
    let key = pushes(&server, &token)["key"].clone();
    let key = key.as_str().expect("a key");
    let path = "POST /account/pushes/devices";
    let mut sent = service.subscription("anna", key);
    let answer = refused(&server, path, Some(&token), &sent);
    assert_eq!(answer, (400, "bad_endpoint".to_owned()));
    sent["endpoint"] = json!("https://localhost/push/anna");
    ok(&server, path, Some(&token), &sent);
    let other = registered(&server, "ben");
    let mut ben = Wire::known(&server.address, &other);
    let options = json!({ "rule_set": "email-validated", "seats": 2, "lexicon": "wordnik" });
    ben.ok(
        "invite",
        json!({ "cmd_id": "i", "handle": "anna", "options": options }),
    );
    server.until_figure(&failures("address"), |value| value >= 1.0);
    assert!(service.requests().is_empty());
}

#[test]
fn a_server_without_pushes_says_so() {
    let server = Server::start("");
    let token = registered(&server, "anna");
    let answer = refused(&server, "GET /account/pushes", Some(&token), &Value::Null);
    assert_eq!(answer, (404, "push_off".to_owned()));
}

#[test]
fn settings_that_cannot_work_are_refused() {
    let server = Server::start("");
    for (settings, expected) in [
        ("contact = \"me\"\n", "push.contact"),
        ("contact = \"mailto:me\"\n", "push.contact"),
        ("contact = \"http://example.org\"\n", "push.contact"),
        (
            "contact = \"mailto:me@example.org\"\nca_file = \"/nowhere\"\n",
            "push.ca_file",
        ),
        (
            "contact = \"mailto:me@example.org\"\nallow_private = [\"x\"]\n",
            "push.allow_private",
        ),
        (
            "contact = \"mailto:me@example.org\"\nretry_ms = 5000\nretry_max_ms = 1000\n",
            "push.retry_ms",
        ),
        ("devices = 0\n", "push.devices"),
    ] {
        let said = server.operate_with(&format!("[push]\n{settings}"), &["config", "check"]);
        let said = said.expect_err("it is refused");
        assert!(said.contains(expected), "{settings}: {said}");
    }
}

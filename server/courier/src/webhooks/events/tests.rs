//! Which events follow from the records of a game, and what they say.

use serde_json::Value;
use tilewire_rules::clock::ClockKind;
use tilewire_rules::game::Action;
use tilewire_rules::options::SpectatorView;

use super::*;
use crate::table::{Table, some_play};

const DELAY: Millis = Millis(600_000);
const GIVE_UP: Millis = Millis(86_400_000);
const CLOCK: ClockKind = ClockKind::PerMove {
    limit_ms: 72 * 3_600_000,
    bank_ms: 0,
};

fn target() -> WebhookTarget {
    WebhookTarget {
        name: "shop".to_owned(),
        url: "https://shop.example/".to_owned(),
        secret_file: "secret".into(),
        ca_file: "".into(),
        events: Default::default(),
        players: WebhookPlayers::All,
        private_games: true,
        allow_private: Default::default(),
    }
}

fn rules_of(game: &StoredGame) -> Arc<RuleSet> {
    let mut all = RuleSet::builtins().iter();
    let found = all.find(|rules| rules.id == game.meta.rule_set);
    Arc::clone(found.unwrap())
}

/// Returns the events of a stored game behind a number.
fn webhooks(game: &StoredGame, after: u64, target: &WebhookTarget) -> Vec<NewWebhook> {
    let turned = ChangedGame {
        game: game.meta.game.clone(),
        after,
        last: game.records.last().unwrap().seq.0,
    };
    let news = events_of(game, &rules_of(game), &turned, |kind| target.wants(kind)).unwrap();
    news.map_or_else(Vec::new, |news| news.for_target(target, GIVE_UP))
}

fn body(webhook: &NewWebhook) -> Value {
    serde_json::from_str(&webhook.content).unwrap()
}

/// Returns the only event behind a number.
#[track_caller]
fn one(table: &Table, after: u64) -> Value {
    let found = webhooks(&table.stored(), after, &target());
    assert_eq!(found.len(), 1, "{found:?}");
    body(&found[0])
}

/// Returns the game as another one with these options of spectators and these players.
fn changed(table: &Table, change: impl FnOnce(&mut Created)) -> StoredGame {
    let mut game = table.stored();
    let Event::Created(created) = &mut game.records[0].event else {
        panic!("the first record creates the game");
    };
    change(created);
    game
}

fn delayed(table: &Table, racks: bool) -> StoredGame {
    changed(table, |created| {
        created.options.spectators = Some(SpectatorView {
            delay_ms: DELAY.0,
            racks,
        });
    })
}

#[test]
fn a_new_game_is_created_and_started() {
    let table = Table::begin("email-validated", 2, CLOCK);
    let found = webhooks(&table.stored(), 0, &target());
    let kinds: Vec<&str> = found.iter().map(|webhook| webhook.kind).collect();
    assert_eq!(kinds, ["game.created", "game.started"]);
    let created = body(&found[0]);
    assert_eq!(created["type"], "game.created");
    assert_eq!(created["timestamp"], "2027-01-15T08:00:00Z");
    let data = &created["data"];
    assert_eq!(
        (&data["game"], &data["private"]),
        (&"g1".into(), &true.into())
    );
    assert_eq!(data["options"]["rule_set"], "email-validated");
    let anna = serde_json::json!({ "seat": 0, "identity": "anna", "name": "ANNA", "bot": false });
    assert_eq!(data["players"][0], anna);
    assert_eq!(body(&found[1])["data"]["seat"], table.on_turn().0);
    assert_eq!(found[0].key.id(), "g1-1");
    assert_eq!(found[0].until, found[0].at + GIVE_UP);
    // Events that are stored do not come again.
    assert_eq!(webhooks(&table.stored(), table.seq(), &target()), []);
}

#[test]
fn every_kind_of_turn_is_an_event() {
    let mut table = Table::begin("email-challenge", 2, CLOCK);
    let (author, before) = (table.on_turn(), table.seq());
    let placement = some_play(table.state(), author);
    let turn_no = table.state().turn().unwrap().no;
    table.act(author, Action::Play { turn_no, placement });
    let play = one(&table, before);
    let data = &play["data"];
    assert_eq!(
        (&data["act"], &data["seat"]),
        (&"play".into(), &author.0.into())
    );
    assert_eq!(
        (&data["turn_no"], &data["start"]),
        (&1.into(), &"8H".into())
    );
    let points = data["points"].as_i64().unwrap();
    assert!(points > 0 && data["words"][0]["points"] == points, "{play}");
    assert_eq!(data["scores"][author.index()], points);
    assert_eq!(
        data["words"][0]["word"].as_str().unwrap().chars().count(),
        2
    );

    let (before, other) = (table.seq(), table.on_turn());
    let play_id = table.state().window().expect("a window").play_id;
    table.act(other, Action::Challenge(play_id));
    assert_eq!(
        webhooks(&table.stored(), before, &target()),
        [],
        "nothing is decided"
    );
    table.act(author, Action::Withdraw(play_id));
    let verdict = one(&table, before);
    let data = &verdict["data"];
    assert_eq!(
        (&data["act"], &data["off"]),
        (&"challenge".into(), &true.into())
    );
    assert_eq!(
        (&data["seat"], &data["play"]),
        (&other.0.into(), &play_id.0.into())
    );
    assert_eq!(data["scores"][author.index()], 0);

    let before = table.seq();
    table.pass();
    assert_eq!(one(&table, before)["data"]["act"], "pass");

    let (before, seat) = (table.seq(), table.on_turn());
    let tiles = table.state().tiles().rack(seat)[..2].to_vec();
    let turn_no = table.state().turn().unwrap().no;
    table.act(seat, Action::Exchange { turn_no, tiles });
    let exchange = one(&table, before);
    let data = &exchange["data"];
    assert_eq!(
        (&data["act"], &data["count"]),
        (&"exchange".into(), &2.into())
    );
}

#[test]
fn the_end_names_the_winner() {
    let mut table = Table::begin("email-validated", 2, CLOCK);
    let (before, loser) = (table.seq(), table.on_turn());
    table.act(loser, Action::Resign);
    let over = one(&table, before);
    assert_eq!(
        (&over["type"], &over["data"]["reason"]),
        (&"game.ended".into(), &"resignation".into())
    );
    for seat in Seat::all(2) {
        let result = &over["data"]["players"][seat.index()]["result"];
        assert_eq!(result["won"], seat != loser, "{over}");
    }
    for (reason, kind) in [
        (EndReason::OutPlay, WebhookEvent::GameEnded),
        (EndReason::Aborted, WebhookEvent::GameCancelled),
        (EndReason::Cancelled, WebhookEvent::GameCancelled),
        (EndReason::Adjudicated, WebhookEvent::GameAdjudicated),
    ] {
        assert_eq!(of_reason(reason), kind);
    }
}

/// Checks that a body has no key that could hold what is hidden.
fn check_secrets(value: &Value) {
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                let hidden = [
                    "rack",
                    "tiles",
                    "secret",
                    "private_code",
                    "nonce",
                    "mail",
                    "order",
                ];
                assert!(!hidden.contains(&name.as_str()), "{name}");
                check_secrets(inner);
            }
        }
        Value::Array(all) => all.iter().for_each(check_secrets),
        Value::String(text) => assert_ne!(text, "SECRET"),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[test]
fn no_event_shows_what_a_spectator_may_not_see() {
    let mut table = Table::begin("email-challenge", 2, CLOCK);
    let author = table.on_turn();
    let placement = some_play(table.state(), author);
    let turn_no = table.state().turn().unwrap().no;
    table.act(author, Action::Play { turn_no, placement });
    let seat = table.on_turn();
    let tiles = table.state().tiles().rack(seat)[..2].to_vec();
    let turn_no = table.state().turn().unwrap().no;
    table.act(seat, Action::Exchange { turn_no, tiles });
    table.act(author, Action::Resign);
    // Not even if spectators see racks later.
    for game in [table.stored(), delayed(&table, true)] {
        let found = webhooks(&game, 0, &target());
        assert_eq!(found.len(), 5);
        for webhook in &found {
            check_secrets(&body(webhook));
        }
    }
}

#[test]
fn a_delayed_game_is_held_back_until_its_end() {
    let mut table = Table::begin("email-validated", 2, CLOCK);
    table.pass();
    let game = delayed(&table, false);
    for webhook in webhooks(&game, 0, &target()) {
        let held = match webhook.kind {
            "game.created" => Millis::ZERO,
            _ => DELAY,
        };
        assert_eq!(webhook.shown_at, webhook.at + held, "{webhook:?}");
    }
    let before = table.seq();
    table.pass();
    let loser = table.on_turn();
    table.act(loser, Action::Resign);
    let found = webhooks(&delayed(&table, false), before, &target());
    let ended_at = table.state().last_at();
    assert_eq!(found.len(), 2);
    assert!(
        found.iter().all(|webhook| webhook.shown_at == ended_at),
        "{found:?}"
    );
}

#[test]
fn a_webhook_gets_what_it_wants() {
    let table = Table::begin("email-validated", 2, CLOCK);
    let game = table.stored();
    let public = WebhookTarget {
        private_games: false,
        ..target()
    };
    assert_eq!(webhooks(&game, 0, &public), [], "the game is private");
    let mut some = target();
    some.events.0 = vec![WebhookEvent::GameStarted];
    let kinds: Vec<_> = webhooks(&game, 0, &some)
        .iter()
        .map(|webhook| webhook.kind)
        .collect();
    assert_eq!(kinds, ["game.started"]);
}

#[test]
fn a_site_learns_of_its_own_players_only() {
    let mut table = Table::begin("email-validated", 2, CLOCK);
    let loser = table.on_turn();
    table.act(loser, Action::Resign);
    let site = WebhookTarget {
        players: WebhookPlayers::Site,
        ..target()
    };
    assert_eq!(webhooks(&table.stored(), 0, &site), []);
    let game = changed(&table, |created| {
        "site-abc".clone_into(&mut created.players[1].identity);
    });
    let found = webhooks(&game, 0, &site);
    let kinds: Vec<_> = found.iter().map(|webhook| webhook.kind).collect();
    assert_eq!(kinds, ["game.created", "game.started", "game.ended"]);
    for webhook in [&found[0], &found[2]] {
        let players = &body(webhook)["data"]["players"];
        assert_eq!(
            (&players[0]["identity"], &players[0]["name"]),
            (&Value::Null, &Value::Null)
        );
        assert_eq!(
            (&players[1]["identity"], &players[1]["name"]),
            (&"site-abc".into(), &"BEN".into())
        );
        assert!(!webhook.content.contains("anna") && !webhook.content.contains("ANNA"));
    }
}

#[test]
fn an_account_is_told_to_webhooks_that_learn_of_it() {
    let news = |identity: &str, kind| AccountNews {
        number: 7,
        at: Timestamp(1_800_000_000_000),
        kind,
        identity: identity.to_owned(),
        name: Some("Anna".to_owned()),
        until: Some(Timestamp(1_800_000_001_000)),
    };
    let site = WebhookTarget {
        players: WebhookPlayers::Site,
        ..target()
    };
    let anna = news("i4711", AccountNewsKind::Suspended);
    let webhook = of_account(&anna, &target(), GIVE_UP).unwrap();
    assert_eq!(
        (webhook.kind, webhook.key.id().as_str()),
        ("account.suspended", "account-7")
    );
    let expected = serde_json::json!({
        "identity": "i4711", "handle": "Anna", "until": "2027-01-15T08:00:01Z",
    });
    assert_eq!(body(&webhook)["data"], expected);
    assert_eq!(of_account(&anna, &site, GIVE_UP), None);
    let of_site = news("site-abc", AccountNewsKind::Registered);
    assert!(of_account(&of_site, &site, GIVE_UP).is_some());
    let mut games = target();
    games.events.0 = vec![WebhookEvent::GameEnded];
    assert_eq!(of_account(&anna, &games, GIVE_UP), None);
}

/// Without a window the author draws with the next event, so spectators never see the bag before that.
#[test]
fn the_bag_of_a_play_is_without_what_is_drawn_next() {
    let mut table = Table::begin("email-challenge", 2, CLOCK);
    let author = table.on_turn();
    let placement = some_play(table.state(), author);
    let turn_no = table.state().turn().unwrap().no;
    table.act(author, Action::Play { turn_no, placement });
    let mut records = table.stored().records.into_iter();
    let is_play = |record: &Record| matches!(record.event, Event::Public(PublicEvent::PlayMade(_)));
    let mut record = records.find(is_play).unwrap();
    assert_eq!(drawn_next(&record), 0, "the window has taken them off");
    if let Event::Public(PublicEvent::PlayMade(play)) = &mut record.event {
        play.window = None;
    }
    assert_eq!(drawn_next(&record), 2);
}

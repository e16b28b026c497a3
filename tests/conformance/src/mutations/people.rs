//! Servers that break what the protocol and the HTTP API say about players, ratings and finished games.

use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};

use super::super::raw::Frame;
use super::super::relay::{Connection, Side, Tap};
use super::{Mutation, changes};

/// Every such server.
pub(super) const ALL: &[Mutation] = &[
    Mutation::of(
        "forgets the verdict on a turn",
        "turns/points",
        changed!(changes::forgets_points),
    ),
    Mutation::of(
        "hides racks after the end",
        "turns/racks",
        changed!(changes::hides_racks_of_turns),
    ),
    Mutation::of(
        "calls every word good",
        "look-up/verdicts",
        changed!(changes::calls_words_good),
    ),
    Mutation::of(
        "looks words up too early",
        "look-up/while-playing",
        changed!(changes::looks_up_early),
    ),
    Mutation::of(
        "forgets the ratings of seats",
        "rated/created",
        changed!(changes::forgets_ratings),
    ),
    Mutation::of(
        "does not tell new ratings",
        "rated/rating",
        changed!(changes::hides_new_ratings),
    ),
    Mutation::of(
        "does not tell of waiting times",
        "conduct/waiting-time",
        changed!(changes::hides_waiting_times),
    ),
    Mutation::of(
        "does not tell of rematches",
        "rematches/declined",
        changed!(changes::hides_rematches),
    ),
    Mutation::of(
        "keeps the start in a rematch",
        "rematches/begins",
        changed!(changes::keeps_the_start),
    ),
    Mutation::of(
        "does not tell of invitations",
        "invitations/player-comes-back",
        changed!(changes::hides_invitations),
    ),
    Mutation::of(
        "forgets why a player declines",
        "invitations/declined",
        changed!(changes::forgets_reasons),
    ),
    Mutation::of(
        "says who takes no invitations",
        "invitations/unheard",
        changed!(changes::says_who_hears),
    ),
    Mutation::of(
        "forgets the criteria of a seek",
        "criteria/admitted",
        changed!(changes::forgets_criteria),
    ),
    Mutation::of(
        "does not say which criterion is missed",
        "criteria/by-code",
        changed!(changes::forgets_criterion),
    ),
    Mutation::of(
        "shows everybody whom a seek excludes",
        "criteria/unseen",
        changed!(changes::shows_exclusions),
    ),
    Mutation::of(
        "forgets the range of a quick match",
        "criteria/range",
        changed!(changes::forgets_range),
    ),
    Mutation::of(
        "forgets who asked to abort",
        "aborts/accepted",
        changed!(changes::forgets_aborter),
    ),
    Mutation::of(
        "forgets a request to abort",
        "aborts/in-snapshots",
        changed!(changes::forgets_abort_request),
    ),
    Mutation::of(
        "calls refusals silence",
        "aborts/refused",
        changed!(changes::calls_refusals_silence),
    ),
    Mutation::of(
        "gives less time than it says",
        "gifts/told",
        changed!(changes::gives_less_time),
    ),
    Mutation::of(
        "forgets who takes no time",
        "gifts/refused",
        changed!(changes::forgets_refused_time),
    ),
    Mutation::of(
        "moves a deadline by less than the vacation",
        "vacations/moved",
        changed!(changes::keeps_deadlines),
    ),
    Mutation::of(
        "forgets who is on vacation",
        "vacations/in-snapshots",
        changed!(changes::forgets_vacations),
    ),
    Mutation::of(
        "forgets a nudge",
        "nudges/in-snapshots",
        changed!(changes::forgets_nudge),
    ),
    Mutation::of(
        "hides when a silent player can be claimed",
        "nudges/claimed",
        changed!(changes::hides_claim_of_nudge),
    ),
    Mutation::of(
        "forgets that a game is adjourned",
        "adjourns/in-snapshots",
        changed!(changes::forgets_adjournment),
    ),
    Mutation::of(
        "charges the time of an adjournment",
        "adjourns/resumed",
        changed!(changes::charges_adjournment),
    ),
    Mutation::of("answers errors in words", "api/errors", || {
        Box::new(Answers(errors_in_words))
    }),
    Mutation::of("lets answers be cached", "api/headers", || {
        Box::new(Answers(cacheable))
    }),
    Mutation::of("sets cookies", "api/headers", || {
        Box::new(Answers(sets_cookies))
    }),
    Mutation::of(
        "gives one recovery code ten times",
        "accounts/registration",
        || Box::new(Answers(repeats_codes)),
    ),
    Mutation::of(
        "tells which handles exist",
        "accounts/failed-logins",
        || Box::new(Answers(tells_handles)),
    ),
    Mutation::of("hides how long to wait", "accounts/too-many-tries", || {
        Box::new(Answers(hides_waits))
    }),
    Mutation::of("forgets which session asks", "sessions/list", || {
        Box::new(Answers(forgets_current))
    }),
    Mutation::of(
        "tells everybody who is online",
        "relations/presence",
        || Box::new(Answers(tells_presence)),
    ),
    Mutation::of(
        "takes blocked players off a list",
        "relations/blocked-unseen",
        || Box::new(Answers(hides_follows)),
    ),
    Mutation::of(
        "lets spectators read the players",
        "chat/apart",
        changed!(changes::opens_rooms),
    ),
    Mutation::of(
        "keeps lines of chat to itself",
        "chat/players",
        changed!(changes::hides_lines),
    ),
    Mutation::of(
        "counts a repeated line again",
        "chat/resumed",
        changed!(changes::counts_lines_again),
    ),
    Mutation::of(
        "leaves players without chat in their rooms",
        "chat/switched-off",
        changed!(changes::keeps_rooms_open),
    ),
    Mutation::of(
        "says who wants no chat",
        "chat/writing-to-nobody",
        changed!(changes::says_who_has_no_chat),
    ),
    Mutation::of("forgets who wants no chat", "chat/switched-off", || {
        Box::new(Answers(forgets_chat_switch))
    }),
    Mutation::of("forgets who may invite", "invitations/unheard", || {
        Box::new(Answers(forgets_inviters))
    }),
    Mutation::of("lists games twice", "archive/result", || {
        Box::new(Answers(lists_twice))
    }),
    Mutation::of("forgets the rule that decided", "archive/result", || {
        Box::new(Answers(forgets_rules))
    }),
];

/// Changes the answers of the HTTP API: the lines of the head, and the body.
pub(super) struct Answers(pub(super) fn(&mut String, &mut Value));

impl Tap for Answers {
    fn http(&mut self, mut head: String, body: Vec<u8>) -> (String, Vec<u8>) {
        let Ok(mut value) = serde_json::from_slice(&body) else {
            return (head, body);
        };
        (self.0)(&mut head, &mut value);
        (head, value.to_string().into_bytes())
    }

    fn frame(&mut self, from: Side, frame: Frame, wire: &mut Connection) {
        wire.pass(from, frame);
    }
}

fn errors_in_words(_: &mut String, body: &mut Value) {
    if body.get("code").is_some() {
        *body = json!({ "error": body["message"] });
    }
}

fn cacheable(head: &mut String, _: &mut Value) {
    *head = head.replace("no-store", "max-age=60");
}

fn sets_cookies(head: &mut String, _: &mut Value) {
    head.push_str("Set-Cookie: session=1\r\n");
}

fn repeats_codes(_: &mut String, body: &mut Value) {
    if let Some(codes) = body.get_mut("recovery_codes") {
        *codes = json!(vec!["same"; 10]);
    }
}

fn tells_handles(_: &mut String, body: &mut Value) {
    if body["code"] == "bad_credentials" {
        // Any difference between two such answers tells something.
        static ANSWERS: AtomicU32 = AtomicU32::new(0);
        body["message"] = json!(ANSWERS.fetch_add(1, Ordering::Relaxed).to_string());
    }
}

fn hides_waits(head: &mut String, _: &mut Value) {
    let lines = head.lines();
    let kept = lines.filter(|line| !line.to_lowercase().starts_with("retry-after"));
    *head = kept.fold(String::new(), |head, line| head + line + "\r\n");
}

fn forgets_current(_: &mut String, body: &mut Value) {
    for session in body["sessions"].as_array_mut().into_iter().flatten() {
        session["current"] = json!(true);
    }
}

fn tells_presence(_: &mut String, body: &mut Value) {
    for player in body["followed"].as_array_mut().into_iter().flatten() {
        player["online"] = json!(true);
    }
}

fn hides_follows(_: &mut String, body: &mut Value) {
    if let Some(followed) = body.get_mut("followed").and_then(Value::as_array_mut) {
        followed.retain(|player| player["friend"] == true);
    }
}

fn forgets_inviters(_: &mut String, body: &mut Value) {
    if let Some(from) = body.get_mut("invitations_from") {
        *from = json!("anybody");
    }
}

fn forgets_chat_switch(_: &mut String, body: &mut Value) {
    if let Some(chat) = body.get_mut("chat") {
        *chat = json!(true);
    }
}

fn lists_twice(_: &mut String, body: &mut Value) {
    if let Some(games) = body.get_mut("games").and_then(Value::as_array_mut) {
        games.extend(games.clone());
    }
}

fn forgets_rules(_: &mut String, body: &mut Value) {
    if let Some(decision) = body.get_mut("decision").and_then(Value::as_object_mut) {
        decision.remove("winner_rule");
    }
}

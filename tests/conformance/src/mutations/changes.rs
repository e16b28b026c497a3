//! Changes of server messages; each makes the server break one clause.

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};

fn is_event(message: &Value, kind: &str) -> bool {
    message[0] == "event" && message[2]["kind"] == kind
}

pub(super) fn answers_twice(message: &mut Value) -> Vec<Value> {
    let message = message.take();
    let again = (message[0] == "ok").then(|| message.clone());
    std::iter::once(message).chain(again).collect()
}

pub(super) fn forgets_answers(message: &mut Value) -> Vec<Value> {
    let is_lost = message[0] == "ok" && message[2].get("games").is_some();
    if is_lost {
        Vec::new()
    } else {
        vec![message.take()]
    }
}

pub(super) fn sends_null(message: &mut Value) -> Vec<Value> {
    if message[0] == "welcome" {
        message[2]["later"] = Value::Null;
    }
    vec![message.take()]
}

pub(super) fn renumbers(message: &mut Value) -> Vec<Value> {
    if message[0] == "event"
        && let Some(seq) = message[2]["seq"].as_u64().filter(|seq| *seq > 10)
    {
        message[2]["seq"] = json!(seq + 1);
    }
    vec![message.take()]
}

pub(super) fn loses_events(message: &mut Value) -> Vec<Value> {
    if is_event(message, "bag_shuffled") {
        Vec::new()
    } else {
        vec![message.take()]
    }
}

pub(super) fn shows_racks(message: &mut Value) -> Vec<Value> {
    if is_event(message, "tiles_drawn") && message[2].get("tiles").is_none() {
        message[2]["tiles"] = json!(["A", "B"]);
    }
    vec![message.take()]
}

pub(super) fn shows_the_secret(message: &mut Value) -> Vec<Value> {
    if is_event(message, "created") {
        message[2]["secret"] = json!("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8");
    }
    vec![message.take()]
}

pub(super) fn shows_racks_in_snapshots(message: &mut Value) -> Vec<Value> {
    if message[0] == "snapshot" {
        for seat in message[2]["seats"].as_array_mut().into_iter().flatten() {
            seat["rack"] = json!(["A"]);
        }
    }
    vec![message.take()]
}

pub(super) fn shows_racks_of_turns(message: &mut Value) -> Vec<Value> {
    if message[0] == "snapshot" {
        for turn in message[2]["turns"].as_array_mut().into_iter().flatten() {
            turn["rack"] = json!(["A"]);
        }
    }
    vec![message.take()]
}

pub(super) fn forgets_challengers(message: &mut Value) -> Vec<Value> {
    if message[0] == "snapshot" {
        for turn in message[2]["turns"].as_array_mut().into_iter().flatten() {
            turn.as_object_mut().map(|turn| turn.remove("challenger"));
        }
    }
    vec![message.take()]
}

pub(super) fn miscounts_the_bag(message: &mut Value) -> Vec<Value> {
    if message[0] == "snapshot"
        && let Some(bag) = message[2]["bag"].as_u64()
    {
        message[2]["bag"] = json!(bag + 1);
    }
    vec![message.take()]
}

pub(super) fn forgets_turns(message: &mut Value) -> Vec<Value> {
    if message[0] == "snapshot"
        && let Some(turns) = message[2]["turns"].as_array_mut()
    {
        turns.retain(|turn| turn["kind"] != "lost_turn");
    }
    vec![message.take()]
}

pub(super) fn hides_waiting_turns(message: &mut Value) -> Vec<Value> {
    if message[0] == "turn_waiting" {
        return Vec::new();
    }
    vec![message.take()]
}

pub(super) fn lets_time_go_back(message: &mut Value) -> Vec<Value> {
    if is_event(message, "play_made")
        && let Some(at) = message[2]["at"].as_i64()
    {
        message[2]["at"] = json!(at - 60_000);
    }
    vec![message.take()]
}

pub(super) fn confuses_codes(message: &mut Value) -> Vec<Value> {
    if message[2]["code"] == "not_your_turn" {
        message[2]["code"] = json!("wrong_position");
    }
    vec![message.take()]
}

pub(super) fn calls_retryable(message: &mut Value) -> Vec<Value> {
    if message[0] == "error" {
        message[2]["retryable"] = json!(true);
    }
    vec![message.take()]
}

pub(super) fn names_wrong_field(message: &mut Value) -> Vec<Value> {
    if message[2]["detail"].get("field").is_some() {
        message[2]["detail"]["field"] = json!("elsewhere");
    }
    vec![message.take()]
}

pub(super) fn changes_epochs(message: &mut Value) -> Vec<Value> {
    if message[0] == "ok"
        && let Some(epoch) = message[2]["epoch"].as_u64()
    {
        message[2]["epoch"] = json!(epoch + 1);
    }
    vec![message.take()]
}

pub(super) fn changes_identities(message: &mut Value) -> Vec<Value> {
    if message[0] == "welcome" {
        let token = message[2]["token"].as_str().unwrap_or_default().len();
        let games = message[2]["games"].as_array().map_or(0, Vec::len);
        message[2]["identity"] = json!(format!("i{token}{games}"));
    }
    vec![message.take()]
}

pub(super) fn commits_to_other(message: &mut Value) -> Vec<Value> {
    if is_event(message, "created") {
        message[2]["setup"]["commitment"] = json!("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8");
    }
    vec![message.take()]
}

pub(super) fn deals_in_other_order(message: &mut Value) -> Vec<Value> {
    if is_event(message, "tiles_drawn")
        && let Some(tiles) = message[2].get_mut("tiles").and_then(Value::as_array_mut)
    {
        tiles.rotate_left(1);
    }
    vec![message.take()]
}

pub(super) fn charges_nothing(message: &mut Value) -> Vec<Value> {
    if is_event(message, "turn_started") {
        let seats = message[2]["clocks"]["main_ms"].as_array_mut();
        seats
            .into_iter()
            .flatten()
            .for_each(|ms| *ms = json!(600_000));
    }
    vec![message.take()]
}

pub(super) fn flags_late(message: &mut Value) -> Vec<Value> {
    if is_event(message, "ended")
        && let Some(at) = message[2]["at"].as_i64()
    {
        message[2]["at"] = json!(at + 1);
    }
    vec![message.take()]
}

pub(super) fn hides_bad_words(message: &mut Value) -> Vec<Value> {
    if is_event(message, "challenge_decided") {
        message[2]["bad_words"] = json!([]);
    }
    vec![message.take()]
}

pub(super) fn asks_wrong_seat(message: &mut Value) -> Vec<Value> {
    if is_event(message, "play_made") {
        message[2]["window"]["eligible"] = json!([0]);
    }
    vec![message.take()]
}

pub(super) fn runs_the_wrong_clock(message: &mut Value) -> Vec<Value> {
    if is_event(message, "hold_started") {
        message[2]["clocks"]["running"]["seat"] = json!(1);
    }
    vec![message.take()]
}

pub(super) fn announces_too_much(message: &mut Value) -> Vec<Value> {
    if message[0] == "hello"
        && let Some(burst) = message[2]["limits"]["message_burst"].as_u64()
    {
        message[2]["limits"]["message_burst"] = json!(burst + 30);
    }
    vec![message.take()]
}

pub(super) fn leaves_defaults_out(message: &mut Value) -> Vec<Value> {
    let options = message[2]
        .get_mut("seek")
        .and_then(|seek| seek.get_mut("options"));
    if let Some(options) = options.and_then(Value::as_object_mut) {
        options.remove("ties");
    }
    vec![message.take()]
}

/// The turns of a snapshot.
fn turns(message: &mut Value) -> impl Iterator<Item = &mut serde_json::Map<String, Value>> {
    let is_snapshot = message[0] == "snapshot";
    let turns = message[2].get_mut("turns").filter(|_| is_snapshot);
    let turns = turns.and_then(Value::as_array_mut).into_iter().flatten();
    turns.filter_map(Value::as_object_mut)
}

pub(super) fn forgets_points(message: &mut Value) -> Vec<Value> {
    turns(message).for_each(|turn| drop(turn.remove("points")));
    vec![message.take()]
}

pub(super) fn hides_racks_of_turns(message: &mut Value) -> Vec<Value> {
    if message[2].get("result").is_some() {
        turns(message).for_each(|turn| drop(turn.remove("rack")));
    }
    vec![message.take()]
}

pub(super) fn calls_words_good(message: &mut Value) -> Vec<Value> {
    let words = message[2].get_mut("words").and_then(Value::as_array_mut);
    for word in words.into_iter().flatten() {
        if word.get("valid").is_some() {
            word["valid"] = json!(true);
        }
    }
    vec![message.take()]
}

pub(super) fn looks_up_early(message: &mut Value) -> Vec<Value> {
    if message[2]["code"] == "not_over" {
        return vec![json!(["ok", message[1], { "words": [] }])];
    }
    vec![message.take()]
}

pub(super) fn forgets_ratings(message: &mut Value) -> Vec<Value> {
    if is_event(message, "created") {
        let seats = message[2]["setup"]["seats"].as_array_mut();
        for seat in seats.into_iter().flatten() {
            seat.as_object_mut().map(|seat| seat.remove("rating"));
        }
    }
    vec![message.take()]
}

pub(super) fn hides_new_ratings(message: &mut Value) -> Vec<Value> {
    if message[0] == "rating" {
        return Vec::new();
    }
    vec![message.take()]
}

/// The server reports no waiting time.
pub(super) fn hides_waiting_times(message: &mut Value) -> Vec<Value> {
    if message[0] == "moderation" && message[2]["kind"] == "wait" {
        return Vec::new();
    }
    vec![message.take()]
}

pub(super) fn hides_rematches(message: &mut Value) -> Vec<Value> {
    if message[0] == "rematch" {
        return Vec::new();
    }
    vec![message.take()]
}

/// The refusal of a room becomes an empty room.
pub(super) fn opens_rooms(message: &mut Value) -> Vec<Value> {
    if message[0] == "error" && message[2]["code"] == "no_such_room" {
        message[0] = json!("ok");
        message[2] = json!({ "chat": { "room": "any", "lines": [] } });
    }
    vec![message.take()]
}

pub(super) fn hides_lines(message: &mut Value) -> Vec<Value> {
    if message[0] == "chat" {
        return Vec::new();
    }
    vec![message.take()]
}

pub(super) fn keeps_rooms_open(message: &mut Value) -> Vec<Value> {
    if message[0] == "chat_closed" {
        return Vec::new();
    }
    vec![message.take()]
}

/// Each room is closed with a reason of its own.
pub(super) fn says_who_has_no_chat(message: &mut Value) -> Vec<Value> {
    if message[0] == "chat_closed" {
        static CLOSED: AtomicU64 = AtomicU64::new(0);
        message[2]["reason"] = json!(format!("r{}", CLOSED.fetch_add(1, Ordering::Relaxed)));
    }
    vec![message.take()]
}

pub(super) fn hides_invitations(message: &mut Value) -> Vec<Value> {
    if message[0] == "invitation" {
        return Vec::new();
    }
    vec![message.take()]
}

/// The first line of a room has another number each time that a client asks for it.
pub(super) fn counts_lines_again(message: &mut Value) -> Vec<Value> {
    if let Some(line) = message[2].pointer_mut("/chat/line") {
        static COUNTED: AtomicU64 = AtomicU64::new(0);
        *line = json!(COUNTED.fetch_add(1, Ordering::Relaxed) + 2);
    }
    vec![message.take()]
}

pub(super) fn forgets_reasons(message: &mut Value) -> Vec<Value> {
    if message[0] == "invitation" {
        message[2].as_object_mut().map(|told| told.remove("reason"));
    }
    vec![message.take()]
}

/// Answers an invitation at once with its end: the kit's first invitation is one that nobody answers.
pub(super) fn says_who_hears(message: &mut Value) -> Vec<Value> {
    let mut all = vec![message.clone()];
    if message[0] == "invitation" && message[2].get("end").is_none() {
        message[2]["end"] = json!("declined");
        all.push(message.take());
    }
    all
}

fn without(message: &mut Value, pointer: &str, field: &str) -> Vec<Value> {
    let found = message[2].pointer_mut(pointer);
    if let Some(map) = found.and_then(Value::as_object_mut) {
        map.remove(field);
    }
    vec![message.take()]
}

pub(super) fn forgets_criteria(message: &mut Value) -> Vec<Value> {
    without(message, "/seek", "criteria")
}

pub(super) fn forgets_range(message: &mut Value) -> Vec<Value> {
    without(message, "/seek", "range")
}

pub(super) fn forgets_criterion(message: &mut Value) -> Vec<Value> {
    match message[2]["code"] == "not_eligible" {
        true => without(message, "/detail", "reason"),
        false => vec![message.take()],
    }
}

pub(super) fn shows_exclusions(message: &mut Value) -> Vec<Value> {
    if message[0] == "lobby"
        && let Some(criteria) = message[2].pointer_mut("/seek/criteria")
    {
        criteria["exclude"] = json!(["somebody"]);
    }
    vec![message.take()]
}

pub(super) fn keeps_the_start(message: &mut Value) -> Vec<Value> {
    if let Some(series) = message[2].pointer_mut("/setup/series") {
        series["first"] = json!(0);
    }
    vec![message.take()]
}

pub(super) fn forgets_aborter(message: &mut Value) -> Vec<Value> {
    if is_event(message, "ended") {
        message[2]
            .as_object_mut()
            .map(|event| event.remove("aborter"));
    }
    vec![message.take()]
}

pub(super) fn without_in_snapshots(message: &mut Value, field: &str) -> Vec<Value> {
    if message[0] == "snapshot" {
        message[2]
            .as_object_mut()
            .map(|snapshot| snapshot.remove(field));
    }
    vec![message.take()]
}

pub(super) fn forgets_abort_request(message: &mut Value) -> Vec<Value> {
    without_in_snapshots(message, "abort_request")
}

pub(super) fn calls_refusals_silence(message: &mut Value) -> Vec<Value> {
    if is_event(message, "abort_declined") {
        message[2]["reason"] = json!("expired");
    }
    vec![message.take()]
}

pub(super) fn forgets_nudge(message: &mut Value) -> Vec<Value> {
    without_in_snapshots(message, "nudge")
}

pub(super) fn hides_claim_of_nudge(message: &mut Value) -> Vec<Value> {
    if is_event(message, "nudged") {
        message[2]
            .as_object_mut()
            .map(|event| event.remove("claim_at"));
    }
    vec![message.take()]
}

pub(super) fn forgets_adjournment(message: &mut Value) -> Vec<Value> {
    without_in_snapshots(message, "adjourned")
}

pub(super) fn charges_adjournment(message: &mut Value) -> Vec<Value> {
    if is_event(message, "resumed") {
        let main = &mut message[2]["clocks"]["main_ms"][0];
        *main = json!(main.as_i64().unwrap_or(0) - 1);
    }
    vec![message.take()]
}

pub(super) fn forgets_refused_time(message: &mut Value) -> Vec<Value> {
    without_in_snapshots(message, "time_refused")
}

pub(super) fn gives_less_time(message: &mut Value) -> Vec<Value> {
    if is_event(message, "time_given") {
        let target = message[2]["target"].as_u64().unwrap_or(0);
        let target = usize::try_from(target).unwrap_or(0);
        let main_ms = message[2]["clocks"]["main_ms"].as_array_mut();
        if let Some(left) = main_ms.and_then(|main_ms| main_ms.get_mut(target)) {
            *left = json!(left.as_i64().unwrap_or(0) - 1_000);
        }
    }
    vec![message.take()]
}

pub(super) fn keeps_deadlines(message: &mut Value) -> Vec<Value> {
    if is_event(message, "vacation") {
        let allowance = &mut message[2]["clocks"]["allowance_ms"][0];
        *allowance = json!(allowance.as_i64().unwrap_or(0) - 3_600_000);
    }
    vec![message.take()]
}

pub(super) fn forgets_vacations(message: &mut Value) -> Vec<Value> {
    if message[0] == "snapshot" {
        for seat in message[2]["seats"].as_array_mut().into_iter().flatten() {
            if let Some(seat) = seat.as_object_mut() {
                seat.remove("vacation_until");
            }
        }
    }
    vec![message.take()]
}

//! Changes of one place in the record of a clean game: a check refuses each, except those of
//! `tests/data/tampered/may-stay.toml`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;
use tilewire_rules::bot::{Bot, BotLevel, Match, play_game};
use tilewire_rules::event::{Event, PublicEvent, Record};
use tilewire_rules::game::{Action, Command, Context, Game, Input};
use tilewire_rules::lexicon::{FstLexicon, Lexicon};
use tilewire_rules::options::GameOptions;
use tilewire_rules::record::{check_gcg, check_native, gcg, native};
use tilewire_rules::ruleset::{Premiums, RuleSet};

/// Changes that a check accepts.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MayStay {
    native: Vec<Accepted>,
    gcg: Vec<Accepted>,
}

/// Places that may change for one reason.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Accepted {
    why: String,
    places: Vec<String>,
}

/// A game of bots to its end; the beginner challenges.
fn played(rules: &Arc<RuleSet>, seats: u8) -> Vec<Record> {
    let lexicon = FstLexicon::builtin();
    let graphs = lexicon.graphs().unwrap();
    let mut options = GameOptions::usual(rules, lexicon.name());
    options.seats = seats;
    let levels = [BotLevel::Club, BotLevel::Beginner].into_iter().cycle();
    let levels = levels.take(usize::from(seats));
    let mut bots: Vec<Bot> = levels
        .map(|level| Bot::new(level, Arc::clone(&graphs)))
        .collect();
    let of = Match {
        options,
        rules: Arc::clone(rules),
        seed: 4,
    };
    play_game(&of, &*lexicon, &mut bots, |_, _| {})
        .unwrap()
        .records
}

/// The same game, in which every player passes after some turns until the game ends without an out-play.
fn passed_out(rules: &Arc<RuleSet>, records: &[Record], turns: usize) -> Vec<Record> {
    let is_turn =
        |record: &Record| matches!(record.event, Event::Public(PublicEvent::TurnStarted { .. }));
    let mut starts = (0..records.len()).filter(|at| is_turn(&records[*at]));
    let last = starts.nth(turns).unwrap();
    let mut records = records[..=last].to_vec();
    let mut game = Game::replay(Arc::clone(rules), &records).unwrap();
    let (lexicon, mut now) = (FstLexicon::builtin(), records[last].at);
    while let Some(turn) = game.state().turn() {
        // A turn waits while the play before it is protected.
        now = now.plus(game.state().options().timing.protect_ms);
        let number = records.len() as u64;
        let command = Command {
            seat: turn.seat,
            cmd_id: format!("pass-{number}"),
            digest: number,
            received_at: now,
            lag_ms: 0,
            action: Action::Pass { turn_no: turn.no },
        };
        let input = Input::Command(command);
        let transition = game.handle(&Context::new(&*lexicon), now, input);
        assert!(!transition.records.is_empty(), "{:?}", transition.answers);
        records.extend(transition.records);
        game = transition.next;
    }
    records
}

/// One clean game of every rule set, with as few or as many seats as it allows, in turn; and classic games of every number
/// of seats to both ends.
fn games() -> impl Iterator<Item = (Arc<RuleSet>, Vec<Record>)> {
    let of_each = RuleSet::builtins().iter().enumerate().map(|(at, rules)| {
        let seats = [rules.max_seats, rules.min_seats][at % 2];
        (Arc::clone(rules), played(rules, seats))
    });
    let rules = RuleSet::classic();
    let ends = (rules.min_seats..=rules.max_seats).flat_map(move |seats| {
        let out = played(&rules, seats);
        let scoreless = passed_out(&rules, &out, 4);
        [out, scoreless].map(|records| (Arc::clone(&rules), records))
    });
    of_each.chain(ends)
}

/// Compares the places of accepted changes, with an example of each, with the list.
fn compare(accepted: &BTreeMap<String, String>, listed: &[Accepted]) {
    assert!(listed.iter().all(|group| !group.why.is_empty()));
    let listed: BTreeSet<&String> = listed.iter().flat_map(|group| &group.places).collect();
    let not_listed = accepted.iter().filter(|(place, _)| !listed.contains(place));
    let not_listed: Vec<String> = not_listed
        .map(|(place, example)| format!("accepted: {place}: {example}"))
        .collect();
    let unneeded = listed
        .iter()
        .filter(|place| !accepted.contains_key(**place));
    let unneeded: Vec<_> = unneeded.collect();
    assert!(
        not_listed.is_empty() && unneeded.is_empty(),
        "{}\nnot needed: {unneeded:?}",
        not_listed.join("\n")
    );
}

fn listed() -> MayStay {
    toml::from_str(include_str!("../../data/tampered/may-stay.toml")).unwrap()
}

/// A change of one place: its name, without the numbers of elements, and the changed value.
type Change = (String, Value);

/// Every change of a value: each number, text, truth value, and each list without its last element.
fn changes(value: &Value, place: &str) -> Vec<Change> {
    let mut all = Vec::new();
    match value {
        Value::Null => {}
        Value::Bool(is) => all.push((place.to_owned(), Value::Bool(!is))),
        Value::Number(number) => {
            let number = number.as_i64().unwrap();
            all.push((place.to_owned(), Value::from(number + 1)));
            all.push((place.to_owned(), Value::from(number - 1)));
        }
        Value::String(text) => {
            let is_hex = text.len() == 64;
            let other = match text.chars().next() {
                Some('0') if is_hex => format!("1{}", &text[1..]),
                Some(_) if is_hex => format!("0{}", &text[1..]),
                _ => format!("{text}x"),
            };
            all.push((place.to_owned(), Value::from(other)));
        }
        Value::Array(list) => {
            if let Some((_, rest)) = list.split_last() {
                all.push((format!("{place}[-]"), Value::from(rest)));
            }
            for (at, one) in list.iter().enumerate().take(3) {
                all.extend(changes(one, &format!("{place}[]")).into_iter().map(
                    |(place, changed)| {
                        let mut list = list.clone();
                        list[at] = changed;
                        (place, Value::Array(list))
                    },
                ));
            }
        }
        Value::Object(map) => {
            for (name, one) in map {
                let within = match name.as_str() {
                    "event" | "public" => place.to_owned(),
                    _ if place.is_empty() => name.clone(),
                    _ => format!("{place}.{name}"),
                };
                all.extend(changes(one, &within).into_iter().map(|(place, changed)| {
                    let mut map = map.clone();
                    map.insert(name.clone(), changed);
                    (place, Value::Object(map))
                }));
            }
        }
    }
    all
}

fn kind(line: &Value) -> String {
    let event = &line["event"];
    let event = event.get("public").unwrap_or(event);
    event.as_object().unwrap().keys().next().unwrap().clone()
}

fn is_native_refused(rules: &Arc<RuleSet>, lines: &[String]) -> bool {
    let Ok((_, records)) = native::read(lines.join("\n").as_bytes()) else {
        return true;
    };
    let report = check_native(rules, &records, None);
    !report.is_exact() || !report.is_complete()
}

#[test]
fn every_change_of_a_native_record_is_refused() {
    let mut accepted = BTreeMap::new();
    for (rules, records) in games() {
        let text = native::write(&records, None).unwrap();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        assert!(!is_native_refused(&rules, &lines), "{}", rules.id);
        for at in 1..lines.len() {
            let value: Value = serde_json::from_str(&lines[at]).unwrap();
            let kind = kind(&value);
            for (place, changed) in changes(&value, "") {
                let own = std::mem::replace(&mut lines[at], changed.to_string());
                if !is_native_refused(&rules, &lines) {
                    let example = format!("{} line {}: {}", rules.id, at + 1, lines[at]);
                    accepted.entry(place).or_insert(example);
                }
                lines[at] = own;
            }
            let own = lines.remove(at);
            if !is_native_refused(&rules, &lines) {
                accepted
                    .entry(format!("{kind} missing"))
                    .or_insert(own.clone());
            }
            lines.insert(at, own);
        }
    }
    compare(&accepted, &listed().native);
}

/// The places of a line of a score sheet, with the changed lines that they can become.
fn line_changes(line: &str) -> Vec<(String, Vec<String>)> {
    let tokens: Vec<&str> = line.split_whitespace().collect();
    let kind = match tokens.as_slice() {
        [first, ..] if first.starts_with('#') => first.trim_end_matches(char::is_numeric),
        [.., "--", _, _] => "withdrawal",
        [.., "(challenge)", _, _] => "challenge",
        [.., "(time)", _, _] => "overtime",
        [_, last, _, _] if last.starts_with('(') => "gain",
        [.., last, _, _] if last.starts_with('(') => "loss",
        [.., last, _, _] if last.starts_with('-') => "turn",
        _ => "play",
    };
    let mut all = vec![
        (format!("{kind} missing"), Vec::new()),
        (format!("{kind} twice"), vec![line.to_owned(); 2]),
    ];
    for at in 0..tokens.len() {
        let place = match at {
            _ if kind.starts_with('#') && at > 0 => "text".to_owned(),
            0 => "name".to_owned(),
            1 if kind != "gain" => "rack".to_owned(),
            _ => format!("token {}", tokens.len() - at),
        };
        for changed in token_changes(tokens[at]) {
            let mut tokens: Vec<&str> = tokens.clone();
            tokens[at] = &changed;
            all.push((format!("{kind} {place}"), vec![tokens.join(" ")]));
        }
    }
    all
}

/// Another letter or digit, and a missing one.
fn token_changes(token: &str) -> Vec<String> {
    let Some((at, c)) = token.char_indices().find(|(_, c)| c.is_alphanumeric()) else {
        return vec![format!("{token}A")];
    };
    let other = match c {
        '0'..='8' => char::from(u8::try_from(u32::from(c)).unwrap() + 1),
        '9' => '8',
        'E' => 'X',
        _ => 'E',
    };
    let (before, after) = (&token[..at], &token[at + c.len_utf8()..]);
    vec![
        format!("{before}{other}{after}"),
        format!("{before}{after}"),
    ]
}

/// A sheet is whole only without any finding.
fn is_gcg_refused(lines: &[String]) -> bool {
    let Ok(sheet) = gcg::read(lines.join("\n").as_bytes()) else {
        return true;
    };
    let Some(rules) = RuleSet::builtin(sheet.pragma(gcg::RULE_SET).unwrap_or("classic")) else {
        return true;
    };
    let report = check_gcg(&sheet, &rules, None);
    !report.findings.is_empty() || !report.is_complete()
}

#[test]
fn every_change_of_a_score_sheet_is_refused() {
    let mut accepted = BTreeMap::new();
    for (rules, records) in games() {
        // A board that is dealt has no form in a score sheet.
        if rules.premiums != Premiums::Fixed {
            continue;
        }
        let text = gcg::write(&gcg::from_log(&rules, &records).unwrap());
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        assert!(!is_gcg_refused(&lines), "{}\n{text}", rules.id);
        for at in 0..lines.len() {
            for (place, instead) in line_changes(&lines[at]) {
                let mut changed = lines.clone();
                changed.splice(at..=at, instead.clone());
                if changed != lines && !is_gcg_refused(&changed) {
                    let example = format!("{}: {} -> {instead:?}", rules.id, lines[at]);
                    accepted.entry(place).or_insert(example);
                }
            }
        }
    }
    compare(&accepted, &listed().gcg);
}

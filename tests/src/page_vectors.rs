//! Files by which the tests of the page compare it with the rules: random games event by event, and the words and scores of
//! plays.
//!
//! A file `game-N.jsonl` has a line with `identity`, the identity that sees the game (absent for a spectator); then for
//! each event a line with the `event` as this audience gets it and the `table` after it, as the oracle folds it. The file
//! `scores.jsonl` has a line for each position: the `rule_set` as in a setup, the `board`, and `plays`.

use std::fs::File;
use std::io::{BufWriter, Result, Write};
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use tilewire_oracle::walk::{Walk, walks};
use tilewire_oracle::{Fold, document_of};
use tilewire_protocol::Event;
use tilewire_rules::notation::{format_cell, format_coordinate};
use tilewire_rules::options::GameOptions;
use tilewire_rules::play::Play;
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::state::State;
use tilewire_rules::time::Seat;
use tilewire_rules::view::Audience;
use tilewire_server::wire::snapshot::rule_set;
use tilewire_server::wire::to_wire::{Aftermath, GameFacts, Privacy, event};

/// Random placements that are tried in a position.
const TRIES: usize = 60;
/// Inputs of the game between two positions.
const STEPS: usize = 3;

/// Writes games of every rule set, so many of each, into a directory; returns their number.
///
/// # Errors
/// When a file cannot be written.
pub fn write_games(directory: &Path, of_each: usize) -> Result<usize> {
    let mut count = 0;
    for walk in walks(of_each) {
        // In turn each seat and a spectator see the game.
        let place = count % (usize::from(walk.options.seats) + 1);
        let seat = u8::try_from(place)
            .ok()
            .filter(|seat| *seat < walk.options.seats);
        let file = File::create(directory.join(format!("game-{count}.jsonl")))?;
        write_game(&mut BufWriter::new(file), &walk, seat.map(Seat))?;
        count += 1;
    }
    Ok(count)
}

fn write_game(file: &mut impl Write, walk: &Walk, seat: Option<Seat>) -> Result<()> {
    let audience = seat.map_or(Audience::Spectator, Audience::Seat);
    let mut first = json!({});
    if let Some(seat) = seat {
        first["identity"] = json!(format!("id-{}", seat.0));
    }
    writeln!(file, "{first}")?;
    let mut fold = Fold::new(seat.map(|seat| u64::from(seat.0)));
    for told in told(walk, audience) {
        let document = document_of(&told).expect("an event has a JSON form");
        fold.event(&document).expect("the oracle folds every event");
        writeln!(
            file,
            "{}",
            json!({ "event": document, "table": table(&fold) })
        )?;
    }
    Ok(())
}

/// The events of a game as an audience gets them.
fn told(walk: &Walk, audience: Audience) -> Vec<Event> {
    let facts = GameFacts {
        game: "walk".into(),
        epoch: 1,
        privacy: Privacy::Public,
    };
    let mut state: Option<State> = None;
    walk.log
        .iter()
        .map(|record| {
            let after = match state.take() {
                None => State::begin(Arc::clone(&walk.rules), record),
                Some(mut before) => before.apply(record).map(|()| before),
            };
            let after = state.insert(after.expect("a log replays"));
            let aftermath = Aftermath::of(after, record);
            event(&facts, &walk.rules, record, &aftermath, audience)
        })
        .collect()
}

/// What the page must know after an event, in the names of a snapshot.
fn table(fold: &Fold) -> Value {
    let mut table = fold.snapshot();
    let fields = table.as_object_mut().expect("a map");
    for constant in ["game", "setup"] {
        fields.remove(constant);
    }
    table
}

/// Writes the file of scores: random plays in random positions, at least so many for each rule set in each language. Returns
/// their number.
///
/// # Errors
/// When the file cannot be written.
pub fn write_scores(directory: &Path, of_each: usize) -> Result<usize> {
    let mut file = BufWriter::new(File::create(directory.join("scores.jsonl"))?);
    let mut count = 0;
    for rules in RuleSet::builtins() {
        for language in rules.languages() {
            let rules = Arc::new(rules.in_language(language).expect("one of its languages"));
            count += write_plays(&mut file, &rules, of_each)?;
        }
    }
    Ok(count)
}

fn write_plays(file: &mut impl Write, rules: &Arc<RuleSet>, least: usize) -> Result<usize> {
    let (mut count, mut seed) = (0, 0);
    while count < least {
        let mut walk = Walk::new(rules, GameOptions::usual(rules, "hashed"), seed);
        seed += 1;
        while !walk.is_over() && count < least {
            for _ in 0..STEPS {
                walk.step();
            }
            let plays = walk.some_legal_plays(TRIES);
            if !plays.is_empty() {
                count += plays.len();
                writeln!(file, "{}", position(walk.state(), &plays))?;
            }
        }
    }
    Ok(count)
}

fn position(state: &State, plays: &[Play]) -> Value {
    let set = &state.rules().tiles;
    let board: serde_json::Map<String, Value> = state
        .tiles()
        .board()
        .iter()
        .map(|(square, placed)| (square.to_string(), json!(set.placed_face(placed))))
        .collect();
    let plays = plays.iter().map(|play| {
        let cells = play.tiles().iter();
        let tiles: Vec<String> = cells.map(|cell| format_cell(*cell, set)).collect();
        let words: Vec<Value> = play
            .words()
            .iter()
            .map(|word| json!([word.text, word.score]))
            .collect();
        json!({
            "start": format_coordinate(play.start(), play.direction()), "tiles": tiles, "words": words,
            "score": play.score(), "bonus": play.bonus(),
        })
    });
    let plays: Vec<Value> = plays.collect();
    let rules = document_of(&rule_set(state.rules())).expect("it has a JSON form");
    json!({ "rule_set": rules, "board": board, "plays": plays })
}

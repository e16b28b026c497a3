//! Files by which the tests of the page compare it with the rules: random games event by event, and the words and scores of
//! plays.
//!
//! The header of `tests/web/vectors.mjs` describes the files.

use std::collections::BTreeMap;
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
use tilewire_wire::snapshot::rule_set;
use tilewire_wire::to_wire::{Aftermath, GameFacts, Privacy, event};

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
    for (told, hidden) in told(walk, audience) {
        let document = document_of(&told).expect("an event has a JSON form");
        fold.event(&document).expect("the oracle folds every event");
        let mut table = table(&fold);
        table["unseen"] = unseen(&fold, &hidden);
        writeln!(file, "{}", json!({ "event": document, "table": table }))?;
    }
    Ok(())
}

/// The events of a game as an audience gets them, each with the tiles that the audience has not seen behind it.
fn told(walk: &Walk, audience: Audience) -> Vec<(Event, Hidden)> {
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
            let told = event(&facts, &walk.rules, record, &aftermath, audience);
            (told, Hidden::of(after, audience))
        })
        .collect()
}

/// The tiles that an audience has not seen. The rules know every tile.
struct Hidden {
    /// Their number by face.
    faces: BTreeMap<String, u32>,
    /// The seats whose racks are among them.
    seats: Vec<Seat>,
    /// Exchanged tiles that are not in the bag again.
    discards: usize,
}

impl Hidden {
    fn of(state: &State, audience: Audience) -> Self {
        let tiles = state.tiles();
        let is_over = state.outcome().is_some();
        let is_hidden = |seat: &Seat| !is_over && audience != Audience::Seat(*seat);
        let seats: Vec<Seat> = Seat::all(state.options().seats).filter(is_hidden).collect();
        let unmixed = tiles.to_be_mixed();
        let mut faces = BTreeMap::new();
        for tile in unmixed
            .iter()
            .chain(seats.iter().flat_map(|seat| tiles.rack(*seat)))
        {
            let face = state.rules().tiles.tile_face(*tile);
            *faces.entry(face.to_owned()).or_default() += 1;
        }
        Self {
            faces,
            discards: unmixed.len() - tiles.bag().len(),
            seats,
        }
    }
}

/// Returns the unseen tiles by face and by place. Tiles that are owed count as dealt; the own seat has not seen its own ones.
fn unseen(fold: &Fold, hidden: &Hidden) -> Value {
    let is_hidden = |seat: usize| hidden.seats.iter().any(|one| usize::from(one.0) == seat);
    let (others, seen): (Vec<_>, Vec<_>) = fold
        .seats
        .iter()
        .enumerate()
        .partition(|(seat, _)| is_hidden(*seat));
    let others: Vec<_> = others
        .iter()
        .map(|(seat, state)| (seat, state.rack_count))
        .collect();
    let owed: i64 = seen.iter().map(|(_, state)| state.owed).sum();
    json!({
        "faces": hidden.faces, "bag": fold.bag, "others": others,
        "withheld": i64::try_from(hidden.discards).unwrap_or(0) + owed,
    })
}

/// Returns the audience's view of the table after an event.
fn table(fold: &Fold) -> Value {
    let seats = &fold.seats;
    let mut table = json!({
        "board": fold.board, "scores": seats.iter().map(|seat| seat.score).collect::<Vec<_>>(),
        "racks_counts": seats.iter().map(|seat| seat.rack_count).collect::<Vec<_>>(),
        "bag": fold.bag, "phase": fold.phase, "turn_no": fold.turn_no, "on_turn": fold.on_turn,
        "window": fold.window.clone().map(Value::Object),
    });
    if fold.own.is_some() {
        table["rack"] = json!(fold.rack());
    }
    if !fold.clocks.is_null() {
        table["clocks"] = fold.clocks.clone();
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
            count += plays.len();
            write_position(file, &walk, &plays)?;
        }
    }
    Ok(count)
}

/// Writes a line for each play; the first one has the setup and the board.
fn write_position(file: &mut impl Write, walk: &Walk, plays: &[Play]) -> Result<()> {
    let set = &walk.rules.tiles;
    for (number, play) in plays.iter().enumerate() {
        let cells = play.tiles().iter();
        let tiles: Vec<String> = cells.map(|cell| format_cell(*cell, set)).collect();
        let words = play.words().iter();
        let words: Vec<Value> = words.map(|word| json!([word.text, word.score])).collect();
        let mut line = json!({
            "start": format_coordinate(play.start(), play.direction()), "tiles": tiles, "words": words,
            "score": play.score(), "bonus": play.bonus(),
        });
        if number == 0 {
            line["setup"] = setup(walk);
            line["board"] = board(walk.state());
        }
        writeln!(file, "{line}")?;
    }
    Ok(())
}

/// The setup of a game, with the board that it is played on.
fn setup(walk: &Walk) -> Value {
    let (created, _) = told(walk, Audience::Spectator).swap_remove(0);
    let mut setup = document_of(&created).expect("it has a JSON form")["setup"].take();
    let rules = rule_set(walk.state().rules());
    setup["rule_set"] = document_of(&rules).expect("it has a JSON form");
    setup
}

fn board(state: &State) -> Value {
    let set = &state.rules().tiles;
    let tiles = state.tiles().board().iter();
    let tiles = tiles.map(
        |(square, placed)| json!({ "square": square.to_string(), "tile": set.placed_face(placed) }),
    );
    tiles.collect()
}

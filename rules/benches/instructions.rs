//! Counts the instructions of a turn and of folding a log.

#![allow(missing_docs, unused_qualifications, reason = "the macros make items")]
#![allow(clippy::unwrap_used, reason = "a benchmark may fail")]

mod played;

use std::hint::black_box;
use std::sync::Arc;

use gungraun::prelude::*;
use tilewire_rules::event::Record;
use tilewire_rules::game::{Action, Command, Context, Game, Input, Transition};
use tilewire_rules::lexicon::FstLexicon;
use tilewire_rules::play::Placement;
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::time::Timestamp;

/// The number of events that are folded.
const FOLDED: usize = 30;

struct Turn {
    lexicon: Arc<FstLexicon>,
    game: Game,
    at: Timestamp,
    command: Command,
}

fn turn() -> Turn {
    let records = played::records();
    let (at, play) = played::middle(&records);
    let placement = Placement {
        start: play.start,
        direction: play.direction,
        tiles: play.tiles.clone(),
    };
    let received_at = records[at].at;
    let command = Command {
        seat: play.seat,
        cmd_id: "c-1".to_owned(),
        digest: 1,
        received_at,
        lag_ms: 0,
        action: Action::Play {
            turn_no: play.turn_no,
            placement,
        },
    };
    Turn {
        lexicon: FstLexicon::builtin(),
        game: played::game(&records[..at]),
        at: received_at,
        command,
    }
}

/// Returns the rule set too, so that the setup parses it and not the measured code.
fn log() -> (Arc<RuleSet>, Vec<Record>) {
    let mut records = played::records();
    records.truncate(FOLDED);
    (RuleSet::classic(), records)
}

#[library_benchmark(setup = turn)]
#[bench::validated()]
fn play(turn: Turn) -> (Turn, Transition) {
    let context = Context::new(&*turn.lexicon);
    let command = Input::Command(turn.command.clone());
    let after = black_box(&turn.game).handle(&context, turn.at, command);
    assert!(after.answers[0].outcome.is_ok());
    (turn, after)
}

#[library_benchmark(setup = log)]
#[bench::of_30_events()]
fn fold((rules, log): (Arc<RuleSet>, Vec<Record>)) -> (Vec<Record>, Game) {
    let game = Game::replay(rules, black_box(&log)).unwrap();
    (log, game)
}

library_benchmark_group!(name = rules, benchmarks = [play, fold]);
main!(library_benchmark_groups = rules);

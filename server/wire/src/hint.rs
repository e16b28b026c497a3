//! Converts a hint to what its seat is told.

use tilewire_protocol as wire;
use tilewire_rules::board::Direction;
use tilewire_rules::bot::{HintedTurn, Theme};
use tilewire_rules::event::HintGrade;
use tilewire_rules::notation;
use tilewire_rules::options::MAX_HINTS;
use tilewire_rules::play::Play;
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::state::Hint;

use super::pieces::faces;

const _: () = assert!(
    MAX_HINTS == wire::limits::HINTS_MAX,
    "clients can ask for every number of hints that the rules allow, and for no other"
);

/// Returns a used hint as snapshots name it.
pub(super) fn used(hint: &Hint) -> wire::UsedHint {
    wire::UsedHint {
        seat: hint.seat.0,
        turn_no: hint.turn_no.0,
        grade: hint.grade.into(),
    }
}

/// Returns what the seat of a hint is told about `turn`: as much as the grade allows.
#[must_use]
pub fn hint(game: &wire::GameId, rules: &RuleSet, hint: &Hint, turn: &HintedTurn) -> wire::Hint {
    let mut told = wire::Hint {
        game: game.clone(),
        turn_no: hint.turn_no.0,
        grade: hint.grade.into(),
        theme: match turn {
            HintedTurn::Play(Theme::Bonus, _) => wire::HintTheme::Bonus,
            HintedTurn::Play(Theme::WordPremium, _) => wire::HintTheme::WordPremium,
            HintedTurn::Play(Theme::SeveralWords, _) => wire::HintTheme::SeveralWords,
            HintedTurn::Play(Theme::Plain, _) => wire::HintTheme::Play,
            HintedTurn::Exchange(_) => wire::HintTheme::Exchange,
            HintedTurn::Pass => wire::HintTheme::Pass,
        },
        line: None,
        start: None,
        tiles: Vec::new(),
        words: Vec::new(),
        score: None,
    };
    match turn {
        HintedTurn::Play(_, play) => {
            if hint.grade >= HintGrade::Line {
                told.line = Some(line(play));
            }
            if hint.grade >= HintGrade::Turn {
                show(rules, play, &mut told);
            }
        }
        HintedTurn::Exchange(tiles) if hint.grade >= HintGrade::Turn => {
            told.tiles = faces(&rules.tiles, tiles);
        }
        HintedTurn::Exchange(_) | HintedTurn::Pass => {}
    }
    told
}

/// Returns the number of the play's row or the letter of its column.
fn line(play: &Play) -> String {
    let start = play.start().to_string();
    let row = start.trim_start_matches(|c: char| c.is_ascii_uppercase());
    match play.direction() {
        Direction::Across => row.to_owned(),
        Direction::Down => start[..start.len() - row.len()].to_owned(),
    }
}

fn show(rules: &RuleSet, play: &Play, told: &mut wire::Hint) {
    told.start = Some(notation::format_coordinate(play.start(), play.direction()));
    let cells = play.tiles().iter();
    told.tiles = cells
        .map(|cell| notation::format_cell(*cell, &rules.tiles))
        .collect();
    let words = play.words().iter();
    told.words = words
        .map(|word| wire::ScoredWord {
            word: word.text.clone(),
            score: word.score,
        })
        .collect();
    told.score = Some(play.score());
}

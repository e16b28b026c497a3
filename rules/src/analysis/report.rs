//! The report of a game: its turns and their evaluations in, sizes of mistakes and figures of players out.

use serde::Serialize;

use super::evaluate::{Evaluation, Sureness};
use super::standing::CERTAIN;

/// The least losses of a small, a medium and a large mistake, in 1/10,000 of the chance to win.
const BY_CHANCE: [i64; 3] = [50, 300, 700];
/// The same in an ending, in hundredths of a point.
const IN_ENDING: [i64; 3] = [100, 700, 1_500];
/// The same in a decided game, in hundredths of a point: small ones do not count.
const DECIDED: [i64; 3] = [1_500, 1_500, 3_000];
/// The chance to win below which a game is decided, in 1/10,000; as much from the top.
const IS_DECIDED: u16 = 100;
/// The tenths of a small, a medium and a large mistake in the mistake index.
const INDEX: [u32; 3] = [2, 5, 10];
/// The curve of accuracy: at no loss, the fall for each percent of the chance to win, and the shift.
const CURVE: (f64, f64, f64) = (103.17, -0.0435, -3.17);

/// The size of a mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Size {
    /// No mistake.
    None,
    /// A small one.
    Small,
    /// A medium one.
    Medium,
    /// A large one.
    Large,
}

/// A turn as the report needs it.
#[derive(Clone, Debug)]
pub struct Judged<'a> {
    /// The seat, counted from 0.
    pub seat: usize,
    /// The evaluation; `None` if the turn could not be compared, or was not reached.
    pub evaluation: Option<&'a Evaluation>,
    /// Whether the play was for a bonus.
    pub is_bingo: bool,
    /// Whether the best turn is a play for a bonus.
    pub best_is_bingo: bool,
    /// Whether the play has a word that the lexicon does not have.
    pub is_phony: bool,
    /// Whether the play was challenged off.
    pub is_off: bool,
    /// The time of the turn, ms.
    pub time_ms: Option<i64>,
}

/// The grade of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grade {
    /// The chance to win that was lost, in 1/10,000.
    pub loss: u16,
    /// The points that were lost, in hundredths.
    pub points: i64,
    /// The size of the mistake.
    pub size: Size,
    /// Whether the size follows from the points: in an ending and in a decided game.
    pub is_by_points: bool,
}

/// The figures of a player.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Figures {
    /// The mean accuracy of the turns with a choice, from 0 to 100; `None` without such a turn.
    pub accuracy: Option<f64>,
    /// The number of mistakes.
    pub mistakes: u32,
    /// Small, medium and large mistakes.
    pub sizes: [u32; 3],
    /// The mistake index: 0.2, 0.5 and 1 for each small, medium and large mistake.
    pub index: f64,
    /// The chance to win that was lost in all, in 1/10,000.
    pub loss: u32,
    /// Turns that were compared.
    pub compared: u32,
    /// Bingos that were played.
    pub bingos_found: u32,
    /// Turns in which the best turn was a bingo and the player made another one.
    pub bingos_missed: u32,
    /// Turns with a bingo at all.
    pub bingos_there: u32,
    /// Phonies that were played.
    pub phonies: u32,
    /// Those that were challenged off.
    pub phonies_off: u32,
    /// The points that the draws brought above the mean; `None` if it was not measured.
    pub luck: Option<f64>,
    /// The time of all turns, ms; `None` if the record has no times.
    pub time_ms: Option<i64>,
}

/// Returns the grade of a turn.
#[must_use]
pub fn grade(of: &Evaluation) -> Grade {
    let loss = of.best.win.saturating_sub(of.made.win);
    let points = (of.best.lead - of.made.lead).max(0);
    if of.is_equal {
        return Grade {
            loss: 0,
            points: 0,
            size: Size::None,
            is_by_points: false,
        };
    }
    let is_decided = of.best.win < IS_DECIDED || of.best.win > CERTAIN - IS_DECIDED;
    let is_ending = matches!(of.sureness, Sureness::Exact | Sureness::Depth);
    let (is_by_points, size) = match () {
        () if is_ending && loss > 0 => (false, Size::Large),
        () if is_ending => (true, size(points, IN_ENDING)),
        () if is_decided && loss < IS_DECIDED => (true, size(points, DECIDED)),
        () => (false, size(i64::from(loss), BY_CHANCE)),
    };
    Grade {
        loss,
        points,
        size,
        is_by_points,
    }
}

fn size(loss: i64, [small, medium, large]: [i64; 3]) -> Size {
    match loss {
        _ if loss >= large => Size::Large,
        _ if loss >= medium => Size::Medium,
        _ if loss >= small => Size::Small,
        _ => Size::None,
    }
}

/// Returns the figures of every player of a game.
#[must_use]
pub fn figures(players: usize, turns: &[Judged<'_>]) -> Vec<Figures> {
    (0..players)
        .map(|seat| {
            let own: Vec<&Judged<'_>> = turns.iter().filter(|turn| turn.seat == seat).collect();
            figures_of(&own)
        })
        .collect()
}

fn figures_of(turns: &[&Judged<'_>]) -> Figures {
    let mut of = Figures::default();
    let (mut accuracy, mut choices, mut index) = (0.0, 0, 0);
    for turn in turns {
        of.bingos_found += u32::from(turn.is_bingo && !turn.is_off);
        of.phonies += u32::from(turn.is_phony);
        of.phonies_off += u32::from(turn.is_phony && turn.is_off);
        if let Some(time) = turn.time_ms {
            of.time_ms = Some(of.time_ms.unwrap_or(0).saturating_add(time));
        }
        let Some(evaluation) = turn.evaluation else {
            continue;
        };
        let grade = grade(evaluation);
        of.compared += 1;
        of.bingos_there += u32::from(evaluation.has_bingo);
        of.bingos_missed += u32::from(turn.best_is_bingo && !turn.is_bingo);
        of.loss = of.loss.saturating_add(u32::from(grade.loss));
        if let Some(place) = grade.size.place() {
            of.sizes[place] += 1;
            of.mistakes += 1;
            index += INDEX[place];
        }
        if let Some(luck) = evaluation.luck {
            of.luck = Some(of.luck.unwrap_or(0.0) + f64::from(luck) / 100.0);
        }
        if evaluation.is_choice {
            accuracy += accuracy_of(grade.loss);
            choices += 1;
        }
    }
    of.accuracy = (choices > 0).then(|| rounded(accuracy / f64::from(choices)));
    of.index = f64::from(index) / 10.0;
    of.luck = of.luck.map(rounded);
    of
}

impl Size {
    /// The place among the sizes of mistakes.
    const fn place(self) -> Option<usize> {
        match self {
            Self::None => None,
            Self::Small => Some(0),
            Self::Medium => Some(1),
            Self::Large => Some(2),
        }
    }
}

/// The accuracy of a turn that loses this chance to win, from 0 to 100.
#[must_use]
pub fn accuracy_of(loss: u16) -> f64 {
    let (top, fall, shift) = CURVE;
    let percent = f64::from(loss) / 100.0;
    (top * (fall * percent).exp() + shift).clamp(0.0, 100.0)
}

/// A figure with one decimal place.
fn rounded(figure: f64) -> f64 {
    (figure * 10.0).round() / 10.0
}

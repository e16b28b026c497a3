//! The figures of one seat in one game, for statistics.

use serde::{Deserialize, Serialize};
use tilewire_rules::event::{Event, PublicEvent, Record, Verdict};
use tilewire_rules::lexicon::Lexicon;
use tilewire_rules::state::{PlayStatus, State, TurnKind};
use tilewire_rules::time::{Millis, Seat, Seq, Timestamp};

/// The figures of one seat in one game.
///
/// A *turn* is a play, an exchange, a pass or a lost turn. A play that a challenge took off is a turn of 0 points.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Figures {
    /// Whether the seat had the first turn of the game.
    pub moved_first: bool,
    /// Turns of any kind.
    pub turns: u32,
    /// The points of the plays that stand, bonuses included; without rack, challenge and overtime points.
    pub turn_points: i32,
    /// Plays that stand and earned a bonus for the number of tiles (R-SCORE-8).
    pub bingos: u32,
    /// The highest play that stands; the first of equal ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub highest_play: Option<HighestPlay>,
    /// Exchanges.
    pub exchanges: u32,
    /// Chosen passes.
    pub passes: u32,
    /// Turns lost after a failed challenge (R-CHAL-13).
    pub lost_turns: u32,
    /// Plays with a word that is not in the lexicon, whether or not they stand. A withdrawn play was never judged and is
    /// none. `None` if the lexicon was unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phonies_played: Option<u32>,
    /// Own plays that the verdict on a challenge took off.
    pub phonies_caught: u32,
    /// Own challenges that took a play off, or made its author withdraw it.
    pub challenges_won: u32,
    /// Own challenges of plays that stand.
    pub challenges_lost: u32,
    /// The time for which the seat's clock ran, holds included. Credited outages do not count.
    pub clock_ms: Millis,
}

impl Figures {
    /// Returns the turns that the seat ended itself: all but the lost ones. The time per turn is [`Self::clock_ms`] divided
    /// by this number.
    #[must_use]
    pub const fn own_turns(&self) -> u32 {
        self.turns.saturating_sub(self.lost_turns)
    }
}

/// The highest play of a seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HighestPlay {
    /// The main word; lower case for blanks.
    pub word: String,
    /// The points of the turn.
    pub points: i32,
}

/// Facts that the final state no longer contains: challenges, and the time on each clock.
pub(super) struct Watch {
    seats: Vec<Watched>,
    /// The plays that their authors withdrew.
    withdrawn: Vec<Seq>,
    /// Until when the running clock is counted.
    counted: Timestamp,
}

#[derive(Clone, Default)]
struct Watched {
    caught: u32,
    won: u32,
    lost: u32,
    clock_ms: Millis,
}

impl Watch {
    pub(super) fn new(seats: usize) -> Self {
        Self {
            seats: vec![Watched::default(); seats],
            withdrawn: Vec::new(),
            counted: Timestamp::MIN,
        }
    }

    /// Notes what a record shows, before it changes the state.
    pub(super) fn before(&mut self, state: &State, record: &Record) {
        self.count_time(state, record);
        let Event::Public(PublicEvent::ChallengeDecided(decided)) = &record.event else {
            return;
        };
        let author = state.window().map(|window| window.author);
        if decided.verdict == Verdict::Withdrawn {
            self.withdrawn.push(decided.play_id);
        }
        if let Some(author) = author.and_then(|author| self.seats.get_mut(author.index())) {
            author.caught += u32::from(decided.verdict == Verdict::Off);
        }
        if let Some(challenger) = self.seats.get_mut(decided.seat.index()) {
            let is_won = decided.verdict.is_off();
            challenger.won += u32::from(is_won);
            challenger.lost += u32::from(!is_won);
        }
    }

    fn count_time(&mut self, state: &State, record: &Record) {
        let until = match &record.event {
            Event::Public(PublicEvent::ClockCredited { stopped_at, .. }) => *stopped_at,
            _ => record.at,
        };
        if let Some(running) = state.clocks().running
            && let Some(seat) = self.seats.get_mut(running.seat.index())
        {
            let from = running.since.max(self.counted);
            seat.clock_ms = seat.clock_ms + (until - from).max(Millis::ZERO);
        }
        self.counted = record.at;
    }

    /// Returns the figures of a seat at the end of the game.
    pub(super) fn figures(
        &self,
        state: &State,
        seat: Seat,
        lexicon: Option<&dyn Lexicon>,
    ) -> Figures {
        let watched = &self.seats[seat.index()];
        let mut figures = Figures {
            moved_first: state.first() == Some(seat),
            phonies_played: lexicon.map(|_| 0),
            phonies_caught: watched.caught,
            challenges_won: watched.won,
            challenges_lost: watched.lost,
            clock_ms: watched.clock_ms,
            ..Figures::default()
        };
        for turn in state.history().iter().filter(|turn| turn.seat == seat) {
            figures.turns += 1;
            match &turn.kind {
                TurnKind::Exchange(_) => figures.exchanges += 1,
                TurnKind::Pass => figures.passes += 1,
                TurnKind::LostTurn => figures.lost_turns += 1,
                TurnKind::Play {
                    play_id,
                    play,
                    status,
                    verdict: _,
                } => {
                    if *status == PlayStatus::OnBoard {
                        figures.add_play(
                            play.score,
                            play.bonus,
                            play.words.first().map(|w| &*w.word),
                        );
                    }
                    let is_judged = !self.withdrawn.contains(play_id);
                    let is_phony = lexicon.is_some_and(|lexicon| {
                        play.words
                            .iter()
                            .any(|word| !lexicon.contains(&word.letters))
                    });
                    if let Some(phonies) = &mut figures.phonies_played {
                        *phonies += u32::from(is_judged && is_phony);
                    }
                }
            }
        }
        figures
    }
}

impl Figures {
    /// Adds a play that stands.
    fn add_play(&mut self, points: i32, bonus: i32, word: Option<&str>) {
        self.turn_points = self.turn_points.saturating_add(points);
        self.bingos += u32::from(bonus > 0);
        let best = self.highest_play.as_ref();
        if best.is_none_or(|best| points > best.points) {
            self.highest_play = Some(HighestPlay {
                word: word.unwrap_or_default().to_owned(),
                points,
            });
        }
    }
}

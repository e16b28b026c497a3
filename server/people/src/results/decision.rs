//! The rules that decided a game, in words that a player understands and as ids of `docs/rules.md`.

use serde::{Deserialize, Serialize};
use tilewire_rules::event::{EndReason, Ended, Retirement, SeatResult};
use tilewire_rules::options::{CountedTurns, TieRule};
use tilewire_rules::state::{PlayStatus, State, TurnKind};
use tilewire_rules::time::Seat;

/// The name of a seat that has no player.
const SOMEBODY: &str = "a player";

/// Why a game ended as it did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// The id of the rule that ended the game, such as `R-END-1`. Its code is the reason of the result.
    pub end_rule: String,
    /// The rule that made the winner.
    pub winner: WinnerRule,
    /// The id of that rule.
    pub winner_rule: String,
    /// The id of the rule about unplayed tiles, if they changed a score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rack_rule: Option<String>,
    /// The explanation, in English: why the game ended, what unplayed tiles and overtime changed, and why the winner won. It
    /// has no names, which change when a player is erased: `{0}` stands for the player in seat 0. [`GameResult::words`] puts the
    /// names in.
    ///
    /// [`GameResult::words`]: super::GameResult::words
    pub words: String,
}

/// The rule that made the winner, as a stable code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WinnerRule {
    /// The highest final score (R-END-10).
    HighestScore,
    /// The highest share of the own target (R-END-13).
    HighestShare,
    /// Equal final scores, and the higher score before unplayed tiles were counted (R-TIE-1).
    ScoreBeforeRacks,
    /// Equal scores: the win is shared (R-TIE-2), or the tie stands (R-TIE-3).
    SharedWin,
    /// The target was reached (R-END-13).
    Target,
    /// The last player in the game (R-RETIRE-4).
    LastPlayer,
    /// The challenge (R-CHAL-16).
    Challenge,
    /// The game has no result (R-END-11).
    NoResult,
    /// An operator decided (R-ADMIN-1).
    Operator,
}

impl Decision {
    /// Returns the explanation with the names of the seats.
    pub(super) fn text<'a>(&'a self, name: impl Fn(usize) -> Option<&'a str>) -> String {
        let mut text = String::with_capacity(self.words.len());
        let mut rest = self.words.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            let (seat, behind) = after.split_once('}').unwrap_or((after, ""));
            text.push_str(before);
            text.push_str(seat.parse().ok().and_then(&name).unwrap_or(SOMEBODY));
            rest = behind;
        }
        text + rest
    }

    /// Returns the decision of a game that has ended.
    pub(super) fn of(state: &State, ended: &Ended) -> Self {
        let table = Table { state, ended };
        let (winner, winner_rule) = table.winner_rule();
        let rack_rule = table.rack_rule();
        let parts = [
            Some(table.end_words()),
            rack_rule.map(|_| table.list("Unplayed tiles", |result| result.rack_points)),
            table.overtime_words(),
            table.winner_words(winner),
        ];
        let words: Vec<String> = parts.into_iter().flatten().collect();
        Self {
            end_rule: table.end_rule().to_owned(),
            winner,
            winner_rule: winner_rule.to_owned(),
            rack_rule: rack_rule.map(str::to_owned),
            words: words.join(" "),
        }
    }
}

/// A game that has ended.
struct Table<'a> {
    state: &'a State,
    ended: &'a Ended,
}

impl Table<'_> {
    fn end_rule(&self) -> &'static str {
        match self.ended.reason {
            EndReason::OutPlay => "R-END-1",
            EndReason::ScorelessTurns => match self.state.options().inactivity.counts {
                CountedTurns::WithoutScore => "R-END-12",
                CountedTurns::Scoreless | CountedTurns::Passes => "R-END-2",
            },
            EndReason::Passes => "R-END-4",
            EndReason::TurnCap => "R-END-5",
            EndReason::Target => "R-END-13",
            EndReason::AllPlayed => "R-END-14",
            EndReason::Uncatchable => "R-END-15",
            EndReason::Resignation => "R-RETIRE-2",
            EndReason::Time => match self.last_to_leave().map(|(_, why)| why) {
                Some(Retirement::Expired) => "R-CLOCK-5",
                _ => "R-CLOCK-11",
            },
            EndReason::Abandonment if self.state.has_ended_adjourned() => "R-ADJ-7",
            EndReason::Abandonment if self.has_ignored_nudge() => "R-NUDGE-5",
            EndReason::Abandonment => match self.state.options().clock.is_live() {
                true => "R-RETIRE-3",
                false => "R-CLOCK-6",
            },
            EndReason::TripleChallenge => "R-CHAL-16",
            EndReason::Aborted | EndReason::Cancelled | EndReason::Adjudicated
                if self.ended.adjudication.is_some() =>
            {
                "R-ADMIN-1"
            }
            EndReason::Adjudicated => "R-ADMIN-1",
            EndReason::Aborted if self.state.has_ended_adjourned() => "R-ADJ-6",
            EndReason::Aborted => "R-SETUP-10",
            EndReason::Cancelled => "R-SETUP-5",
        }
    }

    fn winner_rule(&self) -> (WinnerRule, &'static str) {
        match self.ended.reason {
            EndReason::Aborted | EndReason::Cancelled => (WinnerRule::NoResult, "R-END-11"),
            EndReason::Resignation | EndReason::Time | EndReason::Abandonment => {
                (WinnerRule::LastPlayer, "R-RETIRE-4")
            }
            EndReason::TripleChallenge => (WinnerRule::Challenge, "R-CHAL-16"),
            EndReason::Adjudicated => (WinnerRule::Operator, "R-ADMIN-1"),
            EndReason::Target => (WinnerRule::Target, "R-END-13"),
            EndReason::OutPlay
            | EndReason::ScorelessTurns
            | EndReason::Passes
            | EndReason::TurnCap
            | EndReason::AllPlayed
            | EndReason::Uncatchable => self.winner_by_score(),
        }
    }

    fn winner_by_score(&self) -> (WinnerRule, &'static str) {
        let [winner] = self.ended.winners.as_slice() else {
            return match self.state.options().ties {
                TieRule::BeforeAdjustment => (WinnerRule::SharedWin, "R-TIE-2"),
                TieRule::Stand => (WinnerRule::SharedWin, "R-TIE-3"),
            };
        };
        let target = self.state.target(*winner);
        let others: Vec<Seat> = self.state.active().filter(|seat| seat != winner).collect();
        if others.iter().any(|seat| self.state.target(*seat) != target) {
            return (WinnerRule::HighestShare, "R-END-13");
        }
        let score = |seat: &Seat| self.result(*seat).map(|result| result.final_score);
        if others.iter().any(|seat| score(seat) == score(winner)) {
            return (WinnerRule::ScoreBeforeRacks, "R-TIE-1");
        }
        (WinnerRule::HighestScore, "R-END-10")
    }

    /// The rule about unplayed tiles, if they changed a score.
    fn rack_rule(&self) -> Option<&'static str> {
        let has_changed = self
            .ended
            .results
            .iter()
            .any(|result| result.rack_points != 0);
        has_changed.then_some(match self.ended.reason {
            EndReason::OutPlay => "R-END-7",
            _ => "R-END-8",
        })
    }

    fn end_words(&self) -> String {
        let inactivity = self.state.options().inactivity;
        let active = self.state.active().count();
        let limit = inactivity.limit.turns(active);
        match self.ended.reason {
            EndReason::OutPlay => match self.last_play() {
                Some((seat, _)) => {
                    format!("{} played the last tile with an empty bag.", name(seat))
                }
                None => "The last tile was played with an empty bag.".to_owned(),
            },
            EndReason::ScorelessTurns if inactivity.counts == CountedTurns::WithoutScore => {
                format!("{limit} turns in a row brought no point.")
            }
            EndReason::ScorelessTurns => format!("{limit} turns in a row were without score."),
            EndReason::Passes => format!("{limit} passes in a row ended the game."),
            EndReason::TurnCap => "Too many turns in a row were without score.".to_owned(),
            EndReason::Target => "The target score was reached.".to_owned(),
            EndReason::AllPlayed => "The bag was empty and nobody had a legal play.".to_owned(),
            EndReason::Uncatchable => {
                "The bag was empty and the player behind could no longer catch up.".to_owned()
            }
            EndReason::Resignation | EndReason::Time | EndReason::Abandonment => {
                self.leaving_words()
            }
            EndReason::TripleChallenge => match self.last_play() {
                Some((seat, PlayStatus::OnBoard)) => {
                    format!(
                        "The challenge failed: the play of {} was valid.",
                        name(seat)
                    )
                }
                Some((seat, PlayStatus::ChallengedOff)) => {
                    format!(
                        "The challenge succeeded: the play of {} was not valid.",
                        name(seat)
                    )
                }
                None => "A challenge decided the game.".to_owned(),
            },
            EndReason::Aborted | EndReason::Cancelled if self.ended.adjudication.is_some() => {
                "An operator cancelled the game.".to_owned()
            }
            EndReason::Adjudicated => "An operator decided the game.".to_owned(),
            EndReason::Aborted if self.state.has_ended_adjourned() => {
                "The adjourned game was not resumed.".to_owned()
            }
            EndReason::Aborted => match self.ended.aborter {
                Some(seat) => format!("{} aborted the game at its beginning.", name(seat)),
                None => "The game was aborted at its beginning.".to_owned(),
            },
            EndReason::Cancelled => "A player was not ready in time.".to_owned(),
        }
    }

    fn leaving_words(&self) -> String {
        let Some((seat, why)) = self.last_to_leave() else {
            return "All other players left the game.".to_owned();
        };
        let what = match why {
            Retirement::Resigned => "resigned",
            Retirement::Flagged => "ran out of time",
            Retirement::Expired => "did not move within the limit",
            Retirement::Abandoned if self.state.has_ended_adjourned() => "was not ready to resume",
            Retirement::Abandoned if self.has_ignored_nudge() => "did not answer",
            Retirement::Abandoned => "stayed away",
        };
        format!("{} {what}.", name(seat))
    }

    /// Whether the last player to leave was claimed because of a nudge without an answer.
    fn has_ignored_nudge(&self) -> bool {
        let last = self.last_to_leave();
        last.is_some_and(|(seat, _)| self.state.seats()[seat.index()].has_ignored_nudge)
    }

    fn overtime_words(&self) -> Option<String> {
        let has_any = self
            .ended
            .results
            .iter()
            .any(|result| result.time_penalty != 0);
        let has_result = self.ended.reason.has_result();
        (has_any && has_result)
            .then(|| self.list("Overtime", |result| result.time_penalty.saturating_neg()))
    }

    fn winner_words(&self, rule: WinnerRule) -> Option<String> {
        let names: Vec<String> = self.ended.winners.iter().map(|seat| name(*seat)).collect();
        let names = names.join(" and ");
        Some(match rule {
            WinnerRule::NoResult => "The game has no result.".to_owned(),
            WinnerRule::Operator => format!("Winner: {names}."),
            WinnerRule::HighestScore => {
                format!(
                    "{names} has the highest final score: {}.",
                    self.scores(|r| r.final_score)
                )
            }
            WinnerRule::HighestShare => format!(
                "{names} has the highest share of the own target: {}.",
                self.scores(|r| r.final_score)
            ),
            WinnerRule::ScoreBeforeRacks => format!(
                "The best final scores are equal: {}. The higher score before unplayed tiles were counted wins: {names}, with {}.",
                self.scores(|r| r.final_score),
                self.scores(|r| r.score.saturating_sub(r.time_penalty)),
            ),
            WinnerRule::SharedWin => {
                format!("{names} share the win: {}.", self.scores(|r| r.final_score))
            }
            WinnerRule::Target => format!("{names} wins; unplayed tiles do not count."),
            WinnerRule::LastPlayer => {
                format!(
                    "{names} is the last player in the game and wins, regardless of the scores."
                )
            }
            WinnerRule::Challenge => format!("{names} wins, regardless of the scores."),
        })
    }

    /// The scores of the players in the game, the best first, such as `311 to 279`.
    fn scores(&self, of: impl Fn(&SeatResult) -> i32) -> String {
        let active = self.state.active().filter_map(|seat| self.result(seat));
        let mut scores: Vec<(u8, i32)> = active.map(|result| (result.rank, of(result))).collect();
        scores.sort_unstable_by_key(|(rank, _)| *rank);
        let scores: Vec<String> = scores.iter().map(|(_, score)| score.to_string()).collect();
        scores.join(" to ")
    }

    /// A list of points by player, such as `Unplayed tiles: Anna +5, Ben -5.`
    fn list(&self, title: &str, of: impl Fn(&SeatResult) -> i32) -> String {
        let points = self
            .ended
            .results
            .iter()
            .map(|result| (result.seat, of(result)));
        let points = points.filter(|(_, points)| *points != 0);
        let points: Vec<String> = points
            .map(|(seat, points)| format!("{} {points:+}", name(seat)))
            .collect();
        format!("{title}: {}.", points.join(", "))
    }

    fn result(&self, seat: Seat) -> Option<&SeatResult> {
        self.ended.results.get(seat.index())
    }

    /// The author of the last play, and whether the play lies on the board.
    fn last_play(&self) -> Option<(Seat, PlayStatus)> {
        self.state
            .history()
            .iter()
            .rev()
            .find_map(|turn| match &turn.kind {
                TurnKind::Play { status, .. } => Some((turn.seat, *status)),
                TurnKind::Exchange(_) | TurnKind::Pass | TurnKind::LostTurn => None,
            })
    }

    /// The player who left last, and why.
    fn last_to_leave(&self) -> Option<(Seat, Retirement)> {
        let seats = Seat::all(self.state.options().seats);
        let left = seats.filter_map(|seat| Some((seat, self.state.seats()[seat.index()].retired?)));
        let (seat, (why, _)) = left.max_by_key(|(_, (_, place))| *place)?;
        Some((seat, why))
    }
}

/// The mark in the words for the player in a seat.
fn name(Seat(number): Seat) -> String {
    format!("{{{number}}}")
}

//! The referee of a native record: says of each event whether it could happen in its game.
//!
//! The fold ([`State::apply`]) accepts more, because a game decides legal events only. The referee checks who acts, what
//! is drawn, how a challenge is decided, and when and how the game ends.

mod adjourn;
mod pauses;
mod requests;
mod result;
mod windows;

pub(super) use result::check_result;

use std::collections::VecDeque;

use crate::event::{EndReason, Ended, Event, PlayMade, PublicEvent, Record};
use crate::game::closest_to_a;
use crate::lexicon::Lexicon;
use crate::options::{ChallengeKind, FirstPlay};
use crate::state::{Phase, Refill, State};
use crate::stream::BAG_LABEL;
use crate::time::{Seat, TurnNo};

/// Why an event could not happen.
type Ruling = Result<(), String>;

/// Refuses an event for a reason.
macro_rules! refuse {
    ($($reason:tt)*) => {
        return Err(format!($($reason)*))
    };
}
use refuse;

/// Follows a record; [`Referee::judge`] is called with each event before the fold.
#[derive(Default)]
pub(super) struct Referee<'a> {
    /// The words of the game, if they are known.
    lexicon: Option<&'a dyn Lexicon>,
    /// The draws that come next.
    due: VecDeque<(Seat, usize)>,
    /// Whether tiles of an exchange wait to be shuffled into the bag.
    must_shuffle: bool,
}

impl<'a> Referee<'a> {
    /// A referee of the game that begins with `state`. A lexicon with other words than the game's is not used.
    pub(super) fn new(state: &State, lexicon: Option<&'a dyn Lexicon>) -> Self {
        let known = |lexicon: &&dyn Lexicon| *lexicon.hash() == state.created().lexicon_hash;
        Self {
            lexicon: lexicon.filter(known),
            ..Self::default()
        }
    }

    /// Checks an event against the state before it.
    ///
    /// # Errors
    /// Says why the event could not happen.
    pub(super) fn judge(&mut self, state: &State, record: &Record) -> Ruling {
        self.draw(&record.event)?;
        adjourn::permits(state, &record.event)?;
        match &record.event {
            Event::Created(_) | Event::TilesDrawn { .. } => Ok(()),
            Event::BagShuffled { label, .. } => self.shuffled(state, label),
            Event::Exchanged {
                turn_no,
                seat,
                tiles,
            } => {
                self.due_now(*seat, tiles.len());
                self.must_shuffle = true;
                on_turn(state, *turn_no, *seat)?;
                let bag = state.bag_count();
                let needed = usize::from(state.rules().exchange_min_bag).max(tiles.len());
                if tiles.is_empty() || bag < needed {
                    refuse!(
                        "{} tiles cannot be exchanged with {bag} in the bag",
                        tiles.len()
                    );
                }
                Ok(())
            }
            Event::Public(event) => self.public(state, record, event),
        }
    }

    #[expect(clippy::too_many_lines, reason = "one arm per event, each short")]
    fn public(&mut self, state: &State, record: &Record, event: &PublicEvent) -> Ruling {
        pauses::allows(state, event)?;
        match event {
            PublicEvent::SeatReady { seat, .. } => seat_ready(state, *seat),
            PublicEvent::OrderDrawn { rounds, first } => order_drawn(state, rounds, *first),
            PublicEvent::TurnStarted { turn_no, seat, .. } => turn_started(state, *turn_no, *seat),
            PublicEvent::PlayMade(made) => {
                if made.window.is_none() {
                    self.due_now(made.seat, usize::from(made.owed));
                }
                self.play(state, made)
            }
            PublicEvent::Passed { turn_no, seat } => on_turn(state, *turn_no, *seat),
            PublicEvent::TurnLost { turn_no, seat } => turn_lost(state, *turn_no, *seat),
            PublicEvent::WindowClosed { play_id, reason } => {
                if let Some(window) = state.window() {
                    self.due_now(window.author, usize::from(window.owed));
                }
                windows::closed(state, record.at, *play_id, *reason)
            }
            PublicEvent::Accepted { play_id, seat } => windows::accepted(state, *play_id, *seat),
            PublicEvent::HoldStarted {
                play_id,
                seat,
                until,
                ..
            } => windows::hold_started(state, *play_id, *seat, *until),
            PublicEvent::HoldEnded { play_id, seat, .. } => {
                windows::hold_ended(state, *play_id, *seat)
            }
            PublicEvent::ChallengeOpened { play_id, seat, .. } => {
                windows::challenge_opened(state, *play_id, *seat)
            }
            PublicEvent::ChallengeDecided(decided) => {
                windows::challenge_decided(state, decided, self.lexicon)
            }
            PublicEvent::SeatRetired { seat, .. } => requests::is_playing(state, *seat),
            PublicEvent::AbortRequested { seat, .. } => requests::abort_requested(state, *seat),
            PublicEvent::AbortDeclined { reason, .. } => {
                requests::abort_declined(state, record.at, *reason)
            }
            PublicEvent::Nudged {
                seat,
                target,
                claim_at,
            } => requests::nudged(state, record.at, (*seat, *target), *claim_at),
            PublicEvent::AdjournRequested { .. }
            | PublicEvent::AdjournAgreed { .. }
            | PublicEvent::AdjournDeclined { .. }
            | PublicEvent::Adjourned { .. }
            | PublicEvent::ReadyToResume { .. }
            | PublicEvent::NotReadyToResume { .. }
            | PublicEvent::Resumed { .. } => adjourn::judge(state, record, event),
            PublicEvent::Paused { until, clocks } => {
                pauses::paused(state, record.at, *until, clocks)
            }
            PublicEvent::Vacation {
                seat,
                until,
                clocks,
            } => pauses::vacation(state, record.at, (*seat, *until), clocks),
            PublicEvent::TimeGiven {
                seat,
                target,
                time_ms,
                clocks,
            } => requests::time_given(state, (*seat, *target), *time_ms, clocks),
            PublicEvent::TimeRefused { seat } => requests::time_refused(state, *seat),
            PublicEvent::HintUsed { seat, grade } => requests::hint_used(state, *seat, *grade),
            PublicEvent::Ended(ended) => can_end(state, record, ended),
            PublicEvent::BoardDrawn { .. }
            | PublicEvent::ClockCredited { .. }
            | PublicEvent::SeatVanished { .. }
            | PublicEvent::SeatReturned { .. }
            // The fold refuses an answer without a nudge.
            | PublicEvent::NudgeAnswered { .. } => Ok(()),
        }
    }

    /// Notes that a seat draws next.
    fn due_now(&mut self, seat: Seat, count: usize) {
        if count > 0 {
            self.due.push_back((seat, count));
        }
    }

    /// Checks that tiles are drawn, and shuffled after an exchange, exactly when they are due (R-TURN-5, R-CHAL-9).
    fn draw(&mut self, event: &Event) -> Ruling {
        let due = self.due.pop_front();
        match (event, due) {
            (Event::TilesDrawn { seat, tiles, .. }, Some(due)) if (*seat, tiles.len()) == due => {
                Ok(())
            }
            (Event::TilesDrawn { seat, tiles, .. }, None) => {
                refuse!("{seat} draws {} tiles out of turn", tiles.len())
            }
            (_, Some((seat, count))) => {
                // One mistake is reported once.
                self.due.clear();
                refuse!("{seat} has to draw {count} tiles here")
            }
            (Event::BagShuffled { .. }, None) => Ok(()),
            (_, None) if std::mem::take(&mut self.must_shuffle) => {
                refuse!("the exchanged tiles have to be shuffled into the bag here")
            }
            (_, None) => Ok(()),
        }
    }

    fn shuffled(&mut self, state: &State, label: &str) -> Ruling {
        if std::mem::take(&mut self.must_shuffle) {
            return Ok(());
        }
        if state.phase() != Phase::Waiting || label != BAG_LABEL {
            refuse!("there is nothing to shuffle");
        }
        if state.seats().iter().any(|seat| seat.ready.is_none()) {
            refuse!("a player is not ready");
        }
        let mut bag = state.tiles().to_be_mixed().len();
        for seat in Seat::all(state.options().seats) {
            let count = usize::from(state.rules().rack_size).min(bag);
            self.due_now(seat, count);
            bag -= count;
        }
        Ok(())
    }

    fn play(&self, state: &State, made: &PlayMade) -> Ruling {
        on_turn(state, made.turn_no, made.seat)?;
        let laid = made.tiles.iter().flatten().count();
        let Refill { owed, is_last } = state.refill(made.seat, laid, made.total);
        if made.owed != owed {
            refuse!("{} is owed {owed} tiles, not {}", made.seat, made.owed);
        }
        let Some(window) = &made.window else {
            if state.has_challenges() {
                refuse!("the play can be challenged");
            }
            let mut words = made.words.iter();
            let bad = self
                .lexicon
                .and_then(|lexicon| words.find(|word| !lexicon.contains(&word.letters)));
            return match bad {
                Some(word) => refuse!("{} is not a word, so the play was refused", word.word),
                None => Ok(()),
            };
        };
        if !state.has_challenges() {
            refuse!("plays cannot be challenged in this game");
        }
        if window.final_clocks.is_some() != is_last {
            refuse!("only the last play of a game has a final challenge");
        }
        let opponents = state.active().filter(|seat| *seat != made.seat);
        if !opponents.eq(window.eligible.iter().copied()) {
            refuse!("other seats can challenge the play");
        }
        Ok(())
    }
}

/// Checks that a seat may end this turn now.
fn on_turn(state: &State, turn_no: TurnNo, seat: Seat) -> Ruling {
    let Some(turn) = state.turn().filter(|_| state.phase() == Phase::Running) else {
        refuse!("no seat is on turn");
    };
    if turn.seat != seat {
        refuse!("{seat} is not on turn, {} is", turn.seat);
    }
    numbered(turn.no, turn_no)?;
    if state.window().is_some() {
        refuse!("the play before can still be challenged");
    }
    Ok(())
}

/// Checks the number of a turn (R-TURN-3).
fn numbered(expected: TurnNo, turn_no: TurnNo) -> Ruling {
    if turn_no == expected {
        return Ok(());
    }
    refuse!("the turn has the number {}, not {}", expected.0, turn_no.0)
}

/// Returns the seat that comes on turn next (R-TURN-1).
fn next_seat(state: &State) -> Option<Seat> {
    match state.turn() {
        // The turn starts anew after the play before it was taken off.
        Some(turn) if state.is_active(turn.seat) => Some(turn.seat),
        Some(turn) => Some(state.seat_after(turn.seat)),
        None => match (state.history().last(), first_without_draw(state)) {
            (Some(last), _) => Some(state.seat_after(last.seat)),
            (None, Some(seat)) => Some(seat),
            (None, None) => state.first(),
        },
    }
}

/// Returns the seat that has the first turn if it is not drawn (R-SETUP-8, R-SETUP-11).
fn first_without_draw(state: &State) -> Option<Seat> {
    let series = state.created().series.as_ref();
    match (series, state.options().first) {
        (Some(series), _) => Some(series.first),
        (None, FirstPlay::Seat(seat)) => Some(seat),
        (None, FirstPlay::Draw) => None,
    }
}

fn turn_started(state: &State, turn_no: TurnNo, seat: Seat) -> Ruling {
    next_turn(state, seat)?;
    numbered(state.last_turn().next(), turn_no)?;
    if state.seats()[seat.index()].turn_debt > 0 {
        refuse!("{seat} has to lose this turn");
    }
    Ok(())
}

/// Checks that the game is not over and that this seat comes on turn.
fn next_turn(state: &State, seat: Seat) -> Ruling {
    if let Some(reason) = over(state) {
        refuse!("the game is over: {reason}");
    }
    match next_seat(state) {
        Some(next) if next == seat => Ok(()),
        Some(next) => refuse!("{next} comes on turn, not {seat}"),
        None => refuse!("no tile was drawn for the first turn"),
    }
}

/// Returns why no further turn can follow, if none can.
fn over(state: &State) -> Option<&'static str> {
    if state.active().count() < 2 {
        return Some("one player is left");
    }
    if let Some(reason) = state.inactivity() {
        return Some(match reason {
            EndReason::Passes => "too many passes in a row",
            _ => "too many turns in a row without score",
        });
    }
    if state.phase() == Phase::Waiting {
        return None;
    }
    let mut active = state.active();
    if state.tiles().bag().is_empty() && active.any(|seat| state.tiles().rack(seat).is_empty()) {
        return Some("a player has played all tiles");
    }
    is_target_reached(state).then_some("a player has reached the target")
}

fn is_target_reached(state: &State) -> bool {
    let reached = |seat: Seat| {
        let score = state.seats()[seat.index()].score;
        state.target(seat).is_some_and(|target| score >= target)
    };
    state.active().any(reached)
}

fn turn_lost(state: &State, turn_no: TurnNo, seat: Seat) -> Ruling {
    if state
        .seats()
        .get(seat.index())
        .is_none_or(|s| s.turn_debt == 0)
    {
        refuse!("{seat} has no turn to lose");
    }
    next_turn(state, seat)?;
    let expected = match state.turn() {
        Some(turn) if turn.seat == seat => turn.no,
        Some(_) | None => state.last_turn().next(),
    };
    numbered(expected, turn_no)
}

fn seat_ready(state: &State, seat: Seat) -> Ruling {
    let own = state.seats().get(seat.index());
    if state.phase() != Phase::Waiting || own.is_none_or(|own| own.ready.is_some()) {
        refuse!("{seat} is ready already");
    }
    Ok(())
}

/// Checks the draw for first play: tied seats draw again, the best one starts (R-SETUP-6, R-SETUP-7).
fn order_drawn(
    state: &State,
    rounds: &[Vec<(Seat, crate::alphabet::Tile)>],
    first: Seat,
) -> Ruling {
    if first_without_draw(state).is_some() || state.phase() != Phase::Waiting {
        refuse!("the first player is not drawn in this game");
    }
    let mut tied: Vec<Seat> = Seat::all(state.options().seats).collect();
    for round in rounds {
        if !round.iter().map(|(seat, _)| *seat).eq(tied.iter().copied()) {
            refuse!("other seats had to draw for the first turn");
        }
        tied = closest_to_a(round);
    }
    if tied.first() != Some(&first) {
        refuse!("{first} did not draw the best tile");
    }
    Ok(())
}

/// Checks that the game can end now, and so.
fn can_end(state: &State, record: &Record, ended: &Ended) -> Ruling {
    if let Some(adjudication) = ended.adjudication {
        let expected = state.adjudicated_for(adjudication);
        let holds = state.window().is_none() && ended.aborter.is_none();
        if !holds || expected != ended.reason || !state.can_be_adjudicated(adjudication) {
            refuse!("an operator cannot end the game so here");
        }
        return Ok(());
    }
    if state.adjournment().is_some() {
        return adjourn::ended(state, record.at, ended);
    }
    ended_for(state, ended.reason)?;
    requests::aborted_by(state, ended)
}

/// Checks that the game can end for this reason.
fn ended_for(state: &State, reason: EndReason) -> Ruling {
    let options = state.options();
    let is_bag_empty = state.tiles().bag().is_empty();
    let retired = state.seats().iter().filter_map(|seat| seat.retired);
    let last_retired = retired
        .max_by_key(|(_, place)| *place)
        .map(|(how, _)| how.ends_game_as());
    let holds = state.window().is_none()
        && match reason {
            EndReason::OutPlay => {
                let mut seats = Seat::all(options.seats);
                is_bag_empty && seats.any(|seat| state.tiles().rack(seat).is_empty())
            }
            EndReason::ScorelessTurns | EndReason::Passes | EndReason::TurnCap => {
                state.inactivity() == Some(reason)
            }
            EndReason::Target => is_target_reached(state),
            EndReason::AllPlayed => options.all_played && is_bag_empty,
            EndReason::Uncatchable => options.uncatchable && is_bag_empty,
            EndReason::Resignation | EndReason::Time | EndReason::Abandonment => {
                state.active().count() == 1 && last_retired == Some(reason)
            }
            EndReason::TripleChallenge => {
                options.challenge.kind == ChallengeKind::Triple && state.last_decided().is_some()
            }
            EndReason::Aborted => state
                .active()
                .any(|seat| !state.seats()[seat.index()].has_played),
            EndReason::Cancelled => state.phase() == Phase::Waiting,
            // Only with the decision of an operator.
            EndReason::Adjudicated => false,
        };
    if holds {
        return Ok(());
    }
    refuse!("the game cannot end for this reason here")
}

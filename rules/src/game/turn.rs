//! Turns: plays, exchanges, passes, lost turns (R-TURN).

use super::step::Step;
use super::{Action, Command, waiting};
use crate::alphabet::Tile;
use crate::event::{Event, PlayMade, PublicEvent, ScoredWord, WindowClose, WindowOpened};
use crate::play::Play;
use crate::rejection::Rejection;
use crate::state::{Refill, Turn};
use crate::tiles::lacking;
use crate::time::Seat;

/// A turn-ending command that is legal.
pub(super) enum LegalTurn {
    Play(Box<Play>),
    Exchange(Vec<Tile>),
    Pass,
}

impl Step<'_> {
    /// Checks a turn-ending command against the position.
    pub(super) fn would_end_turn(&self, command: &Command) -> Result<LegalTurn, Rejection> {
        let seat = command.seat;
        let legal = match &command.action {
            Action::Play { turn_no, placement } => {
                self.on_turn(seat, *turn_no)?;
                let tiles = self.state.tiles();
                let rules = self.state.rules();
                let play = Play::resolve(rules, tiles.board(), tiles.rack(seat), placement)?;
                if !self.state.has_challenges() {
                    self.check_words(&play)?;
                }
                LegalTurn::Play(Box::new(play))
            }
            Action::Exchange { turn_no, tiles } => {
                self.on_turn(seat, *turn_no)?;
                self.check_exchange(seat, tiles)?;
                LegalTurn::Exchange(tiles.clone())
            }
            Action::Pass { turn_no } => {
                self.on_turn(seat, *turn_no)?;
                LegalTurn::Pass
            }
            _ => return Err(Rejection::NotYourTurn),
        };
        if let Some(window) = self.state.window() {
            if let Some(hold) = window.hold {
                return Err(Rejection::Held { until: hold.until });
            }
            if let Some(dispute) = window.dispute {
                return Err(Rejection::ChallengePending {
                    until: dispute.decide_by,
                });
            }
        }
        Ok(legal)
    }

    fn check_words(&self, play: &Play) -> Result<(), Rejection> {
        let words: Vec<String> = play
            .words()
            .iter()
            .filter(|word| !self.ctx.lexicon.contains(&word.spelling()))
            .map(|word| word.text.clone())
            .collect();
        if words.is_empty() {
            Ok(())
        } else {
            Err(Rejection::InvalidWords { words })
        }
    }

    fn check_exchange(&self, seat: Seat, tiles: &[Tile]) -> Result<(), Rejection> {
        if tiles.is_empty() {
            return Err(Rejection::NothingToExchange);
        }
        let missing = lacking(self.state.tiles().rack(seat), tiles);
        if !missing.is_empty() {
            return Err(Rejection::NotOnRack { missing });
        }
        let bag = self.state.bag_count();
        let needed = usize::from(self.state.rules().exchange_min_bag);
        if bag < needed {
            return Err(Rejection::BagTooSmall { bag, needed });
        }
        let exchanged = tiles.len();
        if bag < exchanged {
            return Err(Rejection::TooManyExchanged { bag, exchanged });
        }
        Ok(())
    }

    /// Returns whether turns wait so that every opponent can challenge the last play (R-CHAL-6:
    /// protection with three or four seats).
    pub(super) fn is_protected(&self) -> bool {
        let Some(window) = self.state.window() else {
            return false;
        };
        if window.hold.is_some() || window.dispute.is_some() {
            return true;
        }
        let on_turn = self.state.turn().map(|turn| turn.seat);
        let open_for_others = window
            .eligible
            .iter()
            .any(|seat| Some(*seat) != on_turn && !window.accepted.contains(seat));
        open_for_others && self.at < waiting::protected_until(&self.state, window)
    }

    /// Carries out a legal turn-ending command: the window of the previous play closes first.
    pub(super) fn end_turn(&mut self, command: &Command, legal: LegalTurn) {
        let turn = self
            .state
            .turn()
            .expect("a legal turn-ending command has a turn");
        self.decline_abort_by_turn(turn.seat);
        self.decline_adjourn_by_turn();
        self.close_window(WindowClose::NextTurn);
        let kind = self.clock_kind();
        self.clocks.stop(command.received_at, command.lag_ms);
        self.clocks.add_increment(kind, turn.seat);
        match legal {
            LegalTurn::Play(play) => self.play(turn, &play),
            LegalTurn::Exchange(tiles) => {
                self.exchange(turn, tiles);
                self.after_turn(turn.seat);
            }
            LegalTurn::Pass => {
                self.emit_own(Event::Public(PublicEvent::Passed {
                    turn_no: turn.no,
                    seat: turn.seat,
                }));
                self.after_turn(turn.seat);
            }
        }
    }

    fn play(&mut self, turn: Turn, play: &Play) {
        let seat = turn.seat;
        let total = self.state.seats()[seat.index()].score + play.score();
        let Refill { owed, is_last } = self.state.refill(seat, play.placed().len(), total);
        let window = self
            .state
            .has_challenges()
            .then(|| self.new_window(seat, is_last));
        let made = PlayMade {
            turn_no: turn.no,
            seat,
            start: play.start(),
            direction: play.direction(),
            tiles: play.tiles().to_vec(),
            words: play
                .words()
                .iter()
                .map(|word| ScoredWord {
                    word: word.text.clone(),
                    letters: word.spelling(),
                    score: word.score,
                })
                .collect(),
            bonus: play.bonus(),
            score: play.score(),
            total,
            owed,
            window,
        };
        let has_window = made.window.is_some();
        self.emit_own(Event::Public(PublicEvent::PlayMade(made)));
        match (has_window, is_last) {
            // The final challenge: no seat comes on turn.
            (true, true) => {}
            (true, false) => self.after_turn(seat),
            (false, true) => self.end_by_last_play(seat),
            (false, false) => {
                self.draw(seat, usize::from(owed));
                self.after_turn(seat);
            }
        }
    }

    fn new_window(&self, author: Seat, is_last: bool) -> WindowOpened {
        let window_ms = self.options().challenge.window_ms;
        let closes_after = if is_last {
            Some(self.options().answer_ms(self.options().timing.final_ms))
        } else {
            window_ms
        };
        WindowOpened {
            closes_at: closes_after.map(|ms| self.at.plus(ms)),
            eligible: self.state.active().filter(|seat| *seat != author).collect(),
            final_clocks: is_last.then(|| self.clocks.clone()),
        }
    }

    fn exchange(&mut self, turn: Turn, tiles: Vec<Tile>) {
        let count = tiles.len();
        self.emit_own(Event::Exchanged {
            turn_no: turn.no,
            seat: turn.seat,
            tiles,
        });
        // Draw first, then put back: a discarded tile cannot return in the same exchange.
        self.draw(turn.seat, count);
        self.shuffle_bag(format!("exchange/{}", self.state.exchanges));
    }

    /// Shuffles the bag together with the tiles that an exchange laid aside.
    pub(super) fn shuffle_bag(&mut self, label: String) {
        let order = self.shuffled(&label, self.state.tiles().to_be_mixed());
        self.emit(Event::BagShuffled { label, order });
    }

    /// Draws the next `count` tiles for `seat`, or all that are left.
    pub(super) fn draw(&mut self, seat: Seat, count: usize) {
        let bag = self.state.tiles().bag();
        let count = count.min(bag.len());
        if count == 0 {
            return;
        }
        let tiles = bag[..count].to_vec();
        let left = u16::try_from(bag.len() - count).expect("a bag holds fewer than 65,536 tiles");
        self.emit(Event::TilesDrawn {
            seat,
            tiles,
            bag: left,
        });
    }

    /// After a completed turn: the game ends by inactivity, or the next seat comes on turn.
    pub(super) fn after_turn(&mut self, seat: Seat) {
        if let Some(reason) = self.state.inactivity().or_else(|| self.search_end()) {
            self.end(reason);
        } else {
            self.next_turn(seat);
        }
    }

    /// Starts the turn of the next seat after `seat`; a seat that owes a turn loses it and is skipped.
    pub(super) fn next_turn(&mut self, seat: Seat) {
        let mut candidate = seat;
        loop {
            candidate = self.state.seat_after(candidate);
            if self.state.seats()[candidate.index()].turn_debt == 0 {
                return self.start_turn(candidate);
            }
            self.lose_turn(candidate);
            if let Some(reason) = self.state.inactivity() {
                return self.end(reason);
            }
        }
    }

    pub(super) fn start_turn(&mut self, seat: Seat) {
        self.stop_clock();
        let kind = self.clock_kind();
        self.clocks.start_turn(kind, seat, self.at);
        if let Some(until) = self.state.vacation_at(seat, self.at) {
            self.clocks.allowance_ms[seat.index()] += until.since(self.at);
        }
        if self.state.adjournment().is_some() {
            self.stop_clock();
        }
        let clocks = self.clocks.clone();
        self.emit_public(PublicEvent::TurnStarted {
            turn_no: self.state.last_turn().next(),
            seat,
            clocks,
        });
    }

    /// Takes a turn from a seat that owes one.
    pub(super) fn lose_turn(&mut self, seat: Seat) {
        self.decline_abort_by_turn(seat);
        self.decline_adjourn_by_turn();
        // A seat on turn loses that turn; otherwise the lost turn gets its own number.
        let turn_no = match self.state.turn() {
            Some(turn) if turn.seat == seat => turn.no,
            Some(_) | None => self.state.last_turn().next(),
        };
        self.emit_public(PublicEvent::TurnLost { turn_no, seat });
    }
}

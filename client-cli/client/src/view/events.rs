//! The effect of each event on a view.

use tilewire_protocol::{
    AbortRequest, ChallengeDecided, ClockCredited, Event, EventBody, Exchanged, GameResult,
    HoldEnded, HoldStarted, Nudge, Phase, PlayMade, Role, SnapshotWindow, TilesDrawn, TurnKind,
    TurnRecord, UsedHint, VanishedSeat,
};

use super::{GameView, LastPlay, SeatState, laid, tile_face};
use crate::rules::rules_of;

impl GameView {
    /// Applies the next event; the first event of a game creates the view.
    pub fn fold(view: &mut Option<Self>, event: &Event, role: Role, seat: Option<u8>) {
        match (&event.body, view) {
            (EventBody::Created(created), view) => {
                *view = Some(Self::created((*created.setup).clone(), role, seat));
            }
            (_, Some(view)) => view.apply(event),
            (_, None) => {}
        }
    }

    /// Applies the next event.
    pub fn apply(&mut self, event: &Event) {
        self.seq = event.seq;
        // If the turn still waits, the server sends `turn_waiting` again after the event.
        self.waiting_until = None;
        self.nudge.take_if(|nudge| is_over(nudge, &event.body));
        self.adjourning(&event.body);
        match &event.body {
            EventBody::SeatReady(body) => self.with_seat(body.seat, |seat| seat.is_ready = true),
            EventBody::BagShuffled(body) => self.bag = body.count,
            EventBody::TilesDrawn(body) => self.tiles_drawn(body),
            EventBody::TurnStarted(body) => {
                self.phase = Phase::Running;
                self.turn_no = body.turn_no;
                self.on_turn = Some(body.seat);
                self.clocks = body.clocks.clone();
            }
            EventBody::PlayMade(body) => self.play_made(event.seq, body),
            EventBody::Exchanged(body) => self.exchanged(body),
            EventBody::Passed(body) => self.turn_used(body.turn_no, body.seat, TurnKind::Pass),
            EventBody::TurnLost(body) => {
                self.with_seat(body.seat, |seat| {
                    seat.turn_debt = seat.turn_debt.saturating_sub(1)
                });
                self.turn_used(body.turn_no, body.seat, TurnKind::LostTurn);
            }
            EventBody::Accepted(body) => {
                if let Some(window) = self.window_of(body.play_id) {
                    window.accepted.push(body.seat);
                }
            }
            EventBody::HoldStarted(body) => self.hold_started(body),
            EventBody::HoldEnded(body) => self.hold_ended(body),
            EventBody::ChallengeOpened(body) => {
                self.clocks = body.clocks.clone();
                if let Some(window) = self.window_of(body.play_id) {
                    window.challenger = Some(body.seat);
                    window.decide_by = Some(body.decide_by);
                }
            }
            EventBody::ChallengeDecided(body) => self.challenge_decided(body),
            EventBody::WindowClosed(_) => self.window = None,
            EventBody::ClockCredited(body) => self.clock_credited(body),
            EventBody::SeatRetired(body) => {
                let reason = body.reason;
                self.with_seat(body.seat, |seat| seat.retired = Some(reason));
                self.on_turn = self.on_turn.filter(|seat| *seat != body.seat);
                self.vanished.retain(|vanished| vanished.seat != body.seat);
            }
            EventBody::Ended(result) => self.ended(result),
            EventBody::BoardDrawn(body) => {
                self.setup.rule_set.board.layout.clone_from(&body.layout);
                self.rules = rules_of(&self.setup.rule_set);
            }
            body => self.beside_the_play(body),
        }
    }

    /// Applies an event about connections, or about what passes between players beside the play.
    fn beside_the_play(&mut self, body: &EventBody) {
        match body {
            EventBody::SeatVanished(body) => {
                self.vanished.retain(|vanished| vanished.seat != body.seat);
                self.vanished.push(VanishedSeat {
                    seat: body.seat,
                    claim_at: body.claim_at,
                });
            }
            EventBody::SeatReturned(body) => {
                self.vanished.retain(|vanished| vanished.seat != body.seat);
            }
            EventBody::AbortRequested(body) => {
                self.abort_request = Some(AbortRequest {
                    seat: body.seat,
                    until: body.until,
                });
            }
            EventBody::AbortDeclined(_) => self.abort_request = None,
            EventBody::Paused(body) => self.clocks = body.clocks.clone(),
            EventBody::Vacation(body) => self.clocks = body.clocks.clone(),
            EventBody::TimeGiven(body) => self.clocks = body.clocks.clone(),
            EventBody::TimeRefused(body) => {
                self.time_refused.push(body.seat);
                self.time_refused.sort_unstable();
            }
            EventBody::HintUsed(body) => self.hints.push(UsedHint {
                seat: body.seat,
                turn_no: self.turn_no,
                grade: body.grade,
            }),
            EventBody::Nudged(body) => {
                self.nudge = Some(Nudge {
                    seat: body.seat,
                    target: body.target,
                    claim_at: body.claim_at,
                });
            }
            _ => {}
        }
    }

    fn with_seat(&mut self, seat: u8, change: impl FnOnce(&mut SeatState)) {
        if let Some(state) = self.seats.get_mut(usize::from(seat)) {
            change(state);
        }
    }

    fn window_of(&mut self, play_id: u64) -> Option<&mut SnapshotWindow> {
        self.window
            .as_mut()
            .filter(|window| window.play_id == play_id)
    }

    fn tiles_drawn(&mut self, drawn: &TilesDrawn) {
        self.bag = drawn.bag;
        self.with_seat(drawn.seat, |seat| {
            let owed = seat.owed.min(drawn.count);
            seat.owed -= owed;
            seat.rack_count = seat.rack_count.saturating_add(drawn.count - owed);
        });
        if let Some(rack) = self.rack_mut(drawn.seat) {
            rack.extend(drawn.tiles.iter().flatten().cloned());
        }
    }

    fn play_made(&mut self, play_id: u64, play: &PlayMade) {
        let rack = self.rack_before(play.seat);
        let laid = laid(&play.start, &play.tiles);
        for (square, face) in &laid {
            self.put(*square, face.clone());
        }
        for (_, face) in &laid {
            self.take_from_rack(play.seat, face);
        }
        let count = u32::try_from(laid.len()).unwrap_or(u32::MAX);
        self.with_seat(play.seat, |seat| {
            seat.score = play.total;
            seat.rack_count = seat
                .rack_count
                .saturating_sub(count)
                .saturating_add(play.owed);
            seat.owed = play.owed;
        });
        self.bag = self.bag.saturating_sub(play.owed);
        self.turns.push(TurnRecord {
            start: Some(play.start.clone()),
            tiles: Some(play.tiles.clone()),
            words: Some(play.words.clone()),
            score: play.score,
            play_id: Some(play_id),
            bonus: play.bonus,
            rack,
            ..self.turn(play.turn_no, play.seat, TurnKind::Play)
        });
        self.last_play = Some(LastPlay {
            play_id,
            seat: play.seat,
            laid,
        });
        let seats = u8::try_from(self.seats.len()).unwrap_or(u8::MAX);
        self.window = play.window.as_ref().map(|window| SnapshotWindow {
            play_id,
            author: play.seat,
            is_final: window.is_final,
            closes_at: window.closes_at,
            eligible: window.judges(play.seat, seats),
            accepted: Vec::new(),
            holder: None,
            hold_until: None,
            holds_used: Vec::new(),
            challenger: None,
            decide_by: None,
        });
        if let Some(clocks) = &play.clocks {
            self.clocks = clocks.clone();
        }
        self.on_turn = None;
        if self.window.as_ref().is_some_and(|window| window.is_final) {
            self.phase = Phase::Final;
        }
    }

    fn turn(&self, turn_no: u32, seat: u8, kind: TurnKind) -> TurnRecord {
        let total = self
            .seats
            .get(usize::from(seat))
            .map_or(0, |seat| seat.score);
        TurnRecord {
            turn_no,
            seat,
            kind,
            start: None,
            tiles: None,
            words: None,
            score: 0,
            total,
            count: None,
            off: false,
            play_id: None,
            bonus: None,
            challenger: None,
            bad_words: Vec::new(),
            points: Vec::new(),
            rack: self.rack_before(seat),
        }
    }

    /// The rack of a seat, if the client sees it, for the record of its turn.
    fn rack_before(&self, seat: u8) -> Option<Vec<String>> {
        self.rack_of(seat).map(<[String]>::to_vec)
    }

    fn turn_used(&mut self, turn_no: u32, seat: u8, kind: TurnKind) {
        self.turns.push(self.turn(turn_no, seat, kind));
        self.on_turn = None;
    }

    fn exchanged(&mut self, exchange: &Exchanged) {
        let rack = self.rack_before(exchange.seat);
        for face in exchange.tiles.iter().flatten() {
            self.take_from_rack(exchange.seat, face);
        }
        self.with_seat(exchange.seat, |seat| {
            seat.rack_count = seat.rack_count.saturating_sub(exchange.count);
        });
        self.turns.push(TurnRecord {
            tiles: exchange.tiles.clone(),
            count: Some(exchange.count),
            rack,
            ..self.turn(exchange.turn_no, exchange.seat, TurnKind::Exchange)
        });
        self.on_turn = None;
    }

    fn take_from_rack(&mut self, seat: u8, face: &str) {
        let face = tile_face(face);
        if let Some(rack) = self.rack_mut(seat)
            && let Some(place) = rack.iter().position(|tile| tile == face)
        {
            rack.remove(place);
        }
    }

    fn hold_started(&mut self, hold: &HoldStarted) {
        self.clocks = hold.clocks.clone();
        if let Some(window) = self.window_of(hold.play_id) {
            window.holder = Some(hold.seat);
            window.hold_until = Some(hold.until);
            window.holds_used.push(hold.seat);
        }
    }

    fn hold_ended(&mut self, hold: &HoldEnded) {
        self.clocks = hold.clocks.clone();
        if let Some(window) = self.window_of(hold.play_id) {
            window.holder = None;
            window.hold_until = None;
            window.closes_at = hold.closes_at;
        }
    }

    fn challenge_decided(&mut self, verdict: &ChallengeDecided) {
        for (seat, total) in self.seats.iter_mut().zip(&verdict.totals) {
            seat.score = *total;
        }
        self.with_seat(verdict.seat, |seat| seat.turn_debt = verdict.turn_debt);
        if let Some(clocks) = &verdict.clocks {
            self.clocks = clocks.clone();
        }
        if let Some(turn) = self.turn_of(verdict.play_id) {
            turn.challenger = Some(verdict.seat);
            turn.bad_words.clone_from(&verdict.bad_words);
            turn.points.clone_from(&verdict.points);
        }
        if verdict.upheld {
            self.take_off(verdict.play_id);
        }
        self.window = None;
    }

    fn turn_of(&mut self, play_id: u64) -> Option<&mut TurnRecord> {
        let turns = self.turns.iter_mut();
        turns.rev().find(|turn| turn.play_id == Some(play_id))
    }

    /// Takes a play off the board: its tiles go back to the rack, the tiles owed for it to the bag.
    fn take_off(&mut self, play_id: u64) {
        let Some(play) = self.last_play.take_if(|play| play.play_id == play_id) else {
            return;
        };
        for (square, _) in &play.laid {
            self.board.remove(square);
        }
        let faces = play.laid.iter();
        let faces: Vec<String> = faces.map(|(_, face)| tile_face(face).to_owned()).collect();
        if let Some(rack) = self.rack_mut(play.seat) {
            rack.extend(faces);
        }
        let count = u32::try_from(play.laid.len()).unwrap_or(u32::MAX);
        let mut owed = 0;
        self.with_seat(play.seat, |seat| {
            owed = std::mem::take(&mut seat.owed);
            seat.rack_count = seat.rack_count.saturating_sub(owed).saturating_add(count);
        });
        self.bag = self.bag.saturating_add(owed);
        let total = self
            .seats
            .get(usize::from(play.seat))
            .map_or(0, |seat| seat.score);
        if let Some(turn) = self.turn_of(play_id) {
            turn.off = true;
            turn.total = total;
        }
        // Challenges and holds still name the play.
        self.last_play = Some(LastPlay {
            laid: Vec::new(),
            ..play
        });
        if self.phase == Phase::Final {
            self.phase = Phase::Running;
        }
    }

    fn clock_credited(&mut self, credit: &ClockCredited) {
        self.clocks = credit.clocks.clone();
        let shift = credit.resumed_at.saturating_sub(credit.stopped_at);
        if let Some(window) = &mut self.window {
            for deadline in [
                &mut window.closes_at,
                &mut window.hold_until,
                &mut window.decide_by,
            ] {
                *deadline = deadline.map(|at| at.saturating_add(shift));
            }
        }
        if let Some(request) = &mut self.abort_request {
            request.until = request.until.saturating_add(shift);
        }
        if let Some(request) = &mut self.adjourn_request {
            request.until = request.until.saturating_add(shift);
        }
        if let Some(nudge) = &mut self.nudge {
            nudge.claim_at = nudge.claim_at.map(|at| at.saturating_add(shift));
        }
        for vanished in &mut self.vanished {
            vanished.claim_at = vanished.claim_at.saturating_add(shift);
        }
    }

    fn ended(&mut self, result: &GameResult) {
        self.phase = Phase::Ended;
        self.on_turn = None;
        self.window = None;
        self.vanished.clear();
        self.abort_request = None;
        self.clocks = result.clocks.clone();
        self.result = Some(result.clone());
    }
}

/// Whether an event ends a nudge: an answer, the end of the turn, or the end of the game.
fn is_over(nudge: &Nudge, event: &EventBody) -> bool {
    match event {
        EventBody::TurnStarted(_) | EventBody::NudgeAnswered(_) | EventBody::Ended(_) => true,
        EventBody::PlayMade(body) => body.seat == nudge.target,
        EventBody::Exchanged(body) => body.seat == nudge.target,
        EventBody::Passed(body) | EventBody::TurnLost(body) => body.seat == nudge.target,
        EventBody::SeatRetired(body) => body.seat == nudge.target,
        _ => false,
    }
}

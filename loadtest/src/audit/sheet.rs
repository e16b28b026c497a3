//! The scoresheet of a replayed game: whose turn it is, how many tiles everybody has, what each turn was.

use tilewire_protocol::{
    ChallengeDecided, Clocks, Event, EventBody, GameSetup, PlayMade, TurnUsed,
};
use tilewire_rules::board::Board;
use tilewire_rules::ruleset::RuleSet;

use super::replay::ensure;
use crate::public_state::{ClockState, PublicState, SeatState, TurnLine, sorted, words};

/// What everybody may count along.
#[derive(Debug)]
pub(super) struct Sheet {
    turn_no: u32,
    on_turn: Option<u8>,
    // Who had the last turn, finished or not.
    turn_of: Option<u8>,
    bag: u32,
    rack_size: u32,
    seats: Vec<SeatState>,
    // Tiles that count as dealt, and are drawn when the play can be challenged no more.
    owed: Vec<u32>,
    // The last play: whose, and how many tiles it laid.
    last: Option<(u8, u32)>,
    turns: Vec<TurnLine>,
    clocks: Option<ClockState>,
    is_over: bool,
}

impl Sheet {
    /// Before anything happened.
    pub(super) fn new(setup: &GameSetup, rules: &RuleSet) -> Self {
        let nobody = SeatState {
            score: 0,
            rack_count: 0,
            is_ready: false,
            is_retired: false,
        };
        Self {
            turn_no: 0,
            on_turn: None,
            turn_of: None,
            bag: rules.tiles.total(),
            rack_size: u32::from(rules.rack_size),
            seats: vec![nobody; setup.seats.len()],
            owed: vec![0; setup.seats.len()],
            last: None,
            turns: Vec::new(),
            clocks: None,
            is_over: false,
        }
    }

    /// Whether this seat has left the game.
    pub(super) fn is_retired(&self, seat: u8) -> bool {
        let seat = self.seats.get(usize::from(seat));
        seat.is_some_and(|seat| seat.is_retired)
    }

    /// What a snapshot has to say now.
    pub(super) fn digest(&self, rules: &RuleSet, board: &Board, scores: &[i32]) -> PublicState {
        let mut seats = self.seats.clone();
        for (seat, score) in seats.iter_mut().zip(scores) {
            seat.score = *score;
        }
        let board = board.iter();
        PublicState {
            turn_no: self.turn_no,
            on_turn: self.on_turn,
            board: sorted(
                board.map(|(square, laid)| (square.to_string(), rules.tiles.placed_face(laid))),
            ),
            bag: self.bag,
            seats,
            turns: self.turns.clone(),
            clocks: self.clocks.clone().filter(|_| self.turn_no > 0),
            is_over: self.is_over,
        }
    }

    /// Takes the next event in, which has been found to be sound otherwise.
    ///
    /// # Errors
    /// When it is not this seat's turn, or somebody has drawn too few tiles.
    pub(super) fn take(&mut self, event: &Event, scores: &[i32]) -> Result<(), String> {
        ensure(!self.is_over, || "the game was over".to_owned())?;
        match &event.body {
            EventBody::SeatReady(ready) => self.seat(ready.seat)?.is_ready = true,
            EventBody::TilesDrawn(drawn) => self.drawn(drawn.seat, drawn.count)?,
            EventBody::TurnStarted(turn) => {
                self.begin(turn.turn_no, turn.seat)?;
                self.decoded(Some(&turn.clocks));
            }
            EventBody::PlayMade(play) => self.play(event.seq, play)?,
            EventBody::Exchanged(exchange) => {
                let line = self.use_up(
                    exchange.turn_no,
                    exchange.seat,
                    "exchange",
                    total_of(scores, exchange.seat)?,
                )?;
                line.count = Some(exchange.count);
                self.seat(exchange.seat)?.rack_count -= exchange.count;
                self.bag += exchange.count;
            }
            EventBody::Passed(turn) => {
                let total = total_of(scores, turn.seat)?;
                self.use_up(turn.turn_no, turn.seat, "pass", total)?;
            }
            EventBody::TurnLost(turn) => self.lose(turn, scores)?,
            EventBody::ChallengeDecided(verdict) => self.verdict(verdict)?,
            EventBody::HoldStarted(hold) => self.decoded(Some(&hold.clocks)),
            EventBody::HoldEnded(hold) => self.decoded(Some(&hold.clocks)),
            EventBody::ChallengeOpened(challenge) => self.decoded(Some(&challenge.clocks)),
            EventBody::ClockCredited(credited) => self.decoded(Some(&credited.clocks)),
            EventBody::SeatRetired(retired) => self.seat(retired.seat)?.is_retired = true,
            EventBody::Ended(result) => {
                self.is_over = true;
                self.on_turn = None;
                self.decoded(Some(&result.clocks));
            }
            _ => {}
        }
        Ok(())
    }

    fn seat(&mut self, seat: u8) -> Result<&mut SeatState, String> {
        let seat = self.seats.get_mut(usize::from(seat));
        seat.ok_or_else(|| "a seat".to_owned())
    }

    fn owed(&mut self, seat: u8) -> Result<&mut u32, String> {
        let owed = self.owed.get_mut(usize::from(seat));
        owed.ok_or_else(|| "a seat".to_owned())
    }

    fn decoded(&mut self, clocks: Option<&Clocks>) {
        if let Some(clocks) = clocks {
            self.clocks = Some(ClockState::of(clocks));
        }
    }

    fn drawn(&mut self, seat: u8, count: u32) -> Result<(), String> {
        let owed = std::mem::take(self.owed(seat)?);
        let fresh = count.checked_sub(owed);
        let fresh = fresh.ok_or_else(|| format!("{count} tiles drawn, {owed} were owed"))?;
        self.seat(seat)?.rack_count += fresh;
        self.bag = self.bag.checked_sub(fresh).ok_or("the bag is empty")?;
        Ok(())
    }

    /// A turn begins: of the next seat that still plays, when all racks are full or the bag is empty.
    fn begin(&mut self, turn_no: u32, seat: u8) -> Result<(), String> {
        let due = self.turn_no + 1;
        ensure(turn_no == due, || {
            format!("turn {turn_no} began where {due} was due")
        })?;
        self.comes_after(seat)?;
        let playing = self.seats.iter().filter(|seat| !seat.is_retired);
        let mut short = playing.filter(|seat| seat.rack_count < self.rack_size);
        ensure(self.bag == 0 || short.next().is_none(), || {
            format!("a rack is not full with {} tiles in the bag", self.bag)
        })?;
        (self.turn_no, self.on_turn, self.turn_of) = (turn_no, Some(seat), Some(seat));
        Ok(())
    }

    /// Turns go around the table, past those who have left.
    fn comes_after(&self, seat: u8) -> Result<(), String> {
        let Some(before) = self.turn_of else {
            return Ok(());
        };
        let seats = u8::try_from(self.seats.len()).unwrap_or(u8::MAX);
        let around = (1..=seats).map(|step| (before + step) % seats);
        let due = around.into_iter().find(|seat| !self.is_retired(*seat));
        ensure(due == Some(seat), || {
            format!("seat {seat} came on turn after seat {before}")
        })
    }

    /// The seat on turn uses its turn up.
    fn use_up(
        &mut self,
        turn_no: u32,
        seat: u8,
        kind: &'static str,
        total: i32,
    ) -> Result<&mut TurnLine, String> {
        ensure(
            (self.turn_no, self.on_turn) == (turn_no, Some(seat)),
            || format!("seat {seat} used turn {turn_no} of seat {:?}", self.on_turn),
        )?;
        self.on_turn = None;
        self.turns.push(TurnLine {
            turn_no,
            seat,
            kind,
            start: None,
            tiles: Vec::new(),
            words: Vec::new(),
            score: 0,
            total,
            count: None,
            is_off: false,
            play_id: None,
        });
        self.turns
            .last_mut()
            .ok_or_else(|| unreachable!("a line was just added"))
    }

    /// A turn is lost by whoever is on turn, or is passed over because of a debt.
    fn lose(&mut self, turn: &TurnUsed, scores: &[i32]) -> Result<(), String> {
        if self.on_turn != Some(turn.seat) {
            let due = self.turn_no + 1;
            ensure(turn.turn_no == due, || {
                format!("turn {} was lost where {due} was due", turn.turn_no)
            })?;
            self.comes_after(turn.seat)?;
            (self.turn_no, self.on_turn) = (turn.turn_no, Some(turn.seat));
            self.turn_of = Some(turn.seat);
        }
        let total = total_of(scores, turn.seat)?;
        self.use_up(turn.turn_no, turn.seat, "lost turn", total)?;
        Ok(())
    }

    fn play(&mut self, seq: u64, play: &PlayMade) -> Result<(), String> {
        let line = self.use_up(play.turn_no, play.seat, "play", play.total)?;
        line.start = Some(play.start.clone());
        (line.tiles, line.words) = (play.tiles.clone(), words(&play.words));
        (line.score, line.play_id) = (play.score, Some(seq));
        let laid = play.tiles.iter().filter(|face| *face != ".").count();
        let laid = u32::try_from(laid).unwrap_or(u32::MAX);
        self.last = Some((play.seat, laid));
        *self.owed(play.seat)? = play.owed;
        let seat = self.seat(play.seat)?;
        let kept = seat.rack_count.checked_sub(laid);
        seat.rack_count = kept.ok_or("more tiles than a rack holds")? + play.owed;
        let left = self.bag.checked_sub(play.owed);
        self.bag = left.ok_or("more tiles are owed than there are")?;
        self.decoded(play.clocks.as_ref());
        Ok(())
    }

    fn verdict(&mut self, verdict: &ChallengeDecided) -> Result<(), String> {
        self.decoded(verdict.clocks.as_ref());
        if !verdict.upheld {
            return Ok(());
        }
        let (author, laid) = self.last.take().ok_or("nothing was played")?;
        let owed = std::mem::take(self.owed(author)?);
        let seat = self.seat(author)?;
        seat.rack_count = seat.rack_count + laid - owed;
        self.bag += owed;
        let its = |line: &&mut TurnLine| line.play_id == Some(verdict.play_id);
        let line = self
            .turns
            .iter_mut()
            .rev()
            .find(its)
            .ok_or("no such play")?;
        line.is_off = true;
        line.total -= line.score;
        Ok(())
    }
}

fn total_of(scores: &[i32], seat: u8) -> Result<i32, String> {
    let total = scores.get(usize::from(seat)).copied();
    total.ok_or_else(|| "a seat".to_owned())
}

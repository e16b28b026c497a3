//! The log of one game, folded by slow rules of its own: who has which tile, what is open until when, who has won.

mod outcome;

use std::collections::BTreeMap;
use std::sync::Arc;

use tilewire_rules::alphabet::{Placed, Tile};
use tilewire_rules::board::{Direction, Square};
use tilewire_rules::event::{
    CommandRef, Created, Ended, Event, HoldEnd, PlayMade, PublicEvent, Record, WindowClose,
};
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::time::Seat;

use super::clocks::{Certainty, ClockBook};

/// A play that can be challenged.
#[derive(Debug)]
struct Window {
    play: PlayMade,
    laid: Vec<(Square, Placed)>,
    closes_at: Option<i64>,
    hold: Option<i64>,
    dispute: Option<i64>,
}

/// What is known of a game after one of its events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Facts {
    pub(super) scores: Vec<i32>,
    pub(super) racks: Vec<Vec<Tile>>,
    /// Tiles in the bag that nobody is owed.
    pub(super) bag: usize,
    /// Tiles each seat will draw when the last play stands.
    pub(super) owed: Vec<usize>,
    pub(super) turn: Option<(u32, u8)>,
    pub(super) squares: usize,
    pub(super) window: Option<u64>,
    pub(super) is_over: bool,
}

/// The fold.
#[derive(Debug)]
pub(super) struct Book {
    rules: Arc<RuleSet>,
    pub(super) created: Created,
    bag: Vec<Tile>,
    aside: Vec<Tile>,
    racks: Vec<Vec<Tile>>,
    board: BTreeMap<Square, Placed>,
    scores: Vec<i32>,
    retired: Vec<Seat>,
    turn: Option<(u32, Seat)>,
    turn_began: i64,
    last_turn: u32,
    window: Option<Window>,
    ready_by: i64,
    is_started: bool,
    clocks: ClockBook,
    holder_flag: Option<(Seat, i64)>,
    let_go_at: Option<i64>,
    last_at: i64,
    pub(super) ended: Option<Ended>,
    /// Where each command took effect.
    pub(super) commands: BTreeMap<(Seat, String), (u64, u64)>,
    pub(super) facts: Vec<Facts>,
}

impl Book {
    pub(super) fn new(rules: Arc<RuleSet>, first: &Record, lag_max_ms: i64) -> Self {
        let Event::Created(created) = &first.event else {
            panic!("a log begins with the creation of a game");
        };
        let options = &created.options;
        let seats = usize::from(options.seats);
        let is_exact = seats == 2 && lag_max_ms == 0;
        let certainty = if is_exact {
            Certainty::Exact
        } else {
            Certainty::Bounds
        };
        let mut book = Self {
            bag: rules.tiles.all(),
            rules,
            created: created.clone(),
            aside: Vec::new(),
            racks: vec![Vec::new(); seats],
            board: BTreeMap::new(),
            scores: vec![0; seats],
            retired: Vec::new(),
            turn: None,
            turn_began: first.at.0,
            last_turn: 0,
            window: None,
            ready_by: first.at.0 + options.timing.ready_ms,
            is_started: false,
            clocks: ClockBook::new(options.clock, options.seats, certainty),
            holder_flag: None,
            let_go_at: None,
            last_at: first.at.0,
            ended: None,
            commands: BTreeMap::new(),
            facts: Vec::new(),
        };
        book.note();
        book
    }

    /// Takes the next record in.
    pub(super) fn add(&mut self, record: &Record) {
        assert!(
            self.ended.is_none(),
            "nothing happens after the end: {record:?}"
        );
        assert_eq!(
            record.seq.0,
            u64::try_from(self.facts.len()).expect("few") + 1,
            "numbers without gaps"
        );
        let at = record.at.0;
        let is_credit = matches!(
            record.event,
            Event::Public(PublicEvent::ClockCredited { .. })
        );
        assert!(is_credit || at >= self.last_at, "time goes on: {record:?}");
        if let Some(command) = &record.command {
            self.command(record, command);
        }
        match &record.event {
            Event::Created(_) => panic!("a game is created once"),
            Event::BagShuffled { order, .. } => {
                self.aside.append(&mut self.bag);
                assert_eq!(
                    sorted(order),
                    sorted(&self.aside),
                    "a shuffle mixes what is there"
                );
                self.aside.clear();
                self.bag = order.clone();
            }
            Event::TilesDrawn { seat, tiles, bag } => {
                assert!(!tiles.is_empty());
                let drawn: Vec<Tile> = self.bag.drain(..tiles.len()).collect();
                assert_eq!(&drawn, tiles, "tiles come from the front of the bag");
                assert_eq!(self.bag.len(), usize::from(*bag));
                self.racks[seat.index()].extend(drawn);
                let size = usize::from(self.rules.rack_size);
                assert!(
                    self.racks[seat.index()].len() <= size,
                    "no rack is too full: {record:?}"
                );
            }
            Event::Exchanged {
                seat,
                tiles,
                turn_no,
            } => {
                self.turn_over(*seat, turn_no.0);
                self.clocks.turn_ended(*seat);
                self.take(*seat, tiles);
                self.aside.extend(tiles);
            }
            Event::Public(event) => self.public(record, event),
        }
        self.last_at = at;
        self.note();
        let mut all = [self.bag.clone(), self.aside.clone(), self.racks.concat()].concat();
        all.extend(self.board.values().map(|placed| placed.tile));
        assert_eq!(
            sorted(&all),
            sorted(&self.rules.tiles.all()),
            "tiles have one owner: {record:?}"
        );
    }

    /// A command takes effect once, and before everything that was due.
    fn command(&mut self, record: &Record, command: &CommandRef) {
        let (at, key) = (record.at.0, (command.seat, command.cmd_id.clone()));
        let former = self.commands.insert(key, (record.seq.0, command.digest));
        assert!(former.is_none(), "a command took effect twice: {record:?}");
        assert!(
            !self.retired.contains(&command.seat),
            "who is out does nothing: {record:?}"
        );
        let window = self.window.as_ref();
        let due = window.and_then(|window| window.dispute.or(window.hold).or(window.closes_at));
        // Who leaves lets go of a hold first.
        let due = due.filter(|_| self.let_go_at != Some(at));
        assert!(
            due.is_none_or(|due| at < due),
            "{due:?} was due before {record:?}"
        );
        if let Some((_, due)) = self.clocks.flag_at().filter(|_| self.is_exact()) {
            assert!(at < due, "a flag fell at {due}, before {record:?}");
        }
        assert!(
            self.is_started || at < self.ready_by,
            "too late to begin: {record:?}"
        );
    }

    fn is_exact(&self) -> bool {
        self.created.options.seats == 2
    }

    #[expect(clippy::too_many_lines, reason = "one arm per event, each short")]
    fn public(&mut self, record: &Record, event: &PublicEvent) {
        let at = record.at;
        match event {
            PublicEvent::SeatReady { .. }
            | PublicEvent::BoardDrawn { .. }
            | PublicEvent::OrderDrawn { .. } => {
                assert!(!self.is_started);
            }
            PublicEvent::TurnStarted {
                turn_no,
                seat,
                clocks,
            } => {
                assert_eq!(
                    turn_no.0,
                    self.last_turn + 1,
                    "turns are numbered: {record:?}"
                );
                assert!(!self.retired.contains(seat));
                self.clocks.read(at, clocks, Some(*seat));
                self.is_started = true;
                self.last_turn = turn_no.0;
                self.turn = Some((turn_no.0, *seat));
                self.turn_began = at.0;
            }
            PublicEvent::PlayMade(play) => self.play(record, play),
            PublicEvent::Passed { turn_no, seat } => {
                self.turn_over(*seat, turn_no.0);
                self.clocks.turn_ended(*seat);
            }
            PublicEvent::TurnLost { turn_no, seat } => match self.turn {
                Some((number, on_turn)) if on_turn == *seat => {
                    assert_eq!(number, turn_no.0);
                    self.turn = None;
                }
                _ => {
                    assert_eq!(turn_no.0, self.last_turn + 1);
                    self.last_turn = turn_no.0;
                }
            },
            PublicEvent::Accepted { play_id, .. } => self.about(play_id.0),
            PublicEvent::HoldStarted {
                play_id,
                seat,
                until,
                clocks,
            } => {
                self.about(play_id.0);
                let on_turn = self.turn.map(|(_, seat)| seat);
                self.clocks
                    .read(at, clocks, (on_turn != Some(*seat)).then_some(*seat));
                self.open().hold = Some(until.0);
            }
            PublicEvent::HoldEnded {
                play_id,
                reason,
                clocks,
                ..
            } => {
                self.about(play_id.0);
                let until = self.open().hold.take().expect("a hold was on");
                self.let_go_at = Some(at.0);
                // A holder whose flag falls lets go first.
                self.holder_flag = self
                    .clocks
                    .flag_at()
                    .filter(|_| *reason == HoldEnd::Retired);
                if *reason == HoldEnd::Limit {
                    assert_eq!(
                        at.0,
                        until.max(self.last_at),
                        "a hold ends in time: {record:?}"
                    );
                }
                self.clocks.read(at, clocks, None);
            }
            PublicEvent::ChallengeOpened {
                play_id,
                decide_by,
                clocks,
                ..
            } => {
                self.about(play_id.0);
                self.clocks.read(at, clocks, None);
                self.open().dispute = Some(decide_by.0);
            }
            PublicEvent::ChallengeDecided(decided) => self.verdict(record, decided),
            PublicEvent::WindowClosed { play_id, reason } => {
                self.about(play_id.0);
                let window = self.window.take().expect("just looked at");
                if *reason == WindowClose::Timer {
                    let closes_at = window.closes_at.expect("it had an end");
                    assert_eq!(
                        at.0,
                        closes_at.max(self.last_at),
                        "a window closes in time: {record:?}"
                    );
                }
            }
            PublicEvent::ClockCredited {
                stopped_at,
                resumed_at,
                clocks,
            } => {
                self.clocks.read(*stopped_at, clocks, None);
                self.credit(resumed_at.0 - stopped_at.0);
            }
            PublicEvent::SeatVanished { .. } | PublicEvent::SeatReturned { .. } => {}
            PublicEvent::SeatRetired { seat, reason } => self.retired(record, *seat, *reason),
            PublicEvent::Ended(ended) => {
                self.clocks.read(at, &ended.clocks, None);
                self.end(record, ended);
            }
        }
    }

    fn open(&mut self) -> &mut Window {
        self.window.as_mut().expect("a play can be challenged")
    }

    /// The event is about the play that can be challenged.
    fn about(&self, play_id: u64) {
        let open = self.facts.last().and_then(|facts| facts.window);
        assert_eq!(open, Some(play_id));
    }

    fn turn_over(&mut self, seat: Seat, turn_no: u32) {
        assert_eq!(
            self.turn,
            Some((turn_no, seat)),
            "only the seat on turn ends its turn"
        );
        assert!(
            self.window.is_none(),
            "the window of the play before is closed"
        );
        self.turn = None;
    }

    fn play(&mut self, record: &Record, play: &PlayMade) {
        self.turn_over(play.seat, play.turn_no.0);
        self.clocks.turn_ended(play.seat);
        let step = |at: usize| {
            let at = u8::try_from(at).expect("on the board");
            match play.direction {
                Direction::Across => Square::new(play.start.row, play.start.col + at),
                Direction::Down => Square::new(play.start.row + at, play.start.col),
            }
        };
        let cells = play.tiles.iter().enumerate();
        let laid: Vec<(Square, Placed)> = cells
            .filter_map(|(at, placed)| Some((step(at), (*placed)?)))
            .collect();
        let tiles: Vec<Tile> = laid.iter().map(|(_, placed)| placed.tile).collect();
        self.take(play.seat, &tiles);
        for (square, placed) in &laid {
            assert!(
                self.board.insert(*square, *placed).is_none(),
                "on a free square: {record:?}"
            );
        }
        self.scores[play.seat.index()] += play.score;
        assert_eq!(self.scores[play.seat.index()], play.total);
        if let Some(window) = &play.window {
            let options = &self.created.options;
            let closes = window.closes_at.map(|closes| closes.0 - record.at.0);
            let long = match (&window.final_clocks, options.clock.is_correspondence()) {
                (None, _) => options.challenge.window_ms,
                (Some(_), false) => Some(options.timing.final_ms),
                (Some(_), true) => closes,
            };
            assert_eq!(closes, long, "a window is as long as was agreed");
            if let Some(clocks) = &window.final_clocks {
                self.clocks.read(record.at, clocks, None);
            }
            self.window = Some(Window {
                closes_at: window.closes_at.map(|at| at.0),
                play: play.clone(),
                laid,
                hold: None,
                dispute: None,
            });
        }
    }

    fn take(&mut self, seat: Seat, tiles: &[Tile]) {
        let rack = &mut self.racks[seat.index()];
        for tile in tiles {
            let at = rack
                .iter()
                .position(|own| own == tile)
                .expect("from the own rack");
            rack.remove(at);
        }
    }

    fn note(&mut self) {
        let seq = u64::try_from(self.facts.len()).expect("few") + 1;
        let former = self.facts.last().and_then(|facts| facts.window);
        let is_new = former.is_none() && self.window.is_some();
        let mut owed = vec![0; self.racks.len()];
        if let Some(window) = &self.window {
            owed[window.play.seat.index()] = usize::from(window.play.owed);
        }
        self.facts.push(Facts {
            scores: self.scores.clone(),
            racks: self.racks.iter().map(|rack| sorted(rack)).collect(),
            bag: self.bag.len() - owed.iter().sum::<usize>(),
            owed,
            turn: self.turn.map(|(number, seat)| (number, seat.0)),
            squares: self.board.len(),
            window: if is_new {
                Some(seq)
            } else {
                former.filter(|_| self.window.is_some())
            },
            is_over: self.ended.is_some(),
        });
    }

    /// The next moment at which something has to happen by itself.
    pub(super) fn next_deadline(&self) -> Option<i64> {
        if self.ended.is_some() {
            return None;
        }
        if !self.is_started {
            return Some(self.ready_by);
        }
        let window = self.window.as_ref();
        let of_window =
            window.and_then(|window| window.dispute.or(window.hold).or(window.closes_at));
        let of_turn = match self.clocks.flag_at() {
            Some((_, at)) => Some(at),
            None => self
                .turn
                .map(|_| self.turn_began + self.created.options.timing.abandon_ms),
        };
        [of_window, of_turn].into_iter().flatten().min()
    }
}

fn sorted(tiles: &[Tile]) -> Vec<Tile> {
    let mut tiles = tiles.to_vec();
    tiles.sort_unstable();
    tiles
}

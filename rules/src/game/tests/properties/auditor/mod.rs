//! Recomputes a finished game from its log with nothing but addition.
//!
//! Shares no code with the machine or the fold; where a rule needs the lexicon it asks the same
//! word list the walk plays with.

mod ending;

use super::walk::is_word;
use crate::alphabet::{Placed, Tile, TileSet};
use crate::board::{Direction, Square};
use crate::clock::{ClockKind, Clocks};
use crate::event::{ChallengeDecided, Event, PlayMade, PublicEvent, Record, Verdict};
use crate::options::{ChallengeKind, GameOptions, PointsPer};
use crate::ruleset::{Level, RuleSet};
use crate::time::{Seat, Seq, Timestamp};
use std::collections::BTreeMap;

/// The auditor's state of the game so far.
struct Auditor<'a> {
    options: &'a GameOptions,
    rules: &'a RuleSet,
    set: &'a TileSet,
    levels: Vec<Option<Level>>,
    scores: Vec<i32>,
    racks: Vec<Vec<Tile>>,
    bag: Vec<Tile>,
    laid_aside: Vec<Tile>,
    board: BTreeMap<Square, Placed>,
    last_play: Option<(Seq, PlayMade)>,
    /// Scoreless turns in a row, now and before the last play.
    scoreless: (u32, u32),
    /// Every completed turn: what it was, and what it brought in the end.
    turns: Vec<TurnLine>,
    retired: Vec<Seat>,
    clocks: Option<Clocks>,
}

/// A completed turn as the auditor notes it down.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TurnLine {
    Pass,
    Play(i32),
    Other,
}

/// Main time each seat has left at `at`, the running clock's use taken off.
fn left_at(clocks: &Clocks, at: Timestamp) -> Vec<i64> {
    let mut left = clocks.main_ms.clone();
    if let Some(running) = clocks.running {
        left[running.seat.index()] -= at.since(running.since);
    }
    left
}

/// Checks every figure of a whole log.
pub(super) fn audit(options: &GameOptions, rules: &RuleSet, log: &[Record]) {
    let seats = usize::from(options.seats);
    let mut auditor = Auditor {
        options,
        rules,
        set: &rules.tiles,
        levels: Vec::new(),
        scores: vec![0; seats],
        racks: vec![Vec::new(); seats],
        bag: rules.tiles.all(),
        laid_aside: Vec::new(),
        board: BTreeMap::new(),
        last_play: None,
        scoreless: (0, 0),
        turns: Vec::new(),
        retired: Vec::new(),
        clocks: None,
    };
    for (record, number) in log.iter().zip(1..) {
        assert_eq!(record.seq, Seq(number), "numbers without gaps");
        auditor.book(record);
    }
    assert!(matches!(
        log.last().map(|r| &r.event),
        Some(Event::Public(PublicEvent::Ended(_)))
    ));
}

impl Auditor<'_> {
    fn book(&mut self, record: &Record) {
        match &record.event {
            Event::Created(created) => {
                self.levels = created.players.iter().map(|player| player.level).collect();
            }
            Event::BagShuffled { order, .. } => {
                let mut before = std::mem::take(&mut self.bag);
                before.append(&mut self.laid_aside);
                before.sort_unstable();
                let mut after = order.clone();
                after.sort_unstable();
                assert_eq!(before, after, "mixing neither adds nor takes");
                self.bag.clone_from(order);
            }
            Event::TilesDrawn { seat, tiles, bag } => {
                let drawn: Vec<Tile> = self.bag.drain(..tiles.len()).collect();
                assert_eq!(&drawn, tiles, "drawn from the front");
                assert_eq!(usize::from(*bag), self.bag.len());
                self.racks[seat.index()].extend(drawn);
                assert!(self.racks[seat.index()].len() <= usize::from(self.rules.rack_size));
            }
            Event::Exchanged { seat, tiles, .. } => {
                assert!(self.bag.len() >= usize::from(self.rules.exchange_min_bag));
                assert!(self.bag.len() >= tiles.len(), "no more than the bag holds");
                self.turns.push(TurnLine::Other);
                self.take_from_rack(*seat, tiles);
                self.laid_aside.extend(tiles);
                self.scoreless.0 += 1;
            }
            Event::Public(event) => self.book_public(record.seq, record.at, event),
        }
    }

    fn book_public(&mut self, seq: Seq, at: Timestamp, event: &PublicEvent) {
        match event {
            PublicEvent::PlayMade(play) => {
                self.play(seq, play);
                if let Some(clocks) = play.window.as_ref().and_then(|w| w.final_clocks.as_ref()) {
                    self.clock(at, clocks);
                }
            }
            PublicEvent::Passed { .. } => {
                self.scoreless.0 += 1;
                self.turns.push(TurnLine::Pass);
            }
            PublicEvent::TurnLost { .. } => {
                self.scoreless.0 += 1;
                self.turns.push(TurnLine::Other);
            }
            PublicEvent::BoardDrawn { layout } => self.board_drawn(layout),
            PublicEvent::ChallengeDecided(decided) => {
                self.verdict(decided);
                if let Some(clocks) = &decided.clocks {
                    self.clock(at, clocks);
                }
            }
            PublicEvent::SeatRetired { seat, .. } => self.retired.push(*seat),
            PublicEvent::Ended(ended) => self.end(ended),
            PublicEvent::TurnStarted { clocks, .. }
            | PublicEvent::HoldStarted { clocks, .. }
            | PublicEvent::HoldEnded { clocks, .. }
            | PublicEvent::ChallengeOpened { clocks, .. } => self.clock(at, clocks),
            PublicEvent::ClockCredited {
                stopped_at,
                resumed_at,
                clocks,
            } => self.credit(*stopped_at, *resumed_at, clocks),
            PublicEvent::SeatReady { .. }
            | PublicEvent::OrderDrawn { .. }
            | PublicEvent::Accepted { .. }
            | PublicEvent::WindowClosed { .. }
            | PublicEvent::SeatVanished { .. }
            | PublicEvent::SeatReturned { .. } => {}
        }
    }

    fn play(&mut self, seq: Seq, play: &PlayMade) {
        let mut square = play.start;
        let mut used = Vec::new();
        for laid in &play.tiles {
            match laid {
                Some(placed) => {
                    assert!(
                        self.board.insert(square, *placed).is_none(),
                        "on a free square"
                    );
                    used.push(placed.tile);
                }
                None => assert!(self.board.contains_key(&square), "through a tile"),
            }
            match play.direction {
                Direction::Across => square.col += 1,
                Direction::Down => square.row += 1,
            }
        }
        self.take_from_rack(play.seat, &used);
        let words: i32 = play.words.iter().map(|word| word.score).sum();
        assert_eq!(play.score, words + play.bonus);
        let bonus = self
            .rules
            .bingo
            .iter()
            .find(|bingo| usize::from(bingo.tiles) == used.len());
        assert_eq!(play.bonus, bonus.map_or(0, |bingo| bingo.bonus));
        self.turns.push(TurnLine::Play(play.score));
        self.scores[play.seat.index()] += play.score;
        assert_eq!(self.scores[play.seat.index()], play.total);
        if self.options.challenge.kind == ChallengeKind::Void {
            assert!(play.words.iter().all(|word| is_word(&word.letters)));
        }
        self.scoreless = (0, self.scoreless.0);
        self.last_play = Some((seq, play.clone()));
    }

    fn verdict(&mut self, decided: &ChallengeDecided) {
        let (seq, play) = self.last_play.clone().expect("a play was made");
        assert_eq!(seq, decided.play_id);
        assert_ne!(
            decided.seat, play.seat,
            "a player cannot challenge their own play"
        );
        let bad = play
            .words
            .iter()
            .filter(|word| !is_word(&word.letters))
            .count();
        match decided.verdict {
            Verdict::Off => assert_eq!(decided.bad_words.len(), bad),
            Verdict::Withdrawn => assert!(decided.bad_words.is_empty()),
            Verdict::Stands | Verdict::StandsTurnLost => {
                assert_eq!(bad, 0);
                assert!(decided.bad_words.is_empty());
                self.check_cost(decided, &play);
            }
        }
        if decided.verdict.is_off() {
            assert!(
                decided.points.is_empty(),
                "points are for failed challenges"
            );
            self.scores[play.seat.index()] -= play.score;
            self.take_back(&play);
            self.scoreless.0 += self.scoreless.1 + 1;
            let at = self
                .turns
                .iter()
                .rposition(|turn| matches!(turn, TurnLine::Play(_)));
            self.turns[at.expect("the play was noted")] = TurnLine::Other;
        }
        for (seat, points) in &decided.points {
            self.scores[seat.index()] += points;
        }
        assert_eq!(self.scores, decided.totals);
    }

    fn check_cost(&self, decided: &ChallengeDecided, play: &PlayMade) {
        let each = match self.options.challenge.kind {
            ChallengeKind::FivePoint => 5,
            ChallengeKind::TenPoint => 10,
            _ => 0,
        };
        let times = match self.options.challenge.points_per {
            PointsPer::Play => 1,
            PointsPer::Word => i32::try_from(play.words.len()).expect("few words"),
        };
        let expected = match (each * times, self.options.seats) {
            (0, _) => vec![],
            (points, 2) => vec![(play.seat, points)],
            (points, _) => vec![(decided.seat, -points)],
        };
        assert_eq!(decided.points, expected);
        assert_eq!(
            decided.verdict == Verdict::StandsTurnLost,
            self.options.challenge.kind == ChallengeKind::Double && !self.is_final(play),
            "only a double challenge costs a turn, and only while turns are left"
        );
    }

    /// Whether no seat comes on turn after this play, if it stands.
    fn is_final(&self, play: &PlayMade) -> bool {
        self.is_out(play) || self.target(play.seat).is_some_and(|t| play.total >= t)
    }

    fn is_out(&self, play: &PlayMade) -> bool {
        self.bag.is_empty() && self.racks[play.seat.index()].is_empty()
    }

    fn take_back(&mut self, play: &PlayMade) {
        let mut square = play.start;
        for laid in &play.tiles {
            if laid.is_some() {
                let placed = self.board.remove(&square).expect("it lies there");
                self.racks[play.seat.index()].push(placed.tile);
            }
            match play.direction {
                Direction::Across => square.col += 1,
                Direction::Down => square.row += 1,
            }
        }
    }

    fn take_from_rack(&mut self, seat: Seat, tiles: &[Tile]) {
        let rack = &mut self.racks[seat.index()];
        for tile in tiles {
            let at = rack
                .iter()
                .position(|own| own == tile)
                .expect("from the own rack");
            rack.remove(at);
        }
    }

    /// Between two readings of the clocks no seat loses or gains a millisecond except the seat whose
    /// clock ran. Two seats without gifts of time; other clocks have unit tests.
    fn clock(&mut self, at: Timestamp, now: &Clocks) {
        let plain = matches!(
            self.options.clock,
            ClockKind::SuddenDeath { .. } | ClockKind::Overtime { .. } | ClockKind::Untimed
        );
        if plain
            && self.options.seats == 2
            && let Some(before) = &self.clocks
        {
            assert_eq!(left_at(before, at), left_at(now, at), "at {at:?}");
        }
        self.clocks = Some(now.clone());
    }

    /// No clock is charged for an outage.
    fn credit(&mut self, stopped_at: Timestamp, resumed_at: Timestamp, now: &Clocks) {
        if let Some(before) = &self.clocks
            && matches!(
                self.options.clock,
                ClockKind::SuddenDeath { .. } | ClockKind::Overtime { .. }
            )
            && self.options.seats == 2
        {
            assert_eq!(left_at(before, stopped_at), left_at(now, resumed_at));
        }
        self.clocks = Some(now.clone());
    }

    /// The same premium squares as the rule set's, the start square as it was.
    fn board_drawn(&self, rows: &[String]) {
        let symbols = |rows: &[String]| {
            let mut symbols: Vec<char> = rows.iter().flat_map(|row| row.chars()).collect();
            symbols.sort_unstable();
            symbols
        };
        let usual = self.rules.layout.drawing();
        assert_eq!(symbols(rows), symbols(&usual));
        let start = self.rules.layout.start();
        let at_start = |rows: &[String]| {
            rows[usize::from(start.row)]
                .chars()
                .nth(usize::from(start.col))
        };
        assert_eq!(at_start(rows), at_start(&usual));
    }
}

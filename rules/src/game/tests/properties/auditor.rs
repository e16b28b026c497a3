//! Recomputes a finished game from its log with nothing but addition.
//!
//! Shares no code with the machine or the fold; where a rule needs the lexicon it asks the same
//! word list the walk plays with.

use super::walk::is_word;
use crate::alphabet::{Placed, Tile, TileSet};
use crate::board::{Direction, Square};
use crate::clock::{ClockKind, Clocks};
use crate::event::{
    ChallengeDecided, EndReason, Ended, Event, PlayMade, PublicEvent, Record, Verdict,
};
use crate::options::{ChallengeKind, GameOptions, PointsPer};
use crate::time::{Seat, Seq, Timestamp};
use std::collections::BTreeMap;

/// What the auditor knows of the game so far.
struct Auditor<'a> {
    options: &'a GameOptions,
    set: &'a TileSet,
    scores: Vec<i32>,
    racks: Vec<Vec<Tile>>,
    bag: Vec<Tile>,
    laid_aside: Vec<Tile>,
    board: BTreeMap<Square, Placed>,
    last_play: Option<(Seq, PlayMade)>,
    /// Scoreless turns in a row, now and before the last play.
    scoreless: (u32, u32),
    retired: Vec<Seat>,
    clocks: Option<Clocks>,
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
pub(super) fn audit(options: &GameOptions, set: &TileSet, log: &[Record]) {
    let seats = usize::from(options.seats);
    let mut auditor = Auditor {
        options,
        set,
        scores: vec![0; seats],
        racks: vec![Vec::new(); seats],
        bag: set.all(),
        laid_aside: Vec::new(),
        board: BTreeMap::new(),
        last_play: None,
        scoreless: (0, 0),
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
            Event::Created(_) => {}
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
                assert!(self.racks[seat.index()].len() <= 7);
            }
            Event::Exchanged { seat, tiles, .. } => {
                assert!(self.bag.len() >= 7, "seven in the bag for an exchange");
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
            PublicEvent::Passed { .. } | PublicEvent::TurnLost { .. } => self.scoreless.0 += 1,
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
        assert_eq!(play.bonus, if used.len() == 7 { 50 } else { 0 });
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
        assert_ne!(decided.seat, play.seat, "nobody challenges an own play");
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

    fn is_final(&self, play: &PlayMade) -> bool {
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

    /// Between two readings of the clocks nobody loses or gains a millisecond but the seat whose
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

    /// Nobody is charged for an outage.
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

    fn end(&mut self, ended: &Ended) {
        let values: Vec<i32> = self.racks.iter().map(|rack| self.set.sum(rack)).collect();
        for result in &ended.results {
            let seat = result.seat;
            let is_active = !self.retired.contains(&seat);
            let out = self.last_play.as_ref().map(|(_, play)| play.seat);
            let expected = match ended.reason {
                EndReason::OutPlay if is_active && out == Some(seat) => {
                    Seat::all(self.options.seats)
                        .filter(|other| *other != seat && !self.retired.contains(other))
                        .map(|other| values[other.index()])
                        .sum()
                }
                EndReason::OutPlay
                | EndReason::ScorelessTurns
                | EndReason::TurnCap
                | EndReason::Passes
                    if is_active =>
                {
                    -values[seat.index()]
                }
                _ => 0,
            };
            assert_eq!(result.score, self.scores[seat.index()]);
            assert_eq!(result.rack_points, expected, "{ended:?}");
            assert_eq!(
                result.final_score,
                result.score + result.rack_points - result.time_penalty
            );
            let mut rack = result.rack.clone();
            rack.sort_unstable();
            self.racks[seat.index()].sort_unstable();
            assert_eq!(rack, self.racks[seat.index()]);
        }
        self.check_reason(ended);
        self.check_winners(ended);
    }

    fn check_reason(&self, ended: &Ended) {
        let active =
            u32::from(self.options.seats) - u32::try_from(self.retired.len()).expect("few");
        match ended.reason {
            EndReason::OutPlay => {
                let (_, play) = self.last_play.as_ref().expect("a play ended it");
                assert!(self.is_final(play));
            }
            EndReason::ScorelessTurns => assert!(self.scoreless.0 >= 3 * active, "{ended:?}"),
            EndReason::Resignation | EndReason::Time | EndReason::Abandonment => {
                assert_eq!(active, 1)
            }
            _ => {}
        }
        if ended.reason != EndReason::ScorelessTurns {
            assert!(
                self.scoreless.0 <= 3 * active.max(2) + 3,
                "it would have ended before"
            );
        }
    }

    fn check_winners(&self, ended: &Ended) {
        let score = |seat: Seat| ended.results[seat.index()].final_score;
        match ended.reason {
            EndReason::Aborted | EndReason::Cancelled => assert!(ended.winners.is_empty()),
            EndReason::OutPlay | EndReason::ScorelessTurns => {
                let best = Seat::all(self.options.seats)
                    .filter(|seat| !self.retired.contains(seat))
                    .map(score)
                    .max();
                assert!(!ended.winners.is_empty());
                for winner in &ended.winners {
                    assert_eq!(Some(score(*winner)), best);
                }
            }
            _ => assert_eq!(ended.winners.len(), 1),
        }
    }
}

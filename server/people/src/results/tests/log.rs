//! Writes logs of games for tests: each turn has the points that a test wants. The fold of the rules checks tiles and seats,
//! not points.

use std::sync::Arc;

use tilewire_rules::alphabet::{Letter, Placed, Tile};
use tilewire_rules::board::{Direction, Square};
use tilewire_rules::clock::{Clocks, Running};
use tilewire_rules::event::{
    ChallengeDecided, CommandRef, Created, EndReason, Ended, Event, PlayMade, Player, PublicEvent,
    Record, Retirement, ScoredWord, SeatResult, Verdict, WindowOpened,
};
use tilewire_rules::lexicon::Lexicon;
use tilewire_rules::options::{ChallengeKind, GameOptions};
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::time::{Seat, Seq, Timestamp, TurnNo};

use crate::pools::PlayerKind;
use crate::results::{Facts, GameResult, ResultError, Stake};

/// When every test game is created.
pub(crate) const EPOCH: Timestamp = Timestamp(1_800_000_000_000);

/// The names of the players, in seat order; the identities are the same in lower case.
const NAMES: [&str; 4] = ["Anna", "Ben", "Cleo", "Dora"];

/// A lexicon in which a word is valid unless it contains a Z.
pub(crate) struct NoZ;

impl Lexicon for NoZ {
    fn name(&self) -> &'static str {
        "no-z"
    }
    fn hash(&self) -> &[u8; 32] {
        &[1; 32]
    }
    fn words(&self) -> u64 {
        0
    }
    fn contains(&self, word: &[Letter]) -> bool {
        word.iter().all(|letter| letter.number() != 26)
    }
}

/// The parts of a final score: score, points for unplayed tiles, overtime, rank.
pub(crate) type Final = (i32, i32, i32, u8);

/// A log in progress.
#[derive(Clone)]
pub(crate) struct Log {
    pub(crate) options: GameOptions,
    pub(crate) players: Vec<PlayerKind>,
    pub(crate) stake: Stake,
    pub(crate) is_private: bool,
    pub(crate) now: Timestamp,
    rules: Arc<RuleSet>,
    events: Vec<(Timestamp, Event)>,
    racks: Vec<Vec<Tile>>,
    clocks: Clocks,
    squares: u8,
    turn: u32,
    /// The last play, its author and the tile that it laid.
    last: Option<(Seq, Seat, Tile)>,
    /// The retirements that were claimed, and the seats that claimed.
    claims: Vec<(Seq, Seat)>,
}

impl Log {
    /// A game of the usual options of a rule set; every seat has its tiles.
    pub(crate) fn new(rule_set: &str, seats: u8) -> Self {
        let rules = RuleSet::builtin(rule_set).expect("built in");
        let mut options = GameOptions::usual(&rules, "wordnik");
        options.seats = seats;
        let mut bag = rules.tiles.all().into_iter();
        let mut log = Self {
            clocks: Clocks::new(options.clock, seats),
            players: vec![PlayerKind::Registered; usize::from(seats)],
            stake: Stake::Casual,
            is_private: false,
            racks: vec![Vec::new(); usize::from(seats)],
            now: EPOCH,
            rules,
            options,
            events: Vec::new(),
            squares: 0,
            turn: 0,
            last: None,
            claims: Vec::new(),
        };
        for seat in Seat::all(seats) {
            let tiles: Vec<Tile> = bag.by_ref().take(7).collect();
            log.racks[seat.index()].clone_from(&tiles);
            let bag = u16::try_from(bag.len()).expect("a bag");
            log.push(Event::TilesDrawn { seat, tiles, bag });
        }
        log
    }

    fn push(&mut self, event: Event) -> Seq {
        self.events.push((self.now, event));
        // The creation is number 1.
        Seq(u64::try_from(self.events.len()).expect("few events") + 1)
    }

    fn public(&mut self, event: PublicEvent) -> Seq {
        self.push(Event::Public(event))
    }

    /// Starts a turn of a seat that takes this number of seconds.
    pub(crate) fn turn(&mut self, seat: u8, seconds: i64) -> Seat {
        let seat = Seat(seat);
        self.turn += 1;
        self.clocks.running = Some(Running {
            seat,
            since: self.now,
        });
        let (turn_no, clocks) = (TurnNo(self.turn), self.clocks.clone());
        self.public(PublicEvent::TurnStarted {
            turn_no,
            seat,
            clocks,
        });
        self.now = self.now.plus(seconds * 1_000);
        seat
    }

    /// A play in ten seconds. A bonus above 0 makes it a bingo.
    pub(crate) fn play(&mut self, seat: u8, word: &str, score: i32, bonus: i32) {
        let seat = self.turn(seat, 10);
        let tile = self.racks[seat.index()].remove(0);
        let letter = tile.letter().expect("the first tiles are no blanks");
        let letters = word.to_uppercase();
        let letters = letters
            .bytes()
            .filter_map(|b| Letter::from_number(b - b'A' + 1))
            .collect();
        let start = Square::new(self.squares / 15, self.squares % 15);
        self.squares += 1;
        let is_open = self.options.challenge.kind != ChallengeKind::Void;
        let window = is_open.then(|| WindowOpened {
            closes_at: None,
            eligible: Seat::all(self.options.seats)
                .filter(|other| *other != seat)
                .collect(),
            final_clocks: None,
        });
        let id = self.public(PublicEvent::PlayMade(PlayMade {
            turn_no: TurnNo(self.turn),
            seat,
            start,
            direction: Direction::Across,
            tiles: vec![Some(Placed::new(letter))],
            words: vec![ScoredWord {
                word: word.to_owned(),
                letters,
                score: score - bonus,
            }],
            bonus,
            score,
            total: 0,
            owed: 0,
            window,
        }));
        self.last = Some((id, seat, tile));
    }

    /// A challenge of the last play.
    pub(crate) fn challenge(&mut self, by: u8, verdict: Verdict) {
        let (play_id, author, tile) = self.last.expect("a play");
        if verdict.is_off() {
            self.racks[author.index()].push(tile);
        }
        self.public(PublicEvent::ChallengeDecided(ChallengeDecided {
            play_id,
            seat: Seat(by),
            verdict,
            bad_words: Vec::new(),
            points: Vec::new(),
            totals: vec![0; self.racks.len()],
            clocks: None,
        }));
    }

    pub(crate) fn pass(&mut self, seat: u8) {
        let seat = self.turn(seat, 10);
        let turn_no = TurnNo(self.turn);
        self.public(PublicEvent::Passed { turn_no, seat });
    }

    pub(crate) fn exchange(&mut self, seat: u8) {
        let seat = self.turn(seat, 10);
        let tiles = vec![self.racks[seat.index()].remove(0)];
        let turn_no = TurnNo(self.turn);
        self.push(Event::Exchanged {
            turn_no,
            seat,
            tiles,
        });
    }

    pub(crate) fn lose_turn(&mut self, seat: u8) {
        self.turn += 1;
        let (turn_no, seat) = (TurnNo(self.turn), Seat(seat));
        self.public(PublicEvent::TurnLost { turn_no, seat });
    }

    pub(crate) fn ready(&mut self, seat: u8) {
        let (seat, nonce) = (Seat(seat), Vec::new());
        self.public(PublicEvent::SeatReady { seat, nonce });
    }

    /// A player loses the last connection.
    pub(crate) fn vanish(&mut self, seat: u8) {
        let (seat, claim_at) = (Seat(seat), self.now.plus(60_000));
        self.public(PublicEvent::SeatVanished { seat, claim_at });
    }

    pub(crate) fn retire(&mut self, seat: u8, reason: Retirement) {
        let seat = Seat(seat);
        self.public(PublicEvent::SeatRetired { seat, reason });
    }

    /// A seat is on turn, does not answer a nudge of another seat, and is claimed by it.
    pub(crate) fn claim_silent(&mut self, target: u8, seat: u8) {
        let (target, seat) = (self.turn(target, 200), Seat(seat));
        let claim_at = Some(self.now.plus(120_000));
        self.public(PublicEvent::Nudged {
            seat,
            target,
            claim_at,
        });
        self.now = self.now.plus(120_000);
        let reason = Retirement::Abandoned;
        let claimed = self.public(PublicEvent::SeatRetired {
            seat: target,
            reason,
        });
        self.claims.push((claimed, seat));
    }

    /// The game is adjourned in the turn of a seat.
    pub(crate) fn adjourn(&mut self, seat: u8) {
        self.turn(seat, 200);
        self.clocks.running = None;
        self.public(PublicEvent::Adjourned {
            until: self.now.plus(1_000),
            claim_until: self.now.plus(2_000),
            vanished: None,
            clocks: self.clocks.clone(),
        });
        self.now = self.now.plus(1_000);
    }

    /// A seat leaves the adjourned game by the claim of another one.
    pub(crate) fn claim_missing(&mut self, target: u8, seat: u8) {
        self.public(PublicEvent::ReadyToResume { seat: Seat(seat) });
        self.retire(target, Retirement::Abandoned);
    }

    /// A credited outage of this number of seconds.
    pub(crate) fn outage(&mut self, seconds: i64) {
        let stopped_at = self.now;
        self.now = self.now.plus(seconds * 1_000);
        if let Some(running) = &mut self.clocks.running {
            running.since = self.now;
        }
        let (resumed_at, clocks) = (self.now, self.clocks.clone());
        self.public(PublicEvent::ClockCredited {
            stopped_at,
            resumed_at,
            clocks,
        });
    }

    /// The end of the game; returns its records.
    pub(crate) fn end(&mut self, reason: EndReason, finals: &[Final]) -> Vec<Record> {
        self.clocks.running = None;
        let results = finals
            .iter()
            .zip(Seat::all(4))
            .map(|((score, racks, time, rank), seat)| SeatResult {
                seat,
                score: *score,
                rack_points: *racks,
                time_penalty: *time,
                final_score: score + racks - time,
                rank: *rank,
                rack: Vec::new(),
            });
        let results: Vec<SeatResult> = results.collect();
        let winners = results
            .iter()
            .filter(|result| result.rank == 1)
            .map(|result| result.seat);
        let ended = Ended {
            reason,
            winners: winners.collect(),
            results,
            adjudication: None,
            aborter: (reason == EndReason::Aborted).then_some(Seat(0)),
            secret: [0; 32],
            clocks: self.clocks.clone(),
        };
        self.public(PublicEvent::Ended(ended));
        self.records()
    }

    /// The command of a retirement that was claimed.
    fn claim_of(&self, seq: Seq) -> Option<CommandRef> {
        let (_, seat) = self.claims.iter().find(|(claimed, _)| *claimed == seq)?;
        Some(CommandRef {
            seat: *seat,
            cmd_id: "claim".to_owned(),
            digest: 0,
        })
    }

    /// The records so far.
    pub(crate) fn records(&self) -> Vec<Record> {
        let players = NAMES.iter().take(self.racks.len()).map(|name| Player {
            identity: name.to_lowercase(),
            name: (*name).to_owned(),
            nonce_hash: None,
            level: None,
            kind: None,
            rating: None,
        });
        let created = Event::Created(Created {
            game: "game-1".to_owned(),
            options: self.options.clone(),
            players: players.collect(),
            lexicon_hash: [1; 32],
            commitment: [0; 32],
            secret: [0; 32],
            series: None,
        });
        let events = std::iter::once((EPOCH, created)).chain(self.events.iter().cloned());
        events
            .zip(1..)
            .map(|((at, event), seq)| Record {
                seq: Seq(seq),
                at,
                event,
                command: self.claim_of(Seq(seq)),
            })
            .collect()
    }

    /// The result of records of this game.
    pub(crate) fn try_result(&self, records: &[Record]) -> Result<GameResult, ResultError> {
        let facts = Facts {
            players: &self.players,
            stake: self.stake,
            series: None,
            is_private: self.is_private,
            lexicon: Some(&NoZ),
        };
        GameResult::from_log(&self.rules, records, &facts)
    }

    /// The result of the game if it ends so.
    #[track_caller]
    pub(crate) fn result(&mut self, reason: EndReason, finals: &[Final]) -> GameResult {
        let records = self.end(reason, finals);
        self.try_result(&records).expect("a game")
    }
}

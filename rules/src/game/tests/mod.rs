//! Whole games on the machine, move by move.
//!
//! [`Table`] is the harness: it deals the tiles that a test wants, reads the usual notation, and
//! checks every invariant after each input.

mod aborting;
mod adjourning;
mod adjudicating;
mod challenges;
mod clocks;
mod endings;
mod gifts;
mod hints;
mod kinds;
mod nudging;
mod pausing;
mod retiring;
mod rule_sets;
mod search_end;
mod setup;
mod turns;
mod vacation;
mod waiting;
mod windows;

use super::{Action, Answer, Command, Context, Game, Input, Shuffler};
use crate::alphabet::{Letter, LetterSpec, Tile, TileSet};
use crate::event::{Created, Ended, Event, HintGrade, Player, PlayerKind, PublicEvent, Record};
use crate::lexicon::Lexicon;
use crate::notation;
use crate::options::{ChallengeKind, FirstPlay, GameOptions};
use crate::record::{Finding, Severity, check_native};
use crate::rejection::Rejection;
use crate::ruleset::{Level, RuleSet};
use crate::state::{State, TurnKind};
use crate::stream::commitment;
use crate::tiles::{sort_for_mixing, without};
use crate::time::{Seat, Seq, Timestamp, TurnNo};
use kinds::kind;
use std::collections::BTreeSet;
use std::sync::Arc;

pub(super) const A: Seat = Seat(0);
pub(super) const B: Seat = Seat(1);
pub(super) const C: Seat = Seat(2);
pub(super) const D: Seat = Seat(3);

/// All moments of a test count from here.
pub(super) const EPOCH: i64 = 1_800_000_000_000;

/// A lexicon in which every word is valid except the named ones.
pub(super) struct AllBut {
    phonies: BTreeSet<Vec<Letter>>,
}

impl Lexicon for AllBut {
    fn name(&self) -> &'static str {
        "all-but"
    }
    fn hash(&self) -> &[u8; 32] {
        &[7; 32]
    }
    fn words(&self) -> u64 {
        0
    }
    fn contains(&self, word: &[Letter]) -> bool {
        !self.phonies.contains(word)
    }
}

/// Deals the tiles of `bag` first, in order; draws for first play as `order` says.
struct Scripted {
    bag: Vec<Tile>,
    order: Vec<Vec<Tile>>,
}

impl Shuffler for Scripted {
    fn shuffle(&self, label: &str, tiles: &mut [Tile]) {
        let first = match label.split_once('/') {
            None => self.bag.clone(),
            Some(("order", round)) => {
                let round: usize = round.parse().expect("labels are numbered");
                self.order[round - 1].clone()
            }
            Some(_) => Vec::new(),
        };
        let rest = without(tiles, &first).expect("the script deals tiles that exist");
        tiles[..first.len()].copy_from_slice(&first);
        tiles[first.len()..].copy_from_slice(&rest);
    }
}

/// The setup of a test.
pub(super) struct Setup {
    rules: RuleSet,
    levels: &'static [Level],
    pub(super) options: GameOptions,
    pub(super) racks: &'static [&'static str],
    pub(super) bag: &'static str,
    /// Whether there are no other tiles than those.
    pub(super) no_more: bool,
    pub(super) phonies: &'static [&'static str],
    pub(super) order: &'static [&'static str],
    /// The seats of bots of the server.
    pub(super) bots: &'static [Seat],
}

impl Setup {
    /// Classic with a double challenge; `racks` are dealt, seat 0 starts.
    pub(super) fn new(racks: &'static [&'static str]) -> Self {
        let mut options = GameOptions::classic("all-but");
        options.seats = u8::try_from(racks.len()).unwrap();
        options.first = FirstPlay::Seat(A);
        Self {
            rules: RuleSet::clone(&RuleSet::classic()),
            levels: &[],
            options,
            racks,
            bag: "",
            no_more: false,
            phonies: &[],
            order: &[],
            bots: &[],
        }
    }

    /// The usual game of another rule set; seat 0 starts.
    pub(super) fn by(mut self, rule_set: &str) -> Self {
        let rules = RuleSet::builtin(rule_set).expect("a built-in rule set");
        let seats = self.options.seats;
        self.options = GameOptions {
            seats,
            first: FirstPlay::Seat(A),
            ..GameOptions::usual(&rules, "all-but")
        };
        self.rules = RuleSet::clone(&rules);
        self
    }

    /// The levels the players name.
    pub(super) fn levels(mut self, levels: &'static [Level]) -> Self {
        self.levels = levels;
        self
    }

    pub(super) fn challenge(mut self, kind: ChallengeKind) -> Self {
        self.options.challenge.kind = kind;
        self
    }

    pub(super) fn phonies(mut self, phonies: &'static [&'static str]) -> Self {
        self.phonies = phonies;
        self
    }

    /// The bag holds just `bag` after the deal, in drawing order. Racks are as long as the first;
    /// blanks, which are worth nothing, fill the others up.
    pub(super) fn only(mut self, bag: &'static str) -> Self {
        self.bag = bag;
        self.no_more = true;
        self
    }

    /// Bots of the server sit on these seats.
    pub(super) fn bots(mut self, bots: &'static [Seat]) -> Self {
        self.bots = bots;
        self
    }

    pub(super) fn with(mut self, change: impl FnOnce(&mut GameOptions)) -> Self {
        change(&mut self.options);
        self
    }

    /// A table at which no player is ready.
    pub(super) fn seated(self) -> Table {
        Table::new(self)
    }

    /// A table whose game has begun.
    pub(super) fn start(self) -> Table {
        let mut table = self.seated();
        for seat in Seat::all(table.state().options().seats) {
            table.ok(seat, "ready");
        }
        table
    }
}

/// A game under test.
pub(super) struct Table {
    pub(super) game: Game,
    pub(super) now: Timestamp,
    pub(super) log: Vec<Record>,
    /// Events of the last input.
    pub(super) last: Vec<Event>,
    /// Lag given back with the next commands, ms.
    pub(super) lag_ms: i64,
    rules: Arc<RuleSet>,
    lexicon: AllBut,
    script: Scripted,
    commands: u32,
}

impl Table {
    fn new(setup: Setup) -> Self {
        let mut rules = setup.rules;
        let mut dealt = Vec::new();
        for rack in setup.racks {
            dealt.extend(notation::parse_rack(rack, &rules.tiles).unwrap());
        }
        if !setup.bag.is_empty() {
            dealt.extend(notation::parse_rack(setup.bag, &rules.tiles).unwrap());
        }
        if setup.no_more {
            rules.tiles = only_these(&rules.tiles, &dealt);
            rules.rack_size = u8::try_from(setup.racks[0].len()).unwrap();
        }
        let order = setup
            .order
            .iter()
            .map(|round| notation::parse_rack(round, &rules.tiles).unwrap())
            .collect();
        let phonies = setup
            .phonies
            .iter()
            .map(|word| letters(&rules.tiles, word))
            .collect();
        let rules = Arc::new(rules);
        let secret = [9; 32];
        let players = Seat::all(setup.options.seats)
            .map(|seat| Player {
                identity: format!("id-{}", seat.0),
                name: format!("Player {}", seat.0),
                nonce_hash: None,
                level: setup.levels.get(seat.index()).copied(),
                kind: setup.bots.contains(&seat).then_some(PlayerKind::HouseBot),
                rating: None,
            })
            .collect();
        let created = Created {
            game: "test".to_owned(),
            options: setup.options,
            players,
            lexicon_hash: [7; 32],
            commitment: commitment(&secret),
            secret,
            series: None,
        };
        let now = Timestamp(EPOCH);
        let (game, record) = Game::create(rules.clone(), now, created).unwrap();
        Self {
            game,
            now,
            log: vec![record],
            last: Vec::new(),
            lag_ms: 0,
            rules,
            lexicon: AllBut { phonies },
            script: Scripted { bag: dealt, order },
            commands: 0,
        }
    }

    pub(super) fn state(&self) -> &State {
        self.game.state()
    }

    pub(super) fn score(&self, seat: Seat) -> i32 {
        self.state().seats()[seat.index()].score
    }

    pub(super) fn rack(&self, seat: Seat) -> String {
        let mut rack = self.state().tiles().rack(seat).to_vec();
        sort_for_mixing(&mut rack);
        notation::format_rack(&rack, &self.rules.tiles)
    }

    pub(super) fn on_turn(&self) -> Seat {
        self.state().turn().expect("a seat is on turn").seat
    }

    pub(super) fn outcome(&self) -> &Ended {
        self.state().outcome().expect("the game is over")
    }

    pub(super) fn finals(&self) -> Vec<i32> {
        let results = &self.outcome().results;
        results.iter().map(|result| result.final_score).collect()
    }

    /// The id of the last play.
    pub(super) fn last_play(&self) -> Seq {
        let plays = self.state().history().iter().rev();
        plays
            .filter_map(|turn| match &turn.kind {
                TurnKind::Play { play_id, .. } => Some(*play_id),
                _ => None,
            })
            .next()
            .expect("a play was made")
    }

    /// Hands in an input and checks everything that must hold after any input.
    pub(super) fn input(&mut self, input: Input) -> Vec<Answer> {
        let before = self.game.clone();
        let ctx = Context {
            lexicon: &self.lexicon,
            shuffler: Some(&self.script),
        };
        let transition = self.game.handle(&ctx, self.now, input);
        assert_eq!(
            self.game, before,
            "handling must not change the game itself"
        );
        if transition.records.is_empty() {
            assert_eq!(
                transition.next.state(),
                before.state(),
                "no events, no change"
            );
        }
        self.log.extend(transition.records.iter().cloned());
        let replayed = State::replay(self.rules.clone(), &self.log).expect("the log replays");
        assert_eq!(&replayed, transition.next.state(), "state == fold(events)");
        let report = check_native(&self.rules, &self.log, Some(&self.lexicon));
        let errors = report.findings.iter().filter(|finding| {
            // The script of a test deals its own bag, so the secret does not explain it.
            finding.severity == Severity::Error && !self.is_about_bag(finding.line)
        });
        assert_eq!(
            errors.collect::<Vec<_>>(),
            Vec::<&Finding>::new(),
            "the log is exact"
        );
        let over = transition.next.state().outcome().is_some();
        assert_eq!(
            over,
            transition.next.next_deadline().is_none(),
            "a game that is not over has a deadline"
        );
        self.last = transition.records.iter().map(|r| r.event.clone()).collect();
        self.game = transition.next;
        transition.answers
    }

    /// Whether a line of the record is a shuffle or a draw.
    fn is_about_bag(&self, line: usize) -> bool {
        let event = line.checked_sub(2).and_then(|at| self.log.get(at));
        matches!(
            event.map(|record| kind(&record.event)),
            Some("shuffled" | "drawn" | "order" | "board")
        )
    }

    /// Sends `text` as a command with an id of its own; `None` while it waits.
    pub(super) fn send(&mut self, seat: Seat, text: &str) -> Option<Result<Seq, Rejection>> {
        self.commands += 1;
        let cmd_id = format!("c{}", self.commands);
        self.send_as(seat, &cmd_id, text)
    }

    /// Sends `text` as a command with the given id.
    pub(super) fn send_as(
        &mut self,
        seat: Seat,
        cmd_id: &str,
        text: &str,
    ) -> Option<Result<Seq, Rejection>> {
        let command = Command {
            seat,
            cmd_id: cmd_id.to_owned(),
            digest: text
                .bytes()
                .fold(7, |sum: u64, byte| sum.rotate_left(7) ^ u64::from(byte)),
            received_at: self.now,
            lag_ms: self.lag_ms,
            action: self.parse(text),
        };
        let answers = self.input(Input::Command(command));
        answers
            .into_iter()
            .filter(|answer| answer.seat == seat && answer.cmd_id == cmd_id)
            .map(|answer| answer.outcome)
            .next()
    }

    pub(super) fn ok(&mut self, seat: Seat, text: &str) -> Seq {
        let outcome = self.send(seat, text).expect("answered at once");
        outcome.unwrap_or_else(|rejection| panic!("{text}: {rejection}"))
    }

    pub(super) fn refused(&mut self, seat: Seat, text: &str) -> Rejection {
        let outcome = self.send(seat, text).expect("answered at once");
        outcome.expect_err(text)
    }

    /// Lets time pass; returns the answers that were due.
    pub(super) fn wait(&mut self, ms: i64) -> Vec<Answer> {
        self.now = self.now.plus(ms);
        self.input(Input::Tick)
    }

    fn parse(&self, text: &str) -> Action {
        let turn_no = self
            .state()
            .turn()
            .map_or(self.state().last_turn(), |t| t.no);
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        match word {
            "ready" => Action::Ready {
                nonce: rest.as_bytes().to_vec(),
            },
            "pass" => Action::Pass { turn_no },
            "exchange" => Action::Exchange {
                turn_no,
                tiles: notation::parse_rack(rest, &self.rules.tiles).unwrap(),
            },
            "challenge" => Action::Challenge(self.last_play()),
            "accept" => Action::Accept(self.last_play()),
            "hold" => Action::Hold(self.last_play()),
            "release" => Action::Release(self.last_play()),
            "withdraw" => Action::Withdraw(self.last_play()),
            "stand" => Action::Stand(self.last_play()),
            "resign" => Action::Resign,
            "abort" => Action::Abort,
            "agree" => Action::AnswerAbort { accept: true },
            "decline" => Action::AnswerAbort { accept: false },
            "nudge" => Action::Nudge,
            "here" => Action::Here,
            "adjourn" => Action::Adjourn,
            "adjourn-yes" => Action::AnswerAdjourn { agree: true },
            "adjourn-no" => Action::AnswerAdjourn { agree: false },
            "resume" => Action::ResumeGame,
            "give" => {
                let (target, time_ms) = rest.split_once(' ').unwrap_or((rest, ""));
                Action::GiveTime {
                    target: Seat(target.parse().unwrap()),
                    time_ms: time_ms.parse().ok(),
                }
            }
            "refuse" => Action::RefuseTime,
            "hint" => {
                let (grade, turn) = rest.split_once(' ').unwrap_or((rest, ""));
                Action::Hint {
                    turn_no: turn.parse().map_or(turn_no, TurnNo),
                    grade: HintGrade::try_from(grade.parse::<u8>().unwrap()).unwrap(),
                }
            }
            "claim" => Action::Claim(Seat(rest.parse().unwrap())),
            _ => Action::Play {
                turn_no,
                placement: notation::parse(text, &self.rules.tiles).unwrap(),
            },
        }
    }

    /// The kinds of the last input's events, for asserting what happened and in which order.
    pub(super) fn last_kinds(&self) -> Vec<&'static str> {
        self.last.iter().map(kind).collect()
    }
}

/// A set of exactly the tiles dealt, in the same alphabet.
fn only_these(set: &TileSet, dealt: &[Tile]) -> TileSet {
    let count = |tile: Tile| u32::try_from(dealt.iter().filter(|t| **t == tile).count()).unwrap();
    let specs = set
        .letters()
        .map(|letter| LetterSpec {
            face: set.face(letter).to_owned(),
            count: count(Tile::of(letter)),
            value: set.value(Tile::of(letter)),
        })
        .collect();
    TileSet::new(specs, count(Tile::BLANK)).unwrap()
}

fn letters(set: &TileSet, word: &str) -> Vec<Letter> {
    let tiles = notation::parse_rack(word, set).unwrap();
    tiles
        .into_iter()
        .map(|tile| tile.letter().unwrap())
        .collect()
}

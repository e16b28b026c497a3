//! A game whose actions come from fuzzing input.
//!
//! Six bytes set the game up. Each action takes three bytes (kind, delay, seat) and those of its own. Much of it is
//! legal, so that games advance.

mod asked;

use std::sync::Arc;

use tilewire_rules::alphabet::Tile;
use tilewire_rules::clock::ClockKind;
use tilewire_rules::event::{Created, Event, Player, PublicEvent, Record};
use tilewire_rules::game::{Action, Answer, Command, Context, Game, Input, Transition};
use tilewire_rules::options::{Consent, GameOptions, PointsPer, VanishPolicy};
use tilewire_rules::record::native;
use tilewire_rules::rejection::Rejection;
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::state::State;
use tilewire_rules::stream::{commitment, nonce_hash};
use tilewire_rules::time::{Seat, Timestamp};

use crate::words::THIRDS;
use asked::{Bytes, pick};

/// Most actions in one game.
const HAPPENINGS_MAX: usize = 256;
/// The most deadlines that expire after the last action.
const DEADLINES_MAX: usize = 10_000;
/// The delay between two actions, ms: near the time limits of the rules.
const PAUSES_MS: [i64; 16] = [
    0, 0, 0, 0, 0, 1, 200, 1_000, 4_999, 5_000, 5_001, 10_000, 20_000, 30_000, 60_000, 600_000,
];

/// Plays a game from the input, and checks the invariants.
pub(super) fn game(data: &[u8]) {
    let mut bytes = Bytes(data);
    let Some(mut table) = bytes.take().and_then(|setup| Table::new(&setup)) else {
        return;
    };
    for _ in 0..HAPPENINGS_MAX {
        if table.happens(&mut bytes).is_none() {
            break;
        }
    }
    table.replays();
    table.run_out();
    table.replays();
}

struct Table {
    rules: Arc<RuleSet>,
    seats: u8,
    game: Game,
    log: Vec<Record>,
    now: Timestamp,
    commands: u64,
    last: Option<Command>,
}

impl Table {
    /// Sets a game up; `None` if the rules refuse these options.
    fn new(setup: &[u8; 6]) -> Option<Self> {
        let [set, language, seats, clock, challenge, window] = *setup;
        let rules = pick(RuleSet::builtins(), set);
        let languages: Vec<&str> = rules.languages().collect();
        let rules = Arc::new(rules.in_language(pick::<&str>(&languages, language))?);
        let mut options = GameOptions::usual(&rules, "thirds");
        options.seats = rules.min_seats + seats % (rules.max_seats - rules.min_seats + 1);
        options.clock = *pick(&CLOCKS, clock);
        options.challenge.kind = *pick(&rules.challenges, challenge);
        options.challenge.points_per = *pick(&[PointsPer::Play, PointsPer::Word], challenge / 8);
        options.challenge.consent = *pick(&[Consent::NotAsked, Consent::Asked], window / 8);
        options.challenge.window_ms = *pick(&[None, Some(5_000), Some(20_000)], window);
        options.rated = options.seats == 2 && seats >= 0x80;
        options.hints = if options.rated { 0 } else { window % 4 };
        if options.clock.is_live() {
            let policies = [
                VanishPolicy::Claim,
                VanishPolicy::Adjourn,
                VanishPolicy::PlayOn,
            ];
            options.vanish = *pick(&policies, clock / 64);
        }
        let seats = options.seats;
        let secret = [5; 32];
        let created = Created {
            game: "table".to_owned(),
            options,
            players: Seat::all(seats).map(player).collect(),
            lexicon_hash: [3; 32],
            commitment: commitment(&secret),
            secret,
            series: None,
        };
        let now = Timestamp(1_800_000_000_000);
        let (game, record) = Game::create(Arc::clone(&rules), now, created).ok()?;
        Some(Self {
            rules,
            seats,
            game,
            log: vec![record],
            now,
            commands: 0,
            last: None,
        })
    }

    /// Performs the next action; `None` at the end of the input.
    fn happens(&mut self, bytes: &mut Bytes<'_>) -> Option<()> {
        let [what, pause, who] = bytes.take()?;
        let before = self.now;
        self.now = before.plus(*pick(&PAUSES_MS, pause));
        let any = Seat(who % self.seats);
        let seat = match self.game.state().turn() {
            Some(turn) if who < 0x80 => turn.seat,
            Some(_) | None => any,
        };
        match what % 24 {
            0 => self.hand_in(&Input::Tick),
            1 => {
                let deadline = self.game.next_deadline();
                self.now = deadline.map_or(self.now, |at| at.max(self.now));
                self.hand_in(&Input::Tick);
            }
            2 => self.hand_in(&Input::Vanished(any)),
            3 => self.hand_in(&Input::Returned(any)),
            4 => self.hand_in(&Input::Resumed { stopped_at: before }),
            5 => self.again(pause, before),
            what => {
                let action = self.action(what, seat, bytes)?;
                self.commands += 1;
                let command = Command {
                    seat,
                    cmd_id: format!("c{}", self.commands),
                    digest: self.commands,
                    // A command may be handed in later than it was received.
                    received_at: if pause < 0x80 { self.now } else { before },
                    lag_ms: *pick(&[0, 1, 200, 10_000], who / 4),
                    action,
                };
                self.last = Some(command.clone());
                self.hand_in(&Input::Command(command));
            }
        }
        Some(())
    }

    /// Sends the last command once more, or another command with the same id.
    fn again(&mut self, how: u8, received_at: Timestamp) {
        if let Some(mut command) = self.last.clone() {
            command.received_at = received_at;
            command.digest ^= u64::from(how >> 7) << 63;
            self.hand_in(&Input::Command(command));
        }
    }

    fn hand_in(&mut self, input: &Input) {
        let transition = self.handle(self.now, input);
        for record in &transition.records {
            let last = self.log.last().expect("a log begins with the creation");
            assert_eq!(record.seq, last.seq.next());
            assert!(last.at <= record.at && record.at <= self.now, "{record:?}");
            self.log.push(record.clone());
        }
        check_conserved(transition.next.state());
        if let Input::Command(command) = input {
            let is_own =
                |answer: &&Answer| answer.seat == command.seat && answer.cmd_id == command.cmd_id;
            // The first command under an id can be answered along with the second, which is refused.
            let own = transition.answers.iter().rfind(is_own);
            if let Some(answer) = own {
                self.check(command, answer, &transition);
            }
        }
        self.game = transition.next;
        let is_over = self.game.state().outcome().is_some();
        assert_eq!(self.game.next_deadline().is_none(), is_over);
    }

    fn handle(&self, now: Timestamp, input: &Input) -> Transition {
        self.game.handle(&Context::new(&THIRDS), now, input.clone())
    }

    /// Checks that a refused command has no effect, and that an accepted command is in the log exactly once.
    fn check(&self, command: &Command, answer: &Answer, transition: &Transition) {
        match &answer.outcome {
            // A resignation while a challenge is open lets the lexicon decide, and that can end the game first.
            Err(Rejection::GameOver)
                if command.action == Action::Resign && self.game.state().window().is_some() => {}
            Err(_) => {
                let without = self.handle(command.received_at.min(self.now), &Input::Tick);
                assert_eq!(without.next, transition.next, "{command:?} was refused");
                assert_eq!(without.records, transition.records);
            }
            Ok(seq) => {
                let record = self.log.iter().find(|record| record.seq == *seq);
                let cause = record.and_then(|record| record.command.as_ref());
                let cause = cause.expect("the answer names the event the command caused");
                let Command { seat, digest, .. } = command;
                assert_eq!((cause.seat, cause.digest), (*seat, *digest));
                let input = Input::Command(command.clone());
                let again = transition
                    .next
                    .handle(&Context::new(&THIRDS), self.now, input);
                assert!(again.records.is_empty(), "a retry changes nothing");
                assert_eq!(again.answers.as_slice(), std::slice::from_ref(answer));
            }
        }
    }

    /// Checks that the log leads to the same state, and that its native record has every event.
    fn replays(&self) {
        let replayed = Game::replay(Arc::clone(&self.rules), &self.log).expect("a log replays");
        assert_eq!(replayed.state(), self.game.state());
        let text = native::write(&self.log, None).expect("a log begins with the creation");
        let (_, read) = native::read(text.as_bytes()).expect("written text can be read");
        let published: Vec<Record> = self.log.iter().map(native::published).collect();
        assert_eq!(read, published);
        Game::replay(Arc::clone(&self.rules), &read).expect("a native record replays");
    }

    /// Checks that the game ends when no seat acts any more.
    fn run_out(&mut self) {
        for _ in 0..DEADLINES_MAX {
            let Some(at) = self.game.next_deadline() else {
                let last = self.log.last().map(|record| &record.event);
                assert!(matches!(last, Some(Event::Public(PublicEvent::Ended(_)))));
                return;
            };
            self.now = self.now.max(at);
            self.hand_in(&Input::Tick);
        }
        panic!("the game does not end");
    }
}

/// Checks that every tile of the set is in one place: on the board, on a rack or in the bag.
fn check_conserved(state: &State) {
    let tiles = state.tiles();
    let mut all: Vec<Tile> = tiles.board().iter().map(|(_, laid)| laid.tile).collect();
    for seat in Seat::all(state.options().seats) {
        all.extend(tiles.rack(seat));
    }
    all.extend(tiles.bag());
    all.sort_unstable();
    let mut set = state.rules().tiles.all();
    set.sort_unstable();
    assert_eq!(all, set);
}

fn player(seat: Seat) -> Player {
    Player {
        identity: format!("id-{}", seat.0),
        name: format!("Player {}", seat.0),
        nonce_hash: Some(nonce_hash(&[seat.0])),
        level: None,
        kind: None,
        rating: None,
    }
}

const CLOCKS: [ClockKind; 6] = [
    ClockKind::Untimed,
    ClockKind::SuddenDeath {
        initial_ms: 400_000,
    },
    ClockKind::Increment {
        initial_ms: 100_000,
        increment_ms: 9_000,
    },
    ClockKind::Delay {
        initial_ms: 100_000,
        delay_ms: 7_000,
    },
    ClockKind::Overtime {
        initial_ms: 90_000,
        penalty_per_minute: 10,
        cap_ms: 120_000,
    },
    ClockKind::PerMove {
        limit_ms: 40_000,
        bank_ms: 60_000,
    },
];

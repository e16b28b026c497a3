//! A random game: commands in time and out of time, legal and illegal.

mod beside;

use std::sync::Arc;
use tilewire_rules::alphabet::{Letter, Placed, Tile};
use tilewire_rules::board::{Direction, Square};
use tilewire_rules::clock::ClockKind;
use tilewire_rules::event::{Created, Player, Record};
use tilewire_rules::game::{Action, Command, Context, Game, Input, Transition};
use tilewire_rules::lexicon::Lexicon;
use tilewire_rules::options::{
    ChallengeKind, Consent, GameOptions, NudgeTiming, SpectatorView, VanishPolicy,
};
use tilewire_rules::play::{Placement, Play};
use tilewire_rules::rejection::Rejection;
use tilewire_rules::ruleset::{Level, RuleSet};
use tilewire_rules::state::State;
use tilewire_rules::stream::{Seed, Stream, commitment, nonce_hash};
use tilewire_rules::time::{Seat, Seq, Timestamp, TurnNo};

/// Inputs after which a walk has seen enough.
pub const MAX_INPUTS: usize = 250;

/// A lexicon in which two of three strings of letters are words.
#[derive(Debug)]
pub struct Hashed;

impl Lexicon for Hashed {
    fn name(&self) -> &'static str {
        "hashed"
    }
    fn hash(&self) -> &[u8; 32] {
        &[3; 32]
    }
    fn words(&self) -> u64 {
        0
    }
    fn contains(&self, word: &[Letter]) -> bool {
        is_word(word)
    }
}

/// Says whether a string of letters is in [`Hashed`].
#[must_use]
pub fn is_word(word: &[Letter]) -> bool {
    let sum: u32 = word
        .iter()
        .zip(1..)
        .map(|(letter, place)| u32::from(letter.number()) * place)
        .sum();
    !sum.is_multiple_of(3)
}

/// A game in progress, and the views of each audience so far.
#[derive(Debug)]
pub struct Walk {
    /// Its options.
    pub options: GameOptions,
    /// Its rule set.
    pub rules: Arc<RuleSet>,
    /// Its log so far.
    pub log: Vec<Record>,
    /// The state after so many records, as seen from outside.
    pub states: Vec<(usize, State)>,
    game: Game,
    now: Timestamp,
    rng: Stream,
    commands: u32,
}

impl Walk {
    /// Returns a game that has been created, with players who are not ready. The same seed gives the same game.
    ///
    /// # Panics
    /// When the options do not fit the rule set.
    #[must_use]
    pub fn new(rules: &Arc<RuleSet>, options: GameOptions, seed: u64) -> Self {
        let secret = [5; 32];
        let mut rng = Seed::new(&secret, &format!("walk-{seed}"), &[[]; 0]).stream("walk");
        let players = Seat::all(options.seats)
            .map(|seat| Player {
                identity: format!("id-{}", seat.0),
                name: format!("Player {}", seat.0),
                nonce_hash: Some(nonce_hash(&[seat.0])),
                level: match rng.uniform(4) {
                    0 => Some(Level::Beginner),
                    1 => Some(Level::Intermediate),
                    2 => Some(Level::Expert),
                    _ => None,
                },
                kind: None,
                rating: None,
            })
            .collect();
        let rules = Arc::clone(rules);
        let created = Created {
            game: format!("walk-{seed}"),
            options: options.clone(),
            players,
            lexicon_hash: [3; 32],
            commitment: commitment(&secret),
            secret,
            series: None,
        };
        let now = Timestamp(1_800_000_000_000);
        let (game, record) = Game::create(rules.clone(), now, created).expect("valid options");
        Self {
            options,
            rules,
            states: vec![(1, game.state().clone())],
            log: vec![record],
            game,
            now,
            rng,
            commands: 0,
        }
    }

    /// Says whether the game has ended.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.game.state().outcome().is_some()
    }

    /// Makes one random input.
    ///
    /// # Panics
    /// When a promise is broken: a refused command changes something, or a tile is lost.
    pub fn step(&mut self) {
        let seats = u32::from(self.options.seats);
        let seat = match self.game.state().turn() {
            // Mostly the seat on turn acts; sometimes any seat.
            Some(turn) if !self.one_in(3) => turn.seat,
            Some(_) | None => Seat(u8::try_from(self.rng.uniform(seats)).expect("a seat")),
        };
        match self.rng.uniform(40) {
            0..=5 => self.let_time_pass(),
            6 => self.hand_in(&Input::Vanished(seat)),
            7 => self.hand_in(&Input::Returned(seat)),
            8 if self.one_in(4) => {
                let stopped_at = self.now;
                self.now = self.now.plus(i64::from(self.rng.uniform(90_000)));
                self.hand_in(&Input::Resumed { stopped_at });
            }
            _ => {
                let action = self.some_action(seat);
                self.send(seat, action);
            }
        }
    }

    /// Returns the legal ones of so many random placements for the seat on turn. The
    /// steps after it differ from those of a walk without it.
    pub fn some_legal_plays(&mut self, tries: usize) -> Vec<Play> {
        let Some(turn) = self.game.state().turn() else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for _ in 0..tries {
            let placement = self.nonsense(turn.seat);
            let state = self.game.state();
            let tiles = state.tiles();
            let rack = tiles.rack(turn.seat);
            found.extend(Play::resolve(
                state.rules(),
                tiles.board(),
                rack,
                &placement,
            ));
        }
        found
    }

    /// The state of the game.
    #[must_use]
    pub fn state(&self) -> &State {
        self.game.state()
    }

    /// Lets time pass without any command until the game ends.
    ///
    /// # Panics
    /// As [`Walk::step`] does.
    pub fn run_out(&mut self) {
        while let Some(at) = self.game.next_deadline() {
            self.now = self.now.max(at);
            self.hand_in(&Input::Tick);
        }
    }

    fn one_in(&mut self, n: u32) -> bool {
        self.rng.uniform(n) == 0
    }

    fn let_time_pass(&mut self) {
        let to_deadline = self
            .game
            .next_deadline()
            .filter(|_| self.rng.uniform(3) == 0);
        self.now = match to_deadline {
            Some(at) => self.now.max(at),
            None => self.now.plus(i64::from(self.rng.uniform(6_000))),
        };
        self.hand_in(&Input::Tick);
    }

    fn send(&mut self, seat: Seat, action: Action) {
        self.commands += 1;
        let command = Command {
            seat,
            cmd_id: format!("c{}", self.commands),
            digest: u64::from(self.commands),
            received_at: self.now,
            lag_ms: 0,
            action,
        };
        self.hand_in(&Input::Command(command));
    }

    fn hand_in(&mut self, input: &Input) {
        let ctx = Context::new(&Hashed);
        let before = self.game.clone();
        let transition = self.game.handle(&ctx, self.now, input.clone());
        assert_eq!(self.game, before, "handling changes nothing by itself");
        if let Input::Command(command) = input {
            self.check_answers(&ctx, command, &transition);
        }
        self.log.extend(transition.records);
        self.game = transition.next;
        let state = self.game.state();
        check_conserved(state);
        self.states.push((self.log.len(), state.clone()));
    }

    /// A rejected command changes nothing; an accepted one is in the log,
    /// and repeating it changes nothing and gets the same answer.
    fn check_answers(&self, ctx: &Context<'_>, command: &Command, transition: &Transition) {
        let own = transition
            .answers
            .iter()
            .find(|answer| answer.cmd_id == command.cmd_id);
        let Some(answer) = own else {
            return;
        };
        match &answer.outcome {
            // A resignation while a challenge is open lets the lexicon decide, and that can end the game first.
            Err(Rejection::GameOver)
                if command.action == Action::Resign && self.game.state().window().is_some() => {}
            Err(_) => {
                let without = self.game.handle(ctx, self.now, Input::Tick);
                assert_eq!(without.next, transition.next, "{command:?} was refused");
                assert_eq!(without.records, transition.records);
            }
            Ok(seq) => {
                let by_seq = transition.records.iter().find(|record| record.seq == *seq);
                let record = by_seq.expect("the answer names an event of this transition");
                let cause = record.command.as_ref().expect("which names the command");
                assert_eq!(cause.cmd_id, command.cmd_id);
                let again = transition
                    .next
                    .handle(ctx, self.now, Input::Command(command.clone()));
                assert!(again.records.is_empty(), "a retry changes nothing");
                assert_eq!(again.answers.as_slice(), std::slice::from_ref(answer));
            }
        }
    }

    fn some_action(&mut self, seat: Seat) -> Action {
        let state = self.game.state();
        if state.turn().is_none() && state.window().is_none() {
            return Action::Ready {
                nonce: vec![seat.0],
            };
        }
        if state.adjournment().is_some() && self.one_in(3) {
            return Action::ResumeGame;
        }
        let state = self.game.state();
        let turn_no = state.turn().map_or(state.last_turn(), |turn| turn.no);
        let play_id = state.window().map_or(Seq(1), |window| window.play_id);
        match self.rng.uniform(60) {
            0..=25 => self.some_play(seat, turn_no),
            26..=28 => self.some_exchange(seat, turn_no),
            29 => Action::Pass { turn_no },
            30..=36 => Action::Challenge(play_id),
            37..=46 => Action::Accept(play_id),
            47..=49 => Action::Hold(play_id),
            50..=51 => Action::Release(play_id),
            52..=53 => Action::Withdraw(play_id),
            54 => Action::Stand(play_id),
            55 => Action::Play {
                turn_no: TurnNo(turn_no.0 + 1),
                placement: self.nonsense(seat),
            },
            56 => Action::Claim(Seat((seat.0 + 1) % self.options.seats)),
            57 if self.one_in(6) => Action::Resign,
            58 if self.options.rated || self.one_in(6) => match self.rng.uniform(3) {
                0 => Action::AnswerAbort {
                    accept: self.one_in(2),
                },
                _ => Action::Abort,
            },
            59 if self.options.hints > 0 && self.one_in(3) => self.some_hint(turn_no),
            59 if self.one_in(2) => self.some_adjourning(),
            59 if self.is_nudged() => Action::Here,
            59 => match self.rng.uniform(12) {
                0 => Action::RefuseTime,
                1..=4 => self.some_gift(seat),
                _ => Action::Nudge,
            },
            _ => Action::Play {
                turn_no,
                placement: self.nonsense(seat),
            },
        }
    }

    /// A legal play if chance finds one, else an exchange.
    fn some_play(&mut self, seat: Seat, turn_no: TurnNo) -> Action {
        for _ in 0..80 {
            let placement = self.nonsense(seat);
            let state = self.game.state();
            let tiles = state.tiles();
            if Play::resolve(state.rules(), tiles.board(), tiles.rack(seat), &placement).is_ok() {
                return Action::Play { turn_no, placement };
            }
        }
        self.some_exchange(seat, turn_no)
    }

    fn some_exchange(&mut self, seat: Seat, turn_no: TurnNo) -> Action {
        let rack = self.game.state().tiles().rack(seat).to_vec();
        let most = u32::try_from(rack.len()).expect("a rack is small");
        let count = self.rng.uniform(most + 1) as usize;
        Action::Exchange {
            turn_no,
            tiles: rack[..count].to_vec(),
        }
    }

    /// Some tiles of the rack somewhere on the board, in line, more often legal than not.
    fn nonsense(&mut self, seat: Seat) -> Placement {
        let mut rack = self.game.state().tiles().rack(seat).to_vec();
        self.rng.shuffle(&mut rack);
        let most = u32::try_from(rack.len()).expect("a rack is small");
        rack.truncate(1 + self.rng.uniform(most.max(1)) as usize);
        let direction = if self.one_in(2) {
            Direction::Across
        } else {
            Direction::Down
        };
        let mut square = self.some_square();
        let start = square;
        let mut tiles = Vec::new();
        let board = self.game.state().tiles().board().clone();
        let mut rack = rack.into_iter().peekable();
        while rack.peek().is_some() && board.contains(square) {
            let laid = match board.get(square) {
                Some(_) => None,
                None => rack.next().map(|tile| self.lay(tile)),
            };
            tiles.push(laid);
            square = square.ahead(direction, 1);
        }
        while board.get(square).is_some() {
            tiles.push(None);
            square = square.ahead(direction, 1);
        }
        Placement {
            start,
            direction,
            tiles,
        }
    }

    /// A square near the tiles on the board.
    fn some_square(&mut self) -> Square {
        let occupied: Vec<Square> = self
            .game
            .state()
            .tiles()
            .board()
            .iter()
            .map(|(at, _)| at)
            .collect();
        let near = match u32::try_from(occupied.len()).expect("a board is small") {
            0 => self.rules.layout.start(),
            len => occupied[self.rng.uniform(len) as usize],
        };
        let back = |at: u8, by: u32| at.saturating_sub(u8::try_from(by).expect("a few squares"));
        let (up, left) = (self.rng.uniform(4), self.rng.uniform(4));
        if self.one_in(2) {
            Square::new(near.row, back(near.col, left))
        } else {
            Square::new(back(near.row, up), near.col)
        }
    }

    fn lay(&mut self, tile: Tile) -> Placed {
        let letters: Vec<Letter> = self.rules.tiles.letters().collect();
        let any = letters[self
            .rng
            .uniform(u32::try_from(letters.len()).expect("a small alphabet"))
            as usize];
        Placed {
            tile,
            letter: tile.letter().unwrap_or(any),
        }
    }
}

/// Finished random games of all kinds, so many of each rule set: with every clock, every kind of challenge, and dealt boards.
///
/// # Panics
/// As [`Walk::step`] does.
pub fn walks(of_each: usize) -> impl Iterator<Item = Walk> {
    let clocks = [
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
    RuleSet::builtins()
        .iter()
        .enumerate()
        .flat_map(move |(at, rules)| {
            (0..of_each).map(move |seed| {
                let mut options = GameOptions::usual(rules, "hashed");
                options.clock = clocks[(at + seed) % clocks.len()];
                options.challenge.kind = rules.challenges[seed % rules.challenges.len()];
                let kind = options.challenge.kind;
                if kind != ChallengeKind::Triple {
                    options.seats = rules.max_seats.min(3);
                }
                if seed % 2 == 0 && !matches!(kind, ChallengeKind::Void | ChallengeKind::Triple) {
                    options.challenge.consent = Consent::Asked;
                }
                // Short enough that silent seats are nudged and claimed.
                options.timing.nudge = NudgeTiming {
                    quiet_ms: 4_000,
                    answer_ms: 20_000,
                    untimed_quiet_ms: 4_000,
                    untimed_answer_ms: 20_000,
                };
                options.rated = options.seats == 2 && seed % 3 == 0;
                options.hints = if options.rated { 0 } else { 2 };
                if options.clock.is_live() && seed % 4 > 1 {
                    options.vanish = VanishPolicy::Adjourn;
                }
                options.spectators = Some(SpectatorView {
                    delay_ms: 60_000,
                    racks: true,
                });
                let mut walk = Walk::new(rules, options, seed as u64);
                for _ in 0..MAX_INPUTS {
                    walk.step();
                }
                walk.run_out();
                walk
            })
        })
}

/// Every tile of the set is in one place: on the board, on a rack or in the bag (R-TILE).
fn check_conserved(state: &State) {
    let tiles = state.tiles();
    let mut all: Vec<Tile> = tiles
        .board()
        .iter()
        .map(|(_, placed)| placed.tile)
        .collect();
    for seat in Seat::all(state.options().seats) {
        all.extend(tiles.rack(seat));
    }
    all.extend(tiles.bag());
    all.sort_unstable();
    let mut set = state.rules().tiles.all();
    set.sort_unstable();
    assert_eq!(all, set);
}

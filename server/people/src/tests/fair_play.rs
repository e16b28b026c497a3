//! A search for unfair play: in random rated games players leave, resign, let time pass, abort, adjourn and come back late.
//! Whoever leaves gets the loss or a point.

use std::collections::BTreeSet;

use tilewire_oracle::walk::{Hashed, Walk};
use tilewire_rules::clock::ClockKind;
use tilewire_rules::event::{EndReason, Event, PublicEvent, Record};
use tilewire_rules::game::{Action, Command, Context, Game, Input};
use tilewire_rules::options::{ChallengeKind, GameOptions, NudgeTiming, VanishPolicy};
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::time::{Seat, Timestamp};

use crate::conduct::{Mark, Offence};
use crate::pools::PlayerKind;
use crate::results::{Facts, GameResult, Stake};

/// Random games of each set of options.
const GAMES: u64 = 36;
/// The most random inputs before a player deserts.
const INPUTS: u64 = 60;
/// Inputs after which a game that a player has deserted is over.
const PATIENCE: usize = 200;

const CLOCKS: [ClockKind; 5] = [
    ClockKind::SuddenDeath {
        initial_ms: 100_000,
    },
    ClockKind::Increment {
        initial_ms: 60_000,
        increment_ms: 9_000,
    },
    ClockKind::Overtime {
        initial_ms: 60_000,
        penalty_per_minute: 10,
        cap_ms: 60_000,
    },
    ClockKind::PerMove {
        limit_ms: 40_000,
        bank_ms: 60_000,
    },
    ClockKind::PerMove {
        limit_ms: 72 * 3_600_000,
        bank_ms: 0,
    },
];

/// The acts of the player who stays, once the other one has deserted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stays {
    /// The player claims what can be claimed.
    Claims,
    /// The player plays on and leaves all the rest to the server.
    Waits,
    /// The player says to be ready to resume an adjourned game, and is never seen again.
    LooksInOnce,
}

/// The players who were there, by its bare events.
#[derive(Debug, Default)]
struct Seen {
    ready: BTreeSet<Seat>,
    is_dealt: bool,
    was_down: bool,
    retired: Vec<Seat>,
    asleep: Option<Asleep>,
    end: Option<End>,
}

/// An adjournment.
#[derive(Debug)]
struct Asleep {
    /// The seat for which the server adjourned the game.
    vanished: Option<Seat>,
    /// The seats whose players have said to be back.
    back: BTreeSet<Seat>,
}

/// The end of a game.
#[derive(Debug, Clone, Copy)]
struct End {
    reason: EndReason,
    aborter: Option<Seat>,
    /// The seat whose command ended the game.
    by: Option<Seat>,
}

impl Seen {
    fn of(log: &[Record]) -> Self {
        let mut seen = Self::default();
        for record in log {
            seen.see(record);
        }
        seen
    }

    fn see(&mut self, record: &Record) {
        let event = match &record.event {
            Event::TilesDrawn { .. } => {
                self.is_dealt = true;
                return;
            }
            Event::Public(event) => event,
            _ => return,
        };
        match event {
            PublicEvent::SeatReady { seat, .. } => drop(self.ready.insert(*seat)),
            PublicEvent::ClockCredited { .. } => self.was_down = true,
            PublicEvent::SeatRetired { seat, .. } => self.retired.push(*seat),
            PublicEvent::Adjourned { vanished, .. } => {
                let (vanished, back) = (*vanished, BTreeSet::new());
                self.asleep = Some(Asleep { vanished, back });
            }
            PublicEvent::ReadyToResume { seat } => {
                let asleep = self.asleep.as_mut().expect("an adjourned game");
                asleep.back.insert(*seat);
            }
            PublicEvent::Resumed { .. } => self.asleep = None,
            PublicEvent::Ended(ended) => {
                self.end = Some(End {
                    reason: ended.reason,
                    aborter: ended.aborter,
                    by: record.command.as_ref().map(|command| command.seat),
                });
            }
            _ => {}
        }
    }

    /// Returns whether the players ended the game without a result by consent, or before it began.
    fn is_called_off(&self, end: End) -> bool {
        let is_agreed = end.by.is_some() && end.by != end.aborter;
        end.aborter.is_some() && (is_agreed || !self.is_dealt)
    }
}

/// The result of a game between two registered players.
fn result(log: &[Record], options: &GameOptions) -> GameResult {
    let rules = RuleSet::builtin(&options.rule_set).expect("built in");
    let facts = Facts {
        players: &[PlayerKind::Registered; 2],
        stake: Stake::Rated,
        series: None,
        is_private: false,
        lexicon: None,
    };
    GameResult::from_log(&rules, log, &facts).expect("a finished game")
}

/// Says whether a player who left the game pays for it: the loss counts, or there is a point.
fn is_paid(result: &GameResult, seat: Seat) -> bool {
    let own = &result.seats[seat.index()];
    let is_loss = own.rank == 2 && result.rated_game().is_some();
    is_loss || matches!(own.conduct, Some(Mark::Point(_)))
}

/// Checks that every player who left the game pays for it. Returns the name of the case.
#[track_caller]
fn check_end(log: &[Record], options: &GameOptions) -> &'static str {
    let (seen, result) = (Seen::of(log), result(log, options));
    let end = seen.end.expect("the end of the game");
    let told = || format!("{seen:?}: {options:?}");
    for seat in &seen.retired {
        assert_eq!(result.seats[seat.index()].rank, 2, "{}", told());
        assert!(is_paid(&result, *seat) || seen.was_down, "{}", told());
    }
    match (end.reason, &seen.asleep) {
        (EndReason::Cancelled, _) => {
            for seat in [Seat(0), Seat(1)] {
                let never = Some(Mark::Point(Offence::NeverStarted));
                let is_excused = seen.ready.contains(&seat) || seen.was_down;
                let mark = result.seats[seat.index()].conduct;
                assert!(is_excused || mark == never, "{}", told());
            }
            "never started"
        }
        (EndReason::Aborted, Some(asleep)) => {
            // Nobody came back, or both did and never met: then no log says who is to blame.
            assert_eq!(asleep.vanished, None, "{}", told());
            assert_ne!(asleep.back.len(), 1, "{}", told());
            match asleep.back.is_empty() {
                true => "nobody came back",
                false => "both came back and never met",
            }
        }
        (EndReason::Aborted, None) => {
            assert!(seen.is_called_off(end), "{}", told());
            "called off"
        }
        (_, Some(_)) => "left an adjourned game",
        _ if seen.retired.is_empty() => "played to its end",
        _ => "left",
    }
}

/// Returns the options of a game of the search.
fn options(clock: ClockKind, vanish: VanishPolicy, kind: ChallengeKind) -> GameOptions {
    let mut options = GameOptions::usual(&RuleSet::classic(), "hashed");
    options.clock = clock;
    options.challenge.kind = kind;
    options.rated = true;
    if clock.is_live() {
        options.vanish = vanish;
    }
    // Short enough that silent seats are nudged and claimed.
    options.timing.nudge = NudgeTiming {
        quiet_ms: 4_000,
        answer_ms: 20_000,
        untimed_quiet_ms: 4_000,
        untimed_answer_ms: 20_000,
    };
    options
}

/// Every set of options, with the seeds of its games.
fn games() -> impl Iterator<Item = (GameOptions, u64)> {
    let policies = [
        VanishPolicy::Claim,
        VanishPolicy::Adjourn,
        VanishPolicy::PlayOn,
    ];
    let kinds = [ChallengeKind::Double, ChallengeKind::Void];
    let all = CLOCKS.into_iter().flat_map(move |clock| {
        let of_policy = move |vanish| kinds.map(|kind| options(clock, vanish, kind));
        policies.into_iter().flat_map(of_policy)
    });
    all.flat_map(|options| (0..GAMES).map(move |seed| (options.clone(), seed)))
}

/// The acts of both players together after the random inputs, before they leave for good.
#[derive(Debug, Clone, Copy)]
enum Together {
    Nothing,
    PassToTheEnd,
    CallOff,
    Adjourn,
    /// They adjourn, and one is back.
    OneIsBack,
    /// They adjourn, and each is back while the other is away.
    NeverMeet,
}

/// A random game after so many inputs, or fewer if it is over.
fn walked(options: &GameOptions, seed: u64) -> Walk {
    let mut walk = Walk::new(&RuleSet::classic(), options.clone(), seed);
    for _ in 0..seed * 7 % INPUTS {
        if !walk.is_over() {
            walk.step();
        }
    }
    walk
}

/// A game that goes on after the random inputs.
struct Table {
    game: Game,
    log: Vec<Record>,
    now: Timestamp,
    commands: u64,
}

impl Table {
    fn after(walk: Walk) -> Self {
        Self {
            game: Game::from_state(walk.state().clone()),
            now: walk.state().last_at(),
            log: walk.log,
            commands: 0,
        }
    }

    fn hand_in(&mut self, input: Input) {
        let done = self.game.handle(&Context::new(&Hashed), self.now, input);
        self.log.extend(done.records);
        self.game = done.next;
    }

    /// Sends a command. Returns whether it changed the game.
    fn send(&mut self, seat: Seat, action: Action) -> bool {
        self.commands += 1;
        let before = self.log.len();
        self.hand_in(Input::Command(Command {
            seat,
            cmd_id: format!("stayed-{}", self.commands),
            digest: self.commands,
            received_at: self.now,
            lag_ms: 0,
            action,
        }));
        self.log.len() > before
    }

    /// Lets the player who stays do one thing; returns whether there was one.
    fn act(&mut self, seat: Seat, deserter: Seat, how: Stays) -> bool {
        let state = self.game.state();
        if let Some(adjournment) = state.adjournment() {
            let is_back = adjournment.willing.contains(&seat);
            if !is_back && self.send(seat, Action::ResumeGame) {
                if how == Stays::LooksInOnce {
                    self.hand_in(Input::Vanished(seat));
                }
                return true;
            }
        } else if state.seats()[seat.index()].ready.is_none() {
            return self.send(seat, Action::Ready { nonce: Vec::new() });
        } else if let Some(turn) = state.turn().filter(|turn| turn.seat == seat) {
            return self.send(seat, Action::Pass { turn_no: turn.no });
        }
        how == Stays::Claims && self.send(seat, Action::Claim(deserter))
    }

    fn act_together(&mut self, what: Together) {
        let [one, other] = [Seat(0), Seat(1)];
        match what {
            Together::Nothing => {}
            Together::PassToTheEnd => {
                while let Some(turn) = self.game.state().turn() {
                    if !self.send(turn.seat, Action::Pass { turn_no: turn.no }) {
                        return;
                    }
                }
            }
            Together::CallOff => {
                self.send(one, Action::Abort);
                self.send(other, Action::AnswerAbort { accept: true });
            }
            Together::Adjourn | Together::OneIsBack | Together::NeverMeet => {
                self.send(one, Action::Adjourn);
                self.send(other, Action::AnswerAdjourn { agree: true });
            }
        }
        let back = match what {
            Together::OneIsBack => &[one][..],
            Together::NeverMeet => &[one, other],
            _ => &[],
        };
        for seat in back {
            self.hand_in(Input::Returned(*seat));
            self.send(*seat, Action::ResumeGame);
            self.hand_in(Input::Vanished(*seat));
        }
    }

    /// Lets time pass until the end.
    fn run_out(&mut self) {
        while let Some(at) = self.game.next_deadline() {
            self.now = self.now.max(at);
            self.hand_in(Input::Tick);
        }
    }

    /// Plays on until the end. One player does nothing more.
    fn play_out(&mut self, seat: Seat, deserter: Seat, how: Stays) {
        self.hand_in(Input::Returned(seat));
        self.hand_in(Input::Vanished(deserter));
        for _ in 0..PATIENCE {
            let Some(at) = self.game.next_deadline() else {
                return;
            };
            if !self.act(seat, deserter, how) {
                self.now = self.now.max(at);
                self.hand_in(Input::Tick);
            }
        }
        panic!("the game never ends: {:?}", Seen::of(&self.log));
    }
}

/// Both players do anything, agree on something, and are gone.
#[test]
fn whoever_leaves_a_rated_game_gets_the_loss_or_a_point() {
    let agreements = [
        Together::Nothing,
        Together::PassToTheEnd,
        Together::CallOff,
        Together::Adjourn,
        Together::OneIsBack,
        Together::NeverMeet,
    ];
    let mut met = BTreeSet::new();
    for ((options, seed), what) in games().zip(agreements.into_iter().cycle()) {
        let walk = walked(&options, seed);
        let mut table = Table::after(walk);
        table.act_together(what);
        table.run_out();
        met.insert(check_end(&table.log, &options));
    }
    // The search meets every case that it knows.
    let known = [
        "both came back and never met",
        "called off",
        "left",
        "left an adjourned game",
        "never started",
        "nobody came back",
        "played to its end",
    ];
    assert_eq!(met, BTreeSet::from(known));
}

/// One player deserts at some moment, and the other one never has to be there for it.
#[test]
fn a_deserter_never_gets_away() {
    let mut lost = 0;
    for ((options, seed), turn) in games().zip((0..3).cycle()) {
        let how = [Stays::Claims, Stays::Waits, Stays::LooksInOnce][turn];
        let walk = walked(&options, seed);
        if walk.is_over() {
            continue;
        }
        let (seat, deserter) = match seed % 2 {
            0 => (Seat(0), Seat(1)),
            _ => (Seat(1), Seat(0)),
        };
        let mut deserted = Table::after(walk);
        deserted.play_out(seat, deserter, how);
        let case = check_end(&deserted.log, &options);
        let (seen, result) = (Seen::of(&deserted.log), result(&deserted.log, &options));
        let was_back = |asleep: &Asleep| asleep.back.contains(&deserter);
        // A player who said to be back has not deserted an adjourned game: who of both is to blame, no log says (R-ADJ-6).
        if seen.asleep.as_ref().is_some_and(was_back) || case == "played to its end" {
            continue;
        }
        let is_excused = seen.was_down && result.rated_game().is_none();
        assert!(
            is_paid(&result, deserter) || is_excused,
            "{how:?}: {case}: {deserter:?} of {seen:?}: {:?}",
            options
        );
        lost += 1;
    }
    assert!(lost > 300, "{lost} deserters");
}

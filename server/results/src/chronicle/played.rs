//! Games that were played to their end by the rules.
#![allow(clippy::unwrap_used, reason = "for tests only")]

use std::sync::Arc;

use tilewire_accounts::enforcement::Enforcement;
use tilewire_base::clock::ServerClock;
use tilewire_base::slow_work::SlowWork;
use tilewire_protocol::GameId;
use tilewire_rules::clock::ClockKind;
use tilewire_rules::event::{Created, Player, PlayerKind, Record};
use tilewire_rules::game::{Action, Command, Context, Game, Input};
use tilewire_rules::options::{FirstPlay, GameOptions};
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::stream::commitment;
use tilewire_rules::time::{Seat, Timestamp, TurnNo};

use tilewire_store::{Append, GameMeta, Journal, Storage};
use tilewire_wire::catalogue::Catalogue;
use tilewire_wire::lexica::Lexica;

use super::{Chronicle, ChronicleServices, Progress, RatingCache, ScoreRules};

/// A game that is over.
pub struct Played {
    /// The head of its log.
    pub meta: GameMeta,
    /// Its log.
    pub records: Vec<Record>,
}

impl Played {
    /// When the first game begins. All end within the day, and most of them in other rating periods.
    const START: Timestamp = Timestamp(1_800_000_000_000);
    /// No game of the tests ends later.
    pub const ENDED_AT: Timestamp = Timestamp(1_900_000_000_000);
    const DAY_MS: i64 = 24 * 3_600_000;

    /// Returns a rated game of two of these players, which the second one resigns after idling; every fifth game is casual.
    pub fn numbered(number: usize, players: [&str; 5]) -> Self {
        let first = number % players.len();
        let second = (first + 1 + number / players.len() % (players.len() - 1)) % players.len();
        let at = Self::START.plus(i64::try_from(number).unwrap() * Self::DAY_MS);
        let is_rated = number % 5 != 4;
        Self::of(
            &format!("game{number}"),
            [players[first], players[second]],
            at,
            is_rated,
        )
    }

    fn of(id: &str, players: [&str; 2], at: Timestamp, is_rated: bool) -> Self {
        let lexica = Lexica::builtin();
        let lexicon = lexica.find("wordnik").unwrap();
        let secret = [4; 32];
        let options = GameOptions {
            clock: ClockKind::SuddenDeath {
                initial_ms: 25 * 60_000,
            },
            rated: is_rated,
            first: FirstPlay::Seat(Seat(0)),
            ..GameOptions::classic("wordnik")
        };
        let created = Created {
            game: id.to_owned(),
            options,
            players: players
                .map(|name| Player {
                    identity: name.to_owned(),
                    name: name.to_uppercase(),
                    nonce_hash: None,
                    level: None,
                    kind: Some(PlayerKind::Registered),
                    rating: None,
                })
                .to_vec(),
            lexicon_hash: *lexicon.hash(),
            commitment: commitment(&secret),
            secret,
            series: None,
        };
        let (mut game, first) = Game::create(RuleSet::classic(), at, created).unwrap();
        let mut records = vec![first];
        let ready = || Action::Ready { nonce: Vec::new() };
        let pass = |turn| Action::Pass {
            turn_no: TurnNo(turn),
        };
        // The second player is idle before the resignation.
        for (step, (seat, action, second)) in (1_u64..).zip([
            (Seat(0), ready(), 1),
            (Seat(1), ready(), 2),
            (Seat(0), pass(1), 3),
            (Seat(1), pass(2), 4),
            (Seat(0), pass(3), 5),
            (Seat(1), Action::Resign, 400),
        ]) {
            let now = at.plus(second * 1_000);
            let command = Command {
                seat,
                cmd_id: format!("command-{step}"),
                digest: step,
                received_at: now,
                lag_ms: 0,
                action,
            };
            let context = Context::new(&**lexicon);
            let done = game.handle(&context, now, Input::Command(command));
            records.extend(done.records);
            game = done.next;
        }
        assert!(game.state().outcome().is_some());
        Self {
            meta: GameMeta {
                game: GameId::from(id),
                epoch: 1,
                rule_set: "classic".to_owned(),
                private_code: None,
                players: players.map(str::to_owned).to_vec(),
                created_at: at,
            },
            records,
        }
    }

    /// Stores the game; returns its id.
    pub async fn store(mut self, journal: &dyn Journal) -> String {
        let game = self.meta.game.clone();
        let first = self.records.remove(0);
        journal.create(self.meta, first).await.unwrap();
        let append = Append {
            game: game.clone(),
            after: 1,
            records: self.records.into(),
            is_finished: true,
        };
        journal.append(append).await.unwrap();
        game.0
    }
}

/// The players of the games.
pub const PLAYERS: [&str; 5] = ["ada", "bob", "cleo", "dora", "emil"];

/// Returns the parts of a chronicle over a storage.
#[must_use]
pub fn parts<S: Storage + 'static>(storage: &Arc<S>) -> ChronicleServices {
    ChronicleServices {
        journal: Arc::clone(storage) as _,
        store: Arc::clone(storage) as _,
        catalogue: Catalogue::new(Lexica::builtin()),
        score_rules: ScoreRules::default(),
        ratings: Arc::new(RatingCache::new(ServerClock::system())),
        enforcement: Enforcement {
            restrictions: Arc::default(),
            store: Arc::clone(storage) as _,
            registry: Arc::default(),
        },
        clock: ServerClock::system(),
        slow_work: SlowWork::OnThread,
    }
}

/// Stores so many finished games and their results.
pub async fn chronicled<S: Storage + 'static>(storage: &Arc<S>, games: usize) {
    for number in 0..games {
        Played::numbered(number, PLAYERS).store(&**storage).await;
    }
    follow(&mut Chronicle::new(parts(storage))).await;
}

/// Lets the chronicle work until the journal has no more.
pub async fn follow(chronicle: &mut Chronicle) {
    while chronicle.step().await.unwrap() == Progress::More {}
}

//! Scenarios: the rule set, the options, the bounds of the server, and the behaviour of disk and clients for a seed.

mod absences;
mod nodes;

use std::sync::{Arc, OnceLock};

use tilewire_config::Config;
use tilewire_protocol::{
    Challenge, ChallengeKind, Clock, ClockKind, EndCounts, EndOption, FirstPlay, GameOptions,
    SpectatorView, VanishPolicy,
};
use tilewire_rules::lexicon::Lexicon;
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::time::Millis;
use tilewire_wire::catalogue::Catalogue;
use tilewire_wire::lexica::Lexica;

use super::chance::Chance;
use super::disk::Temper;
use super::members::Kind;
use super::receiving;
use absences::{absences, late_riser, let_sleep};
use tilewire_conformance::words::FOURTHS;

/// Small enough that a game is over soon: 36 tiles, five on a rack.
const SMALL: &str = r#"
    id = "small"
    name = "Small"
    summary = "Few tiles."
    base = "classic"
    tile_sets = []
    [rack]
    size = 5
    [exchange]
    min_bag = 3
    [[bingo]]
    tiles = 5
    bonus = 20
    [[tiles]]
    id = "small-english"
    language = "english"
    name = "Few"
    total = 36
    points = 56
    blanks = 2
    letters = [
      ["A", 5, 1], ["B", 1, 3], ["C", 1, 3], ["D", 2, 2], ["E", 5, 1], ["F", 1, 4], ["G", 1, 2], ["H", 1, 4],
      ["I", 3, 1], ["L", 2, 1], ["N", 2, 1], ["O", 3, 1], ["R", 2, 1], ["S", 2, 1], ["T", 2, 1], ["Z", 1, 10],
    ]
"#;

/// The domain of the sender of letters.
pub const MAIL_DOMAIN: &str = "tiles.example";

/// How long people play before everything calms down, ms.
const PLAY_MS: i64 = 300_000;
/// The time that a game lasts that is to sleep.
const HOUR_MS: i64 = 3_600_000;

/// The rule set most games are played by.
#[must_use]
pub fn small() -> Arc<RuleSet> {
    static SET: OnceLock<Arc<RuleSet>> = OnceLock::new();
    Arc::clone(SET.get_or_init(|| {
        let parsed = RuleSet::parse(SMALL, "small.toml");
        Arc::new(parsed.expect("the data of the simulation is right"))
    }))
}

/// Says whether a word in a message is good: a second implementation of the rule, on the text.
#[must_use]
pub fn is_good(rules: &RuleSet, word: &str) -> bool {
    let letters = rules.tiles.letters().zip(1_u32..);
    let faces: Vec<(String, u32)> = letters
        .map(|(letter, number)| (rules.tiles.face(letter).to_owned(), number))
        .collect();
    let numbers = word.chars().map(|face| {
        let face = face.to_uppercase().to_string();
        let known = faces.iter().find(|(known, _)| *known == face);
        known.map_or(0, |(_, number)| *number)
    });
    !numbers.sum::<u32>().is_multiple_of(4)
}

/// The rule sets of the games.
#[must_use]
pub fn catalogue() -> Catalogue {
    static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
    let make = || {
        let lexica = Lexica::of([Arc::new(FOURTHS) as Arc<dyn Lexicon>]);
        Catalogue::new(lexica).with_rule_set(RuleSet::clone(&small()))
    };
    CATALOGUE.get_or_init(make).clone()
}

/// Everything that is fixed before a simulation begins.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// The server's settings.
    pub config: Config,
    /// How the disk behaves.
    pub temper: Temper,
    /// The tables: one game each.
    pub tables: Vec<Plan>,
    /// How many only watch.
    pub spectators: usize,
    /// The longest time a frame is on its way, ms.
    pub latency_ms: i64,
    /// When the operator stops the server in good order, ms after the start; in order.
    pub stops: Vec<i64>,
    /// When the machine goes down, in any state, ms after the start; in order.
    pub crashes: Vec<i64>,
    /// When the server's process stands still, ms after the start, and how long, ms.
    pub stalls: Vec<(i64, i64)>,
    /// When all clients leave, ms after the start, and for how long, ms: games sleep then.
    pub nights: Vec<(i64, i64)>,
    /// A client that comes back later than the others, and by how much, ms: others nudge its player meanwhile.
    pub late_riser: Option<(usize, i64)>,
    /// Whether the machine's clock is wrong at starts.
    pub has_wrong_clock: bool,
    /// Whether people with accounts follow and block each other.
    pub relates: bool,
    /// Whether one of them is a moderator.
    pub moderates: bool,
    /// Whether there is an operator.
    pub operates: bool,
    /// Whether players have addresses and get letters.
    pub writes: bool,
    /// Whether players take vacations.
    pub has_vacations: bool,
    /// How long people play before everything calms down, ms.
    pub play_ms: i64,
}

/// The plan of a game.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The options.
    pub options: GameOptions,
    /// Whether people join by a code.
    pub is_private: bool,
    /// The account states of the players, by place; the others are guests.
    pub kinds: Vec<Kind>,
    /// How many games the players want to play after the first.
    pub again: u32,
}

impl Plan {
    /// Says whether the game is by correspondence.
    #[must_use]
    pub fn is_by_correspondence(&self) -> bool {
        is_by_correspondence(&self.options)
    }
}

/// Says whether a game with these options is by correspondence.
pub(super) fn is_by_correspondence(options: &GameOptions) -> bool {
    options.clock.as_ref().is_some_and(|clock| {
        let is_long = clock.limit_ms.is_some_and(|limit_ms| limit_ms >= HOUR_MS);
        clock.kind == ClockKind::PerMove && is_long
    })
}

impl Scenario {
    /// Returns the scenario of `seed`.
    #[must_use]
    pub fn of(seed: u64) -> Self {
        let mut chance = Chance::new(seed, "scenario");
        let is_calm = chance.one_in(6);
        let mut tables: Vec<Plan> = (0..1 + chance.index(2))
            .map(|_| plan(&mut chance))
            .collect();
        let mut nights = let_sleep(seed, &mut tables);
        let mut views = Chance::new(seed, "spectators");
        for plan in &mut tables {
            plan.options.spectators = spectators(&mut views);
        }
        let has_accounts = register(seed, &mut tables);
        let writes = has_accounts && tables.iter().any(Plan::is_by_correspondence);
        let has_vacations = writes && Chance::new(seed, "vacations").one_in(3);
        for table in &mut tables {
            table.options.vacation = has_vacations && table.is_by_correspondence();
        }
        let long_night = if writes {
            absences(seed, &mut nights)
        } else {
            0
        };
        let late_riser = late_riser(seed);
        let has = |what: &str| has_accounts && Chance::new(seed, what).one_in(2);
        let_vanish(seed, &mut tables);
        let times = |chance: &mut Chance, most: usize| {
            let mut times: Vec<i64> = (0..chance.index(most + 1))
                .map(|_| chance.ms(500, 240_000))
                .collect();
            times.sort_unstable();
            times
        };
        let mut stalls = Chance::new(seed, "stalls");
        let stalls = (0..stalls.index(6).saturating_sub(3))
            .map(|_| (stalls.ms(500, 240_000), stalls.ms(1_200, 60_000)))
            .collect();
        Self {
            stalls,
            nights,
            late_riser: writes.then_some(late_riser),
            has_wrong_clock: Chance::new(seed, "wrong clock").one_in(4),
            relates: has("relations"),
            moderates: has("moderation"),
            operates: Chance::new(seed, "operator").one_in(4),
            writes,
            has_vacations,
            play_ms: PLAY_MS + long_night,
            config: with_outside(
                seed,
                config(seed, &mut chance),
                (writes, has_vacations, has("moderation")),
            ),
            temper: if is_calm {
                Temper::default()
            } else {
                temper(&mut chance)
            },
            tables,
            spectators: chance.index(3),
            latency_ms: *chance.pick(&[0, 5, 80, 400]),
            stops: times(&mut chance, 1),
            crashes: times(&mut chance, 2),
        }
    }
}

/// Adds the settings of letters, or those of webhooks. Games that sleep for days are looked for less often.
fn with_outside(
    seed: u64,
    mut config: Config,
    (writes, has_vacations, is_moderated): (bool, bool, bool),
) -> Config {
    if !writes {
        config.webhooks = receiving::settings(seed, is_moderated);
    }
    if has_vacations {
        let timing = &mut config.timing;
        timing.sleep_min_ms = Millis(1_200_000);
        timing.wake_poll_ms = Millis(60_000);
    }
    let mut chance = Chance::new(seed, "mail");
    let mail = &mut config.mail;
    mail.from = format!("Tilewire <letters@{MAIL_DOMAIN}>");
    mail.wait_ms = Millis(*chance.pick(&[0, 2_000, 20_000]));
    mail.per_day = *chance.pick(&[3, 10, 50]);
    mail.connections = *chance.pick(&[1, 3]);
    mail.window = *chance.pick(&[2, 8]);
    mail.retry_ms = Millis(*chance.pick(&[1_000, 5_000]));
    mail.retry_max_ms = Millis(*chance.pick(&[5_000, 20_000]));
    mail.refusals = *chance.pick(&[2, 100]);
    config
}

/// Chooses what follows in live games when a player is away.
fn let_vanish(seed: u64, tables: &mut [Plan]) {
    let mut chance = Chance::new(seed, "vanish");
    for table in tables {
        let limit_ms = |clock: &Clock| clock.limit_ms.unwrap_or(0);
        let clock = table.options.clock.as_ref();
        let is_live = clock
            .is_some_and(|clock| clock.kind != ClockKind::Untimed && limit_ms(clock) < HOUR_MS);
        let policies = [
            None,
            Some(VanishPolicy::Adjourn),
            Some(VanishPolicy::Adjourn),
            Some(VanishPolicy::PlayOn),
        ];
        table.options.vanish = chance.pick(&policies).filter(|_| is_live);
    }
}

/// Gives people of every fourth seed, and of all seeds by correspondence, accounts; most of their games of two are rated. Returns whether it did.
fn register(seed: u64, tables: &mut [Plan]) -> bool {
    let mut chance = Chance::new(seed, "accounts");
    // By correspondence they get letters.
    let is_slow = tables.iter().all(Plan::is_by_correspondence);
    if !chance.one_in(4) && !is_slow {
        return false;
    }
    for table in tables {
        let kinds = (0..table.options.seats).map(|_| match chance.below(24) {
            0 => Kind::Newcomer,
            1..4 => Kind::Guest,
            _ => Kind::Member,
        });
        table.kinds = kinds.collect();
        let has_guests = table.kinds.contains(&Kind::Guest);
        if table.options.seats == 2 && !(has_guests && chance.one_in(2)) {
            rate(table);
            table.again = 2;
        }
    }
    true
}

/// Makes a game a rated one: for everybody to watch, with a clock that leaves time to play, and without a question before a
/// challenge.
fn rate(table: &mut Plan) {
    table.is_private = false;
    let options = &mut table.options;
    options.rated = true;
    if let Some(challenge) = &mut options.challenge {
        challenge.consent = false;
    }
    let clock = options.clock.get_or_insert(Clock::of(ClockKind::Untimed));
    if clock.kind == ClockKind::Untimed {
        clock.kind = ClockKind::SuddenDeath;
        clock.initial_ms = Some(90_000);
    }
    clock.initial_ms = clock.initial_ms.map(|ms| ms.max(60_000));
}

fn temper(chance: &mut Chance) -> Temper {
    Temper {
        wait_ms: *chance.pick(&[0, 1, 20, 300]),
        refuses: *chance.pick(&[0, 0, 12, 40]),
        is_vague: *chance.pick(&[0, 0, 12, 40]),
        stalls: *chance.pick(&[0, 0, 25]),
        crashes: *chance.pick(&[0, 60, 150]),
    }
}

fn config(seed: u64, chance: &mut Chance) -> Config {
    let mut config = Config::default();
    config.chat.scope = 2;
    let limits = &mut config.limits;
    limits.history_events = *chance.pick(&[2, 6, 30, 1_000]);
    limits.commands_waiting = *chance.pick(&[2, 8, 32]);
    limits.outbox_bytes = *chance.pick(&[12_000, 40_000, 1 << 20]);
    limits.hub_queue = *chance.pick(&[1, 8, 1_024]);
    limits.game_mailbox = *chance.pick(&[8, 256]);
    let timing = &mut config.timing;
    timing.vanish_grace_ms = Millis(*chance.pick(&[0, 1_000, 5_000]));
    timing.finished_idle_ms = Millis(*chance.pick(&[0, 3_000, 60_000]));
    timing.storage_stall_ms = Millis(*chance.pick(&[100, 2_000]));
    timing.storage_retry_ms = Millis(*chance.pick(&[10, 100]));
    timing.lag_credit_max_ms = Millis(*chance.pick(&[0, 0, 500]));
    // A separate random source, so that the other settings of a seed do not change.
    let mut sleep = Chance::new(seed, "sleep");
    timing.sleep_idle_ms = Millis(*sleep.pick(&[100, 2_000, 20_000]));
    timing.sleep_min_ms = Millis(*sleep.pick(&[10_000, 60_000, 1_200_000]));
    timing.wake_poll_ms = Millis(*sleep.pick(&[1_000, 7_000]));
    timing.wake_ahead_ms = Millis(*sleep.pick(&[0, 2_000]));
    let game = &mut config.game;
    game.ready_ms = Millis(*chance.pick(&[15_000, 60_000]));
    game.protect_ms = Millis(*chance.pick(&[0, 1_000, 5_000]));
    game.hold_ms = Millis(*chance.pick(&[10_000, 60_000]));
    game.consent_ms = Millis(*chance.pick(&[3_000, 30_000]));
    game.final_ms = Millis(*chance.pick(&[5_000, 20_000]));
    game.vanish_claim_ms = Millis(*chance.pick(&[5_000, 60_000]));
    game.abandon_ms = Millis(600_000);
    let mut nudges = Chance::new(seed, "nudges");
    game.nudge_ms = Millis(*nudges.pick(&[5_000, 180_000]));
    game.nudge_answer_ms = Millis(*nudges.pick(&[5_000, 20_000]));
    game.untimed_nudge_ms = Millis(*nudges.pick(&[5_000, 40_000]));
    game.untimed_nudge_answer_ms = Millis(*nudges.pick(&[5_000, 20_000]));
    let mut sleep = Chance::new(seed, "adjournments");
    game.adjourn_ms = Millis(*sleep.pick(&[20_000, 90_000]));
    game.adjourn_claim_ms = Millis(*sleep.pick(&[5_000, 30_000]));
    config
}

fn plan(chance: &mut Chance) -> Plan {
    let seats = *chance.pick(&[2, 2, 2, 3, 4]);
    let rule_set = match chance.below(10) {
        0 => "classic",
        _ => "small",
    };
    let kinds = [
        ChallengeKind::Double,
        ChallengeKind::Double,
        ChallengeKind::Single,
        ChallengeKind::FivePoint,
        ChallengeKind::TenPoint,
        ChallengeKind::Triple,
        ChallengeKind::Void,
    ];
    let mut kind = *chance.pick(&kinds);
    if kind == ChallengeKind::Triple && seats > 2 {
        kind = ChallengeKind::Single;
    }
    let pays = matches!(kind, ChallengeKind::FivePoint | ChallengeKind::TenPoint);
    let is_asked = !matches!(kind, ChallengeKind::Triple | ChallengeKind::Void);
    Plan {
        options: GameOptions {
            rule_set: rule_set.to_owned(),
            seats,
            lexicon: FOURTHS.name().to_owned(),
            language: None,
            clock: Some(clock(chance)),
            challenge: Some(Challenge {
                kind,
                window_ms: Some(*chance.pick(&[5_000, 9_000, 20_000])),
                per_word: pays && chance.one_in(2),
                consent: is_asked && chance.one_in(3),
            }),
            end: Some(EndOption {
                limit: *chance.pick(&[2, 3]),
                per_seat: true,
                counts: *chance.pick(&[EndCounts::Scoreless, EndCounts::Passes]),
                unless_all_zero: false,
            }),
            all_played: None,
            uncatchable: None,
            ties: None,
            first: Some(*chance.pick(&[FirstPlay::Draw, FirstPlay::Owner])),
            vanish_claim_ms: None,
            spectators: None,
            vacation: false,
            hints: (seats > 2).then_some(2),
            rated: false,
            vanish: None,
        },
        is_private: chance.one_in(4),
        kinds: Vec::new(),
        again: 0,
    }
}

/// Every third game is shown to spectators later than it happens.
fn spectators(chance: &mut Chance) -> Option<SpectatorView> {
    let delay_ms = *chance.pick(&[0, 0, 0, 0, 2_000, 20_000, 60_000, 90_000, 600_000]);
    let racks = delay_ms >= 60_000 && chance.one_in(2);
    (delay_ms > 0).then_some(SpectatorView { delay_ms, racks })
}

fn clock(chance: &mut Chance) -> Clock {
    let kind = *chance.pick(&[
        ClockKind::SuddenDeath,
        ClockKind::SuddenDeath,
        ClockKind::Increment,
        ClockKind::Delay,
        ClockKind::Overtime,
        ClockKind::PerMove,
        ClockKind::Untimed,
    ]);
    let mut clock = Clock::of(kind);
    let initial_ms = *chance.pick(&[8_000, 40_000, 90_000]);
    match kind {
        ClockKind::SuddenDeath => clock.initial_ms = Some(initial_ms),
        ClockKind::Increment => {
            clock.initial_ms = Some(initial_ms);
            clock.increment_ms = Some(*chance.pick(&[1_000, 5_000]));
        }
        ClockKind::Delay => {
            clock.initial_ms = Some(initial_ms);
            clock.delay_ms = Some(*chance.pick(&[1_000, 5_000]));
        }
        ClockKind::Overtime => {
            clock.initial_ms = Some(initial_ms);
            clock.penalty_per_minute = Some(10);
            clock.cap_ms = Some(*chance.pick(&[0, 61_000]));
        }
        ClockKind::PerMove => {
            clock.limit_ms = Some(*chance.pick(&[10_000, 30_000, 3_600_000, 3_600_000]));
            clock.bank_ms = Some(*chance.pick(&[0, 20_000]));
        }
        ClockKind::Untimed | ClockKind::Unknown => {}
    }
    clock
}

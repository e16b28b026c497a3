//! The class of each clock, the pool of each game, and the reasons why games are not rated.

use super::{PlayerKind, Pool, TimeClass, Unrated, lexicon_family, pool, rateable};
use tilewire_rules::clock::ClockKind;
use tilewire_rules::options::{Consent, GameOptions};
use tilewire_rules::ruleset::RuleSet;

use PlayerKind::{ExternalBot, Guest, HouseBot, Registered};
use TimeClass::{Blitz, Correspondence, Rapid, Standard, UltraBlitz};

const fn seconds(s: i64) -> i64 {
    s * 1_000
}

#[track_caller]
fn check_class(clock: ClockKind, expected: Option<TimeClass>) {
    assert_eq!(TimeClass::of(clock), expected, "{clock:?}");
}

#[test]
fn the_class_follows_from_the_time_of_a_usual_game() {
    let sudden = |s| ClockKind::SuddenDeath {
        initial_ms: seconds(s),
    };
    for (s, class) in [
        (1, UltraBlitz),
        (120, UltraBlitz),
        (121, Blitz),
        (360, Blitz),
        (361, Rapid),
        (840, Rapid),
        (841, Standard),
        (86_400, Standard),
    ] {
        check_class(sudden(s), Some(class));
    }
    check_class(
        ClockKind::SuddenDeath {
            initial_ms: 120_001,
        },
        Some(Blitz),
    );
    let increment = |s, more| ClockKind::Increment {
        initial_ms: seconds(s),
        increment_ms: seconds(more),
    };
    check_class(increment(40, 5), Some(UltraBlitz));
    check_class(increment(41, 5), Some(Blitz));
    let delay = |s, free| ClockKind::Delay {
        initial_ms: seconds(s),
        delay_ms: seconds(free),
    };
    check_class(delay(200, 10), Some(Blitz));
    check_class(delay(201, 10), Some(Rapid));
    let overtime = |s, cap| ClockKind::Overtime {
        initial_ms: seconds(s),
        penalty_per_minute: 10,
        cap_ms: seconds(cap),
    };
    check_class(overtime(240, 600), Some(Rapid));
    check_class(overtime(241, 600), Some(Standard));
    check_class(overtime(1_500, 600), Some(Standard));
    let per_move = |limit, bank| ClockKind::PerMove {
        limit_ms: seconds(limit),
        bank_ms: seconds(bank),
    };
    check_class(per_move(7, 8), Some(UltraBlitz));
    check_class(per_move(60, 0), Some(Standard));
    check_class(per_move(3_599, 0), Some(Standard));
    check_class(per_move(3_600, 0), Some(Correspondence));
    check_class(per_move(3 * 86_400, 0), Some(Correspondence));
    check_class(ClockKind::Untimed, None);
}

fn game(rule_set: &str) -> (GameOptions, std::sync::Arc<RuleSet>) {
    let rules = RuleSet::builtin(rule_set).expect("built in");
    (GameOptions::usual(&rules, "wordnik"), rules)
}

#[track_caller]
fn check(
    change: impl FnOnce(&mut GameOptions),
    rule_set: &str,
    players: &[(&str, PlayerKind)],
    expected: Result<&str, Unrated>,
) {
    let (mut options, rules) = game(rule_set);
    change(&mut options);
    let found = pool(&options, &rules, players).map(|pool| pool.to_string());
    assert_eq!(found.as_deref(), expected.as_ref().copied());
}

const PEOPLE: [(&str, PlayerKind); 2] = [("anna", Registered), ("ben", Registered)];

#[test]
fn a_rated_game_has_two_registered_players_and_a_comparable_game() {
    let as_usual = |_: &mut GameOptions| ();
    check(as_usual, "classic", &PEOPLE, Ok("classic/wordnik/standard"));
    check(
        as_usual,
        "wordfeud",
        &PEOPLE,
        Ok("wordfeud/wordnik/correspondence"),
    );
    check(
        |o| o.lexicon = "csw24".to_owned(),
        "tournament",
        &PEOPLE,
        Ok("tournament/csw/standard"),
    );
    check(
        as_usual,
        "wordfeud-random",
        &PEOPLE,
        Err(Unrated::DealtBoard),
    );
    check(as_usual, "email-challenge", &PEOPLE, Err(Unrated::Consent));
    check(
        |o| o.challenge.consent = Consent::Asked,
        "classic",
        &PEOPLE,
        Err(Unrated::Consent),
    );
    check(
        |o| o.clock = ClockKind::Untimed,
        "classic",
        &PEOPLE,
        Err(Unrated::Untimed),
    );
    let fast =
        |initial_ms| move |o: &mut GameOptions| o.clock = ClockKind::SuddenDeath { initial_ms };
    let too_fast = Err(Unrated::TooFast);
    check(fast(100), "classic", &PEOPLE, too_fast);
    check(fast(59_999), "classic", &PEOPLE, too_fast);
    let fastest = Ok("classic/wordnik/ultra_blitz");
    check(fast(60_000), "classic", &PEOPLE, fastest);
    check(
        |o| {
            o.clock = ClockKind::Increment {
                initial_ms: 28_000,
                increment_ms: 2_000,
            };
        },
        "classic",
        &PEOPLE,
        fastest,
    );
    check(
        |o| o.seats = 3,
        "classic",
        &PEOPLE,
        Err(Unrated::NotTwoSeats),
    );
    check(
        as_usual,
        "classic",
        &[("anna", Registered)],
        Err(Unrated::NotTwoSeats),
    );
}

#[test]
fn guests_and_bots_do_not_change_the_ratings_of_people() {
    let with = |other: (&'static str, PlayerKind), expected| {
        for players in [[PEOPLE[0], other], [other, PEOPLE[0]]] {
            check(|_| (), "classic", &players, expected);
        }
    };
    with(("guest", Guest), Err(Unrated::Guest));
    with(("bot-club", HouseBot), Err(Unrated::HouseBot));
    with(("engine", ExternalBot), Err(Unrated::PersonAgainstBot));
    with(("anna", Registered), Err(Unrated::SamePlayer));
    let bots = [("engine", ExternalBot), ("motor", ExternalBot)];
    check(
        |_| (),
        "classic",
        &bots,
        Ok("bots/classic/wordnik/standard"),
    );
}

#[test]
fn games_on_dealt_boards_are_never_rated() {
    let (options, rules) = game("wordfeud-random");
    let refused = rateable(&options, &rules).expect_err("dealt");
    assert_eq!(refused.code(), "dealt_board");
    assert_eq!(refused.to_string(), "games on dealt boards are never rated");
}

#[test]
fn an_edition_stays_in_the_family_of_its_lexicon() {
    for (lexicon, family) in [
        ("wordnik", "wordnik"),
        ("csw24", "csw"),
        ("csw-2019", "csw"),
        ("nwl2023", "nwl"),
        ("my-list", "my-list"),
        ("1914", "1914"),
    ] {
        assert_eq!(lexicon_family(lexicon), family);
    }
}

#[test]
fn a_pool_reads_back_from_its_name() {
    for name in [
        "classic/wordnik/ultra_blitz",
        "bots/wordfeud/swl/correspondence",
    ] {
        let pool = Pool::try_from(name.to_owned()).expect("a pool");
        assert_eq!(pool.to_string(), name);
        let json = serde_json::to_string(&pool).expect("text");
        assert_eq!(serde_json::from_str::<Pool>(&json).expect("the same"), pool);
    }
    for name in [
        "",
        "classic",
        "classic/wordnik",
        "classic/wordnik/slow",
        "/wordnik/rapid",
        "a/b/rapid/c",
    ] {
        assert!(Pool::try_from(name.to_owned()).is_err(), "{name}");
    }
}

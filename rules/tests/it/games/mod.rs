//! Whole games played at random, in time and out of time, legal and illegal, against slow checks.

mod record_document;
mod sequence_table;
mod views;

use proptest::prelude::*;
use std::sync::Arc;
use tilewire_oracle::walk::{self, Walk, is_word};
use tilewire_oracle::{Judge, Records, Slack};
use tilewire_rules::clock::ClockKind;
use tilewire_rules::event::Record;
use tilewire_rules::game::Game;
use tilewire_rules::options::{ChallengeKind, Consent, GameOptions, PointsPer};
use tilewire_rules::record::{check_gcg, check_native, gcg};
use tilewire_rules::ruleset::RuleSet;

/// Games as players could set them up.
fn options() -> impl Strategy<Value = (Arc<RuleSet>, GameOptions)> {
    let clocks = prop_oneof![
        Just(ClockKind::Untimed),
        Just(ClockKind::SuddenDeath {
            initial_ms: 400_000
        }),
        Just(ClockKind::Increment {
            initial_ms: 100_000,
            increment_ms: 9_000
        }),
        Just(ClockKind::Delay {
            initial_ms: 100_000,
            delay_ms: 7_000
        }),
        Just(ClockKind::Overtime {
            initial_ms: 90_000,
            penalty_per_minute: 10,
            cap_ms: 120_000
        }),
        Just(ClockKind::PerMove {
            limit_ms: 40_000,
            bank_ms: 60_000
        }),
    ];
    let kinds = prop_oneof![
        Just(ChallengeKind::Void),
        Just(ChallengeKind::Single),
        Just(ChallengeKind::Double),
        Just(ChallengeKind::FivePoint),
        Just(ChallengeKind::TenPoint),
        Just(ChallengeKind::Triple),
    ];
    let window = prop_oneof![Just(None), Just(Some(5_000)), Just(Some(20_000))];
    (
        clocks,
        kinds,
        2..=4_u8,
        window,
        any::<bool>(),
        any::<bool>(),
        rule_sets(),
    )
        .prop_map(|(clock, kind, seats, window_ms, per_word, asked, rules)| {
            let mut options = GameOptions::usual(&rules, "hashed");
            let seats = seats.min(rules.max_seats);
            let kind = if rules.challenges.contains(&kind) {
                kind
            } else {
                rules.challenges[0]
            };
            options.clock = clock;
            options.seats = if kind == ChallengeKind::Triple {
                2
            } else {
                seats
            };
            options.challenge.kind = kind;
            options.challenge.window_ms = window_ms;
            if per_word && matches!(kind, ChallengeKind::FivePoint | ChallengeKind::TenPoint) {
                options.challenge.points_per = PointsPer::Word;
            }
            if asked && !matches!(kind, ChallengeKind::Void | ChallengeKind::Triple) {
                options.challenge.consent = Consent::Asked;
            }
            (rules, options)
        })
}

/// Every rule set in every language it can be played in, each rule set as often as any other.
fn rule_sets() -> impl Strategy<Value = Arc<RuleSet>> {
    (any::<prop::sample::Index>(), any::<prop::sample::Index>()).prop_map(|(set, language)| {
        let rules = set.get(RuleSet::builtins());
        let languages: Vec<&str> = rules.languages().collect();
        let rules = rules.in_language(languages[language.index(languages.len())]);
        Arc::new(rules.expect("one of its languages"))
    })
}

/// Lets the oracle judge a whole log.
fn judge(walk: &Walk) {
    // With more than two seats a command may wait for the opponents.
    let slack = if walk.options.seats == 2 {
        Slack::None
    } else {
        Slack::Any
    };
    let is_good = |word: &str| {
        let letters = walk.rules.tiles.parse_word(word);
        letters.is_some_and(|letters| is_word(&letters))
    };
    let mut judge = Judge::new(is_good, slack);
    let mut records = Records::new(Arc::clone(&walk.rules));
    for record in &walk.log {
        let document = records.document(record).expect("a record is a document");
        judge.event(&document).expect("the oracle agrees");
    }
    assert!(judge.fold.is_over());
}

/// So many games, unless `PROPTEST_CASES` asks for another number.
fn cases(cases: u32) -> ProptestConfig {
    if std::env::var_os("PROPTEST_CASES").is_some() {
        return ProptestConfig::default();
    }
    ProptestConfig {
        cases,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(cases(60))]

    /// Checks conservation, refusals without effect, and every recomputed number, after every input of a
    /// random game. Its record and its score sheet are exact.
    #[test]
    fn random_games_keep_every_invariant((rules, options) in options(), seed in any::<u64>()) {
        let mut walk = Walk::new(&rules, options, seed);
        for _ in 0..walk::MAX_INPUTS {
            walk.step();
            if walk.is_over() {
                break;
            }
        }
        // Every game ends if time passes and no seat acts.
        walk.run_out();
        prop_assert!(walk.is_over());
        judge(&walk);
        let report = check_native(&walk.rules, &walk.log, Some(&walk::Hashed));
        prop_assert!(report.is_exact(), "{:?}", report.findings);
        // The score sheet knows the dealt premium squares from the last state only.
        let (_, last) = walk.states.last().expect("a walk has states");
        let sheet = gcg::write(&gcg::from_log(&walk.rules, &walk.log).expect("a log has a sheet"));
        let read = gcg::read(sheet.as_bytes()).expect("a written sheet can be read");
        let report = check_gcg(&read, last.rules(), None);
        prop_assert!(report.is_exact(), "{:?}\n{sheet}", report.findings);
    }

    /// The state after every single event is the fold over the log so far, also when the log has
    /// been written down and read again in between.
    #[test]
    fn every_prefix_of_a_log_replays((rules, options) in options(), seed in any::<u64>()) {
        let mut walk = Walk::new(&rules, options, seed);
        for _ in 0..60 {
            walk.step();
        }
        let stored: Vec<Vec<u8>> = walk
            .log
            .iter()
            .map(|record| rmp_serde::to_vec_named(record).expect("a record can be written"))
            .collect();
        let read: Vec<Record> = stored
            .iter()
            .map(|bytes| rmp_serde::from_slice(bytes).expect("and read again"))
            .collect();
        prop_assert_eq!(&read, &walk.log);
        for (len, state) in &walk.states {
            let replayed = Game::replay(walk.rules.clone(), &read[..*len]).expect("a prefix replays");
            prop_assert_eq!(replayed.state(), state);
        }
        // Between the states seen from outside, too: no prefix of a batch breaks the fold.
        for len in 1..read.len() {
            prop_assert!(Game::replay(walk.rules.clone(), &read[..len]).is_ok());
        }
    }
}

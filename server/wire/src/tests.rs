//! The border: defaults, refusals, and nothing lost on the way.

use tilewire_protocol as wire;
use tilewire_protocol::{ClientMessage, ErrorCode};
use tilewire_rules::clock::ClockKind;
use tilewire_rules::options::{Consent, GameOptions, PointsPer, Timing, VanishPolicy};
use tilewire_rules::play::PlacementError;
use tilewire_rules::rejection::Rejection;
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::time::TurnNo;

use super::{from_wire, options, rejection};
use crate::catalogue::Catalogue;
use crate::lexica::Lexica;

fn clock_of(options: &mut wire::GameOptions) -> &mut wire::Clock {
    options.clock.as_mut().expect("a clock is named")
}

fn challenge_of(options: &mut wire::GameOptions) -> &mut wire::Challenge {
    options
        .challenge
        .as_mut()
        .expect("a challenge rule is named")
}

fn asked(clock: wire::ClockKind, challenge: wire::ChallengeKind) -> wire::GameOptions {
    wire::GameOptions {
        rule_set: "classic".to_owned(),
        seats: 2,
        lexicon: "wordnik".to_owned(),
        clock: Some(wire::Clock::of(clock)),
        challenge: Some(wire::Challenge::of(challenge)),
        end: None,
        language: None,
        all_played: None,
        uncatchable: None,
        ties: None,
        first: None,
        vanish_claim_ms: None,
        spectators: None,
        rated: false,
        vanish: None,
        vacation: false,
        hints: None,
    }
}

fn usual() -> wire::GameOptions {
    asked(wire::ClockKind::Overtime, wire::ChallengeKind::Double)
}

fn read(asked: &wire::GameOptions) -> Result<GameOptions, (ErrorCode, String)> {
    let read = options::from_wire(asked, Timing::default(), &Catalogue::new(Lexica::builtin()));
    read.map_err(|refusal| {
        let field = refusal.detail.field.clone().unwrap_or_default();
        (refusal.code, field)
    })
}

#[test]
fn missing_fields_are_the_usual_game() {
    assert_eq!(read(&usual()), Ok(GameOptions::classic("wordnik")));
}

#[test]
fn every_kind_of_clock_and_challenge_goes_there_and_back() {
    for clock in wire::ClockKind::ALL {
        for challenge in wire::ChallengeKind::ALL {
            let read_once = read(&asked(*clock, *challenge)).unwrap();
            let mut shown = options::to_wire(&read_once);
            assert_eq!(
                (shown.clock_kind(), shown.challenge_kind()),
                (*clock, *challenge)
            );
            assert_eq!(clock_of(&mut shown).foreign_field(), None);
            assert_eq!(
                read(&shown),
                Ok(read_once),
                "what is shown can be asked for"
            );
        }
    }
}

#[test]
fn a_window_of_zero_has_no_timer() {
    let mut asked = usual();
    challenge_of(&mut asked).window_ms = Some(0);
    assert_eq!(read(&asked).unwrap().challenge.window_ms, None);
    let mut shown = options::to_wire(&read(&asked).unwrap());
    assert_eq!(challenge_of(&mut shown).window_ms, Some(0));
}

#[test]
fn options_that_do_not_go_together_name_their_field() {
    let check = |change: fn(&mut wire::GameOptions), code, field: &str| {
        let mut asked = usual();
        change(&mut asked);
        assert_eq!(read(&asked), Err((code, format!("options.{field}"))));
    };
    let bad = ErrorCode::BadOptions;
    check(|o| clock_of(o).delay_ms = Some(1), bad, "clock.delay_ms");
    check(|o| clock_of(o).bank_ms = Some(0), bad, "clock.bank_ms");
    check(
        |o| clock_of(o).initial_ms = Some(0),
        bad,
        "clock.initial_ms",
    );
    check(
        |o| clock_of(o).kind = wire::ClockKind::Unknown,
        bad,
        "clock.kind",
    );
    let unknown = |o: &mut wire::GameOptions| challenge_of(o).kind = wire::ChallengeKind::Unknown;
    check(unknown, bad, "challenge.kind");
    check(
        |o| challenge_of(o).per_word = true,
        bad,
        "challenge.per_word",
    );
    check(
        |o| challenge_of(o).window_ms = Some(1),
        bad,
        "challenge.window_ms",
    );
    check(|o| o.seats = 9, bad, "seats");
    check(|o| o.vanish_claim_ms = Some(-1), bad, "vanish_claim_ms");
    let unknown = |o: &mut wire::GameOptions| o.vanish = Some(wire::VanishPolicy::Unknown);
    check(unknown, bad, "vanish");
    let untimed = |o: &mut wire::GameOptions| {
        o.clock = Some(wire::Clock::of(wire::ClockKind::Untimed));
        o.vanish = Some(wire::VanishPolicy::PlayOn);
    };
    check(untimed, bad, "vanish");
    check(|o| o.ties = Some(wire::Ties::Unknown), bad, "ties");
    check(|o| o.first = Some(wire::FirstPlay::Unknown), bad, "first");
    let end = |o: &mut wire::GameOptions| {
        o.end = Some(wire::EndOption {
            limit: 70_000,
            per_seat: true,
            counts: wire::EndCounts::Passes,
            unless_all_zero: false,
        });
    };
    check(end, bad, "end.limit");
    let rules = |o: &mut wire::GameOptions| o.rule_set = "other".to_owned();
    check(rules, ErrorCode::UnknownRuleSet, "rule_set");
    let lexicon = |o: &mut wire::GameOptions| o.lexicon = "other".to_owned();
    check(lexicon, ErrorCode::UnknownLexicon, "lexicon");
}

#[test]
fn what_was_chosen_is_what_is_played() {
    let mut asked = asked(wire::ClockKind::PerMove, wire::ChallengeKind::TenPoint);
    clock_of(&mut asked).limit_ms = Some(1_234);
    challenge_of(&mut asked).per_word = true;
    challenge_of(&mut asked).consent = true;
    asked.vanish_claim_ms = Some(77);
    asked.vanish = Some(wire::VanishPolicy::Adjourn);
    let read = read(&asked).unwrap();
    let (limit_ms, bank_ms) = (1_234, 0);
    assert_eq!(read.clock, ClockKind::PerMove { limit_ms, bank_ms });
    assert_eq!(read.challenge.points_per, PointsPer::Word);
    assert_eq!(read.challenge.consent, Consent::Asked);
    assert_eq!(read.timing.vanish_claim_ms, 77);
    assert_eq!(read.vanish, VanishPolicy::Adjourn);
    let told = options::to_wire(&read).vanish;
    assert_eq!(told, asked.vanish);
    asked.vanish = Some(wire::VanishPolicy::Claim);
    let usual = self::read(&asked).unwrap();
    assert_eq!(options::to_wire(&usual).vanish, None);
}

/// The protocol tells clients the ranges of the rules.
#[test]
fn the_ranges_of_the_protocol_are_those_of_the_rules() {
    use tilewire_protocol::limits;
    use tilewire_rules::options as rules;
    assert_eq!(limits::CLOCK_MIN_MS, rules::MIN_CLOCK_MS);
    assert_eq!(limits::DURATION_MAX_MS, rules::MAX_DURATION_MS);
    assert_eq!(limits::LIVE_MAX_MS, rules::MAX_LIVE_MS);
    assert_eq!(limits::LIVE_TURN_MAX_MS, rules::MAX_LIVE_TURN_MS);
    assert_eq!((5_000, limits::WINDOW_MAX_MS), rules::WINDOW_RANGE_MS);
    assert_eq!(limits::PENALTY_MAX, rules::MAX_PENALTY);
    assert_eq!(limits::TURN_LIMIT_MAX, u32::from(rules::MAX_TURN_LIMIT));
    assert_eq!(
        limits::SPECTATOR_DELAY_MAX_MS,
        rules::MAX_SPECTATOR_DELAY_MS
    );
}

#[test]
fn a_play_that_cannot_be_read_says_why() {
    let check = |start: &str, tiles: &[&str], code, field: Option<&str>| {
        let message = ClientMessage::Play(wire::Play {
            game: "g".into(),
            cmd_id: "c".into(),
            turn_no: 1,
            start: start.to_owned(),
            tiles: tiles.iter().map(|face| (*face).to_owned()).collect(),
        });
        let refusal = from_wire::action(&RuleSet::classic(), &message).unwrap_err();
        assert_eq!(refusal.code, code);
        assert_eq!(refusal.detail.field.as_deref(), field);
    };
    for start in ["88", "8g", "g8", "08G", "G08", "8 G", ""] {
        check(start, &["A"], ErrorCode::BadCoordinate, Some("start"));
    }
    check("8F", &["1"], ErrorCode::UnknownTile, None);
    check("8F", &["?"], ErrorCode::BlankUnassigned, None);
}

#[test]
fn a_refusal_carries_what_a_client_needs() {
    let rules = RuleSet::classic();
    let expected = TurnNo(4);
    let error = rejection::error(&rules, &Rejection::WrongPosition { expected });
    assert_eq!(error.code, ErrorCode::WrongPosition);
    assert_eq!(error.detail.unwrap().expected_turn_no, Some(4));
    let square = "H8".parse().unwrap();
    let gap = Rejection::Placement(PlacementError::Gap { square });
    let error = rejection::error(&rules, &gap);
    assert_eq!(error.code, ErrorCode::Gap);
    assert_eq!(error.detail.unwrap().squares, Some(vec!["H8".to_owned()]));
    let missing = rules.tiles.parse_tile("Q").into_iter().collect();
    let error = rejection::error(&rules, &Rejection::NotOnRack { missing });
    assert_eq!(error.code, ErrorCode::TileNotInRack);
    assert_eq!(error.message, "you don't have the tile Q");
    assert_eq!(error.detail.unwrap().tiles, Some(vec!["Q".to_owned()]));
    let error = rejection::error(&rules, &Rejection::NotYourTurn);
    assert_eq!((error.code, error.detail), (ErrorCode::NotYourTurn, None));
}

#[test]
fn racks_are_shown_with_a_delay_only() {
    let with = |delay_ms, racks| {
        let view = wire::SpectatorView { delay_ms, racks };
        read(&wire::GameOptions {
            spectators: Some(view),
            ..usual()
        })
    };
    for (delay_ms, racks) in [(1, false), (3_600_000, false), (60_000, true)] {
        let options = with(delay_ms, racks).unwrap();
        let told = options::to_wire(&options).spectators;
        assert_eq!(told, Some(wire::SpectatorView { delay_ms, racks }));
    }
    // No delay is the usual game, however it is asked for.
    assert_eq!(with(0, false), read(&usual()));
    for (delay_ms, racks) in [
        (-1, false),
        (3_600_001, false),
        (0, true),
        (59_999, true),
        (-1, true),
    ] {
        let refused = (
            ErrorCode::BadOptions,
            "options.spectators.delay_ms".to_owned(),
        );
        assert_eq!(with(delay_ms, racks), Err(refused));
    }
}

/// `not_rateable` names the reason; a casual game of the same kind is fine.
#[test]
fn a_game_that_cannot_be_rated_is_refused() {
    let reason = |change: &dyn Fn(&mut wire::GameOptions)| {
        let mut asked = usual();
        change(&mut asked);
        assert!(read(&asked).is_ok(), "the casual game");
        asked.rated = true;
        let catalogue = Catalogue::new(Lexica::builtin());
        let read = options::from_wire(&asked, Timing::default(), &catalogue);
        let refusal = read.expect_err("never rated");
        assert_eq!(refusal.code, ErrorCode::NotRateable);
        refusal.detail.reason.expect("a reason for programs")
    };
    assert_eq!(reason(&|asked| asked.seats = 3), "not_two_seats");
    assert_eq!(
        reason(&|asked| challenge_of(asked).consent = true),
        "consent"
    );
    let untimed = |asked: &mut wire::GameOptions| {
        asked.clock = Some(wire::Clock::of(wire::ClockKind::Untimed));
    };
    assert_eq!(reason(&untimed), "untimed");
    let options = read(&wire::GameOptions {
        rated: true,
        ..usual()
    });
    let options = options.expect("a usual game can be rated");
    assert!(options.rated && options::to_wire(&options).rated);
}

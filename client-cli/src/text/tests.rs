//! Durations, clocks, challenge rules and options, from text and to text.

use tilewire_protocol::ChallengeKind;

use super::*;

#[test]
fn durations() {
    for (text, ms) in [
        ("20s", 20_000),
        ("25m", 1_500_000),
        ("72h", 259_200_000),
        ("3d", 259_200_000),
        ("1h30m", 5_400_000),
        ("250ms", 250),
        ("0", 0),
    ] {
        assert_eq!(parse_duration_ms(text), Ok(ms), "{text}");
        assert_eq!(parse_duration_ms(&format_ms(ms)), Ok(ms), "{text} and back");
    }
    for text in [
        "",
        "20",
        "s",
        "-5s",
        "1x",
        "5 m",
        "99999999999999999d",
        "20ss",
    ] {
        assert!(parse_duration_ms(text).is_err(), "{text}");
    }
}

#[test]
fn times_ago() {
    for (ms, text) in [
        (-5, "just now"),
        (59_999, "just now"),
        (60_000, "1m ago"),
        (7_300_000, "2h ago"),
        (200_000_000, "2d ago"),
    ] {
        assert_eq!(ago(ms), text, "{ms}");
    }
}

#[test]
fn clocks() {
    let clock = |text: &str| parse_clock(text).expect(text);
    let overtime = clock("overtime:25m,penalty=5,cap=10m");
    assert_eq!(overtime.initial_ms, Some(1_500_000));
    assert_eq!(overtime.cap_ms, Some(600_000));
    assert_eq!(overtime.penalty_per_minute, Some(5));
    assert_eq!(clock("overtime:25m").cap_ms, None, "the server's default");
    assert_eq!(clock("increment:15m+10s").increment_ms, Some(10_000));
    assert_eq!(clock("delay:15m+1500ms").delay_ms, Some(1_500));
    assert_eq!(clock("sudden:20m").initial_ms, Some(1_200_000));
    let per_move = clock("per-move:72h,bank=1h");
    assert_eq!(
        (per_move.limit_ms, per_move.bank_ms),
        (Some(259_200_000), Some(3_600_000))
    );
    assert_eq!(clock("untimed").kind, tilewire_protocol::ClockKind::Untimed);
    assert_eq!(clock("sudden").initial_ms, None, "the server's default");
    for text in [
        "",
        "fast",
        "untimed:5m",
        "sudden:5m+5m",
        "delay:15m,bank=1h",
        "overtime:x",
        "overtime:25m,penalty=x",
    ] {
        let error = parse_clock(text).expect_err(text);
        assert!(error.contains('`'), "{text}: {error}");
    }
}

#[test]
fn challenges() {
    let rule = parse_challenge("five-point,window=30s,per-word").unwrap();
    assert_eq!(rule.window_ms, Some(30_000));
    assert!(rule.per_word && !rule.consent);
    assert!(parse_challenge("double,consent").unwrap().consent);
    assert_eq!(
        parse_challenge("triple,window=0").unwrap().window_ms,
        Some(0)
    );
    for text in [
        "",
        "maybe",
        "double,window",
        "double,often",
        "double,window=soon",
    ] {
        assert!(parse_challenge(text).is_err(), "{text}");
    }
}

/// The names that the program shows are those that its options accept.
#[test]
fn every_challenge_rule_is_shown_as_it_is_written() {
    for (written, kind) in [
        ("void", ChallengeKind::Void),
        ("single", ChallengeKind::Single),
        ("double", ChallengeKind::Double),
        ("five-point", ChallengeKind::FivePoint),
        ("ten-point", ChallengeKind::TenPoint),
        ("triple", ChallengeKind::Triple),
    ] {
        let rule = parse_challenge(written).unwrap();
        assert_eq!(rule.kind, kind);
        let shown = format_challenge(&rule);
        assert_eq!(shown.split(' ').next(), Some(written), "{shown}");
        let error = parse_challenge("maybe").unwrap_err();
        assert!(error.contains(written), "{written} in {error}");
    }
}

#[test]
fn spectators() {
    let view = |text| parse_spectators(text).map(|view| (view.delay_ms, view.racks));
    assert_eq!(view("3m"), Ok((180_000, false)));
    assert_eq!(view("90s,racks"), Ok((90_000, true)));
    for text in ["", "racks", "3m,all", "3m,", "soon,racks"] {
        assert!(view(text).is_err(), "{text}");
    }
}

#[test]
fn options_in_words() {
    let options = |clock: &str, challenge: &str| tilewire_protocol::GameOptions {
        rule_set: "classic".to_owned(),
        seats: 2,
        lexicon: "words".to_owned(),
        language: None,
        clock: Some(parse_clock(clock).unwrap()),
        challenge: Some(parse_challenge(challenge).unwrap()),
        end: None,
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
    };
    for (clock, challenge, text) in [
        ("overtime:25m,penalty=10,cap=10m", "double", "double"),
        (
            "increment:15m+10s",
            "five-point,window=30s,per-word",
            "five-point within 30s, per word",
        ),
        (
            "per-move:3d,bank=1h",
            "single,window=0,consent",
            "single without timer, with consent",
        ),
        ("untimed", "void", "void"),
    ] {
        assert_eq!(
            format_options(&options(clock, challenge)),
            format!("classic, {clock}, challenge {text}")
        );
    }
    let mut delayed = options("untimed", "void");
    delayed.spectators = parse_spectators("3m,racks").ok();
    assert_eq!(
        format_options(&delayed),
        "classic, untimed, challenge void, spectators 3m behind, with racks"
    );
}

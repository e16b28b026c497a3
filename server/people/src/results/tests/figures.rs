//! The figures of each seat, by hand and in random games.

use super::log::{Log, NoZ};
use crate::pools::PlayerKind;
use crate::results::{Facts, Figures, GameResult, HighestPlay, Stake};
use std::sync::Arc;
use tilewire_oracle::walk::Walk;
use tilewire_rules::event::{EndReason, Event, PublicEvent, Record, Verdict};
use tilewire_rules::options::{ChallengeKind, GameOptions};
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::time::{Millis, Seat, Seq};

const FINALS: [super::Final; 2] = [(1, 0, 0, 1), (0, 0, 0, 2)];

#[track_caller]
fn check(mut log: Log, expected: [Figures; 2]) {
    let result = log.result(EndReason::OutPlay, &FINALS);
    for (seat, expected) in result.seats.iter().zip(expected) {
        assert_eq!(seat.figures, expected, "{}", seat.name);
    }
}

fn figures(change: impl FnOnce(&mut Figures)) -> Figures {
    let mut figures = Figures {
        phonies_played: Some(0),
        ..Figures::default()
    };
    change(&mut figures);
    figures
}

fn highest(word: &str, points: i32) -> Option<HighestPlay> {
    Some(HighestPlay {
        word: word.to_owned(),
        points,
    })
}

#[test]
fn turns_of_every_kind_are_counted() {
    let mut log = Log::new("classic", 2);
    log.play(0, "trainer", 64, 50);
    log.exchange(1);
    log.play(0, "horn", 64, 0);
    log.pass(1);
    log.play(0, "be", 0, 0);
    log.lose_turn(1);
    let anna = figures(|f| {
        (f.moved_first, f.turns, f.turn_points, f.bingos) = (true, 3, 128, 1);
        f.highest_play = highest("trainer", 64);
        f.clock_ms = Millis(30_000);
    });
    let ben = figures(|f| {
        (f.turns, f.exchanges, f.passes, f.lost_turns) = (3, 1, 1, 1);
        f.clock_ms = Millis(20_000);
    });
    assert_eq!((anna.own_turns(), ben.own_turns()), (3, 2));
    check(log, [anna, ben]);
}

#[test]
fn a_play_taken_off_is_a_turn_of_no_points() {
    let mut log = Log::new("classic", 2);
    log.play(0, "zzz", 90, 50);
    log.challenge(1, Verdict::Off);
    log.play(1, "farm", 9, 0);
    log.challenge(0, Verdict::StandsTurnLost);
    log.lose_turn(0);
    let anna = figures(|f| {
        (f.moved_first, f.turns, f.lost_turns) = (true, 2, 1);
        (f.phonies_played, f.phonies_caught, f.challenges_lost) = (Some(1), 1, 1);
        f.clock_ms = Millis(10_000);
    });
    let ben = figures(|f| {
        (f.turns, f.turn_points, f.challenges_won) = (1, 9, 1);
        (f.highest_play, f.clock_ms) = (highest("farm", 9), Millis(10_000));
    });
    check(log, [anna, ben]);
}

#[test]
fn a_phony_that_stands_counts_as_played_and_a_withdrawn_play_does_not() {
    let mut log = Log::new("classic", 2);
    log.play(0, "zoo", 30, 0);
    log.play(1, "zzz", 20, 0);
    log.challenge(0, Verdict::Withdrawn);
    let anna = figures(|f| {
        (f.moved_first, f.turns, f.turn_points) = (true, 1, 30);
        (f.phonies_played, f.challenges_won) = (Some(1), 1);
        (f.highest_play, f.clock_ms) = (highest("zoo", 30), Millis(10_000));
    });
    let ben = figures(|f| (f.turns, f.clock_ms) = (1, Millis(10_000)));
    check(log, [anna, ben]);
}

#[test]
fn an_outage_is_no_thinking_time() {
    let mut log = Log::new("classic", 2);
    log.turn(0, 7);
    log.outage(1_000);
    log.now = log.now.plus(5_000);
    let result = log.result(EndReason::OutPlay, &FINALS);
    assert_eq!(result.seats[0].figures.clock_ms, Millis(12_000));
}

#[test]
fn without_the_lexicon_unchallenged_phonies_are_unknown() {
    let mut log = Log::new("classic", 2);
    log.play(0, "zzz", 20, 0);
    let records = log.end(EndReason::OutPlay, &FINALS);
    let facts = Facts {
        players: &log.players,
        stake: Stake::Casual,
        series: None,
        is_private: false,
        lexicon: None,
    };
    let result = GameResult::from_log(&RuleSet::classic(), &records, &facts).expect("a game");
    assert_eq!(result.seats[0].figures.phonies_played, None);
}

/// The points of challenges of a seat, from the bare events.
fn challenge_points(records: &[Record], seat: Seat) -> i32 {
    let decided = records.iter().filter_map(|record| match &record.event {
        Event::Public(PublicEvent::ChallengeDecided(decided)) => Some(&decided.points),
        _ => None,
    });
    decided
        .flatten()
        .filter(|(other, _)| *other == seat)
        .map(|(_, points)| points)
        .sum()
}

/// The plays that a challenge took off, from the bare events.
fn taken_off(records: &[Record]) -> Vec<Seq> {
    let off = records.iter().filter_map(|record| match &record.event {
        Event::Public(PublicEvent::ChallengeDecided(decided)) => {
            decided.verdict.is_off().then_some(decided.play_id)
        }
        _ => None,
    });
    off.collect()
}

/// Compares the figures with bare counts over the events, and with the scores that the rules computed.
#[track_caller]
fn check_walk(rules: &Arc<RuleSet>, records: &[Record], seats: u8) {
    let players = vec![PlayerKind::Guest; usize::from(seats)];
    let facts = Facts {
        players: &players,
        stake: Stake::Rated,
        series: None,
        is_private: false,
        lexicon: Some(&NoZ),
    };
    let result = GameResult::from_log(rules, records, &facts).expect("a finished game");
    let off = taken_off(records);
    for (row, seat) in result.seats.iter().zip(Seat::all(seats)) {
        let figures = &row.figures;
        assert_eq!(
            figures.turn_points + challenge_points(records, seat),
            row.score,
            "{}",
            result.game
        );
        let (mut turns, mut bingos, mut highest) = (0, 0, None::<i32>);
        for record in records {
            match &record.event {
                Event::Exchanged { seat: by, .. }
                | Event::Public(
                    PublicEvent::Passed { seat: by, .. } | PublicEvent::TurnLost { seat: by, .. },
                ) => {
                    turns += u32::from(*by == seat);
                }
                Event::Public(PublicEvent::PlayMade(play)) if play.seat == seat => {
                    turns += 1;
                    if !off.contains(&record.seq) {
                        bingos += u32::from(play.bonus > 0);
                        highest = highest.max(Some(play.score));
                    }
                }
                _ => {}
            }
        }
        assert_eq!((figures.turns, figures.bingos), (turns, bingos));
        assert_eq!(
            figures.highest_play.as_ref().map(|play| play.points),
            highest
        );
    }
    let won: u32 = result
        .seats
        .iter()
        .map(|row| row.figures.challenges_won)
        .sum();
    assert_eq!(usize::try_from(won), Ok(off.len()));
    let thought: i64 = result.seats.iter().map(|row| row.figures.clock_ms.0).sum();
    assert!(thought <= result.ended_at.since(result.created_at));
    assert_eq!(result.rated_game(), None);
}

#[test]
fn random_games_have_figures_that_add_up() {
    let kinds = [
        ChallengeKind::Double,
        ChallengeKind::FivePoint,
        ChallengeKind::TenPoint,
        ChallengeKind::Single,
    ];
    let mut finished = 0;
    for (seed, kind) in (0..60).zip(kinds.into_iter().cycle()) {
        let rules = RuleSet::classic();
        let mut options = GameOptions::usual(&rules, "hashed");
        options.seats = 2 + u8::try_from(seed % 3).expect("small");
        options.challenge.kind = kind;
        let seats = options.seats;
        let mut walk = Walk::new(&rules, options, seed);
        for _ in 0..400 {
            if walk.is_over() {
                break;
            }
            walk.step();
        }
        if walk.is_over() {
            finished += 1;
            check_walk(&rules, &walk.log, seats);
        }
    }
    assert!(finished > 10, "{finished} games ended");
}

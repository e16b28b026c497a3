//! The parts of messages.

use tilewire_protocol::*;

/// 2026-06-01 12:00:00 UTC, unix ms.
pub(crate) const NOON: i64 = 1_780_315_200_000;

pub(crate) fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

/// 32 bytes that begin with `first` and count on.
pub(crate) fn hash(first: u8) -> Bytes {
    Bytes((0..32).map(|step| first.wrapping_add(step)).collect())
}

pub(crate) fn game() -> GameId {
    "g4k7m2q9x3t5v".into()
}

pub(crate) fn person(identity: &str, name: &str) -> Person {
    Person {
        identity: identity.into(),
        name: name.to_owned(),
        level: None,
        bot: false,
        kind: None,
        rating: None,
    }
}

pub(crate) fn ann() -> Person {
    person("iann2345abcde", "Ann")
}

pub(crate) fn bob() -> Person {
    person("ibob2345abcde", "Bob")
}

/// Options with every field given.
pub(crate) fn full_options() -> GameOptions {
    GameOptions {
        rule_set: "classic".to_owned(),
        seats: 3,
        lexicon: "wordnik".to_owned(),
        clock: Some(Clock {
            initial_ms: Some(1_500_000),
            penalty_per_minute: Some(10),
            cap_ms: Some(600_000),
            ..Clock::of(ClockKind::Overtime)
        }),
        challenge: Some(Challenge {
            kind: ChallengeKind::FivePoint,
            window_ms: Some(20_000),
            per_word: true,
            consent: true,
        }),
        end: Some(EndOption {
            limit: 3,
            per_seat: true,
            counts: EndCounts::Scoreless,
            unless_all_zero: false,
        }),
        language: None,
        all_played: None,
        uncatchable: None,
        ties: Some(Ties::BeforeAdjustment),
        first: Some(FirstPlay::Draw),
        vanish_claim_ms: Some(60_000),
        spectators: None,
        rated: false,
        vanish: None,
        vacation: false,
        hints: None,
    }
}

/// Options of a rule set that is played in several languages and validated by the server.
pub(crate) fn validated_options() -> GameOptions {
    GameOptions {
        rule_set: "wordfeud-random".to_owned(),
        lexicon: "swedish".to_owned(),
        language: Some("swedish".to_owned()),
        end: Some(EndOption {
            limit: 3,
            per_seat: false,
            counts: EndCounts::WithoutScore,
            unless_all_zero: true,
        }),
        all_played: Some(true),
        uncatchable: Some(false),
        ..short_options()
    }
}

/// The description of a rule set with targets.
pub(crate) fn description() -> RuleSetDescription {
    let row = |seats, beginner, intermediate, expert| TargetRow {
        seats,
        beginner,
        intermediate,
        expert,
    };
    let mut rule_set = setup().rule_set;
    rule_set.language = Some("english".to_owned());
    rule_set.board.drawn = true;
    RuleSetDescription {
        rule_set,
        summary: "A race.".to_owned(),
        languages: strings(&["english", "swedish"]),
        min_seats: 2,
        max_seats: 4,
        challenges: vec![ChallengeKind::Double, ChallengeKind::Void],
        targets: Some(vec![row(2, 70, 120, 200), row(3, 60, 100, 180)]),
        usual: short_options(),
    }
}

/// Options with the required fields only.
pub(crate) fn short_options() -> GameOptions {
    GameOptions {
        rule_set: "classic".to_owned(),
        seats: 2,
        lexicon: "wordnik".to_owned(),
        clock: Some(Clock::of(ClockKind::Untimed)),
        challenge: Some(Challenge::of(ChallengeKind::Void)),
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

/// A registered player with a rating.
pub(crate) fn rated(person: Person, value: i32, deviation: u32) -> Person {
    Person {
        kind: Some(PlayerKind::Registered),
        rating: Some(SeatRating {
            value,
            deviation,
            provisional: deviation > 110,
        }),
        ..person
    }
}

/// The setup of a rematch.
pub(crate) fn rematch_setup() -> GameSetup {
    GameSetup {
        series: Some(Box::new(Series {
            first_game: "g2345first".into(),
            number: 3,
            score: vec![3, 1],
            first: 0,
        })),
        ..setup()
    }
}

/// The setup of a rated game.
pub(crate) fn rated_setup() -> GameSetup {
    GameSetup {
        options: GameOptions {
            rated: true,
            ..setup().options
        },
        seats: vec![rated(ann(), 1_687, 54), rated(bob(), 1_500, 350)],
        ..setup()
    }
}

pub(crate) fn seek() -> Seek {
    Seek {
        seek: "s2345abcde".into(),
        owner: ann().identity,
        options: full_options(),
        private: false,
        code: None,
        members: vec![ann(), bob()],
        created_at: NOON,
        criteria: None,
        range: None,
    }
}

pub(crate) fn private_seek() -> Seek {
    Seek {
        seek: "s2345abcdf".into(),
        options: short_options(),
        private: true,
        code: Some("K7QM2X".to_owned()),
        members: vec![ann()],
        ..seek()
    }
}

pub(crate) fn summary() -> GameSummary {
    let seat = |person: Person, score, on_turn| SummarySeat {
        identity: person.identity,
        name: person.name,
        score,
        on_turn,
        bot: false,
        rank: None,
        rating: None,
    };
    GameSummary {
        game: game(),
        rule_set: "classic".to_owned(),
        lexicon: "wordnik".to_owned(),
        options: None,
        seats: vec![seat(ann(), 87, true), seat(bob(), 102, false)],
        phase: Phase::Running,
        turn_no: 9,
        clocks: None,
        started_at: Some(NOON),
        watching: 5,
        private: false,
        ended_at: None,
    }
}

/// A summary with every field that a game in progress can have.
pub(crate) fn detailed_summary() -> GameSummary {
    let mut summary = summary();
    summary.seats[1].bot = true;
    GameSummary {
        options: Some(Box::new(validated_options())),
        clocks: Some(clocks()),
        ..summary
    }
}

pub(crate) fn finished_summary() -> GameSummary {
    let mut summary = summary();
    for (seat, rank) in summary.seats.iter_mut().zip([2, 1]) {
        seat.on_turn = false;
        seat.rank = Some(rank);
    }
    GameSummary {
        phase: Phase::Ended,
        watching: 0,
        ended_at: Some(NOON + 900_000),
        ..summary
    }
}

pub(crate) fn waiting_summary() -> GameSummary {
    GameSummary {
        phase: Phase::Waiting,
        turn_no: 0,
        started_at: None,
        watching: 0,
        private: true,
        ..summary()
    }
}

pub(crate) fn clocks() -> Clocks {
    Clocks {
        main_ms: vec![1_431_250, -8_500],
        allowance_ms: vec![0, 0],
        running: Some(RunningClock {
            seat: 0,
            since: NOON + 5_000,
        }),
    }
}

pub(crate) fn standing_clocks() -> Clocks {
    Clocks {
        main_ms: vec![900_000, 900_000],
        allowance_ms: vec![5_000, 5_000],
        running: None,
    }
}

pub(crate) fn setup() -> GameSetup {
    GameSetup {
        game: game(),
        options: full_options(),
        rule_set: RuleSetInfo {
            id: "classic".to_owned(),
            name: "Classic".to_owned(),
            language: None,
            language_tag: None,
            rack_size: 7,
            bingo: vec![Bingo {
                tiles: 7,
                bonus: 50,
            }],
            exchange_min_bag: 7,
            opening_min_tiles: 2,
            rack_count: RackCount::EmptyBag,
            board: BoardInfo {
                rows: 3,
                cols: 3,
                start: "B2".to_owned(),
                layout: strings(&["=.'", "\"-^", "~.."]),
                drawn: false,
            },
            tiles: vec![
                TileInfo {
                    face: "A".to_owned(),
                    count: 9,
                    value: 1,
                },
                TileInfo {
                    face: "Z".to_owned(),
                    count: 1,
                    value: 10,
                },
                TileInfo {
                    face: "?".to_owned(),
                    count: 2,
                    value: 0,
                },
            ],
        },
        seats: vec![ann(), bob()],
        targets: None,
        lexicon: LexiconRef {
            name: "wordnik".to_owned(),
            hash: hash(0x40),
        },
        commitment: hash(0x80),
        nonce_hashes: vec![NonceHash {
            seat: 1,
            hash: hash(0xc0),
        }],
        created_at: NOON,
        ready_by: Some(NOON + 60_000),
        private: false,
        series: None,
    }
}

pub(crate) fn words() -> Vec<ScoredWord> {
    let word = |word: &str, score| ScoredWord {
        word: word.to_owned(),
        score,
    };
    vec![word("FARMs", 22), word("FOX", 26), word("AH", 5)]
}

pub(crate) fn result() -> GameResult {
    let seat = |seat, score, rack_points, time_penalty, rank, rack: &[&str]| SeatResult {
        seat,
        score,
        rack_points,
        time_penalty,
        final_score: score + rack_points + time_penalty,
        rank,
        rack: strings(rack),
    };
    GameResult {
        reason: EndReason::OutPlay,
        results: vec![
            seat(0, 401, 9, -10, 1, &[]),
            seat(1, 380, -9, 0, 2, &["V", "?", "A"]),
        ],
        winners: vec![0],
        aborter: None,
        exchanges: vec![ExchangedTiles {
            turn_no: 2,
            seat: 1,
            tiles: strings(&["?", "U"]),
        }],
        secret: Some(hash(0)),
        clocks: standing_clocks(),
    }
}

pub(crate) fn cancelled_result() -> GameResult {
    let untouched = Clocks {
        main_ms: vec![],
        allowance_ms: vec![],
        running: None,
    };
    GameResult {
        reason: EndReason::Cancelled,
        results: vec![],
        winners: vec![],
        aborter: None,
        exchanges: vec![],
        secret: None,
        clocks: untouched,
    }
}

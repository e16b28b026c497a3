//! Events, with and without what is hidden from others.

use tilewire_protocol::*;

use super::parts::*;

/// Puts a body under a header.
pub(crate) fn event(seq: u64, body: EventBody) -> Event {
    Event {
        game: game(),
        seq,
        at: NOON + 1_234,
        body,
    }
}

/// Every kind of event by the name of its golden files.
pub(crate) fn events() -> Vec<(&'static str, EventBody)> {
    let mut all = opening();
    all.extend(turns());
    all.extend(windows());
    all.extend(endings());
    all.extend(rule_sets());
    all.extend(nudges());
    all.extend(super::adjourns::events());
    all.extend(gifts());
    all.extend(super::hints::events());
    all
}

fn opening() -> Vec<(&'static str, EventBody)> {
    let drawn = |seat, tile: &str| OrderTile {
        seat,
        tile: tile.to_owned(),
    };
    let rounds = vec![
        vec![drawn(0, "E"), drawn(1, "E")],
        vec![drawn(0, "?"), drawn(1, "B")],
    ];
    let dealt = |tiles| {
        EventBody::TilesDrawn(TilesDrawn {
            seat: 1,
            count: 2,
            tiles,
            bag: 84,
        })
    };
    vec![
        (
            "event_created",
            EventBody::Created(Created {
                setup: Box::new(setup()),
            }),
        ),
        (
            "event_seat_ready_plain",
            EventBody::SeatReady(SeatReady {
                seat: 0,
                nonce: None,
            }),
        ),
        (
            "event_seat_ready",
            EventBody::SeatReady(SeatReady {
                seat: 1,
                nonce: Some(Bytes(b"xyz".to_vec())),
            }),
        ),
        (
            "event_order_drawn",
            EventBody::OrderDrawn(OrderDrawn { rounds, first: 0 }),
        ),
        (
            "event_bag_shuffled",
            EventBody::BagShuffled(BagShuffled {
                label: "bag".to_owned(),
                count: 100,
            }),
        ),
        ("event_tiles_drawn_own", dealt(Some(strings(&["Q", "?"])))),
        ("event_tiles_drawn", dealt(None)),
    ]
}

fn turns() -> Vec<(&'static str, EventBody)> {
    let play = PlayMade {
        turn_no: 7,
        seat: 0,
        start: "8F".to_owned(),
        tiles: strings(&["F", "A", ".", "m", "s"]),
        words: words(),
        bonus: None,
        score: 53,
        total: 140,
        owed: 4,
        window: Some(OpenWindow {
            closes_at: Some(NOON + 20_000),
            eligible: Some(vec![1]),
            is_final: false,
        }),
        clocks: None,
    };
    let out = PlayMade {
        owed: 0,
        window: Some(OpenWindow {
            closes_at: Some(NOON + 20_000),
            eligible: None,
            is_final: true,
        }),
        clocks: Some(standing_clocks()),
        ..play.clone()
    };
    let bingo = PlayMade {
        bonus: Some(50),
        score: 103,
        owed: 0,
        window: None,
        ..play.clone()
    };
    let exchanged = |tiles| {
        EventBody::Exchanged(Exchanged {
            turn_no: 8,
            seat: 1,
            count: 2,
            tiles,
        })
    };
    let used = TurnUsed {
        turn_no: 9,
        seat: 0,
    };
    vec![
        (
            "event_turn_started",
            EventBody::TurnStarted(TurnStarted {
                turn_no: 7,
                seat: 0,
                clocks: clocks(),
            }),
        ),
        ("event_play_made", EventBody::PlayMade(play)),
        ("event_play_made_bingo", EventBody::PlayMade(bingo)),
        ("event_play_made_out", EventBody::PlayMade(out)),
        ("event_exchanged_own", exchanged(Some(strings(&["V", "?"])))),
        ("event_exchanged", exchanged(None)),
        ("event_passed", EventBody::Passed(used.clone())),
        ("event_turn_lost", EventBody::TurnLost(used)),
    ]
}

fn windows() -> Vec<(&'static str, EventBody)> {
    let held = |reason, closes_at| {
        EventBody::HoldEnded(HoldEnded {
            play_id: 30,
            seat: 1,
            reason,
            clocks: clocks(),
            closes_at,
        })
    };
    let failed = ChallengeDecided {
        play_id: 30,
        seat: 1,
        upheld: false,
        withdrawn: false,
        bad_words: vec![],
        points: vec![SeatPoints {
            seat: 1,
            points: -5,
        }],
        turn_debt: 1,
        totals: vec![140, 97],
        clocks: None,
    };
    let after_consent = ChallengeDecided {
        turn_debt: 0,
        clocks: Some(clocks()),
        ..failed.clone()
    };
    let upheld = ChallengeDecided {
        upheld: true,
        bad_words: strings(&["FARMz"]),
        points: vec![],
        turn_debt: 0,
        totals: vec![87, 102],
        ..failed.clone()
    };
    let withdrawn = ChallengeDecided {
        withdrawn: true,
        bad_words: vec![],
        ..upheld.clone()
    };
    let opened = ChallengeOpened {
        play_id: 30,
        seat: 1,
        decide_by: NOON + 30_000,
        clocks: standing_clocks(),
    };
    vec![
        (
            "event_accepted",
            EventBody::Accepted(Accepted {
                play_id: 30,
                seat: 1,
            }),
        ),
        (
            "event_hold_started",
            EventBody::HoldStarted(HoldStarted {
                play_id: 30,
                seat: 1,
                until: NOON + 60_000,
                clocks: clocks(),
            }),
        ),
        (
            "event_hold_ended",
            held(HoldReason::Released, Some(NOON + 20_000)),
        ),
        ("event_hold_ended_closed", held(HoldReason::Closed, None)),
        ("event_challenge_opened", EventBody::ChallengeOpened(opened)),
        (
            "event_challenge_decided_failed",
            EventBody::ChallengeDecided(failed),
        ),
        (
            "event_challenge_decided_after_consent",
            EventBody::ChallengeDecided(after_consent),
        ),
        (
            "event_challenge_decided_upheld",
            EventBody::ChallengeDecided(upheld),
        ),
        (
            "event_challenge_decided_withdrawn",
            EventBody::ChallengeDecided(withdrawn),
        ),
        (
            "event_window_closed",
            EventBody::WindowClosed(WindowClosed {
                play_id: 30,
                reason: WindowReason::NextTurn,
            }),
        ),
    ]
}

fn endings() -> Vec<(&'static str, EventBody)> {
    let credit = ClockCredited {
        stopped_at: NOON,
        resumed_at: NOON + 7_500,
        clocks: clocks(),
    };
    vec![
        ("event_clock_credited", EventBody::ClockCredited(credit)),
        (
            "event_seat_vanished",
            EventBody::SeatVanished(SeatVanished {
                seat: 1,
                claim_at: NOON + 60_000,
            }),
        ),
        (
            "event_seat_returned",
            EventBody::SeatReturned(SeatReturned { seat: 1 }),
        ),
        (
            "event_seat_retired",
            EventBody::SeatRetired(SeatRetired {
                seat: 1,
                reason: RetireReason::Flagged,
            }),
        ),
        (
            "event_abort_requested",
            EventBody::AbortRequested(AbortRequested {
                seat: 1,
                until: NOON + 60_000,
            }),
        ),
        (
            "event_abort_declined",
            EventBody::AbortDeclined(AbortDeclined {
                seat: 1,
                reason: AbortDecline::Refused,
            }),
        ),
        ("event_ended", EventBody::Ended(result())),
        (
            "event_ended_cancelled",
            EventBody::Ended(cancelled_result()),
        ),
        (
            "event_ended_aborted",
            EventBody::Ended(GameResult {
                reason: EndReason::Aborted,
                aborter: Some(1),
                ..cancelled_result()
            }),
        ),
    ]
}

/// Events that some rule sets have.
fn rule_sets() -> Vec<(&'static str, EventBody)> {
    vec![
        (
            "event_created_race",
            EventBody::Created(Created {
                setup: Box::new(GameSetup {
                    targets: Some(vec![70, 200]),
                    options: validated_options(),
                    seats: vec![
                        Person {
                            level: Some(Level::Beginner),
                            ..ann()
                        },
                        Person { bot: true, ..bob() },
                    ],
                    ..setup()
                }),
            }),
        ),
        (
            "event_created_rated",
            EventBody::Created(Created {
                setup: Box::new(rated_setup()),
            }),
        ),
        (
            "event_created_rematch",
            EventBody::Created(Created {
                setup: Box::new(rematch_setup()),
            }),
        ),
        (
            "event_board_drawn",
            EventBody::BoardDrawn(BoardDrawn {
                layout: strings(&["=.'", "\"-^", "~.."]),
            }),
        ),
    ]
}

fn nudges() -> Vec<(&'static str, EventBody)> {
    let nudged = |claim_at| {
        EventBody::Nudged(Nudged {
            seat: 1,
            target: 0,
            claim_at,
        })
    };
    vec![
        ("event_nudged", nudged(Some(NOON + 120_000))),
        ("event_nudged_by_correspondence", nudged(None)),
        (
            "event_nudge_answered",
            EventBody::NudgeAnswered(NudgeAnswered { seat: 0 }),
        ),
    ]
}

fn gifts() -> Vec<(&'static str, EventBody)> {
    vec![
        (
            "event_time_given",
            EventBody::TimeGiven(TimeGiven {
                seat: 1,
                target: 0,
                time_ms: 15_000,
                clocks: clocks(),
            }),
        ),
        (
            "event_time_refused",
            EventBody::TimeRefused(TimeRefused { seat: 0 }),
        ),
        (
            "event_paused",
            EventBody::Paused(GamePaused {
                until: NOON + 3_600_000,
                clocks: Clocks {
                    running: None,
                    ..clocks()
                },
            }),
        ),
        (
            "event_time_given_by_operator",
            EventBody::TimeGiven(TimeGiven {
                seat: 0,
                target: 0,
                time_ms: 600_000,
                clocks: clocks(),
            }),
        ),
        (
            "event_vacation",
            EventBody::Vacation(Vacation {
                seat: 1,
                until: NOON + 432_000_000,
                clocks: clocks(),
            }),
        ),
    ]
}

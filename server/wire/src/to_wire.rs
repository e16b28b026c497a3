//! Converts events of the rules to events of the protocol.

use tilewire_protocol as wire;
use tilewire_protocol::{EventBody, GameId};
use tilewire_rules::alphabet::{Tile, TileSet};
use tilewire_rules::event::{
    ChallengeDecided, Event, HoldEnd, PlayMade, PublicEvent, Record, Verdict,
};
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::state::State;
use tilewire_rules::time::{Seat, Timestamp};
use tilewire_rules::view::{Audience, ViewEvent};

use super::adjourn;
use super::pieces::{
    abort_decline, bonus, clocks, exchanges, faces, hold_end, line, number, points, result,
    retirement, seats, start, window_close, words,
};
use super::snapshot;

/// Facts about a game that its events do not contain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameFacts {
    /// Its id.
    pub game: GameId,
    /// The incarnation of its log.
    pub epoch: u64,
    /// Whether spectators need a code.
    pub privacy: Privacy,
}

/// The audience of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Privacy {
    /// Everyone.
    Public,
    /// Everyone with its code.
    Private,
}

/// Facts of the state right after an event that the protocol adds to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aftermath {
    /// Seats of the game, including those that left.
    seats: u8,
    /// Turns that the seat of a decided challenge loses.
    turn_debt: u8,
    /// When the challenge window of an ended hold closes.
    closes_at: Option<Timestamp>,
    /// The exchanged tiles of a game that has ended.
    exchanges: Vec<wire::ExchangedTiles>,
}

impl Aftermath {
    /// Returns the facts that `after`, the state right after `record`, adds to it.
    #[must_use]
    pub fn of(after: &State, record: &Record) -> Self {
        let mut aftermath = Self {
            seats: after.options().seats,
            turn_debt: 0,
            closes_at: None,
            exchanges: Vec::new(),
        };
        match StateSays::of(record) {
            StateSays::Debt(seat) => {
                let seat = after.seats().get(seat.index());
                aftermath.turn_debt = seat.map_or(0, |seat| seat.turn_debt);
            }
            StateSays::Close(reason) => {
                aftermath.closes_at = closes_after_hold(after, record.at, reason);
            }
            StateSays::Exchanges => aftermath.exchanges = exchanges(after),
            StateSays::Nothing => {}
        }
        aftermath
    }

    /// Says whether the facts depend on the state right after `record`.
    #[must_use]
    pub const fn needs_state(record: &Record) -> bool {
        !matches!(StateSays::of(record), StateSays::Nothing)
    }
}

/// The fact that an event adds.
enum StateSays {
    /// The number of turns that the seat loses.
    Debt(Seat),
    /// When the challenge window closes, now that the hold has ended.
    Close(HoldEnd),
    /// The tiles that were exchanged, now that the game has ended.
    Exchanges,
    /// Nothing.
    Nothing,
}

impl StateSays {
    const fn of(record: &Record) -> Self {
        match &record.event {
            Event::Public(PublicEvent::ChallengeDecided(decided)) => Self::Debt(decided.seat),
            Event::Public(PublicEvent::HoldEnded { reason, .. }) => Self::Close(*reason),
            Event::Public(PublicEvent::Ended(_)) => Self::Exchanges,
            Event::Created(_)
            | Event::BagShuffled { .. }
            | Event::TilesDrawn { .. }
            | Event::Exchanged { .. }
            | Event::Public(_) => Self::Nothing,
        }
    }
}

/// Returns `record` as `audience` may see it.
#[must_use]
pub fn event(
    facts: &GameFacts,
    rules: &RuleSet,
    record: &Record,
    aftermath: &Aftermath,
    audience: Audience,
) -> wire::Event {
    wire::Event {
        game: facts.game.clone(),
        seq: record.seq.0,
        at: record.at.0,
        body: body(facts, rules, record, aftermath, audience),
    }
}

fn body(
    facts: &GameFacts,
    rules: &RuleSet,
    record: &Record,
    aftermath: &Aftermath,
    audience: Audience,
) -> EventBody {
    let set = &rules.tiles;
    match record.event.seen_by(audience) {
        ViewEvent::Created(creation) => EventBody::Created(wire::Created {
            setup: Box::new(snapshot::setup(facts, rules, &creation, record.at)),
        }),
        ViewEvent::BagShuffled { label, count } => EventBody::BagShuffled(wire::BagShuffled {
            label: label.to_owned(),
            count: number(count),
        }),
        ViewEvent::TilesDrawn {
            seat,
            count,
            tiles,
            bag,
        } => EventBody::TilesDrawn(wire::TilesDrawn {
            seat: seat.0,
            count: number(count),
            tiles: tiles.map(|tiles| faces(set, tiles)),
            bag: u32::from(bag),
        }),
        ViewEvent::Exchanged {
            turn_no,
            seat,
            count,
            tiles,
        } => EventBody::Exchanged(wire::Exchanged {
            turn_no: turn_no.0,
            seat: seat.0,
            count: number(count),
            tiles: tiles.map(|tiles| faces(set, tiles)),
        }),
        ViewEvent::Public(event) => public(set, aftermath, event),
    }
}

#[expect(clippy::too_many_lines, reason = "one arm for each event")]
fn public(set: &TileSet, aftermath: &Aftermath, event: &PublicEvent) -> EventBody {
    match event {
        PublicEvent::SeatReady { seat, nonce } => EventBody::SeatReady(wire::SeatReady {
            seat: seat.0,
            nonce: (!nonce.is_empty()).then(|| nonce.as_slice().into()),
        }),
        PublicEvent::BoardDrawn { layout } => EventBody::BoardDrawn(wire::BoardDrawn {
            layout: layout.clone(),
        }),
        PublicEvent::OrderDrawn { rounds, first } => EventBody::OrderDrawn(wire::OrderDrawn {
            rounds: rounds.iter().map(|round| order_round(set, round)).collect(),
            first: first.0,
        }),
        PublicEvent::TurnStarted {
            turn_no,
            seat,
            clocks: running,
        } => EventBody::TurnStarted(wire::TurnStarted {
            turn_no: turn_no.0,
            seat: seat.0,
            clocks: clocks(running),
        }),
        PublicEvent::PlayMade(play) => EventBody::PlayMade(play_made(set, aftermath.seats, play)),
        PublicEvent::Passed { turn_no, seat } => EventBody::Passed(wire::TurnUsed {
            turn_no: turn_no.0,
            seat: seat.0,
        }),
        PublicEvent::TurnLost { turn_no, seat } => EventBody::TurnLost(wire::TurnUsed {
            turn_no: turn_no.0,
            seat: seat.0,
        }),
        PublicEvent::ClockCredited {
            stopped_at,
            resumed_at,
            clocks: credited,
        } => EventBody::ClockCredited(wire::ClockCredited {
            stopped_at: stopped_at.0,
            resumed_at: resumed_at.0,
            clocks: clocks(credited),
        }),
        PublicEvent::SeatVanished { seat, claim_at } => {
            EventBody::SeatVanished(wire::SeatVanished {
                seat: seat.0,
                claim_at: claim_at.0,
            })
        }
        PublicEvent::SeatReturned { seat } => {
            EventBody::SeatReturned(wire::SeatReturned { seat: seat.0 })
        }
        PublicEvent::AbortRequested { seat, until } => {
            EventBody::AbortRequested(wire::AbortRequested {
                seat: seat.0,
                until: until.0,
            })
        }
        PublicEvent::AbortDeclined { seat, reason } => {
            EventBody::AbortDeclined(wire::AbortDeclined {
                seat: seat.0,
                reason: abort_decline(*reason),
            })
        }
        PublicEvent::Nudged {
            seat,
            target,
            claim_at,
        } => EventBody::Nudged(wire::Nudged {
            seat: seat.0,
            target: target.0,
            claim_at: claim_at.map(|at| at.0),
        }),
        PublicEvent::NudgeAnswered { seat } => {
            EventBody::NudgeAnswered(wire::NudgeAnswered { seat: seat.0 })
        }
        PublicEvent::AdjournRequested { .. }
        | PublicEvent::AdjournAgreed { .. }
        | PublicEvent::AdjournDeclined { .. }
        | PublicEvent::Adjourned { .. }
        | PublicEvent::ReadyToResume { .. }
        | PublicEvent::NotReadyToResume { .. }
        | PublicEvent::Resumed { .. } => adjourn::event(event),
        PublicEvent::Paused {
            until,
            clocks: stopped,
        } => EventBody::Paused(wire::GamePaused {
            until: until.0,
            clocks: clocks(stopped),
        }),
        PublicEvent::Vacation {
            seat,
            until,
            clocks: moved,
        } => EventBody::Vacation(wire::Vacation {
            seat: seat.0,
            until: until.0,
            clocks: clocks(moved),
        }),
        PublicEvent::TimeGiven {
            seat,
            target,
            time_ms,
            clocks: given,
        } => EventBody::TimeGiven(wire::TimeGiven {
            seat: seat.0,
            target: target.0,
            time_ms: *time_ms,
            clocks: clocks(given),
        }),
        PublicEvent::TimeRefused { seat } => {
            EventBody::TimeRefused(wire::TimeRefused { seat: seat.0 })
        }
        PublicEvent::HintUsed { seat, grade } => EventBody::HintUsed(wire::HintUsed {
            seat: seat.0,
            grade: (*grade).into(),
        }),
        PublicEvent::SeatRetired { seat, reason } => EventBody::SeatRetired(wire::SeatRetired {
            seat: seat.0,
            reason: retirement(*reason),
        }),
        PublicEvent::Ended(ended) => {
            EventBody::Ended(result(set, ended, aftermath.exchanges.clone()))
        }
        PublicEvent::Accepted { play_id, seat } => EventBody::Accepted(wire::Accepted {
            play_id: play_id.0,
            seat: seat.0,
        }),
        PublicEvent::HoldStarted {
            play_id,
            seat,
            until,
            clocks: held,
        } => EventBody::HoldStarted(wire::HoldStarted {
            play_id: play_id.0,
            seat: seat.0,
            until: until.0,
            clocks: clocks(held),
        }),
        PublicEvent::HoldEnded {
            play_id,
            seat,
            reason,
            clocks: handed_back,
        } => EventBody::HoldEnded(wire::HoldEnded {
            play_id: play_id.0,
            seat: seat.0,
            reason: hold_end(*reason),
            clocks: clocks(handed_back),
            closes_at: aftermath.closes_at.map(|at| at.0),
        }),
        PublicEvent::ChallengeOpened {
            play_id,
            seat,
            decide_by,
            clocks: stopped,
        } => EventBody::ChallengeOpened(wire::ChallengeOpened {
            play_id: play_id.0,
            seat: seat.0,
            decide_by: decide_by.0,
            clocks: clocks(stopped),
        }),
        PublicEvent::ChallengeDecided(decided) => {
            EventBody::ChallengeDecided(challenge_decided(aftermath, decided))
        }
        PublicEvent::WindowClosed { play_id, reason } => {
            EventBody::WindowClosed(wire::WindowClosed {
                play_id: play_id.0,
                reason: window_close(*reason),
            })
        }
    }
}

/// Returns when a window that outlives its hold closes.
fn closes_after_hold(after: &State, at: Timestamp, reason: HoldEnd) -> Option<Timestamp> {
    let window = after.window()?;
    match reason {
        HoldEnd::Challenged | HoldEnd::Closed => None,
        HoldEnd::Released | HoldEnd::Accepted | HoldEnd::Limit | HoldEnd::Retired => {
            window.closes_at.filter(|closes_at| *closes_at > at)
        }
    }
}

fn play_made(set: &TileSet, count: u8, play: &PlayMade) -> wire::PlayMade {
    let window = play.window.as_ref();
    wire::PlayMade {
        turn_no: play.turn_no.0,
        seat: play.seat.0,
        start: start(play),
        tiles: line(set, play),
        words: words(&play.words),
        bonus: bonus(play),
        score: play.score,
        total: play.total,
        owed: u32::from(play.owed),
        window: window.map(|window| {
            let (closes_at, eligible) = (window.closes_at.map(|at| at.0), seats(&window.eligible));
            let is_final = window.final_clocks.is_some();
            wire::OpenWindow::new(closes_at, play.seat.0, count, eligible, is_final)
        }),
        clocks: window
            .and_then(|window| window.final_clocks.as_ref())
            .map(clocks),
    }
}

fn challenge_decided(aftermath: &Aftermath, decided: &ChallengeDecided) -> wire::ChallengeDecided {
    let (upheld, withdrawn) = match decided.verdict {
        Verdict::Off => (true, false),
        Verdict::Withdrawn => (true, true),
        Verdict::Stands | Verdict::StandsTurnLost => (false, false),
    };
    wire::ChallengeDecided {
        play_id: decided.play_id.0,
        seat: decided.seat.0,
        upheld,
        withdrawn,
        bad_words: decided.bad_words.clone(),
        points: points(decided),
        turn_debt: u32::from(aftermath.turn_debt),
        totals: decided.totals.clone(),
        clocks: decided.clocks.as_ref().map(clocks),
    }
}

fn order_round(set: &TileSet, round: &[(Seat, Tile)]) -> Vec<wire::OrderTile> {
    round
        .iter()
        .map(|(seat, tile)| wire::OrderTile {
            seat: seat.0,
            tile: set.tile_face(*tile).to_owned(),
        })
        .collect()
}

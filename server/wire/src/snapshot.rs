//! A whole game as an audience may see it: setup, snapshot, and summary for lists.

use tilewire_protocol as wire;
use tilewire_rules::alphabet::Tile;
use tilewire_rules::event::Player;
use tilewire_rules::game::WaitingTurn;
use tilewire_rules::ruleset::{Premiums, RackCount, RuleSet};
use tilewire_rules::state::{Phase, PlayStatus, State, TurnKind, Window};
use tilewire_rules::tile_sets::language_tag;
use tilewire_rules::time::{Timestamp, TurnNo};
use tilewire_rules::view::{Audience, PublicCreation, SeatView, TurnView};

use super::pieces::{
    bonus, clocks, exchanges, faces, line, number, points, result, retirement, seats, start, words,
};
use super::to_wire::{GameFacts, Privacy};
use super::{adjourn, hint, options, pieces};
use tilewire_base::house_bots::is_house_bot;

/// Returns everything fixed at creation.
#[must_use]
pub fn setup(
    facts: &GameFacts,
    rules: &RuleSet,
    creation: &PublicCreation<'_>,
    created_at: Timestamp,
) -> wire::GameSetup {
    let ready_by = created_at.plus(creation.options.ready_ms());
    wire::GameSetup {
        game: facts.game.clone(),
        options: options::to_wire(creation.options),
        rule_set: rule_set(rules),
        seats: creation.players.iter().map(person).collect(),
        targets: targets(rules, creation),
        lexicon: wire::LexiconRef {
            name: creation.options.lexicon.clone(),
            hash: (*creation.lexicon_hash).into(),
        },
        commitment: (*creation.commitment).into(),
        nonce_hashes: (0..)
            .zip(creation.players)
            .filter_map(|(seat, player)| {
                let hash = player.nonce_hash?.into();
                Some(wire::NonceHash { seat, hash })
            })
            .collect(),
        created_at: created_at.0,
        ready_by: Some(ready_by.0),
        private: facts.privacy == Privacy::Private,
        series: creation
            .series
            .map(|series| Box::new(pieces::series(series))),
    }
}

fn person(player: &Player) -> wire::Person {
    wire::Person {
        identity: player.identity.as_str().into(),
        name: player.name.clone(),
        level: player.level.map(pieces::level),
        bot: is_house_bot(&player.identity),
        kind: player.kind.map(pieces::kind_to_wire),
        rating: player.rating.map(pieces::rating_to_wire),
    }
}

fn targets(rules: &RuleSet, creation: &PublicCreation<'_>) -> Option<Vec<i32>> {
    let seats = creation.options.seats;
    let levels = creation.players.iter().map(|player| player.level);
    levels.map(|level| rules.target(seats, level)).collect()
}

/// Returns board, tiles and numbers of a rule set.
#[must_use]
pub fn rule_set(rules: &RuleSet) -> wire::RuleSetInfo {
    let layout = &rules.layout;
    wire::RuleSetInfo {
        id: rules.id.clone(),
        name: rules.name.clone(),
        language: Some(rules.language.clone()),
        language_tag: language_tag(&rules.language).map(str::to_owned),
        rack_size: rules.rack_size,
        bingo: rules
            .bingo
            .iter()
            .map(|bingo| wire::Bingo {
                tiles: bingo.tiles,
                bonus: bingo.bonus,
            })
            .collect(),
        exchange_min_bag: rules.exchange_min_bag,
        opening_min_tiles: rules.opening_min_tiles,
        rack_count: match rules.rack_count {
            RackCount::Always => wire::RackCount::Always,
            RackCount::EmptyBag => wire::RackCount::EmptyBag,
        },
        board: wire::BoardInfo {
            rows: layout.rows(),
            cols: layout.cols(),
            start: layout.start().to_string(),
            layout: layout.drawing(),
            drawn: rules.premiums == Premiums::Drawn,
        },
        tiles: rules
            .tiles
            .kinds()
            .map(|tile| wire::TileInfo {
                face: rules.tiles.tile_face(tile).to_owned(),
                count: rules.tiles.count(tile),
                value: rules.tiles.value(tile),
            })
            .collect(),
    }
}

/// The parts of a snapshot that are not in the log.
#[derive(Debug, Clone, Copy)]
pub struct Now<'a> {
    /// The turn that waits for a challenge window.
    pub waiting: Option<&'a WaitingTurn>,
    /// For each seat, whether its player is here.
    pub connected: &'a [bool],
    /// The time.
    pub at: Timestamp,
}

/// Returns the game as `audience` sees it.
#[must_use]
pub fn snapshot(
    facts: &GameFacts,
    state: &State,
    audience: Audience,
    now: Now<'_>,
) -> wire::Snapshot {
    let set = &state.rules().tiles;
    let view = state.seen_by(audience);
    let (role, seat) = match audience {
        Audience::Seat(seat) => (wire::Role::Player, Some(seat.0)),
        Audience::Spectator | Audience::Commentary => (wire::Role::Spectator, None),
    };
    wire::Snapshot {
        game: facts.game.clone(),
        epoch: facts.epoch,
        seq: view.seq.0,
        at: now.at.0,
        role,
        seat,
        setup: setup(facts, state.rules(), &view.creation, view.created_at),
        phase: phase(view.phase),
        turn_no: view.last_turn.0,
        on_turn: view.turn.map(|turn| turn.seat.0),
        first: view.first.map(|seat| seat.0),
        board: view
            .board
            .iter()
            .map(|(square, placed)| wire::BoardTile {
                square: square.to_string(),
                tile: set.placed_face(*placed),
            })
            .collect(),
        seats: view
            .seats
            .iter()
            .enumerate()
            .map(|(at, seat)| snapshot_seat(state, seat, now.connected.get(at) == Some(&true)))
            .collect(),
        bag: number(view.bag),
        clocks: clocks(now.waiting.map_or(view.clocks, |waiting| &waiting.clocks)),
        window: view
            .window
            .map(|window| snapshot_window(window, view.phase)),
        waiting_until: now.waiting.map(|waiting| waiting.until.0),
        turns: view
            .history
            .iter()
            .map(|turn| turn_record(state, turn, &view.exchanged))
            .collect(),
        vanished: (0..)
            .zip(&view.seats)
            .filter_map(|(seat, of)| {
                let claim_at = of.claim_at.filter(|_| of.retired.is_none())?.0;
                Some(wire::VanishedSeat { seat, claim_at })
            })
            .collect(),
        abort_request: view.abort_request.map(|request| wire::AbortRequest {
            seat: request.seat.0,
            until: request.until.0,
        }),
        nudge: view.nudge.map(|nudge| wire::Nudge {
            seat: nudge.seat.0,
            target: nudge.target.0,
            claim_at: nudge.claim_at.map(|at| at.0),
        }),
        adjourn_request: view.adjourn_request.map(adjourn::request),
        adjourned: view.adjournment.map(adjourn::sleep),
        time_refused: (0..)
            .zip(&view.seats)
            .filter_map(|(seat, of)| of.refuses_time.then_some(seat))
            .collect(),
        hints: view.hints.iter().map(hint::used).collect(),
        result: view
            .outcome
            .map(|ended| result(set, ended, exchanges(state))),
    }
}

fn snapshot_seat(state: &State, seat: &SeatView<'_>, connected: bool) -> wire::SnapshotSeat {
    wire::SnapshotSeat {
        score: seat.score,
        rack_count: number(seat.rack_count),
        rack: seat.rack.map(|rack| faces(&state.rules().tiles, rack)),
        ready: seat.is_ready,
        retired: seat.retired.map(retirement),
        turn_debt: u32::from(seat.turn_debt),
        connected,
        vacation_until: seat.vacation_until.map(|until| until.0),
    }
}

fn snapshot_window(window: &Window, phase: Phase) -> wire::SnapshotWindow {
    wire::SnapshotWindow {
        play_id: window.play_id.0,
        author: window.author.0,
        is_final: phase == Phase::Final,
        closes_at: window.closes_at.map(|at| at.0),
        eligible: seats(&window.eligible),
        accepted: seats(&window.accepted),
        holder: window.hold.map(|hold| hold.seat.0),
        hold_until: window.hold.map(|hold| hold.until.0),
        holds_used: seats(&window.holds_used),
        challenger: window.dispute.map(|dispute| dispute.challenger.0),
        decide_by: window.dispute.map(|dispute| dispute.decide_by.0),
    }
}

fn turn_record(
    state: &State,
    turn: &TurnView<'_>,
    exchanged: &[(TurnNo, &[Tile])],
) -> wire::TurnRecord {
    let set = &state.rules().tiles;
    let plain = |kind| wire::TurnRecord {
        turn_no: turn.turn_no.0,
        seat: turn.seat.0,
        kind,
        start: None,
        tiles: None,
        words: None,
        score: 0,
        total: turn.total,
        count: None,
        off: false,
        play_id: None,
        bonus: None,
        challenger: None,
        bad_words: Vec::new(),
        points: Vec::new(),
        rack: turn.rack.map(|rack| faces(set, rack)),
    };
    match turn.kind {
        TurnKind::Play {
            play_id,
            play,
            status,
            verdict,
        } => wire::TurnRecord {
            start: Some(start(play)),
            tiles: Some(line(set, play)),
            words: Some(words(&play.words)),
            score: play.score,
            off: *status == PlayStatus::ChallengedOff,
            play_id: Some(play_id.0),
            bonus: bonus(play),
            challenger: verdict.as_deref().map(|verdict| verdict.seat.0),
            bad_words: verdict
                .as_deref()
                .map_or_else(Vec::new, |verdict| verdict.bad_words.clone()),
            points: verdict.as_deref().map_or_else(Vec::new, points),
            ..plain(wire::TurnKind::Play)
        },
        TurnKind::Exchange(count) => wire::TurnRecord {
            count: Some(number(*count)),
            tiles: exchanged
                .iter()
                .find(|(turn_no, _)| *turn_no == turn.turn_no)
                .map(|(_, tiles)| faces(set, tiles)),
            ..plain(wire::TurnKind::Exchange)
        },
        TurnKind::Pass => plain(wire::TurnKind::Pass),
        TurnKind::LostTurn => plain(wire::TurnKind::LostTurn),
    }
}

/// Returns the phase of a game as the protocol names it.
#[must_use]
pub const fn phase(phase: Phase) -> wire::Phase {
    match phase {
        Phase::Waiting => wire::Phase::Waiting,
        Phase::Running => wire::Phase::Running,
        Phase::Final => wire::Phase::Final,
        Phase::Ended => wire::Phase::Ended,
    }
}

/// Returns the summary of a game for lists.
#[must_use]
pub fn summary(
    facts: &GameFacts,
    state: &State,
    started_at: Option<Timestamp>,
    watching: u32,
) -> wire::GameSummary {
    let on_turn = state.turn().map(|turn| turn.seat.index());
    let players = &state.created().players;
    wire::GameSummary {
        game: facts.game.clone(),
        rule_set: state.options().rule_set.clone(),
        lexicon: state.options().lexicon.clone(),
        options: Some(Box::new(options::to_wire(state.options()))),
        seats: players
            .iter()
            .zip(state.seats())
            .enumerate()
            .map(|(at, (player, seat))| wire::SummarySeat {
                identity: player.identity.as_str().into(),
                name: player.name.clone(),
                score: seat.score,
                on_turn: on_turn == Some(at),
                bot: is_house_bot(&player.identity),
                rank: None,
                rating: player.rating.map(pieces::rating_to_wire),
            })
            .collect(),
        phase: phase(state.phase()),
        turn_no: state.last_turn().0,
        clocks: (state.phase() != Phase::Ended).then(|| clocks(state.clocks())),
        started_at: started_at.map(|at| at.0),
        watching,
        private: facts.privacy == Privacy::Private,
        ended_at: None,
    }
}

//! Messages of the server: each is durable before it is sent, comes in order, and shows only what its client may see.

use std::collections::BTreeSet;

use tilewire_protocol::{
    Attach, AttachOutcome, ErrorCode, Event as WireEvent, EventBody, GameId, LobbyChange, OkBody,
    ServerMessage, Snapshot, YourTurn,
};
use tilewire_rules::alphabet::Tile;
use tilewire_rules::event::{Event, PublicEvent, Record};
use tilewire_rules::options::GameOptions;
use tilewire_rules::ruleset::RuleSet;

use super::Auditor;
use super::book::sorted;
use super::criteria::Audience;
use super::requests::StreamPosition;
use crate::simulation::line::LineId;

impl Auditor {
    /// The server says something; `version` is how many changes the disk had seen then.
    ///
    /// # Panics
    /// When it should not have.
    pub fn said(
        &mut self,
        line: LineId,
        id: u64,
        message: &ServerMessage,
        version: u64,
        rules: &RuleSet,
    ) {
        match message {
            ServerMessage::Event(event) => self.event(line, event, version, rules),
            ServerMessage::Snapshot(snapshot) => self.snapshot(line, snapshot, version),
            ServerMessage::Detached(detached)
                if self.has_nodes() && detached.code == ErrorCode::Busy =>
            {
                // Nobody has played the game for too long.
                let line = self.lines.entry(line).or_default();
                line.games.remove(&detached.game);
            }
            ServerMessage::Detached(detached) => panic!("{line}: a game has failed: {detached:?}"),
            ServerMessage::GameCreated(created) => {
                self.check_durable(&created.game, 1, version);
                self.became(&created.seek, &created.game);
                self.check_games();
            }
            ServerMessage::Welcome(_) | ServerMessage::Ok(_) | ServerMessage::Error(_) => {
                self.answer(line, id, message, version);
            }
            ServerMessage::TurnWaiting(waiting) => {
                assert_eq!(id, 0, "no answer: {message:?}");
                self.turn_waits(line, waiting);
            }
            ServerMessage::Hint(hint) => self.check_hint(line, id, hint),
            ServerMessage::Presence(presence) => {
                assert_eq!(id, 0, "no answer: {message:?}");
                self.check_not_delayed(line, &presence.game);
            }
            ServerMessage::YourTurn(call) => {
                assert_eq!(id, 0, "no answer: {message:?}");
                self.check_call(line, call, version);
            }
            ServerMessage::Rating(told) => {
                assert_eq!(id, 0, "no answer: {message:?}");
                self.check_rating(line, told);
            }
            ServerMessage::Rematch(told) => {
                assert_eq!(id, 0, "no answer: {message:?}");
                self.rematch_told(line, told, version);
            }
            ServerMessage::Chat(said) => {
                assert_eq!(id, 0, "no answer: {message:?}");
                self.chat_pushed(line, said);
            }
            ServerMessage::Invitation(told) => {
                assert_eq!(id, 0, "no answer: {message:?}");
                self.invitation_told(line, told, version);
            }
            ServerMessage::Moderation(told) => {
                assert_eq!(id, 0, "no answer: {message:?}");
                self.notice_told(line, told);
            }
            ServerMessage::Lobby(change) => {
                assert_eq!(id, 0, "no answer: {message:?}");
                self.lobby_told(line, change);
            }
            ServerMessage::SeekChanged(changed) => {
                assert_eq!(id, 0, "no answer: {message:?}");
                let seek = std::iter::once(&changed.seek);
                self.check_seeks_shown(line, seek, Audience::Members);
            }
            ServerMessage::Paused(paused) => {
                self.pause_told(line, &paused.game)
                    .insert(paused.game.clone());
            }
            ServerMessage::Unpaused(goes_on) => {
                self.pause_told(line, &goes_on.game).remove(&goes_on.game);
            }
            _ => assert_eq!(id, 0, "no answer: {message:?}"),
        }
    }

    fn lobby_told(&mut self, line: LineId, change: &LobbyChange) {
        self.check_lines(change.game.iter());
        self.check_seeks_shown(line, change.seek.iter(), Audience::Everybody);
    }

    /// A client is told that a game pauses or goes on; returns the games that pause for it.
    fn pause_told(&mut self, line: LineId, game: &GameId) -> &mut BTreeSet<GameId> {
        self.check_not_delayed(line, game);
        &mut self.lines.entry(line).or_default().paused
    }

    /// A player is called to a turn that is on the disk.
    fn check_call(&self, line: LineId, call: &YourTurn, version: u64) {
        let log = self.log(&call.game);
        let turn = Some((u64::from(call.turn_no), u64::from(call.seat)));
        let begins = (1..)
            .zip(&log.book.facts)
            .find(|(_, facts)| facts.turn == turn);
        let (seq, _) = begins.unwrap_or_else(|| panic!("there is no such turn: {call:?}"));
        self.check_durable(&call.game, seq, version);
        let player = &log.book.created.players[usize::from(call.seat)].identity;
        assert_eq!(
            self.lines[&line].identity.as_ref(),
            Some(player),
            "{call:?}"
        );
    }

    /// The server closes a connection.
    pub fn closes(&mut self, line: LineId) {
        self.lines.entry(line).or_default().is_closed = true;
    }

    /// An event may be told when it is on the disk.
    pub(super) fn check_durable(&self, game: &GameId, seq: u64, version: u64) {
        let log = self.log(game);
        let at = usize::try_from(seq).ok().and_then(|seq| seq.checked_sub(1));
        let stored = at.and_then(|at| log.versions.get(at));
        assert!(
            stored.is_some_and(|stored| *stored <= version),
            "{} {seq} was told before it was stored",
            game.0
        );
    }

    pub(super) fn attached(&mut self, line: LineId, attach: &Attach, ok: &OkBody, version: u64) {
        let head = ok.head.expect("told with every attach");
        self.check_durable(&attach.game, head, version);
        let place = match (ok.outcome, attach.seq) {
            (Some(AttachOutcome::Events), Some(seq)) => StreamPosition::At(seq),
            _ => StreamPosition::AwaitsSnapshot,
        };
        let identity = self.lines[&line].identity.clone();
        let players = &self.log(&attach.game).book.created.players;
        let seat = players
            .iter()
            .position(|player| Some(&player.identity) == identity.as_ref());
        let seat = seat.and_then(|seat| u8::try_from(seat).ok());
        assert_eq!(ok.seat, seat, "the seat is that of the identity");
        self.check_old_enough(&attach.game, head, seat);
        let known = self.lines.entry(line).or_default();
        // Every attach repeats the notice of a paused game.
        known.paused.remove(&attach.game);
        known.heads.insert(attach.game.clone(), head);
        known.waiting.remove(&attach.game);
        known.charged.remove(&attach.game);
        known.games.insert(attach.game.clone(), (seat, place));
    }

    fn place(&mut self, line: LineId, game: &GameId) -> &mut (Option<u8>, StreamPosition) {
        let known = self.lines.entry(line).or_default();
        let place = known.games.get_mut(game);
        place.unwrap_or_else(|| panic!("{line} is not attached to {}", game.0))
    }

    fn event(&mut self, line: LineId, event: &WireEvent, version: u64, rules: &RuleSet) {
        self.checked += 1;
        self.check_durable(&event.game, event.seq, version);
        let (seat, place) = self.place(line, &event.game);
        let seat = *seat;
        assert_eq!(
            *place,
            StreamPosition::At(event.seq - 1),
            "{line}: in order, without gaps: {event:?}"
        );
        *place = StreamPosition::At(event.seq);
        self.check_old_enough(&event.game, event.seq, seat);
        let moment = self.moment();
        let log = self.logs.get_mut(&event.game).expect("just looked at");
        if matches!(event.body, EventBody::Ended(_)) {
            log.over_told.get_or_insert(moment);
        }
        let record = &log.records[usize::try_from(event.seq).expect("few") - 1];
        assert_eq!(
            (event.at, event.body.kind()),
            (record.at.0, kind_of(record))
        );
        check_hidden(
            &event.body,
            record,
            seat,
            shows_racks(&log.book.created.options),
            rules,
        );
        let open = without_hidden(&event.body);
        let shown = log.shown.entry(event.seq).or_insert_with(|| open.clone());
        assert_eq!(*shown, open, "all clients get the same event");
        self.check_waiting(line, event, seat);
    }

    fn snapshot(&mut self, line: LineId, snapshot: &Snapshot, version: u64) {
        self.checked += 1;
        self.check_durable(&snapshot.game, snapshot.seq, version);
        let (seat, place) = self.place(line, &snapshot.game);
        if let StreamPosition::At(seq) = place {
            assert!(*seq <= snapshot.seq, "a snapshot never goes back");
        }
        *place = StreamPosition::At(snapshot.seq);
        let seat = *seat;
        assert_eq!(snapshot.seat, seat);
        let known = self.lines.entry(line).or_default();
        known.paused.remove(&snapshot.game);
        known.charged.remove(&snapshot.game);
        self.snapshot_waits(line, snapshot);
        self.check_old_enough(&snapshot.game, snapshot.seq, seat);
        let log = self.log(&snapshot.game);
        let facts = &log.book.facts[usize::try_from(snapshot.seq).expect("few") - 1];
        let scores: Vec<i64> = snapshot.seats.iter().map(|own| own.score.into()).collect();
        assert_eq!(scores, facts.scores);
        assert_eq!(i64::from(snapshot.bag), facts.bag);
        assert_eq!(snapshot.board.len(), facts.laid);
        assert_eq!(
            snapshot
                .on_turn
                .map(|seat| (u64::from(snapshot.turn_no), u64::from(seat))),
            facts.turn
        );
        assert_eq!(
            snapshot.window.as_ref().map(|window| window.play_id),
            facts.window
        );
        assert_eq!(snapshot.result.is_some(), facts.is_over);
        for (own, number) in snapshot.seats.iter().zip(0_u8..) {
            let rack = &facts.racks[usize::from(number)];
            let count = facts.rack_counts[usize::from(number)];
            assert_eq!(i64::from(own.rack_count), count);
            let may_see = match seat {
                Some(own) => own == number,
                None => shows_racks(&log.book.created.options),
            };
            assert_eq!(
                own.rack.is_some(),
                may_see,
                "a client sees the rack of another player: {snapshot:?}"
            );
            if let Some(faces) = &own.rack {
                assert_eq!(&sorted(faces), rack);
            }
        }
        for turn in &snapshot.turns {
            let may_see = match seat {
                Some(own) => own == turn.seat,
                None => shows_racks(&log.book.created.options),
            };
            assert_eq!(
                turn.rack.is_some(),
                may_see || facts.is_over,
                "a client sees a past rack of another player: {snapshot:?}"
            );
        }
    }
}

/// Whether spectators are to see the racks, by the options alone.
fn shows_racks(options: &GameOptions) -> bool {
    options.spectators.is_some_and(|view| view.racks)
}

/// Hidden tiles are shown to their owner and to commentators, and to no other client.
fn check_hidden(
    body: &EventBody,
    record: &Record,
    seat: Option<u8>,
    shows_racks: bool,
    rules: &RuleSet,
) {
    let (told, owner, is_so) = match (body, &record.event) {
        (EventBody::TilesDrawn(drawn), Event::TilesDrawn { seat, tiles, .. }) => {
            (&drawn.tiles, *seat, tiles)
        }
        (EventBody::Exchanged(laid), Event::Exchanged { seat, tiles, .. }) => {
            (&laid.tiles, *seat, tiles)
        }
        _ => return,
    };
    let may_see = match seat {
        Some(seat) => seat == owner.0,
        None => shows_racks,
    };
    assert_eq!(told.is_some(), may_see, "only {owner} sees {body:?}");
    if let Some(faces) = told {
        let mut is_so = is_so.clone();
        is_so.sort_unstable();
        assert_eq!(tiles(faces, rules), is_so);
    }
}

fn tiles(faces: &[String], rules: &RuleSet) -> Vec<Tile> {
    let parsed = faces.iter().map(|face| rules.tiles.parse_tile(face));
    let mut tiles: Vec<Tile> = parsed
        .map(|tile| tile.expect("a face of the set"))
        .collect();
    tiles.sort_unstable();
    tiles
}

fn without_hidden(body: &EventBody) -> EventBody {
    let mut body = body.clone();
    match &mut body {
        EventBody::TilesDrawn(drawn) => drawn.tiles = None,
        EventBody::Exchanged(exchanged) => exchanged.tiles = None,
        _ => {}
    }
    body
}

/// The kind of event that clients get for a record.
pub(super) fn kind_of(record: &Record) -> &'static str {
    match &record.event {
        Event::Created(_) => "created",
        Event::BagShuffled { .. } => "bag_shuffled",
        Event::TilesDrawn { .. } => "tiles_drawn",
        Event::Exchanged { .. } => "exchanged",
        Event::Public(event) => match event {
            PublicEvent::SeatReady { .. } => "seat_ready",
            PublicEvent::BoardDrawn { .. } => "board_drawn",
            PublicEvent::OrderDrawn { .. } => "order_drawn",
            PublicEvent::TurnStarted { .. } => "turn_started",
            PublicEvent::PlayMade(_) => "play_made",
            PublicEvent::Passed { .. } => "passed",
            PublicEvent::TurnLost { .. } => "turn_lost",
            PublicEvent::Accepted { .. } => "accepted",
            PublicEvent::HoldStarted { .. } => "hold_started",
            PublicEvent::HoldEnded { .. } => "hold_ended",
            PublicEvent::ChallengeOpened { .. } => "challenge_opened",
            PublicEvent::ChallengeDecided(_) => "challenge_decided",
            PublicEvent::WindowClosed { .. } => "window_closed",
            PublicEvent::ClockCredited { .. } => "clock_credited",
            PublicEvent::SeatVanished { .. } => "seat_vanished",
            PublicEvent::SeatReturned { .. } => "seat_returned",
            PublicEvent::AbortRequested { .. } => "abort_requested",
            PublicEvent::AbortDeclined { .. } => "abort_declined",
            PublicEvent::Nudged { .. } => "nudged",
            PublicEvent::NudgeAnswered { .. } => "nudge_answered",
            PublicEvent::AdjournRequested { .. } => "adjourn_requested",
            PublicEvent::AdjournAgreed { .. } => "adjourn_agreed",
            PublicEvent::AdjournDeclined { .. } => "adjourn_declined",
            PublicEvent::Adjourned { .. } => "adjourned",
            PublicEvent::ReadyToResume { .. } => "ready_to_resume",
            PublicEvent::NotReadyToResume { .. } => "not_ready_to_resume",
            PublicEvent::Resumed { .. } => "resumed",
            PublicEvent::Paused { .. } => "paused",
            PublicEvent::Vacation { .. } => "vacation",
            PublicEvent::TimeGiven { .. } => "time_given",
            PublicEvent::TimeRefused { .. } => "time_refused",
            PublicEvent::HintUsed { .. } => "hint_used",
            PublicEvent::SeatRetired { .. } => "seat_retired",
            PublicEvent::Ended(_) => "ended",
        },
    }
}

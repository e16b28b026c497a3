//! How a player handles the server's messages: answers to its requests, and events of its game.

use std::time::Duration;

use bytes::Bytes;
use tilewire_client::{Arrival, GameView};
use tilewire_protocol::{
    ClientMessage, Clocks, CmdId, EndReason, ErrorBody, ErrorCode, EventBody, JoinSeek, OkBody,
    Role, SeekId, ServerMessage,
};

use super::{Disconnected, IN_FLIGHT_PAUSE, Part, Pending, Player, Purpose};
use crate::host;
use crate::link::{Link, pause_of};
use crate::presence::Status;
use crate::recorder::Counter;
use crate::shared::Mode;
use crate::transcript::{Accepted, Body, Decoded, Viewer};

/// How early a flag may fall, because the server reports clocks in whole milliseconds.
const CLOCK_TOLERANCE_US: i64 = 2_000;

impl Player {
    /// Handles a frame.
    pub(super) async fn receive(
        &mut self,
        link: &mut Link,
        frame: &Bytes,
    ) -> Result<(), Disconnected> {
        let recorder = &self.shared.recorder;
        recorder.count_many(Counter::Bytes, u64::try_from(frame.len()).unwrap_or(0));
        let (decoded, message) = match Decoded::read(frame) {
            Ok(read) => read,
            Err(error) => {
                self.shared.fault(format!("an unreadable message: {error}"));
                return Ok(());
            }
        };
        self.check_message(&decoded);
        match message {
            ServerMessage::Ok(ok) => self.on_accepted(link, decoded.id, &ok).await?,
            ServerMessage::Error(error) => self.on_refused(decoded.id, &error),
            ServerMessage::Event(event) => {
                self.record_event(&decoded, frame);
                self.on_event(&event);
            }
            ServerMessage::Snapshot(snapshot) => {
                self.shared.recorder.count(Counter::Snapshots);
                self.session.snapshot(&snapshot);
                if let (Some(table), Body::Snapshot { digest, .. }) =
                    (&mut self.table, &decoded.body)
                {
                    table.epoch = snapshot.epoch;
                    let seat = snapshot.seat.unwrap_or(0);
                    table.transcript.snapshot(snapshot.seq, *digest);
                    let own = snapshot.seats.get(usize::from(seat));
                    if let Some(rack) = own.and_then(|own| own.rack.clone()) {
                        table.transcript.racks.push((snapshot.seq, rack));
                    }
                    table.flag_at = flag_at(&snapshot.clocks).unwrap_or(table.flag_at);
                    table.view = Some(GameView::from_snapshot(&snapshot));
                    table.is_over = snapshot.result.is_some();
                }
            }
            ServerMessage::GameCreated(created) => self.join_game(link, created.game).await?,
            ServerMessage::Detached(detached) if self.moves_away(detached.code) => {}
            ServerMessage::Detached(detached) => {
                self.shared.fault(format!("detached: {}", detached.code));
            }
            _ => {}
        }
        if self.is_misplaced {
            return Err(Disconnected::Elsewhere);
        }
        self.choose_action();
        self.leave_finished_game(link).await
    }

    /// Notes that another one of several servers has what the player wants, if the code says so; says whether it does.
    fn moves_away(&mut self, code: ErrorCode) -> bool {
        let is_elsewhere = self.shared.has_nodes() && code == ErrorCode::Busy;
        self.is_misplaced |= is_elsewhere;
        is_elsewhere
    }

    /// Joins the owner's seek.
    pub(super) async fn join(&mut self, link: &mut Link, seek: SeekId) -> Result<(), Disconnected> {
        let join = ClientMessage::JoinSeek(JoinSeek {
            cmd_id: self.session.next_cmd_id(),
            seek: Some(seek),
            code: None,
            nonce_hash: None,
            level: None,
        });
        self.send(link, join, Purpose::Seek(Some(host::now())))
            .await
    }

    async fn on_accepted(
        &mut self,
        link: &mut Link,
        id: u64,
        ok: &OkBody,
    ) -> Result<(), Disconnected> {
        let Some(Pending { message, purpose }) = self.pending.remove(&id) else {
            self.shared
                .fault(format!("request {id} was answered twice"));
            return Ok(());
        };
        match &purpose {
            Purpose::Seek(since) => {
                if let Some(since) = since {
                    let recorder = &self.shared.recorder;
                    recorder.record(
                        &recorder.seek,
                        host::now().saturating_duration_since(*since),
                    );
                }
                match (&self.part, &ok.seek, &ok.game) {
                    (_, _, Some(game)) => return self.join_game(link, game.clone()).await,
                    (Part::Owner(offer), Some(seek), None) => {
                        self.has_seek = true;
                        // The send fails only if the guest has left.
                        drop(offer.send(seek.seek.clone()));
                    }
                    _ => {}
                }
            }
            Purpose::Attach(attach, lost_at) => {
                self.session.attached(attach, ok);
                if let Some(table) = self.table.as_mut().filter(|t| t.game == attach.game) {
                    self.presence.set(Status::Attached);
                    table.epoch = ok.epoch.unwrap_or(table.epoch);
                    table.head = ok.head.unwrap_or(table.head);
                    if let Some(seat) = ok.seat {
                        table.transcript.viewer = Viewer::Seat(seat);
                    }
                }
                if let Some(lost_at) = lost_at {
                    let recorder = &self.shared.recorder;
                    recorder.record(&recorder.resume, lost_at.elapsed());
                }
                self.join_chat(link, attach.game.clone()).await?;
            }
            Purpose::Chat => self.chat_answered(ok),
            Purpose::Ready | Purpose::Judge | Purpose::Repeat => {}
            Purpose::Illegal => {
                self.shared
                    .fault(format!("the server accepted an illegal turn: {message:?}"));
            }
            Purpose::Turn(sent) => {
                let recorder = &self.shared.recorder;
                if let Some(sent) = sent {
                    let now = host::now();
                    recorder.record(&recorder.ack, now.saturating_duration_since(sent.due));
                    recorder.record(&recorder.service, now.saturating_duration_since(sent.at));
                }
                recorder.count(Counter::Moves);
            }
        }
        match (message.game_command(), ok.seq) {
            (Some((_, cmd_id)), Some(seq)) => self.remember(cmd_id.clone(), seq, message.clone()),
            (Some(_), None) => {
                let what = format!("the answer has no sequence number: {message:?}");
                self.shared.fault(what);
            }
            (None, _) => {}
        }
        Ok(())
    }

    /// Records the answer to a command, and checks that a repeated command gets the same answer.
    fn remember(&mut self, cmd_id: CmdId, seq: u64, command: ClientMessage) {
        match self.answered.insert(cmd_id, seq) {
            None => {
                if let Some(table) = &mut self.table {
                    if let Some(seat) = table.transcript.viewer.seat() {
                        let witness = &self.shared.witness;
                        witness.acknowledged(&table.game, seat, &command, seq);
                    }
                    table.transcript.accepted.push(Accepted { command, seq });
                }
            }
            Some(first) if first == seq => {}
            Some(first) => {
                let what = format!("a repeated command was answered {seq} after {first}");
                self.shared.fault(what);
            }
        }
    }

    fn on_refused(&mut self, id: u64, error: &ErrorBody) {
        let Some(Pending { message, purpose }) = self.pending.remove(&id) else {
            self.shared
                .fault(format!("request {id} was answered twice: {}", error.code));
            return;
        };
        if error.retryable {
            self.moves_away(error.code);
            if error.code == ErrorCode::Busy && matches!(purpose, Purpose::Turn(_)) {
                self.shared.recorder.count(Counter::TurnsRefused);
            }
            // The server still processes the first copy of this command.
            let pause = if error.code == ErrorCode::CommandInFlight {
                IN_FLIGHT_PAUSE
            } else {
                self.shared.error(error.code.as_str());
                pause_of(error)
            };
            let at = host::now() + pause;
            let place = self.retries.partition_point(|(due, _)| *due <= at);
            self.retries
                .insert(place, (at, Pending { message, purpose }));
            return;
        }
        match purpose {
            Purpose::Illegal => {
                self.shared.recorder.count(Counter::Refusals);
                // The held turn can be sent now.
                let now = self.shared.recorder.moment_us(host::now());
                if let Some(due) = &mut self.due {
                    due.held_until = now;
                }
            }
            Purpose::Ready if error.code == ErrorCode::AlreadyReady => {}
            // The game was left meanwhile, and its room with it.
            Purpose::Chat if matches!(error.code, ErrorCode::NotInRoom | ErrorCode::NoSuchRoom) => {
            }
            // The seek was lost when the server restarted; its owner opens another.
            Purpose::Seek(_) if error.code == ErrorCode::UnknownSeek => {}
            // The answer to an earlier seek was lost with its connection, and that seek is still open.
            Purpose::Seek(_) if error.code == ErrorCode::AlreadySeeking => {}
            // The window may have closed, or the game ended, while the request was in flight.
            Purpose::Judge if came_too_late(error.code) => {}
            // The refusal of the first copy is handled on its own.
            Purpose::Repeat if self.table.as_ref().is_none_or(|table| table.is_over) => {}
            // A flag may fall while a turn is in flight; the end of the game must follow.
            Purpose::Turn(_) | Purpose::Repeat if error.code == ErrorCode::GameOver => {
                if let Some(table) = &mut self.table {
                    table.must_end = true;
                }
            }
            Purpose::Turn(_) if self.table.as_ref().is_some_and(|table| table.is_over) => {}
            // With more than two players, another player's challenge may have changed the turn.
            Purpose::Turn(_) | Purpose::Repeat
                if self.is_among_many()
                    && matches!(
                        error.code,
                        ErrorCode::WrongPosition | ErrorCode::NotYourTurn
                    ) => {}
            _ => {
                let text = format!("{message:?} was refused: {}", error.code);
                self.shared.fault(text);
            }
        }
    }

    fn is_among_many(&self) -> bool {
        let view = self.table.as_ref().and_then(|table| table.view.as_ref());
        view.is_some_and(|view| view.seats.len() > 2)
    }

    /// Reports a message that shows another player's tiles or that the audit cannot check.
    fn check_message(&mut self, decoded: &Decoded) {
        // A player without a seat may see no tiles, like a spectator.
        let viewer = self.table.as_ref().map(|table| table.transcript.viewer);
        let Some(fault) = decoded.fault_for(viewer.unwrap_or(Viewer::Spectator(0))) else {
            return;
        };
        match &mut self.table {
            Some(table) => table.transcript.fault(fault),
            None => self.shared.fault(fault),
        }
    }

    fn record_event(&mut self, decoded: &Decoded, frame: &Bytes) {
        self.shared.recorder.count(Counter::Deliveries);
        let Some(table) = &mut self.table else { return };
        let Body::Event {
            game, turn_no, seq, ..
        } = &decoded.body
        else {
            return;
        };
        if *game != table.game {
            let what = format!(
                "an event of game {} arrived in game {}",
                game.as_str(),
                table.game.as_str()
            );
            self.shared.fault(what);
            return;
        }
        table.transcript.event(decoded, frame);
        if let Some(sight) = decoded.sight() {
            self.shared.witness.saw(game, table.epoch, sight);
        }
        let Some(turn_no) = turn_no else { return };
        let recorder = &self.shared.recorder;
        let view = table.view.as_ref();
        let is_own = view.is_some_and(|view| view.is_own_turn() && view.turn_no == *turn_no);
        if !is_own
            && *seq > table.head
            && let Some(time) = self.pairing.since_due(recorder, *turn_no, host::now())
        {
            recorder.record(&recorder.push, time);
        }
    }

    fn on_event(&mut self, event: &tilewire_protocol::Event) {
        if !matches!(self.session.event(event), Arrival::Apply) {
            self.shared
                .fault(format!("event {} is out of sequence", event.seq));
        }
        let Some(table) = &mut self.table else { return };
        GameView::fold(
            &mut table.view,
            event,
            Role::Player,
            table.transcript.viewer.seat(),
        );
        table.flag_at = match &event.body {
            EventBody::TurnStarted(turn) => flag_at(&turn.clocks),
            EventBody::ClockCredited(credited) => flag_at(&credited.clocks),
            EventBody::Paused(paused) => flag_at(&paused.clocks),
            EventBody::Vacation(vacation) => flag_at(&vacation.clocks),
            EventBody::TimeGiven(gift) => flag_at(&gift.clocks),
            _ => None,
        }
        .unwrap_or(table.flag_at);
        if let EventBody::Ended(result) = &event.body {
            table.is_over = true;
            if result.reason == EndReason::Time {
                let late = host::unix_us() - table.flag_at.saturating_mul(1_000);
                if late < -CLOCK_TOLERANCE_US && self.shared.is_local() {
                    let what = format!("a flag fell {} us before its deadline", -late);
                    table.transcript.fault(what);
                }
                let late = Duration::from_micros(u64::try_from(late).unwrap_or(0));
                self.shared
                    .recorder
                    .record(&self.shared.recorder.flag, late);
            }
        }
    }

    /// Leaves a finished game once every request is answered, and starts the next game.
    async fn leave_finished_game(&mut self, link: &mut Link) -> Result<(), Disconnected> {
        if !self.pending.is_empty() || !self.retries.is_empty() {
            return Ok(());
        }
        if let Some(table) = self.table.take_if(|table| table.is_over) {
            self.presence.set(Status::Idle);
            self.due = None;
            self.session.forget(&table.game);
            self.room = None;
            let detach = tilewire_protocol::Detach {
                game: table.game.clone(),
            };
            let is_owner = matches!(self.part, Part::Owner(_));
            if is_owner {
                self.shared.recorder.count(Counter::Finished);
            }
            self.shared.add_transcript(table.transcript);
            self.answered.clear();
            if self.shared.mode() != Mode::Leaving {
                self.send(link, ClientMessage::Detach(detach), Purpose::Judge)
                    .await?;
            }
            return match self.next_games.pop_front() {
                Some(game) => self.join_game(link, game).await,
                None => self.open_seek(link).await,
            };
        }
        Ok(())
    }
}

/// Returns when the flag of the running clock falls, in server time.
fn flag_at(clocks: &Clocks) -> Option<i64> {
    let running = clocks.running?;
    let place = usize::from(running.seat);
    let left = [&clocks.main_ms, &clocks.allowance_ms];
    let left: i64 = left.iter().filter_map(|ms| ms.get(place)).sum();
    Some(running.since.saturating_add(left))
}

/// Whether the server refused a challenge, an acceptance or a resignation only because it arrived too late.
const fn came_too_late(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::WindowClosed
            | ErrorCode::WrongPosition
            | ErrorCode::AlreadyChallenged
            | ErrorCode::AlreadyAccepted
            | ErrorCode::GameOver
            | ErrorCode::UnknownGame
    )
}

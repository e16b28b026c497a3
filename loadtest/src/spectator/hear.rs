//! What a spectator makes of messages: events and snapshots of its game, answers to its requests.

use std::time::Duration;

use bytes::Bytes;
use tilewire_protocol::{ErrorCode, ServerMessage};
use tokio::time::Instant;

use super::{ANSWER_WITHIN, SILENCE, Spectator};
use crate::attendance::Place;
use crate::host;
use crate::link::{AGAIN_AFTER, pause_of};
use crate::meter::Count;
use crate::trail::Body;

impl Spectator {
    /// Takes a frame in; says whether it was an event.
    pub(super) fn hear(&mut self, frame: &Bytes, since: &mut Option<Instant>) -> bool {
        let meter = &self.stage.meter;
        meter.count_many(Count::Bytes, u64::try_from(frame.len()).unwrap_or(0));
        let told = match self.stage.reader.read(frame) {
            Ok(told) => told,
            Err(error) => {
                self.stage.fault(format!("an unreadable message: {error}"));
                return false;
            }
        };
        let Some(watched) = &mut self.watched else {
            if told.id != 0 {
                self.note_unasked(told.id);
            }
            return false;
        };
        if let Some(fault) = told.fault_for(watched.trail.viewer) {
            watched.trail.fault(fault);
        }
        match &told.body {
            Body::Event {
                game,
                seq,
                turn_no,
                is_end,
                ..
            } => {
                meter.count(Count::Deliveries);
                if *game != watched.trail.game {
                    return false;
                }
                watched.trail.event(&told, frame);
                watched.seq = Some(*seq);
                watched.is_over |= is_end;
                if let Some(turn_no) = turn_no
                    && *seq > watched.head
                    && let Some(time) = self.pair.since_due(meter, *turn_no, host::now())
                {
                    meter.time(&meter.push, time);
                }
                true
            }
            Body::Snapshot {
                game,
                epoch,
                seq,
                standing,
                is_end,
            } => {
                meter.count(Count::Snapshots);
                if *game == watched.trail.game {
                    watched.trail.snapshot(*seq, *standing);
                    watched.seq = Some(*seq);
                    watched.epoch = *epoch;
                    watched.is_over |= is_end;
                }
                false
            }
            Body::Other(other) => {
                self.answered(told.id, other, since);
                false
            }
        }
    }

    /// Takes the answer to its request to watch in.
    fn answered(&mut self, id: u64, answer: &ServerMessage, since: &mut Option<Instant>) {
        let meter = &self.stage.meter;
        let Some(watched) = &mut self.watched else {
            return;
        };
        match answer {
            ServerMessage::Detached(detached) if detached.game == watched.trail.game => {
                self.stage.error(detached.code.as_str());
                watched.ask_at = Some(host::now() + AGAIN_AFTER);
                return;
            }
            _ if id == 0 => return,
            _ => {}
        }
        if watched.asked.take_if(|asked| *asked == id).is_none() {
            return self.note_unasked(id);
        }
        match answer {
            ServerMessage::Ok(ok) => {
                watched.epoch = ok.epoch.unwrap_or(0);
                watched.head = ok.head.unwrap_or(0);
                self.presence.is(Place::There);
            }
            ServerMessage::Error(refusal) if refusal.retryable => {
                self.stage
                    .error(format!("watching refused: {}", refusal.code));
                watched.ask_at = Some(host::now() + pause_of(refusal));
                return;
            }
            // A game that ended long ago may be forgotten.
            ServerMessage::Error(refusal) if refusal.code == ErrorCode::UnknownGame => {
                watched.is_over = true;
                *since = None;
                return self.presence.is(Place::Elsewhere);
            }
            other => {
                watched.is_over = true;
                *since = None;
                let fault = format!("a request to watch was answered {other:?}");
                watched.trail.fault(fault);
                return self.presence.is(Place::Elsewhere);
            }
        }
        match (since.take(), watched.has_come) {
            (Some(since), false) => meter.joined(since.elapsed()),
            (Some(since), true) => {
                meter.time(&meter.resume, since.elapsed());
            }
            (None, _) => {}
        }
        watched.has_come = true;
    }

    /// How long to wait for what may still come before leaving.
    pub(super) fn patience(&self) -> Duration {
        let asked = self.watched.as_ref().and_then(|watched| watched.asked);
        asked.map_or(SILENCE, |_| ANSWER_WITHIN)
    }

    /// Objects to an answer to nothing.
    fn note_unasked(&self, id: u64) {
        let number = self.number;
        self.stage.fault(format!(
            "spectator {number} was sent an answer to request {id}, which waits for none"
        ));
    }

    /// Objects to a request that has no answer.
    pub(super) fn note_unanswered(&mut self) {
        if let Some(watched) = &mut self.watched
            && watched.asked.is_some()
        {
            let fault = "a request to watch was never answered".to_owned();
            watched.trail.fault(fault);
        }
    }
}

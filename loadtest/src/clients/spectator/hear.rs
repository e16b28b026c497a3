//! How a spectator handles the server's messages: events and snapshots of its game, and answers to its requests.

use std::time::Duration;

use bytes::Bytes;
use tilewire_protocol::{ErrorCode, ServerMessage};
use tokio::time::Instant;

use super::{ANSWER_WITHIN, SILENCE, Spectator};
use crate::host;
use crate::link::{AGAIN_AFTER, pause_of};
use crate::presence::Status;
use crate::recorder::Counter;
use crate::transcript::Body;

impl Spectator {
    /// Takes a frame in; says whether it was an event.
    pub(super) fn hear(&mut self, frame: &Bytes, since: &mut Option<Instant>) -> bool {
        let recorder = &self.shared.recorder;
        recorder.count_many(Counter::Bytes, u64::try_from(frame.len()).unwrap_or(0));
        let decoded = match self.shared.frames.decode(frame) {
            Ok(decoded) => decoded,
            Err(error) => {
                self.shared.fault(format!("an unreadable message: {error}"));
                return false;
            }
        };
        let Some(watched) = &mut self.watched else {
            if decoded.id != 0 {
                self.note_unasked(decoded.id);
            }
            return false;
        };
        if let Some(fault) = decoded.fault_for(watched.transcript.viewer) {
            watched.transcript.fault(fault);
        }
        match &decoded.body {
            Body::Event {
                game,
                seq,
                turn_no,
                is_end,
                ..
            } => {
                recorder.count(Counter::Deliveries);
                if *game != watched.transcript.game {
                    return false;
                }
                watched.transcript.event(&decoded, frame);
                if let Some(sight) = decoded.sight() {
                    self.shared.witness.saw(game, watched.epoch, sight);
                }
                watched.seq = Some(*seq);
                watched.is_over |= is_end;
                if let Some(turn_no) = turn_no
                    && *seq > watched.head
                    && let Some(time) = self.pairing.since_due(recorder, *turn_no, host::now())
                {
                    recorder.record(&recorder.push, time);
                }
                true
            }
            Body::Snapshot {
                game,
                epoch,
                seq,
                digest,
                is_end,
            } => {
                recorder.count(Counter::Snapshots);
                if *game == watched.transcript.game {
                    watched.transcript.snapshot(*seq, *digest);
                    watched.seq = Some(*seq);
                    watched.epoch = *epoch;
                    watched.is_over |= is_end;
                }
                false
            }
            Body::Other(other) => {
                self.answered(decoded.id, other, since);
                false
            }
        }
    }

    /// Takes the answer to its request to watch in.
    fn answered(&mut self, id: u64, answer: &ServerMessage, since: &mut Option<Instant>) {
        let recorder = &self.shared.recorder;
        let Some(watched) = &mut self.watched else {
            return;
        };
        match answer {
            ServerMessage::Detached(detached) if detached.game == watched.transcript.game => {
                self.shared.error(detached.code.as_str());
                self.is_misplaced = self.shared.has_nodes();
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
                self.presence.set(Status::Attached);
            }
            ServerMessage::Error(refusal) if refusal.retryable => {
                self.shared
                    .error(format!("watching refused: {}", refusal.code));
                self.is_misplaced = self.shared.has_nodes();
                watched.ask_at = Some(host::now() + pause_of(refusal));
                return;
            }
            // A game that ended long ago may be forgotten.
            ServerMessage::Error(refusal) if refusal.code == ErrorCode::UnknownGame => {
                watched.is_over = true;
                *since = None;
                return self.presence.set(Status::Idle);
            }
            other => {
                watched.is_over = true;
                *since = None;
                let fault = format!("a request to watch was answered {other:?}");
                watched.transcript.fault(fault);
                return self.presence.set(Status::Idle);
            }
        }
        match (since.take(), watched.has_come) {
            (Some(since), false) => recorder.joined(since.elapsed()),
            (Some(since), true) => {
                recorder.record(&recorder.resume, since.elapsed());
            }
            (None, _) => {}
        }
        watched.has_come = true;
    }

    /// How long to wait for further messages before leaving.
    pub(super) fn patience(&self) -> Duration {
        let asked = self.watched.as_ref().and_then(|watched| watched.asked);
        asked.map_or(SILENCE, |_| ANSWER_WITHIN)
    }

    /// Objects to an answer to nothing.
    fn note_unasked(&self, id: u64) {
        let number = self.number;
        self.shared.fault(format!(
            "spectator {number} was sent an answer to request {id}, which waits for none"
        ));
    }

    /// Objects to a request that has no answer.
    pub(super) fn note_unanswered(&mut self) {
        if let Some(watched) = &mut self.watched
            && watched.asked.is_some()
        {
            let fault = "a request to watch was never answered".to_owned();
            watched.transcript.fault(fault);
        }
    }
}

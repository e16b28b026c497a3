//! Appends to the journal, and their failures.

use tilewire_protocol::{ErrorCode, ServerMessage};
use tilewire_rules::event::{Event, PublicEvent, Record};
use tilewire_rules::game::{Answer, Game, Transition};
use tilewire_rules::state::Phase;
use tilewire_rules::time::{Millis, Timestamp};

use super::history::History;
use super::{Participant, Room, RoomEffect};
use tilewire_store::{Append, AppendError, StoreError, StoredGame};

/// The state of the room's journal calls.
#[derive(Debug)]
pub(super) enum Writing<P> {
    /// No call is in flight.
    Idle,
    /// An append is in flight.
    Appending(Box<Flight<P>>),
    /// The storage refused the append; nothing was stored.
    Waiting {
        flight: Box<Flight<P>>,
        retry_at: Timestamp,
        pause_ms: Millis,
    },
    /// The outcome of the append is unknown: the log is being read again.
    Reloading(Reload),
    /// The journal was asked to keep the sleeping game.
    Resting { since: Timestamp },
}

/// The state of reading the log again.
#[derive(Debug, Clone, Copy)]
pub(super) enum Reload {
    /// The journal was asked.
    Asked { since: Timestamp, pause_ms: Millis },
    /// The journal did not answer and is asked again.
    Again {
        since: Timestamp,
        pause_ms: Millis,
        retry_at: Timestamp,
    },
}

impl Reload {
    /// Returns when the journal is asked again.
    pub(super) const fn retry_at(self) -> Option<Timestamp> {
        match self {
            Self::Asked { .. } => None,
            Self::Again { retry_at, .. } => Some(retry_at),
        }
    }
}

/// A transition that is being appended.
#[derive(Debug)]
pub(super) struct Flight<P> {
    append: Append,
    next: Game,
    answers: Vec<Answer>,
    asked: Option<(P, u64)>,
    /// When it was first handed to the journal.
    pub(super) since: Timestamp,
    /// The pause before the last retry; 0 before the first.
    pause_ms: Millis,
}

impl<P: Participant> Room<P> {
    pub(super) fn write(
        &mut self,
        now: Timestamp,
        transition: Transition,
        asked: Option<(P, u64)>,
        out: &mut Vec<RoomEffect<P>>,
    ) {
        let Transition {
            records,
            next,
            answers,
        } = transition;
        let append = Append {
            game: self.parts.facts.game.clone(),
            after: self.game.state().seq().0,
            records: records.into(),
            is_finished: next.state().phase() == Phase::Ended,
        };
        out.push(RoomEffect::Append(append.clone()));
        self.writing = Writing::Appending(Box::new(Flight {
            append,
            next,
            answers,
            asked,
            since: now,
            pause_ms: Millis::ZERO,
        }));
    }

    pub(super) fn appended(
        &mut self,
        now: Timestamp,
        outcome: &Result<(), AppendError>,
        out: &mut Vec<RoomEffect<P>>,
    ) {
        let Writing::Appending(flight) = std::mem::replace(&mut self.writing, Writing::Idle) else {
            debug_assert!(false, "an append was answered that was not in flight");
            return;
        };
        match outcome {
            Ok(()) => self.stored(now, *flight, out),
            Err(AppendError::Unavailable(_)) => {
                self.pause(out);
                let pause_ms = self.next_pause(flight.pause_ms);
                self.writing = Writing::Waiting {
                    flight,
                    retry_at: now + pause_ms,
                    pause_ms,
                };
            }
            Err(AppendError::Fenced) => self.drop_fenced(out),
            Err(AppendError::Conflict { .. } | AppendError::OutcomeUnknown(_)) => {
                out.push(RoomEffect::Reload);
                self.unconfirmed = flight.append.records.to_vec();
                self.writing = Writing::Reloading(Reload::Asked {
                    since: flight.since,
                    pause_ms: Millis::ZERO,
                });
            }
        }
    }

    fn next_pause(&self, last_ms: Millis) -> Millis {
        let bounds = &self.parts.bounds;
        let doubled = (last_ms * 2).max(bounds.storage_retry_ms);
        doubled.min(bounds.storage_retry_max_ms).max(Millis(1))
    }

    /// Retries what is due.
    pub(super) fn retry(&mut self, now: Timestamp, out: &mut Vec<RoomEffect<P>>) {
        match std::mem::replace(&mut self.writing, Writing::Idle) {
            Writing::Waiting {
                mut flight,
                retry_at,
                pause_ms,
            } if retry_at <= now && !self.is_stopping => {
                flight.pause_ms = pause_ms;
                out.push(RoomEffect::Append(flight.append.clone()));
                self.writing = Writing::Appending(flight);
            }
            Writing::Reloading(Reload::Again {
                since,
                pause_ms,
                retry_at,
            }) if retry_at <= now && !self.is_stopping => {
                out.push(RoomEffect::Reload);
                self.writing = Writing::Reloading(Reload::Asked { since, pause_ms });
            }
            Writing::Appending(flight) => {
                if now - flight.since >= self.parts.bounds.storage_stall_ms {
                    self.pause(out);
                }
                self.writing = Writing::Appending(flight);
            }
            Writing::Resting { since } => {
                if now - since >= self.parts.bounds.storage_stall_ms {
                    self.pause(out);
                }
                self.writing = Writing::Resting { since };
            }
            as_before @ (Writing::Idle | Writing::Waiting { .. } | Writing::Reloading(_)) => {
                self.writing = as_before;
            }
        }
    }

    /// Announces once that the game waits for the storage.
    fn pause(&mut self, out: &mut Vec<RoomEffect<P>>) {
        if self.is_paused {
            return;
        }
        self.is_paused = true;
        let text = "the game waits for the storage; nothing was changed";
        self.refuse_queued(ErrorCode::StoragePaused, text, out);
        let paused = ServerMessage::Paused(self.game_ref());
        self.fan_out(self.busy_at, paused, out);
    }

    /// Announces that the storage works again. The time it took is credited before anything else happens.
    pub(super) fn unpause(
        &mut self,
        now: Timestamp,
        since: Timestamp,
        out: &mut Vec<RoomEffect<P>>,
    ) {
        if !self.is_paused {
            return;
        }
        self.is_paused = false;
        if !self.is_over() {
            let earlier = self.credit_from.unwrap_or(since);
            self.credit_from = Some(since.min(earlier));
        }
        self.tell_unpaused(now, out);
    }

    /// Tells clients that the game takes commands again, if nothing else keeps it from that.
    pub(super) fn tell_unpaused(&mut self, now: Timestamp, out: &mut Vec<RoomEffect<P>>) {
        if !self.stands_still() {
            let unpaused = ServerMessage::Unpaused(self.game_ref());
            self.fan_out(now, unpaused, out);
        }
    }

    fn stored(&mut self, now: Timestamp, flight: Flight<P>, out: &mut Vec<RoomEffect<P>>) {
        let Flight {
            append,
            next,
            answers,
            asked,
            since,
            pause_ms: _,
        } = flight;
        let told = self.history.head();
        if let Some(delayed) = &mut self.delayed {
            delayed.hold(&append.records);
        }
        let before = std::mem::replace(&mut self.game, next);
        let pause = before.state().pause();
        self.history
            .follow(before, append.records)
            .expect("the rules apply what they record before they hand it out");
        self.spend_lag(&answers);
        self.answer(&answers, asked, out);
        self.push_news(now, told, out);
        self.tell_pause(now, pause, out);
        self.history.pack();
        self.unpause(now, since, out);
    }

    /// Replaces the room's state by the stored log.
    pub(super) fn reloaded(
        &mut self,
        now: Timestamp,
        stored: Result<Option<StoredGame>, StoreError>,
        out: &mut Vec<RoomEffect<P>>,
    ) {
        let Writing::Reloading(Reload::Asked { since, pause_ms }) = self.writing else {
            debug_assert!(false, "the room did not request this log");
            return;
        };
        match stored {
            Err(StoreError::Corrupt(problem)) => self.give_up(&problem, out),
            Err(StoreError::Unavailable(_)) => {
                self.pause(out);
                let pause_ms = self.next_pause(pause_ms);
                self.writing = Writing::Reloading(Reload::Again {
                    since,
                    pause_ms,
                    retry_at: now + pause_ms,
                });
            }
            Ok(None) => self.give_up("the game is not in the journal", out),
            Ok(Some(stored)) => {
                let pause = self.game.state().pause();
                match self.adopt(&stored) {
                    Err(problem) => self.give_up(&problem, out),
                    Ok(before) => {
                        self.writing = Writing::Idle;
                        self.requeue_open();
                        self.decide_again(&stored.records);
                        self.push_news(now, before, out);
                        self.tell_pause(now, pause, out);
                        self.unpause(now, since, out);
                    }
                }
            }
        }
    }

    /// Adopts a log, and returns the last event that was known before.
    fn adopt(&mut self, stored: &StoredGame) -> Result<u64, String> {
        let records = &stored.records;
        let before = self.history.head();
        let last_known = records.iter().find(|record| record.seq.0 == before);
        if last_known.is_none() || last_known != self.history.last().as_deref() {
            return Err(format!("the journal has another event {before}"));
        }
        let rules = &self.parts.rules;
        let capacity = self.parts.bounds.history_events;
        let (history, state) =
            History::replay(rules, records.clone(), stored.rows.clone(), capacity)
                .map_err(|error| error.to_string())?;
        self.history = history;
        if let Some(delayed) = &mut self.delayed {
            delayed.hold(records);
        }
        self.game = Game::from_state(state);
        Ok(before)
    }

    /// Applies the room's own inputs again that the log does not contain: outages to credit and absent players. Clients
    /// retry their commands, and deadlines fire by themselves.
    fn decide_again(&mut self, records: &[Record]) {
        let unconfirmed = std::mem::take(&mut self.unconfirmed);
        let first = unconfirmed.first().map(|record| record.seq);
        if records.last().map(|record| record.seq) >= first {
            return;
        }
        for record in unconfirmed {
            match record.event {
                Event::Public(PublicEvent::ClockCredited { stopped_at, .. }) => {
                    self.credit_from = Some(stopped_at);
                }
                Event::Public(
                    PublicEvent::SeatVanished { seat, .. } | PublicEvent::NotReadyToResume { seat },
                ) => {
                    self.attached.not_reported(seat);
                }
                _ => {}
            }
        }
    }

    /// Another node owns the game: the room refuses the waiting requests and leaves memory. It announces nothing, because
    /// only the owner knows the game.
    pub(super) fn drop_fenced(&mut self, out: &mut Vec<RoomEffect<P>>) {
        self.writing = Writing::Idle;
        (self.is_stopping, self.is_moving) = (true, true);
        let text = "the game was loaded anew; attach again";
        self.refuse_all(ErrorCode::Busy, text, out);
        out.push(RoomEffect::Fenced);
    }

    fn give_up(&mut self, problem: &str, out: &mut Vec<RoomEffect<P>>) {
        self.writing = Writing::Idle;
        self.is_stopping = true;
        let text = "the game cannot be loaded; the operator has been told";
        self.refuse_all(ErrorCode::Internal, text, out);
        out.push(RoomEffect::Broken(problem.to_owned()));
    }
}

//! What is pushed: events, presence, crowds, pauses.

use tilewire_protocol::{Crowd, Presence, ServerMessage};
use tilewire_rules::state::Phase;
use tilewire_rules::time::Seat;
use tilewire_rules::view::Audience;

use super::{HubInput, Participant, Publication, Room, RoomEffect, delayed};

impl<P: Participant> Room<P> {
    /// Pushes the events after `before`, which have just become durable, to everybody; to spectators of a delayed game
    /// what has become old enough.
    pub(super) fn tell_news(&mut self, now: i64, before: u64, out: &mut Vec<RoomEffect<P>>) {
        self.tell_fresh(now, before, out);
        self.show_ripe(now, out);
    }

    fn tell_fresh(&mut self, now: i64, before: u64, out: &mut Vec<RoomEffect<P>>) {
        let is_watched = self.delayed.is_some() || self.attendance.spectators() > 0;
        let mut is_news = false;
        let mut public = Vec::new();
        // More events than are kept cannot have happened at once; if they had, snapshots would tell of them.
        let Some(entries) = self.history.after(before) else {
            return self.tell_snapshots(now, out);
        };
        for entry in entries {
            let seen_by = |audience| entry.seen_by(&self.parts.facts, &self.parts.rules, audience);
            let event = &entry.record.event;
            let for_all = seen_by(Audience::Spectator);
            let mut alike = Vec::new();
            for seat in Seat::all(self.game.state().options().seats) {
                let mut peers = self.attendance.of(seat).cloned().peekable();
                if peers.peek().is_none() {
                    continue;
                }
                let audience = Audience::Seat(seat);
                if event.seen_by(audience) == event.seen_by(Audience::Spectator) {
                    alike.extend(peers);
                } else {
                    push(out, peers.collect(), seen_by(audience));
                }
            }
            if is_watched {
                public.push(for_all.clone());
            }
            push(out, alike, for_all);
            is_news = true;
        }
        if is_news {
            self.publish(now, public, out);
            self.tell_lists(out);
        }
    }

    fn tell_snapshots(&mut self, now: i64, out: &mut Vec<RoomEffect<P>>) {
        for seat in Seat::all(self.game.state().options().seats) {
            let peers: Vec<P> = self.attendance.of(seat).cloned().collect();
            if !peers.is_empty() {
                let snapshot = Box::new(self.snapshot(now, Audience::Seat(seat)));
                push(out, peers, ServerMessage::Snapshot(snapshot));
            }
        }
        let snapshot = Box::new(self.snapshot(now, Audience::Spectator));
        self.publish(now, vec![ServerMessage::Snapshot(snapshot)], out);
        self.tell_lists(out);
    }

    /// Says what the lists of games have to know.
    fn tell_lists(&mut self, out: &mut Vec<RoomEffect<P>>) {
        let was_started = self.started_at.is_some();
        if !was_started {
            let events: Vec<_> = self.history.all().collect();
            let records = events.iter().map(|entry| &*entry.record);
            self.started_at = super::history::first_turn_at(records);
        }
        self.tell_own_list(out);
        if self.delayed.is_some() {
            // The other lists learn of it when it is old enough.
            return;
        }
        let has_started = !was_started && self.started_at.is_some();
        let is_over = self.game.state().phase() == Phase::Ended;
        self.tell_public_list(has_started, is_over, out);
    }

    /// Says what the lists of public games have to know: first the line itself, so that whoever hears of it finds it.
    pub(super) fn tell_public_list(
        &self,
        has_started: bool,
        is_over: bool,
        out: &mut Vec<RoomEffect<P>>,
    ) {
        let summary = self.summary();
        let started = has_started.then(|| RoomEffect::Started(summary.clone()));
        let ended = is_over.then(|| RoomEffect::Ended(summary.clone()));
        out.push(RoomEffect::Summary(summary));
        out.extend(started.into_iter().chain(ended));
    }

    fn tell_own_list(&self, out: &mut Vec<RoomEffect<P>>) {
        out.extend(self.own_summary().map(RoomEffect::OwnSummary));
    }

    /// Pushes a message in which nothing is hidden to everybody; spectators of a delayed game may not hear of it.
    pub(super) fn fan_out(
        &mut self,
        now: i64,
        message: ServerMessage,
        out: &mut Vec<RoomEffect<P>>,
    ) {
        push(out, self.attendance.players(), message.clone());
        self.publish(now, vec![message], out);
    }

    /// Says that a player came or went.
    pub(super) fn tell_presence(&mut self, now: i64, seat: Seat, out: &mut Vec<RoomEffect<P>>) {
        let presence = ServerMessage::Presence(Presence {
            game: self.parts.facts.game.clone(),
            seat: seat.0,
            connected: self.attendance.is_connected(seat),
        });
        self.fan_out(now, presence, out);
    }

    /// Shows messages about the game as it is to spectators.
    fn publish(&self, now: i64, mut messages: Vec<ServerMessage>, out: &mut Vec<RoomEffect<P>>) {
        if self.delayed.is_some() {
            messages.retain(delayed::may_be_told_at_once);
            return self.publish_delayed(now, messages, out);
        }
        if self.attendance.spectators() > 0 {
            let position = self.position(now);
            let is_paused = self.is_paused;
            out.push(RoomEffect::Hub(HubInput::Publish(Publication {
                messages,
                position,
                is_paused,
            })));
        }
    }

    /// The number of spectators changed: it is told soon, but not too often.
    pub(super) fn crowd_changed(&mut self, now: i64) {
        let attendance = &mut self.attendance;
        let next = attendance
            .crowd_told_at
            .saturating_add(self.parts.bounds.crowd_every_ms);
        attendance.crowd_due.get_or_insert(now.max(next));
    }

    pub(super) fn tell_crowd(&mut self, now: i64, out: &mut Vec<RoomEffect<P>>) {
        if self.attendance.crowd_due.is_none_or(|due| due > now) {
            return;
        }
        if !self.left_out.tells_presence() {
            // It is told when there is time again.
            self.attendance.crowd_due = Some(now + self.parts.bounds.crowd_every_ms);
            return;
        }
        self.attendance.crowd_due = None;
        let watching = self.attendance.watching();
        if watching == self.attendance.crowd_told {
            return;
        }
        self.attendance.crowd_told = watching;
        self.attendance.crowd_told_at = now;
        let crowd = ServerMessage::Crowd(Crowd {
            game: self.parts.facts.game.clone(),
            watching,
        });
        self.fan_out(now, crowd, out);
        out.push(RoomEffect::Summary(self.summary()));
        self.tell_own_list(out);
    }

    /// The player who is back, but vanished for the rules.
    pub(super) fn returned_seat(&self) -> Option<Seat> {
        let state = self.game.state();
        if state.phase() == Phase::Ended {
            return None;
        }
        state.active().find(|seat| {
            self.attendance.is_connected(*seat) && state.seats()[seat.index()].claim_at.is_some()
        })
    }

    /// The player who has been away for longer than the grace.
    pub(super) fn vanished_seat(&self, now: i64) -> Option<Seat> {
        self.vanishings()
            .find_map(|(seat, due)| (due <= now).then_some(seat))
    }

    pub(super) fn next_vanishing(&self) -> Option<i64> {
        self.vanishings().map(|(_, due)| due).min()
    }

    /// The players whose absence the rules will want to know of, and when.
    fn vanishings(&self) -> impl Iterator<Item = (Seat, i64)> {
        let state = self.game.state();
        let counts = state.phase() == Phase::Running && state.options().clock.is_live();
        let seats = state
            .active()
            .filter(move |seat| counts && state.seats()[seat.index()].claim_at.is_none());
        seats.filter_map(|seat| {
            let since = self.attendance.absent_since(seat)?;
            Some((seat, since + self.parts.bounds.vanish_grace_ms))
        })
    }
}

fn push<P>(out: &mut Vec<RoomEffect<P>>, to: Vec<P>, message: ServerMessage) {
    if !to.is_empty() {
        out.push(RoomEffect::Push { to, message });
    }
}

//! The pushes of a room: events, presence, numbers of spectators, pauses.

use tilewire_protocol::{Crowd, Presence, ServerMessage, YourTurn};
use tilewire_rules::state::Phase;
use tilewire_rules::time::{Seat, Timestamp};
use tilewire_rules::view::Audience;

use super::{HubInput, Participant, Publication, Room, RoomEffect, delayed};
use tilewire_wire::turn_waiting;

impl<P: Participant> Room<P> {
    /// Pushes the events after `before`, which have just become durable, to all clients; to the spectators of a delayed
    /// game, the due ones.
    pub(super) fn push_news(&mut self, now: Timestamp, before: u64, out: &mut Vec<RoomEffect<P>>) {
        self.push_events(now, before, out);
        self.call_player(out);
        self.publish_due(now, out);
    }

    /// Tells the player on turn, on connections that are not attached, that a turn has begun.
    fn call_player(&mut self, out: &mut Vec<RoomEffect<P>>) {
        let state = self.game.state();
        let turn = state.turn().filter(|turn| turn.no > self.called);
        let Some(turn) = turn else {
            return;
        };
        self.called = turn.no;
        if self.bots.has(turn.seat) {
            return;
        }
        let players = &state.created().players;
        out.push(RoomEffect::CallPlayer {
            identity: players[turn.seat.index()].identity.clone(),
            attached: self.attached.of(turn.seat).map(Participant::id).collect(),
            message: ServerMessage::YourTurn(YourTurn {
                game: self.parts.facts.game.clone(),
                seat: turn.seat.0,
                turn_no: turn.no.0,
            }),
        });
    }

    fn push_events(&mut self, now: Timestamp, before: u64, out: &mut Vec<RoomEffect<P>>) {
        let is_watched = self.delayed.is_some() || self.attached.spectators() > 0;
        let mut is_news = false;
        let mut public = Vec::new();
        // No append has more events than the history keeps; if one had, snapshots would replace them.
        let Some(entries) = self.history.after(before) else {
            return self.push_snapshots(now, out);
        };
        for entry in entries {
            let seen_by = |audience| entry.seen_by(&self.parts.facts, &self.parts.rules, audience);
            let event = &entry.record.event;
            let for_all = seen_by(Audience::Spectator);
            let mut alike = Vec::new();
            for seat in Seat::all(self.game.state().options().seats) {
                let mut peers = self.attached.of(seat).cloned().peekable();
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
            // An event ends what clients know of a waiting turn.
            self.told_waiting = None;
            self.publish(now, public, out);
            self.update_lists(out);
        }
    }

    /// Says that a turn waits, again after every event during which it goes on waiting.
    pub(super) fn push_waiting(&mut self, now: Timestamp, out: &mut Vec<RoomEffect<P>>) {
        let waiting = self.game.waiting_turn();
        if waiting == self.told_waiting {
            return;
        }
        if let Some(waiting) = &waiting {
            let told = turn_waiting(&self.parts.facts.game, waiting);
            self.fan_out(now, ServerMessage::TurnWaiting(told), out);
        }
        self.told_waiting = waiting;
    }

    fn push_snapshots(&mut self, now: Timestamp, out: &mut Vec<RoomEffect<P>>) {
        for seat in Seat::all(self.game.state().options().seats) {
            let peers: Vec<P> = self.attached.of(seat).cloned().collect();
            if !peers.is_empty() {
                let snapshot = Box::new(self.snapshot(now, Audience::Seat(seat)));
                push(out, peers, ServerMessage::Snapshot(snapshot));
            }
        }
        let snapshot = Box::new(self.snapshot(now, Audience::Spectator));
        self.publish(now, vec![ServerMessage::Snapshot(snapshot)], out);
        self.update_lists(out);
    }

    /// Updates the lists of games.
    fn update_lists(&mut self, out: &mut Vec<RoomEffect<P>>) {
        let was_started = self.started_at.is_some();
        if !was_started {
            let events: Vec<_> = self.history.all().collect();
            let records = events.iter().map(|entry| &*entry.record);
            self.started_at = super::history::first_turn_at(records);
        }
        self.update_own_list(out);
        if self.delayed.is_some() {
            // The public lists are updated when the events are old enough.
            return;
        }
        let has_started = !was_started && self.started_at.is_some();
        let is_over = self.game.state().phase() == Phase::Ended;
        self.update_public_list(has_started, is_over, out);
    }

    /// Updates the lists of games.
    pub(super) fn update_public_list(
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

    fn update_own_list(&self, out: &mut Vec<RoomEffect<P>>) {
        out.extend(self.own_summary().map(RoomEffect::OwnSummary));
    }

    /// Pushes a message without hidden parts to all clients; spectators of a delayed game may not get it.
    pub(super) fn fan_out(
        &mut self,
        now: Timestamp,
        message: ServerMessage,
        out: &mut Vec<RoomEffect<P>>,
    ) {
        push(out, self.attached.players(), message.clone());
        self.publish(now, vec![message], out);
    }

    /// Announces the players who have come or gone, each not too often: the last state is always told.
    pub(super) fn push_presence(&mut self, now: Timestamp, out: &mut Vec<RoomEffect<P>>) {
        let every_ms = self.parts.bounds.presence_every_ms;
        for seat in self.attached.take_presence(now, every_ms) {
            let presence = ServerMessage::Presence(Presence {
                game: self.parts.facts.game.clone(),
                seat: seat.0,
                connected: self.attached.is_connected(seat),
            });
            self.fan_out(now, presence, out);
        }
    }

    /// Publishes messages about the present game to spectators.
    fn publish(
        &self,
        now: Timestamp,
        mut messages: Vec<ServerMessage>,
        out: &mut Vec<RoomEffect<P>>,
    ) {
        if self.delayed.is_some() {
            messages.retain(delayed::may_be_told_at_once);
            return self.publish_delayed(now, messages, out);
        }
        if self.attached.spectators() > 0 {
            let position = self.position(now);
            let is_paused = self.stands_still();
            out.push(RoomEffect::Hub(HubInput::Publish(Publication {
                messages,
                position,
                is_paused,
            })));
        }
    }

    /// Schedules an update of the number of spectators, but not too often.
    pub(super) fn crowd_changed(&mut self, now: Timestamp) {
        let attached = &mut self.attached;
        let next = attached.crowd_told_at + self.parts.bounds.crowd_every_ms;
        attached.crowd_due.get_or_insert(now.max(next));
    }

    pub(super) fn push_crowd(&mut self, now: Timestamp, out: &mut Vec<RoomEffect<P>>) {
        if self.attached.crowd_due.is_none_or(|due| due > now) {
            return;
        }
        if !self.level.tells_presence() {
            // The update follows when the load allows it.
            self.attached.crowd_due = Some(now + self.parts.bounds.crowd_every_ms);
            return;
        }
        self.attached.crowd_due = None;
        let watching = self.attached.watching();
        if watching == self.attached.crowd_told {
            return;
        }
        self.attached.crowd_told = watching;
        self.attached.crowd_told_at = now;
        let crowd = ServerMessage::Crowd(Crowd {
            game: self.parts.facts.game.clone(),
            watching,
        });
        self.fan_out(now, crowd, out);
        out.push(RoomEffect::Summary(self.summary()));
        self.update_own_list(out);
    }

    /// Returns a connected player whom the rules still consider absent.
    pub(super) fn returned_seat(&self) -> Option<Seat> {
        let state = self.game.state();
        if state.phase() == Phase::Ended {
            return None;
        }
        state.active().find(|seat| {
            let is_missing =
                state.seats()[seat.index()].claim_at.is_some() || state.is_awaited_back(*seat);
            is_missing && self.attached.is_connected(*seat)
        })
    }

    /// Returns a player who has been away for longer than the grace period.
    pub(super) fn vanished_seat(&self, now: Timestamp) -> Option<Seat> {
        self.vanishings()
            .find_map(|(seat, due)| (due <= now).then_some(seat))
    }

    pub(super) fn next_vanishing(&self) -> Option<Timestamp> {
        self.vanishings().map(|(_, due)| due).min()
    }

    /// Returns the players that the rules will have to take for away, and when.
    fn vanishings(&self) -> impl Iterator<Item = (Seat, Timestamp)> {
        let state = self.game.state();
        let seats = state.active().filter(|seat| state.is_missed(*seat));
        seats.filter_map(|seat| {
            let since = self.attached.absent_since(seat)?;
            Some((seat, since + self.parts.bounds.vanish_grace_ms))
        })
    }
}

pub(super) fn push<P>(out: &mut Vec<RoomEffect<P>>, to: Vec<P>, message: ServerMessage) {
    if !to.is_empty() {
        out.push(RoomEffect::Push { to, message });
    }
}

//! Open offers that differ from the player's own only in the clock.
//!
//! A quick match joins only an offer with equal options. So that two players whose clocks differ learn of each other, the
//! program follows the lobby while the player's public offer waits.

use tilewire_protocol::{ClientMessage, Empty, GameOptions, JoinSeek, Seek, SeekCommand};

use super::report::Report;
use super::{App, Effect, Origin, Request};

impl App {
    /// The open offers that differ from the player's own only in the clock, while it waits.
    #[must_use]
    pub fn similar_offers(&self) -> &[Seek] {
        match self.waiting {
            Some(_) => &self.similar,
            None => &[],
        }
    }

    /// Subscribes to the lobby if the player's own public offer waits.
    pub(super) fn follow_similar(&mut self, effects: &mut Vec<Effect>) {
        let is_public = |waiting: &super::Waiting| waiting.is_own && !waiting.seek.private;
        if !self.waiting.as_ref().is_some_and(is_public) {
            return;
        }
        if self.in_lobby {
            return self.update_similar(effects);
        }
        let request = Request {
            message: ClientMessage::LobbySubscribe(Empty {}),
            origin: Origin::Auto,
        };
        self.send(request, effects);
    }

    /// Compares the lists of the lobby with the player's own offer, and reports a change.
    pub(super) fn update_similar(&mut self, effects: &mut Vec<Effect>) {
        let Some(waiting) = self.waiting.as_ref().filter(|waiting| waiting.is_own) else {
            return;
        };
        let own = &waiting.seek;
        let seeks = self.lists.seeks.iter();
        let similar = seeks.filter(|seek| {
            let is_member = seek
                .members
                .iter()
                .any(|member| member.identity == own.owner);
            !is_member && differs_in_clock(&seek.options, &own.options)
        });
        let similar: Vec<Seek> = similar.cloned().collect();
        if similar != self.similar {
            self.similar.clone_from(&similar);
            effects.push(Effect::Report(Report::Similar(similar)));
        }
    }

    /// Joins a similar offer, typed as line `number`; the own offer is withdrawn when the server has accepted.
    pub(super) fn join_similar(&mut self, number: u64, what: &str) -> Result<(), String> {
        let place = what.parse::<usize>().ok();
        let by_place = place.and_then(|place| self.similar.get(place.checked_sub(1)?));
        let by_id = || self.similar.iter().find(|seek| seek.seek.as_str() == what);
        let Some(seek) = by_place.or_else(by_id).map(|seek| seek.seek.clone()) else {
            return Err(format!("there is no similar offer `{what}`"));
        };
        let message = self.join_request(Some(seek), None);
        self.queue_line(number, message);
        Ok(())
    }

    /// Withdraws the player's own offer after the player has joined another one.
    pub(super) fn withdraw_for(&mut self, joined: &JoinSeek) {
        let Some(waiting) = self
            .waiting
            .take_if(|waiting| waiting.is_own && joined.seek.as_ref() != Some(&waiting.seek.seek))
        else {
            return;
        };
        let body = SeekCommand {
            cmd_id: self.session.next_cmd_id(),
            seek: waiting.seek.seek,
        };
        self.commands.push_back(Request {
            message: ClientMessage::CancelSeek(body),
            origin: Origin::Auto,
        });
    }
}

/// Whether two games differ in the clock and in nothing else.
fn differs_in_clock(one: &GameOptions, other: &GameOptions) -> bool {
    let with_clock_of_other = GameOptions {
        clock: other.clock.clone(),
        ..one.clone()
    };
    one.clock != other.clock && with_clock_of_other == *other
}

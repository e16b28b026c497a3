//! House bots at the game: who they are, what they were asked, what they answer.

use tilewire_rules::bot::BotLevel;
use tilewire_rules::game::{Action, Answer, Command, Input};
use tilewire_rules::state::State;
use tilewire_rules::time::{Seat, Timestamp};

use super::{Participant, Room, RoomEffect};
use crate::game::house::{self, Matter, Question, Reply};
use crate::identity::level_of;

/// A seat that a house bot has.
#[derive(Debug)]
struct HouseSeat {
    seat: Seat,
    level: BotLevel,
    /// What it was asked last.
    asked: Option<Matter>,
}

/// The house bots of a game.
#[derive(Debug)]
pub(super) struct House {
    seats: Vec<HouseSeat>,
    /// Answers that wait until nothing is being written.
    replies: Vec<Reply>,
}

impl House {
    /// Finds the bots among the players.
    pub(super) fn of(state: &State) -> Self {
        let players = (0..).zip(&state.created().players);
        let seats = players.filter_map(|(seat, player)| {
            Some(HouseSeat {
                seat: Seat(seat),
                level: level_of(&player.identity)?,
                asked: None,
            })
        });
        Self {
            seats: seats.collect(),
            replies: Vec::new(),
        }
    }

    pub(super) fn has(&self, seat: Seat) -> bool {
        self.seats.iter().any(|house| house.seat == seat)
    }

    /// Says whether a bot has something to decide, or its answer waits to be carried out.
    pub(super) fn has_work(&self, state: &State) -> bool {
        let mut seats = self.seats.iter();
        !self.replies.is_empty() || seats.any(|house| house::matter(state, house.seat).is_some())
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.seats.is_empty()
    }

    /// The game they were asked about is no more: ask again.
    pub(super) fn forget(&mut self) {
        self.replies.clear();
        for house in &mut self.seats {
            house.asked = None;
        }
    }

    /// Forgets the question of an answer that comes too late or too early: a turn that a hold or a challenge interrupts is
    /// asked about again after it.
    fn unask(&mut self, reply: &Reply) {
        for house in &mut self.seats {
            if house.seat == reply.seat && house.asked == Some(reply.matter) {
                house.asked = None;
            }
        }
    }

    pub(super) fn next_reply(&mut self) -> Option<Reply> {
        (!self.replies.is_empty()).then(|| self.replies.remove(0))
    }
}

impl<P: Participant> Room<P> {
    /// Asks every house bot that has something to decide and was not asked yet.
    pub(super) fn ask_house(&mut self, out: &mut Vec<RoomEffect<P>>) {
        if self.house.is_empty() || self.is_stopping {
            return;
        }
        let state = self.game.state();
        for house in &mut self.house.seats {
            let Some(matter) = house::matter(state, house.seat) else {
                continue;
            };
            if house.asked == Some(matter) {
                continue;
            }
            house.asked = Some(matter);
            let range = (
                self.parts.bounds.bot_pause_min_ms,
                self.parts.bounds.bot_pause_max_ms,
            );
            let question = Question::new(state, house.seat, house.level, matter, range);
            out.push(RoomEffect::AskHouse(Box::new(question)));
        }
    }

    /// Takes a bot's answer in.
    pub(super) fn house_replied(&mut self, reply: Reply) {
        let is_asked =
            |house: &HouseSeat| house.seat == reply.seat && house.asked == Some(reply.matter);
        if self.house.seats.iter().any(is_asked) {
            self.house.replies.push(reply);
        }
    }

    /// Hands a bot's answer to the rules; what they refuse is replaced by the plainest thing that can be done.
    pub(super) fn house_acts(&mut self, now: i64, reply: &Reply, out: &mut Vec<RoomEffect<P>>) {
        if house::matter(self.game.state(), reply.seat) != Some(reply.matter) {
            self.house.unask(reply);
            return;
        }
        let cmd_id = reply.cmd_id();
        let command = |cmd_id: &str, action: Action| Command {
            seat: reply.seat,
            cmd_id: cmd_id.to_owned(),
            digest: 0,
            received_at: Timestamp(now),
            lag_ms: 0,
            action,
        };
        let handle = |room: &Self, command: Command| {
            room.game
                .handle(&room.context(), Timestamp(now), Input::Command(command))
        };
        let mut transition = handle(self, command(&cmd_id, reply.action.clone()));
        let is_refused = |answers: &[Answer]| {
            answers
                .iter()
                .any(|answer| answer.cmd_id == cmd_id && answer.outcome.is_err())
        };
        if is_refused(&transition.answers)
            && let Some(plainest) = Question::plainest(reply.matter)
        {
            tracing::warn!(game = %self.parts.facts.game, matter = ?reply.matter, "a house bot did what it may not");
            transition = handle(self, command(&format!("{cmd_id}-plain"), plainest));
        }
        self.begin(now, transition, None, out);
    }
}

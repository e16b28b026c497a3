//! The house bots of a game: their questions and answers.

use tilewire_rules::bot::BotLevel;
use tilewire_rules::game::{Action, Answer, Command, Input};
use tilewire_rules::state::State;
use tilewire_rules::time::{Seat, Timestamp};

use super::{Participant, Room, RoomEffect};
use crate::bot_turn;
use crate::bot_turn::{Matter, Question, Reply};
use tilewire_base::house_bots::level_of;

/// The seat of a house bot.
#[derive(Debug)]
struct BotSeat {
    seat: Seat,
    level: BotLevel,
    /// The last question.
    asked: Option<Matter>,
}

/// The house bots of a game.
#[derive(Debug)]
pub(super) struct Bots {
    seats: Vec<BotSeat>,
    /// Answers that wait until no append is in flight.
    replies: Vec<Reply>,
}

impl Bots {
    /// Returns the house bots among the players.
    pub(super) fn of(state: &State) -> Self {
        let players = (0..).zip(&state.created().players);
        let seats = players.filter_map(|(seat, player)| {
            Some(BotSeat {
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
        self.seats.iter().any(|bot| bot.seat == seat)
    }

    /// Says whether a bot has to decide, or its answer waits.
    pub(super) fn has_work(&self, state: &State) -> bool {
        let mut seats = self.seats.iter();
        !self.replies.is_empty() || seats.any(|bot| bot_turn::matter(state, bot.seat).is_some())
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.seats.is_empty()
    }

    /// Drops all questions and answers, because the game they were about is gone.
    pub(super) fn forget(&mut self) {
        self.replies.clear();
        for bot in &mut self.seats {
            bot.asked = None;
        }
    }

    /// Drops the question of an answer that comes too early or too late. The room asks again about a turn that a hold
    /// or a challenge interrupts.
    fn unask(&mut self, reply: &Reply) {
        for bot in &mut self.seats {
            if bot.seat == reply.seat && bot.asked == Some(reply.matter) {
                bot.asked = None;
            }
        }
    }

    pub(super) fn next_reply(&mut self) -> Option<Reply> {
        (!self.replies.is_empty()).then(|| self.replies.remove(0))
    }
}

impl<P: Participant> Room<P> {
    /// Asks every house bot that has to decide and was not asked yet.
    pub(super) fn ask_bots(&mut self, out: &mut Vec<RoomEffect<P>>) {
        if self.bots.is_empty() || self.is_stopping {
            return;
        }
        let state = self.game.state();
        for bot in &mut self.bots.seats {
            let Some(matter) = bot_turn::matter(state, bot.seat) else {
                continue;
            };
            if bot.asked == Some(matter) {
                continue;
            }
            bot.asked = Some(matter);
            let range = (
                self.parts.bounds.bot_pause_min_ms,
                self.parts.bounds.bot_pause_max_ms,
            );
            let question = Question::new(state, bot.seat, bot.level, matter, range);
            out.push(RoomEffect::AskBot(Box::new(question)));
        }
    }

    /// Queues a bot's answer.
    pub(super) fn bot_replied(&mut self, reply: Reply) {
        let is_asked = |bot: &BotSeat| bot.seat == reply.seat && bot.asked == Some(reply.matter);
        if self.bots.seats.iter().any(is_asked) {
            self.bots.replies.push(reply);
        }
    }

    /// Hands a bot's answer to the rules. If they refuse it, the room tries the simplest possible action instead.
    pub(super) fn bot_acts(&mut self, now: Timestamp, reply: &Reply, out: &mut Vec<RoomEffect<P>>) {
        if bot_turn::matter(self.game.state(), reply.seat) != Some(reply.matter) {
            self.bots.unask(reply);
            return;
        }
        let cmd_id = reply.cmd_id();
        let command = |cmd_id: &str, action: Action| Command {
            seat: reply.seat,
            cmd_id: cmd_id.to_owned(),
            digest: 0,
            received_at: now,
            lag_ms: 0,
            action,
        };
        let handle = |room: &Self, command: Command| {
            room.game
                .handle(&room.context(), now, Input::Command(command))
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
            tracing::warn!(game = %self.parts.facts.game, matter = ?reply.matter, "the rules refused the answer of a house bot");
            transition = handle(self, command(&format!("{cmd_id}-plain"), plainest));
        }
        self.begin(now, transition, None, out);
    }
}

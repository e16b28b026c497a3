//! The letters that follow from new records of a game by correspondence. Pure: the time is in the records.

use std::sync::Arc;

use tilewire_rules::event::{Event, Player, PublicEvent, Record};
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::state::{ReplayError, State};
use tilewire_rules::time::{Millis, Seat, Timestamp};

use super::awaited_action::{Asking, asking};
use tilewire_store::{
    AwaitedAction, ChangedGame, GameLetters, Letter, NewLetter, Outdated, StoredGame,
};

const HOUR: Millis = Millis(3_600_000);
/// A reminder comes with this part of the limit left.
const PART_LEFT: i64 = 4;
/// Another one comes with so much left.
const LEFT: Millis = Millis(3 * HOUR.0);
/// The time in which an update is news.
const UPDATE_MS: Millis = Millis(24 * HOUR.0);
/// The time in which a result is news, and a request without a deadline.
const RESULT_MS: Millis = Millis(7 * 24 * HOUR.0);

/// Returns the letters about the records of a game that `turned` names; `None` if the game is not by correspondence.
/// `wait_ms` is the wait before a letter is sent.
///
/// # Errors
/// When the log does not replay.
pub(crate) fn letters_of(
    game: &StoredGame,
    rules: &Arc<RuleSet>,
    turned: &ChangedGame,
    wait_ms: Millis,
) -> Result<Option<GameLetters>, ReplayError> {
    let upto = |seq: u64| {
        let is_before = move |record: &&Record| record.seq.0 <= seq;
        game.records.iter().take_while(is_before)
    };
    let after = State::replay(Arc::clone(rules), upto(turned.last))?;
    let Some(limit_ms) = after.options().clock.correspondence_limit_ms() else {
        return Ok(None);
    };
    let before = match turned.after {
        0 => Vec::new(),
        seq => asking(&State::replay(Arc::clone(rules), upto(seq))?),
    };
    let new: Vec<&Record> = upto(turned.last)
        .filter(|record| record.seq.0 > turned.after)
        .collect();
    let page = Page {
        game,
        state: &after,
        wait_ms,
        limit_ms: Millis(limit_ms),
    };
    Ok(Some(page.letters(&before, &new)))
}

struct Page<'a> {
    game: &'a StoredGame,
    state: &'a State,
    wait_ms: Millis,
    limit_ms: Millis,
}

impl Page<'_> {
    fn letters(&self, before: &[Asking], new: &[&Record]) -> GameLetters {
        let now = asking(self.state);
        let asks =
            |all: &[Asking]| -> Vec<_> { all.iter().map(|one| (one.seat, one.asked)).collect() };
        let is_same = asks(before) == asks(&now);
        let outdated = match (is_same, *before == *now) {
            (false, _) => Outdated::Asking,
            (true, false) => Outdated::Reminders,
            (true, true) => Outdated::Nothing,
        };
        let mut letters = Vec::new();
        for one in now.iter().filter(|_| outdated != Outdated::Nothing) {
            if !before
                .iter()
                .any(|other| (other.seat, other.asked) == (one.seat, one.asked))
            {
                letters.extend(self.turn(one));
            }
            letters.extend(self.reminders(one));
        }
        if self.state.outcome().is_some() {
            let seats = Seat::all(self.state.options().seats);
            letters.extend(seats.filter_map(|seat| self.result(seat)));
        } else {
            letters.extend(self.updates(&now, new));
            letters.extend(self.nudges(&now, new));
        }
        GameLetters {
            game: self.game.meta.game.clone(),
            outdated,
            letters,
        }
    }

    fn turn(&self, asking: &Asking) -> Option<NewLetter> {
        let Asking { seat, asked, .. } = *asking;
        let at = self.state.last_at();
        let until = asking.deadline.unwrap_or(at + RESULT_MS);
        let name = format!("turn/{}", self.state.seq().0);
        self.letter(seat, &name, at, until, Letter::Turn { seat, asked })
    }

    fn reminders(&self, asking: &Asking) -> Vec<NewLetter> {
        let Asking { seat, asked, .. } = *asking;
        let Some(deadline) = asking.deadline else {
            return Vec::new();
        };
        let part = deadline - Millis(self.limit_ms.0 / PART_LEFT);
        let mut times = vec![part, deadline - LEFT];
        times.sort();
        // Two within an hour say the same.
        times.dedup_by(|later, earlier| *later < *earlier + HOUR);
        let ahead = times.into_iter().filter(|at| *at > self.state.last_at());
        // All turns of one vacation have the same deadline.
        let no = match asked {
            AwaitedAction::Turn(no) => u64::from(no.0),
            AwaitedAction::Consent(play) | AwaitedAction::Final(play) => play.0,
        };
        let letters = ahead.filter_map(|at| {
            let name = format!("reminder/{no}/{}/{}", deadline.0, at.0);
            let content = Letter::Reminder {
                seat,
                asked,
                deadline: Some(deadline),
                from: None,
            };
            let letter = self.letter(seat, &name, at, deadline, content)?;
            Some(NewLetter {
                due_at: at,
                ..letter
            })
        });
        letters.collect()
    }

    fn result(&self, seat: Seat) -> Option<NewLetter> {
        let at = self.state.last_at();
        self.letter(seat, "result", at, at + RESULT_MS, Letter::Result { seat })
    }

    /// Returns letters about the newest turn or verdict, for the seats that neither caused it nor are asked for something.
    fn updates(&self, asking: &[Asking], new: &[&Record]) -> Vec<NewLetter> {
        let Some(turn) = new.iter().rev().find(|record| is_news(&record.event)) else {
            return Vec::new();
        };
        let author = turn.command.as_ref().map(|command| command.seat);
        let seats = Seat::all(self.state.options().seats);
        let idle = seats.filter(|seat| {
            Some(*seat) != author && !asking.iter().any(|asking| asking.seat == *seat)
        });
        let name = format!("update/{}", turn.seq.0);
        let letters = idle.filter_map(|seat| {
            let at = self.state.last_at();
            self.letter(seat, &name, at, at + UPDATE_MS, Letter::Update { seat })
        });
        letters.collect()
    }

    /// Returns letters for the seats that others have nudged and that are still asked (R-NUDGE-1).
    fn nudges(&self, asking: &[Asking], new: &[&Record]) -> Vec<NewLetter> {
        let nudge = |record: &&Record| {
            let Event::Public(PublicEvent::Nudged { seat, target, .. }) = &record.event else {
                return None;
            };
            let found = asking.iter().find(|one| one.seat == *target)?;
            let from = self.state.created().players.get(seat.index())?;
            let content = Letter::Reminder {
                seat: *target,
                asked: found.asked,
                deadline: found.deadline,
                from: Some(from.identity.clone()),
            };
            let until = found.deadline.unwrap_or(record.at + RESULT_MS);
            let name = format!("nudge/{}", record.seq.0);
            self.letter(*target, &name, record.at, until, content)
        };
        new.iter().filter_map(nudge).collect()
    }

    /// Returns a letter to the player of a seat; `None` for a bot of the server and a seat that has left.
    fn letter(
        &self,
        seat: Seat,
        name: &str,
        at: Timestamp,
        until: Timestamp,
        content: Letter,
    ) -> Option<NewLetter> {
        let player: &Player = self.state.created().players.get(seat.index())?;
        let has_left = self.state.seats()[seat.index()].retired.is_some();
        if player.is_house_bot() || (has_left && self.state.outcome().is_none()) {
            return None;
        }
        let game = &self.game.meta.game;
        Some(NewLetter {
            key: format!("{game}/{}/{name}", seat.index()),
            identity: player.identity.clone(),
            address: None,
            game: Some(game.clone()),
            at,
            due_at: at + self.wait_ms,
            until,
            content,
        })
    }
}

/// Says whether an event is a turn, or a verdict on one.
const fn is_news(event: &Event) -> bool {
    matches!(
        event,
        Event::Exchanged { .. }
            | Event::Public(
                PublicEvent::PlayMade(_)
                    | PublicEvent::Passed { .. }
                    | PublicEvent::TurnLost { .. }
                    | PublicEvent::ChallengeDecided(_)
            )
    )
}

#[cfg(test)]
pub(crate) mod tests;

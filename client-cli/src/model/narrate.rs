//! Events in words, for the messages of the screen.

use tilewire_protocol::{
    ChallengeDecided, EndReason, Event, EventBody, GameResult, HoldReason, PlayMade, RetireReason,
    WindowReason,
};

use super::{Table, printable};

impl Table {
    /// Says in one line what an event means to people; `None` when the screen shows it anyway.
    ///
    /// The table is the one after the event.
    #[must_use]
    pub fn narrate(&self, event: &Event) -> Option<String> {
        let text = match &event.body {
            EventBody::SeatReady(body) => format!("{} is ready.", self.name(body.seat)),
            EventBody::BoardDrawn(_) => "The premium squares are dealt.".to_owned(),
            EventBody::OrderDrawn(body) => {
                let drawn = body.rounds.iter().flatten();
                let drawn: Vec<String> = drawn
                    .map(|draw| format!("{} draws {}", self.name(draw.seat), printable(&draw.tile)))
                    .collect();
                let first = format!("{} begins.", self.name(body.first));
                if drawn.is_empty() {
                    first
                } else {
                    format!("{}; {first}", drawn.join(", "))
                }
            }
            EventBody::PlayMade(play) => self.narrate_play(play),
            EventBody::Exchanged(body) => {
                let tiles = if body.count == 1 { "tile" } else { "tiles" };
                format!("{} exchanges {} {tiles}.", self.name(body.seat), body.count)
            }
            EventBody::Passed(body) => format!("{} passes.", self.name(body.seat)),
            EventBody::TurnLost(body) => format!("{} loses a turn.", self.name(body.seat)),
            EventBody::Accepted(body) => format!("{} accepts.", self.name(body.seat)),
            EventBody::HoldStarted(body) => format!(
                "{} holds, thinking about a challenge.",
                self.name(body.seat)
            ),
            EventBody::HoldEnded(body) => match body.reason {
                HoldReason::Limit => format!("The hold of {} has run out.", self.name(body.seat)),
                HoldReason::Released => format!("{} releases the hold.", self.name(body.seat)),
                _ => return None,
            },
            EventBody::ChallengeOpened(body) => {
                format!(
                    "{} challenges; the play may be withdrawn.",
                    self.name(body.seat)
                )
            }
            EventBody::ChallengeDecided(body) => self.narrate_verdict(body),
            EventBody::WindowClosed(body) if body.reason == WindowReason::Timer => {
                "The time to challenge is over.".to_owned()
            }
            EventBody::ClockCredited(body) => {
                let seconds = body.resumed_at.saturating_sub(body.stopped_at).max(0) / 1000;
                format!("The server was away for {seconds} s; the clock was set back by that.")
            }
            EventBody::SeatVanished(body) => {
                format!("{} has lost the connection.", self.name(body.seat))
            }
            EventBody::SeatReturned(body) => format!("{} is back.", self.name(body.seat)),
            EventBody::SeatRetired(body) => self.narrate_retired(body.seat, body.reason),
            EventBody::Ended(result) => self.narrate_end(result),
            EventBody::Created(_)
            | EventBody::BagShuffled(_)
            | EventBody::TilesDrawn(_)
            | EventBody::TurnStarted(_)
            | EventBody::WindowClosed(_)
            | EventBody::Unknown { .. } => return None,
        };
        Some(text)
    }

    fn narrate_play(&self, play: &PlayMade) -> String {
        let words: Vec<String> = play
            .words
            .iter()
            .map(|word| format!("{} {}", printable(&word.word), word.score))
            .collect();
        let bonus = play
            .bonus
            .map_or_else(String::new, |bonus| format!(" + bonus {bonus}"));
        let (who, start) = (self.name(play.seat), printable(&play.start));
        format!(
            "{who} plays {start} for {}: {}{bonus}.",
            play.score,
            words.join(", ")
        )
    }

    fn narrate_verdict(&self, verdict: &ChallengeDecided) -> String {
        let who = self.name(verdict.seat);
        let mut text = if verdict.withdrawn {
            format!("The play challenged by {who} is withdrawn.")
        } else if verdict.upheld {
            let words: Vec<String> = verdict
                .bad_words
                .iter()
                .map(|word| printable(word))
                .collect();
            let verb = if words.len() == 1 { "is" } else { "are" };
            format!(
                "{who} challenges with success: {} {verb} not in the lexicon.",
                words.join(", ")
            )
        } else {
            format!("{who} challenges in vain: the play is good.")
        };
        for change in verdict.points.iter().filter(|change| change.points != 0) {
            text.push_str(&format!(
                " {:+} for {}.",
                change.points,
                self.name(change.seat)
            ));
        }
        if verdict.turn_debt > 0 && !verdict.upheld {
            text.push_str(&format!(" {who} will lose a turn."));
        }
        text
    }

    fn narrate_retired(&self, seat: u8, reason: RetireReason) -> String {
        let who = self.name(seat);
        match reason {
            RetireReason::Resigned => format!("{who} resigns."),
            RetireReason::Flagged => format!("{who} has run out of time."),
            RetireReason::Expired => format!("{who} let the time for a turn pass."),
            RetireReason::Abandoned => format!("{who} did not come back."),
            RetireReason::Unknown => format!("{who} has left the game."),
        }
    }

    fn narrate_end(&self, result: &GameResult) -> String {
        format!(
            "The game is over: {}. {}",
            end_reason(result.reason),
            self.winners_text(result)
        )
    }

    /// Who won, in words.
    #[must_use]
    pub fn winners_text(&self, result: &GameResult) -> String {
        match result.winners.as_slice() {
            [] => "Nobody wins.".to_owned(),
            [seat] if self.seat == Some(*seat) => "You win!".to_owned(),
            [seat] => format!("{} wins.", self.name(*seat)),
            seats => {
                let names: Vec<String> = seats.iter().map(|seat| self.name(*seat)).collect();
                format!("Shared by {}.", names.join(" and "))
            }
        }
    }
}

/// Why a game ended, in words.
#[must_use]
pub fn end_reason(reason: EndReason) -> &'static str {
    match reason {
        EndReason::OutPlay => "all tiles are played",
        EndReason::ScorelessTurns => "too many turns without points",
        EndReason::Passes => "too many passes",
        EndReason::TurnCap => "the limit of turns without points",
        EndReason::Target => "the target is reached",
        EndReason::AllPlayed => "nobody has a play left",
        EndReason::Uncatchable => "nobody can catch up any more",
        EndReason::Resignation => "resignation",
        EndReason::Time => "time",
        EndReason::Abandonment => "abandoned",
        EndReason::TripleChallenge => "a challenge decided it",
        EndReason::Aborted => "called off",
        EndReason::Cancelled => "cancelled, the players did not come",
        EndReason::Unknown => "for a reason of a later version",
    }
}

//! Deadlines and commands: a command that a server read before a deadline comes before it (P-GAME-6), on the way from another server
//! too.

use tilewire_protocol::{ClientMessage, ErrorBody, ErrorCode};
use tilewire_rules::event::{Event, HoldEnd, PublicEvent, Record, Retirement, WindowClose};
use tilewire_rules::time::Seat;

use super::Auditor;
use super::moment::Moment;

impl Auditor {
    /// Checks that a refused command did not lose to a deadline that was not over when it came. An answer that took long says
    /// nothing: its server was lost or stood still.
    pub(super) fn check_before_deadlines(
        &self,
        identity: &str,
        asked: &ClientMessage,
        error: &ErrorBody,
        came: Moment,
    ) {
        let is_prompt = self.now - came.at <= self.deadline_wait_ms();
        let Some(log) = asked
            .game_command()
            .and_then(|(game, _)| self.logs.get(game))
        else {
            return;
        };
        let players = log.book.created.players.iter();
        let seat = players
            .clone()
            .position(|player| player.identity == identity);
        let seat = seat.and_then(|seat| u8::try_from(seat).ok()).map(Seat);
        let mut turn = None;
        // A window whose time is up ends when its holder releases it: an act of a player, and no deadline.
        let mut released_at = None;
        for record in &log.records {
            if let Event::Public(PublicEvent::HoldEnded { reason, .. }) = &record.event
                && *reason != HoldEnd::Limit
            {
                released_at = Some(record.at);
            }
            if let Event::Public(PublicEvent::TurnStarted { turn_no, .. }) = &record.event {
                turn = Some(u64::from(turn_no.0));
            }
            let lost = is_prompt
                && released_at != Some(record.at)
                && came.is_before_time(record.at.0)
                && loses(asked, error, record, (seat, turn));
            assert!(
                !lost,
                "{asked:?} came at {}, and lost to {record:?}",
                came.at
            );
        }
    }
}

/// Says whether a deadline is the reason for a refusal.
fn loses(
    asked: &ClientMessage,
    error: &ErrorBody,
    record: &Record,
    (of, turn): (Option<Seat>, Option<u64>),
) -> bool {
    let meant_turn = match asked {
        ClientMessage::Play(play) => Some(play.turn_no),
        ClientMessage::Exchange(exchange) => Some(exchange.turn_no),
        ClientMessage::Pass(pass) => Some(pass.turn_no),
        _ => None,
    };
    let meant_play = match asked {
        ClientMessage::Challenge(body) => Some(body.play_id),
        ClientMessage::Hold(body) | ClientMessage::Accept(body) => Some(body.play_id),
        _ => None,
    };
    match &record.event {
        Event::Public(PublicEvent::SeatRetired { seat, reason }) => {
            let is_flag = matches!(reason, Retirement::Flagged | Retirement::Expired);
            let codes = [
                ErrorCode::GameOver,
                ErrorCode::NotYourTurn,
                ErrorCode::WrongPosition,
            ];
            is_flag
                && Some(*seat) == of
                && meant_turn.is_some_and(|meant| Some(u64::from(meant)) == turn)
                && codes.contains(&error.code)
        }
        Event::Public(PublicEvent::WindowClosed { play_id, reason }) => {
            *reason == WindowClose::Timer
                && meant_play == Some(play_id.0)
                && error.code == ErrorCode::WindowClosed
        }
        _ => false,
    }
}

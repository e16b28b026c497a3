//! Writing a line: who may, how often, and what.

use tilewire_protocol::{ChatSay, ErrorCode};
use tilewire_rules::time::Timestamp;

use super::line::{later, refusal};
use super::machine::Chat;
use super::text;
use tilewire_delivery::outbound::PeerId;
use tilewire_delivery::session::Bucket;
use tilewire_store::StoredLine;
use tilewire_wire::Refusal;

/// The result of a request to write.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum SayOutcome {
    /// A new line, which is pending.
    New(StoredLine),
    /// The request was repeated; this is its line.
    Again(u64),
}

impl<P: Clone> Chat<P> {
    /// Writes a line into a joined room.
    ///
    /// # Errors
    /// The reason why nothing was written.
    pub(super) fn say(
        &mut self,
        now: Timestamp,
        id: PeerId,
        asked: &ChatSay,
    ) -> Result<SayOutcome, Refusal> {
        let room = self.rooms.get(&asked.room);
        let member = room.and_then(|room| room.members.get(&id));
        let (Some(room), Some(member)) = (room, member) else {
            return Err(refusal(ErrorCode::NotInRoom));
        };
        let text = text::clean(&asked.text)
            .map_err(|error| Refusal::field(ErrorCode::BadText, "text", error.to_string()))?;
        let own = || {
            let lines = room.lines.iter().chain(&room.pending).rev();
            lines.filter(|line| line.identity == member.identity)
        };
        if let Some(line) = own().find(|line| line.cmd_id == asked.cmd_id.0) {
            return match line.text == text {
                true => Ok(SayOutcome::Again(line.line)),
                false => Err(refusal(ErrorCode::CmdIdReused)),
            };
        }
        if !member.can_say {
            return Err(refusal(ErrorCode::CannotSay));
        }
        let repeat_ms = self.bounds.repeat_ms;
        let mut lately = own().take_while(|line| now < line.at + repeat_ms);
        if let Some(line) = lately.find(|line| line.text == text) {
            let text = "you wrote the same a moment ago";
            let wait = line.at + repeat_ms - now;
            let mut refused = later(ErrorCode::RepeatedLine, text, wait);
            refused.detail.text = Some(asked.text.clone());
            return Err(refused);
        }
        let line = StoredLine {
            room: asked.room.0.clone(),
            line: room.last() + 1,
            at: now,
            identity: member.identity.clone(),
            name: member.name.clone(),
            seat: member.seat,
            cmd_id: asked.cmd_id.0.clone(),
            text,
            is_hidden: false,
        };
        self.count(now, &line.identity)?;
        if let Some(room) = self.rooms.get_mut(&asked.room) {
            room.pending.push(line.clone());
        }
        Ok(SayOutcome::New(line))
    }

    /// Counts a line of a player, in all rooms together.
    fn count(&mut self, now: Timestamp, identity: &str) -> Result<(), Refusal> {
        let (per_minute, burst) = (self.bounds.lines_per_minute, self.bounds.burst);
        let bucket = self.senders.entry(identity.to_owned());
        let bucket = bucket.or_insert_with(|| Bucket::with(now, i64::from(per_minute), burst));
        bucket.take(now).map_err(|wait| {
            let text = "you write too many lines; wait a moment";
            later(ErrorCode::TooManyLines, text, wait)
        })
    }
}

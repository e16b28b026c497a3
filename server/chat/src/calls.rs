//! The ends of the calls: lines that were read, stored or delivered, and friendships that were read.

use tilewire_people::relations::Relation;
use tilewire_protocol::{ChatClosedReason, ErrorCode, RoomId};

use super::effect::Effect;
use super::line::{accepted, closed, paused, refusal};
use super::queue::Waiting;
use super::reading::readers_of;
use super::request::{Action, Facts};
use super::room::RoomName;
use super::scheduler::Scheduler;
use tilewire_delivery::outbound::{Delivery, PeerId};
use tilewire_store::{StoreError, StoredLine};

impl Scheduler {
    /// Takes the lines that were read. Says whether they are being delivered.
    pub(super) fn read(
        &mut self,
        name: &RoomName,
        after: u64,
        lines: Result<Vec<StoredLine>, StoreError>,
        facts: Facts<'_>,
        out: &mut Vec<Effect>,
    ) -> bool {
        let room = name.id();
        match lines {
            Ok(lines) if self.chat.unread_after(&room) == Some(after) => {
                self.chat.read(name, lines.clone());
                // The members have not got these lines yet, because their storage outcome was unknown.
                self.deliver(&room, lines, facts, out)
            }
            // The room has left the memory meanwhile, and is read from the beginning.
            Ok(_) => false,
            Err(_) => {
                self.pause(&room, out, |action| !matches!(action, Action::Leave(_)));
                false
            }
        }
    }

    /// Refuses the waiting requests that need the storage.
    fn pause(&mut self, room: &RoomId, out: &mut Vec<Effect>, needs: impl Fn(&Action) -> bool) {
        let Some(queue) = self.queues.get_mut(room) else {
            return;
        };
        let refused = queue.take(|request| needs(&request.action)).into_iter();
        out.extend(refused.map(|request| Effect::answer(request, Err(paused()))));
    }

    /// The players of a direct room are still friends and have chat; else closes the room.
    pub(super) fn related(
        &mut self,
        room: &RoomId,
        pair: &[String; 2],
        relation: &Result<Relation, StoreError>,
        facts: Facts<'_>,
        out: &mut Vec<Effect>,
    ) {
        let Ok(relation) = relation else {
            return self.pause(room, out, |action| matches!(action, Action::Say(_)));
        };
        let is_friend = relation.is_friend;
        let Some(queue) = self.queues.get_mut(room) else {
            return;
        };
        if is_friend && facts.have_chat(pair) {
            queue.checked = queue.checking;
            return;
        }
        // The writer must not learn which of the two it is.
        if let Some(Waiting::Asked(request)) = queue.waiting.pop_front() {
            let refused = refusal(ErrorCode::NoSuchRoom);
            for (id, peer) in self.chat.members_of(room) {
                self.chat.leave(id, room);
                out.push(Effect::Tell(
                    peer,
                    closed(room, ChatClosedReason::NotFriends),
                ));
            }
            out.push(Effect::answer(request, Err(refused)));
        }
    }

    /// Answers the writers, and delivers the lines if they are stored. Says whether it does.
    pub(super) fn appended(
        &mut self,
        room: &RoomId,
        appended: &Result<(), StoreError>,
        facts: Facts<'_>,
        out: &mut Vec<Effect>,
    ) -> bool {
        let Some(queue) = self.queues.get_mut(room) else {
            return false;
        };
        let (lines, said) = (
            std::mem::take(&mut queue.lines),
            std::mem::take(&mut queue.said),
        );
        let are_stored = appended.is_ok();
        if !are_stored {
            self.chat.unsure(&lines);
            let said = said.into_iter();
            out.extend(said.map(|(request, _)| Effect::answer(request, Err(paused()))));
            self.chat.forget_if_empty(room);
            return false;
        }
        self.chat.stored(&lines);
        let said = said.into_iter();
        out.extend(said.map(|(request, line)| Effect::answer(request, Ok(accepted(room, line)))));
        self.deliver(room, lines, facts, out)
    }

    /// Delivers stored lines to their readers. Says whether there are any.
    fn deliver(
        &self,
        room: &RoomId,
        lines: Vec<StoredLine>,
        facts: Facts<'_>,
        out: &mut Vec<Effect>,
    ) -> bool {
        let readers = lines.iter().enumerate().map(|(at, line)| {
            let may_read = readers_of(line, facts.blocks);
            (at, self.chat.readers(line, &may_read))
        });
        let readers = readers.filter(|(_, readers)| !readers.is_empty());
        let readers: Vec<_> = readers.collect();
        if readers.is_empty() {
            return false;
        }
        let room = room.clone();
        out.push(Effect::Deliver {
            room,
            lines,
            readers,
        });
        true
    }

    pub(super) fn delivered(
        &mut self,
        room: &RoomId,
        missed: Vec<(PeerId, Delivery)>,
        out: &mut Vec<Effect>,
    ) {
        for (id, delivery) in missed {
            match delivery {
                // The connection reads too slowly for this room.
                Delivery::Lagging => {
                    let left = self.chat.leave(id, room).into_iter();
                    let push = |peer| Effect::Tell(peer, closed(room, ChatClosedReason::TooSlow));
                    out.extend(left.map(push));
                }
                Delivery::Gone | Delivery::Overflowed => self.chat.gone(id),
                Delivery::Queued => {}
            }
        }
    }
}

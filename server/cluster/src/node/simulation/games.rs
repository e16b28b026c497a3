//! The games of the simulation: they are read, credited, played and paused.

use super::database::Statement;
use super::server::Room;
use super::world::{Event, Owed, Sent, World};
use crate::Input;
use tilewire_store::{Part, Term};

impl World {
    /// Notes that the games of parts stand still from now on.
    pub(super) fn owe(&mut self, server: usize, rooms: impl IntoIterator<Item = (Part, Room)>) {
        let now = Owed {
            at: self.time + self.database.offset,
            time: self.time,
            server,
        };
        for (part, room) in rooms {
            // A newer owner may have given the time back already.
            let log = self.database.logs.get(&part);
            if room.is_loaded && log.is_some_and(|log| log.read_in <= room.term) {
                self.owed.entry(part).or_insert(now);
            }
        }
    }

    /// A statement of a process that has ended is a sign of life too: the database knows no better.
    pub(super) fn see_late(&mut self, sent: &Sent) {
        let at = self.time + self.database.offset;
        if self.servers[sent.server].life != sent.life {
            for owed in self
                .owed
                .values_mut()
                .filter(|owed| owed.server == sent.server)
            {
                owed.at = owed.at.max(at);
            }
        }
    }

    /// Reads the log of a part, gives the players their time back, and lets them play.
    pub(super) fn read(&mut self, server: usize, part: Part, term: Term) {
        let found = &self.servers[server];
        let (life, node) = (found.life, found.identity.node);
        let is_away =
            self.outage_until > self.time || found.deaf_until.max(found.mute_until) > self.time;
        // A read waits until nothing of a lost connection can be stored.
        if is_away || !found.has_incarnation {
            return self.after(50, 200, Event::Read(server, life, part, term));
        }
        if self.room(server, part, term).is_none() {
            return;
        }
        let head = self.database.read(node, part, term);
        let Some(room) = self.room(server, part, term) else {
            return;
        };
        room.head = head;
        let is_loaded = room.is_loaded;
        if is_loaded {
            self.after(200, 1_500, Event::Move(server, life, part, term));
        } else {
            self.store(server, part, term); // the credit
        }
    }

    fn store(&mut self, server: usize, part: Part, term: Term) {
        if self.servers[server].is_storing(part) {
            return;
        }
        if let Some(after) = self.room(server, part, term).and_then(|room| room.head) {
            let append = Statement::Append { part, term, after };
            self.servers[server].queue.push_back(append);
            self.send(server);
        }
    }

    pub(super) fn make_move(&mut self, server: usize, part: Part, term: Term) {
        let life = self.servers[server].life;
        let Some(room) = self.room(server, part, term) else {
            return;
        };
        if room.is_paused {
            return self.after(20, 100, Event::Move(server, life, part, term));
        }
        self.store(server, part, term);
    }

    pub(super) fn appended(&mut self, server: usize, part: Part, term: Term, is_stored: bool) {
        let life = self.servers[server].life;
        let (owed, jumped_at) = (self.owed.get(&part).copied(), self.jumped_at);
        let Some(room) = self.room(server, part, term) else {
            return;
        };
        if !is_stored {
            return self.unsure(server, part, term);
        }
        room.head = room.head.map(|head| head + 1);
        if room.is_loaded {
            return self.after(200, 1_500, Event::Move(server, life, part, term));
        }
        room.is_loaded = true;
        let since = room.since.map(|since| since.0);
        if let Some(Owed { at, time, .. }) = owed {
            let is_comparable = jumped_at < time - 60_000;
            if is_comparable && since.is_none_or(|since| since > at) {
                let problem = format!(
                    "{}: {part:?} stood still since {at}, credited since {since:?}",
                    self.time
                );
                self.problems.push(problem);
            }
            self.owed.remove(&part);
        }
        self.after(200, 1_500, Event::Move(server, life, part, term));
        self.tell(server, Input::Loaded(part, term));
    }

    pub(super) fn quiet(&mut self, server: usize, part: Part, term: Term) {
        let life = self.servers[server].life;
        let is_storing = self.servers[server].is_storing(part);
        let Some(room) = self.room(server, part, term) else {
            return;
        };
        if is_storing {
            return self.after(1, 30, Event::Quiet(server, life, part, term));
        }
        if room.is_paused {
            self.tell(server, Input::Paused(part, term));
        }
    }
}

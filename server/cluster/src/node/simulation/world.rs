//! The world of the simulation: its events, their times and their nodes.

use std::collections::BTreeMap;

use tilewire_rules::stream::{Seed, Stream};

use super::database::{Database, Reply, Statement};
use super::server::{InFlight, Room, Server};
use super::{BOUNDS, Flaw};
use crate::{Effect, Identity, Input, Node};
use tilewire_store::{
    ClusterChange, ClusterDone, ClusterError, Incarnation, LastRenewal, NodeId, NodeRows, Part,
    Release, Term,
};

/// Time for an answer of the database.
const ANSWER: i64 = 1_000;
/// Shards in the simulation, beside the lobby.
const SHARDS: i16 = 15;

/// An event of the simulation.
#[derive(Debug)]
pub(super) enum Event {
    /// A process begins.
    Start(usize),
    /// The machine is woken.
    Wake(usize, u64),
    /// A statement arrives at the database.
    Arrive(Sent),
    /// It ends, with the rows of its beginning.
    Execute(Sent, NodeRows),
    /// Its reply arrives.
    Reply(Sent, Reply),
    /// Nobody waits for a reply any longer.
    Timeout(usize, u64, u64),
    /// The log of a part is read.
    Read(usize, u64, Part, Term),
    /// The games of a part may be quiet.
    Quiet(usize, u64, Part, Term),
    /// A player makes a move.
    Move(usize, u64, Part, Term),
    /// Something breaks.
    Fault,
}

/// A statement on its way.
#[derive(Debug, Clone)]
pub(super) struct Sent {
    pub(super) server: usize,
    pub(super) life: u64,
    number: u64,
    incarnation: Incarnation,
    statement: Statement,
}

/// Games that have stood still without credit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Owed {
    /// Since then, by the clock of the database.
    pub(super) at: i64,
    /// The true time of that.
    pub(super) time: i64,
    /// Their server.
    pub(super) server: usize,
}

pub(super) struct World {
    pub(super) random: Stream,
    pub(super) time: i64,
    pub(super) servers: Vec<Server>,
    pub(super) database: Database,
    /// The database is gone until then.
    pub(super) outage_until: i64,
    /// The clock of the database has last jumped then.
    pub(super) jumped_at: i64,
    /// Whether messages are late and are lost.
    pub(super) is_rough: bool,
    /// How many of 200 statements stand still in the database.
    stalls: u32,
    /// Whether each server is restarted in order.
    pub(super) is_rolling: bool,
    pub(super) problems: Vec<String>,
    pub(super) owed: BTreeMap<Part, Owed>,
    events: BTreeMap<(i64, u64), Event>,
    count: u64,
    pub(super) flaw: Option<Flaw>,
}

impl World {
    pub(super) fn new(seed: u64, flaw: Option<Flaw>) -> Self {
        let mut random = Seed::new(&[0; 32], &seed.to_string(), &[[]; 0]).stream("cluster");
        let count = 3 + random.next_u32() % 3;
        let server = |number: u32| {
            let node = NodeId(number.cast_signed());
            let identity = Identity {
                node,
                release: Release::default(),
                reads_form: 3,
            };
            let offset = i64::from(random.next_u32() % 10_001) - 5_000;
            let drift = i64::from(random.next_u32() % 401) - 200;
            Server::new(identity, offset, drift)
        };
        let servers: Vec<Server> = (0..count).map(server).collect();
        let parts: Vec<Part> = (-1..SHARDS).filter_map(Part::numbered).collect();
        let mut world = Self {
            random,
            time: 0,
            database: Database::new(&parts, flaw),
            outage_until: 0,
            jumped_at: i64::MIN / 2,
            is_rough: false,
            stalls: [1, 5, 20][usize::try_from(seed % 3).unwrap_or(0)],
            is_rolling: seed.is_multiple_of(8),
            problems: Vec::new(),
            owed: BTreeMap::new(),
            events: BTreeMap::new(),
            count: 0,
            flaw,
            servers,
        };
        for server in 0..world.servers.len() {
            let at = world.between(0, 2_000);
            world.at(at, Event::Start(server));
        }
        world
    }

    /// Returns a number from `least` to `most`.
    pub(super) fn between(&mut self, least: i64, most: i64) -> i64 {
        least + i64::from(self.random.next_u32()) % (most - least + 1)
    }

    pub(super) fn chance(&mut self, percent: u32) -> bool {
        self.random.next_u32() % 100 < percent
    }

    pub(super) fn at(&mut self, time: i64, event: Event) {
        self.count += 1;
        self.events.insert((time, self.count), event);
    }

    pub(super) fn after(&mut self, least: i64, most: i64, event: Event) {
        let time = self.time + self.between(least, most);
        self.at(time, event);
    }

    /// Lets everything happen until `end`, and looks at the whole after each event.
    pub(super) fn until(&mut self, end: i64) {
        while let Some(entry) = self.events.first_entry() {
            let (time, _) = *entry.key();
            if time > end {
                break;
            }
            let event = entry.remove();
            self.time = time.max(self.time);
            self.happen(event);
        }
        self.time = end;
    }

    fn happen(&mut self, event: Event) {
        let (server, life) = match &event {
            Event::Start(server) => return self.start(*server),
            Event::Fault => return self.break_something(),
            Event::Arrive(sent) => return self.arrive(sent.clone()),
            Event::Execute(..) => return self.execute(event),
            Event::Reply(sent, _) => (sent.server, sent.life),
            Event::Wake(server, life)
            | Event::Timeout(server, life, _)
            | Event::Read(server, life, ..)
            | Event::Quiet(server, life, ..)
            | Event::Move(server, life, ..) => (*server, *life),
        };
        if self.servers[server].life != life {
            return;
        }
        let frozen_until = self.servers[server].frozen_until;
        if frozen_until > self.time {
            let later = frozen_until + self.between(0, 3);
            return self.at(later, event);
        }
        match event {
            Event::Wake(..) => {
                self.servers[server].wakes_at = i64::MAX;
                self.tell(server, Input::Tick);
            }
            Event::Reply(sent, reply) => self.replied(sent, reply),
            Event::Timeout(_, _, number) => self.lose_connection(server, number),
            Event::Read(_, _, part, term) => self.read(server, part, term),
            Event::Quiet(_, _, part, term) => self.quiet(server, part, term),
            Event::Move(_, _, part, term) => self.make_move(server, part, term),
            _ => {}
        }
    }

    fn start(&mut self, server: usize) {
        let found = &mut self.servers[server];
        if !found.is_running {
            found.is_running = true;
            found.queue.push_back(Statement::Join);
            self.send(server);
        }
    }

    /// Sends the next statement, if none is in flight.
    pub(super) fn send(&mut self, server: usize) {
        let fresh = Incarnation(i64::from(self.random.next_u32()));
        self.count += 1;
        let number = self.count;
        let found = &mut self.servers[server];
        if found.in_flight.is_some() || found.queue.is_empty() {
            return;
        }
        let statement = if found.has_incarnation {
            found.queue.pop_front()
        } else {
            let mine = found.incarnations.clone();
            found.incarnations.push(fresh);
            match found.machine {
                Some(_) => Some(Statement::Replace(mine)),
                None => found.queue.pop_front(),
            }
        };
        let Some(statement) = statement else { return };
        found.in_flight = Some(InFlight {
            number,
            statement: statement.clone(),
        });
        self.transmit(server, number, statement);
        let life = self.servers[server].life;
        self.at(self.time + ANSWER, Event::Timeout(server, life, number));
    }

    fn transmit(&mut self, server: usize, number: u64, statement: Statement) {
        let found = &self.servers[server];
        let sent = Sent {
            server,
            life: found.life,
            number,
            incarnation: *found.incarnations.last().expect("it was just made"),
            statement,
        };
        if found.deaf_until > self.time {
            // It is lost, or arrives when the way is free again.
            if self.chance(50) {
                let free_at = self.servers[server].deaf_until;
                self.at(free_at, Event::Arrive(sent));
            }
            return;
        }
        match (self.is_rough, self.random.next_u32() % 200) {
            (true, 0) => {}
            (true, 1) => self.after(200, 8_000, Event::Arrive(sent)),
            _ => self.after(0, 4, Event::Arrive(sent)),
        }
    }

    fn arrive(&mut self, sent: Sent) {
        if self.outage_until > self.time {
            return;
        }
        let rows = self.database.tables.rows.clone();
        let event = Event::Execute(sent, rows);
        match (self.is_rough, self.random.next_u32() % 200) {
            (true, number) if number < self.stalls => self.after(500, 6_000, event),
            (true, number) if number < 4 * self.stalls => self.after(5, 800, event),
            _ => self.after(0, 2, event),
        }
    }

    fn execute(&mut self, event: Event) {
        let Event::Execute(sent, rows) = event else {
            return;
        };
        if self.outage_until > self.time {
            return;
        }
        let identity = self.servers[sent.server].identity;
        let of = (identity, sent.incarnation);
        let reply = self.database.execute(self.time, &rows, of, &sent.statement);
        self.problems.append(&mut self.database.problems);
        if !matches!(reply, Reply::Fenced) {
            self.see_late(&sent);
        }
        let is_mute = self.servers[sent.server].mute_until > self.time;
        let is_lost = self.is_rough && self.chance(1);
        if !is_mute && !is_lost {
            self.after(0, 4, Event::Reply(sent, reply));
        }
    }

    fn replied(&mut self, sent: Sent, reply: Reply) {
        let server = sent.server;
        let found = &mut self.servers[server];
        let flying = found.in_flight.as_ref();
        if flying.is_none_or(|flying| flying.number != sent.number) {
            return;
        }
        found.in_flight = None;
        match (reply, sent.statement) {
            (Reply::Joined, _) => {
                found.incarnations = vec![sent.incarnation];
                found.has_incarnation = true;
                let now = found.clock(self.time);
                found.machine = Some(Node::new(found.identity, BOUNDS, (now, LastRenewal::None)));
                self.tell(server, Input::Tick);
            }
            (Reply::Replaced, _) => {
                found.incarnations = vec![sent.incarnation];
                found.has_incarnation = true;
            }
            (Reply::Changed(done), _) => {
                let asked_at = found.asked_at;
                let is_known = found.proved_at.is_some() || matches!(done, ClusterDone::Renewed(_));
                if is_known && found.clock(self.time) - asked_at < BOUNDS.lease_ms {
                    found.proved_at = Some(asked_at);
                }
                self.tell(server, Input::Answered(Ok(done)));
            }
            (Reply::Appended(is_stored), Statement::Append { part, term, .. }) => {
                self.appended(server, part, term, is_stored);
            }
            (Reply::Fenced, Statement::Append { .. }) => {}
            (Reply::Fenced | Reply::Appended(_), _) => {
                self.tell(server, Input::Answered(Err(ClusterError::Fenced)));
            }
        }
        self.send(server);
    }

    /// Gives up a connection whose reply has not come.
    fn lose_connection(&mut self, server: usize, number: u64) {
        let found = &mut self.servers[server];
        if found
            .in_flight
            .as_ref()
            .is_none_or(|flying| flying.number != number)
        {
            return;
        }
        let Some(flying) = found.in_flight.take() else {
            return;
        };
        found.has_incarnation = false;
        match flying.statement {
            Statement::Join => {
                found.queue.push_front(Statement::Join);
            }
            Statement::Change(_) => {
                self.tell(server, Input::Answered(Err(ClusterError::NoAnswer)));
            }
            Statement::Append { part, term, .. } => self.unsure(server, part, term),
            Statement::Replace(_) => {
                // Nothing that waits was sent, so it is refused; the machine asks again.
                let waiting = std::mem::take(&mut found.queue);
                for statement in waiting {
                    match statement {
                        Statement::Append { part, term, .. } => self.unsure(server, part, term),
                        _ => self.tell(server, Input::Answered(Err(ClusterError::NoAnswer))),
                    }
                }
            }
        }
        self.send(server);
    }

    /// Reads the log of a part again, because the storage outcome of a record is unknown.
    pub(super) fn unsure(&mut self, server: usize, part: Part, term: Term) {
        let life = self.servers[server].life;
        if let Some(room) = self.room(server, part, term) {
            room.head = None;
            self.after(50, 200, Event::Read(server, life, part, term));
        }
    }

    pub(super) fn room(&mut self, server: usize, part: Part, term: Term) -> Option<&mut Room> {
        let room = self.servers[server].rooms.get_mut(&part);
        room.filter(|room| room.term == term)
    }

    /// Tells a machine something, and does what it wants.
    pub(super) fn tell(&mut self, server: usize, input: Input) {
        let found = &mut self.servers[server];
        let now = found.clock(self.time);
        let Some(machine) = &mut found.machine else {
            return;
        };
        let effects = machine.handle(now, input);
        for effect in effects {
            self.carry_out(server, effect);
        }
        self.audit(server);
        let found = &mut self.servers[server];
        let Some(machine) = &found.machine else {
            return;
        };
        let wakes_at = self.time + (machine.wakes_at() - now).0.clamp(1, 60_000);
        if wakes_at < found.wakes_at {
            found.wakes_at = wakes_at;
            let life = found.life;
            self.at(wakes_at, Event::Wake(server, life));
        }
    }

    fn carry_out(&mut self, server: usize, effect: Effect) {
        let life = self.servers[server].life;
        match effect {
            Effect::Ask(change) => self.ask(server, change),
            Effect::Load { part, term, since } => {
                let room = Room {
                    term,
                    since,
                    head: None,
                    is_loaded: false,
                    is_paused: false,
                };
                self.servers[server].rooms.insert(part, room);
                self.after(5, 200, Event::Read(server, life, part, term));
            }
            Effect::Pause(part, term) => {
                if let Some(room) = self.room(server, part, term) {
                    room.is_paused = true;
                }
                self.after(1, 30, Event::Quiet(server, life, part, term));
            }
            Effect::Resume(part, term) => {
                if let Some(room) = self.room(server, part, term) {
                    room.is_paused = false;
                }
            }
            Effect::Drop(part, term) => {
                if self.room(server, part, term).is_some() {
                    let room = self.servers[server].rooms.remove(&part);
                    self.owe(server, room.into_iter().map(|room| (part, room)));
                }
            }
            Effect::CutOff if self.flaw == Some(Flaw::CutIsIgnored) => {}
            Effect::CutOff => {
                self.servers[server].proved_at = None;
                let rooms = std::mem::take(&mut self.servers[server].rooms);
                self.owe(server, rooms);
            }
            Effect::Stop(_) => {
                self.kill(server);
                self.after(100, 3_000, Event::Start(server));
            }
        }
    }

    fn ask(&mut self, server: usize, change: ClusterChange) {
        let now = self.servers[server].clock(self.time);
        self.servers[server].asked_at = now;
        let statement = Statement::Change(change);
        self.servers[server].queue.push_back(statement);
        self.send(server);
    }

    /// Ends a process.
    pub(super) fn kill(&mut self, server: usize) {
        let rooms = self.servers[server].end();
        self.owe(server, rooms);
    }
}

//! The faults of the simulation, and the flaws that the auditor looks for.

use super::BOUNDS;
use super::Flaw;
use super::world::{Event, World};
use crate::Input;
use crate::node::{Life, Node, Stage};
use crate::rendezvous;
use tilewire_store::{NodeId, Part};

/// A length of time with faults.
const ROUGH: i64 = 40_000;
/// A length of time without.
const CALM: i64 = 60_000;
/// Time after the last fault in which everything is played again. After a jump of its clock, the database needs the time to
/// live twice before it lets a node be judged.
const RECOVERED: i64 = 11_000;
/// Time after which every part is at its place.
const PLACED: i64 = 45_000;
/// The longest time between two moves, with a hand-over between them.
const STALL: i64 = 3_500;

impl World {
    /// Lets everything happen: faults, calm, faults, and calm with a restart of one node after the other.
    pub(super) fn play(&mut self) {
        for round in 0..3 {
            self.rough();
            self.calm();
            if round == 1 && self.is_rolling {
                self.rolling_restart();
            }
        }
    }

    /// Lets the database go and come back several times, also on another machine.
    pub(super) fn play_outages(&mut self) {
        self.until(20_000);
        for _ in 0..6 {
            self.lose_database(12_000);
            let calm = self.between(3_000, 15_000);
            self.until(self.outage_until + calm);
        }
        self.until(self.time + RECOVERED);
        self.check_that_all_is_played();
        if !self.database.fences.is_empty() {
            let problem = format!("an outage fences nodes: {:?}", self.database.fences);
            self.problems.push(problem);
        }
    }

    fn lose_database(&mut self, most: i64) {
        self.outage_until = self.time + self.between(300, most);
        if self.chance(30) {
            // Another machine has it then.
            self.database.offset += self.between(-5_000, 5_000);
            self.jumped_at = self.outage_until;
        }
    }

    pub(super) fn problems(self) -> Vec<String> {
        self.problems
    }

    fn rough(&mut self) {
        self.is_rough = true;
        let mut at = self.time;
        let end = self.time + ROUGH;
        while at < end {
            self.at(at, Event::Fault);
            at += self.between(500, 6_000);
        }
        self.until(end);
        self.is_rough = false;
        for server in &mut self.servers {
            server.frozen_until = server.frozen_until.min(end);
            server.deaf_until = server.deaf_until.min(end);
            server.mute_until = server.mute_until.min(end);
        }
        self.outage_until = self.outage_until.min(end);
    }

    fn calm(&mut self) {
        let begin = self.time;
        self.until(begin + RECOVERED);
        let fences = self.database.fences.len();
        while self.time < begin + CALM {
            self.until(self.time + 500);
            self.check_that_all_is_played();
            if self.time >= begin + PLACED {
                self.check_places();
            }
        }
        if self.database.fences.len() > fences {
            let problem = format!("a node that was well is fenced: {:?}", self.database.fences);
            self.problems.push(problem);
        }
    }

    /// Every node is asked to stop, comes back, and gets its parts again. No game stands still for long.
    fn rolling_restart(&mut self) {
        let fences = self.database.fences.len();
        for server in 0..self.servers.len() {
            self.tell(server, Input::Drain);
            let end = self.time + 45_000;
            while self.time < end {
                self.until(self.time + 500);
                self.check_that_all_is_played();
            }
            self.check_places();
        }
        if self.database.fences.len() > fences {
            self.problems
                .push("a restart in order fences nobody".to_owned());
        }
    }

    /// Breaks something that mends itself after some time.
    pub(super) fn break_something(&mut self) {
        let most = i64::try_from(self.servers.len()).unwrap_or(1) - 1;
        let server = usize::try_from(self.between(0, most)).unwrap_or(0);
        let until = self.time + self.between(300, 10_000);
        match self.random.next_u32() % 8 {
            0 | 1 => self.servers[server].frozen_until = until,
            2 => self.servers[server].deaf_until = until,
            3 => self.servers[server].mute_until = until,
            4 | 5 => {
                self.kill(server);
                let at = self.time + self.between(50, 6_000);
                self.at(at, Event::Start(server));
            }
            6 => self.tell(server, Input::Drain),
            _ => self.lose_database(10_000),
        }
    }

    /// Looks at a server after it has done something.
    pub(super) fn audit(&mut self, server: usize) {
        let found = &self.servers[server];
        let Some(machine) = &found.machine else {
            return;
        };
        let now = found.clock(self.time);
        let is_proved = found.proved_at.is_some_and(|at| now - at < BOUNDS.lease_ms);
        let mut problems = Vec::new();
        if !is_proved && !found.rooms.is_empty() {
            problems.push("has games in memory behind the end of its lease");
        }
        let stages = || machine.held.values().map(|held| held.stage);
        let is_moving =
            |stage: &Stage| matches!(stage, Stage::Pausing(_) | Stage::Paused | Stage::Giving);
        let moving = stages().filter(is_moving).count() + machine.on_their_way.len();
        if moving > BOUNDS.gives && !matches!(machine.life, Life::Leaving(_)) {
            problems.push("moves too many parts");
        }
        if stages().filter(|stage| *stage == Stage::Loading).count() > BOUNDS.loads {
            problems.push("loads too many parts");
        }
        if let Some(room) = found
            .rooms
            .keys()
            .find(|part| !machine.held.contains_key(part))
            && self.flaw != Some(Flaw::CutIsIgnored)
        {
            self.problems.push(format!("{room:?} is forgotten"));
        }
        let node = found.identity.node;
        for problem in problems {
            self.problems
                .push(format!("{}: {node:?} {problem}", self.time));
        }
    }

    fn check_that_all_is_played(&mut self) {
        for (part, log) in &self.database.logs {
            if self.time - log.grew_at > STALL {
                let row = self.database.tables.rows.parts.get(part);
                let problem = format!(
                    "{}: {part:?} stands still since {}: {row:?}",
                    self.time, log.grew_at
                );
                self.problems.push(problem);
            }
        }
    }

    fn check_places(&mut self) {
        let is_up = |machine: &&Node| machine.life == Life::Up;
        let machines = self
            .servers
            .iter()
            .filter_map(|server| server.machine.as_ref());
        let up: Vec<NodeId> = machines
            .filter(is_up)
            .map(|machine| machine.identity.node)
            .collect();
        let rows = self.database.tables.rows.parts.values();
        let is_elsewhere = |part: Part, owner| rendezvous::first(part, up.iter().copied()) != owner;
        let elsewhere: Vec<Part> = rows
            .filter(|row| is_elsewhere(row.part, row.owner) || row.orphaned_at.is_some())
            .map(|row| row.part)
            .collect();
        if !elsewhere.is_empty() {
            let problem = format!(
                "{}: {elsewhere:?} are not at their places of {up:?}",
                self.time
            );
            self.problems.push(problem);
        }
    }
}

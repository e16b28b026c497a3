//! Random follows and blocks between the people of a simulation, and random acts of a moderator.

use std::sync::Arc;

use tilewire_people::moderation::Restraint;
use tilewire_server::app::App;

use super::{Coming, World};
use crate::simulation::chance::Chance;
use crate::simulation::members::Ask;
use crate::simulation::relating::{some_act, some_order};

/// The time between two acts of a player about others, ms.
const RELATES_MS: (i64, i64) = (4_000, 40_000);
/// The time between two acts of the moderator, ms.
const MODERATES_MS: (i64, i64) = (8_000, 40_000);
/// The time until the next try of one who cannot act now, ms.
const AGAIN_MS: (i64, i64) = (2_000, 6_000);

/// The people with accounts from before, and their random choices: a separate random source, so that the rest of a seed does
/// not change.
#[derive(Debug)]
pub(super) struct Dealings {
    chance: Chance,
    holidays: Chance,
    /// Their numbers and handles. The first one is the moderator, in runs that have one.
    members: Vec<(usize, &'static str)>,
    /// The last act of the moderator.
    last: Option<(&'static str, Restraint)>,
    /// How many acts of the moderator there were.
    orders: u64,
}

impl Dealings {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            chance: Chance::new(seed, "dealings"),
            holidays: Chance::new(seed, "holidays"),
            members: Vec::new(),
            last: None,
            orders: 0,
        }
    }

    /// Says whether a player who changes a vacation begins one. Ends are more frequent, so that games go on.
    pub(super) fn begins_vacation(&mut self) -> bool {
        self.holidays.one_in(3)
    }

    /// Notes a player with an account; returns whether it is the first one.
    pub(super) fn has(&mut self, person: usize, handle: &'static str) -> bool {
        self.members.push((person, handle));
        self.members.len() == 1
    }

    /// Returns the handle of another player.
    fn other_than(&mut self, person: usize) -> Option<&'static str> {
        let others = self.members.iter().filter(|(own, _)| *own != person);
        let others: Vec<&'static str> = others.map(|(_, handle)| *handle).collect();
        (!others.is_empty()).then(|| *self.chance.pick(&others))
    }
}

impl World {
    /// Queues the first act of everybody.
    pub(super) fn plan_dealings(&mut self) {
        let members = self.dealings.members.clone();
        if self.scenario.relates || self.scenario.has_vacations {
            for (person, _) in &members {
                let at = self.dealings.chance.ms(AGAIN_MS.0, RELATES_MS.1);
                self.at(at, Coming::Relate(*person));
            }
        }
        if let Some((moderator, _)) = members.first().filter(|_| self.scenario.moderates) {
            let at = self.dealings.chance.ms(AGAIN_MS.0, MODERATES_MS.1);
            self.at(at, Coming::Moderate(*moderator));
        }
    }

    /// A player follows or blocks another one, or does so no longer.
    pub(super) fn relate(&mut self, person: usize, app: &Arc<App>) {
        if self.is_away() {
            self.at(self.dark_until, Coming::Relate(person));
            return;
        }
        let (other, act) = (
            self.dealings.other_than(person),
            some_act(&mut self.dealings.chance),
        );
        let Some(other) = other.filter(|_| !self.is_calm) else {
            return;
        };
        let is_holiday = self.scenario.has_vacations
            && (!self.scenario.relates || self.dealings.holidays.one_in(3));
        let has_asked = match is_holiday {
            true => self.vacate(person, app),
            false => self.ask_with_token(person, app, |by| Ask::Relate(by, act, other)),
        };
        let (least, most) = if has_asked { RELATES_MS } else { AGAIN_MS };
        let next = self.now + self.dealings.chance.ms(least, most);
        self.at(next, Coming::Relate(person));
    }

    /// The moderator restricts a player, or undoes it.
    pub(super) fn moderate(&mut self, person: usize, app: &Arc<App>) {
        if self.is_away() {
            self.at(self.dark_until, Coming::Moderate(person));
            return;
        }
        let other = self.dealings.other_than(person);
        let Some(other) = other.filter(|_| !self.is_calm) else {
            return;
        };
        let (wall, dealings) = (self.wall(), &mut self.dealings);
        let mut order = some_order(other, dealings.last, wall, &mut dealings.chance);
        dealings.orders += 1;
        order.reason = format!("act {}", dealings.orders);
        let last = order
            .until
            .is_some()
            .then_some((order.handle, order.restraint));
        let has_asked = self.ask_with_token(person, app, |by| Ask::Moderate(by, order));
        if has_asked {
            self.dealings.last = last;
        }
        let (least, most) = if has_asked { MODERATES_MS } else { AGAIN_MS };
        let next = self.now + self.dealings.chance.ms(least, most);
        self.at(next, Coming::Moderate(person));
    }

    /// Says whether everybody is away from games by correspondence.
    pub(super) const fn is_away(&self) -> bool {
        self.scenario.writes && self.now < self.dark_until
    }

    /// Asks the server about something with the token of a session of a person, and says whether there was one.
    pub(super) fn ask_with_token(
        &mut self,
        person: usize,
        app: &Arc<App>,
        ask: impl FnOnce(String) -> Ask,
    ) -> bool {
        let chance = &mut self.dealings.chance;
        let member = self.people[person].member.as_mut();
        let Some(ask) = member.and_then(|member| member.begin(chance, ask)) else {
            return false;
        };
        self.ask(person, ask, app);
        true
    }
}

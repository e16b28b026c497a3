//! The loop of a simulation: one queue of future events, one server at a time.

mod acting;
mod dealings;
mod ending;
mod letters;
mod nodes;
mod operating;
mod people;
mod webhooks;
pub(super) use people::parts_of;
mod time;
mod traffic;
mod vacations;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use tilewire_base::clock::ServerClock;
use tilewire_base::ids::Ids;
use tilewire_protocol::Codec;
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::time::Timestamp;
use tilewire_server::app::App;
use tilewire_store::Stamp;
use tokio::task::JoinSet;
use tokio_tungstenite::tungstenite::Message;

use super::Options;
use super::auditor::Auditor;
use super::chance::Chance;
use super::disk::Disk;
use super::line::{LineId, Lines};
use super::manner::{Manner, Table};
use super::members::Kind;
use super::outside::Outside;
use super::person::Person;
use super::scenario::{self, Scenario};
use super::trace::Trace;
use dealings::Dealings;
use nodes::{NodeEvent, Nodes};
use people::Answers;

/// When simulations begin, unix ms.
const BEGINS_AT: i64 = 1_800_000_000_000;
/// How long an undisturbed server may take until everything is answered, ms: as long as a hold.
const SETTLE_MS: i64 = 100_000;
/// How long an undisturbed server has to write the results of all games, ms.
const RESULTS_MS: i64 = 60_000;
/// How long an undisturbed server has to bring every game to its end, ms.
const END_MS: i64 = 20 * 3_600_000;
/// Messages the simulation takes at most; a run beyond it goes round in circles.
const STEPS_MAX: u64 = 400_000;

/// A future event.
#[derive(Debug)]
enum Coming {
    Arrive(LineId, Message),
    Break(LineId, bool),
    Read(LineId),
    Think(usize),
    Hurry(usize),
    Relate(usize),
    Moderate(usize),
    Operate,
    Crash,
    Stop,
    Stall(i64),
    Night(i64),
    Calm,
    Leave,
    End,
    Node(NodeEvent),
}

/// How a server came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exit {
    Crash,
    Stop,
    Done,
}

/// A connection.
#[derive(Debug)]
struct Wire {
    person: usize,
    /// The node that the client is connected to, of several.
    node: Option<usize>,
    codec: Codec,
    /// Whether the client is still there.
    is_up: bool,
    /// Said by the server and not yet read by the client.
    unread: VecDeque<Message>,
    last_arrival: i64,
    /// When the server could last hear the client.
    heard_at: i64,
    /// The longest silence of the client, ms.
    longest_silence: i64,
    last_read: i64,
    stalled_until: i64,
}

/// Everything there is.
pub(super) struct World {
    options: Options,
    scenario: Scenario,
    chance: Chance,
    /// The machine's clocks at starts and the operator: separate random sources, so that the rest of a seed does not change.
    clocks: Chance,
    operator: Chance,
    dealings: Dealings,
    disk: Arc<Disk>,
    outside: Outside,
    lines: Arc<Lines>,
    ids: Ids,
    auditor: Auditor,
    pub(super) trace: Trace,
    /// The messages to spectators.
    spectators: Trace,
    /// The time since the simulation began, ms.
    now: i64,
    /// The server's clock when `now` was 0, unix ms.
    epoch: i64,
    queue: BTreeMap<(i64, u64), Coming>,
    queued: u64,
    steps: u64,
    people: Vec<Person>,
    /// The answers to requests about accounts, and how many requests there were.
    answers: Answers,
    asked: u64,
    /// When all games were seen to be over.
    over_since: Option<i64>,
    tables: Vec<Table>,
    wires: BTreeMap<LineId, Wire>,
    next_line: LineId,
    starts: usize,
    /// How often the clock jumped.
    jumps: usize,
    /// The last stamp of the servers before.
    stamp: Option<Stamp>,
    /// The first stamp of the server since its start or its last stall: not before it has credited that to every game.
    first_stamp: Option<Stamp>,
    /// Until when all clients are away.
    dark_until: i64,
    is_calm: bool,
    /// How long the server is about to stand still, ms.
    stalls_for: Option<i64>,
    /// The watcher for stalls, in runs that have any.
    watcher: JoinSet<()>,
    /// The servers, in runs with several.
    nodes: Option<Nodes>,
}

/// Returns the people of a scenario, and the number of each player with the kind of its account.
fn people_of(
    scenario: &Scenario,
    chance: &mut Chance,
    options: Options,
) -> (Vec<Person>, Vec<(usize, Kind)>) {
    let (mut people, mut kinds) = (Vec::new(), Vec::new());
    for (table, plan) in scenario.tables.iter().enumerate() {
        for place in 0..usize::from(plan.options.seats) {
            let manner = Manner::some(chance);
            let kind = plan.kinds.get(place).copied().unwrap_or(Kind::Guest);
            kinds.push((people.len(), kind));
            people.push(Person::new(people.len(), table, Some(place), manner));
        }
        // Every delayed game is checked for its spectators.
        let fewest = usize::from(plan.options.spectators.is_some());
        for _ in 0..scenario.spectators.max(fewest) {
            let manner = Manner::some(chance);
            people.push(Person::new(people.len(), table, None, manner));
        }
    }
    for person in &mut people {
        person.has_other_words = options.other_words;
    }
    (people, kinds)
}

impl World {
    pub(super) fn new(seed: u64, options: Options) -> Self {
        let mut scenario = match options.has_nodes(seed) {
            true => Scenario::of_nodes(seed),
            false => Scenario::of(seed),
        };
        if options.crash_at.is_some() {
            scenario.temper.crashes = 0;
            scenario.crashes.clear();
        }
        let mut chance = Chance::new(seed, "world");
        let disk = Disk::new(seed, scenario.temper, options.crash_at, options.flaw);
        let (mut people, kinds) = people_of(&scenario, &mut chance, options);
        let tables = scenario.tables.iter().map(Table::planned).collect();
        let mut world = Self {
            outside: Outside::new(seed, &scenario.config.webhooks, &disk),
            auditor: Auditor::new(scenario.config.timing.lag_credit_max_ms.0),
            lines: Lines::new(Arc::clone(&disk)),
            ids: Ids::seeded(seed),
            trace: Trace::new(options.is_told),
            spectators: Trace::new(false),
            options,
            scenario,
            chance,
            clocks: Chance::new(seed, "clocks"),
            dealings: Dealings::new(seed),
            operator: Chance::new(seed, "orders"),
            disk,
            now: 0,
            epoch: BEGINS_AT,
            queue: BTreeMap::new(),
            queued: 0,
            steps: 0,
            people: Vec::new(),
            answers: Answers::default(),
            asked: 0,
            over_since: None,
            tables,
            wires: BTreeMap::new(),
            next_line: 1,
            starts: 0,
            jumps: 0,
            stamp: None,
            first_stamp: None,
            dark_until: 0,
            is_calm: false,
            stalls_for: None,
            watcher: JoinSet::new(),
            nodes: None,
        };
        for (person, kind) in kinds {
            world.with_account(&mut people[person], kind);
        }
        world.people = people;
        for person in 0..world.people.len() {
            let at = world.chance.ms(0, 2_000);
            world.at(at, Coming::Think(person));
        }
        world.plan();
        world.plan_dealings();
        world.plan_operating();
        world.plan_letters();
        world.plan_webhooks();
        if options.has_nodes(seed) {
            world.nodes = Some(Nodes::new(seed, &world.scenario.config, &world.disk));
        }
        world
    }

    /// Queues the faults of the scenario, and their end.
    fn plan(&mut self) {
        let scenario = self.scenario.clone();
        for at in scenario.crashes {
            self.at(at, Coming::Crash);
        }
        for at in scenario.stops {
            self.at(at, Coming::Stop);
        }
        for (at, ms) in scenario.stalls {
            self.at(at, Coming::Stall(ms));
        }
        for (at, ms) in scenario.nights {
            self.at(at, Coming::Night(ms));
        }
        self.at(self.scenario.play_ms, Coming::Calm);
    }

    fn at(&mut self, at: i64, coming: Coming) {
        self.queued += 1;
        self.queue.insert((at.max(self.now), self.queued), coming);
    }

    /// Lets one server after the other run until every game is over.
    pub(super) fn run(&mut self) {
        loop {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_time()
                .start_paused(true)
                .build()
                .expect("a runtime without I/O");
            let exit = match self.nodes {
                Some(_) => runtime.block_on(self.life_of_nodes()),
                None => runtime.block_on(self.life()),
            };
            drop(runtime);
            self.watcher.abort_all();
            self.auditor.check_taken_up(self.wall());
            self.trace
                .note(self.now, "exit", u64::from(exit == Exit::Crash), &[]);
            self.trace
                .say(self.now, || format!("the server ends: {exit:?}"));
            match exit {
                Exit::Done => break,
                Exit::Crash => self.note_stamp(1_000),
                Exit::Stop => self.note_stamp(0),
            };
            self.lose_lines();
            self.now += self.chance.ms(0, 20_000);
            self.set_clock();
        }
        self.auditor.is_now(self.wall());
        self.disk.look(|durable| {
            self.auditor.finish(durable);
            self.auditor.check_results(durable);
            self.auditor.check_accounts(durable);
            self.auditor.check_relations(durable);
            self.auditor.check_moderation(durable);
        });
    }

    /// The machine went down: all connections are closed, and messages in flight to the server are lost.
    fn lose_lines(&mut self) {
        let lines: Vec<LineId> = self.wires.keys().copied().collect();
        for line in lines {
            self.break_off(line);
        }
        self.wires.clear();
        self.queue.retain(|_, coming| {
            !matches!(
                coming,
                Coming::Arrive(..) | Coming::Break(..) | Coming::Read(_)
            )
        });
        self.lines = Lines::new(Arc::clone(&self.disk));
        self.forget_answers();
    }

    /// One server, from its start to its end.
    async fn life(&mut self) -> Exit {
        self.starts += 1;
        self.first_stamp = None;
        let begun = self.now;
        let clock = ServerClock::starting_at(Timestamp(self.wall()));
        self.watch_stalls(&clock);
        self.disk.start(clock.clone());
        let asleep = self.asleep();
        let stopped_at = self.stamp.map(|stamp| stamp.at.0);
        self.auditor.started(self.wall(), stopped_at, &asleep);
        self.trace.say(begun, || "a server starts".to_owned());
        let ratings = self.ratings(&clock).await;
        let letters = self.letters().await;
        self.begin_webhooks().await;
        let parts = self.parts(&clock, &ratings, letters.as_ref());
        let starting = App::start_with(parts, scenario::catalogue());
        let disk = Arc::clone(&self.disk);
        let app = tokio::select! {
            biased;
            () = disk.down.notified() => None,
            app = starting => Some(app.expect("the disk can be read")),
        };
        self.now = clock.now().0 - self.epoch;
        self.auditor.is_ready(self.wall());
        self.listen();
        let Some(app) = app else {
            return Exit::Crash;
        };
        self.check_people();
        self.tend(ratings, letters, &app);
        loop {
            self.now = clock.now().0 - self.epoch;
            if let Some(stamp) = app.directory.stamp() {
                self.first_stamp.get_or_insert(stamp);
            }
            if let Some(exit) = self.due(Some(&app)) {
                if exit == Exit::Stop {
                    app.shutdown().await;
                    self.now = clock.now().0 - self.epoch;
                    self.listen();
                    if self.disk.is_down() {
                        return Exit::Crash;
                    }
                }
                return exit;
            }
            if let Some(ms) = self.stalls_for.take() {
                self.stand_still(ms, &app).await;
                continue;
            }
            let next = self.queue.keys().next().map_or(self.now, |(at, _)| *at);
            let wait = Duration::from_millis(u64::try_from(next - self.now).unwrap_or(0));
            let (disk, lines) = (Arc::clone(&self.disk), Arc::clone(&self.lines));
            tokio::select! {
                biased;
                () = disk.down.notified() => {
                    self.now = clock.now().0 - self.epoch;
                    self.listen();
                    return Exit::Crash;
                }
                () = lines.changed.notified() => {}
                () = disk.changed.notified() => {}
                () = tokio::time::sleep(wait) => {}
            }
            self.now = clock.now().0 - self.epoch;
            self.listen();
        }
    }

    /// Performs the due actions.
    fn due(&mut self, app: Option<&Arc<App>>) -> Option<Exit> {
        while let Some(entry) = self.queue.first_entry() {
            if entry.key().0 > self.now {
                return None;
            }
            let coming = entry.remove();
            self.steps += 1;
            assert!(self.steps < STEPS_MAX, "it goes round in circles");
            let exit = match app {
                Some(app) => self.comes(coming, app),
                None => self.comes_to_nodes(coming),
            };
            if let Some(exit) = exit {
                return Some(exit);
            }
        }
        None
    }

    fn comes(&mut self, coming: Coming, app: &Arc<App>) -> Option<Exit> {
        match coming {
            Coming::Arrive(line, message) => self.arrive(line, message),
            Coming::Break(line, is_orderly) => {
                self.auditor.ended(line);
                self.lines.hang_up(line, is_orderly);
            }
            Coming::Read(line) => self.read(line),
            Coming::Think(person) => self.think(person, app),
            Coming::Hurry(person) => self.hurry(person, app),
            Coming::Relate(person) => self.relate(person, app),
            Coming::Moderate(person) => self.moderate(person, app),
            Coming::Operate => self.operate(app),
            Coming::Crash if !self.is_calm => {
                self.disk.crash();
                return Some(Exit::Crash);
            }
            Coming::Stop if !self.is_calm => return Some(Exit::Stop),
            Coming::Stall(ms) if !self.is_calm => self.stalls_for = Some(ms),
            Coming::Night(ms) if !self.is_calm => self.leave_until(self.now + ms),
            Coming::Crash | Coming::Stop | Coming::Stall(_) | Coming::Night(_) => {}
            Coming::Calm => {
                self.is_calm = true;
                self.watcher.abort_all();
                self.disk.behave();
                self.outside.behave();
                self.at(self.now + SETTLE_MS, Coming::Leave);
            }
            Coming::Leave => {
                self.auditor.check_all_answered(self.wall());
                self.auditor.check_taken_up(self.wall());
                self.leave_until(self.now);
                self.at(self.now + 60_000, Coming::End);
            }
            Coming::End => return self.end(),
            Coming::Node(_) => {}
        }
        None
    }
}

fn rules(id: &str) -> Arc<RuleSet> {
    RuleSet::builtin(id).unwrap_or_else(scenario::small)
}

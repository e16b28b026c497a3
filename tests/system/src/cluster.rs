//! Several servers that share the games in one database of PostgreSQL.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::time::Instant;

use tempfile::TempDir;
use tilewire_cluster::home;
use tilewire_services::nats::{self, Nats, PASSWORD};
use tilewire_services::postgres::{Database, Postgres};
use tilewire_store::{NodeId, Part, Shard};

use tilewire_harness::PATIENCE;
use tilewire_harness::fault_proxy::{BOTH, FaultProxy, Service, Way};
use tilewire_harness::matches::Person;
use tilewire_harness::network::Network;
use tilewire_harness::server::Server;

/// An address at which nothing listens.
const NOWHERE: &str = "127.0.0.1:1";

/// The token of the operators.
const TOKEN: &str = "a-token-of-the-operators-of-all-these-servers-0123456789";

/// Some servers; the first one has the number 1.
#[derive(Debug)]
pub struct Cluster {
    /// The servers. They end before the services.
    pub servers: Vec<Server>,
    /// Where the games are stored.
    pub store: Store,
    database: Database,
    /// The bus between the servers, and the files with its password and with the operators' token.
    nats: Option<(Nats, TempDir)>,
    /// A second bus, and the link over which it passes messages on with the first one.
    second: Option<(Nats, FaultProxy)>,
    /// How each server reaches the services, if the test can cut that.
    links: Vec<Links>,
    /// The network of the servers, if it is their own.
    network: Option<Network>,
    /// The directions in which the network drops packets now.
    cuts: BTreeSet<(usize, To, Way)>,
    /// More of the configuration of every server.
    more: &'static str,
}

/// One PostgreSQL, or a primary and its standby.
#[derive(Debug)]
pub enum Store {
    /// All tests of this process use it.
    Shared(&'static Postgres),
    /// This cluster uses it alone.
    Own(Box<Postgres>),
    /// This cluster uses both alone: the first one stores, the other one follows it.
    Pair(Box<[Postgres; 2]>),
}

/// The services that a server reaches through links.
#[derive(Debug)]
struct Links {
    database: FaultProxy,
    bus: Option<FaultProxy>,
}

/// The service at the end of a server's link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum To {
    /// PostgreSQL.
    Database,
    /// NATS.
    Bus,
}

/// How servers reach the services.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Wiring {
    /// Directly.
    #[default]
    Direct,
    /// Through programs that cut and slow connections.
    Links,
    /// Through a network of namespaces that drops packets.
    Namespaces,
}

/// How a cluster is started.
#[derive(Debug, Default)]
pub struct Plan {
    /// The servers.
    pub count: usize,
    /// Whether the servers relay for each other.
    pub relays: bool,
    /// Whether the first server has a bus of its own, which passes messages on with that of the others.
    pub two_buses: bool,
    /// How the servers reach the services.
    pub wiring: Wiring,
    /// The PostgreSQL; that of the process if none is named.
    pub store: Option<Store>,
    /// How far the clock of each server is off, such as `+5s`; empty if it is right. The clocks of the others are right.
    pub clocks: Vec<&'static str>,
    /// More of the configuration of every server.
    pub more: &'static str,
}

impl Store {
    /// Returns the PostgreSQL that stores.
    #[must_use]
    pub const fn first(&self) -> &Postgres {
        match self {
            Self::Shared(postgres) => postgres,
            Self::Own(postgres) => postgres,
            Self::Pair(pair) => &pair[0],
        }
    }

    /// Starts the PostgreSQL again that stores.
    ///
    /// # Panics
    /// When it is not the cluster's alone, or does not start.
    pub fn start_again(&mut self) {
        match self {
            Self::Shared(_) => panic!("others use it"),
            Self::Own(postgres) => postgres.start_again(),
            Self::Pair(pair) => pair[0].start_again(),
        }
    }

    /// Makes the one that follows store from now on. The first one must have ended.
    ///
    /// # Panics
    /// When there is none, or it refuses.
    pub fn promote(&mut self) {
        let Self::Pair(pair) = self else {
            panic!("there is no standby");
        };
        pair.swap(0, 1);
        pair[0].sql("postgres", "SELECT pg_promote()");
    }

    /// Returns how a server reaches a database.
    fn url(&self, database: &Database) -> String {
        match self {
            Self::Pair(pair) => {
                let (name, [first, second]) = (&database.name, &**pair);
                let (first, second) = (first.host(), second.host());
                format!("postgres://tilewire@{first},{second}/{name}")
            }
            _ => database.url.clone(),
        }
    }
}

impl Cluster {
    /// Starts servers, and waits until each has its share. `None`, with a message, if no PostgreSQL is installed.
    ///
    /// # Panics
    /// When they do not start.
    #[must_use]
    pub fn start(count: usize) -> Option<Self> {
        Self::of(Plan {
            count,
            ..Plan::default()
        })
    }

    /// Starts servers that relay for each other. `None`, with a message, if no PostgreSQL or no NATS server is installed.
    ///
    /// # Panics
    /// When they do not start.
    #[must_use]
    pub fn relaying(count: usize) -> Option<Self> {
        Self::of(Plan {
            count,
            relays: true,
            ..Plan::default()
        })
    }

    /// Starts servers as planned, and waits until each has its share. `None`, with a message, if a service is not installed.
    ///
    /// # Panics
    /// When they do not start.
    #[must_use]
    pub fn of(plan: Plan) -> Option<Self> {
        let store = match plan.store {
            Some(store) => store,
            None => Store::Shared(Postgres::shared()?),
        };
        let count = u8::try_from(plan.count).expect("there are few servers");
        let network = (plan.wiring == Wiring::Namespaces).then(|| Network::start(count));
        let nats = match plan.relays {
            true => Some(bus(network.as_ref())?),
            false => None,
        };
        let first = nats.as_ref().filter(|_| plan.two_buses);
        let second = first.map(|(first, _)| second(first));
        let database = store.first().database();
        let mut this = Self {
            servers: Vec::new(),
            store,
            database,
            nats,
            second,
            links: Vec::new(),
            network,
            cuts: BTreeSet::new(),
            more: plan.more,
        };
        if plan.wiring != Wiring::Direct {
            this.links = (0..plan.count).map(|_| this.linked()).collect();
        }
        for place in 0..plan.count {
            let network = this.network.as_ref();
            let at = network.map(|network| network.server_host(place));
            let mut server = Server::prepared_in(&this.config(place), at);
            server.clock_offset = plan.clocks.get(place).copied().unwrap_or_default();
            this.servers.push(server);
        }
        this.servers[0]
            .operate(&["migrate"], "")
            .expect("it makes the tables");
        for server in &mut this.servers {
            server.start_again();
        }
        this.until_at_home(&(0..plan.count).collect::<Vec<_>>());
        Some(this)
    }

    /// Makes the links of a server.
    fn linked(&self) -> Links {
        let here = || "127.0.0.1".to_owned();
        let network = self.network.as_ref();
        let bus = self.nats.as_ref().map(|(nats, _)| {
            let service = Service::Tcp(format!("127.0.0.1:{}", nats.port()));
            FaultProxy::start(&network.map_or_else(here, Network::bus), service)
        });
        let database = Service::Unix(self.store.first().socket());
        Links {
            database: FaultProxy::start(&network.map_or_else(here, Network::database), database),
            bus,
        }
    }

    /// Returns the configuration of a server.
    #[must_use]
    pub fn config(&self, place: usize) -> String {
        let links = self.links.get(place);
        let url = match links {
            Some(links) => {
                let (address, name) = (&links.database.address, &self.database.name);
                format!("postgres://tilewire@{address}/{name}?sslmode=disable")
            }
            None => self.store.url(&self.database),
        };
        let bus = self.nats.as_ref().map(|(nats, secrets)| {
            let link = links.and_then(|links| links.bus.as_ref());
            let second = self.second.as_ref().filter(|_| place == 0);
            let url = match (link, second) {
                (_, Some((second, _))) => second.url(),
                (Some(link), None) => {
                    let scheme = nats.url();
                    let scheme = scheme.split(':').next().unwrap_or_default();
                    format!("{scheme}://{}@{}", nats::USER, link.address)
                }
                (None, None) => nats.url(),
            };
            let file = secrets.path().join("password");
            let (file, trusted) = (file.display(), nats.ca_file());
            let trusted = trusted.display();
            let admin = match self.network {
                // Its address is not a loopback one.
                Some(_) => {
                    let token = secrets.path().join("token");
                    format!("[admin]\ntoken_file = \"{}\"\n", token.display())
                }
                None => String::new(),
            };
            format!(
                "nats_url = \"{url}\"\nnats_credentials_file = \"{file}\"\nnats_ca_file = \"{trusted}\"\n{admin}"
            )
        });
        // On a busy machine too, clients hear that a game stands still before another server takes it.
        let lease_ms = if bus.is_some() { 4_500 } else { 3_000 };
        let (number, bus, more) = (place + 1, bus.unwrap_or_default(), self.more);
        format!(
            "[storage]\nurl = \"{url}\"\n[cluster]\nnode = {number}\nrenew_ms = 250\nlease_ms = {lease_ms}\n\
             claim_wait_ms = 400\nsettle_ms = 500\nloads = 257\ngives = 64\n{bus}{more}"
        )
    }

    /// Returns the link between the two buses.
    ///
    /// # Panics
    /// When there is one bus.
    #[must_use]
    pub fn between_buses(&self) -> &FaultProxy {
        let (_, link) = self.second.as_ref().expect("there are two");
        link
    }

    /// Cuts the ways between a server and a service; those that were cut before are mended. Without any, all is mended.
    ///
    /// # Panics
    /// When the test cannot do that.
    pub fn cut(&mut self, server: usize, to: To, ways: &[Way]) {
        let Some(network) = &self.network else {
            return self.link(server, to).cut(ways);
        };
        let service = match to {
            To::Database => network.database(),
            To::Bus => network.bus(),
        };
        for way in BOTH {
            let cut = (server, to, *way);
            match (self.cuts.contains(&cut), ways.contains(way)) {
                (false, true) => {
                    network.cut(server, &service, *way);
                    self.cuts.insert(cut);
                }
                (true, false) => {
                    network.mend(server, &service, *way);
                    self.cuts.remove(&cut);
                }
                _ => {}
            }
        }
    }

    /// Returns the link of a server.
    ///
    /// # Panics
    /// When the cluster has no such links.
    #[must_use]
    pub fn link(&self, server: usize, to: To) -> &FaultProxy {
        let links = &self.links[server];
        match to {
            To::Database => &links.database,
            To::Bus => links.bus.as_ref().expect("the servers relay"),
        }
    }

    /// Returns the part of a game.
    #[must_use]
    pub fn part_of(game: &str) -> Part {
        Shard::of(&game.into()).into()
    }

    /// Returns the place of the server that plays a part.
    ///
    /// # Panics
    /// When none does.
    #[must_use]
    pub fn owner(&self, part: Part) -> usize {
        let owner = self.played().remove(&part).expect("a server plays it");
        place(owner)
    }

    /// Waits until another server than `former` plays a part; returns its place.
    ///
    /// # Panics
    /// When that takes too long.
    #[must_use]
    pub fn until_taken(&self, part: Part, former: usize) -> usize {
        let mut taken = None;
        self.until("the part has another server", |played| {
            taken = played.get(&part).map(|owner| place(*owner));
            taken.is_some_and(|owner| owner != former)
        });
        taken.expect("it was found")
    }

    /// Waits until every part is where it belongs with these servers.
    ///
    /// # Panics
    /// When that takes too long.
    pub fn until_at_home(&self, servers: &[usize]) {
        let nodes: Vec<NodeId> = servers.iter().map(|place| node(*place)).collect();
        self.until("all parts are where they belong", |played| {
            let is_home =
                |part: Part| played.get(&part).copied() == home(part, nodes.iter().copied());
            Part::all().all(is_home)
        });
    }

    /// Returns the place of the server at which a part is at home while these are there.
    ///
    /// # Panics
    /// When there are none.
    #[must_use]
    pub fn home(part: Part, servers: &[usize]) -> usize {
        let nodes = servers.iter().map(|place| node(*place));
        place(home(part, nodes).expect("there are servers"))
    }

    /// Ends the bus, and starts it again.
    ///
    /// # Panics
    /// When there is none, or it does not start.
    pub fn restart_bus(&mut self) {
        let (nats, _) = self.nats.as_mut().expect("the servers relay");
        nats.restart();
    }

    /// Executes statements in the database.
    #[must_use]
    pub fn sql(&self, statements: &str) -> String {
        self.store.first().sql(&self.database.name, statements)
    }

    /// Executes statements that the database may refuse.
    ///
    /// # Errors
    /// When it does.
    pub fn ask(&self, statements: &str) -> anyhow::Result<String> {
        self.store.first().ask(&self.database.name, statements)
    }

    /// Returns the parts that are played, and by which servers.
    fn played(&self) -> BTreeMap<Part, NodeId> {
        let rows = self.sql(
            "SELECT shard, owner FROM shards JOIN nodes ON nodes.node = owner AND state <> 'fenced'
             WHERE orphaned_at IS NULL",
        );
        let row = |row: &str| {
            let (part, owner) = row.split_once('|')?;
            let part = Part::numbered(part.parse().ok()?)?;
            Some((part, NodeId(owner.parse().ok()?)))
        };
        rows.lines().filter_map(row).collect()
    }

    #[expect(clippy::disallowed_methods, reason = "real processes are awaited")]
    fn until(&self, what: &str, mut is_so: impl FnMut(&BTreeMap<Part, NodeId>) -> bool) {
        let since = Instant::now();
        loop {
            let played = self.played();
            if is_so(&played) {
                return;
            }
            assert!(since.elapsed() < PATIENCE, "never: {what}: {played:?}");
        }
    }

    /// Lets the clients of some people connect to a server from now on; with `None`, to none.
    pub fn redirect(&self, people: &[Person], server: Option<usize>) {
        let target = server.map_or(NOWHERE, |server| self.servers[server].address.as_str());
        for person in people {
            person.relay.redirect(target);
        }
    }
}

/// Starts a bus that passes messages on with another one, over a link.
fn second(first: &Nats) -> (Nats, FaultProxy) {
    let link = FaultProxy::start("127.0.0.1", Service::Tcp(first.route()));
    let second = Nats::start_among(nats::Links::Plain, &[&link.address]);
    (second.expect("nats-server starts"), link)
}

/// Starts a bus, with the file of its password and that of the operators' token. `None`, with a message, if no NATS server is installed.
fn bus(network: Option<&Network>) -> Option<(Nats, TempDir)> {
    if !Nats::is_installed() {
        return None;
    }
    // A bus that other machines use has TLS.
    let nats = match network {
        Some(network) => Nats::start_named(&[network.bus()]),
        None => Nats::start_among(nats::Links::Plain, &[]),
    };
    let nats = nats.expect("nats-server starts");
    let secrets = tempfile::tempdir().expect("a temporary directory");
    for (name, content) in [("password", PASSWORD), ("token", TOKEN)] {
        let file = secrets.path().join(name);
        fs::write(&file, content).expect("a file");
        fs::set_permissions(&file, Permissions::from_mode(0o600)).expect("it is ours");
    }
    Some((nats, secrets))
}

fn node(place: usize) -> NodeId {
    NodeId(i32::try_from(place + 1).expect("there are few servers"))
}

fn place(NodeId(node): NodeId) -> usize {
    usize::try_from(node - 1).expect("numbers begin with 1")
}

//! Several servers that share the games in one database of PostgreSQL.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::time::Instant;

use tempfile::TempDir;
use tilewire_server::cluster::home;
use tilewire_server::storage::{NodeId, Part, Shard};
use tilewire_services::nats::{Links, Nats, PASSWORD};
use tilewire_services::postgres::{Database, Postgres};

use crate::PATIENCE;
use crate::matches::Person;
use crate::server::Server;

/// An address at which nothing listens.
const NOWHERE: &str = "127.0.0.1:1";

/// Some servers; the first one has the number 1.
#[derive(Debug)]
pub struct Cluster {
    postgres: &'static Postgres,
    database: Database,
    /// The bus between the servers, and the file with its password.
    nats: Option<(Nats, TempDir)>,
    /// The servers.
    pub servers: Vec<Server>,
}

impl Cluster {
    /// Starts servers, and waits until each has its share. `None`, with a message, if no PostgreSQL is installed.
    ///
    /// # Panics
    /// When they do not start.
    #[must_use]
    pub fn start(count: usize) -> Option<Self> {
        Self::start_with(count, None)
    }

    /// Starts servers that relay for each other. `None`, with a message, if no PostgreSQL or no NATS server is installed.
    ///
    /// # Panics
    /// When they do not start.
    #[must_use]
    pub fn relaying(count: usize) -> Option<Self> {
        Postgres::shared()?;
        let nats = Nats::for_test(Links::Plain)?;
        let secrets = tempfile::tempdir().expect("a temporary directory");
        let file = secrets.path().join("password");
        fs::write(&file, PASSWORD).expect("a file");
        fs::set_permissions(&file, Permissions::from_mode(0o600)).expect("it is ours");
        Self::start_with(count, Some((nats, secrets)))
    }

    fn start_with(count: usize, nats: Option<(Nats, TempDir)>) -> Option<Self> {
        let postgres = Postgres::shared()?;
        let bus = nats.as_ref().map(|(nats, secrets)| {
            let (url, file) = (nats.url(), secrets.path().join("password"));
            let file = file.display();
            format!("nats_url = \"{url}\"\nnats_credentials_file = \"{file}\"\n")
        });
        let bus = bus.unwrap_or_default();
        let database = postgres.database();
        let config = |number: usize| {
            format!(
                "[storage]\nurl = \"{}\"\n[cluster]\nnode = {number}\nrenew_ms = 250\nlease_ms = 3000\n\
                 claim_wait_ms = 400\nsettle_ms = 500\nloads = 257\ngives = 64\n{bus}",
                database.url
            )
        };
        let mut servers: Vec<Server> = (1..=count)
            .map(|number| Server::prepared(&config(number)))
            .collect();
        servers[0]
            .operate(&["migrate"], "")
            .expect("it makes the tables");
        for server in &mut servers {
            server.start_again();
        }
        let this = Self {
            postgres,
            database,
            nats,
            servers,
        };
        this.until_at_home(&(0..count).collect::<Vec<_>>());
        Some(this)
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
        self.postgres.sql(&self.database.name, statements)
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

fn node(place: usize) -> NodeId {
    NodeId(i32::try_from(place + 1).expect("there are few servers"))
}

fn place(NodeId(node): NodeId) -> usize {
    usize::try_from(node - 1).expect("numbers begin with 1")
}

//! The race between a node that appends and another one that takes its shard over.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use futures::future::join_all;

use super::{Scene, create};
use crate::postgres::append::APPEND;
use crate::postgres::{ClusterTables, Joined};
use tilewire_sql::postgres::server::Server;
use tilewire_sql::postgres::session::Session;
use tilewire_store::{
    ClusterChange, ClusterDone, DatabaseTime, NodeId, Part, PartRow, Shard, Storage, Term,
};

/// Takeovers.
const ROUNDS: usize = 150;
/// The games of one append, with a record each: the statement takes longer than a takeover, also on a busy machine.
const GAMES: usize = 600;
const VERSION: (&str, i32, &[String]) = ("0.1.0", 3, &[]);
const LEASE_MS: i64 = 60_000;
const OLD: NodeId = NodeId(0);

/// A node that appends to all games at once, again and again, until it is refused.
struct Appender {
    session: Session,
    statement: String,
    games: Vec<String>,
    joined: Joined,
    term: Term,
    stored: Sender<()>,
}

impl Appender {
    /// Begins behind the end of the logs.
    fn begin(self, mut end: i64) -> JoinHandle<Self> {
        thread::spawn(move || {
            while self.append(end) {
                end += 1;
                self.stored.send(()).ok(); // nobody may wait for it any longer
            }
            self
        })
    }

    fn append(&self, end: i64) -> bool {
        let number = self.games.len();
        let record: &[u8] = b"a record";
        let row = self
            .session
            .row(
                &self.statement,
                &[
                    &self.joined.node.0,
                    &self.joined.incarnation.0,
                    &self.games,
                    &vec![end; number],
                    &vec![end + 1; number],
                    &vec![record; number],
                    &vec![0_i16; number],
                    &vec![self.term.0; number],
                ],
            )
            .unwrap();
        let stored: Vec<i64> = row.get(1);
        assert!(stored.is_empty() || stored.len() == number, "all or none");
        !stored.is_empty()
    }
}

struct Race {
    other: Session,
    tables: ClusterTables,
    new: Joined,
    part: Part,
}

impl Race {
    fn number(&self, query: &str) -> i64 {
        self.other.row(query, &[]).unwrap().get(0)
    }

    fn change(&self, joined: &Joined, change: &ClusterChange) -> ClusterDone {
        self.tables.change(joined, change).unwrap()
    }

    fn take(&self, joined: &Joined, term: Term) -> PartRow {
        let change = ClusterChange::Take(vec![(self.part, term)]);
        let ClusterDone::Taken(rows) = self.change(joined, &change) else {
            panic!("the part is taken");
        };
        rows[0]
    }

    /// Takes the shard over while the old node appends. Returns it, and how many records it has stored after the new owner
    /// has read the logs.
    fn round(&self, old: Appender, stored: &Receiver<()>) -> (Appender, i64) {
        let term = old.term;
        let end = self.number("SELECT max(head) FROM games");
        let appending = old.begin(end);
        stored.recv().unwrap();
        stored.recv().unwrap();
        self.other
            .batch("UPDATE nodes SET state = 'fenced' WHERE node = 0")
            .unwrap();
        let taken = self.take(&self.new, term);
        let read = self.number("SELECT count(*) FROM records");
        let mut old = appending.join().unwrap();
        let late = self.number("SELECT count(*) FROM records") - read;
        while stored.try_recv().is_ok() {}
        old.joined = self.tables.join(OLD, VERSION, LEASE_MS).unwrap();
        let give = ClusterChange::Give {
            part: self.part,
            term: taken.term,
            to: OLD,
            since: DatabaseTime(0),
        };
        assert_eq!(self.change(&self.new, &give), ClusterDone::Given(true));
        old.term = taken.term.next();
        (old, late)
    }
}

/// Returns in how many takeovers the old node has stored something late; ends after `enough`.
async fn late_rounds(scene: &Scene, statement: &str, enough: usize) -> usize {
    let storage = scene.open();
    let games: Vec<String> = (0..GAMES).map(|number| format!("game-{number}")).collect();
    join_all(games.iter().map(|game| create(&storage, game))).await;
    storage.close().await;
    let open = || Session::open(Arc::new(Server::of(&scene.config).unwrap())).unwrap();
    let tables = ClusterTables::open(&scene.config).unwrap();
    let join = |node| tables.join(node, VERSION, LEASE_MS).unwrap();
    let (joined, new) = (join(OLD), join(NodeId(1)));
    let race = Race {
        other: open(),
        part: Part::from(Shard(0)),
        new,
        tables,
    };
    let owners = race.tables.view().unwrap().parts;
    let row = owners.iter().find(|row| row.part == race.part).unwrap();
    let (sender, stored) = channel();
    let term = race.take(&joined, row.term).term;
    let mut old = Appender {
        session: open(),
        statement: statement.to_owned(),
        games,
        joined,
        term,
        stored: sender,
    };
    let mut late_rounds = 0;
    for _ in 0..ROUNDS {
        let late;
        (old, late) = race.round(old, &stored);
        late_rounds += usize::from(late > 0);
        if late_rounds == enough {
            break;
        }
    }
    late_rounds
}

#[tokio::test]
async fn nothing_is_stored_after_the_new_owner_has_read() {
    let Some(scene) = Scene::new() else { return };
    assert_eq!(late_rounds(&scene, APPEND, 1).await, 0);
}

/// The same statement, but it only reads the row of the lease: the test above would find it.
#[tokio::test]
async fn a_lease_that_is_only_read_is_no_fence() {
    let Some(scene) = Scene::new() else { return };
    let reads = APPEND
        .replace(
            "UPDATE nodes SET seen = clock_timestamp()",
            "SELECT node FROM nodes",
        )
        .replace("'fenced' RETURNING node)", "'fenced')");
    assert!(!reads.contains("UPDATE nodes") && !reads.contains("RETURNING node)"));
    assert_eq!(late_rounds(&scene, &reads, 1).await, 1);
}

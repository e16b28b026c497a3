//! Compares the crates with the table of floors: a crate uses crates of lower floors, those that the table names.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;
use tilewire_harness::binaries::workspace;

/// A crate: its name without `tilewire-`, its folder, its floor, and the crates that it uses.
type Row = (&'static str, &'static str, i8, &'static [&'static str]);

/// All crates of the workspace. The server has the floors 1 to 7; the pure crates are below, the tests above and beside it.
const FLOORS: &[Row] = &[
    ("rules", "rules", -1, &[]),
    ("protocol", "protocol", -1, &[]),
    ("services", "tests/services", -1, &[]),
    ("people", "server/people", 0, &["rules"]),
    // It compares what clients saw, messages, with the record of a game.
    ("oracle", "tests/oracle", 0, &["protocol", "rules"]),
    ("client", "client-cli/client", 0, &["protocol", "rules"]),
    ("base", "server/base", 1, &["people", "protocol", "rules"]),
    (
        "config",
        "server/config",
        1,
        &["people", "protocol", "rules"],
    ),
    ("cli", "client-cli", 1, &["client", "protocol", "rules"]),
    (
        "loadtest",
        "loadtest",
        1,
        &["client", "oracle", "protocol", "rules", "services"],
    ),
    // The kit judges servers and clients of anybody.
    (
        "conformance",
        "tests/conformance",
        1,
        &["oracle", "protocol", "rules"],
    ),
    (
        "store",
        "server/store",
        2,
        &["base", "config", "people", "protocol", "rules"],
    ),
    (
        "wire",
        "server/wire",
        2,
        &["base", "config", "people", "protocol", "rules"],
    ),
    (
        "delivery",
        "server/delivery",
        2,
        &["base", "config", "people", "protocol", "rules"],
    ),
    (
        "egress",
        "server/egress",
        2,
        &["base", "config", "protocol", "rules"],
    ),
    // It speaks to processes.
    (
        "harness",
        "tests/harness",
        2,
        &["conformance", "oracle", "rules"],
    ),
    (
        "sql",
        "server/sql",
        3,
        &[
            "base", "config", "egress", "people", "protocol", "rules", "store",
        ],
    ),
    (
        "game",
        "server/game",
        3,
        &[
            "base", "config", "delivery", "protocol", "rules", "store", "wire",
        ],
    ),
    (
        "accounts",
        "server/accounts",
        3,
        &[
            "base", "config", "delivery", "people", "protocol", "rules", "store", "wire",
        ],
    ),
    (
        "control",
        "server/control",
        3,
        &[
            "base", "config", "people", "protocol", "rules", "store", "wire",
        ],
    ),
    (
        "databases",
        "server/databases",
        4,
        &["base", "config", "protocol", "rules", "sql", "store"],
    ),
    (
        "results",
        "server/results",
        4,
        &[
            "accounts", "base", "config", "delivery", "people", "protocol", "rules", "store",
            "wire",
        ],
    ),
    (
        "lobby",
        "server/lobby",
        4,
        &[
            "accounts", "base", "config", "control", "delivery", "game", "people", "protocol",
            "rules", "store", "wire",
        ],
    ),
    (
        "chat",
        "server/chat",
        4,
        &[
            "accounts", "base", "config", "delivery", "game", "people", "protocol", "rules",
            "store", "wire",
        ],
    ),
    (
        "courier",
        "server/courier",
        4,
        &[
            "accounts", "base", "config", "delivery", "egress", "people", "protocol", "rules",
            "store", "wire",
        ],
    ),
    (
        "relay",
        "server/relay",
        4,
        &[
            "base", "config", "delivery", "egress", "game", "protocol", "rules", "store",
        ],
    ),
    (
        "cluster",
        "server/cluster",
        5,
        &[
            "base",
            "config",
            "databases",
            "game",
            "protocol",
            "rules",
            "store",
        ],
    ),
    (
        "api",
        "server/api",
        5,
        &[
            "accounts", "base", "chat", "config", "control", "courier", "delivery", "game",
            "people", "protocol", "relay", "results", "rules", "store", "wire",
        ],
    ),
    (
        "gateway",
        "server/gateway",
        6,
        &[
            "accounts", "api", "base", "chat", "config", "control", "delivery", "game", "lobby",
            "people", "protocol", "relay", "results", "rules", "store", "wire",
        ],
    ),
    (
        "operate",
        "server/operate",
        6,
        &[
            "accounts",
            "base",
            "config",
            "control",
            "courier",
            "databases",
            "delivery",
            "game",
            "people",
            "protocol",
            "results",
            "rules",
            "sql",
            "store",
            "wire",
        ],
    ),
    (
        "server",
        "server",
        7,
        &[
            "accounts",
            "api",
            "base",
            "chat",
            "cluster",
            "config",
            "control",
            "courier",
            "databases",
            "delivery",
            "game",
            "gateway",
            "lobby",
            "operate",
            "protocol",
            "relay",
            "results",
            "rules",
            "sql",
            "store",
            "wire",
        ],
    ),
    // It runs the server inside, under a time of its own.
    (
        "simulation",
        "tests/simulation",
        8,
        &[
            "accounts",
            "api",
            "base",
            "client",
            "cluster",
            "config",
            "conformance",
            "control",
            "courier",
            "delivery",
            "game",
            "gateway",
            "operate",
            "oracle",
            "people",
            "protocol",
            "relay",
            "results",
            "rules",
            "server",
            "sql",
            "store",
            "wire",
        ],
    ),
    (
        "system",
        "tests/system",
        8,
        &[
            "accounts",
            "base",
            "cluster",
            "config",
            "conformance",
            "delivery",
            "harness",
            "oracle",
            "protocol",
            "rules",
            "server",
            "services",
            "store",
            "wire",
        ],
    ),
];

/// Uses in tests only, of any floor, with the reason.
const TEST_EDGES: &[(&str, &str, &str)] = &[
    ("rules", "oracle", "the oracle judges games"),
    ("protocol", "protocol", "its own descriptions are a feature"),
    (
        "people",
        "oracle",
        "the oracle walks through games to count",
    ),
    ("loadtest", "harness", "its tests start servers"),
    ("game", "databases", "games are played on a real database"),
    (
        "accounts",
        "databases",
        "accounts are stored in a real database",
    ),
    (
        "control",
        "accounts",
        "tokens and passwords must not be logged",
    ),
    (
        "control",
        "databases",
        "opening a database must not log secrets",
    ),
    ("control", "delivery", "a token is made from a pass"),
    (
        "databases",
        "people",
        "rows are made of accounts and reports",
    ),
    ("databases", "services", "PostgreSQL"),
    (
        "results",
        "databases",
        "results are read from a real database",
    ),
    ("results", "sql", "the real database has this type"),
    (
        "relay",
        "databases",
        "games of several nodes share a database",
    ),
    ("relay", "services", "nats-server"),
    ("relay", "wire", "games have the shipped lexica"),
    ("cluster", "services", "PostgreSQL"),
    ("api", "databases", "exports are read from a real database"),
    ("api", "sql", "the real database has this type"),
    ("server", "people", "a benchmark registers players"),
    ("system", "databases", "tests open what a server has stored"),
    ("system", "people", "a judge computes ratings"),
    ("system", "sql", "tests open old archives"),
];

/// The folders of all crates.
pub(super) fn folders() -> impl Iterator<Item = &'static str> {
    FLOORS.iter().map(|(_, folder, ..)| *folder)
}

/// A crate as its manifest describes it.
struct Manifest {
    name: String,
    folder: String,
    uses: BTreeSet<String>,
    /// The crates that only its tests use.
    test_uses: BTreeSet<String>,
}

impl Manifest {
    /// Reads a package of `cargo metadata`, if it is one of ours.
    fn read(package: &Value) -> Option<Self> {
        let name = package["name"].as_str().expect("a name");
        let name = name.strip_prefix("tilewire-")?.to_owned();
        let manifest = Path::new(package["manifest_path"].as_str().expect("a path"));
        let folder = manifest.parent().expect("a folder");
        let folder = folder.strip_prefix(workspace()).expect("in the workspace");
        let dependencies = package["dependencies"].as_array().expect("dependencies");
        let of = |is_test: bool| -> BTreeSet<String> {
            let wanted = dependencies
                .iter()
                .filter(|used| (used["kind"] == "dev") == is_test);
            let names = wanted.map(|used| used["name"].as_str().expect("a name"));
            let ours = names.filter_map(|name| name.strip_prefix("tilewire-"));
            ours.map(str::to_owned).collect()
        };
        let uses = of(false);
        Some(Self {
            name,
            folder: folder.to_string_lossy().into_owned(),
            test_uses: of(true).difference(&uses).cloned().collect(),
            uses,
        })
    }

    /// Compares a crate with the tables.
    fn problems(&self, rows: &[Row], test_edges: &[(&str, &str, &str)]) -> Vec<String> {
        let name = &self.name;
        let floors: BTreeMap<&str, i8> = rows.iter().map(|row| (row.0, row.2)).collect();
        let Some((_, folder, floor, allowed)) = rows.iter().find(|row| row.0 == name) else {
            return vec![format!("{name} has no floor")];
        };
        let mut found = Vec::new();
        if *folder != self.folder {
            found.push(format!("{name} is in {}", self.folder));
        }
        for used in &self.uses {
            let is_lower = floors.get(&**used).is_some_and(|other| other < floor);
            if !is_lower {
                found.push(format!("{name} must not use {used}: it is no lower floor"));
            } else if !allowed.contains(&&**used) {
                found.push(format!("{name} must not use {used}"));
            }
        }
        let unused = allowed.iter().filter(|used| !self.uses.contains(**used));
        found.extend(unused.map(|used| format!("{name} does not use {used}")));
        let edges = test_edges.iter().filter(|edge| edge.0 == name);
        let tested: BTreeSet<&str> = edges.map(|edge| edge.1).collect();
        for used in &self.test_uses {
            if !tested.contains(&**used) {
                found.push(format!("tests of {name} use {used} for no reason"));
            }
        }
        let unused = tested
            .iter()
            .filter(|used| !self.test_uses.contains(**used));
        found.extend(unused.map(|used| format!("no test of {name} uses {used}")));
        found
    }
}

/// The crates as cargo sees them.
fn manifests() -> Vec<Manifest> {
    let metadata = super::metadata();
    let packages = metadata["packages"].as_array().expect("packages");
    let of_path = packages
        .iter()
        .filter(|package| package["source"].is_null());
    of_path.filter_map(Manifest::read).collect()
}

#[test]
fn crates_use_lower_crates_as_the_table_says() {
    let manifests = manifests();
    let problems = manifests
        .iter()
        .flat_map(|manifest| manifest.problems(FLOORS, TEST_EDGES));
    let problems: Vec<String> = problems.collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    let known: BTreeSet<&str> = manifests.iter().map(|crate_| &*crate_.name).collect();
    let rows: BTreeSet<&str> = FLOORS.iter().map(|row| row.0).collect();
    assert_eq!(rows, known, "each row is a crate");
    for (name, used, reason) in TEST_EDGES {
        assert!(rows.contains(name) && rows.contains(used), "{name}: {used}");
        assert!(!reason.is_empty(), "{name}: {used}");
    }
}

#[test]
fn every_wrong_use_is_found() {
    const ROWS: &[Row] = &[
        ("low", "low", 1, &[]),
        ("beside", "beside", 2, &[]),
        ("middle", "middle", 2, &["low"]),
        ("high", "high", 3, &["middle"]),
    ];
    let check = |uses: &[&str], test_uses: &[&str], expected: &str| {
        let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let manifest = Manifest {
            name: "middle".to_owned(),
            folder: "middle".to_owned(),
            uses: set(uses),
            test_uses: set(test_uses),
        };
        let found = manifest.problems(ROWS, &[("middle", "beside", "to try it")]);
        assert_eq!(found.join("; "), expected, "{uses:?} {test_uses:?}");
    };
    check(&["low"], &["beside"], "");
    let wrong = |used: &str| format!("middle must not use {used}: it is no lower floor");
    check(&["high", "low"], &["beside"], &wrong("high"));
    check(&["beside", "low"], &["beside"], &wrong("beside"));
    check(&["low", "unknown"], &["beside"], &wrong("unknown"));
    check(&[], &["beside"], "middle does not use low");
    check(&["low"], &[], "no test of middle uses beside");
    let reason = "tests of middle use high for no reason";
    check(&["low"], &["beside", "high"], reason);
}

//! Our server and our client pass the conformance kit, and the kit finds servers and clients that break one clause
//! each.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use tilewire_conformance::client::{self, Contender};
use tilewire_conformance::run::{self, Job, Outcome};
use tilewire_conformance::{Encoding, Target, mutations, server};
use tilewire_harness::binaries;
use tilewire_harness::example_clients::{self, Language};
use tilewire_harness::server::Server;
use tilewire_system::cluster::{Cluster, Plan};

/// The settings of `docs/CONFORMANCE.md`: short timeouts and small buffers, so that cases reach these limits quickly, and room for many
/// cases at the same time.
fn impatient() -> String {
    let (_, text) = document("CONFORMANCE.md");
    let (_, rest) = text.split_once("```toml\n").expect("settings");
    let (settings, _) = rest.split_once("```").expect("their end");
    settings.to_owned()
}

/// Cases at the same time.
const AT_ONCE: usize = 6;

/// Mutations of every test run; `ALL_MUTATIONS=1` tries all of them, and the example clients in their other encoding too.
const USUAL: &[&str] = &[
    "a server that answers twice",
    "a server that shows a rack",
    "a server that closes with another code",
    "a client that tries again under a new cmd_id",
    "a server that forgets who asked to abort",
    "a server that answers errors in words",
];

fn contender(server: &Server) -> Contender {
    let program = binaries::client().display().to_string();
    let flags = "bot --name {name} --server {url} --data-dir {dir} --strength beginner --games 1 --pause 0ms";
    contender_by(server, vec![program], flags)
}

fn contender_by(server: &Server, mut command: Vec<String>, flags: &str) -> Contender {
    command.extend(flags.split(' ').map(str::to_owned));
    Contender {
        server: Target::parse(&server.url(), Encoding::Json, Duration::from_secs(30))
            .expect("a URL"),
        command,
        bound: Duration::from_secs(90),
        between: None,
    }
}

/// An example client in all cases, in the encodings of this test run; the first is the usual one.
fn example_conforms(language: Language, encodings: [&str; 2]) {
    let server = Server::start("");
    let folder = tempfile::tempdir().expect("a temporary directory");
    let words = folder.path().join("words");
    std::fs::write(&words, short_words()).expect("it can be written");
    let is_full = std::env::var_os("ALL_MUTATIONS").is_some();
    for encoding in &encodings[..if is_full { 2 } else { 1 }] {
        let player = example_clients::command_line(language, "player");
        let flags = "--seek --server {url} --name {name} --words";
        let mut contender = contender_by(&server, player, flags);
        let rest = [&words.display().to_string(), "--encoding", encoding];
        contender.command.extend(rest.map(str::to_owned));
        all_pass(&client::jobs(&contender, ""));
    }
}

/// Words of the built-in lexicon, few enough that a client reads them in no time.
fn short_words() -> String {
    let output = Command::new(binaries::client())
        .args(["lexicon", "export", "wordnik"])
        .output();
    let all = String::from_utf8(output.expect("the client runs").stdout).expect("UTF-8");
    let short: Vec<&str> = all.lines().filter(|word| word.len() <= 4).collect();
    assert!(short.len() > 1_000, "{} words", short.len());
    short.join("\n")
}

/// Carries jobs out; none may fail or be skipped.
fn all_pass(jobs: &[Job<'_>]) {
    assert!(!jobs.is_empty());
    let lines = run::all(jobs, AT_ONCE, |_| {});
    let bad = lines
        .iter()
        .filter(|line| line.outcome != Outcome::Passed)
        .map(run::CaseResult::text);
    let bad: Vec<String> = bad.collect();
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn our_server_conforms() {
    let server = Server::start(&impatient());
    let targets: Vec<(String, Target)> = [Encoding::Json, Encoding::Msgpack]
        .into_iter()
        .map(|encoding| {
            let target = Target::parse(&server.url(), encoding, Duration::from_secs(30));
            (encoding.subprotocol().to_owned(), target.expect("a URL"))
        })
        .collect();
    all_pass(&server::jobs(&targets, ""));
}

/// Each connection of a case goes to the next server. A game that stands still for a moment gets credit, which most cases do not expect: such
/// cases are tried again alone.
#[test]
#[ignore = "games of several servers stand still on a busy machine; tests/run runs it alone"]
fn our_servers_conform_together() {
    let plan = Plan {
        count: 3,
        relays: true,
        more: impatient().leak(),
        ..Plan::default()
    };
    let Some(cluster) = Cluster::of(plan) else {
        return;
    };
    let urls: Vec<String> = cluster.servers.iter().map(Server::url).collect();
    let encoding = Encoding::Msgpack;
    let target = Target::of_all(&urls, encoding, Duration::from_secs(30)).expect("URLs");
    let targets = [(encoding.subprotocol().to_owned(), target)];
    let mut jobs = server::jobs(&targets, "");
    let lines = run::all(&jobs, AT_ONCE, |_| {});
    let passed = lines.iter().filter(|line| line.outcome == Outcome::Passed);
    let passed: BTreeSet<&str> = passed.map(|line| line.name.as_str()).collect();
    jobs.retain(|job| !passed.contains(job.name.as_str()));
    for job in jobs {
        all_pass(&[job]);
    }
}

#[test]
fn our_client_conforms() {
    let server = Server::start("");
    all_pass(&client::jobs(&contender(&server), ""));
}

#[test]
fn the_example_in_python_conforms() {
    example_conforms(Language::Python, ["msgpack", "json"]);
}

#[test]
fn the_example_in_javascript_conforms() {
    example_conforms(Language::JavaScript, ["json", "msgpack"]);
}

#[test]
fn broken_servers_and_clients_are_noticed() {
    let server = Server::start(&impatient());
    let (url, mut contender) = (server.url(), contender(&server));
    // A broken client may wait for ever.
    contender.bound = Duration::from_secs(30);
    let mut jobs = mutations::jobs(&url, Some(&contender), "");
    if std::env::var_os("ALL_MUTATIONS").is_none() {
        jobs.retain(|job| USUAL.contains(&job.name.as_str()));
        assert_eq!(jobs.len(), USUAL.len());
    }
    all_pass(&jobs);
}

fn document(name: &str) -> (PathBuf, String) {
    let path = binaries::workspace().join("docs").join(name);
    let text = std::fs::read_to_string(&path).expect("the document is there");
    (path, text)
}

/// The clauses a text defines, `**P-CONN-1**`.
fn defined<'a>(text: &'a str, start: &str) -> BTreeSet<&'a str> {
    let bold = text.split("**");
    bold.filter(|part| part.starts_with(start) && part.len() < 14)
        .collect()
}

fn cited() -> BTreeSet<&'static str> {
    let server = server::cases().flat_map(|case| case.clauses);
    let client = client::CASES.iter().flat_map(|case| case.clauses);
    server.chain(client).copied().collect()
}

/// Every case proves a clause that exists, and every clause is proved or excused.
#[test]
fn every_clause_has_a_case_or_a_reason() {
    let (_, protocol) = document("PROTOCOL.md");
    let (_, conformance) = document("CONFORMANCE.md");
    let (_, http) = document("http.md");
    let (mut defined, of_http) = (defined(&protocol, "P-"), defined(&http, "H-"));
    assert!(defined.len() > 100, "{defined:?}");
    assert!(of_http.len() > 20, "{of_http:?}");
    defined.extend(of_http);
    let cited = cited();
    let unknown: Vec<_> = cited.difference(&defined).collect();
    assert!(unknown.is_empty(), "no such clauses: {unknown:?}");
    let excused = |clause: &str| conformance.contains(&format!("\n| {clause} |"));
    let forgotten: Vec<_> = defined
        .difference(&cited)
        .filter(|clause| !excused(clause))
        .collect();
    assert!(
        forgotten.is_empty(),
        "neither proved nor excused: {forgotten:?}"
    );
    let proved: Vec<_> = cited.iter().filter(|clause| excused(clause)).collect();
    assert!(proved.is_empty(), "excused, but proved: {proved:?}");
}

/// The lists of `docs/CONFORMANCE.md` are those of the kit; `UPDATE_DOCS=1` writes them.
#[test]
fn the_document_lists_the_cases() {
    let mut text = String::new();
    let mut table = |head: &str, rows: Vec<(String, String)>| {
        writeln!(text, "| {head} |\n|---|---|").expect("text");
        for (name, what) in rows {
            writeln!(text, "| `{name}` | {what} |").expect("text");
        }
        text.push('\n');
    };
    let case = |name: &str, clauses: &[&str]| (name.to_owned(), clauses.join(", "));
    table(
        "case for servers | clauses",
        server::cases()
            .map(|known| case(known.name, known.clauses))
            .collect(),
    );
    table(
        "case for clients | clauses",
        client::CASES
            .iter()
            .map(|known| case(known.name, known.clauses))
            .collect(),
    );
    let row = |mutation: &mutations::Mutation| (mutation.case.to_owned(), mutation.name.to_owned());
    table(
        "case for servers | fails for a server that",
        mutations::servers().map(row).collect(),
    );
    table(
        "case for clients | fails for a client that",
        mutations::clients().map(row).collect(),
    );

    let (path, document) = document("CONFORMANCE.md");
    let (begin, end) = ("<!-- cases begin -->\n", "<!-- cases end -->");
    let from = document.find(begin).expect("a mark") + begin.len();
    let to = document.find(end).expect("a mark");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        let whole = format!("{}{text}{}", &document[..from], &document[to..]);
        std::fs::write(path, whole).expect("it can be written");
    } else {
        assert_eq!(&document[from..to], text, "UPDATE_DOCS=1 writes the lists");
    }
}

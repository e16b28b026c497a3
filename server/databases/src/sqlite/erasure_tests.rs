//! A player with data in every table is exported and erased.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::{Connection, Result};
use tempfile::TempDir;
use tilewire_people::accounts::{Account, Input, NewRegistration, NewSession};
use tilewire_people::audit::verify;
use tilewire_people::codes::RecoveryCodes;
use tilewire_people::conduct::Mark;
use tilewire_people::handles::Handle;
use tilewire_people::moderation::{ContextLine, Reason, Report};
use tilewire_people::passwords::PasswordHash;
use tilewire_people::relations::Act;
use tilewire_protocol::ServerMessage;
use tilewire_rules::event::Event;
use tilewire_rules::time::Timestamp;

use super::SqliteArchive;
use super::push_tests::pushed;
use super::tests::open;
use tilewire_config::StorageConfig;
use tilewire_sql::SqlStorage;
use tilewire_sql::archive::{Archive, Pace};
use tilewire_sql::erasure::ACTION;
use tilewire_sql::files::DATABASE;
use tilewire_store::contract_suite::samples;
use tilewire_store::erasure::GONE;
use tilewire_store::{
    AccountChange, AccountStore, Append, Arrival, Chapter, ChatChange, ChatStore, CommandKey,
    DirectPair, Erasure, ErasureChange, IdentityRow, Journal, LobbyChange, LobbyStore,
    ModerationStore, PersonalStore, Progress, RecordBatch, RelationChange, RelationStore,
    ReportPosition, ResultStore, Storage, StoredCommand, StoredLine, account_contract,
    result_contract,
};

const NOW: Timestamp = Timestamp(1_800_000_000_000);
const LATER: Timestamp = Timestamp(1_900_000_000_000);
const IDENTITY: &str = "i4711";
const FRIEND: &str = "benedikt";
const HANDLE: &str = "Rumpelstilz";
const LINE: &str = "nobody may ever read this";
const WORDS: &str = "words of great anger";
const LABEL: &str = "the kitchen laptop";
/// Texts that no file may contain after the erasure.
const PERSONAL: [&str; 5] = [HANDLE, "rumpelstilz", LINE, WORDS, LABEL];

async fn registered(storage: &SqlStorage) {
    account_contract::register(storage, [FRIEND]).await;
    let mut account = Account::guest(IDENTITY, NOW);
    let password: PasswordHash = serde_json::from_str("\"$argon2id$none\"").unwrap();
    let input = Input::Register {
        new: NewRegistration {
            handle: Handle::parse(HANDLE).unwrap(),
            is_bot: false,
            password: Some(password),
            recovery: RecoveryCodes::generate(IDENTITY, &[7; 100]).1,
            mail: None,
        },
        holder: None,
        guest: None,
        session: NewSession {
            family: "family-1".to_owned(),
            label: LABEL.to_owned(),
        },
    };
    let effects = account.handle(NOW, input).unwrap();
    let change = AccountChange {
        expected: 0,
        account,
        effects,
        at: NOW,
    };
    AccountStore::apply(storage, change).await.unwrap();
}

async fn related(storage: &SqlStorage) {
    for (identity, other, act) in [
        (IDENTITY, FRIEND, Act::Follow),
        (FRIEND, IDENTITY, Act::Follow),
        (FRIEND, IDENTITY, Act::Block),
        (IDENTITY, FRIEND, Act::Block),
    ] {
        let change = RelationChange {
            identity: identity.to_owned(),
            other: other.to_owned(),
            act,
            at: NOW,
        };
        storage.relate(change).await.unwrap();
    }
}

fn line(number: u64, identity: &str, name: &str, text: &str) -> StoredLine {
    StoredLine {
        room: "d-1".to_owned(),
        line: number,
        at: NOW,
        identity: identity.to_owned(),
        name: name.to_owned(),
        seat: None,
        cmd_id: format!("c-{number}"),
        text: text.to_owned(),
        is_hidden: false,
    }
}

/// Many lines of both players: SQLite moves rows from page to page.
async fn talked(storage: &SqlStorage) {
    let lines = (1..400_u64).map(|number| {
        let identity = if number % 3 == 0 { IDENTITY } else { FRIEND };
        let name = if identity == IDENTITY { HANDLE } else { FRIEND };
        let text = "x".repeat(usize::try_from(number % 150).unwrap());
        StoredLine {
            room: format!("p-g{}", number % 7),
            ..line(number, identity, name, &format!("{name} {text}"))
        }
    });
    for line in lines {
        let change = ChatChange {
            pairs: Vec::new(),
            lines: vec![line],
        };
        storage.say(change).await.unwrap();
    }
}

async fn spoken(storage: &SqlStorage) {
    let lines = vec![
        line(1, IDENTITY, HANDLE, LINE),
        line(2, FRIEND, FRIEND, "hello"),
    ];
    let pairs = vec![DirectPair {
        room: "d-1".to_owned(),
        pair: [FRIEND.to_owned(), IDENTITY.to_owned()],
    }];
    storage.say(ChatChange { pairs, lines }).await.unwrap();
    talked(storage).await;
    for (reporter, target) in [(IDENTITY, FRIEND), (FRIEND, IDENTITY)] {
        let name = |identity: &str| match identity {
            IDENTITY => HANDLE.to_owned(),
            other => other.to_owned(),
        };
        let report = Report {
            at: NOW,
            reporter: reporter.to_owned(),
            reporter_name: name(reporter),
            target: target.to_owned(),
            target_name: name(target),
            reason: Reason::Abuse,
            words: WORDS.to_owned(),
            game: None,
            room: Some("d-1".to_owned()),
            line: Some(1),
            context: vec![ContextLine {
                line: 1,
                at: NOW,
                identity: IDENTITY.to_owned(),
                name: HANDLE.to_owned(),
                text: LINE.to_owned(),
            }],
        };
        storage.file(report).await.unwrap();
    }
    let answer = tilewire_protocol::encode_server(
        tilewire_protocol::Codec::MsgPack,
        0,
        &ServerMessage::Ok(Box::default()),
    );
    let command = |identity: &str, answer: Vec<u8>| StoredCommand {
        key: CommandKey {
            identity: identity.to_owned(),
            cmd_id: "c".to_owned(),
        },
        digest: 7,
        answer,
        at: NOW,
    };
    let commands = vec![
        command(IDENTITY, answer),
        command(FRIEND, HANDLE.as_bytes().to_vec()),
        command("somebody", b"else".to_vec()),
    ];
    let change = LobbyChange {
        commands,
        ..LobbyChange::default()
    };
    storage.commit(change).await.unwrap();
}

/// Creates a game of the player.
async fn game(storage: &SqlStorage, game: &str) {
    let mut first = samples::records(game, 1, 1).remove(0);
    let Event::Created(created) = &mut first.event else {
        panic!("the first record creates the game");
    };
    IDENTITY.clone_into(&mut created.players[0].identity);
    HANDLE.clone_into(&mut created.players[0].name);
    FRIEND.clone_into(&mut created.players[1].identity);
    let meta = samples::meta(game, [IDENTITY, FRIEND], NOW);
    storage.create(meta, first).await.unwrap();
}

async fn over(storage: &SqlStorage, game: &str) {
    let append = Append {
        game: game.into(),
        after: 1,
        records: RecordBatch::from(samples::records(game, 2, 1)),
        is_finished: true,
    };
    storage.append(append).await.unwrap();
}

/// Writes the result of a rated game, as the chronicle does.
async fn counted(storage: &SqlStorage, game: &str) {
    let (mut new, ratings) = result_contract::rated(game, [IDENTITY, FRIEND], 1);
    HANDLE.clone_into(&mut new.result.seats[0].name);
    new.result.seats[0].conduct = Some(Mark::Clean);
    let after = storage.cursor().await.unwrap();
    let chapter = Chapter {
        after,
        until: Arrival(after.arrival.0 + 1),
        results: vec![new],
        ratings,
        conduct: Vec::new(),
        waits: Vec::new(),
    };
    ResultStore::write(storage, chapter).await.unwrap();
}

/// A player with rows in the tables.
async fn filled(storage: &SqlStorage) {
    registered(storage).await;
    related(storage).await;
    spoken(storage).await;
    game(storage, "g").await;
    over(storage, "g").await;
    counted(storage, "g").await;
    pushed(storage, IDENTITY, "family-1", LABEL).await;
}

async fn ask(storage: &SqlStorage) {
    let erasure = Erasure {
        identity: IDENTITY.to_owned(),
        asked_at: NOW,
        due_at: LATER,
        has_begun: false,
    };
    let secret = [9; 32];
    storage
        .erase(ErasureChange::Ask { erasure, secret })
        .await
        .unwrap();
}

async fn begin(storage: &SqlStorage, at: Timestamp) -> Progress {
    let change = ErasureChange::Begin(IDENTITY.to_owned(), at);
    storage.erase(change).await.unwrap()
}

/// Does steps until there is nothing left to do now.
async fn steps(storage: &SqlStorage) -> Progress {
    for _ in 0..100 {
        let step = ErasureChange::Step(IDENTITY.to_owned(), LATER);
        match storage.erase(step).await.unwrap() {
            Progress::More => {}
            other => return other,
        }
    }
    panic!("the steps have no end");
}

#[track_caller]
fn check_bytes(directory: &Path) {
    for file in std::fs::read_dir(directory).unwrap() {
        let path = file.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        for text in PERSONAL {
            let found = bytes
                .windows(text.len())
                .any(|part| part == text.as_bytes());
            assert!(!found, "{} contains {text:?}", path.display());
        }
    }
}

#[tokio::test]
async fn nothing_of_an_erased_player_is_left() {
    let (dir, copies) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let storage = open(dir.path());
    filled(&storage).await;
    let before = storage.load(&"g".into()).await.unwrap().unwrap();
    ask(&storage).await;
    assert_eq!(begin(&storage, LATER).await, Progress::More);
    assert_eq!(begin(&storage, LATER).await, Progress::Unchanged);
    let revoked = storage.credentials().await.unwrap().revoked_identities;
    assert!(revoked.contains_key(IDENTITY));
    assert_eq!(steps(&storage).await, Progress::Finished);
    assert_eq!(steps(&storage).await, Progress::Unchanged);

    assert_eq!(storage.account(IDENTITY).await.unwrap(), None);
    assert_eq!(storage.identity(IDENTITY).await.unwrap(), None);
    assert!(storage.blocks().await.unwrap().is_empty());
    assert!(storage.direct_rooms(FRIEND, 9).await.unwrap().is_empty());
    let lines = storage.lines("d-1", 0, 9).await.unwrap();
    assert!(lines[0].is_hidden && lines[0].text.is_empty(), "{lines:?}");
    assert_eq!(lines[1], line(2, FRIEND, FRIEND, "hello"));
    let reports = storage.reports(ReportPosition::START, 9).await.unwrap();
    assert_eq!(reports.len(), 2);
    let closed = |report: &&tilewire_store::StoredReport| report.closed.is_some();
    assert_eq!(
        reports.iter().filter(closed).count(),
        1,
        "the one about the player"
    );
    let left = storage.commands_of("somebody").await.unwrap();
    assert_eq!(left.len(), 1);

    let after = storage.load(&"g".into()).await.unwrap().unwrap();
    let Event::Created(created) = &after.records[0].event else {
        panic!("the first record creates the game");
    };
    let name = &created.players[0].identity;
    assert!(name.starts_with(GONE), "{name}");
    assert_eq!(created.players[0].name, "erased-1");
    assert_eq!(after.meta.players, [name.as_str(), FRIEND]);
    assert_eq!(after.records[1..], before.records[1..]);
    let result = storage.result(&"g".into()).await.unwrap().unwrap();
    assert_eq!(result.result.seats[0].identity, *name);
    assert_eq!(result.changes[0].identity, *name);
    assert_eq!(
        result.result.seats[0].conduct, None,
        "no points without a player"
    );
    let key = result.result.seats[0].rating_key();
    assert_ne!(key, name);
    assert_eq!(storage.ratings_of(key).await.unwrap().len(), 1);

    let backup = copies.path().join("backup.sqlite");
    SqliteArchive::of_directory(dir.path())
        .unwrap()
        .copy_to(&backup, Pace::Full)
        .unwrap();
    storage.close().await;
    drop(storage);
    check_bytes(copies.path());
    // A start rewrites the database.
    let storage = open(dir.path());
    storage.close().await;
    drop(storage);
    check_bytes(dir.path());
    let operator = super::open_for_operator(dir.path(), &StorageConfig::default()).unwrap();
    let audit = operator.audit().unwrap();
    verify(&audit, None).unwrap();
    let last = &audit.last().unwrap().action;
    assert_eq!(
        (last.action.as_str(), last.target.as_str()),
        (ACTION, IDENTITY)
    );
}

/// The search for bytes finds what it looks for.
#[tokio::test]
#[should_panic(expected = "contains \"Rumpelstilz\"")]
async fn a_player_who_is_not_erased_is_in_the_file() {
    let dir = TempDir::new().unwrap();
    let storage = open(dir.path());
    filled(&storage).await;
    storage.close().await;
    check_bytes(dir.path());
}

#[tokio::test]
async fn a_wish_can_be_taken_back_until_it_takes_effect() {
    let dir = TempDir::new().unwrap();
    let storage = open(dir.path());
    filled(&storage).await;
    let keep = || storage.erase(ErasureChange::TakeBack(IDENTITY.to_owned()));
    assert_eq!(keep().await.unwrap(), Progress::Unchanged);
    ask(&storage).await;
    assert!(storage.due_erasures(NOW, 9).await.unwrap().is_empty());
    assert_eq!(storage.due_erasures(LATER, 9).await.unwrap().len(), 1);
    assert_eq!(begin(&storage, NOW).await, Progress::Unchanged);
    assert_eq!(steps(&storage).await, Progress::Unchanged);
    assert_eq!(keep().await.unwrap(), Progress::Finished);
    assert_eq!(storage.erasure(IDENTITY).await.unwrap(), None);
    assert!(storage.account(IDENTITY).await.unwrap().is_some());
    ask(&storage).await;
    begin(&storage, LATER).await;
    assert_eq!(keep().await.unwrap(), Progress::Unchanged);
    assert!(storage.erasure(IDENTITY).await.unwrap().unwrap().has_begun);
}

/// The chronicle needs the identity until every game has its result; the rest is gone before.
#[tokio::test]
async fn the_name_in_games_waits_for_their_results() {
    let dir = TempDir::new().unwrap();
    let storage = open(dir.path());
    filled(&storage).await;
    game(&storage, "h").await;
    ask(&storage).await;
    begin(&storage, LATER).await;
    assert_eq!(steps(&storage).await, Progress::Waiting);
    assert_eq!(storage.account(IDENTITY).await.unwrap(), None);
    drop(storage);
    let storage = open(dir.path()); // also after a restart
    over(&storage, "h").await;
    assert_eq!(steps(&storage).await, Progress::Waiting);
    counted(&storage, "h").await;
    assert_eq!(steps(&storage).await, Progress::Finished);
    let mut names = Vec::new();
    for game in ["g", "h"] {
        let stored = storage.load(&game.into()).await.unwrap().unwrap();
        names.push(stored.meta.players[0].clone());
    }
    assert!(names.iter().all(|name| name.starts_with(GONE)), "{names:?}");
    assert_ne!(names[0], names[1], "every game has a name of its own");
    let ratings = storage.ratings_after(None, 9).await.unwrap();
    let gone = ratings.iter().filter(|row| row.identity.starts_with(GONE));
    assert_eq!(gone.count(), 1, "ratings have one name");
}

/// Columns that contain an identity and say something about another player, or that others must not know.
const OF_OTHERS: [(&str, &str); 3] = [
    ("follows", "followed"),
    ("blocks", "blocked"),
    ("reports", "target"),
];

/// Returns for each table how many rows have the identity in a column.
fn dump(path: &Path) -> BTreeMap<String, usize> {
    let db = Connection::open(path).unwrap();
    let strings = |query: &str| -> Vec<String> {
        let mut statement = db.prepare(query).unwrap();
        let rows = statement.query_map([], |row| row.get(0)).unwrap();
        rows.collect::<Result<_>>().unwrap()
    };
    let mut found = BTreeMap::new();
    for table in strings("SELECT name FROM sqlite_schema WHERE type = 'table'") {
        let columns = strings(&format!("SELECT name FROM pragma_table_info('{table}')"));
        let own = columns
            .iter()
            .filter(|column| !OF_OTHERS.contains(&(table.as_str(), column.as_str())))
            .map(|column| format!("CAST({column} AS TEXT) = '{IDENTITY}'"));
        let condition = own.collect::<Vec<_>>().join(" OR ");
        let query = format!("SELECT count(*) FROM {table} WHERE {condition}");
        let rows: usize = db.query_row(&query, [], |row| row.get(0)).unwrap();
        if rows > 0 {
            found.insert(table, rows);
        }
    }
    found
}

#[tokio::test]
async fn an_export_has_every_row_of_its_player_and_no_secret() {
    let dir = TempDir::new().unwrap();
    let storage = open(dir.path());
    filled(&storage).await;
    let row = IdentityRow {
        identity: IDENTITY.to_owned(),
        name: HANDLE.to_owned(),
        created_at: NOW,
        seen_at: NOW,
    };
    storage.put_identity(row).await.unwrap();
    ask(&storage).await;
    let (mut exported, mut text) = (BTreeMap::new(), String::new());
    for number in 0.. {
        let Some(page) = storage.personal(IDENTITY, number, 0, 1_000).await.unwrap() else {
            break;
        };
        for row in &page.rows {
            text.push_str(&row.to_string());
        }
        exported.insert(page.table.to_owned(), page.rows.len());
    }
    let stored = dump(&dir.path().join(DATABASE));
    assert!(stored.len() > 10, "{stored:?}");
    for (table, rows) in &stored {
        assert_eq!(exported.get(table), Some(rows), "{table}");
    }
    for text_of_player in [HANDLE, LINE, WORDS, LABEL] {
        assert!(text.contains(text_of_player), "{text_of_player} is missing");
    }
    assert!(!text.contains("argon2"), "the hash of the password");
    let games = storage.games_of(IDENTITY, None, 9).await.unwrap();
    assert_eq!(games, ["g"]);
    let skipped = storage
        .personal(IDENTITY, 0, 1, 100)
        .await
        .unwrap()
        .unwrap();
    assert!(skipped.rows.is_empty(), "a page after the only row");
}

//! The tables of `docs/PROTOCOL.md` are those of the code. `UPDATE_DOCS=1` rewrites them.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest, Sha256};
use tilewire_protocol::{ClientMessage, CloseCode, ErrorCode, EventBody, ServerMessage, limits};

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/PROTOCOL.md")
}

/// The document as it is.
pub(crate) fn text() -> String {
    std::fs::read_to_string(path()).unwrap()
}

#[test]
fn the_tables_are_those_of_the_code() {
    let document = text();
    let mut expected = document.clone();
    for (name, table) in [
        ("limits", limits_table()),
        ("errors", errors_table()),
        ("closes", closes_table()),
        ("sizes", crate::sizes::table()),
    ] {
        expected = replace(&expected, name, &table);
    }
    if expected != document && std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path(), &expected).unwrap();
        return;
    }
    assert!(
        expected == document,
        "docs/PROTOCOL.md is not up to date; UPDATE_DOCS=1 rewrites its tables"
    );
}

/// The example of a game announces the hash of the nonce that it sends later.
#[test]
fn the_short_game_announces_the_hash_of_its_nonce() {
    let document = text();
    let value = |field: &str| {
        let (_, rest) = document.split_once(&format!("\"{field}\":\"")).unwrap();
        let (value, _) = rest.split_once('"').unwrap();
        BASE64URL_NOPAD.decode(value.as_bytes()).unwrap()
    };
    let (_, game) = document.split_once("## A short game").unwrap();
    assert!(game.contains("\"nonce_hash\"") && game.contains("\"nonce\""));
    assert_eq!(
        value("nonce_hash"),
        Sha256::digest(value("nonce")).as_slice()
    );
}

/// The ranges of the options, as their table gives them, and that of given time.
#[test]
fn the_ranges_of_the_options_are_those_of_the_code() {
    const HOUR: i64 = 3_600_000;
    let (days, hours) = (
        limits::DURATION_MAX_MS / (24 * HOUR),
        limits::LIVE_MAX_MS / HOUR,
    );
    let (least, turn) = (limits::CLOCK_MIN_MS, limits::LIVE_TURN_MAX_MS / HOUR);
    let document = text();
    for range in [
        format!("`initial_ms` is {least} ms to {hours} hours"),
        format!("`increment_ms`: 0 to {turn} hour,"),
        format!("`delay_ms`: 0 to {turn} hour,"),
        format!("`cap_ms`: 0 to {hours} hours"),
        format!("`limit_ms`: {least} ms to {days} days"),
        format!("`bank_ms`: 0 to {days} days"),
        format!("`vanish_claim_ms` | 0 to {days} days"),
        format!("`limit` 1 to {} turns", limits::TURN_LIMIT_MAX),
        format!(
            "`penalty_per_minute`: 0 to {}",
            thousands(limits::PENALTY_MAX.into())
        ),
        format!("or 5,000 to {}", thousands(limits::WINDOW_MAX_MS)),
        format!(
            "`spectators.delay_ms` | 0 to {}",
            thousands(limits::SPECTATOR_DELAY_MAX_MS)
        ),
        format!(
            "`time_ms` from {} to {}.",
            thousands(limits::GIFT_MIN_MS),
            thousands(limits::GIFT_MAX_MS)
        ),
        format!("`hints` | 0 to {}", limits::HINTS_MAX),
    ] {
        assert!(document.contains(&range), "{range}");
    }
}

/// Writes a number with commas between its thousands.
fn thousands(number: i64) -> String {
    match number / 1_000 {
        0 => number.to_string(),
        more => format!("{},{:03}", thousands(more), number % 1_000),
    }
}

#[test]
fn generated_documents_do_not_show_names_of_the_code() {
    for name in ["messages.md", "schema.json", "asyncapi.json"] {
        let path = path().with_file_name("protocol").join(name);
        let document = std::fs::read_to_string(path).unwrap();
        for inner in ["Self::", "crate::", "super::"] {
            assert!(!document.contains(inner), "{inner} in {name}");
        }
    }
}

#[test]
fn every_message_and_kind_is_described() {
    let document = text();
    for name in ClientMessage::OPS
        .iter()
        .chain(ServerMessage::OPS)
        .chain(EventBody::KINDS)
    {
        let heading = format!("`{name}`");
        assert!(
            document.contains(&heading),
            "{name} is not in docs/PROTOCOL.md"
        );
    }
}

#[test]
fn the_quick_starts_are_the_programs_that_the_tests_run() {
    let document = text();
    for (language, file) in [
        ("python", "python/quickstart.py"),
        ("js", "javascript/quickstart.js"),
    ] {
        let program = path().with_file_name("clients").join(file);
        let program = std::fs::read_to_string(program).unwrap();
        let block = format!("```{language}\n{program}```\n");
        assert!(
            document.contains(&block),
            "docs/PROTOCOL.md has another {file}"
        );
        assert!(program.lines().count() < 80, "{file} is no quick start");
    }
}

/// Puts a table between its markers.
fn replace(document: &str, name: &str, table: &str) -> String {
    let (begin, end) = (
        format!("<!-- {name} begin -->\n"),
        format!("<!-- {name} end -->"),
    );
    let (before, rest) = document
        .split_once(&begin)
        .unwrap_or_else(|| panic!("no {begin}"));
    let (_, after) = rest.split_once(&end).unwrap_or_else(|| panic!("no {end}"));
    format!("{before}{begin}{table}{end}{after}")
}

fn limits_table() -> String {
    let mut table = "| what | limit |\n|---|---|\n".to_owned();
    for (what, limit) in limits_rows() {
        writeln!(table, "| {what} | {limit} |").unwrap();
    }
    table
}

fn limits_rows() -> Vec<(&'static str, i64)> {
    vec![
        (
            "bytes of a client's frame",
            size(limits::CLIENT_FRAME_MAX_BYTES),
        ),
        (
            "bytes of a server's frame",
            size(limits::SERVER_FRAME_MAX_BYTES),
        ),
        ("nesting of maps and arrays", size(limits::NESTING_MAX)),
        ("entries of a map", size(limits::MAP_ENTRIES_MAX)),
        ("largest integer, either sign", limits::INTEGER_MAX),
        ("bytes of an id", size(limits::ID_MAX_BYTES)),
        ("characters of a `cmd_id`", size(limits::CMD_ID_MAX_BYTES)),
        ("bytes of a token", size(limits::TOKEN_MAX_BYTES)),
        ("characters of a display name", size(limits::NAME_MAX_CHARS)),
        ("bytes of a handle", size(limits::HANDLE_MAX_BYTES)),
        (
            "bytes of the name of a client program",
            size(limits::CLIENT_NAME_MAX_BYTES),
        ),
        ("bytes of a private code", size(limits::CODE_MAX_BYTES)),
        (
            "bytes of the name of a rule set or lexicon",
            size(limits::CATALOGUE_NAME_MAX_BYTES),
        ),
        ("tiles in one request", size(limits::REQUEST_TILES_MAX)),
        ("bytes of a face", size(limits::FACE_MAX_BYTES)),
        ("words of one `look_up`", size(limits::LOOK_UP_WORDS_MAX)),
        ("bytes of a word", size(limits::WORD_MAX_BYTES)),
        (
            "characters of the start of a play",
            size(limits::COORDINATE_MAX_BYTES),
        ),
        ("bytes of a nonce", size(limits::NONCE_MAX_BYTES)),
        (
            "accepted commands remembered for each seat",
            size(limits::SEAT_COMMANDS_KEPT),
        ),
        (
            "how long seek commands are remembered, ms",
            limits::SEEK_COMMANDS_KEPT_MS,
        ),
        ("time for `auth`, ms *", limits::AUTH_WITHIN_MS),
        ("interval of pings, ms *", limits::HEARTBEAT_MS),
        (
            "silence that ends a connection, ms *",
            limits::HEARTBEAT_LOST_MS,
        ),
        (
            "unanswered requests *",
            size(limits::REQUESTS_IN_FLIGHT_MAX),
        ),
        (
            "games attached on one connection *",
            size(limits::ATTACHED_GAMES_MAX),
        ),
        (
            "messages per second in the long run *",
            i64::from(limits::MESSAGES_PER_SECOND),
        ),
        (
            "messages at once after a rest *",
            i64::from(limits::MESSAGE_BURST),
        ),
        ("open seeks of one identity *", size(limits::OPEN_SEEKS_MAX)),
    ]
}

fn size(size: usize) -> i64 {
    i64::try_from(size).unwrap()
}

fn errors_table() -> String {
    let mut table =
        "| code | meaning | again? | what a client does |\n|---|---|---|---|\n".to_owned();
    for code in ErrorCode::ALL {
        let again = if code.retryable() { "later" } else { "no" };
        let (meaning, remedy) = (code.meaning(), code.remedy().as_str());
        writeln!(table, "| `{code}` | {meaning} | {again} | {remedy} |").unwrap();
    }
    table
}

fn closes_table() -> String {
    let mut table =
        "| code | name | meaning | what a client does |\n|---|---|---|---|\n".to_owned();
    for code in CloseCode::ALL {
        let (number, name) = (code.as_u16(), code.as_str());
        writeln!(
            table,
            "| {number} | {name} | {} | {} |",
            code.meaning(),
            code.advice()
        )
        .unwrap();
    }
    table
}

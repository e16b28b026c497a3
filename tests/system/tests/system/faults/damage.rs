//! Damaged, cut, missing and outdated databases: the server refuses them with advice and leaves them unchanged.

use std::fs;
use std::path::{Path, PathBuf};
use tilewire_protocol::GameId;

use serde_json::json;
use tilewire_harness::duel::{Duel, options};
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;
use tilewire_store::StoredGame;

const DATABASE: &str = "tilewire.sqlite";
const LOG: &str = "tilewire.sqlite-wal";
const MARK: &str = "tilewire.mark";
/// Seeds of damage in every test run; `TILEWIRE_DAMAGE_SEEDS` names another number.
const SEEDS: u64 = 16;

/// A data directory with games, as one process left it.
struct Left {
    directory: tempfile::TempDir,
    games: Vec<(GameId, StoredGame)>,
    /// A token and an unfinished game.
    unfinished: (String, String),
}

/// Plays two games to the end and two not, and ends the server well or not.
fn played(is_killed: bool) -> Left {
    let mut server = Server::start("");
    let untimed = options(&json!({ "kind": "untimed" }));
    let mut last = None;
    for is_finished in [true, false, true, false] {
        let mut duel = Duel::start(&server, &untimed);
        for turn in 1..4 {
            let seat = duel.on_turn().unwrap();
            let seq = duel.ok(seat, "pass", json!({ "turn_no": turn }));
            duel.sync(seq + 1);
        }
        if is_finished {
            duel.ok(0, "resign", json!({}));
        } else {
            last = Some((duel.tokens[0].clone(), duel.game.clone()));
        }
    }
    if is_killed {
        server.kill();
    } else {
        assert!(server.stop());
    }
    let directory = tempfile::tempdir().unwrap();
    copy(&server.data_dir(), directory.path());
    // Looking at it takes the log in, so that is done with another copy.
    let looked_at = tempfile::tempdir().unwrap();
    copy(&server.data_dir(), looked_at.path());
    let games = games(looked_at.path()).unwrap();
    assert_eq!(games.len(), 4);
    Left {
        directory,
        games,
        unfinished: last.unwrap(),
    }
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        // The server rebuilds the index of the log.
        if !entry.file_name().to_string_lossy().ends_with("-shm") {
            fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}

fn games(dir: &Path) -> Result<Vec<(GameId, StoredGame)>, String> {
    let archive = tilewire_databases::open_archive(dir).map_err(|error| error.to_string())?;
    let ids = archive.games().map_err(|error| error.to_string())?;
    let read = |game: GameId| match archive.game(&game) {
        Ok(Some(stored)) => Ok((game, stored)),
        Ok(None) => Err(format!("{game} is gone")),
        Err(error) => Err(format!("{game}: {error}")),
    };
    ids.into_iter().map(read).collect()
}

impl Left {
    /// Starts a server on a copy of the data.
    fn server(&self, config: &str) -> Server {
        let server = Server::prepared(config);
        copy(self.directory.path(), &server.data_dir());
        server
    }

    /// A server that finds a copy with this damage must refuse, say so in these words, and change nothing.
    fn refused(&self, words: &[&str], damage: impl FnOnce(&Path)) {
        let server = self.server("");
        let dir = server.data_dir();
        damage(&dir);
        let files = || [DATABASE, LOG].map(|name| fs::read(dir.join(name)).unwrap_or_default());
        let before = files();
        let said = server.refuses_to_start();
        for part in words {
            assert!(said.contains(part), "{part}: {said}");
        }
        assert!(!said.contains("panicked"), "{said}");
        let (is_sound, checked) = server.check();
        assert!(!is_sound && !checked.contains("panicked"), "{checked}");
        assert!(files() == before, "a refused database is left unchanged");
    }
}

fn cut(path: &PathBuf, parts: usize, kept: usize) {
    let whole = fs::read(path).unwrap();
    fs::write(path, &whole[..whole.len() / parts * kept]).unwrap();
}

fn flip(path: &PathBuf, at: usize, mask: u8) {
    let mut bytes = fs::read(path).unwrap();
    bytes[at] ^= mask;
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_log_that_is_missing_cut_or_damaged_is_refused() {
    let left = played(true);
    let lost = ["has lost what was acknowledged", "restore FILE", MARK];
    left.refused(&lost, |dir| fs::remove_file(dir.join(LOG)).unwrap());
    left.refused(&lost, |dir| cut(&dir.join(LOG), 2, 1));
    left.refused(&lost, |dir| cut(&dir.join(LOG), 10, 9));
    left.refused(&lost, |dir| flip(&dir.join(LOG), 9, 4));
    let middle = fs::metadata(left.directory.path().join(LOG)).unwrap().len() / 2;
    left.refused(&lost, |dir| {
        flip(&dir.join(LOG), usize::try_from(middle).unwrap(), 1);
    });

    // Untouched it is taken up, and nothing is missing.
    let mut server = left.server("");
    server.start_again();
    assert!(server.stop());
    assert_same(&left, &server);
}

#[test]
fn a_database_that_is_cut_damaged_or_older_is_refused() {
    let left = played(false);
    let database = left.directory.path().join(DATABASE);
    assert!(!left.directory.path().join(LOG).exists());
    left.refused(&["is damaged", "restore FILE"], |dir| {
        cut(&dir.join(DATABASE), 2, 1)
    });
    left.refused(&["is damaged", "restore FILE"], |dir| {
        fs::write(dir.join(DATABASE), "this is not a database\n".repeat(200)).unwrap();
    });
    left.refused(&["is damaged"], |dir| flip(&dir.join(DATABASE), 20, 0xff));
    // A write to damaged pages could destroy sound games, so no setting serves them.
    let server = left.server("[recovery]\ndamaged = \"leave\"\n");
    cut(&server.data_dir().join(DATABASE), 2, 1);
    let said = server.refuses_to_start();
    assert!(
        said.contains("is damaged") && said.contains("restore FILE"),
        "{said}"
    );
    let lost = ["has lost what was acknowledged", "restore FILE", MARK];
    left.refused(&lost, |dir| fs::write(dir.join(DATABASE), "").unwrap());
    left.refused(&lost, |dir| fs::remove_file(dir.join(DATABASE)).unwrap());

    // The database is replaced by an older copy.
    let mut server = left.server("");
    server.start_again();
    let (token, game) = &left.unfinished;
    let mut anna = Wire::known(&server.address, token);
    anna.ok("resign", json!({ "game": game, "cmd_id": "late" }));
    assert!(server.stop());
    fs::copy(&database, server.data_dir().join(DATABASE)).unwrap();
    let said = server.refuses_to_start();
    assert!(said.contains(lost[0]) && said.contains(game), "{said}");
    // The operator confirms by deleting the marker.
    fs::remove_file(server.data_dir().join(MARK)).unwrap();
    server.start_again();
}

#[test]
fn a_damaged_game_is_named_and_can_be_set_aside() {
    let left = played(false);
    let (token, game) = &left.unfinished;
    // One byte of an event's content, at any place in the file.
    let damage = |dir: &Path| {
        let path = dir.join(DATABASE);
        let bytes = fs::read(&path).unwrap();
        // Within the first event the id stands behind the name of its field. A page may have a copy that it does not use.
        let is_within_event = |at: usize| {
            let mut before = bytes[at.saturating_sub(8)..at].windows(4);
            bytes[at..].starts_with(game.as_bytes()) && before.any(|part| part == b"game")
        };
        let places = (0..bytes.len()).filter(|at| is_within_event(*at));
        let damaged = places.map(|at| flip(&path, at + 1, 2)).count();
        assert!(damaged > 0, "the game's creation");
    };
    let words = [
        game.as_str(),
        "damaged",
        "tilewire-server check",
        "restore",
        "--damaged-games",
    ];
    left.refused(&words, damage);

    let mut server = left.server("[recovery]\ndamaged = \"leave\"\n");
    damage(&server.data_dir());
    server.start_again();
    let mut anna = Wire::known(&server.address, token);
    let attach = json!({ "game": game, "seq": 0 });
    assert_eq!(anna.refused("attach", attach), "internal");
    let other = left
        .games
        .iter()
        .find(|(id, stored)| *id != game.as_str() && !stored.is_finished);
    let (other, _) = other.unwrap();
    anna.ok("attach", json!({ "game": other, "seq": 0 }));
    assert!(server.stop());
    let (is_sound, said) = server.check();
    assert!(
        !is_sound && said.contains(game) && said.contains("1 game is not sound"),
        "{said}"
    );
}

/// With any byte of any file changed, either no data is lost, or the server or its check reports the loss.
#[test]
fn no_damage_is_silent() {
    let seeds = std::env::var("TILEWIRE_DAMAGE_SEEDS");
    let seeds = seeds.map_or(SEEDS, |seeds| seeds.parse().unwrap());
    let (killed, stopped) = (played(true), played(false));
    let (mut refused, mut sound) = (0, 0);
    for seed in 0..seeds {
        let mut drawn = seed;
        let mut draw = |below: usize| {
            drawn = mixed(drawn);
            usize::try_from(drawn % u64::try_from(below).unwrap()).unwrap()
        };
        let (left, file) = match draw(3) {
            0 => (&killed, LOG),
            1 => (&killed, DATABASE),
            _ => (&stopped, DATABASE),
        };
        let mut server = left.server("");
        let path = server.data_dir().join(file);
        for _ in 0..=draw(3) {
            let length = usize::try_from(fs::metadata(&path).unwrap().len()).unwrap();
            let (at, bit) = (draw(length), draw(8));
            flip(&path, at, 1 << bit);
        }
        let (_, checked) = server.check();
        assert!(!checked.contains("panicked"), "seed {seed}: {checked}");
        if server.try_start().is_err() {
            refused += 1;
            continue;
        }
        assert!(server.stop(), "seed {seed}");
        let (is_sound, said) = server.check();
        if is_sound {
            assert_same(left, &server);
            sound += 1;
        } else {
            let names = left
                .games
                .iter()
                .any(|(game, _)| said.contains(game.as_str()));
            assert!(names, "seed {seed}: {said}");
        }
    }
    assert!(
        seeds < SEEDS || refused > 0 && sound > 0,
        "{refused} refused, {sound} sound"
    );
}

/// Every event that was there is there.
fn assert_same(left: &Left, server: &Server) {
    let found = games(&server.data_dir()).unwrap();
    assert_eq!(found.len(), left.games.len());
    for ((game, stored), (before, known)) in found.iter().zip(&left.games) {
        assert_eq!(game, before);
        assert_eq!(stored.records[..known.records.len()], known.records);
    }
}

/// Mixes the bits of a number well, as SplitMix64 does.
const fn mixed(number: u64) -> u64 {
    let a = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let b = (a ^ (a >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let c = (b ^ (b >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    c ^ (c >> 31)
}

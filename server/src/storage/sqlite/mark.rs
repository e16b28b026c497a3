//! How far the log goes, noted outside of the database.
//!
//! SQLite takes a damaged, cut or missing write-ahead log for one whose last write was torn, and goes on without the rest.
//! What was acknowledged would be gone without a word. So after every commit a small file notes the last record and the
//! last liveness stamp that are in it; a database that knows less has lost something.
//!
//! The note is not flushed: a process that is killed loses nothing of it, a machine that loses its power may leave an older
//! one behind, which claims less. It never claims what is not on the disk.

use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension};
use sha2::{Digest, Sha256};

/// Name of the file within the data directory.
pub(super) const MARK: &str = "tilewire.mark";
/// Bytes of the file; it is always overwritten as a whole.
const BYTES: usize = 512;
/// Hexadecimal digits of the digest that tells a torn note.
const DIGEST_DIGITS: usize = 16;

/// What the database must know at least.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Noted {
    /// A game and the number of a record in its log.
    pub(super) record: Option<(String, u64)>,
    /// A liveness stamp, unix ms.
    pub(super) stamp: Option<i64>,
}

/// The open file.
pub(super) struct Mark {
    file: File,
    noted: Noted,
    has_failed: bool,
}

impl Noted {
    /// Reads the note of a data directory; one that is missing or torn claims nothing.
    pub(super) fn read(dir: &Path) -> io::Result<Self> {
        let mut text = String::new();
        match File::open(path(dir)) {
            Ok(file) => match file.take(BYTES as u64).read_to_string(&mut text) {
                Ok(_) => {}
                // Damaged: it says nothing any more.
                Err(error) if error.kind() == io::ErrorKind::InvalidData => text.clear(),
                Err(error) => return Err(error),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        Ok(Self::parse(&text).unwrap_or_default())
    }

    fn parse(text: &str) -> Option<Self> {
        let (content, sum) = text.split_once("sum ")?;
        if sum.trim_end() != digest(content) {
            return None;
        }
        let mut noted = Self::default();
        for line in content.lines() {
            let mut words = line.split(' ');
            match (words.next()?, words.next(), words.next()) {
                ("stamp", Some(at), None) => noted.stamp = at.parse().ok(),
                ("record", Some(seq), Some(game)) => {
                    noted.record = Some((game.to_owned(), seq.parse().ok()?));
                }
                _ => {}
            }
        }
        Some(noted)
    }

    fn to_text(&self) -> Option<String> {
        let mut text = String::new();
        if let Some(stamp) = self.stamp {
            writeln!(text, "stamp {stamp}").ok()?;
        }
        if let Some((game, seq)) = &self.record {
            writeln!(text, "record {seq} {game}").ok()?;
        }
        let sum = digest(&text);
        writeln!(text, "sum {sum}").ok()?;
        (text.len() <= BYTES).then(|| format!("{text:BYTES$}"))
    }

    /// Says what of this the database does not know, if anything.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(super) fn missing_from(&self, db: &Connection) -> rusqlite::Result<Option<String>> {
        let has_tables = db
            .prepare("SELECT 1 FROM sqlite_schema WHERE name = 'liveness'")?
            .exists(())?;
        if let Some((game, seq)) = &self.record {
            let head: Option<u64> = if has_tables {
                db.query_row("SELECT head FROM games WHERE game = ?1", [game], |row| {
                    row.get(0)
                })
                .optional()?
            } else {
                None
            };
            if head.is_none_or(|head| head < *seq) {
                let ends = head.map_or_else(
                    || "it is not there".to_owned(),
                    |head| format!("its log ends with {head}"),
                );
                return Ok(Some(format!(
                    "event {seq} of game {game} was stored, but {ends}"
                )));
            }
        }
        let Some(stamp) = self.stamp else {
            return Ok(None);
        };
        let found: Option<i64> = if has_tables {
            db.query_row("SELECT at FROM liveness", [], |row| row.get(0))
                .optional()?
        } else {
            None
        };
        Ok(found.is_none_or(|found| found < stamp).then(|| {
            format!("the server ran until {stamp} (unix ms), but the database ends before that")
        }))
    }
}

impl Mark {
    /// Opens the note of a data directory and goes on from `noted`. The stamp is forgotten: another process may have had
    /// another clock.
    pub(super) fn open(dir: &Path, noted: Noted) -> io::Result<Self> {
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .mode(0o600)
            .open(path(dir))?;
        let mut mark = Self {
            file,
            noted,
            has_failed: false,
        };
        mark.noted.stamp = None;
        mark.write();
        Ok(mark)
    }

    /// Notes what has just been committed.
    pub(super) fn note(&mut self, change: impl FnOnce(&mut Noted)) {
        change(&mut self.noted);
        self.write();
    }

    /// A note that cannot be written takes nothing from anybody: the old one claims less.
    fn write(&mut self) {
        let Some(text) = self.noted.to_text() else {
            return;
        };
        let written = self.file.write_all_at(text.as_bytes(), 0);
        if let Err(error) = &written
            && !self.has_failed
        {
            tracing::warn!(%error, "how far the log goes could not be noted");
        }
        self.has_failed = written.is_err();
    }
}

/// Returns where the note of a data directory is.
pub(super) fn path(dir: &Path) -> PathBuf {
    dir.join(MARK)
}

fn digest(content: &str) -> String {
    let mut digits = data_encoding::HEXLOWER.encode(&Sha256::digest(content));
    digits.truncate(DIGEST_DIGITS);
    digits
}

#[cfg(test)]
mod tests {
    use super::{BYTES, Mark, Noted, path};

    #[test]
    fn a_note_is_read_again_and_a_torn_one_claims_nothing() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(Noted::read(dir.path()).unwrap(), Noted::default());
        let noted = Noted {
            record: Some(("g1".to_owned(), 7)),
            stamp: None,
        };
        let mut mark = Mark::open(dir.path(), noted.clone()).unwrap();
        assert_eq!(Noted::read(dir.path()).unwrap(), noted);
        mark.note(|noted| noted.stamp = Some(5));
        let found = Noted::read(dir.path()).unwrap();
        assert_eq!((found.record, found.stamp), (noted.record, Some(5)));
        let whole = std::fs::read(path(dir.path())).unwrap();
        assert_eq!(whole.len(), BYTES);
        for at in [0, 3, 9, 20] {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x81;
            std::fs::write(path(dir.path()), damaged).unwrap();
            assert_eq!(Noted::read(dir.path()).unwrap(), Noted::default());
        }
    }
}

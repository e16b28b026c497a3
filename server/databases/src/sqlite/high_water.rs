//! The high-water mark: a file beside the database that records what the database must know.
//!
//! SQLite takes a damaged, cut or missing write-ahead log for one whose last write was torn, and goes on without the rest.
//! Acknowledged changes would vanish without an error. So after every commit a small file records the last record and the
//! last liveness stamp of the commit. A database that knows less has lost something.
//!
//! The file is not flushed. A killed process loses nothing of it. A power failure may leave an older mark, which claims
//! less. The file never claims what is not on the disk.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use tilewire_protocol::GameId;
use tilewire_rules::time::Timestamp;

use rusqlite::{Connection, OptionalExtension};
use sha2::{Digest, Sha256};

use super::own_file;

/// Name of the file within the data directory.
pub(super) const FILE_NAME: &str = "tilewire.mark";
/// Length of the file. It is always overwritten as a whole.
const BYTES: usize = 512;
/// Hexadecimal digits of the digest that detects a torn file.
const DIGEST_DIGITS: usize = 16;

/// The minimum that the database must contain.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct HighWaterMark {
    /// A game and the number of a record in its log.
    pub(super) record: Option<(GameId, u64)>,
    /// A liveness stamp.
    pub(super) stamp: Option<Timestamp>,
}

/// The open file.
pub(super) struct HighWaterFile {
    file: File,
    mark: HighWaterMark,
    has_failed: bool,
}

impl HighWaterMark {
    /// Reads the mark of a data directory. A missing or torn file claims nothing.
    pub(super) fn read(dir: &Path) -> io::Result<Self> {
        let mut text = String::new();
        match File::open(path(dir)) {
            Ok(file) => match file.take(BYTES as u64).read_to_string(&mut text) {
                Ok(_) => {}
                // A damaged file claims nothing.
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
        let mut mark = Self::default();
        for line in content.lines() {
            let mut words = line.split(' ');
            match (words.next()?, words.next(), words.next()) {
                ("stamp", Some(at), None) => mark.stamp = at.parse().ok().map(Timestamp),
                ("record", Some(seq), Some(game)) => {
                    mark.record = Some((game.into(), seq.parse().ok()?));
                }
                _ => {}
            }
        }
        Some(mark)
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

    /// Describes what of the mark the database does not know, if anything.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub(super) fn missing_from(&self, db: &Connection) -> rusqlite::Result<Option<String>> {
        let has_tables = db
            .prepare("SELECT 1 FROM sqlite_schema WHERE name = 'liveness'")?
            .exists(())?;
        if let Some((game, seq)) = &self.record {
            let head: Option<u64> = if has_tables {
                db.query_row(
                    "SELECT head FROM games WHERE game = ?1",
                    [game.as_str()],
                    |row| row.get(0),
                )
                .optional()?
            } else {
                None
            };
            if head.is_none_or(|head| head < *seq) {
                let ends = head.map_or_else(
                    || "the game is missing".to_owned(),
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
        let found: Option<Timestamp> = if has_tables {
            db.query_row("SELECT at FROM liveness", [], |row| {
                row.get(0).map(Timestamp)
            })
            .optional()?
        } else {
            None
        };
        Ok(found.is_none_or(|found| found < stamp).then(|| {
            format!("the server ran until {stamp} (unix ms), but the database ends before that")
        }))
    }
}

impl HighWaterFile {
    /// Opens the file of a data directory and goes on from `mark`. The stamp is dropped: the clock of another process may
    /// have been ahead.
    pub(super) fn open(dir: &Path, mark: HighWaterMark) -> io::Result<Self> {
        let mut high_water = Self {
            file: own_file::open(&path(dir))?,
            mark,
            has_failed: false,
        };
        high_water.mark.stamp = None;
        high_water.write();
        Ok(high_water)
    }

    /// Records what was just committed.
    pub(super) fn update(&mut self, change: impl FnOnce(&mut HighWaterMark)) {
        change(&mut self.mark);
        self.write();
    }

    /// Writes the mark. A failure is harmless: the old mark claims less.
    fn write(&mut self) {
        let Some(text) = self.mark.to_text() else {
            return;
        };
        let written = self.file.write_all_at(text.as_bytes(), 0);
        if let Err(error) = &written
            && !self.has_failed
        {
            tracing::warn!(%error, "the high-water mark of the storage could not be written");
        }
        self.has_failed = written.is_err();
    }
}

/// Returns the path of the file of a data directory.
pub(super) fn path(dir: &Path) -> PathBuf {
    dir.join(FILE_NAME)
}

fn digest(content: &str) -> String {
    let mut digits = data_encoding::HEXLOWER.encode(&Sha256::digest(content));
    digits.truncate(DIGEST_DIGITS);
    digits
}

#[cfg(test)]
mod tests {
    use tilewire_rules::time::Timestamp;

    use super::{BYTES, HighWaterFile, HighWaterMark, path};

    #[test]
    fn a_mark_is_read_back_and_a_torn_one_claims_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let read = || HighWaterMark::read(dir.path()).unwrap();
        assert_eq!(read(), HighWaterMark::default());
        let mark = HighWaterMark {
            record: Some(("g1".into(), 7)),
            stamp: None,
        };
        let mut file = HighWaterFile::open(dir.path(), mark.clone()).unwrap();
        assert_eq!(read(), mark);
        file.update(|mark| mark.stamp = Some(Timestamp(5)));
        let found = read();
        assert_eq!(
            (found.record, found.stamp),
            (mark.record, Some(Timestamp(5)))
        );
        let whole = std::fs::read(path(dir.path())).unwrap();
        assert_eq!(whole.len(), BYTES);
        for at in [0, 3, 9, 20] {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x81;
            std::fs::write(path(dir.path()), damaged).unwrap();
            assert_eq!(read(), HighWaterMark::default());
        }
    }
}

//! How far the journal is written into results, letters, and events for webhooks. Each has a table with one row, which has the
//! place.

use super::{Connection, Result};
use tilewire_store::{Arrival, Cursor, StoreError};

/// A reader of the journal, by what it makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JournalReader {
    Results,
    Letters,
    Webhooks,
}

impl JournalReader {
    const ALL: [Self; 3] = [Self::Results, Self::Letters, Self::Webhooks];

    const fn table(self) -> &'static str {
        match self {
            Self::Results => "chronicle",
            Self::Letters => "letter_state",
            Self::Webhooks => "hook_state",
        }
    }

    /// Reads the place.
    pub(super) fn cursor(self, db: &Connection) -> Result<Cursor, StoreError> {
        let text = format!("SELECT arrival, edition FROM {}", self.table());
        let read = || {
            db.prepare_cached(&text)?.query_row((), |row| {
                Ok(Cursor {
                    arrival: Arrival(row.get(0)?),
                    edition: row.get(1)?,
                })
            })
        };
        read().map_err(StoreError::from)
    }

    /// Moves the place from where it is expected, and counts the change. Returns whether it was there.
    pub(super) fn advance(self, db: &Connection, after: Cursor, until: Arrival) -> Result<bool> {
        let text = format!(
            "UPDATE {} SET arrival = ?3, edition = edition + 1 WHERE arrival = ?1 AND edition = ?2",
            self.table()
        );
        let changed =
            db.prepare_cached(&text)?
                .execute((after.arrival.0, after.edition, until.0))?;
        Ok(changed > 0)
    }

    /// Makes what was computed from the journal before worthless.
    pub(super) fn count_edition(self, db: &Connection) -> Result<()> {
        let text = format!("UPDATE {} SET edition = edition + 1", self.table());
        db.prepare_cached(&text)?.execute(())?;
        Ok(())
    }

    /// Keeps all places at the end of the journal after records were removed there: the next records get their places.
    pub(super) fn keep_within_journal(db: &Connection) -> Result<()> {
        for place in Self::ALL {
            let text = format!(
                "UPDATE {} SET edition = edition + 1,
                 arrival = (SELECT coalesce(max(arrival), 0) FROM records)
                 WHERE arrival > (SELECT coalesce(max(arrival), 0) FROM records)",
                place.table()
            );
            db.prepare_cached(&text)?.execute(())?;
        }
        Ok(())
    }
}

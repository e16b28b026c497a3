//! The thread that asks the database, and waits for each answer.

use std::sync::mpsc::{Sender, channel};
use std::{io, thread};

use crate::storage::postgres::{ClusterTables, Joined};
use crate::storage::{ClusterChange, ClusterDone, ClusterError};

/// What becomes of a question.
pub(super) type Answer = Result<ClusterDone, ClusterError>;

/// Asks the database. The machine puts the next question after the answer to the last one, so at most one waits.
#[derive(Debug)]
pub(super) struct Questions {
    asked: Sender<ClusterChange>,
}

impl Questions {
    /// Starts the thread. It gives each answer to `answered`, and ends with the handle, or when nobody takes an answer.
    pub(super) fn start(
        (tables, joined): (ClusterTables, Joined),
        answered: impl Fn(Answer) -> bool + Send + 'static,
    ) -> io::Result<Self> {
        let (asked, questions) = channel::<ClusterChange>();
        thread::Builder::new()
            .name("cluster-keeper".to_owned())
            .spawn(move || {
                for question in questions {
                    if !answered(tables.change(&joined, &question)) {
                        return;
                    }
                }
            })?;
        Ok(Self { asked })
    }

    /// Puts a question.
    pub(super) fn ask(&self, change: ClusterChange) {
        // Without the thread there is no answer, and the lease ends.
        self.asked.send(change).ok();
    }
}

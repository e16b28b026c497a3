//! Sends a node's questions to the database, from a thread that waits for each answer.

use std::sync::mpsc::channel;
use std::{io, thread};

use tilewire_databases::postgres::{ClusterTables, Joined};
use tilewire_store::{ClusterChange, ClusterDone, ClusterError};

/// The answer to a question.
pub type Answer = Result<ClusterDone, ClusterError>;
/// Takes an answer; returns whether the receiver still exists.
pub type Answered = Box<dyn Fn(Answer) -> bool + Send>;
/// Sends a question. The machine sends the next one after the answer to the last one, so at most one waits.
pub type Ask = Box<dyn Fn(ClusterChange) + Send>;

/// Starts the thread. It ends with the handle, or when the receiver of the answers has gone.
pub(super) fn start(
    (tables, joined): (ClusterTables, Joined),
    answered: Answered,
) -> io::Result<Ask> {
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
    // Without the thread there is no answer, and the lease ends.
    Ok(Box::new(move |change| drop(asked.send(change))))
}

//! A bounded queue of changes, and the thread that commits them in groups.
//!
//! A caller waits until the group of its change is committed. Meanwhile the changes of the next group gather in the queue,
//! so one flush of the disk stores many changes. If the queue is full, a change is refused at once and nothing is stored.
//!
//! The queue knows no database: the database is a [`GroupCommit`].

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;
use std::{io, thread};

use tokio::sync::{mpsc, oneshot};

use tilewire_base::crash_points::{Point, reached};
use tilewire_base::metrics;
use tilewire_base::queue_level::QueueLevel;
use tilewire_store::AppendError;

/// The size of a group of changes that shows that the processors are busy. The thread then lets other threads run first.
const BUSY_GROUP: usize = 3;
/// The number of groups for which it does so. Yielding always would let turns on an idle server wait for a house bot.
const YIELDING_GROUPS: u32 = 4;

/// A database that commits groups of changes. The queue's thread owns it and makes all calls.
pub trait GroupCommit: Send + 'static {
    /// A change.
    type Change: Send + 'static;
    /// The result of a change that was not refused.
    type Done: Send + 'static;

    /// Commits the changes and returns one outcome for each, in their order. A change that fails takes no other one with
    /// it. An outcome is `Ok` only if the commit is durable.
    fn commit(&mut self, changes: &[Self::Change]) -> Vec<Outcome<Self::Done>>;

    /// Does what is due between two groups, after the callers of the last one have their answers.
    fn between_groups(&mut self);

    /// Finishes before it is dropped; no change follows.
    fn finish(&mut self);

    /// The thread panicked in one of the other calls; no change follows.
    fn panicked(&mut self);
}

/// The outcome of one change.
pub type Outcome<D> = Result<D, AppendError>;

/// The handle of the queue. Dropping it waits until all queued changes are committed.
pub struct WriteQueue<C, D> {
    /// `None` only while it is dropped.
    jobs: Option<mpsc::Sender<Job<C, D>>>,
    thread: Option<JoinHandle<()>>,
    health: Arc<Health>,
}

/// A job of the thread.
enum Job<C, D> {
    /// Commit a change.
    Write(Write<C, D>),
    /// Finish, and reply when the database is dropped.
    Close(oneshot::Sender<()>),
}

/// A change whose caller waits.
struct Write<C, D> {
    change: C,
    reply: oneshot::Sender<Outcome<D>>,
    queued_at: Instant,
}

/// Whether the last write succeeded.
#[derive(Debug, Default)]
struct Health {
    trouble: Mutex<Option<String>>,
}

impl Health {
    fn trouble(&self) -> Option<String> {
        let trouble = self.trouble.lock();
        trouble.unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note<D>(&self, outcomes: &[Outcome<D>]) {
        let failure = outcomes.iter().find_map(|outcome| outcome.as_ref().err());
        let now = failure.map(ToString::to_string);
        let mut trouble = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        match (&*trouble, &now) {
            (None, Some(why)) => tracing::error!(%why, "the storage does not take writes"),
            (Some(_), None) => tracing::info!("the storage takes writes again"),
            (None, None) | (Some(_), Some(_)) => {}
        }
        *trouble = now;
    }
}

impl<C: Send + 'static, D: Send + 'static> WriteQueue<C, D> {
    /// Starts the thread. The queue holds up to `capacity` changes; a group has up to `group_max`.
    pub fn start(
        database: impl GroupCommit<Change = C, Done = D>,
        capacity: usize,
        group_max: usize,
    ) -> io::Result<Self> {
        let (jobs, queue) = mpsc::channel(capacity);
        let health = Arc::new(Health::default());
        let noted = Arc::clone(&health);
        let run = move || {
            // `serve` drops the database before the reply says so.
            if let Some(closed) = serve(database, queue, group_max, &noted) {
                closed.send(()).ok(); // the caller may be gone
            }
        };
        let thread = thread::Builder::new()
            .name("storage-writer".to_owned())
            .spawn(run)?;
        Ok(Self {
            jobs: Some(jobs),
            thread: Some(thread),
            health,
        })
    }

    /// Queues a change and returns its outcome when its group is committed.
    pub(crate) async fn write(&self, change: C) -> Outcome<D> {
        let (reply, outcome) = oneshot::channel();
        let job = Job::Write(Write {
            change,
            reply,
            queued_at: now(),
        });
        let Some(jobs) = &self.jobs else {
            return Err(AppendError::Unavailable("the storage is closed".to_owned()));
        };
        if let Err(refused) = jobs.try_send(job) {
            let why = match refused {
                mpsc::error::TrySendError::Full(_) => "too many changes wait to be written",
                mpsc::error::TrySendError::Closed(_) => "the storage is closed",
            };
            return Err(AppendError::Unavailable(why.to_owned()));
        }
        let lost = || AppendError::OutcomeUnknown("the storage has failed".to_owned());
        outcome.await.unwrap_or_else(|_| Err(lost()))
    }

    /// Returns how full the queue is.
    pub(crate) fn level(&self) -> QueueLevel {
        self.jobs.as_ref().map(QueueLevel::of).unwrap_or_default()
    }

    /// Returns why the last write failed, if it did.
    pub(crate) fn trouble(&self) -> Option<String> {
        self.health.trouble()
    }

    /// Commits all queued changes and ends the thread; the database is dropped when this returns.
    pub(crate) async fn close(&self) {
        let (reply, closed) = oneshot::channel();
        if let Some(jobs) = &self.jobs
            && jobs.send(Job::Close(reply)).await.is_ok()
        {
            closed.await.ok(); // a thread that panicked is closed too
        }
    }
}

impl<C, D> Drop for WriteQueue<C, D> {
    fn drop(&mut self) {
        self.jobs = None; // ends the thread when its queue is empty
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the storage's writing thread has failed");
        }
    }
}

impl<C, D> fmt::Debug for WriteQueue<C, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WriteQueue").finish_non_exhaustive()
    }
}

/// Tells the database if the thread ends by a panic.
struct PanicGuard<G: GroupCommit>(G);

impl<G: GroupCommit> Drop for PanicGuard<G> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.panicked();
        }
    }
}

/// Commits groups until the handle is dropped or closed. Returns the reply to send when the database is dropped.
fn serve<G: GroupCommit>(
    database: G,
    mut queue: mpsc::Receiver<Job<G::Change, G::Done>>,
    group_max: usize,
    health: &Health,
) -> Option<oneshot::Sender<()>> {
    let mut database = PanicGuard(database);
    let mut yielding = 0;
    loop {
        let mut writes = Vec::new();
        let mut closing = None;
        let mut next = queue.blocking_recv();
        if yielding > 0 {
            // The wake-up put this thread before others on its core, which may be about to queue changes.
            thread::yield_now();
        }
        // Everything that arrived during the last flush shares the next one.
        loop {
            match next {
                Some(Job::Write(write)) => writes.push(write),
                Some(Job::Close(reply)) => closing = Some(reply),
                None => break,
            }
            if writes.len() >= group_max || closing.is_some() {
                break;
            }
            next = queue.try_recv().ok();
        }
        yielding = match writes.len() {
            BUSY_GROUP.. => YIELDING_GROUPS,
            _ => yielding.saturating_sub(1),
        };
        let is_dropped = writes.is_empty(); // the channel is closed and empty
        if !is_dropped {
            commit(&mut database.0, writes, health);
            database.0.between_groups();
        }
        if is_dropped || closing.is_some() {
            database.0.finish();
            return closing;
        }
    }
}

fn commit<G: GroupCommit>(
    database: &mut G,
    writes: Vec<Write<G::Change, G::Done>>,
    health: &Health,
) {
    let mut changes = Vec::with_capacity(writes.len());
    let mut replies = Vec::with_capacity(writes.len());
    for write in writes {
        changes.push(write.change);
        replies.push((write.reply, write.queued_at));
    }
    let started = now();
    let outcomes = database.commit(&changes);
    metrics::storage_batch(changes.len(), started.elapsed());
    health.note(&outcomes);
    reached(Point::BeforeOutcome);
    for ((reply, queued_at), outcome) in replies.into_iter().zip(outcomes) {
        metrics::storage_write(queued_at.elapsed(), outcome.is_ok());
        reply.send(outcome).ok(); // the caller may be gone
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the shell measures how long writes take"
)]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::Receiver;

    use futures::future::join_all;

    use super::*;

    /// A database that commits a group when the test says so, and records what it did.
    struct Scripted {
        go: Receiver<()>,
        done: Arc<Mutex<Vec<String>>>,
    }

    impl GroupCommit for Scripted {
        type Change = u32;
        type Done = u32;

        fn commit(&mut self, changes: &[u32]) -> Vec<Outcome<u32>> {
            self.go.recv().ok();
            self.done.lock().unwrap().push(format!("{changes:?}"));
            assert!(!changes.contains(&666), "a bug of the database");
            let refused = || AppendError::Unavailable("odd".to_owned());
            let outcome = |change: &u32| match change % 2 {
                0 => Ok(*change),
                _ => Err(refused()),
            };
            changes.iter().map(outcome).collect()
        }

        fn between_groups(&mut self) {}

        fn finish(&mut self) {
            self.done.lock().unwrap().push("finished".to_owned());
        }

        fn panicked(&mut self) {
            self.done.lock().unwrap().push("panicked".to_owned());
        }
    }

    type Queue = WriteQueue<u32, u32>;

    fn start(
        capacity: usize,
        group_max: usize,
    ) -> (Queue, std::sync::mpsc::Sender<()>, Arc<Mutex<Vec<String>>>) {
        let (go, wait) = std::sync::mpsc::channel();
        let done = Arc::new(Mutex::new(Vec::new()));
        let database = Scripted {
            go: wait,
            done: Arc::clone(&done),
        };
        let queue = WriteQueue::start(database, capacity, group_max).unwrap();
        (queue, go, done)
    }

    #[tokio::test]
    async fn changes_that_wait_are_committed_together_and_fail_alone() {
        let (queue, go, done) = start(10, 3);
        let writes = join_all((0..6).map(|change| queue.write(change)));
        let release = async {
            tokio::task::yield_now().await;
            drop(go);
        };
        let (outcomes, ()) = futures::join!(writes, release);
        let stored: Vec<_> = outcomes.iter().filter_map(|one| one.clone().ok()).collect();
        assert_eq!(stored, [0, 2, 4]);
        assert!(queue.trouble().is_some(), "change 5 failed");
        queue.close().await;
        let done = done.lock().unwrap();
        assert_eq!(done.last().map(String::as_str), Some("finished"));
        let groups = &done[..done.len() - 1];
        assert!((2..=4).contains(&groups.len()), "{done:?}");
        let all: String = groups
            .join("")
            .chars()
            .filter(char::is_ascii_digit)
            .collect();
        assert_eq!(all, "012345", "in the order of the calls");
    }

    #[tokio::test]
    async fn a_full_queue_refuses_and_a_closed_one_too() {
        let (queue, go, _done) = start(2, 1);
        let writes = join_all((0..20).map(|change| queue.write(2 * change)));
        let release = async {
            tokio::task::yield_now().await;
            assert_eq!(queue.level().percent(), 100);
            drop(go);
        };
        let (outcomes, ()) = futures::join!(writes, release);
        let stored = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
        // One is in the database; two wait.
        assert!((2..=3).contains(&stored), "{outcomes:?}");
        queue.close().await;
        assert!(matches!(
            queue.write(2).await,
            Err(AppendError::Unavailable(_))
        ));
    }

    #[tokio::test]
    async fn a_panic_of_the_database_leaves_the_outcome_unknown() {
        let (queue, go, done) = start(10, 10);
        drop(go);
        let outcome = queue.write(666).await;
        assert!(matches!(outcome, Err(AppendError::OutcomeUnknown(_))));
        queue.close().await;
        drop(queue);
        assert_eq!(done.lock().unwrap().last().unwrap(), "panicked");
    }
}

//! The thread that writes, and the bounded queue in front of it.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;
use std::{io, thread};

use tokio::sync::{mpsc, oneshot};

use super::changes::Change;
use super::data_dir::DataDir;
use super::engine::{Engine, Outcome};
use crate::config::StorageConfig;
use crate::crash_points::{Point, reached};
use crate::metrics;
use crate::storage::AppendError;

/// Changes in one commit that show that there is more to do than the processors can: others go first then.
const MANY: usize = 3;
/// For how many commits they do. Always to let them go first would have turns on an idle server wait for a house bot that
/// thinks.
const POLITE_FOR: u32 = 4;

/// The way to the thread that writes. Dropping it waits for what is in the queue.
pub(super) struct Writer {
    /// `None` only while it is dropped.
    jobs: Option<mpsc::Sender<Job>>,
    thread: Option<JoinHandle<()>>,
    health: Arc<Health>,
}

/// Something for the thread to do.
enum Job {
    /// Makes a change.
    Write(Write),
    /// Tidies up and ends.
    Close(oneshot::Sender<()>),
}

/// A change with somebody waiting for it.
struct Write {
    change: Change,
    reply: oneshot::Sender<Outcome>,
    queued_at: Instant,
}

/// Whether the last write succeeded.
#[derive(Debug, Default)]
pub(super) struct Health {
    trouble: Mutex<Option<String>>,
}

impl Health {
    /// Returns why the last write failed, if it did.
    pub(super) fn trouble(&self) -> Option<String> {
        let trouble = self.trouble.lock();
        trouble.unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note(&self, outcomes: &[Outcome]) {
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

impl Writer {
    /// Starts the thread. It keeps the data directory locked until it ends.
    pub(super) fn start(engine: Engine, dir: DataDir, config: &StorageConfig) -> io::Result<Self> {
        let (jobs, queue) = mpsc::channel(config.queue);
        let health = Arc::new(Health::default());
        let noted = Arc::clone(&health);
        let batch = config.batch;
        let run = move || {
            let closed = serve(engine, queue, batch, &noted);
            drop(dir);
            if let Some(closed) = closed {
                closed.send(()).ok(); // who asked may have gone
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

    /// Makes a change and returns what became of it when that is on the disk.
    pub(super) async fn write(&self, change: Change) -> Outcome {
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

    /// Returns how full the queue is, percent.
    pub(super) fn fullness(&self) -> u32 {
        self.jobs.as_ref().map_or(0, percent_full)
    }

    /// Ends the thread when everything in the queue is done, and leaves all in the database file alone.
    pub(super) async fn close(&self) {
        let (reply, closed) = oneshot::channel();
        if let Some(jobs) = &self.jobs
            && jobs.send(Job::Close(reply)).await.is_ok()
        {
            closed.await.ok(); // a thread that has failed is closed too
        }
    }

    pub(super) const fn health(&self) -> &Arc<Health> {
        &self.health
    }
}

/// Returns how full the queue behind a sender is, percent.
fn percent_full<T>(queue: &mpsc::Sender<T>) -> u32 {
    let all = queue.max_capacity();
    let waiting = all - queue.capacity();
    u32::try_from(100 * waiting / all.max(1)).unwrap_or(u32::MAX)
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.jobs = None; // ends the thread when its queue is empty
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the storage's writing thread has failed");
        }
    }
}

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").finish_non_exhaustive()
    }
}

/// Calls the engine's last resort when the thread ends by a panic: nothing would be written any more.
struct EndWithPanic(Engine);

impl Drop for EndWithPanic {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.on_fatal()("the writing thread panicked");
        }
    }
}

/// Writes until nobody can ask any more, or somebody asks to close: returns whom to tell.
fn serve(
    engine: Engine,
    mut queue: mpsc::Receiver<Job>,
    batch: usize,
    health: &Health,
) -> Option<oneshot::Sender<()>> {
    let mut engine = EndWithPanic(engine);
    let mut polite = 0;
    loop {
        let mut writes = Vec::new();
        let mut closing = None;
        let mut next = queue.blocking_recv();
        if polite > 0 {
            // Waking up has put this thread before whoever else wants its core: they may be about to ask, too.
            thread::yield_now();
        }
        // While the last flush ran, others came: they share the next one.
        loop {
            match next {
                Some(Job::Write(write)) => writes.push(write),
                Some(Job::Close(reply)) => closing = Some(reply),
                None => break,
            }
            if writes.len() >= batch || closing.is_some() {
                break;
            }
            next = queue.try_recv().ok();
        }
        polite = match writes.len() {
            MANY.. => POLITE_FOR,
            _ => polite.saturating_sub(1),
        };
        let is_over = writes.is_empty(); // nothing came: nobody can ask any more
        if !is_over {
            write(&mut engine.0, writes, health);
            engine.0.checkpoint_if_due();
        }
        if is_over || closing.is_some() {
            engine.0.tidy();
            return closing;
        }
    }
}

fn write(engine: &mut Engine, writes: Vec<Write>, health: &Health) {
    let mut changes = Vec::with_capacity(writes.len());
    let mut replies = Vec::with_capacity(writes.len());
    for write in writes {
        changes.push(write.change);
        replies.push((write.reply, write.queued_at));
    }
    let started = now();
    let outcomes = engine.write(&changes);
    metrics::storage_batch(changes.len(), started.elapsed());
    health.note(&outcomes);
    reached(Point::BeforeOutcome);
    for ((reply, queued_at), outcome) in replies.into_iter().zip(outcomes) {
        metrics::storage_write(queued_at.elapsed(), outcome.is_ok());
        reply.send(outcome).ok(); // who asked may have gone
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the shell measures how long writes take"
)]
fn now() -> Instant {
    Instant::now()
}

//! A spectator: watches the games of a pair one after another, and records the messages it receives.

mod hear;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tilewire_protocol::{Attach, ClientMessage, GameId, Token};
use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until, timeout};

use crate::host;
use crate::link::{Heard, Link};
use crate::presence::{Presence, Status};
use crate::recorder::Counter;
use crate::rng::Rng;
use crate::shared::{HOP_AFTER, Mode, Pairing, Shared};
use crate::transcript::{Transcript, Viewer};

/// How long a leaving spectator waits without a message before it assumes that it has received everything.
const SILENCE: Duration = Duration::from_millis(500);
/// How long it waits for an outstanding answer.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);

/// How a spectator behaves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Habit {
    /// It reads every message.
    Reads,
    /// It reads, and drops and resumes its connection after this share of events.
    Drops(f64),
    /// It stops reading after the first event, but keeps its connection.
    Stalls,
    /// It connects and leaves repeatedly, each time with a new identity.
    Visits(Visits),
}

/// How often and how long a spectator visits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Visits {
    /// Mean time of a visit.
    pub(crate) stay: Duration,
    /// Mean time between two visits.
    pub(crate) away: Duration,
    /// Share of events after which the connection is dropped and resumed.
    pub(crate) dropped: f64,
    /// Share of visits with a pause in reading.
    pub(crate) naps: f64,
    /// The length of the pause in reading.
    pub(crate) nap: Duration,
}

/// One spectator.
#[derive(Debug)]
pub(crate) struct Spectator {
    shared: Arc<Shared>,
    pairing: Arc<Pairing>,
    number: u32,
    habit: Habit,
    rng: Rng,
    token: Option<Token>,
    next_id: u64,
    watched: Option<Watched>,
    // When this visit ends, and whether it is spent without reading.
    stays_until: Option<Instant>,
    is_to_nap: bool,
    // Whether a storm disconnected it.
    is_back: bool,
    presence: Presence,
    // The server of several that it is connected to, modulo their number.
    node: usize,
    // Whether that server has said that it does not have the game.
    is_misplaced: bool,
}

#[derive(Debug)]
struct Watched {
    transcript: Transcript,
    epoch: u64,
    seq: Option<u64>,
    // The request to watch, while it is not answered.
    asked: Option<u64>,
    // When to retry after the server was busy.
    ask_at: Option<Instant>,
    is_over: bool,
    // Whether the server has let it watch before.
    has_come: bool,
    // The newest event when the last connection began; the server resends older events.
    head: u64,
}

enum Next {
    // The client closed the connection.
    Resume,
    // The server closed the connection or stopped.
    Lost,
    // Another one of several servers may have the game.
    Elsewhere,
    Leave,
    // The spectator left, and returns later with a new identity.
    Pause(Duration),
}

impl Spectator {
    /// Creates a spectator that is not connected yet; `number` is unique in the run.
    pub(crate) fn new(
        shared: &Arc<Shared>,
        pairing: &Arc<Pairing>,
        number: u32,
        habit: Habit,
    ) -> Self {
        Self {
            shared: Arc::clone(shared),
            pairing: Arc::clone(pairing),
            number,
            habit,
            rng: Rng::new(shared.behavior.seed, (1 << 40) + u64::from(number)),
            token: None,
            next_id: 1,
            watched: None,
            stays_until: None,
            is_to_nap: false,
            is_back: false,
            presence: shared.recorder.presence.enter(),
            node: usize::try_from(number).unwrap_or(0),
            is_misplaced: false,
        }
    }

    /// Watches until the run ends; `due` is its scheduled arrival.
    pub(crate) async fn run(mut self, due: Instant) {
        let mut modes = self.shared.modes();
        let mut games = self.pairing.game.subscribe();
        let mut since = Some(due);
        loop {
            let Some(mut link) = self.enter().await else {
                break;
            };
            let next = self
                .watch(&mut link, &mut modes, &mut games, &mut since)
                .await;
            match next {
                Next::Leave => {
                    link.close().await;
                    break;
                }
                Next::Resume => {
                    drop(link);
                    self.presence.set(Status::Idle);
                    since = Some(host::now());
                }
                Next::Elsewhere => {
                    drop(link);
                    // A spectator that tries one server after the other has lost its game once.
                    since.get_or_insert_with(host::now);
                    self.node += 1;
                    self.miss();
                    sleep(HOP_AFTER.mul_f64(0.5 + self.rng.unit())).await;
                }
                Next::Lost => {
                    drop(link);
                    self.node += 1;
                    self.shared.error("connection lost");
                    self.miss();
                    since = Some(host::now());
                }
                Next::Pause(away) => {
                    link.close().await;
                    self.put_away();
                    self.token = None;
                    self.stays_until = None;
                    let leaving = modes.wait_for(|mode| *mode == Mode::Leaving);
                    if timeout(away, leaving).await.is_ok() {
                        break;
                    }
                    since = Some(host::now());
                }
            }
        }
        self.put_away();
    }

    async fn enter(&mut self) -> Option<Link> {
        loop {
            match self.shared.enter(self.node, self.token.clone()).await {
                Ok((link, welcome)) => {
                    self.token = Some(welcome.token);
                    return Some(link);
                }
                Err(_) if self.shared.mode() == Mode::Leaving => return None,
                Err(_) => {
                    self.node += 1;
                    self.shared.error("no connection");
                    self.miss();
                    sleep(Duration::from_millis(50 + self.rng.below(200))).await;
                }
            }
        }
    }

    /// Is away from its game, if it watches one, against its will.
    fn miss(&mut self) {
        let has_game = self.watched.as_ref().is_some_and(|game| !game.is_over);
        let place = if has_game {
            Status::Interrupted
        } else {
            Status::Idle
        };
        self.presence.set(place);
    }

    /// Watches on one connection.
    async fn watch(
        &mut self,
        link: &mut Link,
        modes: &mut watch::Receiver<Mode>,
        games: &mut watch::Receiver<Option<GameId>>,
        since: &mut Option<Instant>,
    ) -> Next {
        let mut storms = self.shared.storms();
        self.begin_visit();
        self.is_misplaced = false;
        let mut heard_at = host::now();
        if self.watched.is_some() && self.ask(link).await.is_err() {
            return Next::Lost;
        }
        loop {
            let is_free = self.watched.as_ref().is_none_or(Watched::is_done);
            if is_free && self.turn_to_next(link, games).await.is_err() {
                return Next::Lost;
            }
            let is_leaving = *modes.borrow_and_update() == Mode::Leaving;
            let ask_at = self.watched.as_ref().and_then(|watched| watched.ask_at);
            let patience = is_leaving.then(|| self.patience());
            if self.is_misplaced && !is_leaving {
                return Next::Elsewhere;
            }
            // Without a game, silence is right.
            let silence_max = self
                .shared
                .silence_max()
                .filter(|_| !is_free && !is_leaving);
            let hop_at = silence_max.map(|silence_max| heard_at + silence_max);
            tokio::select! {
                () = sleep_until(hop_at.unwrap_or_else(host::now)), if hop_at.is_some() => {
                    return Next::Elsewhere;
                }
                heard = patiently(link, patience) => match heard {
                    None => {
                        self.note_unanswered();
                        return Next::Leave;
                    }
                    Some(Heard::Frame(frame)) => {
                        heard_at = host::now();
                        if self.hear(&frame, since)
                            && !is_leaving
                            && let Some(next) = self.after_event(modes).await
                        {
                            return next;
                        }
                    }
                    Some(Heard::Closed(_)) if is_leaving => return Next::Leave,
                    Some(Heard::Closed(_)) => return Next::Lost,
                },
                () = sleep_until(self.stays_until.unwrap_or_else(host::now)),
                    if self.stays_until.is_some() && !is_leaving =>
                {
                    if let Habit::Visits(visits) = self.habit {
                        return Next::Pause(self.rng.exponential(visits.away));
                    }
                }
                () = sleep_until(ask_at.unwrap_or_else(host::now)), if ask_at.is_some() && !is_leaving => {
                    if self.ask(link).await.is_err() {
                        return Next::Lost;
                    }
                }
                changed = storms.changed() => if changed.is_ok() {
                    if self.shared.forgets_in_storms.load(Ordering::Relaxed) {
                        self.put_away();
                        self.token = None;
                        self.is_back = true;
                    }
                    return Next::Resume;
                },
                changed = modes.changed() => if changed.is_err() { return Next::Leave },
                changed = games.changed(), if is_free => if changed.is_err() { return Next::Leave },
            }
        }
    }

    /// Chooses how long this visit lasts and how it is spent, if it has just begun.
    fn begin_visit(&mut self) {
        if let (Habit::Visits(visits), None) = (self.habit, self.stays_until) {
            self.stays_until = Some(host::now() + self.rng.exponential(visits.stay));
            self.is_to_nap = self.rng.random_bool(visits.naps);
        }
    }

    /// Asks to watch the game that is being played, unless that is the last one it watched.
    async fn turn_to_next(
        &mut self,
        link: &mut Link,
        games: &mut watch::Receiver<Option<GameId>>,
    ) -> anyhow::Result<()> {
        let game = games.borrow_and_update().clone();
        let last = self
            .watched
            .as_ref()
            .map(|watched| &watched.transcript.game);
        let Some(game) = game.filter(|game| Some(game) != last) else {
            return Ok(());
        };
        self.put_away();
        self.watched = Some(Watched {
            transcript: Transcript::new(game, Viewer::Spectator(self.number)),
            epoch: 0,
            seq: None,
            asked: None,
            ask_at: None,
            is_over: false,
            has_come: std::mem::take(&mut self.is_back),
            head: 0,
        });
        self.ask(link).await
    }

    /// Returns the next step after an event, by its habit.
    async fn after_event(&mut self, modes: &mut watch::Receiver<Mode>) -> Option<Next> {
        let dropped = match self.habit {
            Habit::Reads => return None,
            Habit::Stalls => {
                self.presence.set(Status::Idle);
                drop(modes.wait_for(|mode| *mode == Mode::Leaving).await);
                return Some(Next::Leave);
            }
            Habit::Drops(share) => share,
            Habit::Visits(visits) => {
                if std::mem::take(&mut self.is_to_nap) {
                    self.presence.set(Status::Idle);
                    let leaving = modes.wait_for(|mode| *mode == Mode::Leaving);
                    drop(timeout(visits.nap, leaving).await);
                }
                visits.dropped
            }
        };
        if self.rng.random_bool(dropped) {
            self.shared.recorder.count(Counter::Resumes);
            return Some(Next::Resume);
        }
        None
    }

    /// Asks to watch, from where it left off if it has watched this game before.
    async fn ask(&mut self, link: &mut Link) -> anyhow::Result<()> {
        let Some(watched) = &mut self.watched else {
            return Ok(());
        };
        let attach = Attach {
            game: watched.transcript.game.clone(),
            epoch: watched.seq.map(|_| watched.epoch),
            seq: watched.seq,
            code: None,
        };
        let id = self.next_id;
        self.next_id += 1;
        (watched.asked, watched.ask_at) = (Some(id), None);
        link.send(id, &ClientMessage::Attach(attach)).await
    }

    fn put_away(&mut self) {
        self.presence.set(Status::Idle);
        if let Some(watched) = self.watched.take() {
            self.shared.add_transcript(watched.transcript);
        }
    }
}

impl Watched {
    /// Whether nothing more will come of it.
    const fn is_done(&self) -> bool {
        self.is_over && self.asked.is_none()
    }
}

/// The next message; where patience is limited, `None` after so much silence.
async fn patiently(link: &mut Link, patience: Option<Duration>) -> Option<Heard> {
    match patience {
        Some(patience) => timeout(patience, link.next()).await.ok(),
        None => Some(link.next().await),
    }
}

//! A player of the load test: plays one game after another, and reconnects after a lost connection.

mod chatting;
mod connecting;
mod messages;
mod turns;

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use tilewire_client::{ClientSession, GameView};
use tilewire_protocol::{Attach, ClientMessage, CmdId, GameId, RoomId, SeekId, Token};
use tokio::sync::{broadcast::error::RecvError, watch};
use tokio::time::{Instant, sleep, sleep_until};

use crate::host;
use crate::link::{Heard, Link};
use crate::presence::{Presence, Status};
use crate::recorder::Counter;
use crate::rng::Rng;
use crate::shared::{Behavior, HOP_AFTER, Mode, Offer, Pairing, Seeks, Shared};
use crate::transcript::Transcript;

/// How long a leaving player waits for outstanding answers.
const ANSWERS_WITHIN: Duration = Duration::from_secs(10);
/// The pause before the first attempt to reconnect; it doubles with each attempt, up to the maximum.
const RECONNECT_AFTER: Duration = Duration::from_millis(20);
const RECONNECT_AFTER_MAX: Duration = Duration::from_millis(500);
/// A player of several servers that has no game for so long tries the next one.
const GAMELESS_MAX: Duration = Duration::from_secs(3);
/// The pause before a retry while the server still processes the first copy of the command.
const IN_FLIGHT_PAUSE: Duration = Duration::from_millis(3);

/// A player's part in pairing.
#[derive(Debug)]
pub(crate) enum Part {
    /// Opens seeks and passes their ids to the guest.
    Owner(Offer),
    /// Joins the owner's seeks.
    Guest(Seeks),
}

/// The purpose of a request.
#[derive(Debug, Clone, PartialEq)]
enum Purpose {
    /// To open or join a seek; holds the start of the measurement, or `None` after a lost connection.
    Seek(Option<Instant>),
    /// To attach to the game; holds the moment the last connection was lost, if it was.
    Attach(Attach, Option<Instant>),
    /// To declare the player ready.
    Ready,
    /// To play a turn; `None` after a lost connection, because the answer is no longer timed.
    Turn(Option<Sent>),
    /// To check that the server refuses an illegal turn.
    Illegal,
    /// To challenge or accept a play.
    Judge,
    /// To check that a repeated command gets the first answer.
    Repeat,
    /// To chat with the opponent.
    Chat,
}

/// When a turn was due, and when it was sent.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Sent {
    due: Instant,
    at: Instant,
}

/// An unanswered request.
#[derive(Debug, Clone)]
struct Pending {
    message: ClientMessage,
    purpose: Purpose,
}

/// A chosen action and its due time, in microseconds of the recorder. If an illegal turn was sent first, the action waits
/// for the refusal.
#[derive(Debug)]
struct Due {
    at: u64,
    turn_no: u32,
    message: ClientMessage,
    is_tried: bool,
    held_until: u64,
}

/// The game being played.
#[derive(Debug)]
struct Table {
    game: GameId,
    view: Option<GameView>,
    transcript: Transcript,
    is_over: bool,
    // The server has refused a turn because the game was over.
    must_end: bool,
    // The incarnation of its log.
    epoch: u64,
    // The newest event when the last connection began; the server resends older events.
    head: u64,
    // When the flag of the seat on turn falls, in server time.
    flag_at: i64,
    turn_chosen: u32,
    play_judged: u64,
}

/// Why a connection is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Disconnected {
    /// The client did not want that.
    Lost,
    /// The client dropped it to resume.
    Dropped,
    /// The client tries the next one of several servers.
    Elsewhere,
}

/// One player.
#[derive(Debug)]
pub(crate) struct Player {
    shared: Arc<Shared>,
    pairing: Arc<Pairing>,
    part: Part,
    session: ClientSession,
    token: Option<Token>,
    rng: Rng,
    // Ordered by request id, so that a new connection resends them in order.
    pending: BTreeMap<u64, Pending>,
    answered: HashMap<CmdId, u64>,
    table: Option<Table>,
    due: Option<Due>,
    // Requests that the server refused as retryable, with the times of their retries.
    retries: VecDeque<(Instant, Pending)>,
    has_seek: bool,
    behavior: Arc<Behavior>,
    // House bots that the owner's seeks invite.
    bots: Vec<String>,
    is_in_storms: bool,
    presence: Presence,
    // Games that began before the current one was finished.
    next_games: VecDeque<GameId>,
    // The chat room of the game, once joined on this connection.
    room: Option<RoomId>,
    // The server of several that the player is connected to, modulo their number.
    node: usize,
    // Whether that server has said that it does not have the game, or the lobby.
    is_misplaced: bool,
}

impl Player {
    /// Creates a player that is not connected yet; `number` is unique in the run.
    pub(crate) fn new(
        shared: &Arc<Shared>,
        pairing: &Arc<Pairing>,
        part: Part,
        number: u64,
    ) -> Self {
        let mut rng = Rng::new(shared.behavior.seed, number);
        let prefix = format!("{:x}-{number:x}", rng.next_u64() >> 32);
        // The prefix is hexadecimal and short, so it is valid.
        let session = ClientSession::new(&prefix, 1)
            .or_else(|| ClientSession::new("l", 1))
            .unwrap_or_else(|| unreachable!("one letter is a prefix"));
        Self {
            shared: Arc::clone(shared),
            pairing: Arc::clone(pairing),
            part,
            session,
            token: None,
            rng,
            pending: BTreeMap::new(),
            answered: HashMap::new(),
            table: None,
            due: None,
            retries: VecDeque::new(),
            has_seek: false,
            behavior: Arc::clone(&shared.behavior),
            bots: Vec::new(),
            is_in_storms: false,
            presence: shared.recorder.presence.enter(),
            next_games: VecDeque::new(),
            room: None,
            node: usize::try_from(number).unwrap_or(0),
            is_misplaced: false,
        }
    }

    /// Gives the player its own behavior, and makes disconnection storms hit it as they hit spectators.
    pub(crate) fn with_manner(mut self, behavior: &Arc<Behavior>) -> Self {
        self.behavior = Arc::clone(behavior);
        self.is_in_storms = true;
        self
    }

    /// Makes the owner's seeks invite these house bots.
    pub(crate) fn inviting(mut self, bots: &[String]) -> Self {
        self.bots = bots.to_vec();
        self
    }

    /// Plays until the run ends.
    pub(crate) async fn run(mut self) {
        let mut modes = self.shared.modes();
        let mut lost_at = None;
        let mut attempts = 0;
        while let Some((mut link, games)) = self.connect(attempts).await {
            attempts = 0;
            let begun = self.resume(&mut link, games, lost_at).await;
            let ended = match begun {
                Ok(()) => self.follow(&mut link, &mut modes).await,
                Err(lost) => Err(lost),
            };
            match ended {
                Ok(()) => {
                    link.close().await;
                    break;
                }
                Err(why) => {
                    drop(link);
                    // A client that tries one server after the other has lost its game once.
                    if why != Disconnected::Elsewhere || self.presence.is_attached() {
                        lost_at = Some(host::now());
                    }
                    self.node += 1;
                    match why {
                        Disconnected::Lost => {
                            attempts += 1;
                            self.mark_disconnected();
                            self.shared.error("connection lost");
                        }
                        Disconnected::Dropped => {
                            attempts += 1;
                            self.shared.recorder.count(Counter::Resumes);
                            self.leave_untimed();
                            self.presence.set(Status::Idle);
                        }
                        Disconnected::Elsewhere => {
                            self.mark_disconnected();
                            sleep(HOP_AFTER.mul_f64(0.5 + self.rng.unit())).await;
                        }
                    }
                }
            }
        }
        self.leave();
    }

    /// Stops timing the unanswered turns: their answers are late because this client disconnected.
    fn leave_untimed(&mut self) {
        let later = self.retries.iter_mut().map(|(_, pending)| pending);
        for pending in self.pending.values_mut().chain(later) {
            if let Purpose::Turn(sent) = &mut pending.purpose {
                *sent = None;
            }
        }
    }

    /// Runs on one connection until the player is done.
    async fn follow(
        &mut self,
        link: &mut Link,
        modes: &mut watch::Receiver<Mode>,
    ) -> Result<(), Disconnected> {
        let mut leave_by: Option<Instant> = None;
        let mut storms = self.shared.storms();
        let mut heard_at = host::now();
        loop {
            let mode = *modes.borrow_and_update();
            if mode == Mode::Leaving && leave_by.is_none() {
                self.due = None;
                leave_by = Some(host::now() + ANSWERS_WITHIN);
            }
            if self.is_done(mode) {
                return Ok(());
            }
            let later = self.retries.front().map(|(at, _)| *at);
            let due = leave_by.or_else(|| self.due_at(mode));
            let hop = (mode != Mode::Leaving)
                .then(|| self.hop_at(heard_at))
                .flatten();
            let wake = later.into_iter().chain(due).chain(hop).min();
            let is_free =
                self.table.is_none() && self.pending.is_empty() && self.retries.is_empty();
            tokio::select! {
                heard = link.next() => match heard {
                    Heard::Frame(frame) => {
                        heard_at = host::now();
                        self.receive(link, &frame).await?;
                    }
                    Heard::Closed(_) => return Err(Disconnected::Lost),
                },
                () = async { sleep_until(wake.unwrap_or_else(host::now)).await }, if wake.is_some() => {
                    if hop.is_some_and(|hop| hop <= host::now()) {
                        return Err(Disconnected::Elsewhere);
                    }
                    if later.is_some_and(|later| later <= host::now()) {
                        self.retry(link).await?;
                        continue;
                    }
                    if leave_by.is_some_and(|leave_by| leave_by <= host::now()) {
                        let owed = self.pending.len();
                        self.shared.fault(format!(
                            "{owed} requests are unanswered, or an acknowledged event is missing"
                        ));
                        return Ok(());
                    }
                    if leave_by.is_none() {
                        self.act(link).await?;
                    }
                }
                changed = storms.changed(), if self.is_in_storms => {
                    if changed.is_ok() {
                        return Err(Disconnected::Dropped);
                    }
                }
                changed = modes.changed() => {
                    if changed.is_err() {
                        return Ok(());
                    }
                    self.choose_action();
                }
                seek = next_seek(&mut self.part), if is_free => match seek {
                    Some(seek) => self.join(link, seek).await?,
                    None => return Ok(()),
                },
            }
        }
    }

    /// When the player acts next.
    fn due_at(&self, mode: Mode) -> Option<Instant> {
        let due = self.due.as_ref()?;
        if mode == Mode::Finishing {
            return Some(host::now());
        }
        let at = due.at.max(due.held_until);
        Some(self.shared.recorder.moment(at))
    }

    /// When the player tries the next one of several servers: after silence in a game, or after some time without a game,
    /// because another server may have it.
    fn hop_at(&self, heard_at: Instant) -> Option<Instant> {
        let silence_max = self.shared.silence_max()?;
        let has_game = self.table.is_some();
        Some(heard_at + if has_game { silence_max } else { GAMELESS_MAX })
    }

    fn is_done(&self, mode: Mode) -> bool {
        if !self.pending.is_empty() || !self.retries.is_empty() {
            return false;
        }
        match mode {
            Mode::Playing => false,
            Mode::Finishing => {
                self.table.is_none() && !self.has_seek && matches!(self.part, Part::Owner(_))
            }
            Mode::Leaving => self.has_seen_all(),
        }
    }

    /// Whether every acknowledged event has arrived.
    fn has_seen_all(&self) -> bool {
        self.table.as_ref().is_none_or(|table| {
            let acked = table
                .transcript
                .accepted
                .iter()
                .map(|accepted| accepted.seq);
            let seen = table.transcript.segments.last().map(|segment| segment.last);
            acked.max() <= seen
        })
    }

    /// Sends the next due retry.
    async fn retry(&mut self, link: &mut Link) -> Result<(), Disconnected> {
        match self.retries.pop_front() {
            Some((_, Pending { message, purpose })) => self.send(link, message, purpose).await,
            None => Ok(()),
        }
    }

    async fn send(
        &mut self,
        link: &mut Link,
        message: ClientMessage,
        purpose: Purpose,
    ) -> Result<(), Disconnected> {
        let id = self.session.next_request_id();
        let sent = link.send(id, &message).await;
        self.pending.insert(id, Pending { message, purpose });
        sent.map_err(|_| Disconnected::Lost)
    }

    fn leave(&mut self) {
        if let Some(mut table) = self.table.take() {
            if table.must_end && !table.is_over {
                table.transcript.fault(
                    "the server reported the game as over, but sent no final event".to_owned(),
                );
            }
            self.shared.add_transcript(table.transcript);
        }
    }
}

async fn next_seek(part: &mut Part) -> Option<SeekId> {
    match part {
        Part::Guest(seeks) => loop {
            match seeks.recv().await {
                Ok(seek) => return Some(seek),
                // Missed seeks are closed by now.
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return None,
            }
        },
        Part::Owner(_) => std::future::pending().await,
    }
}

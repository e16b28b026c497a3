//! A player: it meets its opponent, plays one game after the other, and comes back when its connection is lost.

mod answers;
mod coming;
mod turns;

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use tilewire_client::{ClientSession, GameView};
use tilewire_protocol::{Attach, ClientMessage, CmdId, GameId, SeekId, Token};
use tokio::sync::{broadcast::error::RecvError, watch};
use tokio::time::{Instant, sleep_until};

use crate::host;
use crate::link::{Heard, Link};
use crate::presence::{Presence, Status};
use crate::recorder::Counter;
use crate::rng::Rng;
use crate::shared::{Behavior, Mode, Offer, Pairing, Seeks, Shared};
use crate::transcript::Transcript;

/// How long a player that leaves waits for the answers it is owed.
const ANSWERS_WITHIN: Duration = Duration::from_secs(10);
/// Pause before the first attempt to come back; doubles with each further one up to the last.
const BACK_AFTER: Duration = Duration::from_millis(20);
const BACK_AFTER_MAX: Duration = Duration::from_millis(500);
/// Pause before a command is repeated that overtook itself: its answer is on the way.
const OVERTAKEN: Duration = Duration::from_millis(3);

/// What a player does to meet the other one.
#[derive(Debug)]
pub(crate) enum Part {
    /// Opens the seeks.
    Owner(Offer),
    /// Joins them.
    Guest(Seeks),
}

/// Why a request was sent.
#[derive(Debug, Clone, PartialEq)]
enum Why {
    /// To open a seek or to join one: since when; not timed any more after a lost connection.
    Meet(Option<Instant>),
    /// To follow the game; after a lost connection with the moment of its loss.
    Follow(Attach, Option<Instant>),
    /// To begin.
    Ready,
    /// To play a turn; not timed any more after a lost connection.
    Turn(Option<Sent>),
    /// To see it refused.
    Illegal,
    /// To challenge or accept a play.
    Judge,
    /// To see the first answer again.
    Again,
}

/// When a turn was to be sent, and when it was.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Sent {
    due: Instant,
    at: Instant,
}

/// A request that waits for its answer.
#[derive(Debug, Clone)]
struct Pending {
    message: ClientMessage,
    why: Why,
}

/// A turn that was chosen and is due at a moment, in microseconds of the meter; it waits for the answer to an illegal one
/// before it.
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
    // The head when the last connection began: what is older was sent again.
    head: u64,
    // When the flag of the seat on turn falls, server time.
    flag_at: i64,
    turn_chosen: u32,
    play_judged: u64,
}

/// The connection is gone.
#[derive(Debug)]
struct Lost {
    is_meant: bool,
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
    // By request id, so that they are sent again in their order.
    pending: BTreeMap<u64, Pending>,
    answered: HashMap<CmdId, u64>,
    table: Option<Table>,
    due: Option<Due>,
    // What the server had no time for, and when to ask again.
    later: VecDeque<(Instant, Pending)>,
    has_seek: bool,
    behavior: Arc<Behavior>,
    // House bots that sit down with the owner.
    bots: Vec<String>,
    is_in_storms: bool,
    presence: Presence,
    // Games that began while another one was being finished.
    next_games: VecDeque<GameId>,
}

impl Player {
    /// A player that has not connected yet; `number` is its own in the run.
    pub(crate) fn new(
        shared: &Arc<Shared>,
        pairing: &Arc<Pairing>,
        part: Part,
        number: u64,
    ) -> Self {
        let mut rng = Rng::new(shared.behavior.seed, number);
        let prefix = format!("{:x}-{number:x}", rng.next() >> 32);
        // The prefix is short and of the right characters.
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
            later: VecDeque::new(),
            has_seek: false,
            behavior: Arc::clone(&shared.behavior),
            bots: Vec::new(),
            is_in_storms: false,
            presence: shared.recorder.presence.enter(),
            next_games: VecDeque::new(),
        }
    }

    /// One with a manner of its own, who is hit by storms as spectators are.
    pub(crate) fn with_manner(mut self, behavior: &Arc<Behavior>) -> Self {
        self.behavior = Arc::clone(behavior);
        self.is_in_storms = true;
        self
    }

    /// An owner who has house bots sit down.
    pub(crate) fn inviting(mut self, bots: &[String]) -> Self {
        self.bots = bots.to_vec();
        self
    }

    /// Plays until everybody is told to leave.
    pub(crate) async fn run(mut self) {
        let mut modes = self.shared.modes();
        let mut lost_at = None;
        let mut attempts = 0;
        while let Some((mut link, games)) = self.enter(attempts).await {
            attempts = 0;
            let begun = self.begin(&mut link, games, lost_at).await;
            let ended = match begun {
                Ok(()) => self.follow(&mut link, &mut modes).await,
                Err(lost) => Err(lost),
            };
            match ended {
                Ok(()) => {
                    link.close().await;
                    break;
                }
                Err(Lost { is_meant }) => {
                    drop(link);
                    lost_at = Some(host::now());
                    attempts += 1;
                    if is_meant {
                        self.shared.recorder.count(Counter::Resumes);
                        self.leave_untimed();
                        self.presence.set(Status::Idle);
                    } else {
                        self.miss();
                        self.shared.error("connection lost");
                    }
                }
            }
        }
        self.leave();
    }

    /// Answers that are late because this client hung up are not the server's.
    fn leave_untimed(&mut self) {
        let later = self.later.iter_mut().map(|(_, pending)| pending);
        for pending in self.pending.values_mut().chain(later) {
            if let Why::Turn(sent) = &mut pending.why {
                *sent = None;
            }
        }
    }

    /// Does what there is to do until it is time to leave.
    async fn follow(
        &mut self,
        link: &mut Link,
        modes: &mut watch::Receiver<Mode>,
    ) -> Result<(), Lost> {
        let mut leave_by: Option<Instant> = None;
        let mut storms = self.shared.storms();
        loop {
            let mode = *modes.borrow_and_update();
            if mode == Mode::Leaving && leave_by.is_none() {
                self.due = None;
                leave_by = Some(host::now() + ANSWERS_WITHIN);
            }
            if self.is_done(mode) {
                return Ok(());
            }
            let later = self.later.front().map(|(at, _)| *at);
            let due = match (&self.due, leave_by) {
                (_, Some(leave_by)) => Some(leave_by),
                (Some(_), None) if mode == Mode::Finishing => Some(host::now()),
                (Some(due), None) => Some(self.shared.recorder.moment(due.at.max(due.held_until))),
                (None, None) => None,
            };
            let wake = later.into_iter().chain(due).min();
            let is_free = self.table.is_none() && self.pending.is_empty() && self.later.is_empty();
            tokio::select! {
                heard = link.next() => match heard {
                    Heard::Frame(frame) => self.hear(link, &frame).await?,
                    Heard::Closed(_) => return Err(Lost { is_meant: false }),
                },
                () = async { sleep_until(wake.unwrap_or_else(host::now)).await }, if wake.is_some() => {
                    if later.is_some_and(|later| later <= host::now()) {
                        self.ask_again(link).await?;
                        continue;
                    }
                    if leave_by.is_some_and(|leave_by| leave_by <= host::now()) {
                        let owed = self.pending.len();
                        self.shared.fault(format!(
                            "{owed} requests were never answered, or an acknowledged event never came"
                        ));
                        return Ok(());
                    }
                    if leave_by.is_none() {
                        self.mode(link).await?;
                    }
                }
                changed = storms.changed(), if self.is_in_storms => {
                    if changed.is_ok() {
                        return Err(Lost { is_meant: true });
                    }
                }
                changed = modes.changed() => {
                    if changed.is_err() {
                        return Ok(());
                    }
                    self.choose();
                }
                seek = next_seek(&mut self.part), if is_free => match seek {
                    Some(seek) => self.join(link, seek).await?,
                    None => return Ok(()),
                },
            }
        }
    }

    fn is_done(&self, mode: Mode) -> bool {
        if !self.pending.is_empty() || !self.later.is_empty() {
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

    /// Whether every event the server has acknowledged has come, too.
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

    /// Asks again what the server had no time for.
    async fn ask_again(&mut self, link: &mut Link) -> Result<(), Lost> {
        match self.later.pop_front() {
            Some((_, Pending { message, why })) => self.send(link, message, why).await,
            None => Ok(()),
        }
    }

    async fn send(
        &mut self,
        link: &mut Link,
        message: ClientMessage,
        why: Why,
    ) -> Result<(), Lost> {
        let id = self.session.next_request_id();
        let sent = link.send(id, &message).await;
        self.pending.insert(id, Pending { message, why });
        sent.map_err(|_| Lost { is_meant: false })
    }

    fn leave(&mut self) {
        if let Some(mut table) = self.table.take() {
            if table.must_end && !table.is_over {
                table
                    .transcript
                    .fault("said to be over, but its end never came".to_owned());
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
                // What was missed is gone anyway.
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return None,
            }
        },
        Part::Owner(_) => std::future::pending().await,
    }
}

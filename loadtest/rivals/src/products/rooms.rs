//! Rooms in which two play and others watch: ours with its real game, a product with the toy game.
//!
//! A move is due by a schedule that does not wait for the server; the one after it is sent when it is due and its player
//! knows of the move before.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use futures::{SinkExt, StreamExt, TryStreamExt, stream};
use serde::Serialize;
use tilewire_rules::bot::BotLevel;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until, timeout};
use tokio_tungstenite::tungstenite::Message;

use super::catalog::Product;
use super::deliveries::{Deliveries, Seen};
use super::process_group::ProcessGroup;
use super::room_client::{Heard, Move, Place};
use tilewire_loadtest::host::{self, Cores};
use tilewire_loadtest::link::Socket;
use tilewire_loadtest::options::{ChallengeRule, CommonOptions};
use tilewire_loadtest::process::Usage;
use tilewire_loadtest::recorder::{Counter, Percentiles};
use tilewire_loadtest::rng::Rng;
use tilewire_loadtest::scenario::matches::{self, MatchesArgs};
use tilewire_loadtest::stats::{number, per};

/// Squares of the toy board.
const SQUARES: u64 = 225;
/// Moves after which the board is empty again.
const MOVES_MAX: u64 = 40;
/// Moves of a room whose moments are remembered.
const REMEMBERED: usize = 256;
/// Rooms that are filled at the same time.
const COMING: usize = 8;
/// How long to wait for messages in flight.
const WITHIN: Duration = Duration::from_secs(20);
const POLL: Duration = Duration::from_millis(10);

/// The number of clients and the pace of the moves.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plan {
    /// Rooms.
    pub(super) rooms: u32,
    /// Spectators of each.
    pub(super) spectators: u32,
    /// Moves in a second, in all rooms together.
    pub(super) rate: f64,
}

impl Plan {
    /// Mean time between two moves of a room.
    fn think(self) -> Duration {
        Duration::from_secs_f64(f64::from(self.rooms) / self.rate)
    }
}

/// The result of one run.
#[derive(Debug, Clone, Serialize)]
pub(super) struct RoomRun {
    /// How long was measured, seconds.
    pub(super) measured_s: f64,
    /// Moves that were due in a second.
    pub(super) offered_per_s: f64,
    /// Moves made in a second.
    pub(super) moves_per_s: f64,
    /// Processor time of all processes of the server for each move and all its deliveries, microseconds.
    pub(super) server_cpu_us_per_move: f64,
    /// Memory of its processes for each room with its connections, bytes.
    pub(super) bytes_per_game: f64,
    /// From the moment a move was due until its player knew that it was made.
    pub(super) ack_latency_us: Percentiles,
    /// From the moment a move was due until the others knew of it.
    pub(super) push_latency_us: Percentiles,
    /// Share of one core that the clients used.
    pub(super) harness_cores: f64,
}

impl RoomRun {
    /// Whether the product kept up with the schedule: it delivered every move, and no delivery was late.
    pub(super) fn keeps_up(&self, p99: Duration) -> bool {
        self.moves_per_s > 0.9 * self.offered_per_s && self.push_latency_us.p99 <= host::micros(p99)
    }
}

/// Measures ours: real games at its usual durability.
///
/// # Errors
/// When the server does not start or stop as it should, or its judge objects.
pub(super) async fn ours(plan: Plan, common: &CommonOptions, seed: u64) -> Result<RoomRun> {
    let args = MatchesArgs {
        nodes: 0,
        games: plan.rooms,
        think: plan.think(),
        flat_out: false,
        spectators: plan.spectators,
        processes: 0,
        followers: 0,
        sign_ins: 0,
        bots: BotLevel::Beginner,
        challenge: ChallengeRule::Void,
        illegal: 0.0,
        repeated: 0.0,
        dropped: 0.0,
    };
    let result = matches::run(&args, common, seed).await?;
    let metrics = result.metrics;
    if metrics.violations > 0 {
        bail!("ours told wrong: {:?}", result.objections);
    }
    Ok(RoomRun {
        measured_s: metrics.measured_s,
        offered_per_s: plan.rate,
        moves_per_s: metrics.moves_per_s,
        server_cpu_us_per_move: metrics.server_cpu_us_per_move.context("nobody moved")?,
        bytes_per_game: metrics.bytes_per_game.unwrap_or(0.0),
        ack_latency_us: metrics.ack_latency_us,
        push_latency_us: metrics.push_latency_us,
        harness_cores: metrics.harness_cpu_s / metrics.measured_s,
    })
}

/// Measures a product.
///
/// # Errors
/// If it is not installed, refuses a client or a legal move, or does not deliver each move once to each client.
pub(super) async fn theirs(
    product: Product,
    dir: &Path,
    plan: Plan,
    common: &CommonOptions,
    seed: u64,
) -> Result<RoomRun> {
    let cores = Cores::split(common.server_cores.as_deref())?;
    let tree = ProcessGroup::start(dir, product.name(), &cores).await?;
    let measured = load(product, &tree, plan, common, seed).await;
    measured.with_context(|| format!("{}: {}", product.name(), tree.log_tail()))
}

async fn load(
    product: Product,
    tree: &ProcessGroup,
    plan: Plan,
    common: &CommonOptions,
    seed: u64,
) -> Result<RoomRun> {
    let viewers = usize::try_from(plan.spectators)? + 2;
    let tally = Arc::new(Deliveries::groups(usize::try_from(plan.rooms)?, viewers));
    let before = tree.usage();
    let (go, gone) = watch::channel(true);
    let mean = plan.think();
    let mut tasks = JoinSet::new();
    let mut rooms = stream::iter(0..plan.rooms)
        .map(|room| fill(product, &tree.address, room, plan.spectators))
        .buffered(COMING);
    let mut first = 0;
    // Clients read from the start: some products disconnect a client that does not answer pings.
    while let Some(places) = rooms.try_next().await? {
        let room = Arc::new(Room::new(first, &tally));
        let mut places = places.into_iter().zip(0..);
        let seats: Vec<_> = places.by_ref().take(2).collect();
        for ((socket, place), own) in places {
            tasks.spawn(watch_room(Arc::clone(&room), socket, place, own));
        }
        let rng = Rng::new(seed, u64::try_from(first)?);
        tasks.spawn(play_room(room, seats, gone.clone(), mean, rng));
        first += viewers;
    }
    sleep(common.warm_up).await;
    let (usage, own) = (tree.usage(), Usage::of(std::process::id()));
    let made = tally.recorder.counts().get(Counter::Moves);
    tally.recorder.begin();
    let began = host::now();
    sleep(common.duration).await;
    tally.recorder.end();
    let seconds = began.elapsed().as_secs_f64();
    let after = tree.usage();
    let own_after = Usage::of(std::process::id());
    let made = tally.recorder.counts().get(Counter::Moves) - made;
    go.send_replace(false);
    let waited = host::now();
    // After the timeout, the audit reports the missing frames.
    while tally.objection(1).is_some() && waited.elapsed() < WITHIN {
        sleep(POLL).await;
    }
    if let Some(objection) = tally.objection(1) {
        bail!("deliveries were wrong: {objection}");
    }
    drop(tasks);
    let cpu_us = number(after.cpu_us.saturating_sub(usage.cpu_us));
    let grown = number(after.rss_bytes.saturating_sub(before.rss_bytes));
    Ok(RoomRun {
        measured_s: seconds,
        offered_per_s: plan.rate,
        moves_per_s: number(made) / seconds,
        server_cpu_us_per_move: per(cpu_us, made).context("nobody moved")?,
        bytes_per_game: per(grown, u64::from(plan.rooms)).unwrap_or(0.0),
        ack_latency_us: tally.recorder.ack.percentiles(),
        push_latency_us: tally.recorder.push.percentiles(),
        harness_cores: number(own_after.cpu_us.saturating_sub(own.cpu_us)) / 1e6 / seconds,
    })
}

/// Lets both seats and all spectators of a room come, one after the other.
async fn fill(
    product: Product,
    address: &str,
    room: u32,
    spectators: u32,
) -> Result<Vec<(Socket, Place)>> {
    let mut places = Vec::new();
    for seat in [Some(0), Some(1)]
        .into_iter()
        .chain((0..spectators).map(|_| None))
    {
        let entering = timeout(WITHIN, Place::enter(product, address, room, seat));
        places.push(entering.await.context("no entrance in time")??);
    }
    Ok(places)
}

/// The state that all clients of a room share.
#[derive(Debug)]
struct Room {
    tally: Arc<Deliveries>,
    // The first of its viewers in the tally: the seats, then the spectators.
    first: usize,
    // When each of the last moves was due, microseconds of the meter.
    due: Vec<AtomicU64>,
}

impl Room {
    fn new(first: usize, tally: &Arc<Deliveries>) -> Self {
        Self {
            tally: Arc::clone(tally),
            first,
            due: (0..REMEMBERED).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    fn due(&self, number: u64) -> Option<&AtomicU64> {
        let place = number % u64::try_from(self.due.len()).ok()?;
        self.due.get(usize::try_from(place).ok()?)
    }

    /// Records that a client has received a move: its author by the answer, the others by a push.
    fn played(&self, own: usize, number: u64) {
        let recorder = &self.tally.recorder;
        let due = self
            .due(number)
            .map_or(0, |due| due.load(Ordering::Relaxed));
        let late = recorder.moment_us(host::now()).saturating_sub(due);
        let late = Duration::from_micros(late);
        let is_own = u64::try_from(own).ok() == Some(number % 2);
        let late = if is_own {
            recorder.record(&recorder.ack, late);
            recorder.count(Counter::Moves);
            None
        } else {
            Some(late)
        };
        // The tally counts from 1.
        self.tally.take(
            self.first + own,
            Seen {
                number: number + 1,
                late,
            },
        );
    }

    /// Takes a message in; returns the number of the move it tells of.
    async fn hear(
        &self,
        own: usize,
        place: &Place,
        socket: &mut Socket,
        message: &Message,
    ) -> Option<u64> {
        match place.hear(message) {
            Ok(Heard::Played(number)) => {
                self.played(own, number);
                return Some(number);
            }
            Ok(Heard::Answer(answer)) => drop(socket.send(answer).await),
            Ok(Heard::Nothing) => {}
            Err(error) => self
                .tally
                .fault(format!("viewer {own} of a room: {error:#}")),
        }
        None
    }
}

async fn watch_room(room: Arc<Room>, mut socket: Socket, place: Place, own: usize) {
    while let Some(Ok(message)) = socket.next().await {
        room.hear(own, &place, &mut socket, &message).await;
    }
    room.tally.lost();
}

/// Plays both seats of a room until the stop signal, and then keeps reading.
async fn play_room(
    room: Arc<Room>,
    seats: Vec<((Socket, Place), usize)>,
    mut go: watch::Receiver<bool>,
    mean: Duration,
    mut rng: Rng,
) {
    let Ok(
        [
            ((mut first, first_place), _),
            ((mut second, second_place), _),
        ],
    ) = <[_; 2]>::try_from(seats)
    else {
        room.tally.fault("a room without two seats".to_owned());
        return;
    };
    let mut order: Vec<u8> = (0..u8::MAX)
        .filter(|square| u64::from(*square) < SQUARES)
        .collect();
    // The move that is next, and how many moves each seat knows of.
    let (mut next, mut known) = (0_u64, [0_u64, 0]);
    let mut due: Instant = host::now() + mean.mul_f64(rng.unit());
    loop {
        let seat = usize::from(next % 2 == 1);
        let is_free = *go.borrow() && known[seat] == next;
        let (own, message) = tokio::select! {
            biased;
            message = first.next() => (0, message),
            message = second.next() => (1, message),
            () = sleep_until(due), if is_free => {
                if next.is_multiple_of(MOVES_MAX) {
                    shuffle(&mut order, &mut rng);
                }
                let place = usize::try_from(next % MOVES_MAX).unwrap_or(0);
                let letter = u8::try_from(rng.below(26) + 1).unwrap_or(1);
                let made = Move { number: next, square: order[place], letter };
                if let Some(moment) = room.due(next) {
                    moment.store(room.tally.recorder.moment_us(due), Ordering::Relaxed);
                }
                let (socket, place) = match seat {
                    0 => (&mut first, &first_place),
                    _ => (&mut second, &second_place),
                };
                let sent = match place.play(made) {
                    Ok(message) => socket.send(message).await.map_err(Into::into),
                    Err(error) => Err(error),
                };
                if let Err(error) = sent {
                    room.tally.fault(format!("a move could not be sent: {error}"));
                    return;
                }
                next += 1;
                due += rng.exponential(mean);
                continue;
            }
            changed = go.changed() => {
                if changed.is_err() {
                    return;
                }
                continue;
            }
        };
        let (socket, place) = match own {
            0 => (&mut first, &first_place),
            _ => (&mut second, &second_place),
        };
        let Some(Ok(message)) = message else {
            room.tally.lost();
            return;
        };
        if let Some(number) = room.hear(own, place, socket, &message).await {
            known[own] = number + 1;
        }
    }
}

/// The squares of the next moves, no square twice.
fn shuffle(order: &mut [u8], rng: &mut Rng) {
    for last in (1..order.len()).rev() {
        let bound = u64::try_from(last).unwrap_or(u64::MAX).saturating_add(1);
        order.swap(last, usize::try_from(rng.below(bound)).unwrap_or(last));
    }
}

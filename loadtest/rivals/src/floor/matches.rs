//! Loads a bare server as `matches` loads Tilewire: rooms of two players, who move by the same schedule, and
//! spectators. A move is sent when it is due and both players have received the previous one.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use bytes::{BufMut, Bytes, BytesMut};
use futures::{SinkExt, StreamExt};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, sleep_until, timeout};
use tokio_tungstenite::tungstenite::Message;

use super::hot::{COME_WITHIN, Socket, connect, start};
use super::rooms::{COMMAND_BYTES, EVENT_BYTES, MEMBER, MOVE, REFUSED, STAMP_BYTES};
use super::{FloorKind, FloorMetrics};
use tilewire_loadtest::host::{self, Cores};
use tilewire_loadtest::options::CommonOptions;
use tilewire_loadtest::process::Usage;
use tilewire_loadtest::recorder::{Counter, Recorder};
use tilewire_loadtest::rng::Rng;
use tilewire_loadtest::scenario::matches::MatchesArgs;
use tilewire_loadtest::shared::Pacing;
use tilewire_loadtest::stats::{number, per};

/// Loads a bare server as `matches` loads Tilewire. No client disconnects deliberately.
///
/// # Errors
/// If the bare server does not start, or a client misses a move.
pub(super) async fn run(
    kind: FloorKind,
    args: &MatchesArgs,
    common: &CommonOptions,
    seed: u64,
) -> Result<FloorMetrics> {
    let cores = Cores::split(common.server_cores.as_deref())?;
    let (process, address) = start(kind, &cores)?;
    let recorder = Arc::new(Recorder::new());
    let (go, gone) = watch::channel(true);
    let mut clients = JoinSet::new();
    for room in 0..args.games {
        let mut seats = Vec::new();
        for _ in 0..2 {
            seats.push(enter(&address, room).await?);
        }
        for _ in 0..args.spectators {
            let socket = enter(&address, room).await?;
            clients.spawn(watch_room(socket, Arc::clone(&recorder)));
        }
        let table = Table {
            seats,
            pacing: args.behavior(seed).pacing,
            rng: Rng::new(seed, u64::from(room)),
            unplayable: args.illegal + args.repeated,
            recorder: Arc::clone(&recorder),
        };
        clients.spawn(table.play(gone.clone()));
    }
    sleep(common.warm_up).await;
    let pid = process.pid();
    let (usage, counts) = (Usage::of(pid), recorder.counts());
    recorder.begin();
    let began = host::now();
    sleep(common.duration).await;
    recorder.end();
    let seconds = began.elapsed().as_secs_f64();
    let (after, counts) = (Usage::of(pid), recorder.counts().since(&counts));
    go.send_replace(false);
    clients.abort_all();
    let (moves, deliveries) = (counts.get(Counter::Moves), counts.get(Counter::Deliveries));
    let cpu_us = number(after.cpu_us.saturating_sub(usage.cpu_us));
    if counts.get(Counter::Errors) > 0 || moves == 0 || cpu_us == 0.0 {
        bail!("the bare server did not deliver every move to every client");
    }
    Ok(FloorMetrics {
        measured_s: seconds,
        moves_per_s: Some(number(moves) / seconds),
        deliveries_per_s: number(deliveries) / seconds,
        deliveries_per_cpu_s: None,
        server_cpu_us_per_move: per(cpu_us, moves),
        server_cpu_us_per_delivery: None,
        ack_latency_us: Some(recorder.ack.percentiles()),
        push_latency_us: recorder.push.percentiles(),
    })
}

async fn enter(address: &str, room: u32) -> Result<Socket> {
    let mut socket = connect(address).await?;
    let mut first = BytesMut::new();
    first.put_u8(MEMBER);
    first.put_u32(room);
    socket.send(Message::binary(first.freeze())).await?;
    let decoded = timeout(COME_WITHIN, socket.next()).await?;
    decoded.context("the floor hung up")??;
    Ok(socket)
}

/// The two players of a room.
struct Table {
    seats: Vec<Socket>,
    pacing: Pacing,
    rng: Rng,
    /// The share of moves that follow a command with an answer but no push.
    unplayable: f64,
    recorder: Arc<Recorder>,
}

impl Table {
    async fn play(mut self, go: watch::Receiver<bool>) {
        let first = self.pacing.pause(1, &mut self.rng);
        let mut due = host::now() + first.mul_f64(self.rng.unit());
        for turn in 1.. {
            sleep_until(due).await;
            if !*go.borrow() {
                return;
            }
            let now = host::now();
            if self.pacing == Pacing::Flat {
                due = now;
            }
            self.recorder.record(
                &self.recorder.send_delay,
                now.saturating_duration_since(due),
            );
            let stamp = self.recorder.moment_us(due);
            if self.turn(turn, stamp).await.is_err() {
                return self.recorder.count(Counter::Errors);
            }
            due += self.pacing.pause(turn, &mut self.rng);
        }
    }

    /// Sends one move, and waits until both players have received it.
    async fn turn(&mut self, turn: u32, stamp: u64) -> Result<()> {
        let is_second = turn.is_multiple_of(2);
        if self.rng.unit() < self.unplayable {
            let socket = &mut self.seats[usize::from(is_second)];
            socket.send(command(REFUSED, stamp)).await?;
            hear(socket, 1).await?;
        }
        let socket = &mut self.seats[usize::from(is_second)];
        socket.send(command(MOVE, stamp)).await?;
        hear(socket, 1).await?;
        let recorder = &self.recorder;
        recorder.record(&recorder.ack, since(recorder, stamp));
        recorder.count(Counter::Moves);
        hear(socket, EVENT_BYTES.len()).await?;
        let other = &mut self.seats[usize::from(!is_second)];
        hear(other, EVENT_BYTES.len()).await?;
        recorder.record(&recorder.push, since(recorder, stamp));
        recorder.count_many(Counter::Deliveries, 2 * EVENT_BYTES.len() as u64);
        Ok(())
    }
}

async fn watch_room(mut socket: Socket, recorder: Arc<Recorder>) {
    while let Some(Ok(message)) = socket.next().await {
        let Message::Binary(frame) = message else {
            continue;
        };
        let Some(stamp) = frame.last_chunk::<STAMP_BYTES>() else {
            continue;
        };
        recorder.count(Counter::Deliveries);
        recorder.record(&recorder.push, since(&recorder, u64::from_be_bytes(*stamp)));
    }
}

fn since(recorder: &Recorder, stamp: u64) -> Duration {
    Duration::from_micros(recorder.moment_us(host::now()).saturating_sub(stamp))
}

fn command(kind: u8, stamp: u64) -> Message {
    let mut command = BytesMut::zeroed(COMMAND_BYTES - STAMP_BYTES);
    command[0] = kind;
    command.put_u64(stamp);
    Message::Binary(Bytes::from(command))
}

/// Waits for this number of frames.
async fn hear(socket: &mut Socket, frames: usize) -> Result<()> {
    for _ in 0..frames {
        timeout(COME_WITHIN, socket.next())
            .await?
            .context("the floor hung up")??;
    }
    Ok(())
}

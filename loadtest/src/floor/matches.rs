//! The same load for a floor as `matches` is for the server: rooms of two players who move by the same schedule, and
//! spectators. A move is sent when it is due and both players know of the one before.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use bytes::{BufMut, Bytes, BytesMut};
use futures::{SinkExt, StreamExt};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, sleep_until, timeout};
use tokio_tungstenite::tungstenite::Message;

use super::FloorKind;
use super::publish::{COME_WITHIN, Socket, connect, start};
use super::room::{COMMAND_BYTES, EVENT_BYTES, MEMBER, MOVE, REFUSED, STAMP_BYTES};
use crate::args::Common;
use crate::bench::number;
use crate::chance::Chance;
use crate::figures::{Figures, per};
use crate::host::{self, Cores};
use crate::meter::{Count, Meter};
use crate::process::Usage;
use crate::scenario::matches::MatchesArgs;
use crate::stage::Pace;

/// Loads a floor as `matches` loads the server. Connections are not dropped on purpose.
///
/// # Errors
/// When the floor does not start, or somebody is not told everything.
pub(crate) async fn matches(
    kind: FloorKind,
    args: &MatchesArgs,
    common: &Common,
    seed: u64,
) -> Result<Figures> {
    let cores = Cores::split(common.server_cores.as_deref())?;
    let (process, address) = start(kind, &cores)?;
    let meter = Arc::new(Meter::new());
    let (go, gone) = watch::channel(true);
    let mut clients = JoinSet::new();
    for room in 0..args.games {
        let mut seats = Vec::new();
        for _ in 0..2 {
            seats.push(enter(&address, room).await?);
        }
        for _ in 0..args.spectators {
            let socket = enter(&address, room).await?;
            clients.spawn(watch_room(socket, Arc::clone(&meter)));
        }
        let table = Table {
            seats,
            pace: args.manner(seed).pace,
            chance: Chance::new(seed, u64::from(room)),
            unplayable: args.illegal + args.repeated,
            meter: Arc::clone(&meter),
        };
        clients.spawn(table.play(gone.clone()));
    }
    sleep(common.warm_up).await;
    let pid = process.pid();
    let (usage, counts) = (Usage::of(pid), meter.counts());
    meter.begin();
    let began = host::now();
    sleep(common.duration).await;
    meter.end();
    let seconds = began.elapsed().as_secs_f64();
    let (after, counts) = (Usage::of(pid), meter.counts().since(&counts));
    go.send_replace(false);
    clients.abort_all();
    let (moves, deliveries) = (counts.get(Count::Moves), counts.get(Count::Deliveries));
    let cpu_us = number(after.cpu_us.saturating_sub(usage.cpu_us));
    if counts.get(Count::Errors) > 0 || moves == 0 || cpu_us == 0.0 {
        bail!("the floor did not tell everybody of every move");
    }
    Ok(Figures {
        measured_s: seconds,
        moves,
        moves_per_s: number(moves) / seconds,
        deliveries,
        deliveries_per_s: number(deliveries) / seconds,
        server_cpu_us_per_move: per(cpu_us, moves),
        ack_us: meter.ack.percentiles(),
        push_us: meter.push.percentiles(),
        ..Figures::default()
    })
}

async fn enter(address: &str, room: u32) -> Result<Socket> {
    let mut socket = connect(address).await?;
    let mut first = BytesMut::new();
    first.put_u8(MEMBER);
    first.put_u32(room);
    socket.send(Message::binary(first.freeze())).await?;
    let told = timeout(COME_WITHIN, socket.next()).await?;
    told.context("the floor hung up")??;
    Ok(socket)
}

/// The two players of a room.
struct Table {
    seats: Vec<Socket>,
    pace: Pace,
    chance: Chance,
    /// Share of moves with a command before it that nobody else is told of.
    unplayable: f64,
    meter: Arc<Meter>,
}

impl Table {
    async fn play(mut self, go: watch::Receiver<bool>) {
        let first = self.pace.pause(1, &mut self.chance);
        let mut due = host::now() + first.mul_f64(self.chance.share());
        for turn in 1.. {
            sleep_until(due).await;
            if !*go.borrow() {
                return;
            }
            let now = host::now();
            if self.pace == Pace::Flat {
                due = now;
            }
            self.meter
                .time(&self.meter.late, now.saturating_duration_since(due));
            let stamp = self.meter.moment_us(due);
            if self.turn(turn, stamp).await.is_err() {
                return self.meter.count(Count::Errors);
            }
            due += self.pace.pause(turn, &mut self.chance);
        }
    }

    /// One move, until both players know of it.
    async fn turn(&mut self, turn: u32, stamp: u64) -> Result<()> {
        let is_second = turn.is_multiple_of(2);
        if self.chance.share() < self.unplayable {
            let socket = &mut self.seats[usize::from(is_second)];
            socket.send(command(REFUSED, stamp)).await?;
            hear(socket, 1).await?;
        }
        let socket = &mut self.seats[usize::from(is_second)];
        socket.send(command(MOVE, stamp)).await?;
        hear(socket, 1).await?;
        let meter = &self.meter;
        meter.time(&meter.ack, since(meter, stamp));
        meter.count(Count::Moves);
        hear(socket, EVENT_BYTES.len()).await?;
        let other = &mut self.seats[usize::from(!is_second)];
        hear(other, EVENT_BYTES.len()).await?;
        meter.time(&meter.push, since(meter, stamp));
        meter.count_many(Count::Deliveries, 2 * EVENT_BYTES.len() as u64);
        Ok(())
    }
}

async fn watch_room(mut socket: Socket, meter: Arc<Meter>) {
    while let Some(Ok(message)) = socket.next().await {
        let Message::Binary(frame) = message else {
            continue;
        };
        let Some(stamp) = frame.last_chunk::<STAMP_BYTES>() else {
            continue;
        };
        meter.count(Count::Deliveries);
        meter.time(&meter.push, since(&meter, u64::from_be_bytes(*stamp)));
    }
}

fn since(meter: &Meter, stamp: u64) -> Duration {
    Duration::from_micros(meter.moment_us(host::now()).saturating_sub(stamp))
}

fn command(kind: u8, stamp: u64) -> Message {
    let mut command = BytesMut::zeroed(COMMAND_BYTES - STAMP_BYTES);
    command[0] = kind;
    command.put_u64(stamp);
    Message::Binary(Bytes::from(command))
}

/// Waits for so many frames.
async fn hear(socket: &mut Socket, frames: usize) -> Result<()> {
    for _ in 0..frames {
        timeout(COME_WITHIN, socket.next())
            .await?
            .context("the floor hung up")??;
    }
    Ok(())
}

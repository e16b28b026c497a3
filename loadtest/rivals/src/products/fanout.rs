//! One game with many spectators, on Tilewire and on another product: the same frames, schedule and clients.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use bytes::{BufMut, Bytes, BytesMut};
use futures::{SinkExt, StreamExt, TryStreamExt, stream};
use serde::Serialize;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until};

use super::catalog::Product;
use super::deliveries::Deliveries;
use super::fanout_client::{self, Dialect, Role, STAMP_BYTES};
use super::process_group::ProcessGroup;
use crate::floor::FRAME_BYTES;
use tilewire_loadtest::host::{self, Cores};
use tilewire_loadtest::link::Socket;
use tilewire_loadtest::options::CommonOptions;
use tilewire_loadtest::process::Usage;
use tilewire_loadtest::recorder::{Counter, Percentiles};
use tilewire_loadtest::rng::Rng;
use tilewire_loadtest::scenario::hot::{HotArgs, seat_players};
use tilewire_loadtest::shared::Mode;
use tilewire_loadtest::stats::{number, per};
use tilewire_loadtest::testbed::Testbed;

/// How long to wait until all subscribers have connected, and until all frames have arrived.
const WITHIN: Duration = Duration::from_secs(60);
/// The interval at which a condition is checked.
const POLL: Duration = Duration::from_millis(5);
/// Subscribers that connect at the same time.
const COMING: usize = 16;

/// The result of one run.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Run {
    /// The length of the measured phase, seconds.
    pub(super) measured_s: f64,
    /// Frames that reached a subscriber.
    pub(super) deliveries: u64,
    /// Deliveries in a second.
    pub(super) deliveries_per_s: f64,
    /// Processor time of all processes of the server for each delivery, microseconds.
    pub(super) server_cpu_us_per_delivery: f64,
    /// Deliveries for each second of that time.
    pub(super) deliveries_per_cpu_s: f64,
    /// Memory of its processes for each subscriber, bytes.
    pub(super) bytes_per_connection: f64,
    /// From the moment a frame was due until a subscriber had it.
    pub(super) push_latency_us: Percentiles,
    /// Share of one core that the clients used.
    pub(super) harness_cores: f64,
}

/// Measures Tilewire with real games and its default durability.
///
/// # Errors
/// If a client cannot watch, or a subscriber did not get each frame once.
pub(super) async fn ours(args: &HotArgs, common: &CommonOptions, seed: u64) -> Result<Run> {
    let mut testbed = Testbed::start(common, args.behavior(seed)).await?;
    let pairing = seat_players(&mut testbed).await?;
    let game = pairing.game.borrow().clone().context("no game began")?;
    let subscribers = usize::try_from(args.spectators)?;
    let tally = Arc::new(Deliveries::new(subscribers));
    let before = testbed.usage();
    let connections: Vec<_> = stream::iter(0..subscribers)
        .map(|_| fanout_client::watch(&testbed.shared, &pairing, &game))
        .buffered(COMING)
        .try_collect()
        .await?;
    let readers = read_all(connections, &tally);
    await_that("all subscribers have the game", || {
        tally.begun() == subscribers
    })
    .await?;
    let rss = testbed.usage().rss_bytes.saturating_sub(before.rss_bytes);
    sleep(common.warm_up).await;
    let from = tally.lowest();
    let phase = Phase::begin(&tally, || testbed.usage());
    sleep(common.duration).await;
    let run = phase.end(&tally, testbed.usage(), rss, subscribers)?;
    if tally.ended_count() > 0 {
        bail!("the game ended while it was measured; ask for fewer turns");
    }
    testbed.shared.set_mode(Mode::Finishing);
    let all = number_of(subscribers);
    await_that("all subscribers know the end", || {
        tally.ended_count() == all
    })
    .await?;
    judge(&tally, from)?;
    drop(readers);
    let result = testbed.finish(|_, _| {}).await?;
    if result.metrics.violations > 0 {
        bail!("Tilewire failed the audit: {:?}", result.objections);
    }
    Ok(run)
}

/// Measures a product.
///
/// # Errors
/// If it is not installed, a client cannot subscribe, or a subscriber did not get each frame once.
pub(super) async fn theirs(
    product: Product,
    dir: &Path,
    args: &HotArgs,
    common: &CommonOptions,
    seed: u64,
) -> Result<Run> {
    let cores = Cores::split(common.server_cores.as_deref())?;
    let tree = ProcessGroup::start(dir, product.name(), &cores).await?;
    let measured = load(product, &tree, args, common, seed).await;
    measured.with_context(|| format!("{}: {}", product.name(), tree.log_tail()))
}

async fn load(
    product: Product,
    tree: &ProcessGroup,
    args: &HotArgs,
    common: &CommonOptions,
    seed: u64,
) -> Result<Run> {
    let subscribers = usize::try_from(args.spectators)?;
    let tally = Arc::new(Deliveries::new(subscribers));
    let mut publisher = Publisher::enter(product, &tree.address, args, Rng::new(seed, 0)).await?;
    let before = tree.usage();
    let connections: Vec<_> = stream::iter(0..subscribers)
        .map(|_| fanout_client::enter(product, &tree.address, Role::Subscribes))
        .buffered(COMING)
        .try_collect()
        .await?;
    let readers = read_all(connections, &tally);
    let rss = tree.usage().rss_bytes.saturating_sub(before.rss_bytes);
    publisher.publish(&tally, common.warm_up).await?;
    publisher.turn(&tally, host::now()).await?;
    await_that("all subscribers have a frame", || {
        tally.begun() == subscribers
    })
    .await?;
    await_that("all subscribers have the first frames", || {
        tally.lowest() == publisher.sent
    })
    .await?;
    let from = publisher.sent;
    let phase = Phase::begin(&tally, || tree.usage());
    publisher.publish(&tally, common.duration).await?;
    let run = phase.end(&tally, tree.usage(), rss, subscribers)?;
    // After the timeout, the audit reports the missing frames.
    drop(
        await_that("all subscribers have all frames", || {
            tally.lowest() == publisher.sent
        })
        .await,
    );
    judge(&tally, from)?;
    drop(readers);
    Ok(run)
}

fn judge(tally: &Deliveries, from: u64) -> Result<()> {
    match tally.objection(from) {
        Some(objection) => bail!("deliveries were wrong: {objection}"),
        None => Ok(()),
    }
}

fn read_all(connections: Vec<(Socket, Dialect)>, tally: &Arc<Deliveries>) -> JoinSet<()> {
    let mut readers = JoinSet::new();
    for (own, (socket, dialect)) in connections.into_iter().enumerate() {
        readers.spawn(fanout_client::read(socket, dialect, Arc::clone(tally), own));
    }
    readers
}

async fn await_that(what: &str, is_so: impl Fn() -> bool) -> Result<()> {
    let began = host::now();
    while !is_so() {
        if began.elapsed() > WITHIN {
            bail!("not in {} s: {what}", WITHIN.as_secs());
        }
        sleep(POLL).await;
    }
    Ok(())
}

/// The measured phase and its start.
struct Phase {
    began: Instant,
    usage: Usage,
    own_cpu_us: u64,
    delivered: u64,
}

impl Phase {
    fn begin(tally: &Deliveries, usage: impl FnOnce() -> Usage) -> Self {
        tally.recorder.begin();
        Self {
            usage: usage(),
            own_cpu_us: Usage::of(std::process::id()).cpu_us,
            delivered: tally.delivered(),
            began: host::now(),
        }
    }

    fn end(self, tally: &Deliveries, after: Usage, rss: u64, subscribers: usize) -> Result<Run> {
        let delivered = tally.recorder.counts().get(Counter::Deliveries) - self.delivered;
        let seconds = self.began.elapsed().as_secs_f64();
        tally.recorder.end();
        let own = Usage::of(std::process::id())
            .cpu_us
            .saturating_sub(self.own_cpu_us);
        let cpu_us = after.cpu_us.saturating_sub(self.usage.cpu_us);
        if delivered == 0 || cpu_us == 0 {
            bail!("nothing was delivered while it was measured");
        }
        Ok(Run {
            measured_s: seconds,
            deliveries: delivered,
            deliveries_per_s: number(delivered) / seconds,
            server_cpu_us_per_delivery: number(cpu_us) / number(delivered),
            deliveries_per_cpu_s: number(delivered) / number(cpu_us) * 1e6,
            bytes_per_connection: per(number(rss), number_of(subscribers)).unwrap_or(0.0),
            push_latency_us: tally.recorder.push.percentiles(),
            harness_cores: number(own) / 1e6 / seconds,
        })
    }
}

fn number_of(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

/// Sends the frames of turns by the schedule of `hot`.
struct Publisher<'a> {
    socket: Socket,
    dialect: Dialect,
    args: &'a HotArgs,
    rng: Rng,
    sent: u64,
}

impl<'a> Publisher<'a> {
    async fn enter(product: Product, address: &str, args: &'a HotArgs, rng: Rng) -> Result<Self> {
        let (socket, dialect) = fanout_client::enter(product, address, Role::Publishes).await?;
        Ok(Self {
            socket,
            dialect,
            args,
            rng,
            sent: 0,
        })
    }

    async fn publish(&mut self, tally: &Deliveries, time: Duration) -> Result<()> {
        let began = host::now();
        let mut due = began;
        for turn in 1.. {
            due += self.args.pacing().pause(turn, &mut self.rng);
            if due.saturating_duration_since(began) > time {
                self.wait_until(began + time).await?;
                return Ok(());
            }
            self.wait_until(due).await?;
            self.turn(tally, due).await?;
        }
        Ok(())
    }

    /// Sends the frames of one turn.
    async fn turn(&mut self, tally: &Deliveries, due: Instant) -> Result<()> {
        let stamp = tally.recorder.moment_us(due);
        for length in FRAME_BYTES {
            self.sent += 1;
            let mut frame = BytesMut::zeroed(length - STAMP_BYTES);
            frame.put_u64(self.sent);
            frame.put_u64(stamp);
            let frame: Bytes = frame.freeze();
            self.socket.feed(self.dialect.publication(&frame)).await?;
        }
        self.socket.flush().await?;
        Ok(())
    }

    /// Reads the product's messages to the publisher.
    async fn wait_until(&mut self, due: Instant) -> Result<()> {
        let nobody = Deliveries::new(0);
        loop {
            tokio::select! {
                biased;
                () = sleep_until(due) => return Ok(()),
                message = self.socket.next() => {
                    let message = message.context("the product closed the publisher's connection")??;
                    if let Some(answer) = self.dialect.hear(message, &nobody, 0)? {
                        self.socket.send(answer).await?;
                    }
                }
            }
        }
    }
}

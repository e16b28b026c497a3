//! Loads a bare server as `hot` loads Tilewire: subscribers, and turns by the same schedule.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use bytes::{BufMut, Bytes, BytesMut};
use futures::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::{sleep_until, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

use super::serve::{PUBLISHER, pack};
use super::{FloorKind, FloorMetrics};
use tilewire_loadtest::host::{self, Cores};
use tilewire_loadtest::options::CommonOptions;
use tilewire_loadtest::process::Usage;
use tilewire_loadtest::recorder::{Counter, Recorder};
use tilewire_loadtest::rng::Rng;
use tilewire_loadtest::scenario::hot::HotArgs;
use tilewire_loadtest::stats::{number, per};

/// Bytes of the frames of a turn on Tilewire: `passed` and `turn_started` of an untimed game.
pub(crate) const FRAME_BYTES: [usize; 2] = [88, 172];
/// The length of the timestamp at the end of each frame: when the frame was due.
const STAMP_BYTES: usize = 8;
/// How long a subscriber waits for the confirmation.
pub(super) const COME_WITHIN: Duration = Duration::from_secs(60);

pub(super) type Socket = WebSocketStream<TcpStream>;

/// The process of a bare server, on the server's cores. Dropping the value ends the process.
pub(super) struct Process(Child);

impl Process {
    /// Its id.
    pub(super) fn pid(&self) -> u32 {
        self.0.id()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The process may have ended already.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// Loads a bare server as `hot` loads Tilewire.
///
/// # Errors
/// If the bare server does not start, or a client cannot subscribe.
pub(super) async fn run(
    kind: FloorKind,
    args: &HotArgs,
    common: &CommonOptions,
    seed: u64,
) -> Result<FloorMetrics> {
    let cores = Cores::split(common.server_cores.as_deref())?;
    let (process, address) = start(kind, &cores)?;
    let recorder = Arc::new(Recorder::new());
    let mut subscribers = JoinSet::new();
    for _ in 0..args.spectators {
        let mut socket = connect(&address).await?;
        socket
            .send(Message::binary(Bytes::from_static(b"?")))
            .await?;
        let decoded = timeout(COME_WITHIN, socket.next()).await?;
        decoded.context("the floor hung up")??;
        subscribers.spawn(subscribe(socket, Arc::clone(&recorder)));
    }
    let mut publisher = connect(&address).await?;
    publisher
        .send(Message::binary(Bytes::from_static(PUBLISHER)))
        .await?;
    let mut rng = Rng::new(seed, 0);
    publish(&mut publisher, args, &recorder, &mut rng, common.warm_up).await?;
    let pid = process.pid();
    let (usage, counts) = (Usage::of(pid), recorder.counts());
    recorder.begin();
    let began = host::now();
    publish(&mut publisher, args, &recorder, &mut rng, common.duration).await?;
    recorder.end();
    let elapsed = began.elapsed().as_secs_f64();
    let after = Usage::of(pid);
    let deliveries = recorder.counts().since(&counts).get(Counter::Deliveries);
    let cpu_s = number(after.cpu_us - usage.cpu_us) / 1e6;
    subscribers.abort_all();
    if deliveries == 0 || cpu_s == 0.0 {
        bail!("the floor delivered nothing");
    }
    Ok(FloorMetrics {
        measured_s: elapsed,
        moves_per_s: None,
        deliveries_per_s: number(deliveries) / elapsed,
        deliveries_per_cpu_s: Some(number(deliveries) / cpu_s),
        server_cpu_us_per_move: None,
        server_cpu_us_per_delivery: per(cpu_s * 1e6, deliveries),
        ack_latency_us: None,
        push_latency_us: recorder.push.percentiles(),
    })
}

async fn publish(
    publisher: &mut Socket,
    args: &HotArgs,
    recorder: &Recorder,
    rng: &mut Rng,
    time: Duration,
) -> Result<()> {
    let began = host::now();
    let mut due = began;
    for turn in 1.. {
        due += args.pacing().pause(turn, rng);
        if due.saturating_duration_since(began) > time {
            sleep_until(began + time).await;
            return Ok(());
        }
        sleep_until(due).await;
        let stamp = recorder.moment_us(due);
        let frames = FRAME_BYTES.map(|length| {
            let mut frame = BytesMut::zeroed(length - STAMP_BYTES);
            frame.put_u64(stamp);
            frame.freeze()
        });
        publisher.send(Message::binary(pack(&frames))).await?;
    }
    Ok(())
}

async fn subscribe(mut socket: Socket, recorder: Arc<Recorder>) {
    while let Some(Ok(message)) = socket.next().await {
        let Message::Binary(frame) = message else {
            continue;
        };
        let stamp = frame.last_chunk::<STAMP_BYTES>();
        let Some(stamp) = stamp.map(|stamp| u64::from_be_bytes(*stamp)) else {
            continue;
        };
        recorder.count(Counter::Deliveries);
        let now = recorder.moment_us(host::now());
        recorder.record(
            &recorder.push,
            Duration::from_micros(now.saturating_sub(stamp)),
        );
    }
}

pub(super) async fn connect(address: &str) -> Result<Socket> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let (socket, _) = tokio_tungstenite::client_async(format!("ws://{address}/"), stream).await?;
    Ok(socket)
}

/// Starts a bare server on the server's cores; returns its address.
///
/// # Errors
/// If it does not start.
pub(super) fn start(kind: FloorKind, cores: &Cores) -> Result<(Process, String)> {
    let mut command = Command::new(std::env::current_exe()?);
    command
        .args(["floor", kind.name()])
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    // A child process inherits the cores of the thread that starts it.
    host::pin(&cores.server)?;
    let child = command.spawn();
    host::pin(&cores.clients)?;
    let mut child = child.context("the floor does not start")?;
    let pipe = child.stdout.take().context("its output is piped")?;
    let process = Process(child);
    let mut line = String::new();
    BufReader::new(pipe).read_line(&mut line)?;
    let address = line.trim().rsplit_once("ws://").map(|(_, address)| address);
    let address = address.context("the floor does not say where it listens")?;
    Ok((process, address.to_owned()))
}

//! Loads a Tilewire server with connections and reports how long it takes to answer.
//!
//! Each connection is a guest that asks for the server's time again and again, one request after the other. That goes
//! the whole way through the socket, the codec, the session and back, but touches no game and no storage.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Parser;
use futures::{SinkExt, StreamExt};
use tilewire_protocol::{
    Auth, ClientMessage, Codec, Empty, SUBPROTOCOL_MSGPACK, ServerMessage, decode_server,
    encode_client,
};
use tokio::net::TcpStream;
use tokio::time::Instant;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// How long a single answer may take before the connection counts as failed.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);

/// Measures how fast a Tilewire server answers many connections at once.
#[derive(Debug, Parser)]
#[command(version)]
struct Args {
    /// The server
    #[arg(long, value_name = "URL", default_value = "ws://127.0.0.1:7780/ws")]
    server: String,
    /// Connections, all open at the same time
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=20_000))]
    connections: u32,
    /// Requests on each connection
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    requests: u32,
    /// Pause between two requests of a connection; the server limits how many it takes in a second
    #[arg(long, value_name = "MS", default_value_t = 100)]
    pause_ms: u64,
}

#[tokio::main]
async fn main() -> ExitCode {
    match run(Args::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say(&format!("tilewire-loadtest: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

async fn run(args: Args) -> Result<()> {
    let began = now();
    let guests = (0..args.connections).map(|_| guest(&args));
    let outcomes = futures::future::join_all(guests).await;
    let elapsed = began.elapsed();
    let mut times = Vec::new();
    let mut failures = Vec::new();
    for outcome in outcomes {
        match outcome {
            Ok(own) => times.extend(own),
            Err(error) => failures.push(format!("{error:#}")),
        }
    }
    times.sort_unstable();
    say(&report(&args, elapsed, &times, &failures));
    if failures.is_empty() {
        Ok(())
    } else {
        bail!(
            "{} of {} connections failed",
            failures.len(),
            args.connections
        )
    }
}

/// One connection from its handshake to its last answer; returns how long each answer took.
async fn guest(args: &Args) -> Result<Vec<Duration>> {
    let mut request = args
        .server
        .as_str()
        .into_client_request()
        .context("the server's URL")?;
    request
        .headers_mut()
        .insert("Sec-WebSocket-Protocol", SUBPROTOCOL_MSGPACK.parse()?);
    let (mut socket, _) = tokio_tungstenite::connect_async(request)
        .await
        .context("no connection")?;
    let auth = Auth {
        token: None,
        name: None,
        client: concat!("loadtest ", env!("CARGO_PKG_VERSION")).to_owned(),
    };
    ask(&mut socket, 1, &ClientMessage::Auth(auth)).await?;
    let mut times = Vec::new();
    for id in 2..args.requests + 2 {
        tokio::time::sleep(Duration::from_millis(args.pause_ms)).await;
        let asked = now();
        ask(&mut socket, u64::from(id), &ClientMessage::Time(Empty {})).await?;
        times.push(asked.elapsed());
    }
    Ok(times)
}

async fn ask(socket: &mut Socket, id: u64, message: &ClientMessage) -> Result<()> {
    let bytes = encode_client(Codec::MsgPack, id, message);
    socket
        .send(Message::binary(bytes))
        .await
        .context("the connection broke")?;
    tokio::time::timeout(ANSWER_WITHIN, answer(socket, id))
        .await
        .context("no answer in time")?
}

async fn answer(socket: &mut Socket, id: u64) -> Result<()> {
    while let Some(message) = socket.next().await {
        match message.context("the connection broke")? {
            Message::Binary(bytes) => match decode_server(Codec::MsgPack, &bytes)? {
                (answered, ServerMessage::Error(error)) if answered == id => {
                    bail!("{}: {}", error.code, error.message)
                }
                (answered, _) if answered == id => return Ok(()),
                _ => {}
            },
            Message::Close(frame) => bail!("the server closed: {frame:?}"),
            _ => {}
        }
    }
    bail!("the connection ended")
}

fn report(args: &Args, elapsed: Duration, times: &[Duration], failures: &[String]) -> String {
    let mut lines = vec![format!(
        "{} connections, {} answers in {:.1} s",
        args.connections,
        times.len(),
        elapsed.as_secs_f64()
    )];
    for (name, share) in [("median", 50), ("90 %", 90), ("99 %", 99), ("slowest", 100)] {
        // The nearest rank: the smallest time that `share` percent of the answers do not exceed.
        let rank = (times.len() * share).div_ceil(100).saturating_sub(1);
        if let Some(time) = times.get(rank) {
            lines.push(format!("{name:>8} {:8.2} ms", time.as_secs_f64() * 1000.0));
        }
    }
    lines.extend(
        failures
            .iter()
            .take(5)
            .map(|failure| format!("  failed {failure}")),
    );
    lines.join("\n")
}

#[expect(clippy::disallowed_methods, reason = "a load test measures real time")]
fn now() -> Instant {
    Instant::now()
}

#[expect(clippy::print_stdout, reason = "the report is what the program is for")]
fn say(text: &str) {
    println!("{text}");
}

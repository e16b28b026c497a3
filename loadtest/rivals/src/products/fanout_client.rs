//! Subscribers and publishers: one read loop for all servers, and the differences between their protocols.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use bytes::{Buf, Bytes, BytesMut};
use data_encoding::BASE64;
use futures::{SinkExt, StreamExt};
use tilewire_protocol::{Attach, ClientMessage, GameId};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;

use super::catalog::Product;
use super::deliveries::{Deliveries, Seen};
use tilewire_loadtest::host;
use tilewire_loadtest::link::{Link, Socket, config};
use tilewire_loadtest::shared::{Pairing, Shared};
use tilewire_loadtest::transcript::Body;

/// How long to wait for each answer of the handshake.
const STEP_WITHIN: Duration = Duration::from_secs(30);
/// The length of the trailer of each frame: its number and the time it was due.
pub(super) const STAMP_BYTES: usize = 16;
/// The request to watch.
const ATTACH_ID: u64 = 1;

/// The purpose of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// It receives every frame.
    Subscribes,
    /// It publishes the frames.
    Publishes,
}

/// The protocol of a server: how it delivers frames and which messages need an answer.
#[derive(Debug)]
pub(super) enum Dialect {
    /// Tilewire: events with sequence numbers.
    Tilewire(Arc<Shared>, Arc<Pairing>),
    /// Frames as they were published, each as one message.
    Plain,
    /// The text protocol of NATS; a message of the WebSocket ends anywhere in it.
    Nats(BytesMut),
    /// Events of Socket.IO with the frame as text.
    SocketIo,
}

/// Connects to a product.
///
/// # Errors
/// If the product refuses the connection.
pub(super) async fn enter(
    product: Product,
    address: &str,
    role: Role,
) -> Result<(Socket, Dialect)> {
    let entering = async {
        let path = match (product, role) {
            (Product::SocketIo, _) => "/socket.io/?EIO=4&transport=websocket",
            (_, Role::Subscribes) => "/sub",
            (_, Role::Publishes) => "/pub",
        };
        let mut socket = connect(address, path).await?;
        let dialect = match product {
            Product::Nchan | Product::Bun => Dialect::Plain,
            Product::Nats => {
                greet_nats(&mut socket, role).await?;
                Dialect::Nats(BytesMut::new())
            }
            Product::SocketIo => {
                greet_socket_io(&mut socket, role).await?;
                Dialect::SocketIo
            }
            Product::Colyseus | Product::Boardgame | Product::Socketioxide => bail!("it has rooms"),
        };
        Ok((socket, dialect))
    };
    timeout(STEP_WITHIN, entering)
        .await
        .context("no entrance in time")?
}

/// Connects to Tilewire and attaches to a game as a spectator.
///
/// # Errors
/// If the server refuses.
pub(super) async fn watch(
    shared: &Arc<Shared>,
    pairing: &Arc<Pairing>,
    game: &GameId,
) -> Result<(Socket, Dialect)> {
    let (mut link, _) = Link::enter(&shared.address, None).await?;
    let attach = Attach {
        game: game.clone(),
        epoch: None,
        seq: None,
        code: None,
    };
    link.send(ATTACH_ID, &ClientMessage::Attach(attach)).await?;
    let dialect = Dialect::Tilewire(Arc::clone(shared), Arc::clone(pairing));
    Ok((link.into_socket(), dialect))
}

/// Connects and upgrades.
///
/// # Errors
/// If the product does not accept the connection.
pub(super) async fn connect(address: &str, path: &str) -> Result<Socket> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let url = format!("ws://{address}{path}");
    let connecting = tokio_tungstenite::client_async_with_config(url, stream, Some(config()));
    Ok(connecting.await?.0)
}

async fn greet_nats(socket: &mut Socket, role: Role) -> Result<()> {
    expect(socket, "INFO ").await?;
    let options = r#"{"verbose":false,"pedantic":false,"echo":false,"lang":"rust","version":"1"}"#;
    let subscription = match role {
        Role::Subscribes => "SUB game 1\r\n",
        Role::Publishes => "",
    };
    let hello = format!("CONNECT {options}\r\n{subscription}PING\r\n");
    socket.send(Message::binary(hello)).await?;
    expect(socket, "PONG").await
}

async fn greet_socket_io(socket: &mut Socket, role: Role) -> Result<()> {
    expect(socket, "0{").await?;
    let hello = match role {
        Role::Subscribes => "40",
        Role::Publishes => r#"40{"publishes":true}"#,
    };
    socket.send(Message::text(hello)).await?;
    expect(socket, "40{").await
}

/// Waits for a message that begins with `start`.
///
/// # Errors
/// If another message arrives.
pub(super) async fn expect(socket: &mut Socket, start: &str) -> Result<()> {
    loop {
        let message = socket.next().await.context("it hung up")??;
        let data = message.into_data();
        if data.starts_with(start.as_bytes()) {
            return Ok(());
        }
        // Some Socket.IO servers send a ping immediately.
        if data.as_ref() != b"2" {
            let said = String::from_utf8_lossy(&data);
            bail!("{said:?} came in place of {start}");
        }
        socket.send(Message::text("3")).await?;
    }
}

impl Dialect {
    /// A frame as a publisher sends it.
    pub(super) fn publication(&self, frame: &Bytes) -> Message {
        match self {
            Self::Tilewire(..) | Self::Plain => Message::binary(frame.clone()),
            Self::Nats(_) => {
                let mut line = BytesMut::from(format!("PUB game {}\r\n", frame.len()).as_bytes());
                line.extend_from_slice(frame);
                line.extend_from_slice(b"\r\n");
                Message::binary(line)
            }
            Self::SocketIo => {
                Message::text(format!("42[\"publish\",\"{}\"]", BASE64.encode(frame)))
            }
        }
    }

    /// Handles a message; returns the answer that it needs, if any.
    ///
    /// # Errors
    /// If the message is not part of this protocol.
    pub(super) fn hear(
        &mut self,
        message: Message,
        tally: &Deliveries,
        own: usize,
    ) -> Result<Option<Message>> {
        match (self, message) {
            (Self::Tilewire(shared, pairing), Message::Binary(frame)) => {
                hear_event(shared, pairing, &frame, tally, own)?;
            }
            (Self::Plain, Message::Binary(frame)) => tally.stamped(own, &frame),
            (Self::Nats(rest), Message::Binary(data)) => {
                rest.extend_from_slice(&data);
                return hear_nats(rest, tally, own);
            }
            (Self::SocketIo, Message::Text(text)) => match text.as_str() {
                "2" => return Ok(Some(Message::text("3"))),
                text => {
                    let event = text.strip_prefix("42[\"event\",\"");
                    if let Some(encoded) = event.and_then(|rest| rest.strip_suffix("\"]")) {
                        tally.stamped(own, &BASE64.decode(encoded.as_bytes())?);
                    }
                }
            },
            // Control frames, which the library answers, and Nchan's messages to publishers.
            _ => {}
        }
        Ok(None)
    }
}

fn hear_event(
    shared: &Shared,
    pairing: &Pairing,
    frame: &Bytes,
    tally: &Deliveries,
    own: usize,
) -> Result<()> {
    let told = shared.frames.decode(frame).map_err(anyhow::Error::msg)?;
    match &told.body {
        Body::Event {
            seq,
            turn_no,
            is_end,
            ..
        } => {
            let late =
                turn_no.and_then(|turn| pairing.since_due(&shared.recorder, turn, host::now()));
            tally.take(own, Seen { number: *seq, late });
            if *is_end {
                tally.ended();
            }
        }
        Body::Snapshot { seq, .. } => tally.from(own, *seq),
        Body::Other(_) => {}
    }
    Ok(())
}

/// Consumes every complete line and message in the buffer.
fn hear_nats(rest: &mut BytesMut, tally: &Deliveries, own: usize) -> Result<Option<Message>> {
    let mut answer = None;
    while let Some(end) = rest.windows(2).position(|two| two == b"\r\n") {
        let line = std::str::from_utf8(&rest[..end])?;
        if let Some(head) = line.strip_prefix("MSG ") {
            let length: usize = head.rsplit(' ').next().context("no length")?.parse()?;
            let whole = end + 2 + length + 2;
            if rest.len() < whole {
                break;
            }
            tally.stamped(own, &rest[end + 2..end + 2 + length]);
            rest.advance(whole);
            continue;
        }
        match line {
            "PING" => answer = Some(Message::binary(Bytes::from_static(b"PONG\r\n"))),
            "PONG" | "+OK" => {}
            line if line.starts_with("INFO ") => {}
            other => bail!("NATS says {other:?}"),
        }
        rest.advance(end + 2);
    }
    Ok(answer)
}

/// Reads until the connection ends.
pub(super) async fn read(
    mut socket: Socket,
    mut dialect: Dialect,
    tally: Arc<Deliveries>,
    own: usize,
) {
    while let Some(message) = socket.next().await {
        let heard = match message {
            Ok(message) => dialect.hear(message, &tally, own),
            Err(error) => Err(error.into()),
        };
        match heard {
            Ok(Some(answer)) => drop(socket.send(answer).await),
            Ok(None) => {}
            Err(error) => tally.fault(format!("subscriber {own}: {error}")),
        }
    }
    tally.lost();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamped(number: u64) -> Bytes {
        let mut frame = vec![b'\r'; 20];
        frame.extend_from_slice(&number.to_be_bytes());
        frame.extend_from_slice(&[0; 8]);
        frame.into()
    }

    #[test]
    fn nats_lines_may_be_cut_anywhere() {
        let mut stream = b"INFO {}\r\n+OK\r\n".to_vec();
        for number in 1..=3 {
            let Message::Binary(line) =
                Dialect::Nats(BytesMut::new()).publication(&stamped(number))
            else {
                panic!("NATS takes bytes")
            };
            let line = String::from_utf8_lossy(&line).replacen("PUB game", "MSG game 1", 1);
            stream.extend_from_slice(line.as_bytes());
        }
        stream.extend_from_slice(b"PING\r\n");
        for size in 1..stream.len() {
            let (tally, mut dialect) = (Deliveries::groups(1, 1), Dialect::Nats(BytesMut::new()));
            let mut answers = 0;
            for piece in stream.chunks(size) {
                let message = Message::binary(Bytes::copy_from_slice(piece));
                let answer = dialect
                    .hear(message, &tally, 0)
                    .expect("NATS as it is spoken");
                answers += usize::from(answer.is_some());
            }
            assert_eq!((tally.lowest(), tally.delivered(), answers), (3, 3, 1));
            assert_eq!(tally.objection(1), None);
        }
    }

    #[test]
    fn socket_io_is_answered_and_read() {
        let (tally, mut dialect) = (Deliveries::groups(1, 1), Dialect::SocketIo);
        let answer = dialect.hear(Message::text("2"), &tally, 0).expect("a ping");
        assert_eq!(answer, Some(Message::text("3")));
        let Message::Text(sent) = dialect.publication(&stamped(1)) else {
            panic!("Socket.IO takes text")
        };
        let event = sent.replacen("publish", "event", 1);
        dialect
            .hear(Message::text(event), &tally, 0)
            .expect("an event");
        assert_eq!(tally.delivered(), 1);
        assert!(
            dialect
                .hear(Message::text("42[\"event\",\"!\"]"), &tally, 0)
                .is_err()
        );
    }
}

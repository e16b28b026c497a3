//! The life of a WebSocket: threads with a low priority serve it until its client plays a game, then the main runtime
//! does.

use std::future::Future;
use std::sync::Arc;

use futures::{Sink, Stream, StreamExt};
use tilewire_protocol::{Codec, limits};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedWriteHalf;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::error::Error as SocketError;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

use super::admission::{OpenSocket, Slot};
use super::client::{Client, Writer};
use super::meter::Meter;
use super::reader;
use super::services::Services;
use tilewire_delivery::outbound::{
    DirectSocket, FrameWriter, Outbox, Sink as OutboxSink, WriterBounds, write_direct, write_stream,
};

/// The read buffer of a connection, bytes. Every connection keeps it, and nearly all messages of clients are far
/// smaller; the library's own 128 KiB would be most of what a connection costs.
const READ_BYTES: usize = 512;

/// Serves a WebSocket over TCP from its first frame to its last. `early` are bytes that came with the handshake.
pub(super) async fn serve_plain(
    services: Arc<Services>,
    stream: TcpStream,
    early: Vec<u8>,
    codec: Codec,
    slot: Arc<Slot>,
) {
    let (reader, socket) = stream.into_split();
    let meter = services.meter(slot.address());
    let stream = reader::frames(reader, early, Arc::clone(&meter), reading()).await;
    let socket = Arc::new(socket);
    let main = services.main_runtime.clone();
    let sink = OutboxSink::Direct(DirectSocket {
        socket: Arc::<OwnedWriteHalf>::clone(&socket),
        codec,
        at_once: services.config.limits.write_bytes,
    });
    let session = Session::begin(
        services,
        stream,
        codec,
        (Some(slot), meter),
        sink,
        |outbox, bounds| main.spawn(write_direct(outbox, socket, bounds)),
    );
    main.spawn(session.until_it_plays().await.until_ended());
}

/// Serves a WebSocket over another stream of bytes, such as TLS.
pub(super) async fn serve_bytes<S>(
    services: Arc<Services>,
    stream: S,
    early: Vec<u8>,
    codec: Codec,
    slot: Arc<Slot>,
) where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let (reader, writer) = tokio::io::split(stream);
    let meter = services.meter(slot.address());
    let stream = reader::frames(reader, early, Arc::clone(&meter), reading()).await;
    let frames = FrameWriter::new(writer);
    let main = services.main_runtime.clone();
    let sink = OutboxSink::Stream;
    let session = Session::begin(
        services,
        stream,
        codec,
        (Some(slot), meter),
        sink,
        |outbox, bounds| main.spawn(write_stream(frames, outbox, codec, bounds)),
    );
    main.spawn(session.until_it_plays().await.until_ended());
}

fn reading() -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(READ_BYTES)
        .max_frame_size(Some(limits::CLIENT_FRAME_MAX_BYTES))
        .max_message_size(Some(limits::CLIENT_FRAME_MAX_BYTES))
}

/// Serves one client over a stream of messages, on the caller's task.
pub async fn serve_messages<S>(services: Arc<Services>, socket: S, codec: Codec)
where
    S: Stream<Item = Result<Message, SocketError>>
        + Sink<Message, Error = SocketError>
        + Send
        + Unpin
        + 'static,
{
    let (messages, stream) = socket.split();
    let sink = OutboxSink::Stream;
    let from = (None, services.meter(None));
    let session = Session::begin(services, stream, codec, from, sink, |outbox, bounds| {
        tokio::spawn(write_stream(messages, outbox, codec, bounds))
    });
    session.until_ended().await;
}

/// A WebSocket that is being served.
struct Session<R> {
    client: Client,
    stream: R,
    writer: Writer,
    open: OpenSocket,
    has_ended: bool,
}

impl<R> Session<R>
where
    R: Stream<Item = Result<Message, SocketError>> + Send + Unpin,
{
    /// Makes the outbox and its writer, and sends the first message.
    fn begin(
        services: Arc<Services>,
        stream: R,
        codec: Codec,
        (slot, meter): (Option<Arc<Slot>>, Arc<Meter>),
        sink: OutboxSink,
        start_writer: impl FnOnce(Arc<Outbox>, WriterBounds) -> Writer,
    ) -> Self {
        let address = slot.as_ref().and_then(|slot| slot.address());
        let outbox = Outbox::new(services.config.limits.outbox_bytes, sink)
            .counting(services.backlogs.of(address));
        let outbox = Arc::new(outbox);
        let bounds = WriterBounds {
            at_once: services.config.limits.write_bytes,
            stall: services.config.timing.write_stall_ms.to_duration(),
        };
        let writer = start_writer(Arc::clone(&outbox), bounds);
        let open = services.connections.socket();
        let client = Client::new(services, codec, outbox, slot, meter);
        client.greet();
        Self {
            client,
            stream,
            writer,
            open,
            has_ended: false,
        }
    }

    /// Serves the client until it plays a game or its connection has ended.
    async fn until_it_plays(mut self) -> Self {
        while !self.has_ended && !self.client.plays {
            self.step().await;
        }
        self
    }

    /// Serves the client until its connection has ended.
    #[expect(
        clippy::manual_async_fn,
        reason = "it lives as long as the connection: an argument of an `async fn` stays in it beside what became of it"
    )]
    fn until_ended(mut self) -> impl Future<Output = ()> + Send {
        async move {
            while !self.has_ended {
                self.step().await;
            }
            self.client.leave();
            drop(self.open);
            // The client gets a moment to answer the close frame.
            let linger = self
                .client
                .services
                .config
                .timing
                .close_linger_ms
                .to_duration();
            drop(
                tokio::time::timeout(linger, async {
                    while let Some(Ok(_)) = self.stream.next().await {}
                })
                .await,
            );
        }
    }

    async fn step(&mut self) {
        let step = self.client.step(&mut self.stream, &mut self.writer);
        self.has_ended = step.await.is_break();
        // A client that sends without end leaves its turn to others after a while.
        tokio::task::coop::consume_budget().await;
    }
}

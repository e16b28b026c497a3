//! The life of one client's connection: greeted at the door, served inside, let go.

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
use super::reader;
use super::services::Services;
use super::socket::{Connection, Writer, ms};
use crate::outbound::{
    DirectSocket, FrameWriter, Outbox, Sink as OutboxSink, WriterBounds, write_direct, write_stream,
};

/// What one connection reads at once, bytes. Every connection keeps this much for as long as it lives, and nearly all
/// that clients send is far smaller; the library's own 128 KiB would be most of what a connection costs.
const READ_BYTES: usize = 512;

/// Speaks WebSocket with one client from its first frame to its last; who has been greeted moves inside. `early` are bytes
/// that came with the handshake.
pub(super) async fn serve_plain(
    services: Arc<Services>,
    stream: TcpStream,
    early: Vec<u8>,
    codec: Codec,
    slot: Arc<Slot>,
) {
    let (reader, socket) = stream.into_split();
    let stream = reader::frames(reader, early, reading()).await;
    let socket = Arc::new(socket);
    let main = services.main_runtime.clone();
    let sink = OutboxSink::Direct(DirectSocket {
        socket: Arc::<OwnedWriteHalf>::clone(&socket),
        codec,
        at_once: services.config.limits.write_bytes,
    });
    let served = Served::begin(
        services,
        stream,
        codec,
        Some(slot),
        sink,
        |outbox, bounds| main.spawn(write_direct(outbox, socket, bounds)),
    );
    main.spawn(served.greeted().await.until_gone());
}

/// The same over anything else that carries bytes.
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
    let stream = reader::frames(reader, early, reading()).await;
    let frames = FrameWriter::new(writer);
    let main = services.main_runtime.clone();
    let sink = OutboxSink::Stream;
    let served = Served::begin(
        services,
        stream,
        codec,
        Some(slot),
        sink,
        |outbox, bounds| main.spawn(write_stream(frames, outbox, codec, bounds)),
    );
    main.spawn(served.greeted().await.until_gone());
}

fn reading() -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(READ_BYTES)
        .max_frame_size(Some(limits::CLIENT_FRAME_MAX_BYTES))
        .max_message_size(Some(limits::CLIENT_FRAME_MAX_BYTES))
}

/// Serves one client over anything that carries WebSocket messages.
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
    let served = Served::begin(services, stream, codec, None, sink, |outbox, bounds| {
        tokio::spawn(write_stream(messages, outbox, codec, bounds))
    });
    served.until_gone().await;
}

/// A client that is being served.
struct Served<R> {
    connection: Connection,
    stream: R,
    writer: Writer,
    open: OpenSocket,
    is_over: bool,
}

impl<R> Served<R>
where
    R: Stream<Item = Result<Message, SocketError>> + Send + Unpin,
{
    /// Begins to serve a client.
    fn begin(
        services: Arc<Services>,
        stream: R,
        codec: Codec,
        slot: Option<Arc<Slot>>,
        sink: OutboxSink,
        start_writer: impl FnOnce(Arc<Outbox>, WriterBounds) -> Writer,
    ) -> Self {
        let outbox = Arc::new(Outbox::new(services.config.limits.outbox_bytes, sink));
        let bounds = WriterBounds {
            at_once: services.config.limits.write_bytes,
            stall: ms(services.config.timing.write_stall_ms),
        };
        let writer = start_writer(Arc::clone(&outbox), bounds);
        let open = services.connections.socket();
        let connection = Connection::new(services, codec, outbox, slot);
        connection.greet();
        Self {
            connection,
            stream,
            writer,
            open,
            is_over: false,
        }
    }

    /// Serves it until it is somebody, or has gone.
    async fn greeted(mut self) -> Self {
        while !self.is_over && self.connection.peer.is_none() {
            self.step().await;
        }
        self
    }

    /// Serves it until it has gone.
    #[expect(
        clippy::manual_async_fn,
        reason = "it lives as long as the connection: an argument of an `async fn` stays in it beside what became of it"
    )]
    fn until_gone(mut self) -> impl Future<Output = ()> + Send {
        async move {
            while !self.is_over {
                self.step().await;
            }
            self.connection.leave();
            drop(self.open);
            // The other side gets a moment to answer the close frame; then the socket is dropped.
            let linger = ms(self.connection.services.config.timing.close_linger_ms);
            drop(
                tokio::time::timeout(linger, async {
                    while let Some(Ok(_)) = self.stream.next().await {}
                })
                .await,
            );
        }
    }

    async fn step(&mut self) {
        let step = self.connection.step(&mut self.stream, &mut self.writer);
        self.is_over = step.await.is_break();
    }
}

//! The two halves of a client's socket: frames are read by tungstenite, and written without it.
//!
//! A library's stream that both reads and writes keeps a buffer for what it wrote, as large as the largest message ever
//! was, and guards its halves against each other. Here a connection that says nothing has no buffer to write from.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures::Sink;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message};

/// Returns what reads frames from `reader`. `early` are bytes that were read with the handshake.
pub(super) async fn reader<R>(
    reader: R,
    early: Vec<u8>,
    config: WebSocketConfig,
) -> WebSocketStream<Inlet<R>>
where
    R: AsyncRead + Unpin,
{
    WebSocketStream::from_partially_read(Inlet(reader), early, Role::Server, Some(config)).await
}

/// The half that is read. Tungstenite answers pings and closes by itself; that goes nowhere, because a connection's
/// session answers through its outbox, in order with everything else and within its bounds.
#[derive(Debug)]
pub(super) struct Inlet<R>(R);

impl<R: AsyncRead + Unpin> AsyncRead for Inlet<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, buffer)
    }
}

impl<R: Unpin> AsyncWrite for Inlet<R> {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// The half that is written: what was fed goes out in as few writes as the system allows.
#[derive(Debug)]
pub struct FrameWriter<W> {
    outlet: W,
    waiting: Vec<u8>,
    /// Bytes of `waiting` that are written.
    written: usize,
}

impl<W> FrameWriter<W> {
    /// Returns what writes frames to `outlet`.
    #[must_use]
    pub const fn new(outlet: W) -> Self {
        Self {
            outlet,
            waiting: Vec::new(),
            written: 0,
        }
    }
}

impl<W: AsyncWrite + Unpin> Sink<Message> for FrameWriter<W> {
    type Error = Error;

    fn poll_ready(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }

    fn start_send(mut self: Pin<&mut Self>, message: Message) -> Result<(), Error> {
        let data = |data, bytes| Frame::message(bytes, OpCode::Data(data), true);
        let frame = match message {
            Message::Text(text) => data(Data::Text, text.into()),
            Message::Binary(bytes) => data(Data::Binary, bytes),
            Message::Ping(payload) => Frame::ping(payload),
            Message::Pong(payload) => Frame::pong(payload),
            Message::Close(reason) => Frame::close(reason),
            Message::Frame(frame) => frame,
        };
        self.waiting.reserve_exact(frame.len());
        frame.format(&mut self.waiting)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        let this = self.get_mut();
        while this.written < this.waiting.len() {
            let unwritten = &this.waiting[this.written..];
            let written = ready!(Pin::new(&mut this.outlet).poll_write(cx, unwritten))?;
            if written == 0 {
                return Poll::Ready(Err(io::Error::from(io::ErrorKind::WriteZero).into()));
            }
            this.written += written;
        }
        ready!(Pin::new(&mut this.outlet).poll_flush(cx))?;
        // A connection keeps nothing while it has nothing to write.
        (this.waiting, this.written) = (Vec::new(), 0);
        Poll::Ready(Ok(()))
    }

    fn poll_close(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.poll_flush(cx)
    }
}

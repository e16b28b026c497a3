//! Writes WebSocket frames to a byte stream, without the library that reads them.
//!
//! A library's stream that reads and writes keeps a write buffer as large as the largest message so far. Here an idle
//! connection has no write buffer.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use futures::Sink;
use tokio::io::AsyncWrite;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
use tokio_tungstenite::tungstenite::{Error, Message};

/// The written half of a WebSocket. A flush passes the fed frames on in as few writes as the system allows.
#[derive(Debug)]
pub struct FrameWriter<W> {
    stream: W,
    waiting: Vec<u8>,
    /// Bytes of `waiting` that are written.
    written: usize,
}

impl<W> FrameWriter<W> {
    /// Returns a writer of frames to `stream`.
    #[must_use]
    pub const fn new(stream: W) -> Self {
        Self {
            stream,
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
            let written = ready!(Pin::new(&mut this.stream).poll_write(cx, unwritten))?;
            if written == 0 {
                return Poll::Ready(Err(io::Error::from(io::ErrorKind::WriteZero).into()));
            }
            this.written += written;
        }
        ready!(Pin::new(&mut this.stream).poll_flush(cx))?;
        // An idle connection keeps no buffer.
        (this.waiting, this.written) = (Vec::new(), 0);
        Poll::Ready(Ok(()))
    }

    fn poll_close(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.poll_flush(cx)
    }
}

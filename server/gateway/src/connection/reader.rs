//! The read half of a client's connection: tungstenite reads its frames, and cannot write. A meter counts every byte.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};

use super::meter::Meter;

/// Returns a stream of the frames that `reader` carries. `early` are bytes that were read with the handshake.
pub(super) async fn frames<R>(
    reader: R,
    early: Vec<u8>,
    meter: Arc<Meter>,
    config: WebSocketConfig,
) -> WebSocketStream<ReadHalf<R>>
where
    R: AsyncRead + Unpin,
{
    meter.charge_bytes(early.len());
    let reader = ReadHalf {
        reader,
        meter,
        pause: None,
    };
    WebSocketStream::from_partially_read(reader, early, Role::Server, Some(config)).await
}

/// The read half. It reads nothing while a budget of the connection is overdrawn.
///
/// It discards what tungstenite writes by itself, answers to pings and close frames: the connection's session sends those
/// through the outbox, in order with all other frames and within its bounds.
#[derive(Debug)]
pub(super) struct ReadHalf<R> {
    reader: R,
    meter: Arc<Meter>,
    /// The rest of a pause; few connections ever have one.
    pause: Option<Pin<Box<Sleep>>>,
}

impl<R> ReadHalf<R> {
    /// Waits until bytes may be read.
    fn poll_pause(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        loop {
            if let Some(pause) = &mut self.pause {
                ready!(pause.as_mut().poll(cx));
                self.pause = None;
            }
            match self.meter.pause() {
                None => return Poll::Ready(()),
                Some(left) => self.pause = Some(Box::pin(tokio::time::sleep(left.to_duration()))),
            }
        }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for ReadHalf<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        ready!(self.poll_pause(cx));
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.reader).poll_read(cx, buffer))?;
        self.meter.charge_bytes(buffer.filled().len() - before);
        Poll::Ready(Ok(()))
    }
}

impl<R: Unpin> AsyncWrite for ReadHalf<R> {
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

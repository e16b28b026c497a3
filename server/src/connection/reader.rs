//! The read half of a client's connection: tungstenite reads its frames, and cannot write.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};

/// Returns a stream of the frames that `reader` carries. `early` are bytes that were read with the handshake.
pub(super) async fn frames<R>(
    reader: R,
    early: Vec<u8>,
    config: WebSocketConfig,
) -> WebSocketStream<ReadHalf<R>>
where
    R: AsyncRead + Unpin,
{
    WebSocketStream::from_partially_read(ReadHalf(reader), early, Role::Server, Some(config)).await
}

/// The read half. It discards what tungstenite writes by itself, answers to pings and close frames: the connection's session
/// sends those through the outbox, in order with all other frames and within its bounds.
#[derive(Debug)]
pub(super) struct ReadHalf<R>(R);

impl<R: AsyncRead + Unpin> AsyncRead for ReadHalf<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, buffer)
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

//! Answers to connections that are over a limit, at next to no cost for the server.
//!
//! The server answers without reading the request, so that a flood costs it no work.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;

use super::admission::Refusal;

/// Refused connections that are answered at the same time; further ones are closed without an answer.
const AT_ONCE: usize = 256;
/// Time for a refused client to read its answer. Closing a socket with unread bytes would discard the answer, so the
/// server waits for the client's end.
const WITHIN: Duration = Duration::from_secs(1);
/// Bytes of a request that are read and dropped meanwhile.
const DROPPED_BYTES: u64 = 64 * 1024;

/// Sends answers to refused connections.
#[derive(Debug)]
pub(super) struct Rejections {
    places: Arc<Semaphore>,
}

impl Default for Rejections {
    fn default() -> Self {
        Self {
            places: Arc::new(Semaphore::new(AT_ONCE)),
        }
    }
}

impl Rejections {
    /// Answers with the reason, if not too many answers are being sent.
    pub(super) fn send(&self, mut stream: TcpStream, refusal: Refusal) {
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else {
            return;
        };
        tokio::spawn(async move {
            let answer = answer(refusal);
            let said = async {
                stream.write_all(answer.as_bytes()).await?;
                stream.shutdown().await?;
                let (mut rest, mut nowhere) = (stream.take(DROPPED_BYTES), tokio::io::sink());
                tokio::io::copy(&mut rest, &mut nowhere).await
            };
            // The client may not wait for its answer.
            drop(tokio::time::timeout(WITHIN, said).await);
            drop(place);
        });
    }
}

fn answer(refusal: Refusal) -> String {
    let body = format!("{}: {}\n", refusal.name(), refusal.meaning());
    format!(
        "HTTP/1.1 {}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\nRetry-After: {}\r\n\
         Connection: close\r\n\r\n{body}",
        refusal.status(),
        body.len(),
        refusal.retry_after_s()
    )
}

#[cfg(test)]
mod tests {
    use tilewire_rules::time::Millis;

    use super::*;

    #[test]
    fn the_answer_is_http_with_a_code_and_when_to_come_again() {
        let answer = answer(Refusal::AddressTooFast(Millis(1_200)));
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(
            head.starts_with("HTTP/1.1 429 Too Many Requests\r\n"),
            "{head}"
        );
        assert!(head.contains("\r\nRetry-After: 2\r\n"), "{head}");
        assert!(
            head.contains(&format!("Content-Length: {}", body.len())),
            "{head}"
        );
        assert!(body.starts_with("address_rate: "), "{body}");
    }
}

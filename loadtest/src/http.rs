//! Plain HTTP requests, one for each connection.

use anyhow::{Context, Result};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Sends a request that closes the connection; returns the status and the body of the answer.
///
/// # Errors
/// If there is no HTTP answer.
pub(crate) async fn ask(mut stream: TcpStream, request: &str) -> Result<(u16, String)> {
    stream.write_all(request.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    let (head, body) = answer.split_once("\r\n\r\n").context("no HTTP answer")?;
    let status = head
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    Ok((status.context("no HTTP status")?, body.to_owned()))
}

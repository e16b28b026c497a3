//! Line mode: commands on stdin, one JSON object per line on stdout.

use std::io::{BufRead, BufReader, Read, Write, stdin, stdout};

use anyhow::{Context, Result};
use tokio::sync::mpsc;

use super::driver::Driver;
use crate::app::{Input, Report};
use crate::command::LINE_MAX_BYTES;

/// The number of lines that are read ahead.
const LINES_AHEAD: usize = 64;

/// Runs until the application ends; returns its exit status.
///
/// # Errors
/// Returns an error if stdout is closed, or if the token cannot be stored.
pub(super) async fn run(mut driver: Driver) -> Result<u8> {
    let mut lines = read_lines();
    let mut reports = driver.handle(Input::Started).await?;
    loop {
        write_reports(&reports)?;
        if let Some(exit) = driver.exit() {
            driver.close().await;
            return Ok(exit);
        }
        let input = tokio::select! {
            input = driver.next() => input,
            Some(input) = lines.recv() => input,
        };
        reports = driver.handle(input).await?;
    }
}

/// Writes each report as one line.
///
/// # Errors
/// Returns an error if stdout is closed.
pub(super) fn write_reports(reports: &[Report]) -> Result<()> {
    let mut out = stdout().lock();
    for report in reports {
        let mut line = serde_json::to_vec(report)?;
        line.push(b'\n');
        out.write_all(&line).context("cannot write to stdout")?;
    }
    out.flush().context("cannot write to stdout")
}

/// Reads stdin in a thread that ends with the program, because a read cannot be interrupted.
fn read_lines() -> mpsc::Receiver<Input> {
    let (sender, receiver) = mpsc::channel(LINES_AHEAD);
    std::thread::spawn(move || {
        let mut input = BufReader::new(stdin().lock());
        while let Some(line) = read_line(&mut input) {
            if sender.blocking_send(Input::Line(line)).is_err() {
                return;
            }
        }
        drop(sender.blocking_send(Input::EndOfInput));
    });
    receiver
}

/// Reads one line; skips the rest of a line that is longer than any command.
fn read_line(input: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    let limit = u64::try_from(LINE_MAX_BYTES)
        .unwrap_or(u64::MAX)
        .saturating_add(2);
    let count = input.take(limit).read_until(b'\n', &mut bytes).ok()?;
    if count == 0 {
        return None;
    }
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    } else if bytes.len() > LINE_MAX_BYTES {
        input.skip_until(b'\n').ok()?;
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_bounded_and_counted_right() {
        let long = "x".repeat(3 * LINE_MAX_BYTES);
        let text = format!("pass\r\n\n{long}\nlast");
        let mut input = text.as_bytes();
        assert_eq!(read_line(&mut input).as_deref(), Some("pass\r"));
        assert_eq!(read_line(&mut input).as_deref(), Some(""));
        assert_eq!(
            read_line(&mut input).map(|line| line.len()),
            Some(LINE_MAX_BYTES + 2)
        );
        assert_eq!(read_line(&mut input).as_deref(), Some("last"));
        assert_eq!(read_line(&mut input), None);
    }
}

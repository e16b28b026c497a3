//! `tilewire games` for people: plain text, one game or offer per line.

use std::io::{Write, stdout};

use anyhow::{Result, bail};

use super::driver::Driver;
use crate::app::{Input, Lists, Report, State};
use crate::args::format_options;
use crate::model::printable;
use crate::screen::summary;

/// Runs until the lists are there; returns the exit status.
///
/// # Errors
/// When the server cannot be reached or refuses, or the token cannot be kept.
pub(super) async fn run(mut driver: Driver) -> Result<u8> {
    let mut reports = driver.handle(Input::Started).await?;
    loop {
        for report in &reports {
            match report {
                Report::Games(lists) => write(lists)?,
                Report::Status(status)
                    if status.state == State::Closed && status.exit != Some(0) =>
                {
                    bail!(status.reason.clone().unwrap_or_default());
                }
                _ => {}
            }
        }
        if let Some(exit) = driver.exit() {
            driver.close().await;
            return Ok(exit);
        }
        let input = driver.next().await;
        reports = driver.handle(input).await?;
    }
}

fn write(lists: &Lists) -> Result<()> {
    let mut out = stdout().lock();
    writeln!(out, "Your unfinished games (tilewire play --resume GAME):")?;
    write_lines(&mut out, lists.mine.iter().map(summary))?;
    writeln!(out, "Live games (tilewire watch GAME):")?;
    write_lines(&mut out, lists.live.iter().map(summary))?;
    writeln!(out, "Open offers (tilewire play --join SEEK):")?;
    let seeks = lists.seeks.iter().map(|seek| {
        let names: Vec<String> = seek
            .members
            .iter()
            .map(|person| printable(&person.name))
            .collect();
        format!(
            "{}  {} ({} of {} seats taken), {}",
            seek.seek,
            names.join(", "),
            names.len(),
            seek.options.seats,
            format_options(&seek.options)
        )
    });
    write_lines(&mut out, seeks)?;
    Ok(())
}

fn write_lines(out: &mut impl Write, lines: impl Iterator<Item = String>) -> Result<()> {
    let mut is_empty = true;
    for line in lines {
        is_empty = false;
        writeln!(out, "  {line}")?;
    }
    if is_empty {
        writeln!(out, "  none")?;
    }
    Ok(())
}

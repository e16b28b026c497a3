//! `tilewire games`, `tilewire whoami` and `tilewire rules` as plain text.

use std::io::{Write, stdout};

use anyhow::{Result, bail};

use super::driver::Driver;
use super::rule_sets;
use crate::app::{Goal, Input, Lists, Report, State, Status};
use crate::screen::{offer_line, summary};
use crate::text::printable;

/// Runs until the answer is written; returns the exit status.
///
/// # Errors
/// Returns an error if the server cannot be reached or refuses, or if the token cannot be stored.
pub(super) async fn run(mut driver: Driver) -> Result<u8> {
    let is_about_self = *driver.app.goal() == Goal::Identify;
    let mut reports = driver.handle(Input::Started).await?;
    loop {
        for report in &reports {
            match report {
                Report::Games(lists) => write(lists)?,
                Report::RuleSets(known) => rule_sets::write_list(&mut stdout().lock(), known)?,
                Report::RuleSet(described) => {
                    rule_sets::write_description(&mut stdout().lock(), described)?;
                }
                Report::Error(_, error) => bail!(printable(&error.message)),
                Report::Status(status) if status.state == State::Connected && is_about_self => {
                    write_self(status, &driver)?;
                }
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

fn write_self(status: &Status, driver: &Driver) -> Result<()> {
    let mut out = stdout().lock();
    let name = status.name.as_deref().map(printable).unwrap_or_default();
    writeln!(out, "Name      {name}")?;
    if let Some(identity) = &status.identity {
        writeln!(out, "Identity  {}", printable(identity.as_str()))?;
    }
    writeln!(out, "Server    {}", driver.url())?;
    writeln!(out, "Stored in {}", driver.profile().path().display())?;
    Ok(())
}

fn write(lists: &Lists) -> Result<()> {
    let mut out = stdout().lock();
    writeln!(out, "Your unfinished games (tilewire play --resume GAME):")?;
    write_lines(&mut out, lists.mine.iter().map(summary))?;
    writeln!(out, "Live games (tilewire watch GAME):")?;
    write_lines(&mut out, lists.live.iter().map(summary))?;
    writeln!(out, "Open offers (tilewire play --join SEEK):")?;
    let seeks = lists
        .seeks
        .iter()
        .map(|seek| format!("{}  {}", printable(seek.seek.as_str()), offer_line(seek)));
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

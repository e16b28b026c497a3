//! `tilewire games`, `whoami`, `rules` and `lookup`: the answer as text, or as a JSON object.

use std::io::{Write, stdout};
use std::path::Path;

use anyhow::{Result, bail};
use serde::Serialize;
use tilewire_protocol::limits::FINISHED_GAMES;
use tilewire_protocol::{GameSummary, IdentityId, LookedUpWord};

use super::driver::Driver;
use super::rule_sets;
use crate::app::{Goal, Input, Lists, Report, State, Status};
use crate::lexicon::EXIT_NO;
use crate::screen::{offer_line, summary, with_turn};
use crate::text::{Invocation, ago, printable, rating_note};

/// Runs until the answer is written, as text or as a JSON object; returns the exit status.
///
/// # Errors
/// Returns an error if the server cannot be reached or refuses, or if the token cannot be stored.
pub(super) async fn run(mut driver: Driver, as_json: bool) -> Result<u8> {
    let mut reports = driver.handle(Input::Started).await?;
    let mut answer = 0;
    loop {
        for report in &reports {
            if let Report::Words(words) = report
                && words.iter().any(|word| !word.valid)
            {
                answer = EXIT_NO;
            }
            match report {
                Report::Games(_)
                | Report::Finished(_)
                | Report::RuleSets(_)
                | Report::RuleSet(_)
                | Report::Words(_)
                    if as_json =>
                {
                    writeln!(stdout(), "{}", serde_json::to_string(report)?)?;
                }
                Report::Games(lists) => write(lists, &driver)?,
                Report::Finished(games) => {
                    let now = driver.app.server_time(driver.clock.now());
                    write_finished(games, driver.app.invocation(), now)?;
                }
                Report::RuleSets(known) => rule_sets::write_list(&mut stdout().lock(), known)?,
                Report::RuleSet(described) => {
                    rule_sets::write_description(&mut stdout().lock(), described)?;
                }
                Report::Words(words) => write_words(words)?,
                Report::Error(_, error) => bail!(printable(&error.message)),
                Report::Status(status) => write_status(status, &driver, as_json)?,
                _ => {}
            }
        }
        if let Some(exit) = driver.exit() {
            driver.close().await;
            return Ok(exit.max(answer));
        }
        let input = driver.next().await;
        reports = driver.handle(input).await?;
    }
}

/// Runs until the server has given an identity. The driver stores the token.
///
/// # Errors
/// Returns an error if the server cannot be reached or refuses, or if the token cannot be stored.
pub(super) async fn identify(mut driver: Driver) -> Result<()> {
    let mut reports = driver.handle(Input::Started).await?;
    loop {
        for report in &reports {
            match report {
                Report::Error(_, error) => bail!(printable(&error.message)),
                Report::Status(status) if is_failure(status) => {
                    bail!(status.reason.clone().unwrap_or_default());
                }
                _ => {}
            }
        }
        if driver.exit().is_some() {
            driver.close().await;
            return Ok(());
        }
        let input = driver.next().await;
        reports = driver.handle(input).await?;
    }
}

/// Whether the program ends with an error.
fn is_failure(status: &Status) -> bool {
    status.state == State::Closed && status.exit != Some(0)
}

/// Writes the identity, if the user asked for it.
///
/// # Errors
/// Returns an error if the program ends with one.
fn write_status(status: &Status, driver: &Driver, as_json: bool) -> Result<()> {
    match status.state {
        State::Closed if is_failure(status) => {
            bail!(status.reason.clone().unwrap_or_default());
        }
        State::Connected if *driver.app.goal() == Goal::Identify => {
            let identity = Identity {
                kind: "identity",
                name: status.name.as_deref().map(printable).unwrap_or_default(),
                identity: status.identity.as_ref(),
                server: driver.url(),
                file: driver.profile().path(),
            };
            identity.write(as_json)
        }
        _ => Ok(()),
    }
}

/// The answer of `tilewire whoami`.
#[derive(Serialize)]
struct Identity<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    name: String,
    identity: Option<&'a IdentityId>,
    server: &'a str,
    file: &'a Path,
}

impl Identity<'_> {
    fn write(&self, as_json: bool) -> Result<()> {
        let mut out = stdout().lock();
        if as_json {
            writeln!(out, "{}", serde_json::to_string(self)?)?;
            return Ok(());
        }
        writeln!(out, "Name      {}", self.name)?;
        if let Some(identity) = self.identity {
            writeln!(out, "Identity  {}", printable(identity.as_str()))?;
        }
        writeln!(out, "Server    {}", self.server)?;
        writeln!(out, "Stored in {}", self.file.display())?;
        Ok(())
    }
}

fn write(lists: &Lists, driver: &Driver) -> Result<()> {
    let (invocation, own) = (driver.app.invocation(), driver.app.identity());
    let now = driver.app.server_time(driver.clock.now());
    let mut out = stdout().lock();
    let title = |title: &str, args: &[&str]| format!("{title} ({}):", invocation.command(args));
    let resume = title("Your unfinished games", &["play", "--resume", "GAME"]);
    writeln!(out, "{resume}")?;
    let mine = lists.mine.iter().map(|game| with_turn(game, own, now));
    write_lines(&mut out, mine)?;
    writeln!(out, "{}", title("Live games", &["watch", "GAME"]))?;
    write_lines(&mut out, lists.live.iter().map(summary))?;
    let join = title("Open offers", &["play", "--join", "SEEK"]);
    writeln!(out, "{join}")?;
    let seeks = lists
        .seeks
        .iter()
        .map(|seek| format!("{}  {}", printable(seek.seek.as_str()), offer_line(seek)));
    write_lines(&mut out, seeks)?;
    Ok(())
}

fn write_words(words: &[LookedUpWord]) -> Result<()> {
    let mut out = stdout().lock();
    for LookedUpWord { word, valid } in words {
        let verdict = if *valid { "valid" } else { "not valid" };
        writeln!(out, "{}  {verdict}", printable(word))?;
    }
    Ok(())
}

/// Writes finished games; `now` is the server's time.
fn write_finished(games: &[GameSummary], invocation: &Invocation, now: i64) -> Result<()> {
    let mut out = stdout().lock();
    let show = invocation.command(&["record", "show", "GAME"]);
    writeln!(out, "Your finished games ({show}):")?;
    write_lines(&mut out, games.iter().map(|game| finished_line(game, now)))?;
    match games.last() {
        Some(last) if games.len() >= FINISHED_GAMES => {
            let older = ["games", "--finished", "--before", last.game.as_str()];
            writeln!(out, "Older games: {}", invocation.command(&older))?;
        }
        _ => {}
    }
    Ok(())
}

/// A finished game in one line, with its players in rank order.
fn finished_line(game: &GameSummary, now: i64) -> String {
    let mut seats: Vec<_> = game.seats.iter().collect();
    seats.sort_by_key(|seat| seat.rank);
    let seats = seats.into_iter().map(|seat| {
        let place = seat
            .rank
            .map_or_else(String::new, |rank| format!("{rank}. "));
        let rating = rating_note(seat.rating.as_ref());
        format!("{place}{}{rating} {}", printable(&seat.name), seat.score)
    });
    let seats: Vec<String> = seats.collect();
    let ended = game.ended_at.map_or_else(String::new, |at| {
        format!(", {}", ago(now.saturating_sub(at)))
    });
    let turns = match game.turn_no {
        1 => "1 turn".to_owned(),
        turns => format!("{turns} turns"),
    };
    format!(
        "{}  {}  ({}, {turns}{ended})",
        printable(game.game.as_str()),
        seats.join("  "),
        printable(&game.rule_set)
    )
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

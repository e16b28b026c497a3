//! `tilewire bot`: a bot that plays on a server as any other client does.

use std::io::{Write, stdout};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use tilewire_rules::bot::{Bot, BotLevel, BotWords};
use tilewire_rules::lexicon::{FstLexicon, Lexicon};
use tokio::time::sleep;

use super::driver::Driver;
use super::line_mode::write_reports;
use crate::app::{Input, Report, State};
use crate::bots::Brain;
use crate::model::printable;

/// How a bot plays.
pub(super) struct Manner {
    pub(super) level: BotLevel,
    pub(super) words: Arc<BotWords>,
    pub(super) lexicon_hash: [u8; 32],
    /// How long it takes to act, ms: from, to.
    pub(super) pause_ms: (i64, i64),
    pub(super) seed: u64,
    pub(super) as_json: bool,
}

/// Opens the words a bot plays with: a file, or the list that is part of the program.
///
/// # Errors
/// When the file is no lexicon.
pub(super) fn words(file: Option<&Path>) -> Result<(Arc<BotWords>, [u8; 32])> {
    let lexicon = match file {
        None => FstLexicon::builtin(),
        Some(path) => {
            let bytes = std::fs::read(path)
                .with_context(|| format!("{} cannot be read", path.display()))?;
            let lexicon = FstLexicon::from_bytes("lexicon", bytes)
                .with_context(|| format!("{} is no lexicon", path.display()))?;
            Arc::new(lexicon)
        }
    };
    let words = lexicon
        .laid_out()
        .context("the lexicon cannot be laid out")?;
    Ok((words, *lexicon.hash()))
}

/// A line that is typed when the bot has thought about it long enough.
struct Intent {
    line: String,
    /// When, by the client's clock, ms.
    due: i64,
}

/// Plays one game to its end; returns the exit status.
///
/// # Errors
/// When the server cannot be reached or refuses, or the bot lacks the lexicon.
pub(super) async fn run(mut driver: Driver, manner: &Manner) -> Result<u8> {
    let mut brain: Option<Brain> = None;
    let mut intent: Option<Intent> = None;
    let mut reports = driver.handle(Input::Started).await?;
    loop {
        tell(&reports, manner)?;
        let is_refused = reports
            .iter()
            .any(|report| matches!(report, Report::Error(Some(_), _) | Report::BadInput(..)));
        if let Some(exit) = driver.exit() {
            driver.close().await;
            return Ok(exit);
        }
        // What was refused because it is not asked any more, in the middle of a challenge, is no reason to pass.
        let line = if is_refused && is_wanted(&driver, brain.as_ref()) {
            brain.as_ref().and_then(Brain::plainest).map(str::to_owned)
        } else {
            next_line(&driver, manner, &mut brain)?
        };
        if let Some(line) = line {
            intent = Some(Intent {
                line,
                due: driver.clock.now() + pause(&driver, manner),
            });
        }
        reports = match wait(&mut driver, &mut intent).await {
            Input::Line(_) if !is_wanted(&driver, brain.as_ref()) => Vec::new(),
            input => driver.handle(input).await?,
        };
    }
}

fn pause(driver: &Driver, manner: &Manner) -> i64 {
    let turn = driver.app.table().map_or(0, |table| table.turn_no);
    Bot::pause_ms(manner.seed, turn, manner.pause_ms)
}

/// Waits for what happens next; the game goes on while the bot thinks.
async fn wait(driver: &mut Driver, intent: &mut Option<Intent>) -> Input {
    let Some(Intent { due, .. }) = intent else {
        return driver.next().await;
    };
    let pause = driver.clock.until(*due);
    tokio::select! {
        input = driver.next() => input,
        () = sleep(pause) => {
            intent.take().map_or(Input::Tick, |intent| Input::Line(intent.line))
        }
    }
}

/// Whether what the bot was about to say still answers what is asked.
fn is_wanted(driver: &Driver, brain: Option<&Brain>) -> bool {
    let table = driver.app.table();
    brain
        .zip(table)
        .is_some_and(|(brain, table)| brain.is_at(table))
}

fn next_line(
    driver: &Driver,
    manner: &Manner,
    brain: &mut Option<Brain>,
) -> Result<Option<String>> {
    let Some(table) = driver.app.table() else {
        return Ok(None);
    };
    let brain = match brain {
        Some(brain) => brain,
        None => brain.insert(Brain::new(
            manner.level,
            &manner.words,
            &manner.lexicon_hash,
            &table.setup,
            manner.seed,
        )?),
    };
    Ok(brain.line(table))
}

/// Says what happens: everything as JSON, or in a line what matters.
fn tell(reports: &[Report], manner: &Manner) -> Result<()> {
    if manner.as_json {
        return write_reports(reports);
    }
    let mut out = stdout().lock();
    for report in reports {
        match report {
            Report::Seek(seek) => writeln!(out, "offering {}", printable(seek.seek.as_str()))?,
            Report::Status(status) if status.state == State::Attached => {
                let game = status.game.as_ref().map(|game| printable(game.as_str()));
                writeln!(out, "playing {}", game.unwrap_or_default())?;
            }
            Report::Status(status) if status.state == State::Closed && status.exit != Some(0) => {
                bail!(status.reason.clone().unwrap_or_default());
            }
            Report::Push(message) => {
                if let tilewire_protocol::ServerMessage::Event(event) = &**message
                    && let tilewire_protocol::EventBody::Ended(result) = &event.body
                {
                    let scores: Vec<String> = result
                        .results
                        .iter()
                        .map(|seat| seat.final_score.to_string())
                        .collect();
                    writeln!(out, "ended {}: {}", result.reason, scores.join(" - "))?;
                }
            }
            Report::Error(_, error) => writeln!(out, "refused: {}", printable(&error.message))?,
            _ => {}
        }
    }
    Ok(())
}

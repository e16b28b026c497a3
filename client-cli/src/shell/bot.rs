//! `tilewire bot`: a bot that plays on a server like any other client.

use std::io::{Write, stdout};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use tilewire_client::{Brain, BrainError, Choice, GameView};
use tilewire_rules::bot::{Bot, BotLevel, BotTurn};
use tilewire_rules::lexicon::{FstLexicon, Lexicon, WordGraphs};
use tilewire_rules::notation;
use tokio::time::sleep;

use super::driver::Driver;
use super::line_mode::write_reports;
use crate::app::{Input, Next, Report, State};
use crate::text::printable;

/// The configuration of a bot.
pub(super) struct BotConfig {
    pub(super) level: BotLevel,
    pub(super) words: Arc<WordGraphs>,
    pub(super) lexicon_hash: [u8; 32],
    /// The shortest and the longest pause before it acts, ms.
    pub(super) pause_ms: (i64, i64),
    pub(super) seed: u64,
    pub(super) as_json: bool,
}

/// Opens the lexicon of a bot: a file, or the built-in one.
///
/// # Errors
/// Returns an error if the file is not a lexicon.
pub(super) fn words(file: Option<&Path>) -> Result<(Arc<WordGraphs>, [u8; 32])> {
    let lexicon = match file {
        None => FstLexicon::builtin(),
        Some(path) => {
            let bytes =
                std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
            let lexicon = FstLexicon::from_bytes("lexicon", bytes)
                .with_context(|| format!("{} is not a lexicon", path.display()))?;
            Arc::new(lexicon)
        }
    };
    let words = lexicon
        .graphs()
        .context("cannot build the word graph of the lexicon")?;
    Ok((words, *lexicon.hash()))
}

/// A line that the bot sends after a pause.
struct Intent {
    line: String,
    /// The end of the pause, by the client's clock, ms.
    due: i64,
}

/// Plays one game to its end; returns the exit status.
///
/// # Errors
/// Returns an error if the server cannot be reached or refuses, or if the bot does not have the lexicon.
pub(super) async fn run(mut driver: Driver, config: &BotConfig) -> Result<u8> {
    let mut brain: Option<Brain> = None;
    let mut intent: Option<Intent> = None;
    let mut reports = driver.handle(Input::Started).await?;
    loop {
        tell(&reports, config)?;
        let is_refused = reports
            .iter()
            .any(|report| matches!(report, Report::Error(Some(_), _) | Report::BadInput(..)));
        if let Some(exit) = driver.exit() {
            driver.close().await;
            return Ok(exit);
        }
        // A refusal of an answer to an earlier prompt is no reason to pass.
        let choice = if is_refused && is_current(&driver, brain.as_ref()) {
            brain.as_ref().and_then(Brain::safe_choice)
        } else {
            choose(&driver, config, &mut brain)?
        };
        let line = choice.zip(driver.app.view());
        if let Some(line) = line.map(|(choice, view)| line_of(view, &choice)) {
            intent = Some(Intent {
                line,
                due: driver.clock.now() + pause(&driver, config),
            });
        }
        reports = match wait(&mut driver, &mut intent).await {
            Input::Line(_) if !is_current(&driver, brain.as_ref()) => Vec::new(),
            input => driver.handle(input).await?,
        };
    }
}

fn pause(driver: &Driver, config: &BotConfig) -> i64 {
    let turn = driver.app.view().map_or(0, |view| view.turn_no);
    Bot::pause_ms(config.seed, turn, config.pause_ms)
}

/// Waits for the next input; the game continues during the pause.
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

/// Whether the game still waits for the answer that the bot chose last.
fn is_current(driver: &Driver, brain: Option<&Brain>) -> bool {
    let view = driver.app.view();
    brain
        .zip(view)
        .is_some_and(|(brain, view)| brain.is_current(view))
}

fn choose(
    driver: &Driver,
    config: &BotConfig,
    brain: &mut Option<Brain>,
) -> Result<Option<Choice>> {
    let Some(view) = driver.app.view() else {
        return Ok(None);
    };
    let brain = match brain {
        Some(brain) => brain,
        None => {
            let (words, hash) = (&config.words, &config.lexicon_hash);
            let new = Brain::new(config.level, words, hash, &view.setup, config.seed);
            brain.insert(new.map_err(explain)?)
        }
    };
    Ok(brain.choose(view))
}

fn explain(error: BrainError) -> anyhow::Error {
    match error {
        BrainError::Lexicon { .. } => {
            anyhow::anyhow!("{error}; give it with --lexicon-file FILE")
        }
        BrainError::Setup(_) => error.into(),
    }
}

/// The line that a person would type for a choice.
fn line_of(view: &GameView, choice: &Choice) -> String {
    let turn = match choice {
        Choice::Challenge => return "challenge".to_owned(),
        Choice::Accept => return "accept".to_owned(),
        Choice::Stand => return "stand".to_owned(),
        Choice::Adjourn => return "adjourn yes".to_owned(),
        Choice::Resume => return "resume".to_owned(),
        Choice::Turn(turn) => turn,
    };
    match (turn, view.rules()) {
        (BotTurn::Play(placement), Ok(rules)) => notation::format(placement, &rules.tiles),
        (BotTurn::Exchange(given), Ok(rules)) => {
            format!("exchange {}", notation::format_rack(given, &rules.tiles))
        }
        (BotTurn::Pass, _) | (_, Err(_)) => "pass".to_owned(),
    }
}

/// Writes the reports: all of them as JSON, or the important ones as text.
fn tell(reports: &[Report], config: &BotConfig) -> Result<()> {
    if config.as_json {
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
            Report::Status(status) if status.state == State::Closed => {
                for line in status.next.iter().flat_map(Next::lines) {
                    writeln!(out, "{line}")?;
                }
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

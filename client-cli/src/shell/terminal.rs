//! The terminal: reads keys, draws the screen, and restores the terminal at the end.

use std::io::{Write, stdout};
use std::time::Duration;

use anyhow::{Context, Result};
use crossterm::event::EventStream;
use futures::StreamExt;
use ratatui::DefaultTerminal;
use tokio::time::{MissedTickBehavior, interval};

use super::driver::Driver;
use crate::app::{Input, Next, Report, State};
use crate::screen::{Colours, Content, Reaction, Screen, ScreenOptions, Theme};
use crate::text::{accounts, padded, standings, winners_text};
use unicode_width::UnicodeWidthStr;

/// The interval between redraws of the clocks.
const REDRAW_EVERY: Duration = Duration::from_millis(200);

/// Runs until the application ends; returns its exit status.
///
/// # Errors
/// Returns an error if the terminal fails, or if the token cannot be stored.
pub(super) async fn run(driver: Driver, options: ScreenOptions) -> Result<u8> {
    // The guard restores the terminal on return; the panic hook of ratatui restores it after a panic.
    let terminal = ratatui::try_init().context("cannot use the terminal")?;
    let guard = Restore;
    let ended = play(driver, options, terminal).await;
    drop(guard);
    let Ended {
        exit,
        lines,
        reason,
    } = ended?;
    for line in lines {
        writeln!(stdout(), "{line}")?;
    }
    if exit == 0 {
        Ok(exit)
    } else {
        Err(anyhow::anyhow!(
            reason.unwrap_or_else(|| "ended with an error".to_owned())
        ))
    }
}

struct Restore;

impl Drop for Restore {
    fn drop(&mut self) {
        ratatui::restore();
    }
}

/// The end of a run.
struct Ended {
    exit: u8,
    lines: Vec<String>,
    reason: Option<String>,
}

async fn play(
    mut driver: Driver,
    options: ScreenOptions,
    mut terminal: DefaultTerminal,
) -> Result<Ended> {
    let colours = if std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()) {
        Colours::Off
    } else {
        Colours::On
    };
    let mut screen = Screen::new(Theme::new(colours), options);
    let mut keys = EventStream::new();
    let mut redraw = interval(REDRAW_EVERY);
    redraw.set_missed_tick_behavior(MissedTickBehavior::Skip);
    let mut signals = Signals::new()?;
    let mut reports = driver.handle(Input::Started).await?;
    loop {
        for report in &reports {
            screen.report(report, driver.app.view());
        }
        if let Some(exit) = driver.exit() {
            let (lines, reason) = last_words(&driver, &reports, exit);
            driver.close().await;
            return Ok(Ended {
                exit,
                lines,
                reason,
            });
        }
        if screen.take_bell() {
            ring()?;
        }
        draw(&driver, &screen, &mut terminal)?;
        let input = tokio::select! {
            input = driver.next() => Some(input),
            event = keys.next() => match event {
                Some(event) => match screen.event(&event?, driver.app.view()) {
                    Reaction::Line(line) => Some(Input::Line(line)),
                    Reaction::Redraw => None,
                },
                None => Some(Input::Line("quit".to_owned())),
            },
            () = signals.next() => Some(Input::Line("quit".to_owned())),
            _ = redraw.tick() => None,
        };
        reports = match input {
            Some(input) => driver.handle(input).await?,
            None => Vec::new(),
        };
    }
}

/// Rings the bell of the terminal.
fn ring() -> Result<()> {
    let mut out = stdout();
    out.write_all(b"\x07")?;
    out.flush()?;
    Ok(())
}

fn draw(driver: &Driver, screen: &Screen, terminal: &mut DefaultTerminal) -> Result<()> {
    let app = &driver.app;
    let is_over = app.view().is_some_and(|view| view.result.is_some());
    let next = app.next().filter(|_| is_over);
    let next = next.map_or_else(Vec::new, |next| next.lines());
    let content = Content {
        view: app.view(),
        offer: app.offer(),
        similar: app.similar_offers(),
        lobby: app.lobby(),
        choices: app.choices(),
        next: &next,
        invocation: app.invocation(),
        own: app.identity(),
        now: app.server_time(driver.clock.now()),
        is_connected: app.is_connected(),
        lag_ms: app.lag_ms(),
    };
    terminal.draw(|frame| screen.draw(frame, &content))?;
    Ok(())
}

/// The lines to print after the screen is gone, and the reason for an error.
fn last_words(driver: &Driver, reports: &[Report], exit: u8) -> (Vec<String>, Option<String>) {
    let closed = reports.iter().find_map(|report| match report {
        Report::Status(status) if status.state == State::Closed => Some(status),
        _ => None,
    });
    let reason = closed
        .and_then(|status| status.reason.clone())
        .filter(|_| exit != 0);
    let mut lines = Vec::new();
    if let Some(view) = driver.app.view() {
        match (&view.result, view.seat) {
            (Some(result), _) => {
                let winners = winners_text(view, result);
                lines.push(format!("Game {} is over. {winners}", view.game));
                let accounts = accounts(view, result);
                let width = accounts.iter().map(|account| account.name.width()).max();
                let name = |name: &str| padded(name, width.unwrap_or(0));
                lines.extend(standings(&accounts, name));
            }
            (None, Some(_)) => {
                lines.push(format!("Game {} continues without you.", view.game));
            }
            (None, None) => {}
        }
    }
    let next = closed.and_then(|status| status.next.as_ref());
    lines.extend(next.map(Next::lines).unwrap_or_default());
    (lines, reason)
}

/// The signals that end the program.
struct Signals {
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(unix)]
    hang_up: tokio::signal::unix::Signal,
}

impl Signals {
    #[cfg(unix)]
    fn new() -> Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
        })
    }

    #[cfg(not(unix))]
    fn new() -> Result<Self> {
        Ok(Self {})
    }

    #[cfg(unix)]
    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.hang_up.recv() => {}
        }
    }

    #[cfg(not(unix))]
    async fn next(&mut self) {
        std::future::pending().await
    }
}

//! `tilewire-server top`: a view of a running server in a terminal, from its metrics.
//!
//! `page` reads the metrics, `interval` compares two pages, and `layout` makes lines of text; these are pure. The rest asks the
//! admin listener each second and draws.

mod ask;
mod interval;
mod layout;
mod page;
mod terminal;
#[cfg(test)]
mod tests;

use std::io::{self, IsTerminal};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::bail;

use self::ask::Source;
use self::interval::Interval;
use self::page::Page;
use self::terminal::Screen;
use tilewire_config::Config;
use tilewire_control::admin_token::AdminToken;

/// The time between two pages.
const EVERY: Duration = Duration::from_secs(1);

/// The view of `top`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// One page of text.
    Once,
    /// The terminal, until the user ends it.
    Live,
}

/// A page of metrics, and when it came.
struct Reading {
    page: Page,
    at: Instant,
}

/// Shows a running server. Returns the text to print: the page of [`View::Once`].
///
/// # Errors
/// When the server does not answer, or the view needs a terminal and there is none.
pub fn top(config: &Config, view: View) -> anyhow::Result<String> {
    let token = AdminToken::load(&config.admin)?;
    let address = reachable(config.admin_listen);
    let source = Source::new(address, token.as_ref());
    match view {
        View::Once => {
            let before = read(&source)?;
            thread::sleep(EVERY);
            let lines = lines(&source, &before, &read(&source)?);
            Ok(lines.join("\n") + "\n")
        }
        View::Live => {
            if !io::stdout().is_terminal() || !io::stdin().is_terminal() {
                bail!("top needs a terminal; `tilewire-server top --once` prints one page");
            }
            watch(&source).map(|()| String::new())
        }
    }
}

/// Draws until the user ends it. A server that does not answer is shown as such: it may be restarting.
fn watch(source: &Source) -> anyhow::Result<()> {
    let mut before = read(source)?;
    let screen = Screen::open()?;
    let keys = terminal::keys();
    screen.draw(&lines(source, &before, &before))?;
    loop {
        if is_over(&keys) {
            return Ok(());
        }
        match read(source) {
            Ok(after) => {
                screen.draw(&lines(source, &before, &after))?;
                before = after;
            }
            Err(error) => screen.draw(&layout::absent(source.address(), &error.to_string()))?,
        }
    }
}

/// Waits for the next page; says whether the user ends the view.
fn is_over(keys: &Receiver<u8>) -> bool {
    let due = now() + EVERY;
    loop {
        match keys.recv_timeout(due.saturating_duration_since(now())) {
            // In this mode the terminal sends Ctrl-C and Ctrl-D as characters.
            Ok(b'q' | b'Q' | 0x03 | 0x04) | Err(RecvTimeoutError::Disconnected) => return true,
            Ok(_) => {}
            Err(RecvTimeoutError::Timeout) => return false,
        }
    }
}

fn read(source: &Source) -> anyhow::Result<Reading> {
    let page = Page::parse(&source.ask()?);
    Ok(Reading { page, at: now() })
}

fn lines(source: &Source, before: &Reading, after: &Reading) -> Vec<String> {
    let seconds = after.at.duration_since(before.at).as_secs_f64();
    let interval = Interval::new(&before.page, &after.page, seconds);
    layout::lay_out(&interval, source.address(), wall_clock())
}

/// Returns the address at which this machine reaches a listener.
fn reachable(listener: SocketAddr) -> SocketAddr {
    let ip = match listener.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listener.port())
}

#[expect(
    clippy::disallowed_methods,
    reason = "the shell measures the time between two pages"
)]
fn now() -> Instant {
    Instant::now()
}

/// Returns the time of the machine's clock, seconds since the Unix epoch.
#[expect(
    clippy::disallowed_methods,
    reason = "the shell tells how long a server has run"
)]
fn wall_clock() -> f64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.unwrap_or_default().as_secs_f64()
}

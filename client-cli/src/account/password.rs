//! Secrets from the terminal, without echo, or from stdin.

use std::io::{BufRead, IsTerminal, Write, stderr, stdin};

use anyhow::{Result, bail};
use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, read};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode};

/// The source of secrets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// The user types them.
    Terminal,
    /// Stdin has one on each line.
    Stdin,
}

impl Source {
    pub(super) fn new(is_stdin: bool) -> Result<Self> {
        if is_stdin {
            return Ok(Self::Stdin);
        }
        if !stdin().is_terminal() {
            bail!("stdin is not a terminal; give the password on stdin with --password-stdin");
        }
        Ok(Self::Terminal)
    }

    /// Reads a secret.
    pub(super) fn password(self, prompt: &str) -> Result<String> {
        let secret = match self {
            Self::Terminal => typed(prompt)?,
            Self::Stdin => line()?,
        };
        if secret.is_empty() {
            bail!("{} is empty", prompt.to_lowercase());
        }
        Ok(secret)
    }

    /// Reads a new password; from the terminal twice.
    pub(super) fn new_password(self) -> Result<String> {
        let password = self.password("New password")?;
        if self == Self::Terminal && typed("Again")? != password {
            bail!("the two passwords differ");
        }
        Ok(password)
    }
}

fn line() -> Result<String> {
    let mut line = String::new();
    stdin().lock().read_line(&mut line)?;
    let text = line.strip_suffix('\n').unwrap_or(&line);
    Ok(text.strip_suffix('\r').unwrap_or(text).to_owned())
}

/// Restores the terminal, however the typing ends.
struct RawMode;

impl Drop for RawMode {
    fn drop(&mut self) {
        // The terminal may be gone.
        drop(disable_raw_mode());
    }
}

fn typed(prompt: &str) -> Result<String> {
    write!(stderr(), "{prompt}: ")?;
    stderr().flush()?;
    enable_raw_mode()?;
    let raw = RawMode;
    let secret = keys();
    drop(raw);
    writeln!(stderr())?;
    secret
}

fn keys() -> Result<String> {
    let mut secret = String::new();
    loop {
        let Event::Key(KeyEvent {
            code,
            modifiers,
            kind,
            ..
        }) = read()?
        else {
            continue;
        };
        if kind == KeyEventKind::Release {
            continue;
        }
        let is_control = modifiers.contains(KeyModifiers::CONTROL);
        match code {
            KeyCode::Enter => return Ok(secret),
            KeyCode::Char('c' | 'd') if is_control => bail!("cancelled"),
            KeyCode::Char('u') if is_control => secret.clear(),
            KeyCode::Char(_) if is_control => {}
            KeyCode::Char(character) => secret.push(character),
            KeyCode::Backspace => {
                secret.pop();
            }
            _ => {}
        }
    }
}

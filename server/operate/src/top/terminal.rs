//! The terminal: one screen, drawn as a whole, and single keys.

use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

use super::layout::ROWS;

/// Keys that wait to be read.
const KEYS: usize = 16;

/// A second screen, and no cursor.
const OPEN: &str = "\x1b[?1049h\x1b[?25l";
/// The first screen, and the cursor.
const CLOSE: &str = "\x1b[?25h\x1b[?1049l";
/// The upper left corner.
const HOME: &str = "\x1b[H";
/// Clears the rest of a line.
const CLEAR_LINE: &str = "\x1b[K";
/// Clears the screen below.
const CLEAR_BELOW: &str = "\x1b[J";

/// The terminal while the view uses it. Dropping it gives the terminal back as it was.
pub(super) struct Screen {
    before: Termios,
}

impl Screen {
    /// Takes the terminal: keys come one by one and are not shown.
    pub(super) fn open() -> io::Result<Self> {
        let before = tcgetattr(io::stdin())?;
        let mut modes = before.clone();
        modes
            .local_modes
            .remove(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG);
        tcsetattr(io::stdin(), OptionalActions::Now, &modes)?;
        let screen = Self { before };
        write(OPEN)?;
        Ok(screen)
    }

    /// Draws lines over what was there.
    pub(super) fn draw(&self, lines: &[String]) -> io::Result<()> {
        let lines: Vec<String> = lines
            .iter()
            .take(ROWS)
            .map(|line| format!("{line}{CLEAR_LINE}"))
            .collect();
        // A newline behind the last line would scroll a terminal of 24 lines.
        write(&format!("{HOME}{}{CLEAR_BELOW}", lines.join("\r\n")))
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // The terminal may be gone.
        write(CLOSE).ok();
        tcsetattr(io::stdin(), OptionalActions::Now, &self.before).ok();
    }
}

fn write(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}

/// Returns the keys that the user presses. The thread that reads them ends with the process.
pub(super) fn keys() -> Receiver<u8> {
    let (sender, keys) = sync_channel(KEYS);
    thread::spawn(move || {
        for key in io::stdin().lock().bytes().map_while(Result::ok) {
            if sender.send(key).is_err() {
                break;
            }
        }
    });
    keys
}

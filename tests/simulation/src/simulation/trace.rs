//! A hash of a run: two runs of a seed must have the same.

use std::fmt::Write;

/// A running hash (FNV-1a) of everything that happened, and its text if the caller asks for it.
#[derive(Debug)]
pub struct Trace {
    hash: u64,
    lines: Option<Vec<String>>,
}

impl Trace {
    /// Returns an empty trace that keeps its lines if `is_kept`.
    #[must_use]
    pub fn new(is_kept: bool) -> Self {
        Self {
            hash: 0xcbf2_9ce4_8422_2325,
            lines: is_kept.then(Vec::new),
        }
    }

    /// Records an occurrence at `now`: its kind, the party concerned, and its bytes.
    pub fn note(&mut self, now: i64, what: &str, whom: u64, bytes: &[u8]) {
        self.mix(&now.to_le_bytes());
        self.mix(what.as_bytes());
        self.mix(&whom.to_le_bytes());
        self.mix(bytes);
    }

    /// Adds a line for people, if they want any; it is made only then.
    pub fn say(&mut self, now: i64, line: impl FnOnce() -> String) {
        if let Some(lines) = &mut self.lines {
            let mut text = String::new();
            write!(text, "{now:>9}  {}", line()).ok();
            lines.push(text);
        }
    }

    fn mix(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.hash = (self.hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// Returns the hash.
    #[must_use]
    pub const fn hash(&self) -> u64 {
        self.hash
    }

    /// Takes the lines.
    pub fn take_lines(&mut self) -> Vec<String> {
        self.lines.take().unwrap_or_default()
    }
}

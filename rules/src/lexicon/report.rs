//! The report of a compiled word list: words, duplicates, and entries left out by reason.

use super::{Unspelled, WORD_LENGTHS};

/// The number of examples for each reason.
const EXAMPLES: usize = 5;
/// The longest example, characters; a longer one is cut.
const EXAMPLE_CHARS: usize = 40;

/// Why an entry is not a word of the lexicon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The entry has too few tiles.
    TooShort,
    /// The entry has more tiles than a row of the largest board.
    TooLong,
    /// A name or an abbreviation: a capital in a list that is otherwise in lower case.
    Capitalised,
    /// Several words, or an abbreviation.
    Separated,
    /// The entry has a character that no tile shows.
    UnknownCharacter,
    /// The tiles show each character, but cannot spell the entry.
    Unspellable,
}

impl Reason {
    /// Every reason, in the order of reports.
    pub const ALL: [Self; 6] = [
        Self::TooShort,
        Self::TooLong,
        Self::Capitalised,
        Self::Separated,
        Self::UnknownCharacter,
        Self::Unspellable,
    ];

    /// Returns the stable code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::TooShort => "too_short",
            Self::TooLong => "too_long",
            Self::Capitalised => "capitalised",
            Self::Separated => "separated",
            Self::UnknownCharacter => "unknown_character",
            Self::Unspellable => "unspellable",
        }
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TooShort => write!(f, "shorter than {} tiles", WORD_LENGTHS.start()),
            Self::TooLong => write!(f, "longer than {} tiles", WORD_LENGTHS.end()),
            Self::Capitalised => f.write_str("capitalised: names, abbreviations"),
            Self::Separated => f.write_str("with a hyphen, an apostrophe, a dot or a space"),
            Self::UnknownCharacter => f.write_str("with a non-letter character"),
            Self::Unspellable => f.write_str("that the tiles cannot spell"),
        }
    }
}

impl From<Unspelled> for Reason {
    fn from(problem: Unspelled) -> Self {
        match problem {
            Unspelled::Separated => Self::Separated,
            Unspelled::Unknown(_) => Self::UnknownCharacter,
            Unspelled::Unspellable(_) => Self::Unspellable,
        }
    }
}

/// Entries left out for one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Why.
    pub reason: Reason,
    /// The number of entries.
    pub count: u64,
    /// The first entries; long ones are cut.
    pub examples: Vec<String>,
}

/// The report of a word list: each entry is a word, a duplicate, or left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Entries read.
    pub entries: u64,
    /// Different words.
    pub words: u64,
    /// Entries with the same spelling as another.
    pub duplicates: u64,
    /// Entries with an accent that the tiles do not show and that was dropped.
    pub unaccented: u64,
    /// The number of words by length in tiles; the index is the length.
    pub by_length: Vec<u64>,
    /// Entries left out, in the order of [`Reason::ALL`]; reasons without entries are not listed.
    pub left_out: Vec<LeftOut>,
}

impl Report {
    /// Returns the number of entries left out for this reason.
    #[must_use]
    pub fn count(&self, reason: Reason) -> u64 {
        let found = self.left_out.iter().find(|left| left.reason == reason);
        found.map_or(0, |left| left.count)
    }
}

/// Entries left out so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    counts: [(u64, Vec<String>); Reason::ALL.len()],
}

impl Tally {
    pub(super) fn add(&mut self, reason: Reason, entry: &str) {
        let (count, examples) = &mut self.counts[reason as usize];
        *count += 1;
        if examples.len() < EXAMPLES {
            examples.push(example(entry));
        }
    }

    /// Adds the entries of another tally after its own.
    pub(super) fn absorb(&mut self, other: Self) {
        for ((count, examples), (more, others)) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
            examples.extend(others);
            examples.truncate(EXAMPLES);
        }
    }

    pub(super) fn listed(self) -> Vec<LeftOut> {
        let counted = Reason::ALL.into_iter().zip(self.counts);
        let listed = counted.map(|(reason, (count, examples))| LeftOut {
            reason,
            count,
            examples,
        });
        listed.filter(|left| left.count > 0).collect()
    }
}

fn example(entry: &str) -> String {
    let mut chars = entry.chars();
    let mut shown: String = chars.by_ref().take(EXAMPLE_CHARS).collect();
    if chars.next().is_some() {
        shown.push('…');
    }
    shown
}

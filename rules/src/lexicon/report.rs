//! What became of the entries of a word list.

use super::{Unspelled, WORD_LENGTHS};

/// Examples kept of each reason.
const EXAMPLES: usize = 5;
/// Longest example; a longer one is cut.
const EXAMPLE_CHARS: usize = 40;

/// Why an entry is no word of the lexicon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Fewer tiles than a word has.
    TooShort,
    /// More tiles than a row of the largest board.
    TooLong,
    /// A name or an abbreviation: a capital in a list that is otherwise in lower case.
    Capitalised,
    /// Several words, or an abbreviation.
    Separated,
    /// A character that is on no tile.
    UnknownCharacter,
    /// Characters of the tiles that are not together on any.
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

    /// Stable code.
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
            Self::UnknownCharacter => f.write_str("with a character that is on no tile"),
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
    /// How many.
    pub count: u64,
    /// The first of them, cut where they are long.
    pub examples: Vec<String>,
}

/// What became of the entries of a word list: each is a word, a duplicate, or left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Entries read.
    pub entries: u64,
    /// Different words taken.
    pub words: u64,
    /// Entries spelled like another one.
    pub duplicates: u64,
    /// Words by their number of tiles, from 0 on.
    pub by_length: Vec<u64>,
    /// The others, by reason, in the order of [`Reason::ALL`]; reasons without entries are not listed.
    pub left_out: Vec<LeftOut>,
}

impl Report {
    /// How many entries were left out for this reason.
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

    /// Counts the entries of another tally too, after the own ones.
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

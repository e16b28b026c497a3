//! Checks once that bytes are a set that can be searched safely.
//!
//! The `fst` crate trusts its input, and a checksum protects only against accidents: an attacker can compute it too. So
//! every node is checked here before the crate visits it. The check visits nodes in the order of descending addresses;
//! every transition leads to a lower address, so all paths to a node are known when it is visited, and the words are
//! counted without listing them.

use std::collections::BTreeMap;

use fst::raw::Fst;

use super::description::{KEY_MAX_BYTES, KEYS_MAX, MARK};
use super::{LexiconError, WORD_LENGTHS, WORDS_MAX};

/// Bytes before the first node: version and type.
const HEADER: usize = 16;
/// Bytes after the root: number of keys, address of the root, checksum.
const FOOTER: usize = 20;
/// Address of the node that is final and has no transitions; it takes no bytes.
const EMPTY: usize = 0;
/// Nodes with more transitions have a table of them.
const INDEXED: usize = 32;
/// Most letters of a word.
const LONGEST: usize = *WORD_LENGTHS.end();

/// Number of words by length; the index is the length.
pub(crate) type ByLength = [u64; LONGEST + 1];

/// Checks the nodes of an automaton whose version and checksum are verified.
pub(super) struct Sound<'a, D> {
    set: &'a Fst<D>,
    bytes: &'a [u8],
}

impl<'a, D: AsRef<[u8]>> Sound<'a, D> {
    /// Checks where the root is.
    pub(super) fn new(set: &'a Fst<D>, bytes: &'a [u8]) -> Result<Self, LexiconError> {
        let root = bytes
            .len()
            .checked_sub(FOOTER + 1)
            .filter(|root| *root >= HEADER)
            .ok_or(LexiconError::NoWords)?;
        let at = root + 1 + size_of::<u64>();
        if little_endian(&bytes[at..at + size_of::<u64>()]) != Some(root) {
            return Err(LexiconError::Damaged(root));
        }
        Ok(Self { set, bytes })
    }

    fn root(&self) -> usize {
        self.bytes.len() - FOOTER - 1
    }

    /// Returns the address of the keys of the description, if there are any.
    pub(super) fn description(&self) -> Result<Option<usize>, LexiconError> {
        self.measure(self.root())?;
        let root = self.set.node(self.root());
        let marked = root.find_input(MARK);
        Ok(marked.map(|index| root.transition_addr(index)))
    }

    /// Checks that the keys of the description are few and short; returns their number.
    pub(super) fn check_description(&self, from: usize) -> Result<u64, LexiconError> {
        let mut open = BTreeMap::from([(from, (1_u64, 1_usize))]);
        let mut found = 0;
        while let Some((at, (ways, depth))) = open.pop_last() {
            if ways > KEYS_MAX || depth > KEY_MAX_BYTES {
                return Err(LexiconError::Description("is too long"));
            }
            if self.is_final(at)? {
                found += ways;
            }
            for (_, to) in self.transitions(at) {
                let way = open.entry(to).or_insert((0, 0));
                *way = (way.0.saturating_add(ways), way.1.max(depth + 1));
            }
        }
        if found > KEYS_MAX {
            return Err(LexiconError::Description("is too long"));
        }
        Ok(found)
    }

    /// Counts the words by length and checks their lengths; returns the highest letter number too.
    pub(super) fn count(&self) -> Result<(ByLength, u8), LexiconError> {
        let mut highest = 0;
        let mut words = ByLength::default();
        // The number of prefixes of each length that lead to a node.
        let mut none_yet = ByLength::default();
        none_yet[0] = 1;
        let mut open = BTreeMap::from([(self.root(), none_yet)]);
        while let Some((at, ways)) = open.pop_last() {
            if self.is_final(at)? {
                for (sum, ways) in words.iter_mut().zip(ways) {
                    *sum = ways.saturating_add(*sum);
                }
                if words.iter().copied().fold(0, u64::saturating_add) > WORDS_MAX {
                    return Err(LexiconError::TooManyWords);
                }
            }
            for (letter, to) in self.transitions(at) {
                if letter == MARK && at == self.root() {
                    continue;
                }
                if letter == MARK {
                    return Err(LexiconError::NoLetter);
                }
                highest = highest.max(letter);
                if ways[LONGEST] > 0 {
                    return Err(LexiconError::Length);
                }
                let onward = open.entry(to).or_default();
                for (sum, ways) in onward[1..].iter_mut().zip(ways) {
                    *sum = ways.saturating_add(*sum);
                }
            }
        }
        if words[..*WORD_LENGTHS.start()]
            .iter()
            .any(|count| *count > 0)
        {
            return Err(LexiconError::Length);
        }
        Ok((words, highest))
    }

    /// Checks a node and returns whether a key ends there.
    fn is_final(&self, at: usize) -> Result<bool, LexiconError> {
        if at == EMPTY {
            return Ok(true);
        }
        self.measure(at)?;
        let node = self.set.node(at);
        // A path without a key wastes time and is not part of a valid set.
        if node.is_empty() && at != self.root() {
            return Err(LexiconError::Damaged(at));
        }
        Ok(node.is_final())
    }

    /// Returns the transitions of a checked node.
    fn transitions(&self, at: usize) -> impl Iterator<Item = (u8, usize)> + use<'_, 'a, D> {
        let node = self.set.node(at);
        (0..node.len()).map(move |index| {
            let transition = node.transition(index);
            (transition.inp, transition.addr)
        })
    }

    /// Checks that a node lies within the bytes, leads downwards only, and has its transitions in order.
    fn measure(&self, at: usize) -> Result<(), LexiconError> {
        self.extent(at).ok_or(LexiconError::Damaged(at))?;
        let node = self.set.node(at);
        let inputs: Vec<u8> = node
            .transitions()
            .map(|transition| transition.inp)
            .collect();
        let in_order = inputs.is_sorted_by(|a, b| a < b);
        let found = |input: u8| inputs.binary_search(&input).ok() == node.find_input(input);
        if !in_order || (inputs.len() > INDEXED && !(0..=u8::MAX).all(found)) {
            return Err(LexiconError::Damaged(at));
        }
        Ok(())
    }

    /// Reads the layout of a node from its last byte downwards; `None` if it does not fit.
    fn extent(&self, at: usize) -> Option<()> {
        let state = *self
            .bytes
            .get(at)
            .filter(|_| (HEADER..=self.root()).contains(&at))?;
        let low_bits = usize::from(state & 0b0011_1111);
        // The common inputs are numbered; another has a byte of its own. So has a number of transitions that is 0 or
        // does not fit.
        let extra = usize::from(low_bits == 0);
        let count = match state >> 6 {
            0b11 => {
                let target = at.checked_sub(extra + 1)?;
                return (target >= HEADER).then_some(());
            }
            0b10 => 1,
            _ if low_bits > 0 => low_bits,
            _ => match *self.bytes.get(at.checked_sub(1)?)? {
                1 => 256,
                count => usize::from(count),
            },
        };
        let sizes_at = at.checked_sub(extra + 1).filter(|at| *at >= HEADER)?;
        let sizes = self.bytes[sizes_at];
        let (address_bytes, output_bytes) = (usize::from(sizes >> 4), sizes & 0b1111);
        let readable = count == 0 || (1..=size_of::<u64>()).contains(&address_bytes);
        // A set has no outputs.
        if output_bytes != 0 || !readable {
            return None;
        }
        let inputs = match state >> 6 {
            0b10 => 0,
            _ if count > INDEXED => 256 + count,
            _ => count,
        };
        let top = sizes_at.checked_sub(inputs)?;
        let end = top.checked_sub(count * address_bytes)?;
        if end < HEADER {
            return None;
        }
        let mut addresses = self.bytes[end..top].chunks_exact(address_bytes.max(1));
        let leads_down = |delta: &[u8]| {
            let delta = little_endian(delta)?;
            // A delta of 0 stands for the empty node.
            (delta == 0 || delta <= end - HEADER).then_some(())
        };
        addresses
            .all(|delta| leads_down(delta).is_some())
            .then_some(())
    }
}

/// Reads up to eight bytes, the lowest first.
fn little_endian(bytes: &[u8]) -> Option<usize> {
    let mut whole = [0; size_of::<u64>()];
    whole.get_mut(..bytes.len())?.copy_from_slice(bytes);
    usize::try_from(u64::from_le_bytes(whole)).ok()
}

//! Builds the graph: a minimal automaton from words in order, and one array from its nodes.

use super::cells::{Cell, Cells, MAX_LETTER};

/// The node after the last letter of a word that no other word continues.
const END: u32 = 0;

/// An unfinished node of the automaton.
#[derive(Clone, Debug, Default)]
struct Open {
    /// Letters that follow; bit 0 = a word ends here.
    follows: u64,
    /// Nodes that they lead to, in the order of the letters; the last one is still open.
    next: Vec<u32>,
}

/// A finished node.
#[derive(Clone, Copy, Debug)]
struct Node {
    follows: u64,
    /// Index of its first entry in [`Nodes::next`].
    next: u32,
}

/// A minimal automaton: no two nodes have the same continuations.
#[derive(Debug)]
pub(super) struct Nodes {
    nodes: Vec<Node>,
    next: Vec<u32>,
    root: u32,
}

/// Takes words in order and keeps the automaton minimal as it grows.
///
/// It compares a branch that no later word can change with the finished nodes at once, so that it needs no more memory
/// than the result.
#[derive(Debug)]
pub(super) struct Builder {
    nodes: Nodes,
    /// Finished nodes by hash, open addressing; [`u32::MAX`] is empty.
    table: Vec<u32>,
    /// The nodes along the last word.
    path: Vec<Open>,
    last: Vec<u8>,
}

impl Builder {
    pub(super) fn new() -> Self {
        let mut builder = Self {
            nodes: Nodes {
                nodes: Vec::new(),
                next: Vec::new(),
                root: END,
            },
            table: vec![u32::MAX; 1 << 12],
            path: vec![Open::default()],
            last: Vec::new(),
        };
        builder.node_for(1, &[]);
        builder
    }

    /// Adds a word of letter numbers; ignores a word that is not greater than the last or has a letter above the limit.
    pub(super) fn insert(&mut self, word: &[u8]) {
        let playable = |letter: &u8| (1..=MAX_LETTER).contains(letter);
        if word <= self.last.as_slice() || !word.iter().all(playable) {
            return;
        }
        let shared = word
            .iter()
            .zip(&self.last)
            .take_while(|(one, other)| one == other)
            .count();
        self.close(shared);
        for (depth, letter) in word.iter().enumerate().skip(shared) {
            self.path[depth].follows |= 1 << letter;
            if self.path.len() == depth + 1 {
                self.path.push(Open::default());
            }
        }
        self.path[word.len()].follows |= 1;
        self.last.clear();
        self.last.extend_from_slice(word);
    }

    pub(super) fn finish(mut self) -> Nodes {
        self.close(0);
        let root = std::mem::take(&mut self.path[0]);
        self.nodes.root = self.node_for(root.follows, &root.next);
        self.nodes
    }

    /// Finishes the nodes of the last word below this depth.
    fn close(&mut self, depth: usize) {
        for deeper in (depth + 1..=self.last.len()).rev() {
            let mut open = std::mem::take(&mut self.path[deeper]);
            let node = self.node_for(open.follows, &open.next);
            self.path[deeper - 1].next.push(node);
            open.follows = 0;
            open.next.clear();
            self.path[deeper] = open;
        }
    }

    /// Returns the finished node with these letters and followers; creates it if there is none.
    fn node_for(&mut self, follows: u64, next: &[u32]) -> u32 {
        if self.nodes.nodes.len() * 2 >= self.table.len() {
            self.grow();
        }
        let mut slot = hash(follows, next) & (self.table.len() - 1);
        loop {
            match self.table[slot] {
                u32::MAX => break,
                found if self.nodes.is(found, follows, next) => return found,
                _ => slot = (slot + 1) & (self.table.len() - 1),
            }
        }
        let made = index(self.nodes.nodes.len());
        self.table[slot] = made;
        self.nodes.nodes.push(Node {
            follows,
            next: index(self.nodes.next.len()),
        });
        self.nodes.next.extend_from_slice(next);
        made
    }

    fn grow(&mut self) {
        let size = self.table.len() * 4;
        let mut table = vec![u32::MAX; size];
        for id in 0..index(self.nodes.nodes.len()) {
            let mut slot = hash(self.nodes.follows(id), self.nodes.next(id)) & (size - 1);
            while table[slot] != u32::MAX {
                slot = (slot + 1) & (size - 1);
            }
            table[slot] = id;
        }
        self.table = table;
    }
}

fn hash(follows: u64, next: &[u32]) -> usize {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let mixed = next.iter().fold(follows.wrapping_mul(ODD), |hash, &node| {
        (hash.rotate_left(23) ^ u64::from(node)).wrapping_mul(ODD)
    });
    usize::try_from(mixed >> 32).expect("32 bits fit")
}

/// Converts a count: no word list has 2^32 nodes, because its text would be larger.
fn index(number: usize) -> u32 {
    u32::try_from(number).expect("fewer than 2^32 nodes")
}

impl Nodes {
    fn follows(&self, id: u32) -> u64 {
        self.nodes[id as usize].follows
    }

    fn next(&self, id: u32) -> &[u32] {
        let node = self.nodes[id as usize];
        let first = node.next as usize;
        &self.next[first..first + (node.follows & !1).count_ones() as usize]
    }

    fn is(&self, id: u32, follows: u64, next: &[u32]) -> bool {
        self.follows(id) == follows && self.next(id) == next
    }

    /// Highest letter of any word; 0 without words.
    pub(super) fn highest_letter(&self) -> u8 {
        let letters = self.nodes.iter().fold(0, |all, node| all | node.follows);
        u8::try_from((letters | 1).ilog2()).expect("a bit of 64")
    }

    /// Gives every node its cells.
    pub(super) fn pack<C: Cell + Default>(&self) -> Cells<C> {
        let mut order: Vec<u32> = (0..index(self.nodes.len())).collect();
        // Nodes with many letters are hard to fit and go first; nodes with one letter fill the gaps.
        order.sort_by_key(|id| std::cmp::Reverse(self.next(*id).len()));
        let mut room = Room {
            taken: Vec::new(),
            from: [0; 65],
        };
        let mut first = vec![0; self.nodes.len()];
        for &id in &order {
            first[id as usize] = room.take(self.follows(id) & !1);
        }
        let cell = |id: u32| C::new(self.follows(id), first[id as usize]);
        let mut cells = vec![C::default(); room.end()];
        for id in order {
            let mut letters = self.follows(id) & !1;
            for &next in self.next(id) {
                let letter = letters.trailing_zeros();
                cells[(first[id as usize] + letter) as usize] = cell(next);
                letters &= letters - 1;
            }
        }
        Cells {
            root: cell(self.root),
            cells,
        }
    }
}

/// The occupied cells of the array.
#[derive(Debug)]
struct Room {
    taken: Vec<u64>,
    /// Where to search for free cells, by number of letters: earlier places did not fit.
    from: [usize; 65],
}

impl Room {
    /// Occupies the first free places for these letters and returns the index that letter 0 would have.
    fn take(&mut self, letters: u64) -> u32 {
        if letters == 0 {
            return 0;
        }
        let lowest = letters.trailing_zeros() as usize;
        let pattern = letters >> lowest;
        // The first cell lies at least one alphabet in, so that the index of letter 0 is no less than 0.
        let mut at = self.from[pattern.count_ones() as usize].max(64);
        loop {
            self.reserve(at / 64 + 2);
            let (word, shift) = (at / 64, at % 64);
            let upper = self.taken[word + 1]
                .checked_shl(64 - u32::try_from(shift).expect("below 64"))
                .unwrap_or(0);
            let window = self.taken[word] >> shift | upper;
            if window & pattern == 0 {
                self.taken[word] |= pattern << shift;
                if shift > 0 {
                    self.taken[word + 1] |= pattern >> (64 - shift);
                }
                self.from[pattern.count_ones() as usize] = at + 1;
                return index(at - lowest);
            }
            at += 1;
        }
    }

    fn reserve(&mut self, words: usize) {
        if self.taken.len() < words {
            self.taken.resize(words, 0);
        }
    }

    /// The length of the array.
    fn end(&self) -> usize {
        self.taken.len() * 64
    }
}

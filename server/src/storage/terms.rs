//! The terms with which a server owns shards: what its changes of games prove.

use std::sync::atomic::{AtomicI64, Ordering};

use super::{Shard, Term};

/// Stands for a shard of another server. No term is negative.
const NOT_OWNED: i64 = -1;

/// The terms of the shards that a server owns. A change of a game gets the term when it is handed to the storage, so a change
/// that was begun with one term is never stored with a later one.
#[derive(Debug)]
pub struct Terms {
    terms: Vec<AtomicI64>,
}

impl Default for Terms {
    /// Of a server that owns nothing.
    fn default() -> Self {
        let none = (0..Shard::COUNT).map(|_| AtomicI64::new(NOT_OWNED));
        Self {
            terms: none.collect(),
        }
    }
}

impl FromIterator<(Shard, Term)> for Terms {
    fn from_iter<I: IntoIterator<Item = (Shard, Term)>>(owned: I) -> Self {
        let terms = Self::default();
        for (shard, term) in owned {
            terms.own(shard, term);
        }
        terms
    }
}

impl Terms {
    /// Lets the games of a shard be changed in a term. Nothing of an earlier owner in this process may be running.
    pub fn own(&self, shard: Shard, term: Term) {
        self.at(shard).store(term.0, Ordering::Release);
    }

    /// Refuses all changes of the games of a shard that are begun from now on.
    pub fn disown(&self, shard: Shard) {
        self.at(shard).store(NOT_OWNED, Ordering::Release);
    }

    /// Returns the term of a shard; `None` if the server does not own it.
    #[must_use]
    pub fn of(&self, shard: Shard) -> Option<Term> {
        let term = self.at(shard).load(Ordering::Acquire);
        (term != NOT_OWNED).then_some(Term(term))
    }

    fn at(&self, Shard(shard): Shard) -> &AtomicI64 {
        &self.terms[usize::from(shard)]
    }
}

#[cfg(test)]
mod tests {
    use super::{Shard, Term, Terms};

    #[test]
    fn a_shard_has_a_term_while_it_is_owned() {
        let terms: Terms = [(Shard(3), Term(0)), (Shard(255), Term(9))]
            .into_iter()
            .collect();
        assert_eq!(terms.of(Shard(3)), Some(Term(0)));
        assert_eq!(terms.of(Shard(255)), Some(Term(9)));
        assert_eq!(terms.of(Shard(4)), None);
        terms.disown(Shard(3));
        assert_eq!(terms.of(Shard(3)), None);
        terms.own(Shard(3), Term(2));
        assert_eq!(terms.of(Shard(3)), Some(Term(2)));
    }
}

//! The terms with which a server owns parts: what its changes of games prove.

use std::sync::atomic::{AtomicI64, Ordering};

use super::{Part, Shard, Term};

/// The value for a part of another server. No term is negative.
const NOT_OWNED: i64 = -1;

/// The terms of the parts that a server owns. A change of a game gets the term of its shard when it is handed to the storage, so a
/// change that was begun with one term is never stored with a later one. A new game of another server's shard gets the term of the
/// lobby.
#[derive(Debug)]
pub struct Terms {
    terms: Vec<AtomicI64>,
}

impl Default for Terms {
    /// Of a server that owns nothing.
    fn default() -> Self {
        let none = Part::all().map(|_| AtomicI64::new(NOT_OWNED));
        Self {
            terms: none.collect(),
        }
    }
}

impl FromIterator<(Shard, Term)> for Terms {
    fn from_iter<I: IntoIterator<Item = (Shard, Term)>>(owned: I) -> Self {
        let terms = Self::default();
        for (shard, term) in owned {
            terms.own(shard.into(), term);
        }
        terms
    }
}

impl Terms {
    /// Lets the games of a part be changed in a term. Nothing of an earlier owner in this process may be running.
    pub fn own(&self, part: Part, term: Term) {
        self.at(part).store(term.0, Ordering::Release);
    }

    /// Refuses all changes of the games of a part that are begun from now on.
    pub fn disown(&self, part: Part) {
        self.at(part).store(NOT_OWNED, Ordering::Release);
    }

    /// Returns the term of a part; `None` if the server does not own it.
    #[must_use]
    pub fn of(&self, part: Part) -> Option<Term> {
        let term = self.at(part).load(Ordering::Acquire);
        (term != NOT_OWNED).then_some(Term(term))
    }

    fn at(&self, part: Part) -> &AtomicI64 {
        &self.terms[part.place()]
    }
}

#[cfg(test)]
mod tests {
    use super::{Part, Shard, Term, Terms};

    #[test]
    fn a_part_has_a_term_while_it_is_owned() {
        let terms: Terms = [(Shard(3), Term(0)), (Shard(255), Term(9))]
            .into_iter()
            .collect();
        let of = |shard| terms.of(Part::from(Shard(shard)));
        assert_eq!([3, 255, 4].map(of), [Some(Term(0)), Some(Term(9)), None]);
        assert_eq!(terms.of(Part::LOBBY), None);
        terms.own(Part::LOBBY, Term(7));
        terms.disown(Shard(3).into());
        assert_eq!((of(3), terms.of(Part::LOBBY)), (None, Some(Term(7))));
        terms.own(Shard(3).into(), Term(2));
        assert_eq!(of(3), Some(Term(2)));
    }
}

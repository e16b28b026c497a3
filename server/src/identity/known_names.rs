//! The names of people who were here lately, so that the storage need not be asked for each.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Names of each of two generations. A server that runs for months meets more guests than it has room for, and a name is
/// wanted only when somebody opens a seek.
const GENERATION: usize = 2_000;

/// Names by identity: at least those of the last 2,000 who came, at most twice as many.
#[derive(Debug)]
pub struct KnownNames {
    generation: usize,
    names: Mutex<Generations>,
}

#[derive(Debug, Default)]
struct Generations {
    young: HashMap<String, String>,
    old: HashMap<String, String>,
}

impl Default for KnownNames {
    fn default() -> Self {
        Self::with(GENERATION)
    }
}

impl KnownNames {
    fn with(generation: usize) -> Self {
        Self {
            generation,
            names: Mutex::default(),
        }
    }

    /// Returns a name that is known.
    pub fn get(&self, identity: &str) -> Option<String> {
        let names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        names.get(identity).cloned()
    }

    /// Takes note of a name, in place of a former one.
    pub fn insert(&self, identity: &str, name: &str) {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        names.insert(identity, name, self.generation);
    }

    /// Takes note of a name that was read, unless a newer one became known while it was, and returns the one that counts.
    pub fn insert_read(&self, identity: &str, read: String) -> String {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(newer) = names.get(identity) {
            return newer.clone();
        }
        names.insert(identity, &read, self.generation);
        read
    }
}

impl Generations {
    fn get(&self, identity: &str) -> Option<&String> {
        let name = self.young.get(identity);
        name.or_else(|| self.old.get(identity))
    }

    /// Forgets the elder generation when the younger one is full.
    fn insert(&mut self, identity: &str, name: &str, generation: usize) {
        self.young.insert(identity.to_owned(), name.to_owned());
        if self.young.len() >= generation {
            self.old = std::mem::take(&mut self.young);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_who_came_are_known_and_no_more_than_there_is_room_for() {
        let known = KnownNames::with(10);
        for number in 0..95 {
            known.insert(&format!("i{number}"), &format!("n{number}"));
        }
        let is_known = |number: &i32| known.get(&format!("i{number}")).is_some();
        assert!((85..95).all(|number| is_known(&number)));
        assert!((0..95).filter(is_known).count() <= 20);
        assert_eq!(known.get("i94").as_deref(), Some("n94"));
    }

    #[test]
    fn a_new_name_takes_the_place_of_the_former() {
        let known = KnownNames::with(2);
        for (identity, name) in [("a", "Ann"), ("b", "Ben"), ("a", "Anna")] {
            known.insert(identity, name);
        }
        assert_eq!(known.get("a").as_deref(), Some("Anna"));
        known.insert("c", "Cleo");
        assert_eq!(known.get("a").as_deref(), Some("Anna"));
    }

    #[test]
    fn what_was_read_does_not_take_the_place_of_what_is_newer() {
        let known = KnownNames::with(2);
        assert_eq!(known.insert_read("a", "Ann".to_owned()), "Ann");
        known.insert("a", "Anna");
        assert_eq!(known.insert_read("a", "Ann".to_owned()), "Anna");
        assert_eq!(known.get("a").as_deref(), Some("Anna"));
    }
}

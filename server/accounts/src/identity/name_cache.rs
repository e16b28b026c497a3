//! A cache of display names, so that not every lookup reads the storage.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Names in each of two generations. A server that runs for months meets more guests than fit into memory, and needs a name
/// only when a seek is opened or joined.
const GENERATION: usize = 2_000;

/// Names by identity: at least the last 2,000, at most twice as many.
#[derive(Debug)]
pub(super) struct NameCache {
    generation: usize,
    names: Mutex<Generations>,
}

#[derive(Debug, Default)]
struct Generations {
    young: HashMap<String, String>,
    old: HashMap<String, String>,
}

impl Default for NameCache {
    fn default() -> Self {
        Self::with(GENERATION)
    }
}

impl NameCache {
    fn with(generation: usize) -> Self {
        Self {
            generation,
            names: Mutex::default(),
        }
    }

    /// Returns a name from the cache.
    pub(super) fn get(&self, identity: &str) -> Option<String> {
        let names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        names.get(identity).cloned()
    }

    /// Stores a name and replaces an older one.
    pub(super) fn insert(&self, identity: &str, name: &str) {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        names.insert(identity, name, self.generation);
    }

    /// Forgets all names.
    pub(super) fn clear(&self) {
        *self.names.lock().unwrap_or_else(PoisonError::into_inner) = Generations::default();
    }

    /// Forgets a name.
    pub(super) fn remove(&self, identity: &str) {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        names.young.remove(identity);
        names.old.remove(identity);
    }

    /// Stores a name that was read from the storage, unless a newer one came in meanwhile. Returns the newer of both.
    pub(super) fn insert_read(&self, identity: &str, read: String) -> String {
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

    /// Drops the old generation when the young one is full.
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
    fn the_cache_holds_the_last_names_and_is_bounded() {
        let known = NameCache::with(10);
        for number in 0..95 {
            known.insert(&format!("i{number}"), &format!("n{number}"));
        }
        let is_known = |number: &i32| known.get(&format!("i{number}")).is_some();
        assert!((85..95).all(|number| is_known(&number)));
        assert!((0..95).filter(is_known).count() <= 20);
        assert_eq!(known.get("i94").as_deref(), Some("n94"));
    }

    #[test]
    fn a_new_name_replaces_the_old_one() {
        let known = NameCache::with(2);
        for (identity, name) in [("a", "Ann"), ("b", "Ben"), ("a", "Anna")] {
            known.insert(identity, name);
        }
        assert_eq!(known.get("a").as_deref(), Some("Anna"));
        known.insert("c", "Cleo");
        assert_eq!(known.get("a").as_deref(), Some("Anna"));
    }

    #[test]
    fn a_name_from_the_storage_does_not_replace_a_newer_one() {
        let known = NameCache::with(2);
        assert_eq!(known.insert_read("a", "Ann".to_owned()), "Ann");
        known.insert("a", "Anna");
        assert_eq!(known.insert_read("a", "Ann".to_owned()), "Anna");
        assert_eq!(known.get("a").as_deref(), Some("Anna"));
    }
}

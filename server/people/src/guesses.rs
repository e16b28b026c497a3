//! The limit of wrong passwords and codes: a client that enters too many has to wait, longer each time.
//!
//! The caller counts by account and by address. A right password does not reset a count: a guesser could have an account of
//! its own. A count by account exists for unknown handles too, so that it does not show which accounts exist.

use std::borrow::Borrow;
use std::collections::BTreeMap;

use tilewire_rules::time::{Millis, Timestamp};

/// The limits of wrong entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GuessBounds {
    /// Wrong entries before the client has to wait.
    pub free: u32,
    /// The wait after one more; it doubles with each further one.
    pub wait_ms: Millis,
    /// The longest wait. For each such time without a wrong entry, one is forgiven.
    pub wait_max_ms: Millis,
    /// Clients that are counted at the same time. Beyond that, the count that is nearest to being forgiven is dropped.
    pub clients_max: usize,
}

impl GuessBounds {
    /// The usual limits of one account: 5 wrong entries, then 1 s, 2 s, 4 s and so on, up to 15 minutes.
    pub const ACCOUNT: Self = Self {
        free: 5,
        wait_ms: Millis(1_000),
        wait_max_ms: Millis(15 * 60_000),
        clients_max: 100_000,
    };
    /// The usual limits of one account at all addresses from which its player has not signed in.
    pub const STRANGERS: Self = Self {
        free: 50,
        ..Self::ACCOUNT
    };
    /// The usual limits of one address, which several players can share.
    pub const ADDRESS: Self = Self {
        free: 20,
        ..Self::ACCOUNT
    };
}

/// Counts wrong entries by client: the folded key of a handle, or an address.
#[derive(Debug, Clone)]
pub struct Guesses<Client> {
    bounds: GuessBounds,
    counts: BTreeMap<Client, Count>,
}

/// A step of a try that pays before its outcome is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Asks for the wait before the try.
    Ask,
    /// Begins the try.
    Begin,
    /// Ends it as a wrong one.
    Wrong,
    /// Ends it as one that does not count.
    Right,
    /// Counts a wrong try that did not begin here.
    WrongElsewhere,
}

#[derive(Debug, Clone, Copy)]
struct Count {
    wrong: u32,
    /// Tries whose outcome is not known.
    begun: u32,
    /// When the next wrong entry is forgiven.
    forgive_at: Timestamp,
    /// No entry is accepted before this time.
    until: Timestamp,
}

impl<Client: Ord + Clone> Guesses<Client> {
    /// Returns an empty count.
    #[must_use]
    pub const fn new(bounds: GuessBounds) -> Self {
        Self {
            bounds,
            counts: BTreeMap::new(),
        }
    }

    /// Checks whether a client may enter a password or a code now. Call it before any costly work.
    ///
    /// # Errors
    /// The time left to wait.
    pub fn admit<Id>(&self, now: Timestamp, client: &Id) -> Result<(), Millis>
    where
        Client: Borrow<Id>,
        Id: Ord + ?Sized,
    {
        match self.counts.get(client) {
            Some(count) if count.until > now => Err(count.until - now),
            Some(_) | None => Ok(()),
        }
    }

    /// Takes a step of a try of a client, if there is one; returns the wait.
    pub fn take(&mut self, now: Timestamp, client: Option<&Client>, step: Step) -> Millis {
        let Some(client) = client else {
            return Millis::ZERO;
        };
        match step {
            Step::Ask => return self.wait(now, client),
            Step::Begin => {
                let count = self.count(now, client.clone());
                count.begun = count.begun.saturating_add(1);
            }
            Step::Wrong | Step::Right => {
                if let Some(count) = self.counts.get_mut(client) {
                    count.begun = count.begun.saturating_sub(1);
                    if count.begun == 0 && count.wrong == 0 {
                        self.counts.remove(client);
                    }
                }
                if step == Step::Wrong {
                    self.wrong(now, client.clone());
                }
            }
            Step::WrongElsewhere => self.wrong(now, client.clone()),
        }
        Millis::ZERO
    }

    /// Returns the wait before a try: tries that have begun count as wrong ones.
    fn wait(&self, now: Timestamp, client: &Client) -> Millis {
        let bounds = self.bounds;
        match self.counts.get(client) {
            Some(count) if count.until > now => count.until - now,
            Some(count) if count.begun > 0 && count.wrong + count.begun > bounds.free => {
                bounds.wait_ms
            }
            Some(_) | None => Millis::ZERO,
        }
    }

    /// Counts a wrong entry.
    pub fn wrong(&mut self, now: Timestamp, client: Client) {
        let bounds = self.bounds;
        let count = self.count(now, client);
        count.forgive(now, &bounds);
        count.wrong = count.wrong.saturating_add(1);
        count.forgive_at = now + bounds.wait_max_ms;
        if let Some(doublings) = count.wrong.checked_sub(bounds.free + 1) {
            let wait = bounds.wait_ms * (1 << doublings.min(40));
            count.until = now + wait.min(bounds.wait_max_ms);
        }
    }

    fn count(&mut self, now: Timestamp, client: Client) -> &mut Count {
        if self.counts.len() >= self.bounds.clients_max && !self.counts.contains_key(&client) {
            self.make_room(now);
        }
        self.counts.entry(client).or_insert(Count::new(now))
    }

    fn make_room(&mut self, now: Timestamp) {
        let bounds = self.bounds;
        self.counts.retain(|_, count| {
            count.forgive(now, &bounds);
            count.wrong > 0 || count.begun > 0
        });
        if self.counts.len() >= bounds.clients_max {
            let nearest = self
                .counts
                .iter()
                .min_by_key(|(_, count)| (count.wrong, count.forgive_at));
            if let Some(nearest) = nearest.map(|(client, _)| client.clone()) {
                self.counts.remove(&nearest);
            }
        }
    }
}

impl Count {
    const fn new(now: Timestamp) -> Self {
        Self {
            wrong: 0,
            begun: 0,
            forgive_at: now,
            until: now,
        }
    }

    /// Forgives wrong entries that are old enough.
    fn forgive(&mut self, now: Timestamp, bounds: &GuessBounds) {
        let every = bounds.wait_max_ms.0.max(1);
        let late = (now - self.forgive_at).0;
        if late < 0 {
            return;
        }
        let forgiven = late / every + 1;
        self.wrong = self
            .wrong
            .saturating_sub(u32::try_from(forgiven).unwrap_or(u32::MAX));
        self.forgive_at += bounds.wait_max_ms * forgiven;
    }
}

#[cfg(test)]
mod tests {
    use super::{GuessBounds, Guesses, Step};
    use tilewire_rules::time::{Millis, Timestamp};

    const BOUNDS: GuessBounds = GuessBounds {
        free: 2,
        wait_ms: Millis(100),
        wait_max_ms: Millis(1_000),
        clients_max: 3,
    };

    #[test]
    fn each_wrong_entry_too_many_doubles_the_wait() {
        let mut guesses = Guesses::new(BOUNDS);
        let mut now = Timestamp(0);
        for _ in 0..BOUNDS.free {
            assert_eq!(guesses.admit(now, "anna"), Ok(()));
            guesses.wrong(now, "anna".to_owned());
        }
        assert_eq!(guesses.admit(now, "anna"), Ok(()));
        for wait in [100, 200, 400, 800, 1_000] {
            guesses.wrong(now, "anna".to_owned());
            assert_eq!(guesses.admit(now, "anna"), Err(Millis(wait)));
            assert_eq!(
                guesses.admit(now, "ben"),
                Ok(()),
                "the count is anna's alone"
            );
            now += Millis(wait - 1);
            assert_eq!(guesses.admit(now, "anna"), Err(Millis(1)));
            now += Millis(1);
            assert_eq!(guesses.admit(now, "anna"), Ok(()));
        }
    }

    #[test]
    fn time_forgives_one_wrong_entry_after_the_other() {
        let wrongs_after = |pause: i64| {
            let mut guesses = Guesses::new(BOUNDS);
            for _ in 0..4 {
                guesses.wrong(Timestamp(0), "anna");
            }
            guesses.wrong(Timestamp(pause), "anna");
            guesses.admit(Timestamp(pause), "anna")
        };
        assert_eq!(wrongs_after(999), Err(Millis(400)), "five are counted");
        assert_eq!(wrongs_after(1_000), Err(Millis(200)), "four");
        assert_eq!(wrongs_after(2_000), Err(Millis(100)), "three");
        assert_eq!(wrongs_after(3_000), Ok(()), "two");
        assert_eq!(wrongs_after(1_000_000), Ok(()), "one");
    }

    #[test]
    fn tries_that_have_begun_count_until_they_end() {
        let mut guesses = Guesses::new(BOUNDS);
        let mut take = |step| guesses.take(Timestamp(0), Some(&"anna"), step);
        for _ in 0..=BOUNDS.free {
            assert_eq!(take(Step::Ask), Millis(0));
            take(Step::Begin);
        }
        assert_eq!(take(Step::Ask), BOUNDS.wait_ms, "three are under way");
        take(Step::Right);
        assert_eq!(take(Step::Ask), Millis(0));
        take(Step::Wrong);
        take(Step::Right);
        assert_eq!(take(Step::Ask), Millis(0), "one was wrong");
        assert_eq!(guesses.admit(Timestamp(0), "anna"), Ok(()));
    }

    #[test]
    fn the_number_of_clients_is_bounded_and_the_worst_stays() {
        let mut guesses = Guesses::new(BOUNDS);
        for _ in 0..3 {
            guesses.wrong(Timestamp(0), 0_u32);
        }
        for client in 1..100 {
            guesses.wrong(Timestamp(1), client);
            assert!(guesses.counts.len() <= BOUNDS.clients_max);
        }
        assert_eq!(guesses.admit(Timestamp(1), &0), Err(Millis(99)));
    }
}

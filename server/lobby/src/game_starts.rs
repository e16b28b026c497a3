//! The rate at which an identity, and the clients of an address, begin games. Every game that begins is stored, even if it
//! is called off at once.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

use tilewire_rules::time::{Millis, Timestamp};

use tilewire_base::address::{ClientAddress, ClientNetwork};
use tilewire_config::Limits;
use tilewire_delivery::session::Bucket;

/// A bucket refills by a game's price in a minute if one game a minute is allowed.
const PRICE: u32 = 60;
/// Buckets that are remembered before full ones are dropped.
const SWEEP_FROM: usize = 1_024;

/// Games in a minute, and games at once.
#[derive(Debug, Clone, Copy)]
struct Rate {
    per_minute: u32,
    burst: u32,
}

/// The buckets of one kind of owner.
#[derive(Debug)]
struct Buckets<K> {
    buckets: HashMap<K, Bucket>,
    sweep_at: usize,
}

/// The rate limits of game starts, for each identity and each address.
#[derive(Debug)]
pub(super) struct GameStarts {
    of_identity: Rate,
    of_address: Rate,
    identities: Buckets<String>,
    networks: Buckets<ClientNetwork>,
}

impl GameStarts {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            of_identity: Rate {
                per_minute: limits.games_per_minute,
                burst: limits.games_burst,
            },
            of_address: Rate {
                per_minute: limits.games_per_minute_per_address,
                burst: limits.games_burst_per_address,
            },
            identities: Buckets::new(),
            networks: Buckets::new(),
        }
    }

    /// Returns the same for invitations: each may become a game.
    pub(super) fn of_invitations(limits: &Limits) -> Self {
        Self {
            of_identity: Rate {
                per_minute: limits.invitations_per_minute,
                burst: limits.invitations_burst,
            },
            ..Self::new(limits)
        }
    }

    /// Counts a game that a client begins.
    ///
    /// # Errors
    /// When its identity, or a network of its address, has begun too many: the time until it may begin one.
    pub(super) fn begin(
        &mut self,
        identity: &str,
        address: Option<ClientAddress>,
        now: Timestamp,
    ) -> Result<(), Millis> {
        self.identities.take(identity, self.of_identity, now)?;
        for (network, times) in address.into_iter().flat_map(ClientAddress::networks) {
            let times = u32::try_from(times).unwrap_or(u32::MAX);
            let rate = Rate {
                per_minute: self.of_address.per_minute.saturating_mul(times),
                burst: self.of_address.burst.saturating_mul(times),
            };
            self.networks.take(&network, rate, now)?;
        }
        Ok(())
    }
}

impl<K: Eq + Hash> Buckets<K> {
    fn new() -> Self {
        Self {
            buckets: HashMap::new(),
            sweep_at: SWEEP_FROM,
        }
    }

    fn take<Q>(&mut self, key: &Q, rate: Rate, now: Timestamp) -> Result<(), Millis>
    where
        K: Borrow<Q>,
        Q: ToOwned<Owned = K> + Eq + Hash + ?Sized,
    {
        if let Some(bucket) = self.buckets.get_mut(key) {
            return bucket.take_many(now, PRICE);
        }
        if self.buckets.len() >= self.sweep_at {
            self.buckets.retain(|_, bucket| !bucket.is_full(now));
            self.sweep_at = (2 * self.buckets.len()).max(SWEEP_FROM);
        }
        let mut bucket = Bucket::full(now, rate.per_minute, rate.burst.saturating_mul(PRICE));
        let taken = bucket.take_many(now, PRICE);
        self.buckets.insert(key.to_owned(), bucket);
        taken
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    fn starts() -> GameStarts {
        GameStarts::new(&Limits {
            games_per_minute: 2,
            games_burst: 3,
            games_per_minute_per_address: 6,
            games_burst_per_address: 5,
            ..Limits::default()
        })
    }

    fn address(text: &str) -> Option<ClientAddress> {
        Some(ClientAddress::from(text.parse::<IpAddr>().unwrap()))
    }

    #[test]
    fn an_identity_begins_a_burst_of_games_and_then_some_each_minute() {
        let mut starts = starts();
        for _ in 0..3 {
            assert_eq!(starts.begin("anna", None, Timestamp(0)), Ok(()));
        }
        assert_eq!(
            starts.begin("anna", None, Timestamp(0)),
            Err(Millis(30_000))
        );
        assert_eq!(starts.begin("ben", None, Timestamp(0)), Ok(()));
        assert_eq!(
            starts.begin("anna", None, Timestamp(29_999)),
            Err(Millis(1))
        );
        assert_eq!(starts.begin("anna", None, Timestamp(30_000)), Ok(()));
    }

    #[test]
    fn invitations_have_a_rate_of_their_own() {
        let limits = Limits {
            invitations_per_minute: 6,
            invitations_burst: 2,
            ..Limits::default()
        };
        let mut sent = GameStarts::of_invitations(&limits);
        for (at, expected) in [
            (0, Ok(())),
            (0, Ok(())),
            (0, Err(Millis(10_000))),
            (9_999, Err(Millis(1))),
            (10_000, Ok(())),
            (10_000, Err(Millis(10_000))),
        ] {
            let found = sent.begin("anna", None, Timestamp(at));
            assert_eq!(found, expected, "at {at}");
        }
    }

    #[test]
    fn many_identities_of_an_address_share_its_rate() {
        let mut starts = starts();
        let mut begun = |number: u32, from: &str| {
            let identity = format!("guest-{number}");
            starts.begin(&identity, address(from), Timestamp(0)).is_ok()
        };
        let of_one = (0..20).filter(|number| begun(*number, "192.0.2.1"));
        assert_eq!(of_one.count(), 5);
        assert!(begun(20, "192.0.2.2"));
        // 48 bits have four times as much.
        let of_network =
            (100..200).filter(|number| begun(*number, &format!("2001:db8:0:{:x}::1", number << 8)));
        assert_eq!(of_network.count(), 20);
    }

    #[test]
    fn full_buckets_are_forgotten() {
        let mut starts = starts();
        for number in 0..20_000_i32 {
            let now = Timestamp(i64::from(number) * 1_000);
            starts.begin(&number.to_string(), None, now).unwrap();
        }
        let known = starts.identities.buckets.len();
        assert!(known <= 2 * SWEEP_FROM, "{known} are remembered");
    }
}

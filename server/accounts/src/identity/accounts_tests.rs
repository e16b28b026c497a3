//! The identities that the server stores, on a real storage.

use std::sync::Arc;

use tempfile::TempDir;
use tilewire_protocol::{Auth, Token};
use tilewire_rules::time::Timestamp;

use super::{AccountParts, Accounts, Authenticated, SEEN_EVERY};
use crate::identity::Tokens;
use tilewire_base::clock::ServerClock;
use tilewire_base::ids::Ids;
use tilewire_config::{Config, Retention, StorageConfig};
use tilewire_store::{IdentityRow, Storage};

const START: Timestamp = Timestamp(1_800_000_000_000);

struct Fixture {
    storage: Arc<dyn Storage>,
    clock: ServerClock,
    accounts: Accounts,
    _dir: TempDir,
}

impl Fixture {
    async fn new() -> Self {
        let dir = TempDir::new().unwrap();
        let config = Config::default();
        let storage =
            tilewire_databases::open(dir.path(), &StorageConfig::default(), START).unwrap();
        let keys = storage.credentials().await.unwrap().keys;
        let clock = ServerClock::manual(START);
        let parts = AccountParts {
            clock: clock.clone(),
            ids: Ids::seeded(1),
            store: Arc::clone(&storage) as _,
            restrictions: Arc::default(),
            tokens: Tokens::new(&keys, &config.identity),
        };
        Self {
            accounts: Accounts::new(parts, &config),
            storage,
            clock,
            _dir: dir,
        }
    }

    async fn come(&self, token: Option<&str>) -> Authenticated {
        let auth = Auth {
            token: token.map(|token| Token(token.to_owned())),
            name: None,
            client: "tests".to_owned(),
        };
        self.accounts.authenticate(auth, None).await.unwrap()
    }

    /// Lets a guest open or join a seek; returns the guest's name.
    async fn plays(&self, guest: &Authenticated) -> String {
        let identity = &guest.identity.identity;
        self.accounts.name_to_play(identity).await
    }

    fn token_of(&self, guest: &Authenticated) -> String {
        self.accounts.issue(&guest.pass).token
    }

    async fn stored(&self, guest: &Authenticated) -> Option<IdentityRow> {
        self.storage
            .identity(&guest.identity.identity)
            .await
            .unwrap()
    }

    fn advance_days(&self, days: u32) {
        let day = u32::try_from(SEEN_EVERY.0).unwrap();
        for _ in 0..days {
            self.clock.advance(day);
        }
    }

    async fn prune(&self) -> usize {
        let pruned = self
            .storage
            .prune(self.clock.now(), &Retention::default())
            .await;
        pruned.unwrap().idle_guests
    }
}

#[tokio::test]
async fn a_guest_is_stored_when_it_plays() {
    let server = Fixture::new().await;
    let guest = server.come(None).await;
    let token = server.token_of(&guest);
    let again = server.come(Some(&token)).await;
    assert_eq!(again.identity.name, guest.identity.name);
    assert_eq!(server.stored(&guest).await, None);
    assert_eq!(server.plays(&guest).await, guest.identity.name);
    let stored = server.stored(&guest).await;
    assert_eq!(stored, Some(guest.identity));
}

#[tokio::test]
async fn a_guest_who_comes_back_is_not_idle() {
    let server = Fixture::new().await;
    let guest = server.come(None).await;
    server.plays(&guest).await;
    let token = server.token_of(&guest);
    assert_eq!(server.stored(&guest).await.unwrap().seen_at, START);
    server.advance_days(1);
    server.come(Some(&token)).await;
    // Written at most once a day.
    assert_eq!(server.stored(&guest).await.unwrap().seen_at, START);
    server.advance_days(19);
    let again = server.come(Some(&token)).await;
    assert!(!again.is_new);
    let row = server.stored(&guest).await.unwrap();
    assert_eq!((row.created_at, row.seen_at), (START, server.clock.now()));
    server.advance_days(20);
    assert_eq!(server.prune().await, 0);
    server.advance_days(20);
    assert_eq!(server.prune().await, 1);
}

#[tokio::test]
async fn a_removed_guest_with_a_token_gets_the_same_identity() {
    let server = Fixture::new().await;
    let guest = server.come(None).await;
    assert!(guest.is_new);
    server.plays(&guest).await;
    let token = server.token_of(&guest);
    server.advance_days(31);
    assert_eq!(server.prune().await, 1);
    assert_eq!(server.stored(&guest).await, None);
    let again = server.come(Some(&token)).await;
    assert_eq!(again.identity.identity, guest.identity.identity);
    // A player with a token can have games.
    assert!(!again.is_new);
    assert_eq!(again.identity.name, guest.identity.name);
    assert_eq!(server.plays(&again).await, guest.identity.name);
}

//! The contract for accounts as tests. Every [`AccountStore`] must pass them.

use tilewire_people::accounts::{
    Account, Actor, Effect, Holder, Input, NewRegistration, NewSession, Origin, Registration, Role,
};
use tilewire_people::codes::RecoveryCodes;
use tilewire_people::handles::{Handle, HandleKey};
use tilewire_people::invitations::InvitationsFrom;
use tilewire_people::passwords::PasswordHash;
use tilewire_rules::time::{Millis, Timestamp};

use super::{AccountChange, AccountError, AccountStore, StoredSession};

const START: Timestamp = Timestamp(1_800_000_000_000);

fn handle(text: &str) -> Handle {
    Handle::parse(text).unwrap()
}

fn key(text: &str) -> HandleKey {
    handle(text).key()
}

fn session(family: &str) -> NewSession {
    NewSession {
        family: family.to_owned(),
        label: format!("label of {family}"),
    }
}

/// A password that nobody can enter.
fn no_password() -> PasswordHash {
    serde_json::from_str("\"$argon2id$none\"").unwrap()
}

/// Returns an account that no store has yet, with a handle and without sessions.
pub(crate) fn registered(identity: &str, handle: Handle, at: Timestamp) -> Account {
    let mut account = Account::guest(identity, at);
    account.registration = Some(Registration {
        handle,
        is_bot: false,
        at,
        handle_changed_at: None,
        former_handles: Vec::new(),
        password: Some(no_password()),
        recovery: RecoveryCodes::default(),
        mail: None,
    });
    account
}

fn registration(wanted: &str, family: &str) -> Input {
    Input::Register {
        new: NewRegistration {
            handle: handle(wanted),
            is_bot: false,
            password: Some(no_password()),
            recovery: RecoveryCodes::generate("anna", &[7; 100]).1,
            mail: None,
        },
        holder: None,
        guest: None,
        session: session(family),
    }
}

/// Registers identities. Each handle is the identity.
pub async fn register<'a>(store: &dyn AccountStore, identities: impl IntoIterator<Item = &'a str>) {
    for identity in identities {
        let input = registration(identity, &format!("family of {identity}"));
        change(store, identity, START, input).await.unwrap();
    }
}

/// Applies an input to the stored account of an identity, or to that of a guest.
async fn change(
    store: &dyn AccountStore,
    identity: &str,
    now: Timestamp,
    input: Input,
) -> Result<Account, AccountError> {
    let stored = store.account(identity).await.unwrap();
    let (expected, mut account) = match stored {
        Some(stored) => (stored.version, stored.account),
        None => (0, Account::guest(identity, START)),
    };
    let effects = account.handle(now, input).unwrap();
    let change = AccountChange {
        expected,
        account: account.clone(),
        effects,
        at: now,
    };
    store.apply(change).await.map(|()| account)
}

/// Checks a store that is empty at first.
pub async fn accounts(store: &dyn AccountStore) {
    registrations_are_read_back(store).await;
    a_handle_belongs_to_one_account(store).await;
    a_stale_change_stores_nothing(store).await;
    a_former_handle_is_reserved_for_a_time(store).await;
    sessions_are_found_by_their_family(store).await;
    a_user_of_a_site_has_a_handle(store).await;
    players_are_found_by_the_start_of_their_handle(store).await;
    players_without_chat_are_found(store).await;
}

async fn players_without_chat_are_found(store: &dyn AccountStore) {
    register(store, ["silent", "mute", "chatty"]).await;
    let switch = async |identity: &str, is_on: bool| {
        let input = Input::SwitchChat { is_on };
        change(store, identity, START, input).await.unwrap();
        store.without_chat().await.unwrap()
    };
    assert_eq!(switch("chatty", true).await, [""; 0]);
    assert_eq!(switch("silent", false).await, ["silent"]);
    assert_eq!(switch("mute", false).await, ["mute", "silent"]);
    assert_eq!(switch("silent", true).await, ["mute"]);
    // Another change of the account keeps it.
    let from = InvitationsFrom::Nobody;
    let other = Input::TakeInvitations { from };
    change(store, "mute", START, other).await.unwrap();
    assert_eq!(store.without_chat().await.unwrap(), ["mute"]);
}

async fn players_are_found_by_the_start_of_their_handle(store: &dyn AccountStore) {
    for (number, handle) in ["Zelda", "zelig", "ZEL", "zebra", "zeI9", "other-zel"]
        .into_iter()
        .enumerate()
    {
        let family = format!("search-{number}");
        let registered = change(store, &family, START, registration(handle, &family)).await;
        registered.unwrap();
    }
    let found = async |start: &str, most: usize| {
        let found = store.search(&HandleKey::of(start), most).await.unwrap();
        let handles = found.into_iter().map(|account| {
            assert_eq!(account.sessions, []);
            account.registration.unwrap().handle.to_string()
        });
        handles.collect::<Vec<String>>()
    };
    // The last one looks like zel9.
    assert_eq!(found("ZEL", 9).await, ["ZEL", "Zelda", "zelig", "zeI9"]);
    assert_eq!(found("zel", 3).await, ["ZEL", "Zelda", "zelig"]);
    assert_eq!(found("zelda", 9).await, ["Zelda"]);
    assert_eq!(found("zelda2", 9).await, [""; 0]);
    assert_eq!(found("z%", 9).await, [""; 0]);
    // Nobody is found by a handle from before.
    let rename = Input::ChangeHandle {
        by: "search-0".to_owned(),
        handle: handle("yvette"),
        holder: None,
    };
    change(store, "search-0", START, rename).await.unwrap();
    assert_eq!(found("zelda", 9).await, [""; 0]);
    assert_eq!(found("yv", 9).await, ["yvette"]);
}

async fn registrations_are_read_back(store: &dyn AccountStore) {
    assert_eq!(store.account("anna").await.unwrap(), None);
    assert_eq!(store.account_of(&key("Anna")).await.unwrap(), None);
    let account = change(store, "anna", START, registration("Anna", "f1")).await;
    let stored = store.account("anna").await.unwrap().unwrap();
    assert_eq!((stored.version, &stored.account), (1, &account.unwrap()));
    assert_eq!(stored.account.sessions.len(), 1);
    assert_eq!(store.account_of(&key("ANNA")).await, Ok(Some(stored)));
    let held = store.holders(&key("anna")).await.unwrap();
    let holder = Holder {
        identity: "anna".to_owned(),
        reserved_until: None,
    };
    assert_eq!(held, [holder]);
}

async fn a_handle_belongs_to_one_account(store: &dyn AccountStore) {
    // Equal in folded case, and equal to the eye.
    change(store, "paul", START, registration("paul", "p1"))
        .await
        .unwrap();
    for clashing in ["ANNA", "pau1"] {
        let refused = change(store, "other", START, registration(clashing, "f9")).await;
        assert_eq!(refused, Err(AccountError::HandleTaken), "{clashing}");
        assert_eq!(store.account("other").await.unwrap(), None);
        assert_eq!(store.session("f9").await.unwrap(), None);
    }
    assert_eq!(store.account_of(&key("pau1")).await.unwrap(), None);
    assert_eq!(store.holders(&key("pau1")).await.unwrap().len(), 1);
}

async fn a_stale_change_stores_nothing(store: &dyn AccountStore) {
    let stored = store.account("anna").await.unwrap().unwrap();
    let mut account = stored.account.clone();
    account.sessions.clear();
    for expected in [0, 2, 9] {
        let stale = AccountChange {
            expected,
            account: account.clone(),
            effects: vec![Effect::ClaimHandle(key("stolen"))],
            at: START,
        };
        assert_eq!(store.apply(stale).await, Err(AccountError::Stale));
    }
    assert_eq!(store.account("anna").await, Ok(Some(stored)));
    assert_eq!(store.holders(&key("stolen")).await, Ok(vec![]));
}

async fn a_former_handle_is_reserved_for_a_time(store: &dyn AccountStore) {
    let rename = Input::ChangeHandle {
        by: "f1".to_owned(),
        handle: handle("Hanna"),
        holder: None,
    };
    change(store, "anna", START, rename).await.unwrap();
    assert_eq!(store.account_of(&key("anna")).await.unwrap(), None);
    let found = store.account_of(&key("hanna")).await.unwrap().unwrap();
    assert_eq!(
        (found.version, found.account.identity.as_str()),
        (2, "anna")
    );
    let reserved = store.holders(&key("anna")).await.unwrap();
    let until = reserved[0].reserved_until.unwrap();
    assert!(until > START);
    let early = change(
        store,
        "other",
        until - Millis(1),
        registration("Anna", "o1"),
    )
    .await;
    assert_eq!(early, Err(AccountError::HandleTaken));
    change(store, "other", until, registration("Anna", "o1"))
        .await
        .unwrap();
    let found = store.account_of(&key("anna")).await.unwrap().unwrap();
    assert_eq!(found.account.identity, "other");
}

async fn sessions_are_found_by_their_family(store: &dyn AccountStore) {
    let found = |used_at| {
        Some(StoredSession {
            identity: "anna".to_owned(),
            used_at,
        })
    };
    assert_eq!(store.session("f1").await.unwrap(), found(START));
    assert_eq!(store.session("nowhere").await.unwrap(), None);
    let later = START + Millis(5_000);
    store.session_used("f1", later).await.unwrap();
    store.session_used("f1", START).await.unwrap();
    store.session_used("nowhere", later).await.unwrap();
    assert_eq!(store.session("f1").await.unwrap(), found(later));
    let stored = store.account("anna").await.unwrap().unwrap();
    assert_eq!(stored.account.sessions[0].used_at, later);
    let out = Input::LogOut {
        by: "f1".to_owned(),
    };
    change(store, "anna", later, out).await.unwrap();
    assert_eq!(store.session("f1").await.unwrap(), None);
    store.session_used("f1", later).await.unwrap();
    assert_eq!(store.session("f1").await.unwrap(), None);
}

async fn a_user_of_a_site_has_a_handle(store: &dyn AccountStore) {
    let account = Account::of_site("site-1", handle("Zoe"), START);
    let change = AccountChange {
        expected: 0,
        effects: vec![Effect::ClaimHandle(key("Zoe"))],
        account,
        at: START,
    };
    store.apply(change).await.unwrap();
    let found = store.account_of(&key("zoe")).await.unwrap().unwrap();
    assert_eq!(found.account.origin, Origin::Site);
}

/// Returns an input that gives a role.
pub fn role(role: Role) -> Input {
    Input::GrantRole {
        actor: Actor::Operator,
        role,
        reason: "a test".to_owned(),
    }
}

/// Gives an identity a handle and two roles.
pub async fn with_roles(store: &dyn AccountStore, identity: &str) {
    for input in [
        registration("Dora", "d1"),
        role(Role::Moderator),
        role(Role::Admin),
    ] {
        change(store, identity, START, input).await.unwrap();
    }
}

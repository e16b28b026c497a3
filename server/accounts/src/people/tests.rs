//! Accounts on a real storage, with a clock that the test moves.

use std::net::IpAddr;
use std::sync::Arc;

use tempfile::TempDir;
use tilewire_people::accounts::{Actor, Input, Refusal};
use tilewire_people::handles::{CHANGE_EVERY, HandleError};
use tilewire_people::passwords::PasswordError;
use tilewire_people::pools::PlayerKind;
use tilewire_protocol::{Auth, ErrorBody, ErrorCode, Token};
use tilewire_rules::time::{Millis, Timestamp};

use super::{
    Blocks, ChatOff, Failure, Letters, MailReach, People, PeopleServices, Pushes, Recovery,
    Registration, SignedIn,
};
use crate::enforcement::Enforcement;
use crate::identity::{AccountParts, Accounts, Authenticated, Bearer, Tokens};
use crate::links::LinkKey;
use crate::restrictions::Restrictions;
use tilewire_base::address::ClientAddress;
use tilewire_base::clock::ServerClock;
use tilewire_base::ids::Ids;
use tilewire_base::slow_work::SlowWork;
use tilewire_config::{Config, StorageConfig};
use tilewire_delivery::outbound::Registry;
use tilewire_delivery::wrong_entries::WrongEntries;
use tilewire_store::{AccountStore, IdentityRow, Storage};

const START: Timestamp = Timestamp(1_800_000_000_000);
pub(super) const PASSWORD: &str = "seven crooked lanterns";
pub(super) const OTHER: &str = "eleven damp umbrellas";

pub(super) struct Fixture {
    pub(super) people: People,
    pub(super) blocks: Arc<Blocks>,
    pub(super) chat_off: Arc<ChatOff>,
    pub(super) accounts: Arc<Accounts>,
    clock: ServerClock,
    pub(super) storage: Arc<dyn Storage>,
    _dir: TempDir,
}

pub(super) fn home() -> ClientAddress {
    at(1)
}

pub(super) fn at(host: u8) -> ClientAddress {
    ClientAddress::from(IpAddr::from([192, 0, 2, host]))
}

impl Fixture {
    pub(super) async fn new(change: impl FnOnce(&mut Config)) -> Self {
        let dir = TempDir::new().unwrap();
        let mut config = Config::default();
        change(&mut config);
        let storage =
            tilewire_databases::open(dir.path(), &StorageConfig::default(), START).unwrap();
        let keys = storage.credentials().await.unwrap().keys;
        let clock = ServerClock::manual(START);
        let restrictions = Arc::<Restrictions>::default();
        let registry = Arc::<Registry>::default();
        let accounts = AccountParts {
            clock: clock.clone(),
            ids: Ids::seeded(1),
            store: Arc::clone(&storage) as _,
            restrictions: Arc::clone(&restrictions),
            tokens: Tokens::new(&keys, &config.identity),
        };
        let accounts = Arc::new(Accounts::new(accounts, &config));
        let blocks = Arc::<Blocks>::default();
        let chat_off = Arc::<ChatOff>::default();
        let parts = PeopleServices {
            clock: clock.clone(),
            ids: Ids::seeded(2),
            store: Arc::clone(&storage) as _,
            relations: Arc::clone(&storage) as _,
            blocks: Arc::clone(&blocks),
            chat_off: Arc::clone(&chat_off),
            enforcement: Enforcement {
                restrictions,
                store: Arc::clone(&storage) as _,
                registry: Arc::clone(&registry),
            },
            personal: Arc::clone(&storage) as _,
            accounts: Arc::clone(&accounts),
            registry,
            slow_work: SlowWork::OnThread,
            letters: Some(Letters {
                store: Arc::clone(&storage) as _,
                key: LinkKey::new([7; 32]),
                reach: MailReach::default(),
            }),
            pushes: Some(Pushes {
                store: Arc::clone(&storage) as _,
                devices: config.push.devices,
                any_port: config.push.allows_any_port(),
            }),
            wrong_entries: Arc::new(WrongEntries::new(&config, clock.clone(), None)),
        };
        Self {
            people: People::new(parts, &config),
            blocks,
            chat_off,
            accounts,
            clock,
            storage,
            _dir: dir,
        }
    }

    async fn come(
        &self,
        token: Option<&str>,
        name: Option<&str>,
    ) -> Result<Authenticated, ErrorBody> {
        let auth = Auth {
            token: token.map(|token| Token(token.to_owned())),
            name: name.map(str::to_owned),
            client: "tests".to_owned(),
        };
        self.accounts.authenticate(auth, None).await
    }

    /// Returns the token of a new guest.
    pub(super) async fn guest(&self) -> String {
        let guest = self.come(None, None).await.unwrap();
        self.accounts.issue(&guest.pass).token
    }

    pub(super) async fn bearer(&self, token: &str) -> Bearer {
        self.people.bearer(token).await.unwrap()
    }

    /// Checks that a token is good no longer.
    async fn is_refused(&self, token: &str) {
        let error = self.people.bearer(token).await.unwrap_err();
        assert!(matches!(error, Failure::Token(body) if body.code == ErrorCode::BadToken));
    }

    async fn register(&self, token: &str, handle: &str) -> Result<SignedIn, Failure> {
        let asked = Registration {
            handle: handle.to_owned(),
            password: Some(PASSWORD.to_owned()),
            mail: None,
            is_bot: false,
            label: "a laptop".to_owned(),
        };
        let bearer = self.bearer(token).await;
        self.people.register(&bearer, home(), asked).await
    }

    pub(super) async fn player(&self, handle: &str) -> SignedIn {
        let token = self.guest().await;
        self.register(&token, handle).await.unwrap()
    }

    pub(super) async fn log_in(&self, handle: &str, password: &str) -> Result<SignedIn, Failure> {
        self.people
            .log_in(home(), handle, password.to_owned(), "a phone")
            .await
    }

    pub(super) async fn recover(&self, handle: &str, code: &str) -> Result<SignedIn, Failure> {
        let asked = Recovery {
            handle: handle.to_owned(),
            code: code.to_owned(),
            password: OTHER.to_owned(),
            label: "a phone".to_owned(),
        };
        self.people.recover(home(), asked).await
    }

    pub(super) fn advance(&self, time: Millis) {
        let step = 1_000_000_000;
        for _ in 0..time.0 / step {
            self.clock.advance(u32::try_from(step).unwrap());
        }
        self.clock.advance(u32::try_from(time.0 % step).unwrap());
    }
}

pub(super) fn refusal(tried: Result<SignedIn, Failure>) -> Refusal {
    match tried.err() {
        Some(Failure::Refused(refusal)) => refusal,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_guest_registers_in_place_and_logs_in_elsewhere() {
    let all = Fixture::new(|_| {}).await;
    let token = all.guest().await;
    let guest = all.bearer(&token).await.pass;
    let registered = all.register(&token, "Anna").await.unwrap();
    assert_eq!(registered.account.identity, guest.identity);
    assert_eq!(registered.recovery_codes.len(), 10);
    let row = all
        .storage
        .identity(&guest.identity)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(row.name, "Anna");
    // Another person may know the guest's token.
    all.is_refused(&token).await;
    let again = refusal(all.register(&registered.issued.token, "Hanna").await);
    assert_eq!(again, Refusal::AlreadyRegistered);

    let elsewhere = all.log_in("aNNa", PASSWORD).await.unwrap();
    let phone = all.bearer(&elsewhere.issued.token).await;
    assert_eq!(phone.pass.identity, guest.identity);
    assert_ne!(phone.pass.family, guest.family);
    let labels: Vec<String> = elsewhere
        .account
        .sessions
        .iter()
        .map(|session| session.label.clone())
        .collect();
    assert_eq!(labels, ["a laptop", "a phone"]);

    // The phone ends the session of the laptop; then its own.
    let laptop = all.bearer(&registered.issued.token).await.pass.family;
    assert_ne!(laptop, guest.family);
    all.people.end_session(&phone, &laptop).await.unwrap();
    all.is_refused(&registered.issued.token).await;
    all.people.log_out(&phone).await.unwrap();
    assert!(all.people.bearer(&elsewhere.issued.token).await.is_err());
    assert!(all.log_in("anna", PASSWORD).await.is_ok());
}

#[tokio::test]
async fn every_failed_login_gets_the_same_answer() {
    let all = Fixture::new(|_| {}).await;
    let locked = all.player("locked").await;
    all.player("anna").await;
    let suspend = Input::Suspend {
        actor: Actor::Operator,
        until: None,
        reason: "a test".to_owned(),
    };
    let identity = &locked.account.identity;
    all.people.change(identity, START, suspend).await.unwrap();
    for (handle, password) in [
        ("anna", OTHER),
        ("nobody", PASSWORD),
        ("locked", OTHER),
        ("", ""),
    ] {
        let refused = refusal(all.log_in(handle, password).await);
        assert_eq!(refused, Refusal::BadCredentials, "{handle}");
    }
    for handle in ["anna", "nobody", "locked"] {
        let refused = refusal(all.recover(handle, "0000-0000-0000-0000").await);
        assert_eq!(refused, Refusal::BadCredentials, "{handle}");
    }
}

#[tokio::test]
async fn a_recovery_code_works_once_and_ends_all_sessions() {
    let all = Fixture::new(|_| {}).await;
    let anna = all.player("anna").await;
    let code = anna.recovery_codes[3].to_lowercase();
    let recovered = all.recover("anna", &code).await.unwrap();
    assert!(all.people.bearer(&anna.issued.token).await.is_err());
    let registration = recovered.account.registration.as_ref().unwrap();
    assert_eq!(registration.recovery.left(), 9);
    assert_eq!(
        refusal(all.recover("anna", &code).await),
        Refusal::BadCredentials
    );
    assert_eq!(
        refusal(all.log_in("anna", PASSWORD).await),
        Refusal::BadCredentials
    );
    assert!(all.log_in("anna", OTHER).await.is_ok());
}

#[tokio::test]
async fn a_password_changes_with_the_current_one() {
    let all = Fixture::new(|_| {}).await;
    let anna = all.player("anna").await;
    let phone = all.log_in("anna", PASSWORD).await.unwrap();
    let laptop = all.bearer(&anna.issued.token).await;
    let change = |current: &str, new: &str| {
        let (current, new) = (current.to_owned(), new.to_owned());
        all.people.change_password(&laptop, home(), current, new)
    };
    let wrong = change(OTHER, OTHER).await.unwrap_err();
    assert_eq!(wrong, Failure::Refused(Refusal::WrongProof));
    let weak = change(PASSWORD, "aaaaaaaaaaaa").await.unwrap_err();
    assert_eq!(weak, Failure::Password(PasswordError::TooWeak));
    let changed = change(PASSWORD, OTHER).await.unwrap();
    all.is_refused(&anna.issued.token).await;
    all.is_refused(&phone.issued.token).await;
    all.bearer(&changed.issued.token).await;
    assert!(all.log_in("anna", OTHER).await.is_ok());
}

#[tokio::test]
async fn new_recovery_codes_take_the_place_of_the_earlier_ones() {
    let all = Fixture::new(|_| {}).await;
    let anna = all.player("anna").await;
    let laptop = all.bearer(&anna.issued.token).await;
    let renew = |password: &str| {
        all.people
            .replace_recovery_codes(&laptop, home(), password.to_owned())
    };
    let wrong = renew(OTHER).await.unwrap_err();
    assert_eq!(wrong, Failure::Refused(Refusal::WrongProof));
    let (account, codes) = renew(PASSWORD).await.unwrap();
    let left = account.registration.map(|one| one.recovery.left());
    assert_eq!((codes.len(), left), (10, Some(10)));
    let earlier = all.recover("anna", &anna.recovery_codes[0]).await;
    assert_eq!(refusal(earlier), Refusal::BadCredentials);
    all.recover("anna", &codes[0]).await.unwrap();
}

#[tokio::test]
async fn a_program_is_a_bot_from_its_registration() {
    let all = Fixture::new(|_| {}).await;
    for is_bot in [false, true] {
        let token = all.guest().await;
        let bearer = all.bearer(&token).await;
        let asked = Registration {
            handle: format!("player{}", u8::from(is_bot)),
            password: Some(PASSWORD.to_owned()),
            mail: None,
            is_bot,
            label: String::new(),
        };
        let account = all
            .people
            .register(&bearer, home(), asked)
            .await
            .unwrap()
            .account;
        let handle = account.registration.expect("registered").handle;
        let kind = all
            .accounts
            .kind_of(&account.identity, handle.as_str())
            .await;
        let expected = match is_bot {
            true => PlayerKind::ExternalBot,
            false => PlayerKind::Registered,
        };
        assert_eq!(kind.unwrap(), expected);
    }
}

/// A connection that read the name of the guest before the registration stores it afterwards.
#[tokio::test]
async fn no_late_name_of_a_guest_replaces_a_handle() {
    let all = Fixture::new(|_| {}).await;
    let anna = all.player("anna").await;
    let identity = anna.account.identity;
    let late = IdentityRow {
        identity: identity.clone(),
        name: "Guest-late".to_owned(),
        created_at: START,
        seen_at: START,
    };
    all.storage.put_identity(late).await.unwrap();
    let stored = all.storage.identity(&identity).await.unwrap();
    assert_eq!(stored.expect("stored").name, "anna");
}

#[tokio::test]
async fn no_guest_looks_like_a_registered_player() {
    let all = Fixture::new(|_| {}).await;
    let earlier = all.come(None, Some("Paul")).await.unwrap();
    let earlier = all.accounts.issue(&earlier.pass).token;
    let paul = all.player("paul").await;
    for name in ["paul", "PAUL", "p aul", "pau1"] {
        let refused = all.come(None, Some(name)).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::BadName, "{name}");
    }
    // The guest that had the name first gets another one.
    let again = all.come(Some(&earlier), Some("Paul")).await.unwrap();
    assert!(again.identity.name.starts_with("Guest-"));
    // The player's own programs cannot change the name.
    let own = all.come(Some(&paul.issued.token), Some("Else")).await;
    assert_eq!(own.unwrap().identity.name, "paul");
}

#[tokio::test]
async fn a_handle_changes_once_in_thirty_days() {
    let all = Fixture::new(|_| {}).await;
    let anna = all.player("anna").await;
    let bearer = all.bearer(&anna.issued.token).await;
    let reserved = all.people.change_handle(&bearer, "admin").await;
    assert_eq!(reserved.err(), Some(Failure::Handle(HandleError::Reserved)));
    all.people.change_handle(&bearer, "hanna").await.unwrap();
    let again = all.come(Some(&anna.issued.token), None).await.unwrap();
    assert_eq!(again.identity.name, "hanna");
    assert_eq!(
        refusal(all.register(&all.guest().await, "Anna").await),
        Refusal::HandleTaken
    );
    let early = all.people.change_handle(&bearer, "joanna").await.err();
    assert!(matches!(
        early,
        Some(Failure::Refused(Refusal::HandleChangedRecently { .. }))
    ));
    all.advance(CHANGE_EVERY);
    all.people.change_handle(&bearer, "joanna").await.unwrap();
}

#[tokio::test]
async fn one_of_two_registrations_at_once_gets_the_handle() {
    let all = Fixture::new(|_| {}).await;
    let (one, other) = (all.guest().await, all.guest().await);
    let both = futures::join!(all.register(&one, "anna"), all.register(&other, "ANNA"));
    let done = [both.0.is_ok(), both.1.is_ok()];
    assert_eq!(done.iter().filter(|done| **done).count(), 1);
    let refused = [both.0, both.1].into_iter().find(Result::is_err).unwrap();
    assert_eq!(refusal(refused), Refusal::HandleTaken);
}

#[tokio::test]
async fn registrations_of_an_address_are_limited() {
    let all = Fixture::new(|config| config.limits.registrations_per_address = 1).await;
    all.player("anna").await;
    let second = all.register(&all.guest().await, "ben").await;
    assert!(matches!(
        second.err(),
        Some(Failure::TooManyRegistrations { .. })
    ));
}

#[tokio::test]
async fn a_guest_has_no_sessions_and_is_no_player() {
    let all = Fixture::new(|_| {}).await;
    let token = all.guest().await;
    let guest = all.bearer(&token).await;
    let out = all.people.log_out(&guest).await.err();
    assert_eq!(out, Some(Failure::Refused(Refusal::NotRegistered)));
    let account = all.people.account(&guest).await.unwrap();
    assert!(account.registration.is_none() && account.sessions.is_empty());
    let stored = AccountStore::account(&*all.storage, &guest.pass.identity).await;
    assert_eq!(stored, Ok(None));
    let unknown = all.people.player("nobody").await.err();
    assert_eq!(unknown, Some(Failure::UnknownPlayer));
}

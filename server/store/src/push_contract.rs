//! The contract for pushes as tests. Every [`OutboxStore`] must pass them, after those of letters.

use tilewire_people::accounts::{Effect, Session};
use tilewire_people::handles::Handle;
use tilewire_protocol::GameId;
use tilewire_rules::time::{Seat, Timestamp, TurnNo};

use super::account_contract::registered;
use super::{
    AccountChange, AccountStore, Attempt, AwaitedAction, Device, DeviceOutcome, GameLetters,
    Hidden, Letter, LetterPage, NewLetter, OutboxStore, Outdated, PushSettlement, Receiver,
    StoredPush,
};

const NOW: Timestamp = Timestamp(50_000);
const UNTIL: Timestamp = Timestamp(1_000_000);
const DAY: i64 = 3;
const DEVICES: usize = 2;
const REFUSALS: u32 = 3;
const SERVICE: &str = "push.example:443";
const GAME: &str = "pushes";

/// Checks a store without pushes, and without accounts of these players.
pub(crate) async fn pushes<S: AccountStore + OutboxStore>(store: &S) {
    a_device_belongs_to_a_session(store).await;
    a_browser_belongs_to_the_player_who_asked_last(store).await;
    a_player_has_so_many_devices(store).await;
    a_letter_is_repeated_to_each_device(store).await;
    a_push_is_due_until_it_is_settled(store).await;
    refusals_remove_a_device(store).await;
    a_device_that_is_gone_takes_its_pushes_along(store).await;
    there_is_a_key_pair(store).await;
}

/// Stores an account with these sessions.
async fn account<S: AccountStore>(store: &S, identity: &str, families: &[&str]) {
    let stored = store.account(identity).await.unwrap();
    let mut account = registered(identity, Handle::parse(identity).unwrap(), NOW);
    let session = |family: &&str| Session {
        family: (*family).to_owned(),
        label: "a browser".to_owned(),
        created_at: NOW,
        used_at: NOW,
    };
    account.sessions = families.iter().map(session).collect();
    store
        .apply(AccountChange {
            expected: stored.map_or(0, |stored| stored.version),
            account,
            effects: Vec::<Effect>::new(),
            at: NOW,
        })
        .await
        .unwrap();
}

fn device(id: &str, identity: &str, family: &str, endpoint: &str) -> Device {
    Device {
        id: id.to_owned(),
        identity: identity.to_owned(),
        family: family.to_owned(),
        endpoint: Hidden(endpoint.to_owned()),
        receiver: Receiver {
            public: [4; 65],
            auth: [5; 16],
        },
        kid: "kid".to_owned(),
        label: "a browser".to_owned(),
        created_at: NOW,
        used_at: None,
        sent: 0,
        day: 0,
    }
}

async fn add<S: OutboxStore>(store: &S, device: &Device) -> DeviceOutcome {
    let (device, service) = (device.clone(), SERVICE.to_owned());
    store.put_device(device, service, DEVICES).await.unwrap()
}

#[track_caller]
fn is_stored(placed: &DeviceOutcome, id: &str) {
    assert_eq!(*placed, DeviceOutcome::Stored(id.to_owned()));
}

async fn ids<S: OutboxStore>(store: &S, identity: &str) -> Vec<String> {
    let devices = store.devices(identity).await.unwrap();
    devices.into_iter().map(|device| device.id).collect()
}

async fn due<S: OutboxStore>(store: &S, now: i64) -> Vec<StoredPush> {
    let due = store.pushes_due(Timestamp(now), Vec::new(), 100);
    due.await.unwrap()
}

async fn keys<S: OutboxStore>(store: &S, now: i64) -> Vec<String> {
    let due = due(store, now).await;
    due.into_iter().map(|one| one.key).collect()
}

async fn settle<S: OutboxStore>(store: &S, key: &str, settlement: PushSettlement) {
    let all = due(store, 900_000).await;
    let push = all.into_iter().find(|one| one.key == key).unwrap();
    store.settle_push(push, settlement).await.unwrap();
}

fn letter(key: &str, identity: &str, content: Letter) -> NewLetter {
    NewLetter {
        key: key.to_owned(),
        identity: identity.to_owned(),
        address: None,
        game: Some(GameId::from(GAME)),
        at: NOW,
        due_at: Timestamp(60_000),
        until: UNTIL,
        content,
    }
}

fn turn(key: &str, identity: &str) -> NewLetter {
    let (seat, asked) = (Seat(0), AwaitedAction::Turn(TurnNo(1)));
    letter(key, identity, Letter::Turn { seat, asked })
}

async fn put<S: OutboxStore>(store: &S, outdated: Outdated, letters: Vec<NewLetter>) {
    let after = store.letter_cursor().await.unwrap();
    let page = LetterPage {
        after,
        until: after.arrival,
        games: vec![GameLetters {
            game: GameId::from(GAME),
            outdated,
            letters,
        }],
    };
    store.write_letters(page).await.unwrap();
}

async fn a_device_belongs_to_a_session<S: AccountStore + OutboxStore>(store: &S) {
    let phone = device("d1", "pia", "pia-phone", "https://push.example/1");
    assert_eq!(add(store, &phone).await, DeviceOutcome::NoSession);
    account(store, "pia", &["pia-phone", "pia-desk"]).await;
    is_stored(&add(store, &phone).await, "d1");
    let devices = store.devices("pia").await.unwrap();
    assert_eq!(devices, std::slice::from_ref(&phone));
    // The same browser again keeps its id, and its new key counts.
    let again = Device {
        id: "d2".to_owned(),
        kid: "new".to_owned(),
        ..phone.clone()
    };
    is_stored(&add(store, &again).await, "d1");
    let found = store.devices("pia").await.unwrap();
    assert_eq!((found.len(), found[0].kid.as_str()), (1, "new"));
    // A session has one device.
    let other = device("d3", "pia", "pia-phone", "https://push.example/2");
    is_stored(&add(store, &other).await, "d3");
    assert_eq!(ids(store, "pia").await, ["d3"]);
    // A session of another player does not count.
    let stolen = device("d4", "eve", "pia-desk", "https://push.example/3");
    assert_eq!(add(store, &stolen).await, DeviceOutcome::NoSession);
    account(store, "pia", &["pia-desk"]).await;
    assert_eq!(ids(store, "pia").await, Vec::<String>::new());
}

async fn a_browser_belongs_to_the_player_who_asked_last<S: AccountStore + OutboxStore>(store: &S) {
    account(store, "quin", &["quin-desk"]).await;
    let endpoint = "https://push.example/shared";
    is_stored(
        &add(store, &device("s1", "pia", "pia-desk", endpoint)).await,
        "s1",
    );
    is_stored(
        &add(store, &device("s2", "quin", "quin-desk", endpoint)).await,
        "s2",
    );
    assert_eq!(ids(store, "pia").await, Vec::<String>::new());
    assert_eq!(ids(store, "quin").await, ["s2"]);
    assert!(!store.remove_device("pia", "s2").await.unwrap());
    assert!(store.remove_device("quin", "s2").await.unwrap());
    assert!(!store.remove_device("quin", "s2").await.unwrap());
}

async fn a_player_has_so_many_devices<S: AccountStore + OutboxStore>(store: &S) {
    account(store, "rosa", &["r1", "r2", "r3"]).await;
    for number in 1..=2 {
        let family = format!("r{number}");
        let endpoint = format!("https://push.example/r{number}");
        let id = format!("r{number}");
        is_stored(
            &add(store, &device(&id, "rosa", &family, &endpoint)).await,
            &id,
        );
    }
    let third = device("r3", "rosa", "r3", "https://push.example/r3");
    assert_eq!(add(store, &third).await, DeviceOutcome::TooMany);
    // One that replaces another is no further one.
    let same = device("r4", "rosa", "r3", "https://push.example/r2");
    is_stored(&add(store, &same).await, "r4");
    assert_eq!(ids(store, "rosa").await, ["r1", "r4"]);
}

async fn a_letter_is_repeated_to_each_device<S: OutboxStore>(store: &S) {
    let update = letter("g/update", "rosa", Letter::Update { seat: Seat(0) });
    // A player without devices gets none.
    let letters = vec![turn("g/turn", "rosa"), update, turn("g/other", "pia")];
    put(store, Outdated::Nothing, letters.clone()).await;
    assert_eq!(keys(store, 59_999).await, Vec::<String>::new());
    assert_eq!(keys(store, 60_000).await, ["g/turn@r1", "g/turn@r4"]);
    assert_eq!(store.pushes_waiting().await.unwrap(), 2);
    let found = due(store, 60_000).await;
    assert_eq!(found[0].letter.content, turn("", "rosa").content);
    assert_eq!(
        (found[0].device.id.as_str(), found[1].device.id.as_str()),
        ("r1", "r4")
    );
    assert_eq!((found[0].tries, found[0].unknown), (0, 0));
    // Push services that are left out, and the bound.
    let without = store.pushes_due(Timestamp(60_000), vec![SERVICE.to_owned()], 9);
    assert_eq!(without.await.unwrap(), []);
    let one = store.pushes_due(Timestamp(60_000), vec!["other:443".to_owned()], 1);
    assert_eq!(one.await.unwrap().len(), 1);
    // The same letter is repeated once.
    put(store, Outdated::Nothing, letters).await;
    assert_eq!(store.pushes_waiting().await.unwrap(), 2);
    // Outdated pushes go away with their letter.
    put(store, Outdated::Asking, vec![turn("g/next", "rosa")]).await;
    assert_eq!(keys(store, 60_000).await, ["g/next@r1", "g/next@r4"]);
}

async fn a_push_is_due_until_it_is_settled<S: OutboxStore>(store: &S) {
    let key = "g/next@r1";
    assert!(store.begin_push(key).await.unwrap());
    assert!(!store.begin_push("nothing").await.unwrap());
    let later = |due_at, attempt| PushSettlement::Later {
        due_at: Timestamp(due_at),
        attempt,
    };
    let state = async || {
        let all = due(store, 900_000).await;
        let push = all.into_iter().find(|one| one.key == key).unwrap();
        (push.letter.due_at.0, push.tries, push.unknown)
    };
    assert_eq!(state().await, (60_000, 0, 1));
    settle(store, key, later(70_000, Attempt::Refused)).await;
    assert_eq!(state().await, (70_000, 1, 0));
    settle(store, key, later(80_000, Attempt::NotMade)).await;
    assert_eq!(state().await, (80_000, 1, 0));
    assert!(store.begin_push(key).await.unwrap());
    settle(store, key, later(90_000, Attempt::Unknown)).await;
    assert_eq!(state().await, (90_000, 2, 1));
    for count in 1..=2_u32 {
        put_and_send(store, count).await;
    }
    settle(store, key, PushSettlement::Dropped).await;
    assert_eq!(keys(store, 900_000).await, ["g/next@r4"]);
}

/// Sends a push to a device, whose count of the day grows.
async fn put_and_send<S: OutboxStore>(store: &S, count: u32) {
    let all = due(store, 900_000).await;
    let push = all.into_iter().find(|one| one.device.id == "r1").unwrap();
    let settlement = PushSettlement::Sent { at: NOW, day: DAY };
    // One that has gone meanwhile counts all the same.
    let gone = StoredPush {
        key: format!("gone/{count}"),
        ..push
    };
    store.settle_push(gone, settlement).await.unwrap();
    let devices = store.devices("rosa").await.unwrap();
    let device = devices.iter().find(|device| device.id == "r1").unwrap();
    assert_eq!(
        (device.sent, device.day, device.used_at),
        (count, DAY, Some(NOW))
    );
}

async fn refusals_remove_a_device<S: OutboxStore>(store: &S) {
    for number in 1..REFUSALS {
        let refused = PushSettlement::Refused { most: REFUSALS };
        let key = match number {
            1 => "g/next@r4".to_owned(),
            number => format!("g/{number}@r4"),
        };
        settle(store, &key, refused).await;
        assert_eq!(ids(store, "rosa").await, ["r1", "r4"]);
        let next = format!("g/{}", number + 1);
        put(store, Outdated::Nothing, vec![turn(&next, "rosa")]).await;
    }
    let refused = PushSettlement::Refused { most: REFUSALS };
    settle(store, "g/3@r4", refused).await;
    assert_eq!(ids(store, "rosa").await, ["r1"]);
}

async fn a_device_that_is_gone_takes_its_pushes_along<S: OutboxStore>(store: &S) {
    assert_eq!(keys(store, 900_000).await, ["g/2@r1", "g/3@r1"]);
    settle(store, "g/2@r1", PushSettlement::Gone).await;
    assert_eq!(store.pushes_waiting().await.unwrap(), 0);
    assert_eq!(ids(store, "rosa").await, Vec::<String>::new());
}

async fn there_is_a_key_pair<S: OutboxStore>(store: &S) {
    let newest = store.push_key(None).await.unwrap().unwrap();
    let named = store.push_key(Some(&newest.kid)).await.unwrap();
    assert_eq!(named, Some(newest));
    assert_eq!(store.push_key(Some("none")).await.unwrap(), None);
}

//! The contract for letters as tests. Every [`OutboxStore`] must pass them.

use tilewire_people::accounts::{Effect, Notice};
use tilewire_people::codes::{MailCode, MailPurpose};
use tilewire_people::handles::Handle;
use tilewire_people::letters::{Language, LetterKind};
use tilewire_protocol::GameId;
use tilewire_rules::time::{Seat, Timestamp, TurnNo};

use super::account_contract::registered;
use super::contract_suite::samples;
use super::{
    AccountChange, AccountError, AccountStore, AwaitedAction, ChapterError, GameLetters, Hidden,
    Journal, Letter, LetterPage, NewLetter, OutboxStore, Outdated, Settlement, StoredCode,
    StoredLetter,
};

const NOW: Timestamp = Timestamp(50_000);
const DAY: i64 = 3;
const REFUSALS: u32 = 3;

/// Checks a store without letters, and without accounts of these players.
pub async fn letters<S: AccountStore + OutboxStore + Journal>(store: &S) {
    // The samples end before the letters begin.
    store.letter_key([1; 32]).await.unwrap();
    an_account_has_a_mailbox(store).await;
    a_letter_is_due_until_it_is_settled(store).await;
    letters_that_were_sent_count_in_their_day(store).await;
    refusals_disable_a_mailbox(store).await;
    a_digest_takes_its_letters_along(store).await;
    a_change_of_an_account_is_told(store).await;
    a_code_is_replaced_once(store).await;
    pages_follow_the_journal(store).await;
    the_key_of_links_stays(store).await;
}

/// Stores an account with an address.
async fn account<S: AccountStore>(
    store: &S,
    identity: &str,
    mail: Option<&str>,
    effects: Vec<Effect>,
) -> Result<(), AccountError> {
    let stored = store.account(identity).await.unwrap();
    let mut account = registered(identity, Handle::parse(identity).unwrap(), NOW);
    let registration = account.registration.as_mut().unwrap();
    registration.mail = mail.map(str::to_owned);
    store
        .apply(AccountChange {
            expected: stored.map_or(0, |stored| stored.version),
            account,
            effects,
            at: NOW,
        })
        .await
}

fn letter(key: &str, identity: &str, due_at: i64, content: Letter) -> NewLetter {
    NewLetter {
        key: key.to_owned(),
        identity: identity.to_owned(),
        address: None,
        game: Some(GameId::from("letters")),
        at: NOW,
        due_at: Timestamp(due_at),
        until: Timestamp(1_000_000),
        content,
    }
}

fn turn(key: &str, identity: &str, due_at: i64) -> NewLetter {
    let (seat, asked) = (Seat(0), AwaitedAction::Turn(TurnNo(1)));
    letter(key, identity, due_at, Letter::Turn { seat, asked })
}

/// Stores letters of the game `letters`.
async fn put<S: OutboxStore>(store: &S, outdated: Outdated, letters: Vec<NewLetter>) {
    let after = store.letter_cursor().await.unwrap();
    let page = LetterPage {
        after,
        until: after.arrival,
        games: vec![GameLetters {
            game: GameId::from("letters"),
            outdated,
            letters,
        }],
    };
    store.write_letters(page).await.unwrap();
}

async fn due<S: OutboxStore>(store: &S, now: i64) -> Vec<StoredLetter> {
    store.letters_due(Timestamp(now), 100).await.unwrap()
}

async fn keys<S: OutboxStore>(store: &S, now: i64) -> Vec<String> {
    let due = due(store, now).await;
    due.into_iter().map(|one| one.letter.key).collect()
}

async fn settle<S: OutboxStore>(store: &S, key: &str, settlement: Settlement) {
    let all = due(store, 1_000_000).await;
    let letter = all.into_iter().find(|one| one.letter.key == key).unwrap();
    store.settle_letter(letter, settlement).await.unwrap();
}

async fn an_account_has_a_mailbox<S: AccountStore + OutboxStore>(store: &S) {
    assert_eq!(store.mailbox("mia").await.unwrap(), None);
    account(store, "mia", Some("Mia@example.org"), Vec::new())
        .await
        .unwrap();
    let mailbox = store.mailbox("mia").await.unwrap().unwrap();
    assert_eq!(mailbox.address, Hidden("Mia@example.org".to_owned()));
    let found = store.mailbox_of("mia@example.org").await.unwrap();
    assert_eq!(found, Some(mailbox));
    let taken = account(store, "ned", Some("mia@EXAMPLE.org"), Vec::new()).await;
    assert_eq!(taken, Err(AccountError::MailTaken));
    assert!(store.account("ned").await.unwrap().is_none());
    account(store, "ned", None, Vec::new()).await.unwrap();
    assert_eq!(store.mailbox("ned").await.unwrap(), None);
    account(store, "mia", None, Vec::new()).await.unwrap();
    assert_eq!(store.mailbox_of("mia@example.org").await.unwrap(), None);
    account(store, "mia", Some("mia@example.org"), Vec::new())
        .await
        .unwrap();
}

async fn a_letter_is_due_until_it_is_settled<S: OutboxStore>(store: &S) {
    let (late, early) = (turn("late", "mia", 90_000), turn("early", "mia", 80_000));
    // Ned has no address.
    let nobody = turn("nobody", "ned", 80_000);
    put(store, Outdated::Nothing, vec![late.clone(), early, nobody]).await;
    // A letter has one name.
    put(store, Outdated::Nothing, vec![late]).await;
    assert_eq!(keys(store, 79_999).await, [""; 0]);
    assert_eq!(keys(store, 80_000).await, ["early"]);
    assert_eq!(keys(store, 90_000).await, ["early", "late"]);
    assert_eq!(store.letters_waiting().await, Ok(2));

    assert_eq!(store.begin_letter("early").await, Ok(true));
    let later = |is_known| Settlement::Later {
        due_at: Timestamp(85_000),
        is_known,
    };
    settle(store, "early", later(true)).await;
    let found = &due(store, 85_000).await[0];
    assert_eq!((found.tries, found.unknown), (1, 0));
    store.begin_letter("early").await.unwrap();
    settle(store, "early", later(false)).await;
    let found = &due(store, 85_000).await[0];
    assert_eq!((found.tries, found.unknown), (2, 1));
    settle(store, "early", Settlement::Dropped).await;
    assert_eq!(keys(store, 90_000).await, ["late"]);
    assert_eq!(store.begin_letter("early").await, Ok(false));

    let seat = Seat(1);
    let update = letter("update", "mia", 90_000, Letter::Update { seat });
    put(store, Outdated::Asking, vec![update]).await;
    assert_eq!(keys(store, 90_000).await, ["update"]);
    put(store, Outdated::Asking, Vec::new()).await;
    assert_eq!(keys(store, 90_000).await, ["update"]);
    settle(store, "update", Settlement::Dropped).await;
}

async fn letters_that_were_sent_count_in_their_day<S: OutboxStore>(store: &S) {
    for (key, day, expected) in [("a", DAY, 1), ("b", DAY, 2), ("c", DAY + 1, 1)] {
        put(store, Outdated::Nothing, vec![turn(key, "mia", 80_000)]).await;
        settle(store, key, Settlement::Sent { day }).await;
        let mailbox = store.mailbox("mia").await.unwrap().unwrap();
        assert_eq!((mailbox.sent, mailbox.day), (expected, day), "{key}");
    }
}

async fn refusals_disable_a_mailbox<S: AccountStore + OutboxStore>(store: &S) {
    let refused = Settlement::Refused {
        at: NOW,
        most: REFUSALS,
    };
    let sent = Settlement::Sent { day: DAY };
    let (r, s) = (refused, sent);
    for (number, settlement) in [r, r, s, r, r, r].into_iter().enumerate() {
        let disabled = store.mailbox("mia").await.unwrap().unwrap().disabled_at;
        assert_eq!(disabled, None, "{number}");
        let key = format!("refused {number}");
        put(store, Outdated::Nothing, vec![turn(&key, "mia", 80_000)]).await;
        settle(store, &key, settlement).await;
    }
    let disabled = store.mailbox("mia").await.unwrap().unwrap().disabled_at;
    assert_eq!(disabled, Some(NOW));
    put(store, Outdated::Nothing, vec![turn("none", "mia", 80_000)]).await;
    assert_eq!(keys(store, 90_000).await, [""; 0]);
    // Another address begins anew.
    account(store, "mia", Some("new@example.org"), Vec::new())
        .await
        .unwrap();
    let disabled = store.mailbox("mia").await.unwrap().unwrap().disabled_at;
    assert_eq!(disabled, None);
}

async fn a_digest_takes_its_letters_along<S: OutboxStore>(store: &S) {
    let all = ["one", "two", "three"].map(|key| turn(key, "mia", 80_000));
    put(store, Outdated::Nothing, all.to_vec()).await;
    let into = Settlement::Digest {
        day: DAY,
        due_at: Timestamp(95_000),
        until: Timestamp(99_000),
    };
    for key in ["one", "two"] {
        settle(store, key, into).await;
    }
    assert_eq!(keys(store, 90_000).await, ["three"]);
    let digest = format!("digest/mia/{DAY}");
    assert_eq!(keys(store, 95_000).await, ["three", digest.as_str()]);
    let of = async |day| {
        let found = store.letters_of_digest("mia", day, 10).await.unwrap();
        found
            .into_iter()
            .map(|one| one.letter.key)
            .collect::<Vec<_>>()
    };
    assert_eq!(of(DAY).await, ["one", "two"]);
    assert_eq!(of(DAY + 1).await, [""; 0]);
    settle(store, &digest, Settlement::Sent { day: DAY + 1 }).await;
    assert_eq!(of(DAY).await, [""; 0]);
    settle(store, "three", Settlement::Dropped).await;
    assert_eq!(store.letters_waiting().await, Ok(0));
}

async fn a_change_of_an_account_is_told<S: AccountStore + OutboxStore>(store: &S) {
    let notice = Notice::MailChanged {
        old: Some("new@example.org".to_owned()),
        new: Some("mia@example.org".to_owned()),
    };
    let effects = vec![Effect::Notify(notice)];
    account(store, "mia", Some("mia@example.org"), effects)
        .await
        .unwrap();
    let told = due(store, NOW.0).await;
    let told: Vec<_> = told
        .into_iter()
        .map(|one| (one.letter.content.kind(), one.letter.address))
        .collect();
    let expected = ["mia@example.org", "new@example.org"]
        .map(|address| (LetterKind::Security, Some(Hidden(address.to_owned()))));
    assert_eq!(told, expected);
    for key in keys(store, NOW.0).await {
        settle(store, &key, Settlement::Dropped).await;
    }
    let effects = vec![Effect::Notify(Notice::PasswordChanged)];
    account(store, "ned", None, effects).await.unwrap();
    assert_eq!(keys(store, 1_000_000).await, [""; 0]);
}

async fn a_code_is_replaced_once<S: OutboxStore>(store: &S) {
    let purpose = MailPurpose::LogIn;
    let (_, code) = MailCode::issue("ticket", purpose, [5; 8], NOW);
    let stored = StoredCode {
        ticket: "digest".to_owned(),
        address: Hidden("mia@example.org".to_owned()),
        code: code.clone(),
        expires_at: Timestamp(60_000),
    };
    let content = Letter::Code {
        digits: Hidden("01234567".to_owned()),
        purpose,
        language: Language::De,
    };
    let letter = NewLetter {
        address: Some(stored.address.clone()),
        ..letter("code", "", NOW.0, content)
    };
    store
        .put_code(stored.clone(), Some(letter.clone()), NOW)
        .await
        .unwrap();
    assert_eq!(due(store, NOW.0).await[0].letter, letter);
    settle(store, "code", Settlement::Dropped).await;
    assert_eq!(store.code("digest").await, Ok(Some(stored.clone())));
    let mut after = code.clone();
    after.attempt("ticket", purpose, "no", NOW).unwrap_err();
    let replace = async || {
        store
            .replace_code("digest".to_owned(), code.clone(), after.clone())
            .await
    };
    assert_eq!((replace().await, replace().await), (Ok(true), Ok(false)));
    assert_eq!(store.code("digest").await.unwrap().unwrap().code, after);
    // The next code removes those that have expired.
    let next = StoredCode {
        ticket: "next".to_owned(),
        ..stored
    };
    store.put_code(next, None, Timestamp(60_001)).await.unwrap();
    assert_eq!(store.code("digest").await, Ok(None));
}

async fn pages_follow_the_journal<S: OutboxStore + Journal>(store: &S) {
    let before = store.letter_cursor().await.unwrap();
    let page = store
        .changed_correspondence_games(before.arrival, 1_000)
        .await
        .unwrap();
    assert!(page.is_end);
    let from = page.until;
    let first = samples::records("l1", 1, 1).remove(0);
    let meta = samples::meta("l1", ["a", "b"], NOW);
    store.create(meta, first).await.unwrap();
    store.append(samples::append("l1", 1, 2)).await.unwrap();
    let all = store
        .changed_correspondence_games(from, 1_000)
        .await
        .unwrap();
    // The samples are live games: no letter follows from them.
    assert_eq!(all.games, []);
    assert!(all.until > from && all.is_end);
    let page = LetterPage {
        after: before,
        until: all.until,
        games: Vec::new(),
    };
    store.write_letters(page.clone()).await.unwrap();
    let stale = store.write_letters(page).await;
    assert_eq!(stale, Err(ChapterError::Stale));
    assert_eq!(store.letter_cursor().await.unwrap().arrival, all.until);
}

async fn the_key_of_links_stays<S: OutboxStore>(store: &S) {
    let first = store.letter_key([1; 32]).await.unwrap();
    assert_eq!(first, [1; 32]);
    assert_eq!(store.letter_key([2; 32]).await, Ok(first));
}

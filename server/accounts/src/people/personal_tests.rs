//! Exports, the wish to be erased, and vacations of accounts.

use tilewire_people::accounts::Refusal;
use tilewire_people::vacations;

use super::Failure;
use super::tests::{Fixture, home};

#[tokio::test]
async fn exports_to_an_address_are_limited() {
    let all = Fixture::new(|config| config.limits.exports_per_address = 1).await;
    assert!(all.people.export(home()).is_ok());
    let second = all.people.export(home()).err();
    assert!(matches!(second, Some(Failure::TooManyExports { .. })));
}

#[tokio::test]
async fn exports_of_games_to_an_address_are_limited() {
    let all = Fixture::new(|config| config.limits.exports_of_games_per_address = 1).await;
    assert!(all.people.count_export_of_games(home()).is_ok());
    let second = all.people.count_export_of_games(home()).err();
    assert!(matches!(second, Some(Failure::TooManyExports { .. })));
    assert!(all.people.export(home()).is_ok(), "another count");
}

#[tokio::test]
async fn a_wish_needs_the_own_name_and_waits_as_long_as_the_setting_says() {
    let all = Fixture::new(|config| config.retention.erasure_days = 3).await;
    let signed_in = all.player("mimi").await;
    let mimi = all.bearer(&signed_in.issued.token).await;
    let wrong = all.people.ask_erasure(&mimi, "ben").await;
    assert_eq!(wrong, Err(Failure::NotConfirmed));
    assert_eq!(all.people.keep(&mimi).await, Err(Failure::NoErasure));
    // Capitals of a handle look like other letters, and are the same name.
    let wish = all.people.ask_erasure(&mimi, " MIMI ").await.unwrap();
    assert_eq!((wish.due_at - wish.asked_at).0, 3 * 24 * 3_600_000);
    assert_eq!(all.people.erasure(&mimi).await, Ok(Some(wish)));
    assert_eq!(all.people.keep(&mimi).await, Ok(()));
    assert_eq!(all.people.erasure(&mimi).await, Ok(None));
}

#[tokio::test]
async fn registered_players_have_vacations() {
    let all = Fixture::new(|_| {}).await;
    let guest = all.guest().await;
    let guest = all.bearer(&guest).await;
    let refused = all.people.take_vacation(&guest, 5).await;
    assert_eq!(refused, Err(Failure::Refused(Refusal::NotRegistered)));
    let signed_in = all.player("anna").await;
    let anna = all.bearer(&signed_in.issued.token).await;
    let none = all.people.end_vacation(&anna).await;
    let expected = Failure::Vacation(vacations::Refusal::NotOnVacation);
    assert_eq!(none, Err(expected));
    let taken = all.people.take_vacation(&anna, 5).await.unwrap();
    assert_eq!(all.people.vacations(&anna).await.as_ref(), Ok(&taken));
    let waiting = all.people.vacations_to_apply(9).await.unwrap();
    assert_eq!(waiting.len(), 1);
    let identity = anna.pass.identity.as_str();
    all.people.vacation_applied(identity, &taken).await.unwrap();
    assert_eq!(all.people.vacations_to_apply(9).await, Ok(Vec::new()));
}

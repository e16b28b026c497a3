//! The chat switches on a real storage, and in memory.

use tilewire_people::accounts::Refusal;
use tilewire_people::relations::Act;

use super::tests::Fixture;
use super::{ChatOff, Failure};
use crate::identity::Bearer;

impl Fixture {
    /// Says whether a player has switched chat off, in memory and in the storage.
    async fn has_no_chat(&self, bearer: &Bearer) -> bool {
        let identity = &bearer.pass.identity;
        let stored = ChatOff::read(&*self.storage).await.unwrap();
        let found = [&*self.chat_off, &stored].map(|off| off.is_off(identity));
        assert_eq!(found[0], found[1], "memory and storage");
        found[0]
    }
}

#[tokio::test]
async fn the_switches_in_memory_are_the_stored_ones() {
    let all = Fixture::new(|_| {}).await;
    let (anna, ben) = (all.registered("anna").await, all.registered("ben").await);
    let identity = anna.pass.identity.clone();
    for (is_on, told) in [
        (true, vec![]),
        (false, vec![&identity]),
        (false, vec![]),
        (true, vec![]),
        (false, vec![&identity]),
    ] {
        let account = all.people.switch_chat(&anna, is_on).await.unwrap();
        assert_eq!(account.has_no_chat, !is_on);
        assert_eq!(all.has_no_chat(&anna).await, !is_on);
        let switched = all.chat_off.take_switched();
        assert_eq!(switched.iter().collect::<Vec<_>>(), told, "for the chat");
        assert!(!all.has_no_chat(&ben).await, "of the other player");
    }
}

#[tokio::test]
async fn a_guest_has_no_switch() {
    let all = Fixture::new(|_| {}).await;
    let token = all.guest().await;
    let guest = all.bearer(&token).await;
    let refused = all.people.switch_chat(&guest, false).await;
    assert_eq!(
        refused.err(),
        Some(Failure::Refused(Refusal::NotRegistered))
    );
    assert!(!all.has_no_chat(&guest).await);
}

#[tokio::test]
async fn nobody_writes_to_a_friend_without_chat() {
    let all = Fixture::new(|_| {}).await;
    let (anna, ben) = (all.registered("anna").await, all.registered("ben").await);
    let (own, other) = (&anna.pass.identity, &ben.pass.identity);
    all.people.relate(&anna, Act::Follow, "ben").await.unwrap();
    all.people.relate(&ben, Act::Follow, "anna").await.unwrap();
    let found = async || all.people.friend_to_write(own, "ben").await.unwrap();
    assert_eq!(found().await.as_ref(), Some(other));
    all.people.switch_chat(&ben, false).await.unwrap();
    assert_eq!(found().await, None);
    all.people.switch_chat(&ben, true).await.unwrap();
    assert_eq!(found().await.as_ref(), Some(other));
}

//! Follows and blocks on a real storage, and the blocks in memory.

use futures::future::join_all;
use tilewire_people::accounts::Refusal as AccountRefusal;
use tilewire_people::relations::{Act, Refusal, Relation};

use super::tests::Fixture;
use super::{Blocks, Failure};
use crate::identity::Bearer;

impl Fixture {
    pub(super) async fn registered(&self, handle: &str) -> Bearer {
        let player = self.player(handle).await;
        self.bearer(&player.issued.token).await
    }

    /// Says whether two players are kept apart, by the blocks in memory and by the stored ones.
    async fn are_blocked(&self, one: &Bearer, other: &Bearer) -> bool {
        let (one, other) = (&one.pass.identity, &other.pass.identity);
        let stored = Blocks::read(&*self.storage).await.unwrap();
        let found = [&*self.blocks, &stored].map(|blocks| blocks.are_blocked(one, other));
        let back = [&*self.blocks, &stored].map(|blocks| blocks.are_blocked(other, one));
        assert_eq!(found, back, "it is the same in both directions");
        assert_eq!(found[0], found[1], "memory and storage");
        found[0]
    }
}

#[tokio::test]
async fn the_blocks_in_memory_are_the_stored_ones() {
    let all = Fixture::new(|_| {}).await;
    let (anna, ben) = (all.registered("anna").await, all.registered("ben").await);
    let relate = async |act| all.people.relate(&anna, act, "BEN").await;
    assert!(!all.are_blocked(&anna, &ben).await);
    for act in [Act::Block, Act::Block] {
        assert_eq!(relate(act).await, Ok(()));
        assert!(all.are_blocked(&anna, &ben).await);
    }
    // A refusal changes nothing.
    assert_eq!(
        relate(Act::Follow).await,
        Err(Failure::Relation(Refusal::BlockedByYou))
    );
    assert!(all.are_blocked(&anna, &ben).await);
    all.people.relate(&ben, Act::Block, "anna").await.unwrap();
    assert_eq!(relate(Act::Unblock).await, Ok(()));
    assert!(all.are_blocked(&anna, &ben).await, "the other one's block");
    all.people.relate(&ben, Act::Unblock, "anna").await.unwrap();
    assert!(!all.are_blocked(&anna, &ben).await);
}

#[tokio::test]
async fn the_follows_in_memory_are_the_stored_ones() {
    let all = Fixture::new(|_| {}).await;
    let (anna, ben) = (all.registered("anna").await, all.registered("ben").await);
    let (annas, bens) = (&anna.pass.identity, &ben.pass.identity);
    for (bearer, act, other, expected) in [
        (&anna, Act::Follow, "ben", [true, false]),
        (&ben, Act::Follow, "anna", [true, true]),
        (&ben, Act::Unfollow, "anna", [true, false]),
        (&ben, Act::Follow, "anna", [true, true]),
        (&anna, Act::Block, "ben", [false, false]),
        // Ben does not learn of the block, and his follow has no effect.
        (&ben, Act::Follow, "anna", [false, false]),
        (&anna, Act::Unblock, "ben", [false, false]),
        (&ben, Act::Follow, "anna", [false, true]),
    ] {
        assert_eq!(all.people.relate(bearer, act, other).await, Ok(()));
        let stored = Blocks::read(&*all.storage).await.unwrap();
        for known in [&*all.blocks, &stored] {
            let follows = [known.follows(annas, bens), known.follows(bens, annas)];
            assert_eq!(follows, expected, "{act:?} {other}");
        }
    }
}

/// Concurrent changes can be stored in any order. Afterwards memory has the blocks of the storage.
#[tokio::test]
async fn blocks_that_come_and_go_at_once_end_alike() {
    let all = Fixture::new(|_| {}).await;
    let (anna, ben) = (all.registered("anna").await, all.registered("ben").await);
    for _ in 0..10 {
        let acts = [
            Act::Block,
            Act::Unblock,
            Act::Block,
            Act::Unblock,
            Act::Block,
        ];
        let done = join_all(acts.map(|act| all.people.relate(&anna, act, "ben"))).await;
        assert!(done.iter().all(Result::is_ok), "{done:?}");
        all.are_blocked(&anna, &ben).await;
    }
}

#[tokio::test]
async fn relations_are_between_registered_players() {
    let all = Fixture::new(|_| {}).await;
    let anna = all.registered("anna").await;
    let guest = all.bearer(&all.guest().await).await;
    for act in [Act::Follow, Act::Unfollow, Act::Block, Act::Unblock] {
        let as_guest = all.people.relate(&guest, act, "anna").await;
        assert_eq!(as_guest, Err(AccountRefusal::NotRegistered.into()));
        let own = all.people.relate(&anna, act, "Anna").await;
        assert_eq!(own, Err(Refusal::Yourself.into()));
        let unknown = all.people.relate(&anna, act, "nobody").await;
        assert_eq!(unknown, Err(Failure::UnknownPlayer));
    }
    let lists = all.people.relations(&guest).await.unwrap();
    assert!(lists.followed.is_empty() && lists.blocked.is_empty());
    let account = all.people.player("anna").await.unwrap();
    let relation = all.people.relation(&guest, &account).await;
    assert_eq!(relation, Ok(Relation::default()));
}

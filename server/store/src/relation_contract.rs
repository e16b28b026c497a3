//! The contract for the follows and blocks of players, as tests. Every [`RelationStore`] must pass them.

use futures::future::join_all;
use tilewire_people::relations::{Act, BLOCKED_MOST, FOLLOWED_MOST, Refusal, Relation};
use tilewire_rules::time::Timestamp;

use super::account_contract::register;
use super::{AccountStore, Related, RelationChange, RelationError, RelationStore, Relations};

/// Changes that are stored at the same time.
const AT_ONCE: usize = 50;

/// Two players who have nothing to do with each other.
const STRANGERS: Relation = Relation {
    is_followed: false,
    is_friend: false,
    is_blocked: false,
};
const FOLLOWED: Relation = Relation {
    is_followed: true,
    ..STRANGERS
};
const FRIENDS: Relation = Relation {
    is_friend: true,
    ..FOLLOWED
};
const BLOCKED: Relation = Relation {
    is_blocked: true,
    ..STRANGERS
};

/// Checks a store that has no relations at first, and no accounts of these players.
pub async fn relations<S: AccountStore + RelationStore>(store: &S) {
    register(store, ["rita", "sven", "tara", "ugo"]).await;
    players_who_follow_each_other_are_friends(store).await;
    a_block_ends_the_follows_of_both(store).await;
    a_blocked_player_sees_no_block(store).await;
    an_act_that_is_repeated_changes_nothing(store).await;
    all_blocks_are_listed(store).await;
    follows_with_an_effect_are_listed(store).await;
    lists_are_bounded(store).await;
}

async fn act(
    store: &dyn RelationStore,
    identity: &str,
    act: Act,
    other: &str,
    at: i64,
) -> Result<(), RelationError> {
    let change = RelationChange {
        identity: identity.to_owned(),
        other: other.to_owned(),
        act,
        at: Timestamp(at),
    };
    store.relate(change).await
}

async fn done(store: &dyn RelationStore, identity: &str, act: Act, other: &str, at: i64) {
    self::act(store, identity, act, other, at).await.unwrap();
}

/// Returns the relation of one player to another, and checks it against the lists.
async fn seen(store: &dyn RelationStore, identity: &str, other: &str) -> Relation {
    let relation = store.relation(identity, other).await.unwrap();
    let lists = store.relations(identity).await.unwrap();
    let find = |list: &[Related]| list.iter().find(|one| one.identity == other).cloned();
    let (followed, blocked) = (find(&lists.followed), find(&lists.blocked));
    let listed = Relation {
        is_followed: followed.is_some(),
        is_friend: followed.is_some_and(|one| one.is_friend),
        is_blocked: blocked.is_some(),
    };
    assert_eq!(relation, listed, "{identity} and {other}");
    relation
}

async fn players_who_follow_each_other_are_friends(store: &dyn RelationStore) {
    assert_eq!(store.relations("rita").await, Ok(Relations::default()));
    done(store, "rita", Act::Follow, "tara", 5).await;
    done(store, "rita", Act::Follow, "sven", 7).await;
    let expected = |identity: &str, since| Related {
        identity: identity.to_owned(),
        handle: identity.to_owned(),
        is_bot: false,
        since: Timestamp(since),
        is_friend: false,
    };
    let lists = store.relations("rita").await.unwrap();
    assert_eq!(lists.followed, [expected("tara", 5), expected("sven", 7)]);
    assert_eq!(seen(store, "rita", "sven").await, FOLLOWED);
    assert_eq!(seen(store, "sven", "rita").await, STRANGERS);
    done(store, "sven", Act::Follow, "rita", 8).await;
    assert_eq!(seen(store, "rita", "sven").await, FRIENDS);
    assert_eq!(seen(store, "sven", "rita").await, FRIENDS);
    done(store, "sven", Act::Unfollow, "rita", 9).await;
    assert_eq!(seen(store, "rita", "sven").await, FOLLOWED);
    assert_eq!(seen(store, "sven", "rita").await, STRANGERS);
    done(store, "sven", Act::Follow, "rita", 10).await;
}

async fn a_block_ends_the_follows_of_both(store: &dyn RelationStore) {
    done(store, "rita", Act::Block, "sven", 20).await;
    assert_eq!(seen(store, "rita", "sven").await, BLOCKED);
    let refused = act(store, "rita", Act::Follow, "sven", 21).await;
    assert_eq!(refused, Err(Refusal::BlockedByYou.into()));
    assert_eq!(seen(store, "rita", "sven").await, BLOCKED);
    let since = store.relations("rita").await.unwrap().blocked[0].since;
    assert_eq!(since, Timestamp(20));
    // The end stays when the block is over.
    done(store, "rita", Act::Unblock, "sven", 22).await;
    done(store, "rita", Act::Follow, "sven", 23).await;
    assert_eq!(seen(store, "rita", "sven").await, FOLLOWED);
    assert_eq!(seen(store, "sven", "rita").await, FOLLOWED);
    done(store, "sven", Act::Follow, "rita", 24).await;
    assert_eq!(seen(store, "rita", "sven").await, FRIENDS);
    assert_eq!(seen(store, "sven", "rita").await, FRIENDS);
}

/// The blocked player sees what it would see if the other one had only unfollowed.
async fn a_blocked_player_sees_no_block(store: &dyn RelationStore) {
    let before = store.relations("sven").await.unwrap();
    done(store, "rita", Act::Block, "sven", 30).await;
    let mut unfollowed = before;
    unfollowed.followed[0].is_friend = false;
    assert_eq!(store.relations("sven").await, Ok(unfollowed));
    assert_eq!(seen(store, "sven", "rita").await, FOLLOWED);
    // Following again, and anew, is taken.
    done(store, "sven", Act::Follow, "rita", 31).await;
    done(store, "sven", Act::Unfollow, "rita", 32).await;
    assert_eq!(seen(store, "sven", "rita").await, STRANGERS);
    done(store, "sven", Act::Follow, "rita", 33).await;
    assert_eq!(seen(store, "sven", "rita").await, FOLLOWED);
    // A block of the blocked player is one more.
    done(store, "sven", Act::Block, "rita", 34).await;
    assert_eq!(seen(store, "sven", "rita").await, BLOCKED);
    done(store, "sven", Act::Unblock, "rita", 35).await;
    assert_eq!(seen(store, "rita", "sven").await, BLOCKED);
}

async fn an_act_that_is_repeated_changes_nothing(store: &dyn RelationStore) {
    for (doing, undoing, other) in [
        (Act::Follow, Act::Unfollow, "ugo"),
        (Act::Block, Act::Unblock, "ugo"),
    ] {
        done(store, "tara", undoing, other, 40).await;
        assert_eq!(seen(store, "tara", other).await, STRANGERS);
        done(store, "tara", doing, other, 41).await;
        done(store, "tara", doing, other, 42).await;
        let lists = store.relations("tara").await.unwrap();
        let mut all = lists.followed.into_iter().chain(lists.blocked);
        let since = all.next().map(|one| one.since);
        assert_eq!(since, Some(Timestamp(41)), "of the first time");
        done(store, "tara", undoing, other, 43).await;
        done(store, "tara", undoing, other, 44).await;
        assert_eq!(seen(store, "tara", other).await, STRANGERS);
    }
}

async fn all_blocks_are_listed(store: &dyn RelationStore) {
    done(store, "ugo", Act::Block, "rita", 50).await;
    let expected = [("rita", "sven"), ("ugo", "rita")];
    let expected = expected.map(|(one, other)| (one.to_owned(), other.to_owned()));
    let mut blocks = store.blocks().await.unwrap();
    blocks.sort();
    assert_eq!(blocks, expected);
}

/// A follow that a block has ended is not listed until it is stored again without the block.
async fn follows_with_an_effect_are_listed(store: &dyn RelationStore) {
    let pair = |one: &str, other: &str| (one.to_owned(), other.to_owned());
    let listed = async || {
        let mut follows = store.follows().await.unwrap();
        follows.retain(|(one, other)| {
            [one, other]
                .iter()
                .all(|who| ["rita", "ugo"].contains(&who.as_str()))
        });
        follows.sort();
        follows
    };
    done(store, "ugo", Act::Unblock, "rita", 60).await;
    let before = listed().await;
    assert_eq!(before, []);
    done(store, "ugo", Act::Follow, "rita", 61).await;
    done(store, "rita", Act::Follow, "ugo", 61).await;
    let both = [pair("rita", "ugo"), pair("ugo", "rita")];
    assert_eq!(listed().await, both);
    done(store, "ugo", Act::Block, "rita", 62).await;
    assert_eq!(listed().await, []);
    done(store, "rita", Act::Follow, "ugo", 63).await;
    assert_eq!(listed().await, [], "the block stands");
    done(store, "ugo", Act::Unblock, "rita", 64).await;
    assert_eq!(listed().await, []);
    done(store, "rita", Act::Follow, "ugo", 65).await;
    assert_eq!(listed().await, both[..1]);
    done(store, "rita", Act::Unfollow, "ugo", 66).await;
    assert_eq!(listed().await, []);
}

async fn lists_are_bounded(store: &dyn RelationStore) {
    let others: Vec<String> = (0..BLOCKED_MOST)
        .map(|number| format!("o{number}"))
        .collect();
    for (doing, undoing, most, refusal) in [
        (
            Act::Follow,
            Act::Unfollow,
            FOLLOWED_MOST,
            Refusal::TooManyFollowed,
        ),
        (
            Act::Block,
            Act::Unblock,
            BLOCKED_MOST,
            Refusal::TooManyBlocked,
        ),
    ] {
        for some in others[..most].chunks(AT_ONCE) {
            let acts = some
                .iter()
                .map(|other| act(store, "tara", doing, other, 60));
            assert!(join_all(acts).await.iter().all(Result::is_ok));
        }
        let one_more = || act(store, "tara", doing, "ugo", 61);
        assert_eq!(one_more().await, Err(refusal.into()));
        assert_eq!(seen(store, "tara", "ugo").await, STRANGERS);
        done(store, "tara", doing, &others[3], 62).await;
        done(store, "tara", undoing, &others[3], 63).await;
        assert_eq!(one_more().await, Ok(()));
        done(store, "tara", undoing, "ugo", 64).await;
    }
}

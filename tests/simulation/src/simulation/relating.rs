//! Acts of simulated people with accounts: they follow and block each other, and a moderator restricts players.

use tilewire_accounts::people::{Acting, Failure, People, Wanted};
use tilewire_people::moderation::{Refusal, Restraint};
use tilewire_people::relations::Act;
use tilewire_rules::time::Timestamp;

use super::chance::Chance;

/// The shortest and the longest restriction, ms.
const RESTRICTS_MS: (i64, i64) = (8_000, 60_000);
/// The restrictions that moderators impose, each as often as the list repeats it.
const RESTRAINTS: [Restraint; 7] = [
    Restraint::Mute,
    Restraint::Mute,
    Restraint::Mute,
    Restraint::NoPublic,
    Restraint::NoPublic,
    Restraint::NoRated,
    Restraint::Suspend,
];

/// An act of a moderator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// The handle of the player.
    pub handle: &'static str,
    /// The restriction that begins or is undone.
    pub restraint: Restraint,
    /// When the restriction ends; `None` undoes it.
    pub until: Option<Timestamp>,
    /// The reason, which no other act has.
    pub reason: String,
}

/// Returns what a player does about another one. Blocks are rarer than their ends, so that most people can play.
pub(super) fn some_act(chance: &mut Chance) -> Act {
    match chance.below(10) {
        0..4 => Act::Follow,
        4 => Act::Unfollow,
        5 => Act::Block,
        _ => Act::Unblock,
    }
}

/// Returns what a moderator does about a player at a time, or undoes of what it did `last`.
pub(super) fn some_order(
    handle: &'static str,
    last: Option<(&'static str, Restraint)>,
    wall: i64,
    chance: &mut Chance,
) -> Order {
    let restraint = *chance.pick(&RESTRAINTS);
    let until = Timestamp(wall + chance.ms(RESTRICTS_MS.0, RESTRICTS_MS.1));
    let undone = last.filter(|_| chance.one_in(3));
    let (handle, restraint) = undone.unwrap_or((handle, restraint));
    Order {
        handle,
        restraint,
        until: undone.is_none().then_some(until),
        reason: String::new(),
    }
}

/// Follows or blocks a player, or does so no longer.
pub(super) async fn relate(
    people: &People,
    by: &str,
    act: Act,
    handle: &str,
) -> Result<(), Failure> {
    let bearer = people.bearer(by).await?;
    people.relate(&bearer, act, handle).await
}

/// Acts as a moderator.
pub(super) async fn moderate(people: &People, by: &str, order: Order) -> Result<(), Failure> {
    let bearer = people.bearer(by).await?;
    let moderator = people.moderator(&bearer).await?;
    if order.until.is_some() {
        let acting = Acting {
            player: Some(order.handle.to_owned()),
            wanted: Wanted::Restrain(order.restraint, order.until),
            reason: order.reason,
            report: None,
        };
        return people.act(&moderator, acting).await.map(drop);
    }
    let identity = people.concerned(order.handle).await?.identity;
    let mut all = people.restrictions_of(&identity).into_iter();
    let found = all.find(|own| own.restraint == order.restraint);
    let found = found.ok_or(Refusal::UnknownAct)?;
    let undone = people.undo(&moderator, found.entry, order.reason);
    undone.await.map(drop)
}

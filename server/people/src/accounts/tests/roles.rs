//! Roles and suspensions: permissions, and the audit.

use super::{DAY, NOW, RIGHT, WRONG, anna, check, handle, revoke, session};
use crate::accounts::{Account, Actor, Effect, Input, Refusal, Role, log_in};
use tilewire_rules::time::Millis;

fn player(roles: &[Role]) -> Actor {
    Actor::Player {
        identity: "actor-id".to_owned(),
        roles: roles.iter().copied().collect(),
    }
}

#[test]
fn nobody_acts_on_a_higher_role() {
    use Role::{Admin, Director, Moderator};
    let may = |actor: &Actor, target: &[Role], input: &dyn Fn(Actor) -> Input| {
        let mut account = anna();
        account.roles = target.iter().copied().collect();
        match account.handle(NOW, input(actor.clone())) {
            Ok(_) => true,
            Err(Refusal::Forbidden) => false,
            Err(other) => panic!("{other}"),
        }
    };
    let reason = || "because".to_owned();
    let suspend = |actor| Input::Suspend {
        actor,
        until: None,
        reason: reason(),
    };
    let grant = |actor| Input::GrantRole {
        actor,
        role: Moderator,
        reason: reason(),
    };
    let revoke = |actor| Input::RevokeRole {
        actor,
        role: Admin,
        reason: reason(),
    };
    for (actor, target, suspends, grants) in [
        (player(&[]), vec![], false, false),
        (player(&[Director]), vec![], false, false),
        (player(&[Moderator]), vec![], true, false),
        (player(&[Moderator]), vec![Director], false, false),
        (player(&[Moderator, Director]), vec![Director], true, false),
        (player(&[Moderator]), vec![Admin], false, false),
        (player(&[Admin]), vec![Admin], true, true),
        (Actor::Operator, vec![Admin], true, true),
    ] {
        assert_eq!(
            may(&actor, &target, &suspend),
            suspends,
            "{actor:?} suspends {target:?}"
        );
        assert_eq!(
            may(&actor, &target, &grant),
            grants,
            "{actor:?} grants {target:?}"
        );
    }
    assert!(may(&player(&[Admin]), &[Admin], &revoke));
    assert!(!may(&player(&[Moderator]), &[Admin], &revoke));
}

#[test]
fn every_use_of_a_role_is_audited_with_its_reason() {
    let mut account = anna();
    let grant = |reason: &str| Input::GrantRole {
        actor: Actor::Operator,
        role: Role::Admin,
        reason: reason.to_owned(),
    };
    let mut guest = Account::guest("guest", NOW);
    check(&mut guest, NOW, grant("first admin"), Err("not_registered"));
    check(&mut account, NOW, grant("  "), Err("bad_reason"));
    check(
        &mut account,
        NOW,
        grant(&"x".repeat(501)),
        Err("bad_reason"),
    );
    let effects = account
        .handle(NOW, grant(" first admin "))
        .expect("the operator may");
    let Some(Effect::Audit(action)) = effects.first() else {
        panic!("{effects:?}");
    };
    assert_eq!(
        (action.actor.as_str(), action.target.as_str()),
        ("operator", "anna-id")
    );
    assert_eq!(
        (action.action.as_str(), action.reason.as_str()),
        ("role_granted:admin", "first admin")
    );
    check(&mut account, NOW, grant("again"), Err("no_change"));
}

#[test]
fn a_suspension_ends_sessions_and_ends_by_itself() {
    let mut account = anna();
    let actor = player(&[Role::Moderator]);
    let until = Some(NOW + DAY);
    let reason = || "spam".to_owned();
    let suspend = Input::Suspend {
        actor: actor.clone(),
        until,
        reason: reason(),
    };
    let effects = account.handle(NOW, suspend).expect("a moderator may");
    assert_eq!(effects.last(), Some(&revoke(&["s1"])));
    assert!(account.is_suspended(NOW + DAY - Millis(1)));
    assert!(!account.is_suspended(NOW + DAY));
    // Only the owner learns of it.
    let refused = |account: &mut Account, proof| log_in(Some(account), NOW, proof, session("s2"));
    let told = Refusal::Suspended {
        until,
        reason: reason(),
    };
    assert_eq!(refused(&mut account, RIGHT), Err(told));
    assert_eq!(refused(&mut account, WRONG), Err(Refusal::BadCredentials));
    assert!(log_in(Some(&mut account), NOW + DAY, RIGHT, session("s2")).is_ok());
    let restore = || Input::Restore {
        actor: actor.clone(),
        reason: reason(),
    };
    check(&mut account, NOW + DAY, restore(), Err("no_change"));
    account.handle(NOW, restore()).expect("a moderator may");
    assert!(!account.is_suspended(NOW));
}

#[test]
fn a_moderator_renames_at_any_time() {
    let rename = |wanted: &str| Input::Rename {
        actor: player(&[Role::Moderator]),
        handle: handle(wanted),
        holder: None,
        reason: "an insult".to_owned(),
    };
    let mut account = anna();
    for wanted in ["Bella", "Carla"] {
        account
            .handle(NOW, rename(wanted))
            .expect("a moderator may");
        let registration = account.registration.as_ref().expect("registered");
        assert_eq!(registration.handle.as_str(), wanted);
    }
    check(&mut account, NOW, rename("Carla"), Err("no_change"));
    // The player cannot go back at once.
    let back = Input::ChangeHandle {
        by: "s1".to_owned(),
        handle: handle("Anna"),
        holder: None,
    };
    check(&mut account, NOW, back, Err("handle_changed_recently"));
    let mut guest = Account::guest("guest", NOW);
    check(&mut guest, NOW, rename("Dora"), Err("not_registered"));
}

//! The machine's effects for each input. A refused input changes nothing.

mod roles;

use super::{
    Account, Actor, Effect, Holder, Input, NewRegistration, NewSession, Notice, Proof, Refusal,
    Role, SESSIONS_MAX, SignInBounds, SignInLimits, log_in, recover,
};
use crate::codes::{RECOVERY_RANDOM, RecoveryCodes};
use crate::guesses::GuessBounds;
use crate::handles::{CHANGE_EVERY, Handle, RESERVED_FOR};
use crate::passwords::{PasswordHash, Verified};
use tilewire_rules::time::{Millis, Timestamp};

const NOW: Timestamp = Timestamp(1_800_000_000_000);
const DAY: Millis = Millis(24 * 3_600_000);
const RIGHT: Proof = Proof::Password(Verified::Right);
const WRONG: Proof = Proof::Password(Verified::Wrong);

fn handle(text: &str) -> Handle {
    Handle::parse(text).expect("a handle")
}

/// A hash in form only: the machine never computes one.
fn hash(name: &str) -> PasswordHash {
    serde_json::from_value(name.into()).expect("text")
}

fn session(family: &str) -> NewSession {
    NewSession {
        family: family.to_owned(),
        label: format!("program {family}"),
    }
}

fn codes() -> (Vec<String>, RecoveryCodes) {
    let mut random = [0; RECOVERY_RANDOM];
    for (byte, value) in random.iter_mut().zip(0..) {
        *byte = value;
    }
    RecoveryCodes::generate("anna-id", &random)
}

fn register(wanted: &str, holder: Option<Holder>) -> Input {
    Input::Register {
        new: NewRegistration {
            handle: handle(wanted),
            is_bot: false,
            password: Some(hash("first")),
            recovery: codes().1,
            mail: None,
        },
        holder,
        guest: Some("s0".to_owned()),
        session: session("s1"),
    }
}

/// Returns the account of Anna: she has registered and has one session.
fn anna() -> Account {
    let mut account = Account::guest("anna-id", NOW);
    account.handle(NOW, register("Anna", None)).expect("free");
    account
}

/// Checks the refusal of an input, or the effects that it has; a refused input leaves the account as it was.
#[track_caller]
fn check(account: &mut Account, now: Timestamp, input: Input, expected: Result<&[Effect], &str>) {
    let before = account.clone();
    let found = account.handle(now, input);
    match (&found, expected) {
        (Ok(effects), Ok(expected)) => assert_eq!(effects, expected),
        (Err(refusal), Err(code)) => {
            assert_eq!(refusal.code(), code);
            assert_eq!(*account, before, "a refusal changes nothing");
        }
        _ => panic!("{found:?} is not {expected:?}"),
    }
}

fn issue(family: &str) -> Effect {
    Effect::IssueToken {
        family: family.to_owned(),
    }
}

fn revoke(families: &[&str]) -> Effect {
    Effect::RevokeFamilies(families.iter().map(ToString::to_string).collect())
}

#[test]
fn a_guest_is_converted_in_place() {
    let mut account = Account::guest("anna-id", NOW);
    let holder = |reserved_until| {
        Some(Holder {
            identity: "ben-id".to_owned(),
            reserved_until,
        })
    };
    check(
        &mut account,
        NOW,
        register("Anna", holder(None)),
        Err("handle_taken"),
    );
    let later = holder(Some(NOW + Millis(1)));
    check(
        &mut account,
        NOW,
        register("Anna", later),
        Err("handle_taken"),
    );
    let over = holder(Some(NOW));
    let effects = [
        Effect::ClaimHandle(handle("Anna").key()),
        issue("s1"),
        revoke(&["s0"]),
    ];
    check(&mut account, NOW, register("Anna", over), Ok(&effects));
    assert_eq!(account.identity, "anna-id");
    assert_eq!(account.sessions[0].label, "program s1");
    check(
        &mut account,
        NOW,
        register("Other", None),
        Err("already_registered"),
    );

    let mut nothing = register("Ben", None);
    if let Input::Register { new, .. } = &mut nothing {
        new.password = None;
    }
    check(
        &mut Account::guest("ben-id", NOW),
        NOW,
        nothing,
        Err("no_credential"),
    );
    let mut site = Account::of_site("site-1", handle("Cleo"), NOW);
    check(&mut site, NOW, register("Cleo2", None), Err("site_account"));
}

#[test]
fn every_failed_login_gives_the_same_refusal() {
    let refused = |account: Option<&mut Account>, proof: Proof| {
        let found = log_in(account, NOW, proof.clone(), session("s2"));
        assert_eq!(found, Err(Refusal::BadCredentials), "{proof:?}");
    };
    let mut suspended = anna();
    let suspend = Input::Suspend {
        actor: Actor::Operator,
        until: None,
        reason: "spam".to_owned(),
    };
    suspended.handle(NOW, suspend).expect("the operator may");
    let (shown, _) = codes();
    refused(None, RIGHT);
    refused(Some(&mut anna()), WRONG);
    refused(Some(&mut anna()), Proof::RecoveryCode(shown[0].clone()));
    refused(Some(&mut anna()), Proof::MailCode);
    refused(Some(&mut suspended), WRONG);
    refused(Some(&mut Account::guest("guest", NOW)), RIGHT);
    refused(
        Some(&mut Account::of_site("site-1", handle("Cleo"), NOW)),
        RIGHT,
    );
    let recovered = |account: Option<&mut Account>, proof| {
        let found = recover(account, NOW, proof, hash("new"), session("s2"));
        assert_eq!(found, Err(Refusal::BadCredentials));
    };
    recovered(None, Proof::RecoveryCode(shown[0].clone()));
    recovered(Some(&mut suspended), Proof::RecoveryCode(shown[0].clone()));
    recovered(Some(&mut anna()), Proof::RecoveryCode("0000".to_owned()));
    recovered(Some(&mut anna()), RIGHT);
    // Without an address no mail can have been sent.
    recovered(Some(&mut anna()), Proof::MailCode);
    recovered(Some(&mut Account::guest("guest", NOW)), Proof::MailCode);
    recovered(
        Some(&mut Account::of_site("site-1", handle("Cleo"), NOW)),
        Proof::MailCode,
    );
}

#[test]
fn sessions_begin_and_end() {
    let mut account = anna();
    let start = |name: &str| Input::LogIn {
        proof: RIGHT,
        session: session(name),
    };
    check(&mut account, NOW, start("s2"), Ok(&[issue("s2")]));
    check(&mut account, NOW, start("s3"), Ok(&[issue("s3")]));
    check(&mut account, NOW, start("s4"), Ok(&[issue("s4")]));
    let used = |by: &str| Input::Used { by: by.to_owned() };
    check(&mut account, NOW + DAY, used("s2"), Ok(&[]));
    assert_eq!(account.session("s2").map(|s| s.used_at), Some(NOW + DAY));
    check(&mut account, NOW, used("s2"), Ok(&[]));
    assert_eq!(
        account.session("s2").map(|s| s.used_at),
        Some(NOW + DAY),
        "never back"
    );
    let end = |by: &str, family: &str| Input::RevokeSession {
        by: by.to_owned(),
        family: family.to_owned(),
    };
    check(&mut account, NOW, end("s1", "s9"), Err("no_such_session"));
    check(&mut account, NOW, end("s9", "s1"), Err("session_ended"));
    check(&mut account, NOW, end("s1", "s3"), Ok(&[revoke(&["s3"])]));
    check(&mut account, NOW, used("s3"), Err("session_ended"));
    let others = Input::RevokeOtherSessions {
        by: "s2".to_owned(),
    };
    check(&mut account, NOW, others, Ok(&[revoke(&["s1", "s4"])]));
    let out = || Input::LogOut {
        by: "s2".to_owned(),
    };
    check(&mut account, NOW, out(), Ok(&[revoke(&["s2"])]));
    check(&mut account, NOW, out(), Err("session_ended"));
}

#[test]
fn the_session_unused_for_longest_makes_room() {
    let mut account = anna();
    for number in 2..=SESSIONS_MAX {
        let family = format!("s{number}");
        log_in(Some(&mut account), NOW, RIGHT, session(&family)).expect("right");
    }
    account
        .handle(
            NOW + DAY,
            Input::Used {
                by: "s1".to_owned(),
            },
        )
        .expect("live");
    let input = Input::LogIn {
        proof: RIGHT,
        session: session("new"),
    };
    check(
        &mut account,
        NOW + DAY,
        input,
        Ok(&[revoke(&["s2"]), issue("new")]),
    );
    assert_eq!(account.sessions.len(), SESSIONS_MAX);
}

#[test]
fn a_new_password_ends_all_sessions_and_begins_one() {
    let mut account = anna();
    log_in(Some(&mut account), NOW, RIGHT, session("s2")).expect("right");
    let change = |by: &str, proof| Input::ChangePassword {
        by: by.to_owned(),
        family: "s3".to_owned(),
        proof,
        new: hash("second"),
    };
    check(&mut account, NOW, change("s2", WRONG), Err("wrong_proof"));
    check(&mut account, NOW, change("s9", RIGHT), Err("session_ended"));
    let effects = [
        Effect::Notify(Notice::PasswordChanged),
        Effect::MovePushes {
            from: "s2".to_owned(),
            to: "s3".to_owned(),
        },
        revoke(&["s1", "s2"]),
        issue("s3"),
    ];
    check(&mut account, NOW, change("s2", RIGHT), Ok(&effects));
    assert_eq!(account.sessions.len(), 1);
    assert_eq!(account.sessions[0].label, "program s2");
    assert_eq!(account.password(), Some(&hash("second")));
}

#[test]
fn a_recovery_code_works_once_and_ends_all_sessions() {
    let (mut account, (shown, _)) = (anna(), codes());
    let recovery = |code: &str| Input::Recover {
        proof: Proof::RecoveryCode(code.to_owned()),
        new: hash("second"),
        session: session("s2"),
    };
    let effects = [
        revoke(&["s1"]),
        issue("s2"),
        Effect::Notify(Notice::Recovered { codes_left: 9 }),
    ];
    check(&mut account, NOW, recovery(&shown[0]), Ok(&effects));
    check(
        &mut account,
        NOW,
        recovery(&shown[0]),
        Err("bad_credentials"),
    );
    assert_eq!(account.password(), Some(&hash("second")));
}

#[test]
fn a_mail_address_replaces_and_accompanies_a_password() {
    let mut account = anna();
    let mail = |proof, new: Option<&str>| Input::ChangeMail {
        by: "s1".to_owned(),
        proof,
        new: new.map(str::to_owned),
    };
    check(
        &mut account,
        NOW,
        mail(WRONG, Some("a@example.org")),
        Err("wrong_proof"),
    );
    let changed = |old: Option<&str>, new: Option<&str>| {
        Effect::Notify(Notice::MailChanged {
            old: old.map(str::to_owned),
            new: new.map(str::to_owned),
        })
    };
    let effects = [changed(None, Some("a@example.org"))];
    check(
        &mut account,
        NOW,
        mail(RIGHT, Some("a@example.org")),
        Ok(&effects),
    );
    check(
        &mut account,
        NOW,
        mail(RIGHT, Some("a@example.org")),
        Err("no_change"),
    );
    let effects = [changed(Some("a@example.org"), Some("b@example.org"))];
    check(
        &mut account,
        NOW,
        mail(Proof::MailCode, Some("b@example.org")),
        Ok(&effects),
    );
    if let Some(registration) = &mut account.registration {
        registration.password = None;
    }
    check(
        &mut account,
        NOW,
        mail(Proof::MailCode, None),
        Err("no_credential"),
    );
}

#[test]
fn a_handle_changes_once_in_thirty_days_and_stays_reserved_for_a_year() {
    let mut account = anna();
    let change = |wanted: &str| Input::ChangeHandle {
        by: "s1".to_owned(),
        handle: handle(wanted),
        holder: None,
    };
    check(&mut account, NOW, change("Anna"), Err("no_change"));
    let reserve = |old: &str, now: Timestamp| Effect::ReserveHandle {
        key: handle(old).key(),
        until: now + RESERVED_FOR,
    };
    let claim = |new: &str| Effect::ClaimHandle(handle(new).key());
    check(
        &mut account,
        NOW,
        change("Bella"),
        Ok(&[reserve("Anna", NOW), claim("Bella")]),
    );
    let soon = NOW + CHANGE_EVERY - Millis(1);
    check(
        &mut account,
        soon,
        change("Cleo"),
        Err("handle_changed_recently"),
    );
    // The player can return to the old handle; a change of case reserves nothing.
    let then = NOW + CHANGE_EVERY;
    check(
        &mut account,
        then,
        change("Anna"),
        Ok(&[reserve("Bella", then), claim("Anna")]),
    );
    let then = then + CHANGE_EVERY;
    check(&mut account, then, change("ANNA"), Ok(&[claim("ANNA")]));
    let taken = Input::ChangeHandle {
        by: "s1".to_owned(),
        handle: handle("Ben"),
        holder: Some(Holder {
            identity: "ben-id".to_owned(),
            reserved_until: None,
        }),
    };
    check(
        &mut account,
        then + CHANGE_EVERY,
        taken,
        Err("handle_taken"),
    );
    let mut site = Account::of_site("site-1", handle("Cleo"), NOW);
    check(&mut site, NOW, change("Dora"), Err("site_account"));
    let out = Input::LogOut {
        by: "s1".to_owned(),
    };
    check(&mut site, NOW, out, Err("site_account"));
}

#[test]
fn guessing_is_limited_by_account_and_by_address() {
    let mut limits = sign_ins();
    for _ in 0..=GuessBounds::ACCOUNT.free {
        assert_eq!(wrong(&mut limits, " Anna ", 1), Ok(()));
    }
    let wait = Err(Refusal::TooManyTries {
        wait_ms: Millis(1_000),
    });
    assert_eq!(wrong(&mut limits, "ANNA", 1), wait);
    assert_eq!(wrong(&mut limits, "ANNA", 2), Ok(()), "another address");
    assert_eq!(wrong(&mut limits, "ben", 1), Ok(()));
    for number in 0..GuessBounds::ADDRESS.free {
        wrong(&mut limits, &format!("player{number}"), 1).ok();
    }
    assert!(wrong(&mut limits, "ben", 1).is_err(), "for every account");
    assert_eq!(wrong(&mut limits, "ben", 2), Ok(()));
}

/// Strangers at any number of addresses guess at most so often, and lock nobody out who has signed in before.
#[test]
fn strangers_lock_no_player_out() {
    let mut limits = sign_ins();
    limits.signed_in(NOW, "Anna", &1);
    for address in 2..1_000 {
        wrong(&mut limits, "anna", address).ok();
    }
    assert!(wrong(&mut limits, "anna", 1_000).is_err());
    assert_eq!(wrong(&mut limits, "anna", 1), Ok(()), "her own address");
    assert!(limits.pay_in_session(NOW, "anna's").is_ok());
    // A crowd that shares the address is no obstacle either.
    for _ in 0..=GuessBounds::ADDRESS.free {
        wrong(&mut limits, "somebody", 1).ok();
        let code = limits.pay_for_code(NOW, &1);
        code.map(|tried| limits.was_wrong(NOW, &tried)).ok();
    }
    assert_eq!(wrong(&mut limits, "anna", 1), Ok(()));
    assert!(limits.knows("ANNA", &1) && !limits.knows("anna", &2));
}

/// Tries at the same time are no more than tries one after the other.
#[test]
fn tries_pay_before_they_are_checked() {
    let mut limits = sign_ins();
    let begun = (0..1_000).filter(|_| limits.pay(NOW, "anna", &1).is_ok());
    let most = usize::try_from(GuessBounds::ACCOUNT.free).unwrap() + 1;
    assert_eq!(begun.count(), most);
}

fn sign_ins() -> SignInLimits<u32> {
    SignInLimits::new(SignInBounds {
        own: GuessBounds::ACCOUNT,
        strangers: GuessBounds::STRANGERS,
        address: GuessBounds::ADDRESS,
    })
}

/// Tries a wrong password.
fn wrong(limits: &mut SignInLimits<u32>, handle: &str, address: u32) -> Result<(), Refusal> {
    let tried = limits.pay(NOW, handle, &address)?;
    limits.was_wrong(NOW, &tried);
    Ok(())
}

#[test]
fn an_account_reads_back_from_its_json() {
    let mut account = anna();
    account.roles.insert(Role::Director);
    let json = serde_json::to_string(&account).expect("plain data");
    assert_eq!(
        serde_json::from_str::<Account>(&json).expect("the same"),
        account
    );
}

//! Permissions of moderators, and the entries of the audit.

use tilewire_rules::time::{Millis, Timestamp};

use super::{
    ContextLine, Deed, Draft, HIDDEN_MOST, Kind, Order, Reason, Refusal, Report, Restraint, Target,
    WORDS_MAX_CHARS, hidden_lines, restrained, undo,
};
use crate::accounts::{self, Actor, Role};
use crate::audit::{Action, Entry};

const NOW: Timestamp = Timestamp(1_800_000_000_000);

fn draft() -> Draft {
    let line = |number: u64, identity: &str| ContextLine {
        line: number,
        at: NOW,
        identity: identity.to_owned(),
        name: identity.to_owned(),
        text: format!("line {number}"),
    };
    Draft {
        reporter: "anna".to_owned(),
        reporter_name: "Anna".to_owned(),
        target: "eve".to_owned(),
        target_name: "Eve".to_owned(),
        reason: Reason::Abuse,
        words: " look \n".to_owned(),
        game: Some("g1".to_owned()),
        line: Some(("p-g1".to_owned(), 7)),
        context: vec![line(6, "anna"), line(7, "eve")],
    }
}

#[track_caller]
fn check_report(change: impl FnOnce(&mut Draft), expected: Result<&str, Refusal>) {
    let mut draft = draft();
    change(&mut draft);
    let checked = draft.check(NOW).map(|report| report.words);
    assert_eq!(checked, expected.map(str::to_owned));
}

#[test]
fn a_report_is_about_a_line_of_the_reported_player() {
    check_report(|_| (), Ok("look"));
    check_report(|draft| draft.words.clear(), Ok(""));
    check_report(|draft| draft.line = None, Ok("look"));
    let of = |room: &str, line| Some((room.to_owned(), line));
    check_report(
        |draft| draft.line = of("p-g1", 6),
        Err(Refusal::UnknownLine),
    );
    check_report(
        |draft| draft.line = of("p-g1", 8),
        Err(Refusal::UnknownLine),
    );
    let own = |draft: &mut Draft| draft.target = draft.reporter.clone();
    check_report(own, Err(Refusal::Yourself));
    let long = "\u{e9}".repeat(WORDS_MAX_CHARS);
    check_report(|draft| draft.words.clone_from(&long), Ok(&long));
    check_report(
        |draft| draft.words = format!("{long}!"),
        Err(Refusal::BadWords),
    );
}

#[test]
fn a_report_reads_back_from_its_json() {
    let report = draft().check(NOW).expect("a report");
    let json = serde_json::to_string(&report).expect("plain data");
    let read: Report = serde_json::from_str(&json).expect("the same");
    assert_eq!(read, report);
}

fn moderator(roles: &[Role]) -> Actor {
    Actor::Player {
        identity: "mod".to_owned(),
        roles: roles.iter().copied().collect(),
    }
}

fn order(deed: Deed) -> Order {
    Order {
        deed,
        reason: " spam ".to_owned(),
        until: None,
    }
}

fn eve(role: Option<Role>) -> Target {
    Target {
        identity: "eve".to_owned(),
        role,
    }
}

#[track_caller]
fn check_order(order: &Order, actor: &Actor, target: &Target, expected: Result<&str, Refusal>) {
    let checked = order.check(NOW, actor, target);
    assert_eq!(
        checked.map(|action| action.action),
        expected.map(str::to_owned)
    );
}

#[test]
fn nobody_acts_on_a_higher_role_or_on_oneself() {
    use Role::{Admin, Director, Moderator};
    let mute = order(Deed::Restrain(Restraint::Mute));
    let forbidden = || Err(accounts::Refusal::Forbidden.into());
    for (actor, target, may) in [
        (moderator(&[]), None, false),
        (moderator(&[Director]), None, false),
        (moderator(&[Moderator]), None, true),
        (moderator(&[Moderator]), Some(Moderator), true),
        (moderator(&[Moderator]), Some(Admin), false),
        (moderator(&[Admin]), Some(Admin), true),
        (Actor::Operator, Some(Admin), true),
    ] {
        let expected = if may { Ok("muted") } else { forbidden() };
        check_order(&mute, &actor, &eve(target), expected);
    }
    let own = Target {
        identity: "mod".to_owned(),
        role: None,
    };
    check_order(&mute, &moderator(&[Admin]), &own, forbidden());
}

#[test]
fn an_order_has_a_reason_and_an_end_in_the_future() {
    let (actor, eve) = (moderator(&[Role::Moderator]), eve(None));
    let mut mute = order(Deed::Restrain(Restraint::Mute));
    mute.until = Some(NOW + Millis(1));
    let action = mute.check(NOW, &actor, &eve).expect("a moderator may");
    let expected = Action {
        actor: "mod".to_owned(),
        action: "muted".to_owned(),
        target: "eve".to_owned(),
        reason: "spam".to_owned(),
        until: mute.until,
    };
    assert_eq!(action, expected);
    mute.until = Some(NOW);
    check_order(&mute, &actor, &eve, Err(Refusal::BadUntil));
    let mut rename = order(Deed::Rename);
    rename.until = Some(NOW + Millis(1));
    check_order(&rename, &actor, &eve, Err(Refusal::BadUntil));
    for reason in [" ".to_owned(), "x".repeat(501)] {
        let mut bare = order(Deed::Close);
        bare.reason = reason;
        let refused = Err(accounts::Refusal::BadReason.into());
        check_order(&bare, &actor, &eve, refused);
    }
}

#[test]
fn hidden_lines_are_named_in_the_audit() {
    let (actor, eve) = (moderator(&[Role::Moderator]), eve(None));
    let hide = |lines: Vec<u64>| {
        order(Deed::HideLines {
            room: "p-g1".to_owned(),
            lines,
        })
    };
    check_order(&hide(vec![5, 7]), &actor, &eve, Ok("lines_hidden:p-g1:5,7"));
    for lines in [Vec::new(), vec![1; HIDDEN_MOST + 1]] {
        check_order(&hide(lines), &actor, &eve, Err(Refusal::BadLines));
    }
    let named = hidden_lines("lines_hidden:p-g1:5,7");
    assert_eq!(named, Some(("p-g1".to_owned(), vec![5, 7])));
    for other in [
        "lines_hidden",
        "lines_hidden:p-g1",
        "lines_hidden:a:b",
        "muted",
    ] {
        assert_eq!(hidden_lines(other), None, "{other}");
    }
}

#[test]
fn what_lasts_can_be_undone() {
    let entry = |action: &str| {
        Entry::after(
            None,
            NOW,
            Action {
                actor: "mod".to_owned(),
                action: action.to_owned(),
                target: "eve".to_owned(),
                reason: "spam".to_owned(),
                until: None,
            },
        )
    };
    for restraint in Restraint::ALL {
        let action = order(Deed::Restrain(restraint));
        let action = action
            .check(NOW, &Actor::Operator, &eve(None))
            .expect("may");
        assert_eq!(restrained(&action.action), Some(restraint));
        assert_eq!(undo(&entry(&action.action)), Ok(Deed::Undo(1)));
    }
    assert_eq!(undo(&entry("lines_hidden:lobby:3")), Ok(Deed::Undo(1)));
    for other in [
        "renamed",
        "report_closed",
        "undone:1",
        "forgiven",
        "role_granted:admin",
    ] {
        assert_eq!(undo(&entry(other)), Err(Refusal::CannotUndo), "{other}");
    }
}

#[test]
fn names_read_back() {
    for kind in Kind::ALL {
        assert_eq!(Kind::named(kind.name()), Some(kind));
    }
    for restraint in Restraint::ALL {
        assert_eq!(Restraint::named(restraint.name()), Some(restraint));
    }
    assert_eq!(Restraint::named("rename"), None);
}

//! The contract for moderation as tests. Every [`ModerationStore`] must pass them.

use tilewire_people::accounts::{Account, Actor, Effect, Input};
use tilewire_people::audit::{Action, verify};
use tilewire_people::moderation::{
    Deed, Kind, REPORTS_MOST, REPORTS_PERIOD, Reason, Report, Restraint,
};
use tilewire_rules::time::{Millis, Timestamp};

use super::account_contract::register;
use super::{
    AccountChange, AccountStore, ChatChange, ChatStore, ModerationChange, ModerationError,
    ModerationStore, ReportPosition, StoredLine, StoredNotice,
};

/// When the acts of the tests are done.
pub const START: Timestamp = Timestamp(1_800_000_000_000);
/// More entries than the audit of a test has.
const ALL: usize = 100;

/// Checks a store that has no reports and no restrictions at first, and no accounts of these players.
pub(crate) async fn moderation<S: AccountStore + ChatStore + ModerationStore>(store: &S) {
    register(store, ["yves", "zara"]).await;
    reports_are_listed_open_ones_first(store).await;
    reports_of_a_player_are_limited(store).await;
    a_restriction_lasts_until_it_is_undone(store).await;
    a_restriction_replaces_the_earlier_one(store).await;
    a_stale_account_stores_nothing(store).await;
    hidden_lines_keep_their_numbers(store).await;
    the_audit_is_read_in_pages(store).await;
}

/// Returns a report of zara.
pub fn report(reporter: &str, at: Timestamp) -> Report {
    Report {
        at,
        reporter: reporter.to_owned(),
        reporter_name: reporter.to_owned(),
        target: "zara".to_owned(),
        target_name: "Zoe".to_owned(),
        reason: Reason::Abuse,
        words: "\u{1f642}".to_owned(),
        game: None,
        room: None,
        line: None,
        context: Vec::new(),
    }
}

fn act(target: &str, deed: Deed, until: Option<Timestamp>) -> ModerationChange {
    ModerationChange {
        at: START,
        action: Action {
            actor: "operator".to_owned(),
            action: "a test".to_owned(),
            target: target.to_owned(),
            reason: "spam".to_owned(),
            until,
        },
        deed,
        account: None,
        closes: None,
    }
}

/// Returns the act that closes a report of zara at the start of the tests.
pub fn close(number: u64) -> ModerationChange {
    ModerationChange {
        closes: Some(number),
        ..act("zara", Deed::Close, None)
    }
}

async fn numbers(store: &dyn ModerationStore, behind: ReportPosition, most: usize) -> Vec<u64> {
    let page = store.reports(behind, most).await.unwrap();
    page.into_iter().map(|report| report.number).collect()
}

async fn reports_are_listed_open_ones_first(store: &dyn ModerationStore) {
    let mut filed = Vec::new();
    for reporter in ["r1", "r2", "r3"] {
        filed.push(store.file(report(reporter, START)).await.unwrap());
    }
    let [one, two, three] = filed[..] else {
        panic!("{filed:?}");
    };
    assert_eq!(
        numbers(store, ReportPosition::START, 9).await,
        [three, two, one]
    );
    let entry = store.moderate(close(two)).await.unwrap();
    let again = store.moderate(close(two)).await;
    assert_eq!(again, Err(ModerationError::NoChange));
    assert_eq!(
        numbers(store, ReportPosition::START, 9).await,
        [three, one, two]
    );
    assert_eq!(numbers(store, ReportPosition::START, 1).await, [three]);
    let place = |is_closed, number| ReportPosition { is_closed, number };
    assert_eq!(numbers(store, place(false, three), 9).await, [one, two]);
    assert_eq!(numbers(store, place(false, one), 9).await, [two]);
    assert_eq!(numbers(store, place(true, two), 9).await, [0; 0]);
    let found = store.report(two).await.unwrap().expect("stored");
    assert_eq!(
        (found.closed, &found.report),
        (Some(entry), &report("r2", START))
    );
    assert_eq!(store.report(three + 1).await, Ok(None));
    let in_force = store.in_force().await.unwrap();
    assert_eq!(in_force.notices, [], "nobody is told of a closed report");
}

async fn reports_of_a_player_are_limited(store: &dyn ModerationStore) {
    let at = |step: usize| START + Millis(i64::try_from(step).unwrap());
    for step in 0..REPORTS_MOST {
        store.file(report("yves", at(step))).await.unwrap();
    }
    let more = store.file(report("yves", at(REPORTS_MOST))).await;
    let until = START + REPORTS_PERIOD;
    assert_eq!(more, Err(ModerationError::TooManyReports(until)));
    store.file(report("other", at(REPORTS_MOST))).await.unwrap();
    store.file(report("yves", until)).await.unwrap();
    let more = store.file(report("yves", until)).await;
    let next = at(1) + REPORTS_PERIOD;
    assert_eq!(more, Err(ModerationError::TooManyReports(next)));
}

/// The restrictions of a player, with the numbers of their entries.
async fn restrictions(store: &dyn ModerationStore, identity: &str) -> Vec<(Restraint, u64)> {
    let in_force = store.in_force().await.unwrap();
    let own = in_force.restrictions.into_iter();
    let own = own.filter(|restriction| restriction.identity == identity);
    own.map(|restriction| (restriction.restraint, restriction.entry))
        .collect()
}

async fn a_restriction_lasts_until_it_is_undone(store: &dyn ModerationStore) {
    let until = Some(START + Millis(5));
    let mute = act("g1", Deed::Restrain(Restraint::Mute), until);
    let entry = store.moderate(mute.clone()).await.unwrap();
    assert_eq!(restrictions(store, "g1").await, [(Restraint::Mute, entry)]);
    let notice = StoredNotice {
        entry,
        identity: "g1".to_owned(),
        kind: Kind::Mute,
        reason: "spam".to_owned(),
        until,
    };
    let in_force = store.in_force().await.unwrap();
    assert_eq!(in_force.notices, [notice]);
    assert_eq!(in_force.restrictions[0].until, until);
    store.mark_told(vec![entry]).await.unwrap();
    assert_eq!(store.in_force().await.unwrap().notices, []);
    let undo = || act("g1", Deed::Undo(entry), None);
    let undone = store.moderate(undo()).await.unwrap();
    assert_eq!(restrictions(store, "g1").await, []);
    assert_eq!(store.moderate(undo()).await, Err(ModerationError::NoChange));
    store.mark_told(vec![undone]).await.unwrap();
    // One that is over goes away with the next act.
    store.moderate(mute).await.unwrap();
    let mut later = act("g2", Deed::Restrain(Restraint::NoRated), None);
    later.at = START + Millis(5);
    store.moderate(later).await.unwrap();
    assert_eq!(restrictions(store, "g1").await, []);
}

async fn a_restriction_replaces_the_earlier_one(store: &dyn ModerationStore) {
    let suspend = || act("g3", Deed::Restrain(Restraint::Suspend), None);
    let first = store.moderate(suspend()).await.unwrap();
    let second = store.moderate(suspend()).await.unwrap();
    let other = act("g3", Deed::Restrain(Restraint::NoPublic), None);
    let other = store.moderate(other).await.unwrap();
    let expected = [(Restraint::NoPublic, other), (Restraint::Suspend, second)];
    let mut found = restrictions(store, "g3").await;
    found.sort_unstable();
    assert_eq!(found, expected);
    let undo = store.moderate(act("g3", Deed::Undo(first), None)).await;
    assert_eq!(undo, Err(ModerationError::NoChange));
}

async fn a_stale_account_stores_nothing<S: AccountStore + ModerationStore>(store: &S) {
    let stored = store.account("zara").await.unwrap().unwrap();
    let mut account: Account = stored.account;
    let suspend = Input::Suspend {
        actor: Actor::Operator,
        until: None,
        reason: "spam".to_owned(),
    };
    let mut effects = account.handle(START, suspend).unwrap();
    effects.retain(|effect| !matches!(effect, Effect::Audit(_)));
    let before = store.entries(None, None, ALL).await.unwrap().len();
    let change = |expected| ModerationChange {
        account: Some(AccountChange {
            expected,
            account: account.clone(),
            effects: effects.clone(),
            at: START,
        }),
        ..act("zara", Deed::Restrain(Restraint::Suspend), None)
    };
    let stale = store.moderate(change(stored.version + 1)).await;
    assert_eq!(stale, Err(ModerationError::Stale));
    assert_eq!(restrictions(store, "zara").await, []);
    store.moderate(change(stored.version)).await.unwrap();
    let found = store.account("zara").await.unwrap().unwrap();
    assert!(found.account.is_suspended(START) && found.account.sessions.is_empty());
    let after = store.entries(None, None, ALL).await.unwrap().len();
    assert_eq!(after, before + 1, "one entry for an act");
}

async fn hidden_lines_keep_their_numbers<S: ChatStore + ModerationStore>(store: &S) {
    let line = |number: u64, identity: &str| StoredLine {
        room: "s-9".to_owned(),
        line: number,
        at: START,
        identity: identity.to_owned(),
        name: identity.to_owned(),
        seat: None,
        cmd_id: format!("c{number}"),
        text: format!("text {number}"),
        is_hidden: false,
    };
    let lines = vec![
        line(1, "zara"),
        line(2, "yves"),
        line(3, "zara"),
        line(4, "zara"),
    ];
    let change = ChatChange {
        pairs: Vec::new(),
        lines: lines.clone(),
    };
    store.say(change).await.unwrap();
    let hide = |lines: Vec<u64>| {
        let room = "s-9".to_owned();
        act("zara", Deed::HideLines { room, lines }, None)
    };
    // A line of another player is not hidden.
    let entry = store.moderate(hide(vec![1, 2, 4])).await.unwrap();
    let hidden = async || {
        let found = store.lines("s-9", 0, 9).await.unwrap();
        assert_eq!(found.len(), lines.len(), "hidden lines have their numbers");
        found
            .iter()
            .map(|line| line.is_hidden)
            .collect::<Vec<bool>>()
    };
    assert_eq!(hidden().await, [true, false, false, true]);
    for lines in [vec![1], vec![2], vec![9]] {
        let refused = store.moderate(hide(lines)).await;
        assert_eq!(refused, Err(ModerationError::NoChange));
    }
    let around = store.lines_around("s-9", 3, 1).await.unwrap();
    let around: Vec<u64> = around.iter().map(|line| line.line).collect();
    assert_eq!(around, [2, 3, 4]);
    assert_eq!(store.lines_around("s-8", 3, 1).await, Ok(Vec::new()));
    store
        .moderate(act("zara", Deed::Undo(entry), None))
        .await
        .unwrap();
    assert_eq!(hidden().await, [false; 4]);
}

async fn the_audit_is_read_in_pages(store: &dyn ModerationStore) {
    let all = store.entries(None, None, ALL).await.unwrap();
    let mut oldest_first = all.clone();
    oldest_first.reverse();
    assert_eq!(verify(&oldest_first, None), Ok(()));
    let page = store.entries(None, Some(all[1].number), 2).await.unwrap();
    assert_eq!(page, all[2..4]);
    let of_zara = store.entries(Some("zara"), None, ALL).await.unwrap();
    let own: Vec<_> = all
        .iter()
        .filter(|entry| entry.action.target == "zara")
        .cloned()
        .collect();
    assert_eq!(of_zara, own);
    assert!(own.len() > 2 && own.len() < all.len());
    let found = store.entry(all[0].number).await.unwrap();
    assert_eq!(found.as_ref(), Some(&all[0]));
    assert_eq!(store.entry(all[0].number + 1).await, Ok(None));
}

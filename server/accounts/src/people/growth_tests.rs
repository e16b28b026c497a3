//! Rows and memory grow with the use of accounts, and shrink again: a thousand times each.

use tilewire_config::Retention;
use tilewire_people::accounts::Input;
use tilewire_people::moderation::Reason;
use tilewire_protocol::ErrorCode;
use tilewire_rules::time::Millis;

use super::Failure;
use super::moderation::Reporting;
use super::service::session;
use super::tests::{Fixture, at, home};

const TIMES: usize = 1_000;
const DAY: Millis = Millis(24 * 3_600_000);

/// A login and a logout leave a row and an entry in memory for a day. The token of the session stays refused after that.
#[tokio::test]
async fn logins_and_logouts_leave_nothing_after_a_day() {
    let all = Fixture::new(|_| {}).await;
    let anna = all.player("anna").await;
    let identity = anna.account.identity.as_str();
    let mut tokens = Vec::new();
    for number in 0..TIMES {
        let session = session(format!("session-{number}"), "a phone");
        let input = Input::OpenSession { session };
        let opened = all.people.change(identity, all.people.now(), input).await;
        let issued = opened.unwrap().issued.unwrap();
        let bearer = all.bearer(&issued.token).await;
        all.people.log_out(&bearer).await.unwrap();
        tokens.push(issued.token);
    }
    let listed = || async { all.storage.credentials().await.unwrap() };
    // One for each, and that of the guest who registered.
    assert_eq!(listed().await.revoked_families.len(), TIMES + 1);
    assert_eq!(all.accounts.tokens().revoked_families(), TIMES + 1);
    all.advance(DAY + Millis(1));
    let seen = all.storage.credential_changes().await.unwrap();
    let (now, retention) = (all.people.now(), Retention::default());
    all.storage.prune(now, &retention).await.unwrap();
    // Every server reads the list again, as it does after each change.
    assert!(all.storage.credential_changes().await.unwrap() > seen);
    for _ in 0..2 {
        all.accounts.tokens().replace(&listed().await);
    }
    assert_eq!(listed().await.revoked_families.len(), 0);
    assert_eq!(all.accounts.tokens().revoked_families(), 0);
    for token in tokens.iter().step_by(100) {
        let error = all.people.bearer(token).await.unwrap_err();
        assert!(matches!(error, Failure::Token(body) if body.code == ErrorCode::BadToken));
    }
    all.bearer(&anna.issued.token).await;
}

/// Fresh accounts of one address file reports until the address has filed its share; another address still can.
#[tokio::test]
async fn reports_of_fresh_accounts_at_an_address_are_limited() {
    let all = Fixture::new(|config| config.limits.reports_per_address = 30).await;
    let target = all.player("target").await;
    let report = async |from, token: &str| {
        let bearer = all.bearer(token).await;
        let concerned = all.people.concerned(&target.account.identity).await;
        let reporting = Reporting {
            target: concerned.unwrap(),
            reason: Reason::Abuse,
            words: String::new(),
            game: None,
            line: None,
            context: Vec::new(),
        };
        all.people.report(&bearer, from, reporting).await
    };
    let mut filed = 0;
    let mut refused = None;
    for number in 0..8 {
        let reporter = all.player(&format!("reporter{number}")).await;
        for _ in 0..5 {
            match report(home(), &reporter.issued.token).await {
                Ok(_) => filed += 1,
                Err(failure) => refused = Some((failure, reporter.issued.token.clone())),
            }
        }
    }
    assert_eq!(filed, 30);
    let (failure, token) = refused.unwrap();
    assert!(
        matches!(failure, Failure::TooManyReports { .. }),
        "{failure:?}"
    );
    assert!(report(at(9), &token).await.is_ok());
    all.advance(DAY);
    assert!(report(home(), &token).await.is_ok());
}

//! Reports and acts on a real storage, and the restrictions in memory.

use tilewire_people::accounts::{Actor, Input, Refusal as AccountRefusal, Role};
use tilewire_people::moderation::{Reason, Refusal, Restraint};
use tilewire_protocol::ErrorCode;
use tilewire_rules::time::{Millis, Timestamp};

use super::tests::{Fixture, home};
use super::{Acting, Failure, Reporting, Wanted};
use crate::identity::Bearer;
use crate::restrictions::Restrictions;

/// A year in milliseconds.
const YEAR: Millis = Millis(366 * 86_400_000);

impl Fixture {
    /// Registers a player; returns its token.
    async fn token_of(&self, handle: &str) -> String {
        self.player(handle).await.issued.token
    }

    /// Registers a moderator.
    async fn moderator(&self, handle: &str) -> (Bearer, Actor) {
        let player = self.player(handle).await;
        let grant = Input::GrantRole {
            actor: Actor::Operator,
            role: Role::Moderator,
            reason: "a test".to_owned(),
        };
        let (identity, now) = (player.account.identity, self.people.now());
        self.people.change(&identity, now, grant).await.unwrap();
        let bearer = self.bearer(&player.issued.token).await;
        let actor = self.people.moderator(&bearer).await.unwrap();
        (bearer, actor)
    }

    /// Returns the end of a restriction of a player, in memory and as it is stored: both are the same.
    async fn restricted(&self, identity: &str, kind: Restraint) -> Option<Option<Timestamp>> {
        let now = self.people.now();
        let stored = Restrictions::read(&*self.storage).await.unwrap();
        let memory = &self.people.enforcement().restrictions;
        let [memory, stored] =
            [&**memory, &stored].map(|all| all.of(identity, kind, now).map(|found| found.until));
        assert_eq!(memory, stored, "memory and storage");
        memory
    }
}

fn acting(player: &str, wanted: Wanted) -> Acting {
    Acting {
        player: Some(player.to_owned()),
        wanted,
        reason: "spam".to_owned(),
        report: None,
    }
}

#[tokio::test]
async fn a_restriction_is_in_memory_and_ends() {
    let all = Fixture::new(|_| {}).await;
    let (_, max) = all.moderator("max").await;
    let eve = all.player("eve").await.account.identity;
    let until = all.people.now() + YEAR;
    let mute = acting("EVE", Wanted::Restrain(Restraint::Mute, Some(until)));
    let number = all.people.act(&max, mute).await.unwrap();
    assert_eq!(
        all.restricted(&eve, Restraint::Mute).await,
        Some(Some(until))
    );
    assert_eq!(all.restricted(&eve, Restraint::NoRated).await, None);
    let restrictions = &all.people.enforcement().restrictions;
    assert!(restrictions.of(&eve, Restraint::Mute, until).is_none());
    assert_eq!(restrictions.take_restricted().len(), 1);
    assert!(restrictions.take_restricted().is_empty());
    // After a start the lobby takes everybody out of the seeks who is restricted.
    let started = Restrictions::read(&*all.storage).await.unwrap();
    assert!(started.take_restricted().contains(&eve));
    // Nobody was connected, so the message waits.
    assert_eq!(restrictions.awaited(), std::slice::from_ref(&eve));
    let reason = "a mistake".to_owned();
    all.people.undo(&max, number, reason.clone()).await.unwrap();
    assert_eq!(all.restricted(&eve, Restraint::Mute).await, None);
    let again = all.people.undo(&max, number, reason.clone()).await;
    assert_eq!(again, Err(Failure::Moderation(Refusal::NoChange)));
    let unknown = all.people.undo(&max, 99, reason).await;
    assert_eq!(unknown, Err(Failure::Moderation(Refusal::UnknownAct)));
}

#[tokio::test]
async fn a_suspension_refuses_tokens_and_log_ins_until_it_is_undone() {
    let all = Fixture::new(|_| {}).await;
    let (_, max) = all.moderator("max").await;
    let token = all.token_of("eve").await;
    let guest = all.guest().await;
    let name = all.bearer(&guest).await.pass.identity;
    // A guest who never played is not stored, so nobody can name it.
    let unknown = acting(&name, Wanted::Restrain(Restraint::Suspend, None));
    let unknown = all.people.act(&max, unknown).await;
    assert_eq!(unknown, Err(Failure::UnknownPlayer));
    let suspend = acting("eve", Wanted::Restrain(Restraint::Suspend, None));
    let number = all.people.act(&max, suspend).await.unwrap();
    let refused = all.people.bearer(&token).await.err();
    let Some(Failure::Token(refused)) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(refused.code, ErrorCode::Revoked);
    assert_eq!(refused.message, "a moderator has suspended you: spam");
    let account = all.people.player("eve").await.unwrap();
    assert!(account.is_suspended(all.people.now()));
    assert!(account.sessions.is_empty());
    let reason = "a mistake".to_owned();
    all.people.undo(&max, number, reason).await.unwrap();
    let account = all.people.player("eve").await.unwrap();
    assert!(!account.is_suspended(all.people.now()));
}

#[tokio::test]
async fn a_player_is_renamed_and_a_taken_handle_is_refused() {
    let all = Fixture::new(|_| {}).await;
    let (_, max) = all.moderator("max").await;
    let eve = all.player("eve").await.account.identity;
    let rename = |wanted: &str| acting("eve", Wanted::Rename(wanted.to_owned()));
    let taken = all.people.act(&max, rename("Max")).await;
    assert_eq!(taken, Err(AccountRefusal::HandleTaken.into()));
    let number = all.people.act(&max, rename("Dove")).await.unwrap();
    let account = all.people.player("dove").await.unwrap();
    assert_eq!(account.identity, eve);
    let undone = all.people.undo(&max, number, "why not".to_owned()).await;
    assert_eq!(undone, Err(Failure::Moderation(Refusal::CannotUndo)));
}

#[tokio::test]
async fn a_report_is_closed_by_the_act_that_names_it() {
    let all = Fixture::new(|_| {}).await;
    let (_, max) = all.moderator("max").await;
    let anna = all.bearer(&all.token_of("anna").await).await;
    all.player("eve").await;
    let reporting = Reporting {
        target: all.people.concerned("eve").await.unwrap(),
        reason: Reason::Name,
        words: String::new(),
        game: None,
        line: None,
        context: Vec::new(),
    };
    let report = all
        .people
        .report(&anna, home(), reporting.clone())
        .await
        .unwrap();
    let forbidden = all.people.moderator(&anna).await.err();
    assert_eq!(forbidden, Some(AccountRefusal::Forbidden.into()));
    let close = Acting {
        player: None,
        report: Some(report),
        ..acting("", Wanted::Close)
    };
    let number = all.people.act(&max, close.clone()).await.unwrap();
    let stored = all.people.report_of(report).await.unwrap();
    assert_eq!(stored.closed, Some(number));
    let again = all.people.act(&max, close).await;
    assert_eq!(again, Err(Failure::Moderation(Refusal::NoChange)));
    let history = all.people.audit(Some(&stored.report.target), None, 9).await;
    assert_eq!(history.unwrap().len(), 1);
    let guest = all.bearer(&all.guest().await).await;
    let as_guest = all.people.report(&guest, home(), reporting).await;
    assert_eq!(as_guest, Err(AccountRefusal::NotRegistered.into()));
}

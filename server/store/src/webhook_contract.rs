//! The contract for webhooks as tests. Every [`OutboxStore`] must pass them.

use tilewire_people::accounts::{Effect, FormerHandle};
use tilewire_people::audit::Action;
use tilewire_people::handles::Handle;
use tilewire_people::moderation::{Deed, Restraint};
use tilewire_protocol::GameId;
use tilewire_rules::time::Timestamp;

use super::account_contract::registered;
use super::contract_suite::samples;
use super::{
    AccountChange, AccountNewsKind, AccountStore, ChapterError, Journal, ModerationChange,
    ModerationStore, NewWebhook, OutboxStore, WebhookCount, WebhookFate, WebhookKey, WebhookPage,
};

const NOW: Timestamp = Timestamp(1_700_000_000_000);
const MANY: usize = 100;

/// Checks a store without webhooks, and without accounts of these players.
pub async fn webhooks<S>(store: &S)
where
    S: AccountStore + OutboxStore + Journal + ModerationStore,
{
    nothing_is_noted_without_webhooks(store).await;
    store
        .begin_webhooks(names(&["shop", "club"]))
        .await
        .unwrap();
    pages_follow_the_journal(store).await;
    events_of_a_lane_are_due_in_order(store).await;
    an_event_is_held_back_until_the_end(store).await;
    the_oldest_beyond_the_bound_fail(store).await;
    old_and_failed_events_go_away(store).await;
    changes_of_accounts_are_noted(store).await;
    a_webhook_that_is_gone_loses_its_events(store).await;
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn event(target: &str, game: &str, seq: u64, shown_at: Timestamp) -> NewWebhook {
    NewWebhook {
        key: WebhookKey::of_game(target, &GameId::from(game), seq),
        kind: "game.turn",
        at: NOW.plus(i64::try_from(seq).unwrap()),
        shown_at,
        until: shown_at.plus(1_000),
        content: format!("{{\"seq\":{seq}}}"),
    }
}

async fn page<S: OutboxStore>(store: &S, webhooks: Vec<NewWebhook>) -> WebhookPage {
    let after = store.webhook_cursor().await.unwrap();
    WebhookPage {
        after,
        until: after.arrival,
        notes: 0,
        ended: Vec::new(),
        webhooks,
        now: NOW,
        queue: 1_000,
    }
}

async fn put<S: OutboxStore>(store: &S, webhooks: Vec<NewWebhook>) {
    let page = page(store, webhooks).await;
    assert_eq!(store.write_webhooks(page).await, Ok(0));
}

/// The ids of the events of a webhook that are due at a time.
async fn due<S: OutboxStore>(store: &S, target: &str, now: Timestamp) -> Vec<String> {
    let due = store.webhooks_due(target, now, MANY).await.unwrap();
    due.into_iter().map(|one| one.key.id()).collect()
}

async fn settle<S: OutboxStore>(
    store: &S,
    target: &str,
    (game, seq): (&str, u64),
    fate: WebhookFate,
) {
    let key = WebhookKey::of_game(target, &GameId::from(game), seq);
    store.settle_webhook(key, fate).await.unwrap();
}

async fn nothing_is_noted_without_webhooks<S: AccountStore + OutboxStore>(store: &S) {
    store.begin_webhooks(Vec::new()).await.unwrap();
    handle(store, "helga", "helga").await;
    assert_eq!(store.account_news(MANY).await, Ok(Vec::new()));
    let page = page(store, vec![event("shop", "h0", 1, NOW)]).await;
    assert_eq!(store.write_webhooks(page).await, Err(ChapterError::Stale));
}

async fn pages_follow_the_journal<S: OutboxStore + Journal>(store: &S) {
    let begun = store.webhook_cursor().await.unwrap();
    let none = store.changed_games(begun.arrival, MANY).await.unwrap();
    assert!(
        none.games.is_empty() && none.is_end,
        "what was before is no news"
    );
    let first = samples::records("h1", 1, 1).remove(0);
    let meta = samples::meta("h1", ["a", "b"], NOW);
    store.create(meta, first).await.unwrap();
    store.append(samples::append("h1", 1, 2)).await.unwrap();
    let found = store.changed_games(begun.arrival, MANY).await.unwrap();
    let games = found
        .games
        .iter()
        .map(|one| (one.game.as_str(), one.after, one.last));
    assert_eq!(games.collect::<Vec<_>>(), [("h1", 0, 3)]);
    let written = WebhookPage {
        until: found.until,
        ..page(store, vec![event("shop", "h1", 1, NOW)]).await
    };
    assert_eq!(store.write_webhooks(written.clone()).await, Ok(0));
    assert_eq!(
        store.write_webhooks(written).await,
        Err(ChapterError::Stale)
    );
    assert_eq!(store.webhook_cursor().await.unwrap().arrival, found.until);
    // A restart with webhooks goes on there.
    store
        .begin_webhooks(names(&["shop", "club"]))
        .await
        .unwrap();
    assert_eq!(store.webhook_cursor().await.unwrap().arrival, found.until);
    let stored = store.webhooks_due("shop", NOW, MANY).await.unwrap();
    assert_eq!(stored.len(), 1);
    let one = &stored[0];
    assert_eq!((one.key.id(), one.tries), ("h1-1".to_owned(), 0));
    assert_eq!(
        (one.kind.as_str(), one.content.as_str()),
        ("game.turn", "{\"seq\":1}")
    );
    settle(store, "shop", ("h1", 1), WebhookFate::Delivered).await;
    assert_eq!(due(store, "shop", NOW).await, [""; 0]);
}

async fn events_of_a_lane_are_due_in_order<S: OutboxStore>(store: &S) {
    let all =
        |target| [("h2", 3), ("h2", 9), ("h3", 4)].map(|(game, seq)| event(target, game, seq, NOW));
    put(store, all("shop").into_iter().chain(all("club")).collect()).await;
    assert_eq!(due(store, "shop", NOW.plus(-1)).await, [""; 0]);
    assert_eq!(due(store, "shop", NOW).await, ["h2-3", "h3-4"]);
    let later = NOW.plus(50);
    settle(store, "shop", ("h2", 3), WebhookFate::Later(later)).await;
    assert_eq!(due(store, "shop", NOW).await, ["h3-4"], "the lane waits");
    assert_eq!(due(store, "shop", later).await, ["h3-4", "h2-3"]);
    let tries = store.webhooks_due("shop", later, MANY).await.unwrap()[1].tries;
    assert_eq!(tries, 1);
    settle(store, "shop", ("h2", 3), WebhookFate::Failed(later)).await;
    assert_eq!(due(store, "shop", later).await, ["h2-9", "h3-4"]);
    settle(store, "shop", ("h2", 9), WebhookFate::Delivered).await;
    settle(store, "shop", ("h3", 4), WebhookFate::Delivered).await;
    assert_eq!(
        due(store, "club", NOW).await,
        ["h2-3", "h3-4"],
        "webhooks are independent"
    );
    for place in [("h2", 3), ("h2", 9), ("h3", 4)] {
        settle(store, "club", place, WebhookFate::Delivered).await;
    }
    let counts = store.webhook_counts(NOW).await.unwrap();
    let expected = WebhookCount {
        target: "shop".to_owned(),
        waiting: 0,
        failed: 1,
        oldest: None,
    };
    assert_eq!(counts, [expected]);
    settle(store, "shop", ("h2", 3), WebhookFate::Delivered).await;
}

async fn an_event_is_held_back_until_the_end<S: OutboxStore>(store: &S) {
    let (shown, over) = (NOW.plus(600), NOW.plus(100));
    let held = vec![event("shop", "h4", 2, shown), event("shop", "h5", 2, shown)];
    put(store, held).await;
    assert_eq!(due(store, "shop", NOW.plus(599)).await, [""; 0]);
    let counts = store.webhook_counts(NOW).await.unwrap();
    assert_eq!((counts[0].waiting, counts[0].oldest), (2, None));
    let page = WebhookPage {
        ended: vec![(GameId::from("h4"), over)],
        ..page(store, vec![event("shop", "h4", 8, over)]).await
    };
    assert_eq!(store.write_webhooks(page).await, Ok(0));
    assert_eq!(due(store, "shop", over).await, ["h4-2"]);
    settle(store, "shop", ("h4", 2), WebhookFate::Delivered).await;
    assert_eq!(due(store, "shop", over).await, ["h4-8"]);
    let counts = store.webhook_counts(over).await.unwrap();
    assert_eq!((counts[0].waiting, counts[0].oldest), (2, Some(over)));
    settle(store, "shop", ("h4", 8), WebhookFate::Delivered).await;
    assert_eq!(due(store, "shop", shown).await, ["h5-2"]);
    settle(store, "shop", ("h5", 2), WebhookFate::Delivered).await;
}

async fn the_oldest_beyond_the_bound_fail<S: OutboxStore>(store: &S) {
    let four = (1..5).map(|seq| event("shop", "h6", seq, NOW)).collect();
    let page = WebhookPage {
        queue: 3,
        ..page(store, four).await
    };
    assert_eq!(store.write_webhooks(page).await, Ok(1));
    assert_eq!(due(store, "shop", NOW).await, ["h6-2"]);
    let counts = store.webhook_counts(NOW).await.unwrap();
    assert_eq!((counts[0].waiting, counts[0].failed), (3, 1));
}

async fn old_and_failed_events_go_away<S: OutboxStore>(store: &S) {
    let count = async || {
        let counts = store.webhook_counts(NOW).await.unwrap();
        counts
            .first()
            .map_or((0, 0), |count| (count.waiting, count.failed))
    };
    settle(store, "shop", ("h6", 2), WebhookFate::Failed(NOW.plus(1))).await;
    assert_eq!(count().await, (2, 2));
    store.prune_webhooks(NOW, 1).await.unwrap();
    assert_eq!(count().await, (2, 1));
    // The failed one is the second event, from before this moment; the waiting ones are not.
    store.prune_webhooks(NOW.plus(3), 1).await.unwrap();
    assert_eq!(count().await, (2, 0));
    store.prune_webhooks(NOW.plus(5), 1).await.unwrap();
    assert_eq!(count().await, (0, 0));
}

/// Gives a player this handle.
async fn handle<S: AccountStore>(store: &S, identity: &str, handle: &str) {
    let stored = store.account(identity).await.unwrap();
    let expected = stored.as_ref().map_or(0, |stored| stored.version);
    let handle = Handle::parse(handle).unwrap();
    let key = handle.key();
    let account = match stored {
        None => registered(identity, handle, NOW),
        Some(stored) => {
            let mut account = stored.account;
            let registration = account.registration.as_mut().unwrap();
            let former = FormerHandle {
                handle: std::mem::replace(&mut registration.handle, handle),
                reserved_until: NOW,
            };
            registration.former_handles.push(former);
            account
        }
    };
    let change = AccountChange {
        expected,
        account,
        effects: vec![Effect::ClaimHandle(key)],
        at: NOW,
    };
    AccountStore::apply(store, change).await.unwrap();
}

async fn changes_of_accounts_are_noted<S>(store: &S)
where
    S: AccountStore + OutboxStore + ModerationStore,
{
    handle(store, "hooked", "hooked").await;
    handle(store, "hooked", "webhooked2").await;
    let until = NOW.plus(9_000);
    let act = |deed, until| ModerationChange {
        at: NOW,
        action: Action {
            actor: "operator".to_owned(),
            action: "a test".to_owned(),
            target: "hooked".to_owned(),
            reason: "spam".to_owned(),
            until,
        },
        deed,
        account: None,
        closes: None,
    };
    let mute = store
        .moderate(act(Deed::Restrain(Restraint::Mute), None))
        .await
        .unwrap();
    let suspend = act(Deed::Restrain(Restraint::Suspend), Some(until));
    let suspended = store.moderate(suspend).await.unwrap();
    for entry in [mute, suspended] {
        store.moderate(act(Deed::Undo(entry), None)).await.unwrap();
    }
    let news = store.account_news(MANY).await.unwrap();
    let seen: Vec<_> = news
        .iter()
        .map(|one| {
            (
                one.identity.as_str(),
                one.kind,
                one.name.as_deref(),
                one.until,
            )
        })
        .collect();
    let expected = [
        ("hooked", AccountNewsKind::Registered, Some("hooked"), None),
        ("hooked", AccountNewsKind::Renamed, Some("webhooked2"), None),
        ("hooked", AccountNewsKind::Suspended, None, Some(until)),
        ("hooked", AccountNewsKind::Restored, None, None),
    ];
    assert_eq!(seen, expected);
    assert_eq!(store.account_news(1).await.unwrap(), news[..1]);
    let taken = WebhookPage {
        notes: news[2].number,
        ..page(store, Vec::new()).await
    };
    assert_eq!(store.write_webhooks(taken).await, Ok(0));
    assert_eq!(store.account_news(MANY).await.unwrap(), news[3..]);
    let last = news[3].number;
    let taken = WebhookPage {
        notes: last,
        ..page(store, Vec::new()).await
    };
    assert_eq!(store.write_webhooks(taken).await, Ok(0));
    handle(store, "hilda", "hilda").await;
    let next = store.account_news(MANY).await.unwrap();
    assert_eq!(next[0].number, last + 1, "no number comes twice");
}

async fn a_webhook_that_is_gone_loses_its_events<S: OutboxStore>(store: &S) {
    put(
        store,
        vec![event("shop", "h7", 1, NOW), event("club", "h7", 1, NOW)],
    )
    .await;
    store.begin_webhooks(names(&["club"])).await.unwrap();
    assert_eq!(due(store, "shop", NOW).await, [""; 0]);
    assert_eq!(due(store, "club", NOW).await, ["h7-1"]);
    store.begin_webhooks(Vec::new()).await.unwrap();
    assert_eq!(store.webhook_counts(NOW).await, Ok(Vec::new()));
    assert_eq!(store.account_news(MANY).await, Ok(Vec::new()));
}

//! The operator's part of webhooks, on SQLite.

use tempfile::TempDir;
use tilewire_rules::time::Timestamp;

use super::open_for_operator;
use super::tests::open;
use tilewire_config::StorageConfig;
use tilewire_store::{NewWebhook, OutboxStore, WebhookFate, WebhookKey, WebhookPage};

/// The operator's command lets failed events wait again, beside a server.
#[tokio::test]
async fn failed_events_are_replayed() {
    let dir = TempDir::new().unwrap();
    let storage = open(dir.path());
    storage
        .begin_webhooks(vec!["shop".to_owned()])
        .await
        .unwrap();
    let now = Timestamp(1_800_000_000_000);
    let event = |seq: u64, shown_at: Timestamp| NewWebhook {
        key: WebhookKey::of_game("shop", &"g".into(), seq),
        kind: "game.turn",
        at: now.plus(i64::try_from(seq).unwrap()),
        shown_at,
        until: now,
        content: "{}".to_owned(),
    };
    let after = storage.webhook_cursor().await.unwrap();
    let page = WebhookPage {
        after,
        until: after.arrival,
        notes: 0,
        ended: Vec::new(),
        webhooks: vec![event(1, now), event(2, now), event(3, now.plus(500))],
        now,
        queue: 0,
    };
    assert_eq!(
        storage.write_webhooks(page).await,
        Ok(3),
        "all are too many"
    );
    let mut operator = open_for_operator(dir.path(), &StorageConfig::default()).unwrap();
    let (since, until) = (now.plus(2), now.plus(9_000));
    assert_eq!(operator.replay_webhooks("club", since, now, until), Ok(0));
    assert_eq!(operator.replay_webhooks("shop", since, now, until), Ok(2));
    let counts = operator.webhook_counts(now).unwrap();
    assert_eq!((counts[0].waiting, counts[0].failed), (2, 1));
    let due = storage.webhooks_due("shop", now, 9).await.unwrap();
    let seen: Vec<_> = due.iter().map(|one| (one.key.place, one.until)).collect();
    assert_eq!(seen, [(2, until)]);
    storage
        .settle_webhook(due[0].key.clone(), WebhookFate::Delivered)
        .await
        .unwrap();
    let due = storage
        .webhooks_due("shop", now.plus(499), 9)
        .await
        .unwrap();
    assert_eq!(due, [], "the delay of the game holds");
    let due = storage
        .webhooks_due("shop", now.plus(500), 9)
        .await
        .unwrap();
    assert_eq!(due.len(), 1);
}

//! Delivery to the spectators of a game.

use super::Hub;
use tilewire_base::clock::ServerClock;
use tilewire_delivery::outbound::{Recipient, fan_out};

/// Delivers the waiting messages to all spectators.
pub(super) async fn deliver<O: Recipient + Send + 'static>(hub: &mut Hub<O>, clock: &ServerClock) {
    match fan_out(hub.take_dispatches()).await {
        Ok(missed) => hub.missed(clock.now(), missed),
        Err(error) => {
            tracing::error!(%error, "a fan-out to spectators panicked");
            hub.start_again(clock.now());
            // Snapshots are queued for all spectators. If this fails too, the next delivery writes them.
            drop(fan_out(hub.take_dispatches()).await);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use tilewire_rules::time::Timestamp;
    use tokio::sync::mpsc;

    use super::super::HubInput;
    use super::super::tests::{hub, news};
    use super::*;
    use crate::attach::Attach;
    use tilewire_delivery::outbound::counted::{Counted, RECIPIENTS_OF_TWO_TASKS};

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn after_a_failed_fan_out_all_spectators_get_a_snapshot() {
        let (mut hub, clock) = (hub(), ServerClock::starting_at(Timestamp(0)));
        let (writes, mut written) = mpsc::unbounded_channel();
        let crowd = RECIPIENTS_OF_TWO_TASKS;
        for id in (1..).take(crowd) {
            let peer = Counted::new(id, &writes);
            let watch = HubInput::Watch(Attach {
                peer,
                request_id: 1,
                from: None,
            });
            hub.handle(Timestamp(0), watch);
        }
        deliver(&mut hub, &clock).await;
        let last = hub.spectators.values().next_back().unwrap();
        last.peer.is_fragile.store(true, Ordering::Relaxed);
        hub.handle(Timestamp(0), HubInput::Publish(news(6)));
        deliver(&mut hub, &clock).await;
        let writes: Vec<_> = std::iter::from_fn(|| written.try_recv().ok()).collect();
        let answers_and_news = 2 * crowd - 1;
        assert_eq!(writes[answers_and_news..], vec![1; crowd]);
    }
}

//! Delivery to the spectators of a game.

use super::Hub;
use crate::clock::ServerClock;
use crate::outbound::{Recipient, fan_out};

/// Tells everybody what there is to tell.
pub(super) async fn tell<O: Recipient + Send + 'static>(hub: &mut Hub<O>, clock: &ServerClock) {
    match fan_out(hub.to_tell()).await {
        Ok(missed) => hub.missed(clock.now(), missed),
        Err(error) => {
            tracing::error!(%error, "spectators could not be told");
            hub.start_again(clock.now());
            // A snapshot is queued for everybody: should this fail too, it goes with what comes next.
            drop(fan_out(hub.to_tell()).await);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use tokio::sync::mpsc;

    use super::super::HubInput;
    use super::super::tests::{hub, news};
    use super::*;
    use crate::game::attach::Attach;
    use crate::outbound::fan_out_tests::{Counted, RECIPIENTS_OF_TWO_TASKS};

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn when_it_is_not_known_who_was_told_everybody_gets_the_game_as_it_stands() {
        let (mut hub, clock) = (hub(), ServerClock::starting_at(0));
        let (writes, mut written) = mpsc::unbounded_channel();
        let crowd = RECIPIENTS_OF_TWO_TASKS;
        for id in (1..).take(crowd) {
            let peer = Counted::new(id, &writes);
            let watch = HubInput::Watch(Attach {
                peer,
                request_id: 1,
                from: None,
            });
            hub.handle(0, watch);
        }
        tell(&mut hub, &clock).await;
        let last = hub.spectators.values().next_back().unwrap();
        last.peer.is_fragile.store(true, Ordering::Relaxed);
        hub.handle(0, HubInput::Publish(news(6)));
        tell(&mut hub, &clock).await;
        let writes: Vec<_> = std::iter::from_fn(|| written.try_recv().ok()).collect();
        let answers_and_news = 2 * crowd - 1;
        assert_eq!(writes[answers_and_news..], vec![1; crowd]);
    }
}

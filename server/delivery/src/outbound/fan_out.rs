//! Fan-out: the same messages to many connections, framed once, without blocking a processor for long.

use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::task::JoinError;

use super::framed::Framed;
use super::push_frame::Pushes;
use super::recipient::{Delivery, PeerId, Recipient};

/// Recipients for which a second task, on another processor, is worth its cost.
pub(super) const RECIPIENTS_PER_TASK: usize = 512;
/// Recipients that a task writes to before it yields: some 0.2 ms.
const WRITES_PER_TURN: usize = 64;

/// A recipient, and the messages it gets in addition to those that are queued for it.
#[derive(Debug)]
pub struct Dispatch<R> {
    /// The recipient.
    pub recipient: R,
    /// Messages for many recipients, encoded once.
    pub framed: Option<Arc<Framed>>,
}

/// The recipients whose outboxes refused the messages, and why.
pub(crate) type Missed = Vec<(PeerId, Delivery)>;

impl<R: Recipient> Dispatch<R> {
    /// Writes everything together. Returns the recipient and the reason if its outbox refused the messages.
    pub fn send(self) -> Option<(PeerId, Delivery)> {
        let framed = self.framed.map(Pushes::Framed);
        let delivery = framed.map_or(Delivery::Queued, |framed| self.recipient.push(framed));
        self.recipient.flush();
        (delivery != Delivery::Queued).then(|| (self.recipient.id(), delivery))
    }
}

/// Sends all dispatches and returns when they are written. Many recipients are shared among one task per processor; each
/// task yields after a few writes, so that other tasks get their turn.
pub async fn fan_out<R: Recipient + Send + 'static>(
    mut dispatches: Vec<Dispatch<R>>,
) -> Result<Missed, JoinError> {
    let processors = Handle::current().metrics().num_workers();
    let parts = dispatches.len().div_ceil(RECIPIENTS_PER_TASK);
    let parts = parts.min(processors).max(1);
    let in_each = dispatches.len().div_ceil(parts);
    let mut others = Vec::new();
    while dispatches.len() > in_each {
        let part = dispatches.split_off(dispatches.len() - in_each);
        others.push(tokio::spawn(send_part(part)));
    }
    let mut missed = send_part(dispatches).await;
    let mut failed = None;
    for part in others {
        match part.await {
            Ok(more) => missed.extend(more),
            Err(error) => failed = Some(error),
        }
    }
    failed.map_or(Ok(missed), Err)
}

async fn send_part<R: Recipient>(dispatches: Vec<Dispatch<R>>) -> Missed {
    let mut missed = Vec::new();
    for (dispatch, count) in dispatches.into_iter().zip(1_usize..) {
        missed.extend(dispatch.send());
        if count % WRITES_PER_TURN == 0 {
            tokio::task::yield_now().await;
        }
    }
    missed
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc;

    use super::*;
    use crate::outbound::counted::Counted;

    #[tokio::test]
    async fn other_tasks_run_between_the_writes_of_a_fan_out() {
        let (writes, mut written) = mpsc::unbounded_channel();
        let dispatches: Vec<_> = std::iter::repeat_with(|| Counted::new(1, &writes))
            .map(|recipient| Dispatch {
                recipient,
                framed: None,
            })
            .take(4 * RECIPIENTS_PER_TASK)
            .collect();
        let mut awaited = dispatches.len();
        let sending = tokio::spawn(fan_out(dispatches));
        let mut at_once = 0;
        while awaited > 0 {
            tokio::task::yield_now().await;
            let written = std::iter::from_fn(|| written.try_recv().ok()).count();
            at_once = at_once.max(written);
            awaited -= written;
        }
        assert_eq!(sending.await.unwrap().unwrap(), []);
        assert_eq!(at_once, WRITES_PER_TURN, "this runtime has one processor");
    }
}

//! Requests over HTTP: those of this node, which wait for answers, and those of other nodes, each in a task.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use tokio::sync::oneshot;

use super::{Exchange, State};
use crate::Input;
use crate::asks::message::{HttpAnswer, HttpRequest};
use crate::asks::{Asking, NoAnswer, To};
use tilewire_base::metrics;
use tilewire_store::NodeId;

/// The time by which the wait for an answer is longer than that of the machine, which gives up first unless its task has ended.
const LONGER: Duration = Duration::from_secs(1);

/// The requests over HTTP of this node that wait for answers.
#[derive(Debug, Default)]
pub(super) struct WaitingAsks {
    last: u64,
    waiting: BTreeMap<u64, oneshot::Sender<Result<HttpAnswer, NoAnswer>>>,
}

impl Exchange {
    /// Passes a request over HTTP on to another node, and returns the answer. `may_repeat` says that the request has the same
    /// effect twice as once.
    ///
    /// # Errors
    /// When there is no answer.
    pub async fn ask(
        &self,
        to: To,
        may_repeat: bool,
        request: HttpRequest,
    ) -> Result<HttpAnswer, NoAnswer> {
        let (sender, answer) = oneshot::channel();
        let number = {
            let asked = &mut self.lock().asked;
            asked.last += 1;
            asked.waiting.insert(asked.last, sender);
            asked.last
        };
        self.input(Input::Ask(Box::new(Asking {
            number,
            to,
            may_repeat,
            request,
        })));
        let within = self.answer_ms.to_duration() + LONGER;
        let answer = match tokio::time::timeout(within, answer).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) | Err(_) => Err(NoAnswer::Unknown),
        };
        self.lock().asked.waiting.remove(&number);
        metrics::http_passed_on(answer.is_ok());
        answer
    }

    /// Returns the other nodes: those that own parts, and those that can be reached.
    #[must_use]
    pub fn others(&self) -> BTreeSet<NodeId> {
        self.lock().relay.others()
    }

    /// Hands an answer to the request of this node that waits for it.
    pub(super) fn answered(state: &mut State, number: u64, answer: Result<HttpAnswer, NoAnswer>) {
        if let Some(waiting) = state.asked.waiting.remove(&number) {
            // The client may have gone.
            drop(waiting.send(answer));
        }
    }

    /// Answers a request of another node, in a task.
    pub(super) fn answer(&self, number: u64, request: HttpRequest) {
        let Some(own) = self.own.upgrade() else {
            return;
        };
        // In a task of its own: a request that panics has an answer too.
        let answering = self.runtime.spawn(self.remote_service.answer(request));
        self.runtime.spawn(async move {
            let stop = answering.abort_handle();
            let answered = tokio::time::timeout(own.answer_ms.to_duration(), answering).await;
            stop.abort();
            let answer = answered.ok().and_then(Result::ok).unwrap_or_default();
            own.input(Input::Answered(number, Box::new(answer)));
        });
    }
}

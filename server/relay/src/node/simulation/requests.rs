//! The requests over HTTP of the simulation, and their book: how often each was carried out, and its answer.

use std::collections::BTreeMap;

use super::super::{Asking, HttpAnswer, HttpRequest, NoAnswer, NodeId};
use crate::asks::To;
use crate::asks::message::{Api, Caller};
use crate::message::Payload;

/// A request of a node.
#[derive(Debug)]
struct Sent {
    node: NodeId,
    may_repeat: bool,
    /// How often it was carried out.
    carried_out: usize,
    /// The status of the answer, if it has one; whether anything can have been done, if it gets none.
    end: Option<Result<u16, NoAnswer>>,
}

/// All requests.
#[derive(Debug, Default)]
pub(super) struct Requests {
    sent: BTreeMap<u64, Sent>,
    /// The requests that a node answers, with the number of the relay.
    due: BTreeMap<NodeId, Vec<(u64, u64)>>,
    pub(super) problems: Vec<String>,
}

impl Requests {
    /// Returns a request of a node.
    pub(super) fn ask(&mut self, node: NodeId, to: To, may_repeat: bool) -> Asking {
        let number = self.sent.len() as u64;
        let sent = Sent {
            node,
            may_repeat,
            carried_out: 0,
            end: None,
        };
        self.sent.insert(number, sent);
        let request = HttpRequest {
            api: Api::Admins,
            caller: Caller::Operator,
            method: "POST".to_owned(),
            target: number.to_string(),
            entry: None,
            body: Payload::default(),
        };
        Asking {
            number,
            to,
            may_repeat,
            request,
        }
    }

    /// Carries a request out at a node, which answers it later.
    pub(super) fn carry_out(&mut self, node: NodeId, number: u64, request: &HttpRequest) {
        let name: u64 = request.target.parse().unwrap();
        let sent = self.sent.get_mut(&name).unwrap();
        sent.carried_out += 1;
        if !sent.may_repeat && sent.carried_out > 1 {
            self.problems
                .push(format!("request {name} is carried out twice"));
        }
        self.due.entry(node).or_default().push((number, name));
    }

    /// Returns an answer of a node.
    pub(super) fn take_due(&mut self, node: NodeId) -> Option<(u64, HttpAnswer)> {
        let (number, _) = self.due.get_mut(&node)?.pop()?;
        let answer = HttpAnswer {
            status: 200,
            headers: Vec::new(),
            body: Payload::default(),
        };
        Some((number, answer))
    }

    /// Takes the end of a request.
    pub(super) fn answered(&mut self, name: u64, result: Result<HttpAnswer, NoAnswer>) {
        let sent = self.sent.get_mut(&name).unwrap();
        let end = result.map(|answer| answer.status);
        let is_right = match (&end, sent.carried_out) {
            (Ok(_), done) => done > 0,
            (Err(NoAnswer::Unknown), _) => !sent.may_repeat,
            (Err(_), done) => done == 0 || sent.may_repeat,
        };
        if !is_right || sent.end.is_some() {
            self.problems
                .push(format!("request {name} ends: {sent:?}, {end:?}"));
        }
        sent.end = Some(end);
    }

    /// Forgets what a node had in memory.
    pub(super) fn restart(&mut self, node: NodeId) {
        self.due.remove(&node);
        for sent in self.sent.values_mut().filter(|sent| sent.node == node) {
            sent.end.get_or_insert(Err(NoAnswer::Unknown));
        }
    }

    /// Returns a violation once everything is quiet.
    pub(super) fn audit(&mut self) -> Vec<String> {
        let mut problems = std::mem::take(&mut self.problems);
        let open = self.sent.iter().filter(|(_, sent)| sent.end.is_none());
        problems.extend(open.map(|(name, _)| format!("request {name} has no end")));
        let is_answered = |sent: &Sent| matches!(sent.end, Some(Ok(_)));
        if !self.sent.values().any(is_answered) {
            problems.push("no request was answered".to_owned());
        }
        problems
    }
}

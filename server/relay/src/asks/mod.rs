//! Requests over HTTP that a node passes on to the owner of a part, or to a certain node, as a state machine without I/O.
//!
//! A request waits until the other node can be reached, for a bounded time, and then for the answer. If messages were lost, a
//! request that may be repeated is sent again. For any other request the outcome is unknown, and its sender gets this answer.
//!
//! Invariants:
//! - every request is answered exactly once;
//! - a request that may not be repeated is sent again only if the other node has said that it did nothing.

pub mod message;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use tilewire_rules::time::{Millis, Timestamp};

use self::message::{Ask, HttpAnswer, HttpRequest, Replied, Reply};
use super::link::Links;
use super::message::Ownership;
use tilewire_game::owner_table::OwnerTable;
use tilewire_store::{NodeId, Part};

/// The bounds of the requests that are passed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AskBounds {
    /// Requests of this node that wait for others.
    pub open: usize,
    /// Requests of other nodes that this one answers at the same time.
    pub served: usize,
    /// The longest wait for a node that can be reached and has the part.
    pub reach_ms: Millis,
    /// The longest wait for the answer, in all.
    pub answer_ms: Millis,
    /// The pause before another attempt, after a node has said that it does not have the part.
    pub retry_ms: Millis,
}

#[cfg(test)]
impl AskBounds {
    /// Of a node that passes no request on.
    pub(crate) const NONE: Self = Self {
        open: 0,
        served: 0,
        reach_ms: Millis::ZERO,
        answer_ms: Millis::ZERO,
        retry_ms: Millis::ZERO,
    };
}

/// Which node is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum To {
    /// The owner of a part.
    Part(Part),
    /// This one.
    Node(NodeId),
}

/// A request that is to be passed on.
#[derive(Debug, PartialEq, Eq)]
pub struct Asking {
    /// Names the request among those of this node.
    pub number: u64,
    /// Which node is asked.
    pub to: To,
    /// Whether the request has the same effect twice as once.
    pub may_repeat: bool,
    /// The request.
    pub request: HttpRequest,
}

/// Why a request has no answer of another node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoAnswer {
    /// This node has the part itself.
    #[error("this server answers for it")]
    Here,
    /// Too many requests wait, here or there. Nothing was done.
    #[error("too many requests wait for other servers; try again")]
    Busy,
    /// No node has the part, or it cannot be reached. Nothing was done, unless the request may be repeated.
    #[error("the server that answers for it cannot be reached; try again")]
    Unreachable,
    /// The other node may have carried the request out.
    #[error(
        "another server has not answered, and may have carried this out; look before you repeat it"
    )]
    Unknown,
}

/// The nodes, as this one knows them.
#[derive(Debug, Clone, Copy)]
pub struct Reach<'a> {
    /// The owners of the parts.
    pub parts: &'a OwnerTable,
    /// The links to the nodes.
    pub links: &'a Links,
}

/// An effect of passing requests on.
#[derive(Debug, PartialEq, Eq)]
pub enum Effect {
    /// Send a request to a node.
    Ask(NodeId, Ask),
    /// Send an answer to a node.
    Reply(NodeId, Reply),
    /// A request of this node has its answer, or gets none.
    Answered(u64, Result<HttpAnswer, NoAnswer>),
    /// Answer a request of another node; [`Asks::served`] takes the answer under this number.
    Serve(u64, HttpRequest),
    /// Look at the database: a part may have another owner.
    Look,
}

/// A request of this node.
#[derive(Debug)]
struct Open {
    to: To,
    may_repeat: bool,
    request: HttpRequest,
    /// When the search for a node ends.
    reach_until: Timestamp,
    /// When the wait for the answer ends.
    until: Timestamp,
    /// When the request may be sent again.
    not_before: Timestamp,
    /// The node that has the request.
    at: Option<NodeId>,
}

/// The requests that this node passes on, and those that it answers for others.
#[derive(Debug)]
pub struct Asks {
    me: NodeId,
    bounds: AskBounds,
    open: BTreeMap<u64, Open>,
    /// The requests of other nodes, each with the sender and its number; without a sender that waits for the answer.
    served: BTreeMap<u64, Option<(NodeId, u64)>>,
    next_served: u64,
}

impl Asks {
    /// Returns the requests of a node that begins an incarnation: none.
    #[must_use]
    pub const fn new(me: NodeId, bounds: AskBounds) -> Self {
        Self {
            me,
            bounds,
            open: BTreeMap::new(),
            served: BTreeMap::new(),
            next_served: 0,
        }
    }

    /// Takes a request that is to be passed on.
    #[must_use]
    pub fn ask(&mut self, now: Timestamp, reach: Reach<'_>, asking: Asking) -> Vec<Effect> {
        let number = asking.number;
        if self.open.len() >= self.bounds.open {
            return vec![Effect::Answered(number, Err(NoAnswer::Busy))];
        }
        let open = Open {
            to: asking.to,
            may_repeat: asking.may_repeat,
            request: asking.request,
            reach_until: now + self.bounds.reach_ms,
            until: now + self.bounds.answer_ms,
            not_before: now,
            at: None,
        };
        self.open.insert(number, open);
        self.advance(now, reach)
    }

    /// Sends what can be sent now.
    #[must_use]
    pub fn advance(&mut self, now: Timestamp, reach: Reach<'_>) -> Vec<Effect> {
        let (mut effects, mut here) = (Vec::new(), Vec::new());
        for (number, open) in &mut self.open {
            if open.at.is_some() || now < open.not_before {
                continue;
            }
            let (node, ownership) = match open.to {
                To::Node(node) => (node, None),
                To::Part(part) => {
                    let Some((node, term)) = reach.parts.owner(part) else {
                        continue;
                    };
                    (node, Some(Ownership { part, term }))
                }
            };
            if node == self.me {
                here.push(*number);
            } else if reach.links.is_up(node) {
                open.at = Some(node);
                let ask = Ask {
                    number: *number,
                    ownership,
                    request: open.request.clone(),
                };
                effects.push(Effect::Ask(node, ask));
            }
        }
        effects.extend(here.into_iter().map(|number| {
            self.open.remove(&number);
            Effect::Answered(number, Err(NoAnswer::Here))
        }));
        effects
    }

    /// Takes the answer of a node.
    #[must_use]
    pub fn replied(&mut self, now: Timestamp, from: NodeId, reply: Reply) -> Vec<Effect> {
        let Reply { number, result } = reply;
        let Some(open) = self.open.get_mut(&number) else {
            return Vec::new();
        };
        if open.at != Some(from) {
            return Vec::new();
        }
        let answered = match result {
            Replied::Done(answer) => Ok(answer),
            Replied::Busy => Err(NoAnswer::Busy),
            Replied::NotMine => {
                open.at = None;
                open.not_before = now + self.bounds.retry_ms;
                return vec![Effect::Look];
            }
        };
        self.open.remove(&number);
        vec![Effect::Answered(number, answered)]
    }

    /// Takes a request of another node; `is_mine` says whether this node has the part that it is about.
    #[must_use]
    pub fn asked(&mut self, from: NodeId, ask: Ask, is_mine: bool) -> Vec<Effect> {
        let refused = match is_mine {
            false => Some(Replied::NotMine),
            true if self.served.len() >= self.bounds.served => Some(Replied::Busy),
            true => None,
        };
        if let Some(result) = refused {
            let number = ask.number;
            return vec![Effect::Reply(from, Reply { number, result })];
        }
        self.next_served += 1;
        self.served
            .insert(self.next_served, Some((from, ask.number)));
        vec![Effect::Serve(self.next_served, ask.request)]
    }

    /// Takes the answer of this node to a request of another one.
    #[must_use]
    pub fn served(&mut self, number: u64, answer: HttpAnswer) -> Vec<Effect> {
        let Some((node, number)) = self.served.remove(&number).flatten() else {
            return Vec::new();
        };
        let result = Replied::Done(answer);
        vec![Effect::Reply(node, Reply { number, result })]
    }

    /// Messages to a node or from it were lost, or the node is.
    #[must_use]
    pub fn lose(&mut self, now: Timestamp, node: NodeId) -> Vec<Effect> {
        for served in self.served.values_mut() {
            if served.is_some_and(|(sender, _)| sender == node) {
                *served = None;
            }
        }
        let reach_until = now + self.bounds.reach_ms;
        let lost = self.open.extract_if(.., |_, open| {
            if open.at != Some(node) {
                return false;
            }
            if open.may_repeat {
                (open.at, open.reach_until) = (None, reach_until);
            }
            !open.may_repeat
        });
        lost.map(|(number, _)| Effect::Answered(number, Err(NoAnswer::Unknown)))
            .collect()
    }

    /// Gives up what has waited too long, and sends what can be sent now.
    #[must_use]
    pub fn tick(&mut self, now: Timestamp, reach: Reach<'_>) -> Vec<Effect> {
        let late = self.open.extract_if(.., |_, open| open.late(now).is_some());
        let mut effects: Vec<Effect> = late
            .map(|(number, open)| {
                let why = open.late(now).unwrap_or(NoAnswer::Unreachable);
                Effect::Answered(number, Err(why))
            })
            .collect();
        effects.extend(self.advance(now, reach));
        effects
    }
}

impl Open {
    /// Returns why the request gets no answer any more, if it has waited too long.
    fn late(&self, now: Timestamp) -> Option<NoAnswer> {
        match self.at {
            Some(_) if now < self.until => None,
            None if now < self.reach_until && now < self.until => None,
            Some(_) if !self.may_repeat => Some(NoAnswer::Unknown),
            Some(_) | None => Some(NoAnswer::Unreachable),
        }
    }
}

//! Requests that are passed on, and their answers. The simulation of the whole relay loses their messages.

use super::message::{Api, Caller};
use super::*;
use crate::batch::Head;
use crate::link::LinkBounds;
use crate::message::Payload;
use tilewire_store::{Incarnation, Term};

const ME: NodeId = NodeId(1);
const OWNER: NodeId = NodeId(2);
const NOW: Timestamp = Timestamp(1_000);

const BOUNDS: AskBounds = AskBounds {
    open: 2,
    served: 1,
    reach_ms: Millis(100),
    answer_ms: Millis(1_000),
    retry_ms: Millis(10),
};

/// The requests of one node, and the nodes around it.
struct Table {
    asks: Asks,
    links: Links,
    parts: OwnerTable,
    now: Timestamp,
}

impl Table {
    fn new() -> Self {
        let bounds = LinkBounds {
            beat_ms: Millis(500),
            silent_ms: Millis(2_000),
        };
        let mut links = Links::new(ME, Incarnation(1), bounds);
        links.want([OWNER]);
        let head = Head {
            from: OWNER,
            incarnation: Incarnation(7),
            to: ME,
            to_incarnation: Some(Incarnation(1)),
            number: 1,
            resets: 0,
        };
        assert!(links.received(NOW, &head).counts, "the link is up");
        Self {
            asks: Asks::new(ME, BOUNDS),
            links,
            parts: [(Part::LOBBY, (OWNER, Term(3)))].into_iter().collect(),
            now: NOW,
        }
    }

    /// Does something, and says what follows.
    fn after(
        &mut self,
        act: impl FnOnce(&mut Asks, Timestamp, Reach<'_>) -> Vec<Effect>,
    ) -> String {
        let reach = Reach {
            parts: &self.parts,
            links: &self.links,
        };
        let effects = act(&mut self.asks, self.now, reach);
        let shown: Vec<String> = effects.iter().map(shown).collect();
        shown.join(", ")
    }

    fn ask(&mut self, number: u64, may_repeat: bool) -> String {
        let asking = Asking {
            number,
            to: To::Part(Part::LOBBY),
            may_repeat,
            request: request(),
        };
        self.after(|asks, now, reach| asks.ask(now, reach, asking))
    }

    fn replied(&mut self, from: NodeId, number: u64, result: Replied) -> String {
        self.after(|asks, now, _| asks.replied(now, from, Reply { number, result }))
    }

    /// Lets time pass.
    fn later(&mut self, ms: i64) -> String {
        self.now += Millis(ms);
        self.after(Asks::tick)
    }
}

fn request() -> HttpRequest {
    HttpRequest {
        api: Api::Players,
        caller: Caller::Operator,
        method: "GET".to_owned(),
        target: "/api/v1/relations".to_owned(),
        entry: None,
        body: Payload::default(),
    }
}

fn answer() -> HttpAnswer {
    HttpAnswer {
        status: 204,
        ..HttpAnswer::default()
    }
}

fn shown(effect: &Effect) -> String {
    match effect {
        Effect::Ask(node, ask) => format!("ask {} {}", node.0, ask.number),
        Effect::Reply(node, reply) => match &reply.result {
            Replied::Done(answer) => format!("reply {} {} {}", node.0, reply.number, answer.status),
            result => format!("reply {} {} {result:?}", node.0, reply.number),
        },
        Effect::Answered(number, Ok(answer)) => format!("{number}: {}", answer.status),
        Effect::Answered(number, Err(why)) => format!("{number}: {why:?}"),
        Effect::Serve(number, _) => format!("serve {number}"),
        Effect::Look => "look".to_owned(),
    }
}

#[test]
fn a_request_goes_to_the_owner_and_is_answered_once() {
    let mut table = Table::new();
    assert_eq!(table.ask(1, false), "ask 2 1");
    let done = || Replied::Done(answer());
    assert_eq!(table.replied(NodeId(3), 1, done()), "", "it has no request");
    assert_eq!(table.replied(OWNER, 1, done()), "1: 204");
    assert_eq!(table.replied(OWNER, 1, done()), "");
    assert_eq!(table.later(2_000), "");
}

#[test]
fn a_node_without_the_part_does_nothing_and_the_sender_looks_again() {
    let mut table = Table::new();
    assert_eq!(table.ask(1, false), "ask 2 1");
    assert_eq!(table.replied(OWNER, 1, Replied::NotMine), "look");
    assert_eq!(table.later(5), "", "not at once");
    assert_eq!(table.later(5), "ask 2 1");
    table.replied(OWNER, 1, Replied::NotMine);
    table.parts = [(Part::LOBBY, (ME, Term(4)))].into_iter().collect();
    assert_eq!(table.later(10), "1: Here");
    // Nobody has the part.
    table.parts = OwnerTable::NONE;
    assert_eq!(table.ask(2, false), "");
    assert_eq!(table.later(99), "");
    assert_eq!(table.later(1), "2: Unreachable");
}

#[test]
fn only_what_may_be_repeated_is_sent_again_after_a_loss() {
    let mut table = Table::new();
    table.ask(1, false);
    table.ask(2, true);
    let lost = table.after(|asks, now, _| asks.lose(now, OWNER));
    assert_eq!(lost, "1: Unknown");
    assert_eq!(table.later(25), "ask 2 2");
    assert_eq!(table.replied(OWNER, 2, Replied::Done(answer())), "2: 204");
}

#[test]
fn an_answer_that_does_not_come_ends_the_wait() {
    let mut table = Table::new();
    table.ask(1, false);
    table.ask(2, true);
    assert_eq!(table.ask(3, true), "3: Busy", "too many wait");
    assert_eq!(table.later(999), "");
    assert_eq!(table.later(1), "1: Unknown, 2: Unreachable");
}

#[test]
fn an_owner_answers_only_who_waits_and_as_many_as_it_can() {
    let mut table = Table::new();
    let ask = |number| Ask {
        number,
        ownership: None,
        request: request(),
    };
    let asked = |table: &mut Table, number, is_mine| {
        table.after(|asks, _, _| asks.asked(OWNER, ask(number), is_mine))
    };
    assert_eq!(asked(&mut table, 8, false), "reply 2 8 NotMine");
    assert_eq!(asked(&mut table, 8, true), "serve 1");
    assert_eq!(asked(&mut table, 9, true), "reply 2 9 Busy");
    assert_eq!(
        table.after(|asks, _, _| asks.served(1, answer())),
        "reply 2 8 204"
    );
    // The sender has begun another incarnation, with the same numbers.
    assert_eq!(asked(&mut table, 8, true), "serve 2");
    table.after(|asks, now, _| asks.lose(now, OWNER));
    assert_eq!(table.after(|asks, _, _| asks.served(2, answer())), "");
}

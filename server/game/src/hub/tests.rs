//! Hubs with outlets that read as fast as a test wants.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use tilewire_protocol::{AttachOutcome, Codec, ServerMessage, decode_server};
use tilewire_rules::event::{self as rules, Created, Player, PublicEvent, Record};
use tilewire_rules::game::Game;
use tilewire_rules::options::GameOptions;
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::stream::commitment;
use tilewire_rules::time::{Millis, Seat, Seq, Timestamp};
use tilewire_rules::view::Audience;

use super::{Dispatch, Hub, HubBounds, HubInput, HubStart, Publication, Recipient};
use crate::attach::Attach;
use crate::position::Position;
use tilewire_delivery::outbound::{Delivery, PeerId, Pushes, ResumePoint};
use tilewire_wire::to_wire;
use tilewire_wire::to_wire::{Aftermath, GameFacts, Privacy};

const EPOCH: u64 = 3;

/// A spectator's connection.
#[derive(Clone)]
struct Reader {
    id: u64,
    codec: Codec,
    delivery: Rc<Cell<Delivery>>,
    read: Rc<RefCell<Vec<ServerMessage>>>,
    pushed: Rc<RefCell<Vec<Pushes>>>,
}

impl Reader {
    fn new(id: u64, codec: Codec) -> Self {
        Self {
            id,
            codec,
            delivery: Rc::new(Cell::new(Delivery::Queued)),
            read: Rc::default(),
            pushed: Rc::default(),
        }
    }

    /// The messages since the last call: the numbers of events, `s` and a number for snapshots, the op of the rest.
    fn news(&self) -> Vec<String> {
        let read = self.read.take();
        let lines = read.iter().map(|message| match message {
            ServerMessage::Event(event) => event.seq.to_string(),
            ServerMessage::Snapshot(snapshot) => format!("s{}", snapshot.seq),
            other => other.op().to_owned(),
        });
        lines.collect()
    }
}

impl Recipient for Reader {
    fn id(&self) -> PeerId {
        PeerId(self.id)
    }
    fn codec(&self) -> Codec {
        self.codec
    }
    fn answer(&self, _request_id: u64, message: &ServerMessage) -> Delivery {
        self.read.borrow_mut().push(message.clone());
        Delivery::Queued
    }
    fn push(&self, pushes: Pushes) -> Delivery {
        if self.delivery.get() == Delivery::Queued {
            for frame in pushes.frames() {
                let (_, message) = decode_server(self.codec, frame.payload()).unwrap();
                self.read.borrow_mut().push(message);
            }
            self.pushed.borrow_mut().push(pushes);
        }
        self.delivery.get()
    }
    fn flush(&self) {}
}

fn game_at(seq: u64) -> Position {
    let secret = [1; 32];
    let created = Created {
        game: "g1".to_owned(),
        options: GameOptions::classic("none"),
        players: ["ada", "bob"]
            .map(|name| Player {
                identity: name.to_owned(),
                name: name.to_owned(),
                nonce_hash: None,
                level: None,
                kind: None,
                rating: None,
            })
            .to_vec(),
        lexicon_hash: [0; 32],
        commitment: commitment(&secret),
        secret,
        series: None,
    };
    let (game, _) = Game::create(RuleSet::classic(), Timestamp(0), created).unwrap();
    let mut state = game.into_state();
    for seq in 2..=seq {
        state.apply(&returned(seq)).unwrap();
    }
    let facts = GameFacts {
        game: "g1".into(),
        epoch: EPOCH,
        privacy: Privacy::Public,
    };
    Position {
        facts,
        state: Arc::new(state),
        waiting: None,
        connected: vec![true, true],
        watchers: Audience::Spectator,
        at: Timestamp(0),
    }
}

fn returned(seq: u64) -> Record {
    Record {
        seq: Seq(seq),
        at: Timestamp(0),
        event: rules::Event::Public(PublicEvent::SeatReturned { seat: Seat(0) }),
        command: None,
    }
}

fn event(seq: u64) -> ServerMessage {
    let (Position { facts, state, .. }, record) = (game_at(seq), returned(seq));
    let aftermath = Aftermath::of(&state, &record);
    let event = to_wire::event(
        &facts,
        state.rules(),
        &record,
        &aftermath,
        Audience::Spectator,
    );
    ServerMessage::Event(event)
}

/// The next thing that happens.
pub(super) fn news(seq: u64) -> Publication {
    Publication {
        messages: vec![event(seq)],
        position: game_at(seq),
        is_paused: false,
    }
}

/// Lets something happen that is shown at once.
fn publish(hub: &mut Hub<Reader>, seq: u64) -> Vec<PeerId> {
    hub.handle(Timestamp(0), HubInput::Publish(news(seq)));
    deliver(hub);
    hub.gone()
}

fn deliver(hub: &mut Hub<Reader>) {
    let missed = hub.take_dispatches().into_iter().filter_map(Dispatch::send);
    let missed = missed.collect();
    hub.missed(Timestamp(0), missed);
}

/// The game as it stands, with nothing to say.
fn still(seq: u64, is_paused: bool) -> Publication {
    Publication {
        messages: Vec::new(),
        position: game_at(seq),
        is_paused,
    }
}

/// A hub that has seen events 1 to 5 and keeps the last four.
pub(super) fn hub<O: Recipient>() -> Hub<O> {
    started(false)
}

fn started<O: Recipient>(is_paused: bool) -> Hub<O> {
    let bounds = HubBounds {
        history_events: 4,
        lagging_retry_ms: Millis(100),
    };
    let start = HubStart {
        history: (1..=5).map(event).collect(),
        position: game_at(5),
        is_paused,
    };
    Hub::new(bounds, start)
}

fn watch(hub: &mut Hub<Reader>, reader: &Reader, from: Option<(u64, u64)>) {
    let input = HubInput::Watch(Attach {
        peer: reader.clone(),
        request_id: 1,
        from: from.map(|(epoch, seq)| ResumePoint { epoch, seq }),
    });
    hub.handle(Timestamp(0), input);
    assert!(hub.gone().is_empty());
}

#[test]
fn spectators_get_the_missed_events_or_a_snapshot() {
    let mut hub = hub();
    let mut check = |from, outcome, expected: &[&str]| {
        let reader = Reader::new(1, Codec::MsgPack);
        watch(&mut hub, &reader, from);
        let ServerMessage::Ok(ok) = reader.read.borrow_mut().remove(0) else {
            panic!("watching is answered first");
        };
        assert_eq!(
            (ok.outcome, ok.head, ok.seat),
            (Some(outcome), Some(5), None)
        );
        assert_eq!(reader.news(), expected);
    };
    check(None, AttachOutcome::Snapshot, &["s5"]);
    check(Some((EPOCH, 5)), AttachOutcome::Events, &[]);
    check(Some((EPOCH, 3)), AttachOutcome::Events, &["4", "5"]);
    check(
        Some((EPOCH, 1)),
        AttachOutcome::Events,
        &["2", "3", "4", "5"],
    );
    check(Some((EPOCH, 0)), AttachOutcome::Snapshot, &["s5"]);
    check(Some((EPOCH, 6)), AttachOutcome::Snapshot, &["s5"]);
    check(Some((EPOCH + 1, 5)), AttachOutcome::Snapshot, &["s5"]);
}

#[test]
fn a_snapshot_that_stood_for_events_cuts_off_those_before_it() {
    let mut hub = hub();
    let reader = Reader::new(1, Codec::MsgPack);
    watch(&mut hub, &reader, None);
    let position = game_at(9);
    let message = ServerMessage::Snapshot(Box::new(position.seen_by(Audience::Spectator)));
    let publication = Publication {
        messages: vec![message],
        position,
        is_paused: false,
    };
    hub.handle(Timestamp(0), HubInput::Publish(publication));
    publish(&mut hub, 10);
    assert_eq!(reader.news(), ["ok", "s5", "s9", "10"]);
    let late = Reader::new(2, Codec::MsgPack);
    watch(&mut hub, &late, Some((EPOCH, 4)));
    assert_eq!(late.news(), ["ok", "s10"], "5 to 9 are not there any more");
}

#[test]
fn all_readers_of_a_codec_share_one_encoding() {
    let mut hub = hub();
    let readers = [
        Reader::new(1, Codec::MsgPack),
        Reader::new(2, Codec::MsgPack),
        Reader::new(3, Codec::Json),
    ];
    for reader in &readers {
        watch(&mut hub, reader, None);
    }
    publish(&mut hub, 6);
    let groups = readers.each_ref().map(|reader| {
        let Some(Pushes::Framed(group)) = reader.pushed.borrow_mut().pop() else {
            panic!("what happens is shown in groups");
        };
        group
    });
    assert!(Arc::ptr_eq(&groups[0], &groups[1]));
    assert_ne!(groups[0], groups[2]);
    assert!(
        readers
            .iter()
            .all(|reader| reader.news().ends_with(&["6".to_owned()]))
    );
}

#[test]
fn what_happens_together_is_shown_together_and_once() {
    let mut hub = hub();
    let (here, late) = (Reader::new(1, Codec::Json), Reader::new(2, Codec::Json));
    watch(&mut hub, &here, None);
    here.news();
    here.pushed.take();
    hub.handle(Timestamp(0), HubInput::Publish(news(6)));
    hub.handle(Timestamp(0), HubInput::Publish(news(7)));
    assert_eq!(here.news(), Vec::<String>::new(), "more may come");
    assert!(hub.must_deliver_before(&HubInput::Tick));
    assert!(!hub.must_deliver_before(&HubInput::Publish(news(8))));
    deliver(&mut hub);
    assert!(!hub.must_deliver_before(&HubInput::Tick));
    watch(&mut hub, &late, None);
    assert_eq!(late.news(), ["ok", "s7"]);
    publish(&mut hub, 8);
    assert_eq!(late.news(), ["8"], "the snapshot had the others");
    assert_eq!(here.news(), ["6", "7", "8"]);
    assert_eq!(here.pushed.take().len(), 2, "6 and 7 are a group");
}

#[test]
fn a_slow_spectator_misses_events_and_gets_a_later_snapshot() {
    let mut hub = hub();
    let (slow, quick) = (Reader::new(1, Codec::Json), Reader::new(2, Codec::Json));
    watch(&mut hub, &slow, None);
    watch(&mut hub, &quick, None);
    slow.news();
    quick.news();
    slow.delivery.set(Delivery::Lagging);
    publish(&mut hub, 6);
    assert_eq!(hub.next_deadline(), Some(Timestamp(100)));
    // The outbox has room again, but the next events would leave a gap.
    slow.delivery.set(Delivery::Queued);
    publish(&mut hub, 7);
    assert_eq!(slow.news(), Vec::<String>::new());
    hub.handle(Timestamp(100), HubInput::Tick);
    publish(&mut hub, 8);
    assert_eq!(slow.news(), ["s7", "8"]);
    assert_eq!(quick.news(), ["6", "7", "8"]);
    assert_eq!(hub.next_deadline(), None);
}

#[test]
fn who_is_gone_is_reported_and_forgotten() {
    let mut hub = hub();
    let reader = Reader::new(1, Codec::Json);
    watch(&mut hub, &reader, None);
    reader.delivery.set(Delivery::Gone);
    assert_eq!(publish(&mut hub, 6), [PeerId(1)]);
    assert_eq!(publish(&mut hub, 7), []);
}

#[test]
fn a_slow_hub_sends_snapshots_to_all_spectators() {
    let mut hub = hub();
    let reader = Reader::new(1, Codec::Json);
    watch(&mut hub, &reader, None);
    reader.news();
    hub.handle(Timestamp(0), HubInput::Skip(still(40, false)));
    publish(&mut hub, 41);
    assert_eq!(reader.news(), ["s40", "41"]);
    let late = Reader::new(2, Codec::Json);
    watch(&mut hub, &late, Some((EPOCH, 5)));
    assert_eq!(late.news(), ["ok", "s41"]);
}

#[test]
fn a_slow_spectator_gets_the_state_of_the_pause_with_the_snapshot() {
    let mut hub = hub();
    let slow = Reader::new(1, Codec::Json);
    watch(&mut hub, &slow, None);
    slow.news();
    slow.delivery.set(Delivery::Lagging);
    publish(&mut hub, 6);
    hub.handle(Timestamp(0), HubInput::Publish(still(6, true)));
    slow.delivery.set(Delivery::Queued);
    hub.handle(Timestamp(100), HubInput::Tick);
    assert_eq!(slow.news(), ["s6", "paused"]);
    // The hub skipped the message about the end of the pause.
    hub.handle(Timestamp(100), HubInput::Skip(still(7, false)));
    assert_eq!(slow.news(), ["s7"]);
    let late = Reader::new(2, Codec::Json);
    watch(&mut hub, &late, None);
    assert_eq!(late.news(), ["ok", "s7"]);
}

#[test]
fn the_first_spectator_of_a_paused_game_hears_of_the_pause() {
    let mut hub = started(true);
    let first = Reader::new(1, Codec::Json);
    watch(&mut hub, &first, None);
    assert_eq!(first.news(), ["ok", "s5", "paused"]);
}

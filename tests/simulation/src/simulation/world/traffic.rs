//! Traffic of a simulation: frames between clients and the server, and the answers of the disk.

use std::collections::VecDeque;
use std::sync::Arc;

use bytes::Bytes;
use tilewire_gateway::connection::serve_messages;
use tilewire_protocol::{
    AnswerAbort, ClientMessage, CloseCode, Codec, ServerMessage, decode_client, decode_server,
    encode_client,
};
use tilewire_rules::ruleset::RuleSet;
use tilewire_server::app::App;
use tokio_tungstenite::tungstenite::Message;

use super::{Coming, Wire, World, rules};
use crate::simulation::durable::Chronicled;
use crate::simulation::flaws::Flaw;
use crate::simulation::line::{LineId, SentMessage};
use crate::simulation::scenario;

impl World {
    /// Processes the newly durable changes and the server's messages.
    pub(super) fn listen(&mut self) {
        let stored = self.disk.take_stored();
        self.auditor.is_now(self.wall());
        let rules = |id: &str| rules(id);
        let mut chronicled = VecDeque::from(self.disk.take_chronicled());
        for stored in &stored {
            let is_earlier = |one: &mut Chronicled| one.version < stored.version;
            while let Some(one) = chronicled.pop_front_if(is_earlier) {
                self.chronicled(&one);
            }
            self.trace.note(
                self.now,
                "stored",
                stored.head,
                stored.game.as_str().as_bytes(),
            );
            self.trace.say(self.now, || {
                format!("stored {} to {}", stored.game, stored.head)
            });
            self.disk
                .look(|durable| self.auditor.stored(stored, durable, &rules));
        }
        for one in chronicled {
            self.chronicled(&one);
        }
        self.hear_answers();
        self.hear_letters();
        self.hear_webhooks();
        self.hear_nodes();
        for said in self.lines.take_said() {
            self.heard(said);
        }
        self.end_what_was_let_go();
    }

    /// Processes a step of the chronicle.
    fn chronicled(&mut self, one: &Chronicled) {
        self.trace.note(self.now, "chronicled", one.version, &[]);
        self.trace.say(self.now, || format!("{:?}", one.step));
        self.disk
            .look(|durable| self.auditor.chronicled(&one.step, durable));
    }

    /// Ends connections that the server abandoned because the client reads too slowly: no close frame fits, so the client
    /// reads the delivered bytes and then the end.
    fn end_what_was_let_go(&mut self) {
        let lines: Vec<LineId> = self.wires.keys().copied().collect();
        for line in lines {
            self.end_if_let_go(line);
        }
    }

    fn end_if_let_go(&mut self, line: LineId) {
        let wire = self.wires.get(&line);
        let has_read_all = wire.is_some_and(|wire| wire.is_up && wire.unread.is_empty());
        if has_read_all && self.lines.is_dropped(line) {
            self.hang_up(line, false);
        }
    }

    fn heard(&mut self, said: SentMessage) {
        let SentMessage {
            line,
            message,
            version,
        } = said;
        let Some(wire) = self.wires.get_mut(&line) else {
            return;
        };
        self.trace
            .note(self.now, "said", line, &message.clone().into_data());
        if self.people[wire.person].place.is_none() {
            let bytes = message.clone().into_data();
            self.spectators.note(self.now, "said", line, &bytes);
        }
        match &message {
            Message::Binary(_) | Message::Text(_) => {
                let bytes = message.clone().into_data();
                let (id, decoded) = decode_server(wire.codec, &bytes).expect("a server's frame");
                self.trace
                    .say(self.now, || format!("{line} < {id} {decoded:?}"));
                let rules = self.rules_of(&decoded);
                self.auditor.said(line, id, &decoded, version, &rules);
                if let ServerMessage::Chat(_) = decoded {
                    self.disk
                        .look(|durable| self.auditor.check_kept_back(durable));
                }
            }
            Message::Close(frame) => {
                let is_lost = frame.as_ref().is_some_and(|frame| {
                    u16::from(frame.code) == CloseCode::HeartbeatLost.as_u16()
                });
                if is_lost {
                    // The close frame waits until the client reads, so a frame may arrive after the server has judged.
                    let silence = self.auditor.silence(self.epoch + wire.heard_at);
                    let longest = silence.max(wire.longest_silence);
                    let lost_ms = self.scenario.config.timing.heartbeat_lost_ms.0;
                    assert!(longest >= lost_ms, "a client was lost after {longest} ms");
                }
                self.auditor.closes(line);
            }
            _ => {}
        }
        let Some(wire) = self.wires.get_mut(&line) else {
            return;
        };
        if !wire.is_up {
            return;
        }
        wire.unread.push_back(message);
        let latency = self.chance.ms(0, self.scenario.latency_ms);
        let at = (self.now + latency)
            .max(wire.last_read)
            .max(wire.stalled_until);
        wire.last_read = at;
        self.at(at, Coming::Read(line));
    }

    /// The rule set of the game a message is about.
    fn rules_of(&self, message: &ServerMessage) -> Arc<RuleSet> {
        let game = match message {
            ServerMessage::Event(event) => &event.game,
            ServerMessage::Snapshot(snapshot) => return rules(&snapshot.setup.rule_set.id),
            _ => return scenario::small(),
        };
        let id = self.disk.look(|durable| {
            durable
                .games
                .get(game)
                .map(|game| game.meta.rule_set.clone())
        });
        rules(id.as_deref().unwrap_or("small"))
    }

    /// A client reads the next frame.
    pub(super) fn read(&mut self, line: LineId) {
        let Some(wire) = self.wires.get_mut(&line).filter(|wire| wire.is_up) else {
            return;
        };
        let Some(message) = wire.unread.pop_front() else {
            return;
        };
        let (person, codec) = (wire.person, wire.codec);
        self.lines.was_read(line, message.len());
        let mut acts = Vec::new();
        match message {
            Message::Binary(_) | Message::Text(_) => {
                let bytes = message.into_data();
                let (id, decoded) = decode_server(codec, &bytes).expect("a server's frame");
                let person = &mut self.people[person];
                let table = &mut self.tables[person.table];
                person.hear((line, id), &decoded, table, &mut acts);
            }
            Message::Ping(payload) => self.send(line, Message::Pong(payload)),
            Message::Close(_) => self.hang_up(line, true),
            Message::Pong(_) | Message::Frame(_) => {}
        }
        self.carry_out(person, acts, None);
        self.end_if_let_go(line);
    }

    pub(super) fn connect(&mut self, person: usize, app: &Arc<App>) {
        let line = self.next_line;
        self.next_line += 1;
        let codec = *self
            .chance
            .pick(&[Codec::MsgPack, Codec::MsgPack, Codec::Json]);
        let node = self.nodes.as_ref().and_then(|nodes| nodes.chosen);
        if let Some(node) = node {
            self.auditor.connects(line, node);
        }
        self.wires.insert(
            line,
            Wire {
                person,
                node,
                codec,
                is_up: true,
                unread: VecDeque::new(),
                last_arrival: self.now,
                heard_at: self.now,
                longest_silence: 0,
                last_read: self.now,
                stalled_until: 0,
            },
        );
        tokio::spawn(serve_messages(
            app.connection_services(),
            self.lines.open(line),
            codec,
        ));
        let mut acts = Vec::new();
        self.people[person].connected(line, &mut acts);
        self.carry_out(person, acts, Some(app));
    }

    pub(super) fn send(&mut self, line: LineId, message: Message) {
        let latency = self.chance.ms(0, self.scenario.latency_ms);
        let Some(wire) = self.wires.get_mut(&line).filter(|wire| wire.is_up) else {
            return;
        };
        let at = (self.now + latency).max(wire.last_arrival);
        wire.last_arrival = at;
        self.at(at, Coming::Arrive(line, message));
    }

    pub(super) fn arrive(&mut self, line: LineId, message: Message) {
        let Some(wire) = self.wires.get_mut(&line) else {
            return;
        };
        self.auditor.is_now(self.epoch + self.now);
        let silence = self.auditor.silence(self.epoch + wire.heard_at);
        wire.longest_silence = silence.max(wire.longest_silence);
        wire.heard_at = self.now;
        if matches!(message, Message::Binary(_) | Message::Text(_)) {
            let is_own_type = matches!(message, Message::Text(_)) == wire.codec.is_text();
            let bytes = message.clone().into_data();
            match decode_client(wire.codec, &bytes) {
                _ if !is_own_type => {}
                Ok((id, request)) => self.auditor.arrived(line, id, Some(request)),
                Err(error) => {
                    if let Some(id) = error.id {
                        self.auditor.arrived(line, id, None);
                    }
                }
            }
        }
        let message = match self.options.flaw {
            Some(Flaw::ConsentForged) => forged(wire.codec, &message),
            _ => message,
        };
        self.lines.arrive(line, message);
    }

    /// A client disconnects: after a clean close its messages still arrive, otherwise those in flight are lost.
    pub(super) fn hang_up(&mut self, line: LineId, is_orderly: bool) {
        let Some(wire) = self.wires.get(&line) else {
            return;
        };
        let at = if is_orderly {
            wire.last_arrival.max(self.now)
        } else {
            self.now
        };
        if !is_orderly {
            self.queue
                .retain(|_, coming| !matches!(coming, Coming::Arrive(to, _) if *to == line));
        }
        self.at(at, Coming::Break(line, is_orderly));
        self.break_off(line);
    }

    pub(super) fn break_off(&mut self, line: LineId) {
        if let Some(wire) = self.wires.get_mut(&line) {
            wire.is_up = false;
            wire.unread.clear();
            let person = wire.person;
            self.people[person].disconnected(line);
        }
    }
}

pub(super) fn frame(codec: Codec, bytes: Vec<u8>) -> Message {
    match codec {
        Codec::MsgPack => Message::Binary(Bytes::from(bytes)),
        Codec::Json => Message::text(String::from_utf8(bytes).unwrap_or_default()),
    }
}

/// A message whose refusal to abort a game has become a consent.
fn forged(codec: Codec, message: &Message) -> Message {
    match decode_client(codec, &message.clone().into_data()) {
        Ok((id, ClientMessage::AnswerAbort(answer))) => {
            let forged = ClientMessage::AnswerAbort(AnswerAbort {
                accept: true,
                ..answer
            });
            frame(codec, encode_client(codec, id, &forged))
        }
        _ => message.clone(),
    }
}

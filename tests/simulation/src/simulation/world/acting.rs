//! The clients of a simulation act.

use std::sync::Arc;

use tilewire_protocol::encode_client;
use tilewire_server::app::App;
use tokio_tungstenite::tungstenite::Message;

use super::traffic::frame;
use super::{Coming, World};
use crate::simulation::manner::Act;

/// How long before a deadline a client may act to be in time, and not by much, ms.
const LAST_MOMENT_MS: i64 = 20;

impl World {
    pub(super) fn think(&mut self, person: usize, app: &Arc<App>) {
        if self.is_calm {
            return;
        }
        if self.now < self.back_at(person) {
            self.at(self.back_at(person), Coming::Think(person));
            return;
        }
        let table = self.tables[self.people[person].table].clone();
        let (now, wall) = (self.now, self.wall());
        let acts = self.people[person].think(now, wall, &table, &mut self.chance);
        self.carry_out(person, acts, Some(app));
        let (least, most) = self.people[person].manner.pace_ms;
        let next = self.now + self.chance.ms(least, most);
        self.at(next, Coming::Think(person));
        if let Some(at) = self.last_moment(person, next) {
            self.at(at, Coming::Hurry(person));
        }
    }

    /// Returns when a client of several servers answers a play at the last moment, if the window closes before it thinks again.
    fn last_moment(&mut self, person: usize, next: i64) -> Option<i64> {
        self.nodes.as_ref()?;
        let closes_at = self.people[person].window_closes_at()? - self.epoch;
        let at = closes_at - self.chance.ms(1, LAST_MOMENT_MS + self.scenario.latency_ms);
        (self.now < at && at < next).then_some(at)
    }

    /// A client answers a play before its window closes.
    pub(super) fn hurry(&mut self, person: usize, app: &Arc<App>) {
        if self.back_at(person) <= self.now {
            let acts = self.people[person].hurry(&mut self.chance);
            self.carry_out(person, acts, Some(app));
        }
    }

    pub(super) fn carry_out(&mut self, person: usize, acts: Vec<Act>, app: Option<&Arc<App>>) {
        for act in acts {
            match act {
                Act::Connect => {
                    if let Some(app) = app {
                        self.connect(person, app);
                    }
                }
                Act::Send(line, id, message) => {
                    let Some(wire) = self.wires.get(&line) else {
                        continue;
                    };
                    self.trace
                        .say(self.now, || format!("{line} > {id} {message:?} ({person})"));
                    let frame = frame(wire.codec, encode_client(wire.codec, id, &message));
                    self.send(line, frame);
                }
                Act::Ask(ask) => {
                    if let Some(app) = app {
                        self.ask(person, ask, app);
                    }
                }
                Act::Babble(line, bytes) => self.send(line, Message::Binary(bytes.into())),
                Act::HangUp(line, is_orderly) => self.hang_up(line, is_orderly),
                Act::Stall(line, ms) => {
                    if let Some(wire) = self.wires.get_mut(&line) {
                        wire.stalled_until = self.now + ms;
                    }
                }
            }
        }
    }
}

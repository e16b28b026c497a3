//! A client of the simulation: it plays by the protocol, and complains about everything that the protocol forbids.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use tilewire_protocol::{
    Attach, ClientMessage, CmdId, Codec, Detach, GameId, Pass, Rename, decode_client, encode_client,
};
use tilewire_rules::stream::Stream;
use tilewire_rules::time::{Millis, Timestamp};

use super::super::{Client, ClientRequest, Delivery, Push, Subject};

/// The client's state of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Attachment {
    /// It has asked for the stream.
    Attaching,
    /// It waits for the snapshot that the answer has announced, or for the event behind this one.
    Attached(Option<u64>),
}

/// A request that was not answered.
#[derive(Debug)]
struct Open {
    message: ClientMessage,
    /// The bytes that the client has sent.
    sent: Bytes,
}

/// A client.
#[derive(Debug)]
pub(super) struct Player {
    pub(super) connection: u64,
    client: Arc<Client>,
    games: BTreeMap<GameId, Attachment>,
    paused: BTreeMap<GameId, bool>,
    open: BTreeMap<u64, Open>,
    /// Ids of commands that were accepted, with their games.
    pub(super) accepted: Vec<(GameId, String)>,
    next_id: u64,
    pub(super) problems: Vec<String>,
    pub(super) is_closed: bool,
}

impl Player {
    pub(super) fn new(connection: u64) -> Self {
        let pass = tilewire_delivery::session::Pass::without_token(
            format!("i{connection}"),
            String::new(),
        );
        Self {
            connection,
            client: Arc::new(Client::new(&pass, None, Codec::Json)),
            games: BTreeMap::new(),
            paused: BTreeMap::new(),
            open: BTreeMap::new(),
            accepted: Vec::new(),
            next_id: 0,
            problems: Vec::new(),
            is_closed: false,
        }
    }

    pub(super) fn client(&self) -> Arc<Client> {
        Arc::clone(&self.client)
    }

    /// Chooses the next request, if the client wants one and may send it.
    pub(super) fn ask(
        &mut self,
        random: &mut Stream,
        now: Timestamp,
        games: &[GameId],
    ) -> Option<ClientRequest> {
        let game = games[random.uniform(u32::try_from(games.len()).unwrap()) as usize].clone();
        let is_open = |of: &ClientMessage| Subject::of(of).and_then(|of| of.game().cloned());
        let mut open = self.open.values();
        if open.any(|open| is_open(&open.message).as_ref() == Some(&game)) {
            return None;
        }
        let message = match (self.games.get(&game), random.uniform(100)) {
            (_, 0..5) => ClientMessage::Rename(Rename {
                name: "n".to_owned(),
            }),
            (None, 5..60) => {
                self.games.insert(game.clone(), Attachment::Attaching);
                let seq = (random.uniform(2) == 0).then_some(0);
                let (epoch, code) = (None, None);
                ClientMessage::Attach(Attach {
                    game,
                    epoch,
                    seq,
                    code,
                })
            }
            (Some(_), 5..10) => ClientMessage::Detach(Detach { game }),
            (_, 10..60) => ClientMessage::Pass(Pass {
                game,
                cmd_id: CmdId(format!("c{}-{}", self.connection, self.next_id)),
                turn_no: 1,
            }),
            _ => return None,
        };
        // Ids are used again, as the protocol allows.
        let mut ids = 1..;
        let request_id = ids.find(|id| !self.open.contains_key(id)).unwrap();
        self.next_id += 1;
        let mut sent = encode_client(Codec::MsgPack, request_id, &message);
        if matches!(message, ClientMessage::Pass(_)) && random.uniform(10) == 0 {
            // Nobody can read it.
            sent.push(0);
        }
        let sent = Bytes::from(sent);
        let asked = ClientRequest {
            connection: self.connection,
            client: self.client(),
            request_id,
            subject: Subject::of(&message).unwrap(),
            message: sent.clone(),
            received_at: now,
            lag_ms: Millis::ZERO,
            is_attached: false,
        };
        self.open.insert(request_id, Open { message, sent });
        Some(asked)
    }

    pub(super) fn deliver(&mut self, frames: &[Delivery]) {
        for delivery in frames {
            let text = String::from_utf8(delivery.frame.to_vec()).unwrap();
            let words: Vec<&str> = text.split(' ').collect();
            let number = |word: &str| word.parse::<u64>().unwrap();
            match *words.as_slice() {
                ["answer", id] => {
                    if delivery.answers.map(|(id, _)| id) != Some(number(id)) {
                        self.problems.push(format!("{delivery:?} holds {text}"));
                    }
                    self.answered(number(id), true);
                }
                ["event", game, seq] => self.event(&GameId(game.to_owned()), number(seq)),
                ["snapshot", game, seq] => {
                    if let Some(known @ Attachment::Attached(_)) = self.games.get_mut(game) {
                        *known = Attachment::Attached(Some(number(seq)));
                    }
                }
                _ => self.problems.push(format!("{text} was sent")),
            }
        }
    }

    fn answered(&mut self, id: u64, is_ok: bool) {
        let Some(open) = self.open.remove(&id) else {
            let problem = format!("{} got a second answer for {id}", self.connection);
            return self.problems.push(problem);
        };
        if is_ok && is_unreadable(&open.sent) {
            let problem = format!("{}: {id} was carried out", self.connection);
            self.problems.push(problem);
        }
        match open.message {
            ClientMessage::Attach(attach) if is_ok => {
                let known = Attachment::Attached(attach.seq);
                self.games.insert(attach.game, known);
            }
            ClientMessage::Attach(attach) => _ = self.games.remove(&attach.game),
            ClientMessage::Detach(detach) if is_ok => {
                self.games.remove(&detach.game);
                self.paused.remove(&detach.game);
            }
            ClientMessage::Pass(pass) if is_ok => {
                self.accepted.push((pass.game, pass.cmd_id.0));
            }
            _ => {}
        }
    }

    fn event(&mut self, game: &GameId, seq: u64) {
        match self.games.get_mut(game) {
            Some(Attachment::Attached(Some(known))) if seq <= *known => {}
            Some(Attachment::Attached(Some(known))) if seq == *known + 1 => *known = seq,
            Some(Attachment::Attached(Some(known))) => {
                let problem = format!("{}: event {seq} of {game} behind {known}", self.connection);
                self.problems.push(problem);
            }
            // It waits for an answer or a snapshot.
            Some(Attachment::Attaching | Attachment::Attached(None)) => {}
            None => {
                let problem = format!("{}: event of {game}, not attached", self.connection);
                self.problems.push(problem);
            }
        }
    }

    pub(super) fn pushed(&mut self, push: Push) {
        match push {
            Push::Paused(game) => self.paused(&game, true),
            Push::Unpaused(game) => self.paused(&game, false),
            Push::Detached(game, ..) => {
                self.games.remove(&game);
                self.paused.remove(&game);
            }
            Push::Refuse(id, ..) => self.answered(id, false),
            Push::Unreadable(id, request) => {
                let is_sent = |open: &Open| open.sent == request && is_unreadable(&request);
                if !self.open.get(&id).is_some_and(is_sent) {
                    let problem = format!("{}: {id} is said to be unreadable", self.connection);
                    self.problems.push(problem);
                }
                self.answered(id, false);
            }
            Push::Close(..) => self.is_closed = true,
        }
    }

    fn paused(&mut self, game: &GameId, is_paused: bool) {
        let was_paused = self.paused.insert(game.clone(), is_paused);
        if was_paused.unwrap_or_default() == is_paused {
            let problem = format!("{}: paused {is_paused} twice in {game}", self.connection);
            self.problems.push(problem);
        }
    }

    /// Complains about what is missing when everything is quiet.
    pub(super) fn check_quiet(&mut self, head: impl Fn(&GameId) -> u64) {
        if !self.open.is_empty() {
            let problem = format!("{}: no answer to {:?}", self.connection, self.open);
            self.problems.push(problem);
        }
        for (game, known) in &self.games {
            if *known != Attachment::Attached(Some(head(game))) {
                let head = head(game);
                let problem = format!("{}: {known:?} of {game}, head {head}", self.connection);
                self.problems.push(problem);
            }
            if self.paused.get(game).copied().unwrap_or_default() {
                self.problems.push(format!("{game} stays paused"));
            }
        }
    }
}

fn is_unreadable(request: &[u8]) -> bool {
    decode_client(Codec::MsgPack, request).is_err()
}

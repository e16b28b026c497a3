//! A simulated client that plays or watches: it connects, sends requests, gives up, returns, and sends nonsense.
//!
//! The world hands it messages and time, and it returns actions. It keeps the state of a careful client: its token, its
//! position in each game, and its commands without an answer.

use std::collections::BTreeMap;
use std::sync::Arc;

use tilewire_client::GameView;
use tilewire_protocol::{
    Attach, Auth, ClientMessage, CmdId, ErrorCode, GameId, GameScope, Invitation, OkBody, Phase,
    SeekId, ServerMessage, Token, Welcome,
};

use super::chance::Chance;
use super::chatting::Rooms;
use super::line::LineId;
use super::manner::{Act, Manner, Table};
use super::members::Member;

/// A command that has no answer that settles it.
#[derive(Debug, Clone)]
pub struct Pending {
    /// The message.
    pub message: ClientMessage,
    tries: u32,
    /// The connection and request it was last sent with.
    asked: Option<(LineId, u64)>,
}

/// A connection as its client sees it.
#[derive(Debug, Default)]
pub(super) struct ClientState {
    is_welcome: bool,
    next_request: u64,
    /// Requests that are not answered.
    open: BTreeMap<u64, ClientMessage>,
    /// Games it is attached to or has asked for.
    pub(super) attached: BTreeMap<GameId, Option<u64>>,
}

/// A game that a person follows.
#[derive(Debug)]
pub struct FollowedGame {
    /// The incarnation of its log.
    pub epoch: u64,
    /// The person's view of it.
    pub view: Arc<GameView>,
}

impl FollowedGame {
    /// Whether the game has ended.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.view.phase == Phase::Ended
    }
}

/// A simulated client.
#[derive(Debug)]
pub struct Person {
    /// Its number.
    pub id: usize,
    /// Its seat at the table by intention: 0 opens the seek; `None` watches.
    pub place: Option<usize>,
    /// Which table.
    pub table: usize,
    /// Its behaviour.
    pub manner: Manner,
    /// Its identity, once the server has assigned one.
    pub identity: Option<String>,
    /// Its account, if it has one or will have.
    pub member: Option<Member>,
    pub(super) token: Option<Token>,
    pub(super) lines: BTreeMap<LineId, ClientState>,
    /// The games it follows.
    pub games: BTreeMap<GameId, FollowedGame>,
    /// Commands that are not settled.
    pub pending: Vec<Pending>,
    pub(super) used: Vec<(CmdId, ClientMessage)>,
    next_cmd: u64,
    pub(super) rooms: Rooms,
    /// Whether it writes other words of the same length to other players.
    pub(super) has_other_words: bool,
    /// Whether it still wants a game.
    pub(super) seeks: u32,
    /// The open invitations of others that it has heard of.
    pub(super) invitations: Vec<SeekId>,
}

impl Person {
    /// Returns a person who has not connected yet.
    #[must_use]
    pub fn new(id: usize, table: usize, place: Option<usize>, manner: Manner) -> Self {
        Self {
            id,
            place,
            table,
            manner,
            identity: None,
            member: None,
            token: None,
            lines: BTreeMap::new(),
            games: BTreeMap::new(),
            pending: Vec::new(),
            used: Vec::new(),
            next_cmd: 0,
            rooms: Rooms::new(),
            has_other_words: false,
            seeks: 0,
            invitations: Vec::new(),
        }
    }

    /// A connection was made.
    pub fn connected(&mut self, line: LineId, acts: &mut Vec<Act>) {
        self.lines.insert(
            line,
            ClientState {
                next_request: 1,
                ..ClientState::default()
            },
        );
        let auth = Auth {
            token: self.token.clone(),
            name: None,
            client: "simulation".to_owned(),
        };
        self.send(line, ClientMessage::Auth(auth), acts);
    }

    /// A connection has ended.
    pub fn disconnected(&mut self, line: LineId) {
        self.lines.remove(&line);
        self.rooms.retain(|(joined, _)| *joined != line);
    }

    /// Says whether it has this connection.
    #[must_use]
    pub fn has(&self, line: LineId) -> bool {
        self.lines.contains_key(&line)
    }

    pub(super) fn fresh_cmd(&mut self) -> CmdId {
        self.next_cmd += 1;
        CmdId(format!("p{}-{}", self.id, self.next_cmd))
    }

    pub(super) fn send(&mut self, line: LineId, message: ClientMessage, acts: &mut Vec<Act>) {
        let Some(known) = self.lines.get_mut(&line) else {
            return;
        };
        let id = known.next_request;
        known.next_request += 1;
        known.open.insert(id, message.clone());
        if let ClientMessage::Attach(attach) = &message {
            known.attached.insert(attach.game.clone(), None);
        }
        for pending in &mut self.pending {
            if pending.message == message {
                pending.asked = Some((line, id));
            }
        }
        acts.push(Act::Send(line, id, message));
    }

    /// Sends a command that is to be answered, sooner or later.
    pub(super) fn command(&mut self, line: LineId, message: ClientMessage, acts: &mut Vec<Act>) {
        self.pending.push(Pending {
            message: message.clone(),
            tries: 0,
            asked: None,
        });
        self.send(line, message, acts);
    }

    /// Returns an authenticated connection.
    #[must_use]
    pub fn line(&self) -> Option<LineId> {
        let welcome = self.lines.iter().find(|(_, line)| line.is_welcome);
        welcome.map(|(id, _)| *id)
    }

    /// Returns how many connections it has.
    #[must_use]
    pub fn lines(&self) -> Vec<LineId> {
        self.lines.keys().copied().collect()
    }

    /// A message arrived.
    pub fn hear(
        &mut self,
        (line, id): (LineId, u64),
        message: &ServerMessage,
        table: &mut Table,
        acts: &mut Vec<Act>,
    ) {
        let asked = self
            .lines
            .get_mut(&line)
            .and_then(|known| known.open.remove(&id));
        match message {
            ServerMessage::Welcome(welcome) => self.welcomed(line, welcome, table, acts),
            ServerMessage::Ok(ok) => {
                if let Some(asked) = asked {
                    self.accepted(line, &asked, ok, table, acts);
                }
            }
            ServerMessage::Error(error) => {
                if let Some(ClientMessage::Auth(auth)) = &asked {
                    self.not_welcome(line, auth, error.code, acts);
                }
                if let Some(asked) = asked {
                    self.refused(line, &asked, error.code, error.retryable, table);
                }
            }
            ServerMessage::GameCreated(created) => {
                table.game.get_or_insert((created.game.clone(), None));
                self.attach(line, &created.game, table, acts);
            }
            ServerMessage::Snapshot(snapshot) => {
                let game = FollowedGame {
                    epoch: snapshot.epoch,
                    view: Arc::new(GameView::from_snapshot(snapshot)),
                };
                self.games.insert(snapshot.game.clone(), game);
            }
            ServerMessage::Event(event) => {
                if let Some(game) = self.games.get_mut(&event.game)
                    && event.seq == game.view.seq + 1
                {
                    Arc::make_mut(&mut game.view).apply(event);
                }
            }
            ServerMessage::Detached(detached) => {
                if let Some(known) = self.lines.get_mut(&line) {
                    known.attached.remove(&detached.game);
                }
            }
            ServerMessage::Invitation(told) => self.invited(told),
            ServerMessage::Hello(_)
            | ServerMessage::Lobby(_)
            | ServerMessage::SeekChanged(_)
            | ServerMessage::TurnWaiting(_)
            | ServerMessage::Hint(_)
            | ServerMessage::YourTurn(_)
            | ServerMessage::Rating(_)
            | ServerMessage::Rematch(_)
            | ServerMessage::Chat(_)
            | ServerMessage::ChatClosed(_)
            | ServerMessage::ChatHidden(_)
            | ServerMessage::Moderation(_)
            | ServerMessage::Presence(_)
            | ServerMessage::Crowd(_)
            | ServerMessage::Lag(_)
            | ServerMessage::Notice(_)
            | ServerMessage::Paused(_)
            | ServerMessage::Unpaused(_)
            | ServerMessage::Unknown { .. } => {}
        }
        self.leaves(table);
    }

    fn invited(&mut self, told: &Invitation) {
        self.invitations.retain(|own| *own != told.invitation);
        let is_open = told.end.is_none();
        if is_open && self.identity.as_ref() == Some(&told.to.identity.0) {
            self.invitations.push(told.invitation.clone());
        }
    }

    fn welcomed(&mut self, line: LineId, welcome: &Welcome, table: &Table, acts: &mut Vec<Act>) {
        self.identity = Some(welcome.identity.0.clone());
        self.token = Some(welcome.token.clone());
        if let Some(known) = self.lines.get_mut(&line) {
            known.is_welcome = true;
        }
        for game in &welcome.games {
            self.attach(line, &game.game, table, acts);
        }
        let unfinished = self.games.iter().filter(|(_, game)| !game.is_over());
        let unfinished: Vec<GameId> = unfinished.map(|(game, _)| game.clone()).collect();
        for game in &unfinished {
            self.attach(line, game, table, acts);
        }
    }

    /// The token was refused, or the storage does not answer.
    fn not_welcome(&mut self, line: LineId, auth: &Auth, code: ErrorCode, acts: &mut Vec<Act>) {
        if let (Some(member), Some(token)) = (&mut self.member, &auth.token) {
            member.refused(token.as_str(), code);
            acts.push(Act::HangUp(line, true));
        }
    }

    /// After a game the players of some tables play another.
    fn leaves(&mut self, table: &mut Table) {
        let is_over = |(game, _): &(GameId, _)| {
            let followed = self.games.get(game);
            followed.is_some_and(|own| own.is_over() && own.view.seat.is_some())
        };
        if table.plan.again > 0 && table.game.as_ref().is_some_and(is_over) {
            table.plan.again -= 1;
            (table.game, table.seek) = (None, None);
            self.seeks = 0;
        }
    }

    /// Asks for a game's events, from where it stands.
    pub(super) fn attach(
        &mut self,
        line: LineId,
        game: &GameId,
        table: &Table,
        acts: &mut Vec<Act>,
    ) {
        let followed = self.games.get(game);
        let code = table.game.as_ref().and_then(|(_, code)| code.clone());
        let code = code.or_else(|| table.seek.as_ref().and_then(|(_, code)| code.clone()));
        let attach = Attach {
            game: game.clone(),
            epoch: followed.map(|game| game.epoch),
            seq: followed.map(|game| game.view.seq),
            code,
        };
        self.send(line, ClientMessage::Attach(attach), acts);
    }

    fn accepted(
        &mut self,
        line: LineId,
        asked: &ClientMessage,
        ok: &OkBody,
        table: &mut Table,
        acts: &mut Vec<Act>,
    ) {
        self.pending.retain(|pending| pending.message != *asked);
        if let Some(seek) = &ok.seek {
            table.seek = Some((seek.seek.clone(), seek.code.clone()));
        }
        match asked {
            ClientMessage::Attach(attach) => {
                let seat = ok.seat;
                if let Some(known) = self.lines.get_mut(&line) {
                    known.attached.insert(attach.game.clone(), ok.head);
                }
                if let Some(game) = self.games.get_mut(&attach.game) {
                    Arc::make_mut(&mut game.view).seat = seat;
                }
            }
            ClientMessage::ListGames(asked) if asked.scope == GameScope::Mine => {
                for game in ok.games.iter().flatten() {
                    self.attach(line, &game.game, table, acts);
                }
            }
            ClientMessage::ChatJoin(join) => {
                let room = ok.chat.as_ref().and_then(|chat| chat.room.clone());
                if let Some(room) = room {
                    self.joined_room(line, room, join.kind);
                }
            }
            _ => {
                // The answer to an offer names the rematch before it begins.
                let is_rematch = matches!(asked, ClientMessage::OfferRematch(_));
                if asked.seek_command().is_some()
                    && !is_rematch
                    && let Some(game) = &ok.game
                {
                    let code = table.seek.as_ref().and_then(|(_, code)| code.clone());
                    table.game = Some((game.clone(), code));
                    self.attach(line, game, table, acts);
                }
            }
        }
    }

    fn refused(
        &mut self,
        line: LineId,
        asked: &ClientMessage,
        code: ErrorCode,
        is_retryable: bool,
        table: &mut Table,
    ) {
        let comes_again = is_retryable
            && !matches!(
                code,
                ErrorCode::Held | ErrorCode::ChallengePending | ErrorCode::CannotClaim
            );
        if !comes_again {
            self.pending.retain(|pending| pending.message != *asked);
        }
        for pending in &mut self.pending {
            if pending.message == *asked {
                pending.asked = None;
            }
        }
        if let ClientMessage::Attach(attach) = asked
            && let Some(known) = self.lines.get_mut(&line)
        {
            known.attached.remove(&attach.game);
        }
        if matches!(code, ErrorCode::UnknownSeek | ErrorCode::WrongCode) {
            table.seek = None;
        }
    }

    /// Commands without an answer are sent again, on the connection that is open.
    pub(super) fn retry(&mut self, line: LineId, chance: &mut Chance, acts: &mut Vec<Act>) -> bool {
        // Old commands are dropped: a server remembers a limited number of commands of a seat.
        let skip = self.pending.len().saturating_sub(3);
        self.pending.drain(..skip);
        let lines = &self.lines;
        let lost = |asked: &Option<(LineId, u64)>| match asked {
            None => true,
            Some((line, id)) => lines
                .get(line)
                .is_none_or(|line| !line.open.contains_key(id)),
        };
        let Some(at) = self.pending.iter().position(|pending| lost(&pending.asked)) else {
            return false;
        };
        self.pending[at].tries += 1;
        if self.pending[at].tries > 8 || chance.one_in(30) {
            self.pending.remove(at);
            return false;
        }
        let message = self.pending[at].message.clone();
        self.send(line, message, acts);
        true
    }
}

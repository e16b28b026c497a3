//! The open requests of a connection, and the games it is attached to.
//!
//! Many tasks send answers (games, hubs, the lobby, the session). All of them pass through
//! [`crate::outbound::Peer::send`], which tells the ledger.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tilewire_protocol::{ClientMessage, ErrorCode, GameId, ServerMessage};

use super::request::Content;

/// The kind of a request, as far as the limits depend on it.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    Attach(GameId),
    Detach(GameId),
    /// A command that ends a turn; it may wait for a challenge window.
    Turn(GameId),
    /// Any other command in a game.
    Command(GameId),
    Other,
}

impl Kind {
    fn of(message: &ClientMessage) -> Self {
        match message {
            ClientMessage::Attach(attach) => Self::Attach(attach.game.clone()),
            ClientMessage::Detach(detach) => Self::Detach(detach.game.clone()),
            _ => match message.game_command() {
                Some((game, _)) => Self::of_command(game, message.ends_turn()),
                None => Self::Other,
            },
        }
    }

    fn of_command(game: &GameId, ends_turn: bool) -> Self {
        match ends_turn {
            true => Self::Turn(game.clone()),
            false => Self::Command(game.clone()),
        }
    }

    /// Says whether a request of this kind may not be sent while one of the kind `open` is unanswered: a game takes one
    /// command at a time, but a turn that waits for a challenge window holds up turns only.
    fn waits_for(&self, open: &Self) -> bool {
        match (self, open) {
            (Self::Turn(game), Self::Turn(other) | Self::Command(other))
            | (Self::Command(game), Self::Command(other)) => game == other,
            _ => false,
        }
    }
}

/// The open requests and attached games of one connection.
#[derive(Debug)]
pub struct Ledger {
    state: Mutex<State>,
    max_in_flight: usize,
    max_attached: usize,
}

/// Lists, because both are short and every connection has them.
#[derive(Debug, Default)]
struct State {
    open: Vec<(u64, Kind)>,
    attached: Vec<GameId>,
}

impl State {
    fn close(&mut self, id: u64) -> Option<Kind> {
        let at = self.open.iter().position(|(open, _)| *open == id)?;
        let (_, kind) = self.open.swap_remove(at);
        if self.open.is_empty() {
            // A connection without open requests keeps no memory for them.
            self.open = Vec::new();
        }
        Some(kind)
    }

    fn attach(&mut self, game: GameId) {
        if !self.attached.contains(&game) {
            self.attached.push(game);
        }
    }

    fn detach(&mut self, game: &GameId) {
        self.attached.retain(|attached| attached != game);
    }

    fn kinds(&self) -> impl Iterator<Item = &Kind> {
        self.open.iter().map(|(_, kind)| kind)
    }
}

impl Ledger {
    /// Returns an empty ledger with these limits.
    #[must_use]
    pub fn new(max_in_flight: usize, max_attached: usize) -> Self {
        Self {
            state: Mutex::default(),
            max_in_flight,
            max_attached,
        }
    }

    /// Opens a request.
    ///
    /// # Errors
    /// The reason to refuse it. The refusal does not go through the ledger: an id that is used twice stays open.
    pub fn open(&self, id: u64, content: &Content) -> Result<(), ErrorCode> {
        let mut state = self.lock();
        if state.open.iter().any(|(open, _)| *open == id) {
            return Err(ErrorCode::RequestIdReused);
        }
        if state.open.len() >= self.max_in_flight {
            return Err(ErrorCode::Busy);
        }
        let kind = match content {
            Content::Message(message) => Kind::of(message),
            Content::Command {
                game, ends_turn, ..
            } => Kind::of_command(game, *ends_turn),
        };
        if let Kind::Attach(game) = &kind
            && !state.attached.contains(game)
            && state.attached.len() + attaching(&state) >= self.max_attached
        {
            return Err(ErrorCode::TooManyAttached);
        }
        if state.kinds().any(|open| kind.waits_for(open)) {
            return Err(ErrorCode::CommandInFlight);
        }
        state.open.push((id, kind));
        Ok(())
    }

    /// Opens a request of a client that is connected to another node, which keeps the limits. A request that was sent again takes
    /// the place of the first.
    pub fn open_again(&self, relay_id: u64, message: &ClientMessage) {
        let mut state = self.lock();
        state.close(relay_id);
        state.open.push((relay_id, Kind::of(message)));
    }

    /// Notes that a message is being sent.
    pub fn sent(&self, request_id: u64, message: &ServerMessage) {
        if let ServerMessage::Detached(detached) = message {
            self.detached(&detached.game);
        }
        self.answered(request_id, !matches!(message, ServerMessage::Error(_)));
    }

    /// Notes that a request is answered; says whether it was open.
    pub fn answered(&self, request_id: u64, is_ok: bool) -> bool {
        let mut state = self.lock();
        let kind = state.close(request_id);
        let was_open = kind.is_some();
        match (kind, is_ok) {
            (Some(Kind::Attach(game)), true) => state.attach(game),
            (Some(Kind::Detach(game)), true) => state.detach(&game),
            _ => {}
        }
        was_open
    }

    /// Says whether a request is open.
    #[must_use]
    pub fn is_open(&self, request_id: u64) -> bool {
        let state = self.lock();
        state.open.iter().any(|(open, _)| *open == request_id)
    }

    /// Notes that the stream of a game has ended.
    pub fn detached(&self, game: &GameId) {
        self.lock().detach(game);
    }

    /// Says whether the connection is attached to a game.
    #[must_use]
    pub fn is_attached(&self, game: &GameId) -> bool {
        self.lock().attached.contains(game)
    }

    /// Says whether the connection is attached to a game, or has asked to be.
    #[must_use]
    pub fn concerns(&self, game: &GameId) -> bool {
        let state = self.lock();
        let asks = |kind: &Kind| matches!(kind, Kind::Attach(asked) if asked == game);
        state.attached.contains(game) || state.kinds().any(asks)
    }

    /// Returns the number of open requests.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.lock().open.len()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn attaching(state: &State) -> usize {
    state
        .kinds()
        .filter(|kind| matches!(kind, Kind::Attach(game) if !state.attached.contains(game)))
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilewire_protocol::{Attach, CmdId, Detached, Empty, ErrorBody, GameCommand, OkBody, Pass};

    fn attach(game: &str) -> ClientMessage {
        ClientMessage::Attach(Attach {
            game: GameId(game.to_owned()),
            epoch: None,
            seq: None,
            code: None,
        })
    }

    fn pass(game: &str) -> ClientMessage {
        ClientMessage::Pass(Pass {
            game: GameId(game.to_owned()),
            cmd_id: CmdId("c".to_owned()),
            turn_no: 1,
        })
    }

    fn open(ledger: &Ledger, id: u64, message: &ClientMessage) -> Result<(), ErrorCode> {
        ledger.open(id, &message.clone().into())
    }

    /// The head of a command.
    fn head(game: &str, ends_turn: bool) -> Content {
        Content::Command {
            op: "any",
            game: GameId(game.to_owned()),
            ends_turn,
        }
    }

    fn ok() -> ServerMessage {
        ServerMessage::Ok(Box::default())
    }

    #[test]
    fn every_id_is_open_until_it_is_answered() {
        let ledger = Ledger::new(2, 9);
        let time = ClientMessage::Time(Empty {});
        assert_eq!(open(&ledger, 1, &time), Ok(()));
        assert_eq!(open(&ledger, 1, &time), Err(ErrorCode::RequestIdReused));
        assert_eq!(open(&ledger, 2, &time), Ok(()));
        assert_eq!(open(&ledger, 3, &time), Err(ErrorCode::Busy));
        ledger.sent(0, &ok());
        ledger.sent(1, &ok());
        assert_eq!(open(&ledger, 1, &time), Ok(()));
        assert_eq!(ledger.in_flight(), 2);
    }

    #[test]
    fn one_command_for_each_game() {
        let ledger = Ledger::new(9, 9);
        assert_eq!(open(&ledger, 1, &pass("a")), Ok(()));
        assert_eq!(
            open(&ledger, 2, &pass("a")),
            Err(ErrorCode::CommandInFlight)
        );
        assert_eq!(
            open(&ledger, 2, &pass("b")),
            Ok(()),
            "other games are not held up"
        );
        ledger.sent(
            1,
            &ServerMessage::Error(ErrorBody::new(ErrorCode::NotYourTurn, "")),
        );
        assert_eq!(open(&ledger, 1, &pass("a")), Ok(()));
    }

    /// A turn may wait for a challenge window, and its sender may challenge, hold, accept or leave meanwhile.
    #[test]
    fn an_unanswered_turn_holds_up_turns_only() {
        let ledger = Ledger::new(9, 9);
        let resign = ClientMessage::Resign(GameCommand {
            game: GameId("a".to_owned()),
            cmd_id: CmdId("r".to_owned()),
        });
        assert_eq!(open(&ledger, 1, &pass("a")), Ok(()));
        assert_eq!(open(&ledger, 2, &resign), Ok(()));
        assert_eq!(open(&ledger, 3, &resign), Err(ErrorCode::CommandInFlight));
        assert_eq!(
            ledger.open(3, &head("a", false)),
            Err(ErrorCode::CommandInFlight)
        );
        ledger.sent(1, &ok());
        assert_eq!(
            open(&ledger, 3, &pass("a")),
            Err(ErrorCode::CommandInFlight)
        );
        assert_eq!(
            ledger.open(3, &head("a", true)),
            Err(ErrorCode::CommandInFlight)
        );
    }

    #[test]
    fn attached_games_are_counted() {
        let ledger = Ledger::new(9, 2);
        assert_eq!(open(&ledger, 1, &attach("a")), Ok(()));
        assert_eq!(open(&ledger, 2, &attach("b")), Ok(()));
        assert_eq!(
            open(&ledger, 3, &attach("c")),
            Err(ErrorCode::TooManyAttached)
        );
        ledger.sent(1, &ServerMessage::Ok(Box::<OkBody>::default()));
        let refused = GameId("b".to_owned());
        assert!(ledger.concerns(&refused), "it was asked for");
        ledger.sent(
            2,
            &ServerMessage::Error(ErrorBody::new(ErrorCode::UnknownGame, "")),
        );
        assert!(!ledger.concerns(&refused));
        assert_eq!(
            open(&ledger, 4, &attach("a")),
            Ok(()),
            "again the same game"
        );
        ledger.sent(4, &ok());
        assert_eq!(open(&ledger, 5, &attach("c")), Ok(()));
        ledger.sent(5, &ok());
        assert_eq!(
            open(&ledger, 6, &attach("d")),
            Err(ErrorCode::TooManyAttached)
        );
        let game = GameId("a".to_owned());
        ledger.sent(
            0,
            &ServerMessage::Detached(Detached {
                game,
                code: ErrorCode::Internal,
                message: String::new(),
            }),
        );
        assert_eq!(open(&ledger, 6, &attach("d")), Ok(()));
    }

    #[test]
    fn a_repeated_request_of_another_node_is_open_once() {
        let ledger = Ledger::new(1, 1);
        for (relay_id, message) in [(1, pass("g")), (2, pass("g")), (1, pass("g"))] {
            ledger.open_again(relay_id, &message);
        }
        assert_eq!(ledger.in_flight(), 2);
        ledger.open_again(3, &attach("g"));
        ledger.answered(3, true);
        assert!(ledger.is_attached(&GameId("g".to_owned())));
        ledger.detached(&GameId("g".to_owned()));
        assert!(!ledger.concerns(&GameId("g".to_owned())));
        ledger.answered(1, false);
        ledger.answered(1, true);
        assert_eq!(ledger.in_flight(), 1);
    }
}

//! Requests and answers: every request has one answer, and an accepted command has taken effect.

use std::collections::{BTreeMap, BTreeSet};

use tilewire_people::moderation::Restraint;
use tilewire_protocol::{
    ClientMessage, ErrorBody, ErrorCode, GameId, GameScope, OkBody, SeekId, ServerMessage,
    TurnWaiting,
};
use tilewire_rules::event::{Event, PublicEvent, Record};
use tilewire_rules::time::Seat;

use super::Auditor;
use super::criteria::Audience;
use super::moment::Moment;
use crate::simulation::line::LineId;

/// A command takes effect in the turn, or on the play, it was meant for.
fn check_meant(asked: &ClientMessage, record: &Record) {
    use ClientMessage as Request;
    let (meant, did) = match (asked, &record.event) {
        (Request::Play(asked), Event::Public(PublicEvent::PlayMade(did))) => {
            (u64::from(asked.turn_no), u64::from(did.turn_no.0))
        }
        (Request::Exchange(asked), Event::Exchanged { turn_no, .. }) => {
            (u64::from(asked.turn_no), u64::from(turn_no.0))
        }
        (Request::Pass(asked), Event::Public(PublicEvent::Passed { turn_no, .. })) => {
            (u64::from(asked.turn_no), u64::from(turn_no.0))
        }
        (Request::Accept(asked), Event::Public(PublicEvent::Accepted { play_id, .. }))
        | (Request::Hold(asked), Event::Public(PublicEvent::HoldStarted { play_id, .. }))
        | (Request::Release(asked), Event::Public(PublicEvent::HoldEnded { play_id, .. }))
        | (
            Request::Challenge(asked),
            Event::Public(PublicEvent::ChallengeOpened { play_id, .. }),
        ) => (asked.play_id, play_id.0),
        (
            Request::Challenge(asked) | Request::Withdraw(asked) | Request::Stand(asked),
            Event::Public(PublicEvent::ChallengeDecided(did)),
        ) => (asked.play_id, did.play_id.0),
        (Request::Ready(_), Event::Public(PublicEvent::SeatReady { .. }))
        | (
            Request::Resign(_) | Request::Claim(_),
            Event::Public(PublicEvent::SeatRetired { .. }),
        )
        | (Request::Nudge(_), Event::Public(PublicEvent::Nudged { .. }))
        | (Request::Here(_), Event::Public(PublicEvent::NudgeAnswered { .. }))
        | (Request::RefuseTime(_), Event::Public(PublicEvent::TimeRefused { .. }))
        | (Request::Hint(_), Event::Public(PublicEvent::HintUsed { .. }))
        | (
            Request::Adjourn(_),
            Event::Public(
                PublicEvent::AdjournRequested { .. }
                | PublicEvent::AdjournAgreed { .. }
                | PublicEvent::Adjourned { .. },
            ),
        )
        | (Request::ResumeGame(_), Event::Public(PublicEvent::ReadyToResume { .. }))
        | (
            Request::Abort(_),
            Event::Public(PublicEvent::Ended(_) | PublicEvent::AbortRequested { .. }),
        ) => (0, 0),
        (
            Request::GiveTime(asked),
            Event::Public(PublicEvent::TimeGiven {
                target, time_ms, ..
            }),
        ) => {
            let wanted = asked.time_ms.unwrap_or(*time_ms);
            assert_eq!(wanted, *time_ms, "{asked:?} gave another time");
            (u64::from(asked.seat), u64::from(target.0))
        }
        (Request::AnswerAbort(asked), Event::Public(PublicEvent::Ended(_))) => {
            (u64::from(asked.accept), 1)
        }
        (Request::AnswerAbort(asked), Event::Public(PublicEvent::AbortDeclined { .. })) => {
            (u64::from(asked.accept), 0)
        }
        (
            Request::AnswerAdjourn(asked),
            Event::Public(PublicEvent::AdjournAgreed { .. } | PublicEvent::Adjourned { .. }),
        ) => (u64::from(asked.agree), 1),
        (Request::AnswerAdjourn(asked), Event::Public(PublicEvent::AdjournDeclined { .. })) => {
            (u64::from(asked.agree), 0)
        }
        _ => panic!("{asked:?} did something else: {record:?}"),
    };
    assert_eq!(meant, did, "{asked:?} was meant otherwise");
}

/// Where a connection stands in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StreamPosition {
    /// A snapshot has to come first.
    AwaitsSnapshot,
    /// The last event it has been told.
    At(u64),
}

/// A connection as the auditor sees it.
#[derive(Debug, Default)]
pub(super) struct AuditedConnection {
    pub(super) identity: Option<String>,
    /// Requests that arrived and were not answered. An id can be used twice, and is answered twice then.
    pub(super) open: BTreeMap<u64, Vec<Option<ClientMessage>>>,
    pub(super) games: BTreeMap<GameId, (Option<u8>, StreamPosition)>,
    pub(super) is_closed: bool,
    /// The server that it is connected to, of several.
    pub(super) server: Option<usize>,
    /// Games that wait for the storage, as far as it was told.
    pub(super) paused: BTreeSet<GameId>,
    /// The last event of each game when it was attached: the events up to it are old news.
    pub(super) heads: BTreeMap<GameId, u64>,
    /// Turns that wait for a challenge window, as far as they were told.
    pub(super) waiting: BTreeMap<GameId, TurnWaiting>,
    /// Waiting turns that have taken effect, until the next clocks are told.
    pub(super) charged: BTreeMap<GameId, TurnWaiting>,
    /// The session of its token.
    pub(super) session: Option<String>,
    /// Requests that came after the session was reported to have ended.
    pub(super) late: BTreeSet<u64>,
    /// When each open request came; the first one of those with the same id.
    asked: BTreeMap<u64, Moment>,
}

impl AuditedConnection {
    /// Says whether a request is a turn that waits for an open challenge window, as the client was told.
    fn waits_for_window(&self, request: &ClientMessage, now: i64) -> bool {
        let game = match request {
            ClientMessage::Play(turn) => &turn.game,
            ClientMessage::Exchange(turn) => &turn.game,
            ClientMessage::Pass(turn) => &turn.game,
            _ => return false,
        };
        let waiting = self.waiting.get(game);
        waiting.is_some_and(|waiting| waiting.until > now)
    }
}

/// The promises of the lobby.
#[derive(Debug, Default)]
pub(super) struct Lobby {
    /// Accepted commands and their answers.
    accepted: BTreeMap<(String, String), (u64, OkBody)>,
    /// When each command came for the first time.
    first: BTreeMap<(String, String), Moment>,
    /// The game of each seek.
    games: BTreeMap<SeekId, GameId>,
    /// The seeks that were opened to wait for others, not by a quick match.
    offers: BTreeSet<SeekId>,
}

impl Auditor {
    /// A client connects to a server, of several.
    pub fn connects(&mut self, line: LineId, server: usize) {
        self.lines.entry(line).or_default().server = Some(server);
    }

    /// A request arrived at the server; `None` is one that cannot be read.
    pub fn arrived(&mut self, line: LineId, id: u64, message: Option<ClientMessage>) {
        self.check_session(line, id, message.as_ref());
        let moment = self.moment();
        self.asked_for_rematch(line, message.as_ref(), moment);
        self.asked_to_say(line, message.as_ref());
        self.asked_to_play(line, message.as_ref(), moment);
        let line = self.lines.entry(line).or_default();
        let cmd_id = message
            .as_ref()
            .and_then(|message| message.game_command().map(|(_, id)| id.0.clone()));
        if let (Some(identity), Some(cmd_id)) = (&line.identity, cmd_id) {
            let command = (identity.clone(), cmd_id);
            if self.owners.are_several() {
                self.came_at.entry(command.clone()).or_insert(self.now);
            }
            self.arrived_at.insert(command.clone(), self.now);
            *self.arrived.entry(command).or_default() += 1;
        }
        let seek_command = message.as_ref().and_then(ClientMessage::seek_command);
        if let (Some(identity), Some(cmd_id)) = (&line.identity, seek_command) {
            let command = (identity.clone(), cmd_id.0.clone());
            self.lobby.first.entry(command).or_insert(moment);
        }
        line.asked.entry(id).or_insert(moment);
        line.open.entry(id).or_default().push(message);
    }

    /// A connection has ended: its open requests get no answers.
    pub fn ended(&mut self, line: LineId) {
        self.lines.remove(&line);
    }

    /// Checks that nothing is left unanswered, or waiting, on the connections that are still there. A turn may wait for a challenge
    /// window that is still open.
    ///
    /// # Panics
    /// When something is.
    pub fn check_all_answered(&self, now: i64) {
        for (id, line) in self.lines.iter().filter(|(_, line)| !line.is_closed) {
            let paused = line
                .paused
                .iter()
                .find(|game| line.games.contains_key(*game));
            assert!(
                paused.is_none(),
                "{id} was not told that {paused:?} goes on"
            );
            let waits = |request: &ClientMessage| line.waits_for_window(request, now);
            let mut open = line.open.values().flatten();
            let overdue = open.find(|request| !request.as_ref().is_some_and(waits));
            assert!(overdue.is_none(), "{id} waits for an answer: {overdue:?}");
        }
    }

    /// An answer was given: its request is open no longer.
    pub(super) fn answer(&mut self, line: LineId, id: u64, message: &ServerMessage, version: u64) {
        self.checked += 1;
        let known = self.lines.entry(line).or_default();
        let Some(open) = known.open.get_mut(&id) else {
            // Unreadable messages are refused with the id 0.
            assert!(id == 0, "{line}: no request has the id {id}: {message:?}");
            return;
        };
        // The refusal of an id that is in use is for the later one.
        let is_reuse = matches!(message, ServerMessage::Error(error) if error.code == ErrorCode::RequestIdReused);
        let asked = if is_reuse && open.len() > 1 {
            open.remove(1)
        } else {
            open.remove(0)
        };
        let moment = known.asked.get(&id).copied().unwrap_or(Moment::START);
        if open.is_empty() {
            known.open.remove(&id);
            known.asked.remove(&id);
        }
        let Some(asked) = asked else {
            return;
        };
        let is_accepted = !matches!(message, ServerMessage::Error(_));
        assert!(
            !is_accepted || !known.late.contains(&id),
            "{line}: a session works after its end: {asked:?}"
        );
        match message {
            ServerMessage::Welcome(welcome) => {
                assert!(matches!(asked, ClientMessage::Auth(_)));
                known.identity = Some(welcome.identity.0.clone());
                let identity = welcome.identity.as_str();
                self.check_allowed(identity, Restraint::Suspend, moment, &asked);
                for game in &welcome.games {
                    let over_told = self.log(&game.game).over_told;
                    assert!(
                        !over_told.is_some_and(|told| told.is_before(moment)),
                        "{line}: {} was known to be over, and is listed as unfinished",
                        game.game
                    );
                }
            }
            ServerMessage::Ok(ok) => self.accepted(line, &asked, ok, version, moment),
            ServerMessage::Error(error) => self.was_refused(line, &asked, error, moment),
            other => panic!("no answer: {other:?}"),
        }
    }

    fn accepted(
        &mut self,
        line: LineId,
        asked: &ClientMessage,
        ok: &OkBody,
        version: u64,
        moment: Moment,
    ) {
        let identity = self.lines[&line]
            .identity
            .clone()
            .expect("only authenticated connections are answered ok");
        if let Some((game, cmd_id)) = asked.game_command() {
            let seq = ok.seq.expect("an accepted command has a number");
            self.check_durable(game, seq, version);
            let book = &self.log(game).book;
            let seat = book
                .created
                .players
                .iter()
                .position(|player| player.identity == identity);
            let seat = Seat(u8::try_from(seat.expect("only players act")).expect("few seats"));
            let at = usize::try_from(seq).expect("few records") - 1;
            check_meant(asked, &self.log(game).records[at]);
            let done = book.commands.get(&(seat, cmd_id.0.clone()));
            if let (ClientMessage::Hint(hint), None) = (asked, done) {
                return self.check_hint_used(game, seat, hint);
            }
            assert_eq!(
                done,
                Some(&(seq, asked.fingerprint())),
                "{cmd_id:?} was accepted"
            );
        } else if let Some(cmd_id) = asked.seek_command() {
            let offer = ok.seek.as_ref().map(|seek| seek.seek.clone());
            let offer = offer.filter(|_| matches!(asked, ClientMessage::Seek(_)));
            self.lobby.offers.extend(offer);
            self.check_players(&identity, asked, ok);
            self.seek_answered((line, &identity), asked, ok);
            self.check_lobby(
                (identity, cmd_id.0.clone()),
                asked.fingerprint(),
                ok,
                version,
            );
        } else if let ClientMessage::ListGames(_) | ClientMessage::LobbySubscribe(_) = asked {
            let is_own =
                matches!(asked, ClientMessage::ListGames(list) if list.scope == GameScope::Mine);
            if !is_own {
                self.check_lines(ok.games.iter().flatten());
            }
            self.check_seeks_shown(line, ok.seeks.iter().flatten(), Audience::Members);
        } else if let ClientMessage::Attach(attach) = asked {
            self.attached(line, attach, ok, version);
        } else if let (ClientMessage::ChatJoin(join), Some(chat)) = (asked, &ok.chat) {
            self.chat_joined(line, join, chat, moment);
        } else if let (ClientMessage::ChatSay(say), Some(chat)) = (asked, &ok.chat) {
            self.chat_accepted(line, say, chat, moment);
        } else if let ClientMessage::Detach(detach) = asked {
            self.lines
                .entry(line)
                .or_default()
                .games
                .remove(&detach.game);
        }
    }

    /// No two players of a seek have a block between them that came before the command that put them together, and nobody
    /// plays whom a moderator keeps out.
    fn check_players(&self, identity: &str, asked: &ClientMessage, ok: &OkBody) {
        let cmd_id = asked.seek_command().map(|cmd_id| cmd_id.0.clone());
        let command = (identity.to_owned(), cmd_id.unwrap_or_default());
        let first = self.lobby.first.get(&command);
        let first = first.copied().unwrap_or(Moment::START);
        let members = ok.seek.iter().flat_map(|seek| &seek.members);
        let members: Vec<&str> = members.map(|person| person.identity.as_str()).collect();
        for (at, one) in members.iter().enumerate() {
            for other in &members[at + 1..] {
                self.check_not_blocked(one, other, first, asked);
            }
        }
        self.check_may_play(identity, asked, ok, first);
    }

    /// The lobby answers a retry as it did the first time, makes one game of a seek, and none that is not there.
    fn check_lobby(&mut self, key: (String, String), digest: u64, ok: &OkBody, version: u64) {
        if let Some((former, first)) = self.lobby.accepted.get(&key) {
            assert_eq!(
                (*former, first),
                (digest, ok),
                "{key:?} was answered otherwise before"
            );
        }
        if let (Some(game), Some(seek)) = (&ok.game, &ok.seek) {
            self.check_durable(game, 1, version);
            let players = &self.log(game).book.created.players;
            let members: Vec<&String> = seek
                .members
                .iter()
                .map(|person| &person.identity.0)
                .collect();
            let seated: Vec<&String> = players.iter().map(|player| &player.identity).collect();
            assert_eq!(seated, members, "the members of the seek play the game");
            self.became(&seek.seek.clone(), &game.clone());
        }
        self.lobby.accepted.insert(key, (digest, ok.clone()));
    }

    /// A seek became a game.
    pub(super) fn became(&mut self, seek: &SeekId, game: &GameId) {
        let former = self.lobby.games.insert(seek.clone(), game.clone());
        assert!(
            former.is_none_or(|former| former == *game),
            "{seek:?} became two games"
        );
        self.check_criteria(seek, game);
    }

    /// Every game comes from one seek, or from a seek and a quick match (P-LOBBY-20).
    pub(super) fn check_games(&self) {
        let mut seeks: BTreeMap<&GameId, Vec<&SeekId>> = BTreeMap::new();
        for (seek, game) in &self.lobby.games {
            seeks.entry(game).or_default().push(seek);
        }
        for (game, seeks) in seeks {
            let offers = seeks
                .iter()
                .filter(|seek| self.lobby.offers.contains(**seek));
            assert!(
                seeks.len() == 1 || (seeks.len() == 2 && offers.count() < 2),
                "{seeks:?} became {game:?}"
            );
        }
    }

    fn was_refused(
        &mut self,
        line: LineId,
        asked: &ClientMessage,
        error: &ErrorBody,
        moment: Moment,
    ) {
        // The server that had the request may be lost.
        let may_fail = self.has_nodes() && error.retryable;
        assert!(
            error.code != ErrorCode::Internal || may_fail,
            "{asked:?}: {error:?}"
        );
        let identity = self.lines[&line].identity.clone();
        if let Some(identity) = &identity
            && !self.is_told_to_wait(identity, error)
        {
            self.check_restricted(identity, error, moment);
        }
        if asked.seek_command().is_some() || matches!(asked, ClientMessage::ChatJoin(_)) {
            self.check_words(error);
        }
        if let Some(identity) = &identity {
            self.check_before_deadlines(identity, asked, error, moment);
        }
        if let (ClientMessage::ChatSay(say), Some(identity)) = (asked, &identity) {
            self.chat_refused(identity, say, error);
        }
        // A gateway does not know the fate of a command when its owner was lost.
        let may_be_repeated = self.has_nodes() && error.code == ErrorCode::Internal;
        if let Some((game, cmd_id)) = asked.game_command()
            && !may_be_repeated
            && let Some(log) = self.logs.get(game)
            && let Some(identity) = identity
        {
            let players = &log.book.created.players;
            let seat = players
                .iter()
                .position(|player| player.identity == identity);
            if let Some(seat) = seat {
                let seat = u8::try_from(seat).expect("few seats");
                self.refused
                    .push((game.0.clone(), seat, cmd_id.0.clone(), asked.fingerprint()));
            }
        } else if let (Some(cmd_id), Some(identity)) = (asked.seek_command(), identity) {
            let key = (identity, cmd_id.0.clone());
            let first = self.lobby.accepted.get(&key);
            let is_lost = first.is_some_and(|(digest, _)| *digest == asked.fingerprint());
            assert!(
                !is_lost || error.retryable,
                "{key:?} was accepted before: {error:?}"
            );
        }
    }
}

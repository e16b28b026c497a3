//! Commands: decided one after the other, stored together.
//!
//! A flush of fifty changes takes the disk as long as a flush of one. So the task takes all waiting commands, decides
//! each on the state that those before it left, stores the changes together, and then answers and announces. The games
//! that begin are created concurrently.

use futures::future::{join, join_all};
use tilewire_protocol::{ClientMessage, ErrorCode, OkBody, SeekId, ServerMessage};
use tilewire_rules::event::PlayerKind;
use tilewire_rules::time::Millis;

use super::action::{self, Named};
use super::criteria::Excluded;
use super::decision::{Asker, Context, Former, Plan};
use super::game_start::NoGame;
use super::invitation;
use super::machine::refusal;
use super::open_seek::OpenSeek;
use super::stored_answers::{encode_answer, first_answer, unreadable};
use super::task::{LobbyTask, Request, change};
use tilewire_accounts::people::Failure;
use tilewire_delivery::overload::LeftOut;
use tilewire_store::{CommandKey, NewLetter, StoreError, StoredCommand};
use tilewire_wire::Refusal;

/// A request that changes the lobby.
#[derive(Debug)]
pub(super) struct Command {
    request: Request,
    key: CommandKey,
    digest: u64,
}

impl Command {
    /// Returns the command of a request with this key.
    pub(super) fn new(request: Request, key: CommandKey) -> Self {
        let digest = request.message.fingerprint();
        Self {
            request,
            key,
            digest,
        }
    }

    /// Says whether both have the same key: the later one has to wait for the result of the earlier one.
    pub(super) fn is_named_as(&self, other: &Self) -> bool {
        self.key == other.key
    }

    fn message(&self) -> &ClientMessage {
        &self.request.message
    }
}

/// The result of looking a command up.
enum Found {
    /// It was accepted before and got this answer.
    Answered(Box<ServerMessage>),
    /// It is new.
    New(Client),
}

/// The client behind a command.
struct Client {
    name: String,
    /// The kind of player, if the command depends on it.
    kind: PlayerKind,
    /// The number of games it plays, if the command depends on it.
    games: usize,
    /// The game and the players that the command names.
    named: Named,
}

/// A command that is decided and has to be stored.
struct Decided {
    command: Command,
    plan: Plan,
    former: Former,
}

/// Returns the key of a request, if the request changes the lobby.
pub(super) fn key(request: &Request) -> Option<CommandKey> {
    let cmd_id = request.message.seek_command()?;
    Some(CommandKey {
        identity: request.peer.identity().to_owned(),
        cmd_id: cmd_id.0.clone(),
    })
}

impl LobbyTask {
    /// Carries commands out and answers each.
    pub(super) async fn commands(&mut self, commands: Vec<Command>) {
        if commands.is_empty() {
            return;
        }
        if let Err(refusal) = self.reconcile().await {
            return refuse(commands, &refusal);
        }
        let found = self.look_up(&commands).await;
        let mut new = Vec::with_capacity(commands.len());
        for (command, found) in commands.into_iter().zip(found) {
            match found {
                Ok(Found::New(client)) => new.push((command, client)),
                Ok(Found::Answered(answer)) => self.repeat_answer(&command, *answer).await,
                Err(refusal) => command.request.answer(Err(refusal)),
            }
        }
        // Repeating an answer may have failed.
        match self.reconcile().await {
            Ok(()) => self.carry_out(new).await,
            Err(refusal) => refuse(new.into_iter().map(|(command, _)| command), &refusal),
        }
    }

    /// Reads everything that the commands need, concurrently.
    async fn look_up(&self, commands: &[Command]) -> Vec<Result<Found, Refusal>> {
        let keys = commands.iter().map(|command| command.key.clone());
        let stored = self.services.store.commands(keys.collect());
        let people = join_all(commands.iter().map(|command| self.client(command)));
        let (stored, people) = join(stored, people).await;
        let stored = match stored {
            Ok(stored) => stored,
            Err(error) => {
                let refusal = unreadable(&error);
                return commands.iter().map(|_| Err(refusal.clone())).collect();
            }
        };
        let since = self.services.clock.now() - self.services.config.retention.lobby_commands_ms;
        let found = commands.iter().zip(stored).zip(people);
        let found = found.map(|((command, stored), client)| {
            match first_answer(stored, command.digest, since)? {
                // A refused command is decided again: the reason may have passed.
                Some(answer) if !matches!(answer, ServerMessage::Error(_)) => {
                    Ok(Found::Answered(Box::new(answer)))
                }
                Some(_) | None => client.map(Found::New),
            }
        });
        found.collect()
    }

    async fn client(&self, command: &Command) -> Result<Client, Refusal> {
        let identity = command.request.peer.identity();
        let mut named = Named::default();
        match command.message() {
            ClientMessage::OfferRematch(body) => {
                named.finished = Some(Box::new(self.finished(&body.game, identity).await?));
            }
            ClientMessage::Invite(body) => {
                let people = &self.services.people;
                let invited = people.invited(&body.handle, identity).await;
                named.invited = Some(Box::new(invited.map_err(not_invited)?));
            }
            _ => {}
        }
        let client = self.counted(command).await;
        let (name, kind, games) = client.map_err(|error| uncounted(&error))?;
        if let ClientMessage::Seek(body) = command.message()
            && let Some(criteria) = &body.criteria
        {
            named.excluded = self.excluded(&criteria.exclude, kind).await?;
        }
        Ok(Client {
            name,
            kind,
            games,
            named,
        })
    }

    /// Returns the players with these handles, whom a seek of a client of a kind excludes. A guest must not learn which handles
    /// there are.
    async fn excluded(
        &self,
        handles: &[String],
        kind: PlayerKind,
    ) -> Result<Vec<Excluded>, Refusal> {
        if !handles.is_empty() && kind == PlayerKind::Guest {
            return Err(refusal(ErrorCode::NotRegistered));
        }
        let mut excluded = Vec::with_capacity(handles.len());
        for (handle, index) in handles.iter().zip(0..) {
            let named = self.services.people.named(handle).await;
            let (identity, handle) = named.map_err(|failure| not_excluded(failure, index))?;
            if !excluded
                .iter()
                .any(|one: &Excluded| one.identity == identity)
            {
                excluded.push(Excluded { identity, handle });
            }
        }
        Ok(excluded)
    }

    /// Returns the name and kind of a client, and how many games it plays.
    async fn counted(&self, command: &Command) -> Result<(String, PlayerKind, usize), StoreError> {
        let identity = command.request.peer.identity();
        let games = async {
            if !action::begins(command.message()) {
                return Ok(0);
            }
            self.services.directory.count_of_identity(identity).await
        };
        let accounts = &self.services.accounts;
        let (name, games) = join(accounts.name_to_play(identity), games).await;
        let kind = match action::begins(command.message()) {
            true => accounts.kind_of(identity, &name).await?,
            false => PlayerKind::Guest,
        };
        Ok((name, kind, games?))
    }

    /// Repeats the first answer.
    async fn repeat_answer(&mut self, command: &Command, answer: ServerMessage) {
        match self.before_repeat(&answer).await {
            Ok(()) => {
                let request = &command.request;
                request.peer.send(request.request_id, &answer);
            }
            Err(refusal) => command.request.answer(Err(refusal)),
        }
    }

    /// Decides all commands, stores their changes, and announces them.
    async fn carry_out(&mut self, commands: Vec<(Command, Client)>) {
        let mut decided = Vec::with_capacity(commands.len());
        let mut refused = Vec::new();
        for (command, client) in commands {
            match self.decide(&command, client) {
                Ok(plan) => {
                    let former = self.lobby.adopt(&plan);
                    decided.push(Decided {
                        command,
                        plan,
                        former,
                    });
                }
                Err(refusal) => refused.push((command, refusal)),
            }
        }
        if let Err(refusal) = self.store_decided(&decided).await {
            for decided in decided.into_iter().rev() {
                self.lobby.take_back(decided.former);
                decided.command.request.answer(Err(refusal.clone()));
            }
            // The refusals may have depended on one of these commands.
            return refuse(refused.into_iter().map(|(command, _)| command), &refusal);
        }
        for (command, refusal) in refused {
            command.request.answer(Err(refusal));
        }
        let mut starts = Vec::new();
        for decided in decided {
            self.tell(&decided.plan, &decided.former);
            match &decided.plan.start {
                Some(open) => starts.push((open.clone(), decided)),
                None => decided.command.request.answer(Ok(decided.plan.answer)),
            }
        }
        self.begin_games(starts).await;
    }

    fn decide(&mut self, command: &Command, client: Client) -> Result<Plan, Refusal> {
        let (message, identity) = (command.message(), &command.key.identity);
        let action = action::action(&self.services, message, client.named)?;
        self.check_games(message, identity, client.games)?;
        self.check_restrictions(identity, &action)?;
        let asker = Asker {
            identity: identity.clone(),
            address: command.request.peer.address(),
            name: client.name,
            nonce_hash: action::nonce_hash(message),
            level: action::level(message),
            kind: client.kind,
        };
        let (presence, ids) = (&self.services.presence, &self.services.ids);
        let blocks = &self.services.blocks;
        let context = Context {
            now: self.services.clock.now(),
            fresh_seek: SeekId(ids.seek_id()),
            fresh_game: self.services.directory.new_id(),
            fresh_code: ids.private_code(),
            is_online: &|identity| presence.is_online(identity),
            are_blocked: &|one, other| blocks.are_blocked(one, other),
            follows: &|one, other| blocks.follows(one, other),
            ratings: &*self.services.ratings,
        };
        let plan = self.lobby.decide(&self.bounds(), context, &asker, action)?;
        if plan.answer.invitation.is_some() {
            let now = self.services.clock.now();
            let sent = self.invitations.begin(identity, asker.address, now);
            sent.map_err(too_many_invitations)?;
        }
        if plan.start.is_some() {
            let now = self.services.clock.now();
            let begun = self.game_starts.begin(identity, asker.address, now);
            begun.map_err(too_many_games)?;
        }
        Ok(plan)
    }

    /// Refuses a command that may begin a game when its client plays too many, open seeks included, when an admin has closed
    /// the lobby, or when the server is overloaded.
    fn check_games(
        &self,
        message: &ClientMessage,
        identity: &str,
        games: usize,
    ) -> Result<(), Refusal> {
        let begins = action::begins(message);
        let begins_games = self.services.overload.level().begins_games();
        if begins || matches!(message, ClientMessage::StartSeek(_)) {
            self.services.drain.check()?;
            if !begins_games {
                return Err(self.services.overload.refusal(LeftOut::Beginning).into());
            }
        }
        let most = self.services.settings.now().limits.games_per_identity;
        if begins && games + self.lobby.seeks_of(identity) >= most {
            let code = ErrorCode::TooManyGames;
            return Err(Refusal::new(code, code.meaning()));
        }
        Ok(())
    }

    async fn store_decided(&mut self, decided: &[Decided]) -> Result<(), Refusal> {
        if decided.is_empty() {
            return Ok(());
        }
        let commands = decided
            .iter()
            .map(|decided| self.accepted(&decided.command, &ok(&decided.plan.answer)));
        let commands = commands.collect();
        let plans = decided.iter().map(|decided| &decided.plan);
        let mut change = change(plans, commands);
        change.letters = decided
            .iter()
            .flat_map(|decided| self.letters(decided))
            .collect();
        self.store(change).await
    }

    /// Returns the letters that tell an invited player of an invitation, unless the player must not learn of it.
    fn letters(&self, decided: &Decided) -> Vec<NewLetter> {
        let is_invitation = matches!(decided.command.request.message, ClientMessage::Invite(_));
        if !is_invitation || !self.services.people.sends_news() {
            return Vec::new();
        }
        let now = self.services.clock.now();
        let letters = decided.plan.put.iter();
        letters
            .filter_map(|open| invitation::letter(open, now, self.services.config.mail.wait_ms))
            .collect()
    }

    /// Returns a command with its answer, so that a retry gets the same answer.
    fn accepted(&self, command: &Command, answer: &ServerMessage) -> StoredCommand {
        StoredCommand {
            key: command.key.clone(),
            digest: command.digest,
            answer: encode_answer(answer),
            at: self.services.clock.now(),
        }
    }

    async fn begin_games(&mut self, starts: Vec<(OpenSeek, Decided)>) {
        let made = join_all(starts.iter().map(|(open, _)| self.make_game(open))).await;
        for ((open, decided), made) in starts.iter().zip(made) {
            let answer = match made {
                Ok(()) => {
                    self.game_began(open);
                    Ok(decided.plan.answer.clone())
                }
                // Nothing is undone: the game exists, or will exist when the client asks again.
                Err(NoGame::Perhaps(refusal)) => Err(refusal),
                Err(NoGame::For(refusal)) => Err(self.undo_start(open, decided, refusal).await),
            };
            decided.command.request.answer(answer);
        }
    }

    /// Undoes the start of a seek that cannot become a game; returns the answer.
    async fn undo_start(
        &mut self,
        open: &OpenSeek,
        decided: &Decided,
        refusal: Refusal,
    ) -> Refusal {
        let back = taken_back(open, decided.former.get(&open.seek.seek));
        let answer = ServerMessage::Error(refusal.clone().into());
        let command = self.accepted(&decided.command, &answer);
        match self.store(change([&back], vec![command])).await {
            Ok(()) => {
                self.adopt(&back);
                refusal
            }
            Err(refusal) => refusal,
        }
    }
}

fn ok(answer: &OkBody) -> ServerMessage {
    ServerMessage::Ok(Box::new(answer.clone()))
}

fn refuse(commands: impl IntoIterator<Item = Command>, refusal: &Refusal) {
    for command in commands {
        command.request.answer(Err(refusal.clone()));
    }
}

/// Returns the plan that undoes the start of a seek, which was `before`.
fn taken_back(open: &OpenSeek, before: Option<&OpenSeek>) -> Plan {
    let mut back = Plan::default();
    match before {
        Some(before) => back.put.push(before.clone()),
        None => back.remove.push(open.clone()),
    }
    back
}

/// Returns the refusal of a client that has begun too many games lately.
fn too_many_games(retry_after_ms: Millis) -> Refusal {
    let text = "you begin too many games in a short time";
    Refusal::new(ErrorCode::RateLimited, text).retry_after(retry_after_ms)
}

/// Returns the refusal of a client that has sent too many invitations lately.
fn too_many_invitations(retry_after_ms: Millis) -> Refusal {
    let text = "you send too many invitations in a short time";
    Refusal::new(ErrorCode::RateLimited, text).retry_after(retry_after_ms)
}

/// Returns the refusal of a seek whose excluded player is not found.
fn not_excluded(failure: Failure, index: usize) -> Refusal {
    let mut refusal = not_invited(failure);
    refusal.detail.field = Some(format!("criteria.exclude[{index}]"));
    refusal
}

/// Returns the refusal of an invitation whose player is not found.
fn not_invited(failure: Failure) -> Refusal {
    match failure {
        Failure::UnknownPlayer => refusal(ErrorCode::UnknownPlayer),
        other => Refusal::new(ErrorCode::StoragePaused, other.to_string()),
    }
}

fn uncounted(error: &StoreError) -> Refusal {
    tracing::warn!(%error, "the games of an identity could not be counted");
    let text = "the storage does not answer; nothing was changed";
    Refusal::new(ErrorCode::StoragePaused, text)
}

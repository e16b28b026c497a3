//! Commands: decided one after the other, stored together.
//!
//! To flush fifty changes takes the disk as long as one. So what waits in the mailbox is decided in its order, each command
//! by what those before it left; then all of it is stored in one go, and everybody is told. The games that begin by it are
//! made side by side.

use futures::future::{join, join_all};
use tilewire_protocol::{ClientMessage, ErrorCode, GameId, OkBody, SeekId, ServerMessage};

use super::ask;
use super::desk::{Asked, Desk, change};
use super::games::NoGame;
use super::machine::{Asker, Context, Former, OpenSeek, Plan};
use super::recall::{encode_answer, first_answer, unreadable};
use crate::overload::LeftOut;
use crate::storage::{CommandKey, StoreError, StoredCommand};
use crate::wire::Refusal;

/// A request that changes the lobby.
#[derive(Debug)]
pub(super) struct Command {
    asked: Asked,
    key: CommandKey,
    digest: u64,
}

impl Command {
    /// A request that is named by `key`.
    pub(super) fn new(asked: Asked, key: CommandKey) -> Self {
        let digest = asked.message.fingerprint();
        Self { asked, key, digest }
    }

    /// Says whether both have the same name: the later one must wait for what becomes of the earlier one.
    pub(super) fn is_named_as(&self, other: &Self) -> bool {
        self.key == other.key
    }

    fn message(&self) -> &ClientMessage {
        &self.asked.message
    }
}

/// What there is to know before a command is decided.
enum Found {
    /// It was accepted before, and got this answer.
    Answered(Box<ServerMessage>),
    /// It is a new one.
    New(About),
}

/// What is to be known of somebody who asks.
struct About {
    name: String,
    /// How many games it plays, where that counts.
    games: usize,
}

/// A command that was decided, and is to be stored or told.
struct Decided {
    command: Command,
    plan: Plan,
    former: Former,
}

/// Returns what a request is known by, if it changes the lobby.
pub(super) fn key(asked: &Asked) -> Option<CommandKey> {
    let cmd_id = asked.message.seek_command()?;
    Some(CommandKey {
        identity: asked.peer.identity().to_owned(),
        cmd_id: cmd_id.0.clone(),
    })
}

impl Desk {
    /// Does what is asked and answers everybody.
    pub(super) async fn commands(&mut self, commands: Vec<Command>) {
        if commands.is_empty() {
            return;
        }
        if let Err(refusal) = self.settle().await {
            return refuse(commands, &refusal);
        }
        let found = self.look_up(&commands).await;
        let mut new = Vec::with_capacity(commands.len());
        for (command, found) in commands.into_iter().zip(found) {
            match found {
                Ok(Found::New(about)) => new.push((command, about)),
                Ok(Found::Answered(answer)) => self.tell_again(&command, *answer).await,
                Err(refusal) => command.asked.answer(Err(refusal)),
            }
        }
        // To tell something again may have gone wrong.
        match self.settle().await {
            Ok(()) => self.carry_out(new).await,
            Err(refusal) => refuse(new.into_iter().map(|(command, _)| command), &refusal),
        }
    }

    /// Reads at once what all of them need.
    async fn look_up(&self, commands: &[Command]) -> Vec<Result<Found, Refusal>> {
        let keys = commands.iter().map(|command| command.key.clone());
        let stored = self.services.store.commands(keys.collect());
        let people = join_all(commands.iter().map(|command| self.about(command)));
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
        let found = found.map(|((command, stored), about)| {
            match first_answer(stored, command.digest, since)? {
                // A refused command is judged again: what it met may have passed.
                Some(answer) if !matches!(answer, ServerMessage::Error(_)) => {
                    Ok(Found::Answered(Box::new(answer)))
                }
                Some(_) | None => about.map(Found::New).map_err(|error| uncounted(&error)),
            }
        });
        found.collect()
    }

    async fn about(&self, command: &Command) -> Result<About, StoreError> {
        let identity = command.asked.peer.identity();
        let games = async {
            if !ask::begins(command.message()) {
                return Ok(0);
            }
            let games = self.services.directory.of_identity(identity).await?;
            Ok(games.len())
        };
        let (name, games) = join(self.services.accounts.name_of(identity), games).await;
        Ok(About {
            name,
            games: games?,
        })
    }

    /// Tells an answer as it was told the first time.
    async fn tell_again(&mut self, command: &Command, answer: ServerMessage) {
        match self.before_told_again(&answer).await {
            Ok(()) => {
                let asked = &command.asked;
                asked.peer.send(asked.request_id, &answer);
            }
            Err(refusal) => command.asked.answer(Err(refusal)),
        }
    }

    /// Decides all of them, stores what that changes, and tells it.
    async fn carry_out(&mut self, commands: Vec<(Command, About)>) {
        let mut decided = Vec::with_capacity(commands.len());
        let mut refused = Vec::new();
        for (command, about) in commands {
            match self.decide(&command, about) {
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
                decided.command.asked.answer(Err(refusal.clone()));
            }
            // What others were refused for may have been one of these.
            return refuse(refused.into_iter().map(|(command, _)| command), &refusal);
        }
        for (command, refusal) in refused {
            command.asked.answer(Err(refusal));
        }
        let mut starts = Vec::new();
        for decided in decided {
            self.tell(&decided.plan, &decided.former);
            match &decided.plan.start {
                Some(open) => starts.push((open.clone(), decided)),
                None => decided.command.asked.answer(Ok(decided.plan.answer)),
            }
        }
        self.begin_games(starts).await;
    }

    fn decide(&self, command: &Command, about: About) -> Result<Plan, Refusal> {
        let (message, identity) = (command.message(), &command.key.identity);
        let action = ask::action(&self.services, message)?;
        self.check_games(message, identity, about.games)?;
        let asker = Asker {
            identity: identity.clone(),
            name: about.name,
            nonce_hash: ask::nonce_hash(message),
            level: ask::level(message),
        };
        let (presence, ids) = (&self.services.presence, &self.services.ids);
        let context = Context {
            now: self.services.clock.now(),
            fresh_seek: SeekId(ids.seek_id()),
            fresh_game: GameId(ids.game_id()),
            fresh_code: ids.private_code(),
            is_online: &|identity| presence.is_online(identity),
        };
        self.lobby.decide(&self.bounds(), context, &asker, action)
    }

    /// Nobody begins more games than they may play at once, a seek being a game that may begin at any time; and nobody any
    /// when there is too much to do.
    fn check_games(
        &self,
        message: &ClientMessage,
        identity: &str,
        games: usize,
    ) -> Result<(), Refusal> {
        let begins = ask::begins(message);
        let begins_games = self.services.overload.level().begins_games();
        if (begins || matches!(message, ClientMessage::StartSeek(_))) && !begins_games {
            return Err(self.services.overload.refusal(LeftOut::Beginning).into());
        }
        let most = self.services.config.limits.games_per_identity;
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
        self.store(change(plans, commands)).await
    }

    /// A command with its answer, so that it is told the same when it comes again.
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
                    self.has_begun(open);
                    Ok(decided.plan.answer.clone())
                }
                // Nothing is taken back: the game is there, or will be when this is asked again.
                Err(NoGame::Perhaps(refusal)) => Err(refusal),
                Err(NoGame::For(refusal)) => Err(self.undo_start(open, decided, refusal).await),
            };
            decided.command.asked.answer(answer);
        }
    }

    /// Takes the start of a seek back that cannot be a game; returns what is to be answered.
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
        command.asked.answer(Err(refusal.clone()));
    }
}

/// The plan that undoes the start of a seek, which was `before`.
fn taken_back(open: &OpenSeek, before: Option<&OpenSeek>) -> Plan {
    let mut back = Plan::default();
    match before {
        Some(before) => back.put.push(before.clone()),
        None => back.remove.push(open.clone()),
    }
    back
}

fn uncounted(error: &StoreError) -> Refusal {
    tracing::warn!(%error, "somebody's games could not be counted");
    let text = "the storage does not answer; nothing was changed";
    Refusal::new(ErrorCode::StoragePaused, text)
}

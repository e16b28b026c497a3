//! The creation of games: of shards that this node has, and of those of other nodes.
//!
//! A game of another node's shard is stored asleep, so only the node that has the shard ever plays it. That node loads the game
//! when it is told of it, when a client attaches, or at the first deadline: nothing depends on the message.

use tilewire_protocol::GameId;
use tilewire_rules::event::{Created, Player, Record};
use tilewire_rules::game::Game;
use tilewire_rules::stream::commitment;

use super::lost_time::CreationStalls;
use super::{CreateError, Directory, FindError, NewGame, NewPlayer, Opened};
use crate::placement::Location;
use tilewire_base::ids::Ids;
use tilewire_base::metrics;
use tilewire_delivery::shares::Share;
use tilewire_store::{AppendError, GameMeta, NodeId, Rest, Shards, StoredGame};

/// Most ids that are drawn for a new game. With one shard of all, this many miss it once in 10^17 times.
const ID_DRAWS: usize = 10_000;

impl Directory {
    /// Returns the id of a new game that a node may get now.
    #[must_use]
    pub fn new_id(&self) -> GameId {
        drawn(&self.ids, self.placement.new_games())
    }

    /// Creates a game, durable when this returns, and returns its id. Creating the same game again is no error: a
    /// caller that does not know the outcome repeats the call.
    ///
    /// # Errors
    /// The reason why no game was created; nothing is left behind then.
    pub async fn create(&self, game: NewGame) -> Result<GameId, CreateError> {
        let id = game.id.clone();
        let is_elsewhere = {
            let _one_at_a_time = self.lock(&id).await;
            if self.shared.stop.is_cancelled() {
                return Err(CreateError::Stopping);
            }
            match self.placement.place(&id) {
                Location::Mine => match self.create_here(&game).await {
                    // The shard went to another node meanwhile.
                    Err(CreateError::Storage) if self.place(&id) != Location::Mine => {
                        self.create_elsewhere(&game, None).await?;
                    }
                    created => created?,
                },
                Location::Elsewhere(node) => self.create_elsewhere(&game, node).await?,
            }
            self.in_memory(&id).is_none()
        };
        if is_elsewhere {
            self.wake_anywhere(&id).await;
        }
        Ok(id)
    }

    async fn create_here(&self, game: &NewGame) -> Result<(), CreateError> {
        if let Some(entry) = self.games.in_memory.get(&game.id) {
            return same_players(game, entry.listing.players());
        }
        if self.running() >= self.running_max {
            return Err(CreateError::Full);
        }
        let share = self.share_of(game)?;
        let (meta, first) = self.begin(game)?;
        let journal = &self.shared.journal;
        let mut stalls = CreationStalls::new(&self.shared, meta.created_at);
        let creation = async {
            let created = journal.create(meta.clone(), first.clone()).await;
            self.stored_before(game, created).await
        };
        let stored = match stalls.watch(creation).await? {
            Some(stored) => stored,
            None => fresh(meta, first),
        };
        let opened = Opened {
            from: game.from,
            share: Some(share),
        };
        match self.spawn_stored(stored, opened, stalls.since()) {
            // It is stored awake, so the next owner of its shard loads it.
            Ok(_) | Err(FindError::Elsewhere) => Ok(()),
            Err(_) => Err(CreateError::Unsure),
        }
    }

    /// Creates a game that another node has from the beginning.
    async fn create_elsewhere(
        &self,
        game: &NewGame,
        node: Option<NodeId>,
    ) -> Result<(), CreateError> {
        if node.is_some_and(|node| self.reported().running(node) >= self.running_max) {
            return Err(CreateError::Full);
        }
        let share = self.share_of(game)?;
        let (meta, first) = self.begin(game)?;
        let created_at = meta.created_at;
        let rest = self.first_rest(&meta, &first)?;
        let journal = &self.shared.journal;
        let created = journal.create_asleep(meta, first, rest).await;
        if self.stored_before(game, created).await?.is_none() {
            let opened = Opened {
                from: game.from,
                share: Some(share),
            };
            self.reported()
                .opened(game.id.clone(), node, created_at, opened);
            metrics::game_placed();
        }
        Ok(())
    }

    fn share_of(&self, game: &NewGame) -> Result<Share, CreateError> {
        let share = self.shares.take(game.from, self.games_per_address);
        share.ok_or(CreateError::AddressFull)
    }

    /// Returns the game that was stored before, or perhaps now; `None` if it is new.
    async fn stored_before(
        &self,
        game: &NewGame,
        created: Result<(), AppendError>,
    ) -> Result<Option<StoredGame>, CreateError> {
        let stored = match created {
            Ok(()) => return Ok(None),
            Err(error @ (AppendError::Unavailable(_) | AppendError::Fenced)) => {
                tracing::warn!(game = game.id.as_str(), %error, "a game was not stored");
                return Err(CreateError::Storage);
            }
            // Created before, or perhaps now: the storage decides.
            Err(AppendError::Conflict { .. } | AppendError::OutcomeUnknown(_)) => self
                .stored(&game.id)
                .await
                .map_err(|_| CreateError::Unsure)?,
        };
        same_players(game, &stored.meta.players)?;
        Ok(Some(stored))
    }

    /// Returns how a new game sleeps until its node loads it.
    fn first_rest(&self, meta: &GameMeta, first: &Record) -> Result<Rest, CreateError> {
        let loaded = self.loader.room(fresh(meta.clone(), first.clone()));
        let mut room = loaded
            .map_err(|_| CreateError::Unknown(meta.rule_set.clone()))?
            .room;
        room.set_lost(self.lost_of(&meta.game));
        Ok(room.first_rest(meta.created_at))
    }

    pub(super) fn begin(&self, game: &NewGame) -> Result<(GameMeta, Record), CreateError> {
        let (options, players) = (&game.options, &game.players);
        if players.len() != usize::from(options.seats) {
            return Err(CreateError::Players {
                seats: options.seats,
                players: players.len(),
            });
        }
        let rules = self
            .loader
            .catalogue
            .rules(&options.rule_set, &options.language)
            .cloned()
            .ok_or_else(|| CreateError::Unknown(options.rule_set.clone()))?;
        let lexicon = self
            .loader
            .catalogue
            .lexica
            .find(&options.lexicon)
            .ok_or_else(|| CreateError::Unknown(options.lexicon.clone()))?;
        let secret = self.ids.secret();
        let created = Created {
            game: game.id.0.clone(),
            options: options.clone(),
            players: players.iter().map(Player::from).collect(),
            lexicon_hash: *lexicon.hash(),
            commitment: commitment(&secret),
            secret,
            series: game.series.clone().map(Box::new),
        };
        let now = self.shared.clock.now();
        let (_, first) = Game::create(rules, now, created)?;
        let meta = GameMeta {
            game: game.id.clone(),
            // Another log with the same id would have another creation time.
            epoch: u64::try_from(now.0).unwrap_or(0),
            rule_set: options.rule_set.clone(),
            private_code: game.private_code.clone(),
            players: players
                .iter()
                .map(|player| player.identity.clone())
                .collect(),
            created_at: now,
        };
        Ok((meta, first))
    }
}

/// Returns a new game as it is stored.
fn fresh(meta: GameMeta, first: Record) -> StoredGame {
    StoredGame {
        meta,
        records: vec![first],
        rows: Vec::new(),
        is_finished: false,
        lost_ms: None,
    }
}

/// Draws the id of a game until its shard is in `shards`.
pub(super) fn drawn(ids: &Ids, shards: Shards) -> GameId {
    let mut id = ids.game_id();
    for _ in 0..ID_DRAWS {
        if shards.contain(&id) {
            break;
        }
        id = ids.game_id();
    }
    id
}

impl From<&NewPlayer> for Player {
    fn from(player: &NewPlayer) -> Self {
        Self {
            identity: player.identity.clone(),
            name: player.name.clone(),
            nonce_hash: player.nonce_hash,
            level: player.level,
            kind: player.kind,
            rating: player.rating,
        }
    }
}

fn same_players(game: &NewGame, players: &[String]) -> Result<(), CreateError> {
    let asked = game.players.iter().map(|player| &player.identity);
    if asked.eq(players) {
        Ok(())
    } else {
        Err(CreateError::Taken)
    }
}

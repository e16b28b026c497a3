//! The games of other nodes, as these report them to the node with the lobby.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tilewire_protocol::{GameId, GameSummary, Phase};
use tilewire_rules::time::{Millis, Timestamp};

use super::news::GameNews;
use super::placement::Location;
use super::report::{GameReport, ReportedLine};
use tilewire_base::address::ClientAddress;
use tilewire_delivery::shares::{ListOwner, Share};
use tilewire_store::NodeId;

/// The time after which a game is forgotten that no node has reported since it was created.
const UNREPORTED_MS: Millis = Millis(120_000);
/// When the shard of a game has left its node, this node asks the storage about the game after this time.
const DOUBT_MS: Millis = Millis(10_000);
/// The time for which a game that has left its node is remembered: the report of its end can come later.
const GONE_MS: Millis = Millis(10_000);

/// The client that opened a game, as far as it is known.
#[derive(Debug, Default)]
pub(super) struct Opened {
    pub(super) from: Option<ClientAddress>,
    pub(super) share: Option<Share>,
}

/// The games of other nodes.
#[derive(Debug)]
pub(super) struct Reported {
    /// Games of one node.
    most: usize,
    games: BTreeMap<GameId, Game>,
    /// The games in lists, by the identities of their players.
    by_identity: BTreeMap<String, BTreeSet<GameId>>,
    of_node: BTreeMap<NodeId, usize>,
    /// Counts the lists of each node.
    lists: BTreeMap<NodeId, u64>,
}

#[derive(Debug)]
struct Game {
    /// The node that has it, as far as it is known.
    node: Option<NodeId>,
    created_at: Timestamp,
    summary: Option<Arc<GameSummary>>,
    state: State,
    opened: Opened,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// It was created, and no node has reported it yet.
    Created,
    /// Its node has reported it in the list with this number.
    Listed(u64),
    /// Its node does not have its shard any more since this time, and no other one has reported it.
    Doubtful(Timestamp),
    /// It has left the node.
    Gone(Timestamp),
}

/// The changes that a report causes.
#[derive(Debug, Default)]
pub(super) struct Learned {
    /// Public games that have begun or ended.
    pub(super) news: Vec<GameNews>,
    /// Whether a game has left the lists.
    pub(super) has_left: bool,
}

/// A public game in progress on another node.
#[derive(Debug, Clone)]
pub(super) struct Listed {
    pub(super) created_at: Timestamp,
    pub(super) owner: ListOwner,
    pub(super) summary: Arc<GameSummary>,
}

impl Reported {
    /// Knows no game, and at most `most` of a node.
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            games: BTreeMap::new(),
            by_identity: BTreeMap::new(),
            of_node: BTreeMap::new(),
            lists: BTreeMap::new(),
        }
    }

    /// Forgets everything: another node has the lobby.
    pub(super) fn clear(&mut self) {
        *self = Self::new(self.most);
    }

    /// Returns the number of games.
    pub(super) fn len(&self) -> usize {
        self.games.len()
    }

    /// Returns the number of games of a node.
    pub(super) fn running(&self, node: NodeId) -> usize {
        self.of_node.get(&node).copied().unwrap_or(0)
    }

    /// Says whether another node has reported a game that is in progress, for its spectators too.
    pub(super) fn has(&self, game: &GameId) -> bool {
        let game = self.games.get(game);
        game.is_some_and(|game| matches!(game.state, State::Listed(_) | State::Doubtful(_)))
    }

    /// Notes a game that was created for another node.
    pub(super) fn opened(
        &mut self,
        game: GameId,
        node: Option<NodeId>,
        created_at: Timestamp,
        opened: Opened,
    ) {
        // Its node can have reported it already.
        if let Some(known) = self.games.get_mut(&game) {
            known.opened = opened;
            return;
        }
        let created = Game {
            node,
            created_at,
            summary: None,
            state: State::Created,
            opened,
        };
        self.put(game, created);
    }

    /// Takes a report of a node.
    pub(super) fn take(&mut self, now: Timestamp, node: NodeId, report: GameReport) -> Learned {
        let mut learned = Learned::default();
        if report.is_anew {
            *self.lists.entry(node).or_default() += 1;
        }
        let list = self.lists.get(&node).copied().unwrap_or_default();
        for line in report.games {
            learned.news.extend(self.line((node, list), line));
        }
        for ended in &report.ended {
            let Ok(ended) = serde_json::from_str::<GameSummary>(ended) else {
                continue;
            };
            if self
                .remove(&ended.game)
                .is_some_and(|game| game.summary.is_some())
            {
                learned.has_left = true;
                learned.news.push(GameNews::Ended(ended));
            }
        }
        for game in report.gone {
            learned.has_left |= self.leave(now, node, &game);
        }
        if report.is_whole {
            let is_missing = |game: &Game| {
                let is_other = matches!(game.state, State::Listed(other) if other != list);
                is_other && game.node == Some(node)
            };
            let missing = self.games.iter().filter(|(_, game)| is_missing(game));
            let missing: Vec<GameId> = missing.map(|(game, _)| game.clone()).collect();
            for game in missing {
                learned.has_left |= self.leave(now, node, &game);
            }
        }
        learned
    }

    /// Adds a game of a report; returns the news of its beginning, unless it is known already.
    fn line(&mut self, (node, list): (NodeId, u64), line: ReportedLine) -> Option<GameNews> {
        let read = |text: &String| serde_json::from_str::<GameSummary>(text).ok();
        let summary = line.summary.as_ref().and_then(read).map(Arc::new);
        let known = self.remove(&line.game);
        if known.is_none() && self.running(node) >= self.most {
            return None;
        }
        let is_news = match &known {
            Some(known) => known.summary.is_none(),
            None => line.has_begun,
        };
        let began = summary.clone().filter(|_| is_news);
        let game = Game {
            node: Some(node),
            created_at: Timestamp(line.created_at),
            summary,
            state: State::Listed(list),
            opened: known.map(|known| known.opened).unwrap_or_default(),
        };
        self.put(line.game, game);
        began.map(|summary| GameNews::Started(GameSummary::clone(&summary)))
    }

    /// Notes that a game has left a node; says whether lists showed it.
    fn leave(&mut self, now: Timestamp, node: NodeId, game: &GameId) -> bool {
        let known = self.games.get_mut(game);
        let Some(known) = known.filter(|known| known.node == Some(node)) else {
            return false;
        };
        known.state = State::Gone(now);
        known.opened.share = None;
        known.summary.is_some()
    }

    /// Forgets what is old. Returns the public games whose nodes do not have their shards any more: the storage knows whether they
    /// are over. `place` says where a game runs.
    pub(super) fn tidy(
        &mut self,
        now: Timestamp,
        place: impl Fn(&GameId) -> Location,
    ) -> Vec<GameId> {
        let (mut over, mut doubtful) = (Vec::new(), Vec::new());
        for (id, game) in &mut self.games {
            let owner = match (game.state, place(id)) {
                // A takeover goes on.
                (State::Listed(_) | State::Doubtful(_), Location::Elsewhere(None)) => continue,
                (_, Location::Elsewhere(owner)) => owner,
                (_, Location::Mine) => None,
            };
            match game.state {
                State::Created if now - game.created_at >= UNREPORTED_MS => over.push(id.clone()),
                State::Gone(since) if now - since >= GONE_MS => over.push(id.clone()),
                State::Listed(_) if game.node != owner => game.state = State::Doubtful(now),
                State::Doubtful(since) if now - since >= DOUBT_MS + delay_of(game) => {
                    doubtful.push(id.clone());
                }
                _ => {}
            }
        }
        for id in over {
            self.remove(&id);
        }
        let is_listed = |id: &GameId| {
            let game = self.games.get(id);
            game.is_some_and(|game| game.summary.is_some())
        };
        let (asked, forgotten): (Vec<_>, Vec<_>) = doubtful.into_iter().partition(is_listed);
        for id in forgotten {
            self.remove(&id);
        }
        asked
    }

    /// Forgets a doubtful game. Returns the summary of one that lists have shown, as of its end.
    pub(super) fn settle(&mut self, game: &GameId) -> Option<GameSummary> {
        let known = self.games.get(game);
        known.filter(|known| matches!(known.state, State::Doubtful(_)))?;
        let summary = self.remove(game)?.summary?;
        Some(GameSummary {
            phase: Phase::Ended,
            clocks: None,
            ..GameSummary::clone(&summary)
        })
    }

    /// Returns the public games in progress.
    pub(super) fn listed(&self) -> impl Iterator<Item = (&GameId, Listed)> {
        self.games.iter().filter_map(|(id, game)| {
            let is_gone = matches!(game.state, State::Gone(_));
            let summary = Arc::clone(game.summary.as_ref().filter(|_| !is_gone)?);
            let opener = summary.seats.first();
            let opener = opener.map_or("", |seat| seat.identity.0.as_str());
            let listed = Listed {
                created_at: game.created_at,
                owner: ListOwner::of(game.opened.from, opener),
                summary,
            };
            Some((id, listed))
        })
    }

    /// Returns the public game in progress that an identity plays, and when it was created; of several, the newest.
    pub(super) fn public_game_of(&self, identity: &str) -> Option<(Timestamp, GameId)> {
        let games = self.by_identity.get(identity).into_iter().flatten();
        let in_progress = games.filter(|game| self.has(game));
        let created =
            in_progress.filter_map(|id| Some((self.games.get(id)?.created_at, id.clone())));
        created.max()
    }

    fn put(&mut self, id: GameId, game: Game) {
        if let Some(node) = game.node {
            *self.of_node.entry(node).or_default() += 1;
        }
        for player in players(&game) {
            let own = self.by_identity.entry(player).or_default();
            own.insert(id.clone());
        }
        self.games.insert(id, game);
    }

    fn remove(&mut self, id: &GameId) -> Option<Game> {
        let game = self.games.remove(id)?;
        if let Some(count) = game.node.and_then(|node| self.of_node.get_mut(&node)) {
            *count = count.saturating_sub(1);
        }
        for player in players(&game) {
            if let Some(own) = self.by_identity.get_mut(&player) {
                own.remove(id);
                if own.is_empty() {
                    self.by_identity.remove(&player);
                }
            }
        }
        Some(game)
    }
}

/// Returns the delay with which spectators see a game.
fn delay_of(game: &Game) -> Millis {
    let options = game
        .summary
        .as_ref()
        .and_then(|summary| summary.options.as_ref());
    let view = options.and_then(|options| options.spectators.as_ref());
    Millis(view.map_or(0, |view| view.delay_ms))
}

/// Returns the identities of the players of a game in lists.
fn players(game: &Game) -> Vec<String> {
    let seats = game.summary.iter().flat_map(|summary| &summary.seats);
    seats.map(|seat| seat.identity.0.clone()).collect()
}

#[cfg(test)]
mod tests;

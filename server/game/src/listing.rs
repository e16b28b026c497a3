//! The public facts about a game, readable without its actor.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tilewire_rules::time::Timestamp;

use tilewire_protocol::{GameSummary, Phase, SummarySeat};

use tilewire_base::address::ClientAddress;
use tilewire_base::metrics;
use tilewire_base::metrics::record::GameClass;
use tilewire_delivery::outbound::Presence;
use tilewire_delivery::shares::{ListOwner, Share};

/// A game's summaries for lists, kept up to date by its actor.
#[derive(Debug)]
pub(super) struct Listing {
    summary: Mutex<GameSummary>,
    /// The summary for its own players, if it differs.
    own: Mutex<Option<GameSummary>>,
    players: Vec<String>,
    created_at: Timestamp,
    is_finished: AtomicBool,
    /// Whether the game takes no commands: an operator has paused it, or it waits for the storage.
    is_paused: AtomicBool,
    /// Counts the changes of the summary, and its end.
    changes: AtomicU64,
    /// Its rule set and kind, as metrics count it.
    class: GameClass,
    /// The number of unfinished games in memory.
    running: Arc<AtomicUsize>,
    owner: ListOwner,
    /// Counts the game for its opener's address, until the game is over or has left memory.
    share: Mutex<Option<Share>>,
}

impl Listing {
    /// Lists a game; an unfinished one counts as running.
    pub(super) fn new(
        summary: GameSummary,
        players: Vec<String>,
        created_at: Timestamp,
        is_finished: bool,
        running: Arc<AtomicUsize>,
        (from, share): (Option<ClientAddress>, Option<Share>),
    ) -> Self {
        let options = summary.options.as_ref();
        let is_rated = options.is_some_and(|options| options.rated);
        let class = GameClass::of(&summary.rule_set, is_rated);
        if !is_finished {
            running.fetch_add(1, Ordering::Relaxed);
            metrics::games_running(class, 1);
        }
        let opener = players.first().map_or("", String::as_str);
        let owner = ListOwner::of(from, opener);
        Self {
            owner,
            share: Mutex::new(share),
            summary: Mutex::new(summary),
            own: Mutex::default(),
            players,
            created_at,
            is_finished: AtomicBool::new(is_finished),
            is_paused: AtomicBool::new(false),
            changes: AtomicU64::new(0),
            class,
            running,
        }
    }

    pub(super) fn put(&self, summary: GameSummary) {
        let mut current = self.lock();
        metrics::turns(summary.turn_no.saturating_sub(current.turn_no));
        *current = summary;
        self.changes.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn put_own(&self, summary: GameSummary) {
        *self.own.lock().unwrap_or_else(PoisonError::into_inner) = Some(summary);
    }

    pub(super) fn summary(&self) -> GameSummary {
        self.lock().clone()
    }

    /// Returns the summary without the delay for spectators.
    pub(super) fn latest(&self) -> GameSummary {
        let own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        own.as_ref().map_or_else(|| self.summary(), Clone::clone)
    }

    /// Returns the summary for the game's own players, unless the game is over for them.
    pub(super) fn own_unfinished(&self) -> Option<GameSummary> {
        let own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        match &*own {
            Some(line) => unfinished(line),
            None => unfinished(&self.lock()),
        }
    }

    pub(super) fn players(&self) -> &[String] {
        &self.players
    }

    pub(super) const fn created_at(&self) -> Timestamp {
        self.created_at
    }

    /// Notes whether the game takes no commands.
    pub(super) fn set_paused(&self, is_paused: bool) {
        self.is_paused.store(is_paused, Ordering::Relaxed);
    }

    pub(super) fn is_paused(&self) -> bool {
        self.is_paused.load(Ordering::Relaxed)
    }

    /// Returns how often the summary has changed.
    pub(super) fn changes(&self) -> u64 {
        self.changes.load(Ordering::Relaxed)
    }

    pub(super) fn is_finished(&self) -> bool {
        self.is_finished.load(Ordering::Relaxed)
    }

    /// Notes that the game is over or has left memory, and no longer counts as running.
    pub(super) fn finish(&self) {
        if !self.is_finished.swap(true, Ordering::Relaxed) {
            self.running.fetch_sub(1, Ordering::Relaxed);
            metrics::games_running(self.class, -1);
            drop(
                self.share
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .take(),
            );
        }
    }

    /// Returns the owner of the game as fair lists count it.
    pub(super) const fn owner(&self) -> &ListOwner {
        &self.owner
    }

    /// Says whether lists of live games show the game.
    pub(super) fn is_listed(&self) -> bool {
        let summary = self.lock();
        !self.is_finished() && !summary.private && summary.started_at.is_some()
    }

    /// Says whether the game is one of [`is_deserted`].
    pub(super) fn is_deserted(&self, presence: &dyn Presence) -> bool {
        is_deserted(&self.lock(), presence)
    }

    fn lock(&self) -> MutexGuard<'_, GameSummary> {
        self.summary.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Says whether a game has a house bot, and none of its other players is connected: lists of live games leave it out
/// (P-LOBBY-6).
pub(super) fn is_deserted(summary: &GameSummary, presence: &dyn Presence) -> bool {
    let is_here = |seat: &SummarySeat| !seat.bot && presence.is_online(&seat.identity.0);
    summary.seats.iter().any(|seat| seat.bot) && !summary.seats.iter().any(is_here)
}

fn unfinished(line: &GameSummary) -> Option<GameSummary> {
    (line.phase != Phase::Ended).then(|| line.clone())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The identities that are connected.
    #[derive(Debug)]
    struct Connected(&'static [&'static str]);

    impl Presence for Connected {
        fn is_online(&self, identity: &str) -> bool {
            self.0.contains(&identity)
        }

        fn online(&self) -> usize {
            self.0.len()
        }

        fn take_departed(&self) -> BTreeSet<String> {
            BTreeSet::new()
        }
    }

    #[track_caller]
    fn check(seats: &[&str], connected: &'static [&'static str], expected: bool) {
        let seats = seats.iter().map(|name| SummarySeat {
            identity: (*name).into(),
            name: (*name).to_owned(),
            score: 0,
            on_turn: false,
            bot: name.starts_with("bot"),
            rank: None,
            rating: None,
        });
        let summary = GameSummary {
            game: "g".into(),
            rule_set: "classic".into(),
            lexicon: "wordnik".into(),
            options: None,
            seats: seats.collect(),
            phase: Phase::Running,
            turn_no: 1,
            clocks: None,
            started_at: Some(1),
            watching: 0,
            private: false,
            ended_at: None,
        };
        assert_eq!(is_deserted(&summary, &Connected(connected)), expected);
    }

    #[test]
    fn a_game_is_deserted_when_only_house_bots_are_left() {
        check(&["anna", "bot"], &["anna"], false);
        check(&["anna", "bot"], &[], true);
        check(&["anna", "bot"], &["bot", "ben"], true);
        check(&["anna", "ben", "bot 1"], &["ben"], false);
        check(&["anna", "ben"], &[], false);
    }
}

//! The turns of all rated games in memory, for boards of averages.
//!
//! A board is computed from the sums of each player, and for the last days from the games themselves: their times are exact,
//! and nothing is summed that a board does not show.

use std::collections::BTreeMap;
use std::sync::Arc;

use tilewire_rules::time::Timestamp;

use super::{AverageLine, Span, by_average};
use crate::pools::Pool;
use crate::statistics::{average, pool_mean};

/// Recent seats of a pool below which none is forgotten.
const FORGET_ABOVE: usize = 1_000;

/// A player's part in a rated game that counts in averages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedSeat {
    /// The identity.
    pub player: String,
    /// When the game ended.
    pub ended_at: Timestamp,
    /// The turns of the player.
    pub turns: u32,
    /// The points of these turns.
    pub points: i32,
}

/// The sums of a player over counted games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TurnSums {
    /// The games.
    pub counted: u32,
    /// The turns.
    pub turns: u32,
    /// The points of turns.
    pub points: i64,
}

impl TurnSums {
    /// Returns the points of an average turn; 0 without a turn.
    #[must_use]
    pub fn average(self) -> f64 {
        average(self.points, self.turns).unwrap_or_default()
    }

    fn add(&mut self, turns: u32, points: i32) {
        self.counted = self.counted.saturating_add(1);
        self.turns = self.turns.saturating_add(turns);
        self.points = self.points.saturating_add(points.into());
    }
}

/// The counted seats of all rated games, by pool. Seats can be added in any order.
#[derive(Debug, Default)]
pub struct TurnTable {
    pools: BTreeMap<Pool, PoolTurns>,
}

impl TurnTable {
    /// Adds counted seats of a pool.
    pub fn add(
        &mut self,
        now: Timestamp,
        pool: Pool,
        seats: impl IntoIterator<Item = CountedSeat>,
    ) {
        let turns = self.pools.entry(pool).or_default();
        for seat in seats {
            turns.add(now, seat);
        }
    }

    /// Returns the mean of a pool in a span, and the first `most` lines of the board of averages.
    #[must_use]
    pub fn board(
        &self,
        pool: &Pool,
        span: Span,
        now: Timestamp,
        most: usize,
    ) -> (f64, Vec<AverageLine>) {
        let Some(turns) = self.pools.get(pool) else {
            return (0.0, Vec::new());
        };
        let recent;
        let sums = match span {
            Span::All => &turns.sums,
            Span::Week | Span::Month => {
                recent = turns.since(span.start(now));
                &recent
            }
        };
        let mean = pool_mean(sums.iter().map(|sums| (sums.points, sums.turns)));
        let players = turns.players.iter().map(|player| &**player);
        let lines = by_average(players.zip(sums.iter().copied()), mean, most);
        (mean, lines)
    }
}

/// The counted seats of a pool.
#[derive(Debug, Default)]
struct PoolTurns {
    /// The number of each player.
    numbers: BTreeMap<Arc<str>, u32>,
    /// The players by their numbers.
    players: Vec<Arc<str>>,
    /// The sums of all games of the players, by their numbers.
    sums: Vec<TurnSums>,
    /// The seats of the longest span that is not all time, and some older ones.
    recent: Vec<RecentSeat>,
    /// The number of recent seats at which older ones are forgotten.
    forget_at: usize,
}

/// A seat of the last days.
#[derive(Debug, Clone, Copy)]
struct RecentSeat {
    ended_at: Timestamp,
    player: u32,
    turns: u32,
    points: i32,
}

impl PoolTurns {
    fn add(&mut self, now: Timestamp, seat: CountedSeat) {
        let player = self.number(seat.player);
        let (turns, points) = (seat.turns, seat.points);
        if let Some(sums) = self.sums.get_mut(index(player)) {
            sums.add(turns, points);
        }
        let since = Span::Month.start(now);
        if seat.ended_at < since {
            return;
        }
        if self.recent.len() >= self.forget_at.max(FORGET_ABOVE) {
            self.recent.retain(|seat| seat.ended_at >= since);
            self.forget_at = 2 * self.recent.len();
        }
        self.recent.push(RecentSeat {
            ended_at: seat.ended_at,
            player,
            turns,
            points,
        });
    }

    fn number(&mut self, player: String) -> u32 {
        if let Some(number) = self.numbers.get(player.as_str()) {
            return *number;
        }
        let player: Arc<str> = player.into();
        let number = u32::try_from(self.players.len()).expect("fewer than four billion players");
        self.numbers.insert(Arc::clone(&player), number);
        self.players.push(player);
        self.sums.push(TurnSums::default());
        number
    }

    /// Returns the sums of the games from a time on, by the numbers of the players.
    fn since(&self, since: Timestamp) -> Vec<TurnSums> {
        let mut sums = vec![TurnSums::default(); self.players.len()];
        for seat in self.recent.iter().filter(|seat| seat.ended_at >= since) {
            if let Some(sums) = sums.get_mut(index(seat.player)) {
                sums.add(seat.turns, seat.points);
            }
        }
        sums
    }
}

/// Returns the place of a player's number.
fn index(player: u32) -> usize {
    usize::try_from(player).unwrap_or(usize::MAX)
}

//! The final scores of a game in rank order, with their parts.

use tilewire_client::GameView;
use tilewire_protocol::{GameResult, SeatResult};

use super::{player_name, printable};

/// The final score of one player, and its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// The name of the player.
    pub name: String,
    /// The rank, 1 for the best; 0 in a game without a result.
    pub rank: u8,
    /// The final score.
    pub final_score: i32,
    /// The score before the adjustments.
    pub score: i32,
    /// The points for unplayed tiles.
    pub rack_points: i32,
    /// The points for overtime, zero or negative.
    pub time_penalty: i32,
    /// The unplayed tiles, as text.
    pub rack: String,
}

impl Account {
    fn of(view: &GameView, result: &SeatResult) -> Self {
        Self {
            name: player_name(view, result.seat),
            rank: result.rank,
            final_score: result.final_score,
            score: result.score,
            rack_points: result.rack_points,
            time_penalty: result.time_penalty,
            rack: result.rack.iter().map(|face| printable(face)).collect(),
        }
    }

    /// The place of the player: `1.`, or nothing in a game without a result.
    fn place(&self) -> String {
        match self.rank {
            0 => "  ".to_owned(),
            rank => format!("{rank}."),
        }
    }

    /// The score with its parts, such as `  36 = 40 -4 (FA)`; the parts are left out if there is only one.
    fn points(&self) -> String {
        let mut parts = String::new();
        if self.rack_points != 0 {
            parts.push_str(&format!(" {:+}", self.rack_points));
        }
        if !self.rack.is_empty() {
            parts.push_str(&format!(" ({})", self.rack));
        }
        if self.time_penalty != 0 {
            parts.push_str(&format!(" {:+} time", self.time_penalty));
        }
        if self.final_score == self.score && self.rack_points == 0 {
            format!("{:>4}{parts}", self.final_score)
        } else {
            format!("{:>4} = {}{parts}", self.final_score, self.score)
        }
    }
}

/// The accounts of a finished game, in rank order.
#[must_use]
pub fn accounts(view: &GameView, result: &GameResult) -> Vec<Account> {
    let results = result.results.iter();
    ranked(results.map(|seat| Account::of(view, seat)).collect())
}

/// Sorts accounts by rank; players of one rank stay in the order of their seats.
#[must_use]
pub fn ranked(mut accounts: Vec<Account>) -> Vec<Account> {
    accounts.sort_by_key(|account| account.rank);
    accounts
}

/// One line for each account; `name` lays out a name in its column.
#[must_use]
pub fn standings(accounts: &[Account], name: impl Fn(&str) -> String) -> Vec<String> {
    let line = |account: &Account| {
        let (place, points) = (account.place(), account.points());
        format!("{place} {} {points}", name(&account.name))
    };
    accounts.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(name: &str, rank: u8, score: i32, rack_points: i32, rack: &str) -> Account {
        Account {
            name: name.to_owned(),
            rank,
            final_score: score + rack_points,
            score,
            rack_points,
            time_penalty: 0,
            rack: rack.to_owned(),
        }
    }

    #[test]
    fn standings_are_in_rank_order_and_leave_out_empty_parts() {
        let mut late = account("Carla", 3, 30, 0, "AE");
        late.time_penalty = -10;
        late.final_score = 20;
        let accounts = ranked(vec![
            account("Ben", 2, 40, -4, "FA"),
            late,
            account("Anna", 1, 41, 4, ""),
            account("Dora", 4, 0, 0, ""),
        ]);
        assert_eq!(
            standings(&accounts, |name| format!("{name:<5}")),
            [
                "1. Anna    45 = 41 +4",
                "2. Ben     36 = 40 -4 (FA)",
                "3. Carla   20 = 30 (AE) -10 time",
                "4. Dora     0",
            ]
        );
        let aborted = [account("Anna", 0, 0, 0, "")];
        assert_eq!(standings(&aborted, str::to_owned), ["   Anna    0"]);
    }
}

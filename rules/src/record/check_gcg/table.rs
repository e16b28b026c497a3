//! The table of a score sheet: whose turn it is, how many tiles each player and the bag have, whether the game is over.

use crate::choices::InactivityRule;
use crate::record::gcg::{Gcg, INACTIVITY};
use crate::ruleset::RuleSet;
use crate::state::Runs;

/// The kind of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TurnKind {
    Play,
    Exchange,
    Pass,
    /// A turn lost by a failed challenge.
    Lost,
}

/// How a game ends by its own rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// This player has played all tiles, and the bag is empty.
    Out(usize),
    /// Too many turns in a row were without score.
    Inactivity,
}

pub(super) struct Table {
    /// The tiles on each rack.
    racks: Vec<usize>,
    bag: usize,
    rack_size: usize,
    pub(super) runs: Runs,
    rule: InactivityRule,
    /// The player of the last turn.
    last: Option<usize>,
    /// Players whose turn was skipped: they have left the game.
    gone: Vec<bool>,
    /// Whether the last turn was a play that emptied its rack and the bag.
    is_out: bool,
}

impl Table {
    pub(super) fn new(gcg: &Gcg, rules: &RuleSet) -> Self {
        let (players, rack_size) = (gcg.players.len(), usize::from(rules.rack_size));
        let tiles = usize::try_from(rules.tiles.total()).unwrap_or(0);
        let own = gcg
            .pragma(INACTIVITY)
            .and_then(|text| serde_json::from_str(text).ok());
        Self {
            racks: vec![rack_size; players],
            bag: tiles.saturating_sub(players * rack_size),
            rack_size,
            runs: Runs::default(),
            rule: own.unwrap_or(rules.usual.inactivity),
            last: None,
            gone: vec![false; players],
            is_out: false,
        }
    }

    /// Returns the number of tiles in the bag.
    pub(super) const fn bag(&self) -> usize {
        self.bag
    }

    /// Returns the tiles on every rack; none for a player who has left.
    pub(super) fn rack_counts(&self) -> Vec<usize> {
        let racks = self.racks.iter().zip(&self.gone);
        racks
            .map(|(count, is_gone)| if *is_gone { 0 } else { *count })
            .collect()
    }

    /// Whether a player has no tiles left.
    pub(super) fn has_empty_rack(&self) -> bool {
        self.racks.contains(&0)
    }

    /// Returns when turns without score end the game.
    pub(super) const fn rule(&self) -> InactivityRule {
        self.rule
    }

    /// Returns the number of tiles on a rack.
    pub(super) fn rack(&self, seat: usize) -> usize {
        self.racks[seat]
    }

    /// Returns why no turn of this kind can follow, if none can. After an out-play, the opponent may pass to accept it.
    pub(super) fn over(&mut self, kind: TurnKind, is_zero: bool) -> Option<&'static str> {
        if std::mem::take(&mut self.is_out) {
            return (kind != TurnKind::Pass).then_some("a player has played all tiles");
        }
        let is_out = self.bag == 0 && self.racks.contains(&0);
        if is_out {
            return Some("a player has played all tiles");
        }
        let ended = self.rule.ends(self.runs, self.racks.len(), is_zero);
        ended.map(|_| "too many turns in a row without score")
    }

    /// Returns how the game has ended, if it has.
    pub(super) fn end(&self, is_zero: bool) -> Option<End> {
        let out = self.racks.iter().position(|count| *count == 0);
        let ended = self.rule.ends(self.runs, self.racks.len(), is_zero);
        match out {
            Some(seat) if self.bag == 0 => Some(End::Out(seat)),
            _ => ended.map(|_| End::Inactivity),
        }
    }

    /// Whether the turn of a player was left out.
    pub(super) fn is_gone(&self, seat: usize) -> bool {
        self.gone[seat]
    }

    /// Gives the turn to a player.
    ///
    /// # Errors
    /// Says why the player is not on turn. With three or four players, a player whose turn was skipped has left.
    pub(super) fn comes_on_turn(&mut self, seat: usize) -> Result<(), &'static str> {
        let players = self.gone.len();
        let Some(last) = self.last.replace(seat) else {
            return Ok(());
        };
        if last == seat && players > 1 {
            return Err("moves twice in a row");
        }
        let between = (1..players)
            .map(|step| (last + step) % players)
            .take_while(|skipped| *skipped != seat);
        for skipped in between {
            self.gone[skipped] = true;
        }
        if self.gone[seat] {
            return Err("is not on turn: an earlier turn was left out");
        }
        Ok(())
    }

    /// Records a play of so many tiles; the author draws.
    pub(super) fn played(&mut self, seat: usize, laid: usize, score: i32) {
        let left = self.racks[seat].saturating_sub(laid);
        let drawn = self.rack_size.saturating_sub(left).min(self.bag);
        self.bag -= drawn;
        self.racks[seat] = left + drawn;
        self.is_out = self.racks[seat] == 0;
        self.runs = if score == 0 {
            self.runs.after_play_worth_nothing()
        } else {
            Runs::default()
        };
    }

    /// Takes back a play of so many tiles, before which the runs were these.
    pub(super) fn taken_off(&mut self, seat: usize, laid: usize, runs: Runs) {
        let before = (self.racks[seat] + laid).min(self.rack_size);
        self.bag += self.racks[seat] + laid - before;
        self.racks[seat] = before;
        self.is_out = false;
        // Only lost turns can have followed; they count in addition.
        let turns = self.runs.scoreless + 1;
        self.runs = (0..turns).fold(runs, |runs, _| runs.after_scoreless());
    }

    /// Records a turn without a play.
    pub(super) fn passed(&mut self, kind: TurnKind) {
        self.runs = match kind {
            TurnKind::Pass => self.runs.after_pass(),
            _ => self.runs.after_scoreless(),
        };
    }
}

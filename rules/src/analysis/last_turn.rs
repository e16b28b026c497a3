//! The last turn that a search looks at: the racks are counted after it. No tile has to be laid for that.

use std::ops::ControlFlow;

use crate::movegen::Found;

use super::search::{INFINITE, Node, Search, Value};
use super::table::{Compact, FINAL};

/// A turn and its value.
type Rated = (i32, Compact);

impl Search<'_> {
    /// The value of a position with one turn to look ahead.
    pub(super) fn last_turn(&mut self, node: Node, key: u64) -> Value {
        let (own, other) = (self.unplayed(node.side), self.unplayed(1 - node.side));
        let (rules, board, rack) = (self.position.rules, &self.board, &self.racks[node.side]);
        // The best play that ends the game, and the best of the others.
        let (mut out, mut on): (Option<Rated>, Option<Rated>) = (None, None);
        let visit = |found: Found<'_>| {
            let Some(play) = Compact::of(&found) else {
                return ControlFlow::Continue(());
            };
            let (best, points) = if found.laid == rack.len() {
                (&mut out, play.score + 2 * other)
            } else {
                let laid: i32 = found.laid_tiles().map(|tile| rules.tiles.value(tile)).sum();
                (&mut on, play.score + other - (own - laid))
            };
            if best.is_none_or(|(most, _)| points > most) {
                *best = Some((points, play));
            }
            match found.laid == rack.len() && points >= node.beta {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let flow = self
            .generator
            .try_for_each(self.graph, rules, board, rack, visit);
        let pass = (other - own, Compact::PASS);
        // A pass gains no more than this, and just this if it ends the game.
        let is_sure = node.idle.is_short() && pass.0 <= node.alpha
            || node.idle.ends_with_pass(self.position.inactivity);
        let is_final = flow.is_break() || on.is_none() && is_sure;
        let others = [Some(pass), on].into_iter().flatten();
        let others = others.filter(|_| flow.is_continue());
        let none = (-INFINITE, Compact::PASS);
        let better = |best: Rated, turn: Rated| if turn.0 > best.0 { turn } else { best };
        let (points, turn) = out.into_iter().chain(others).fold(none, better);
        let depth = if is_final { FINAL } else { 1 };
        self.table.put(key, points, node.bound(points), depth, turn);
        Value {
            points,
            is_cut: !is_final,
        }
    }
}

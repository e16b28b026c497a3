//! The end of a simulation, and its outcome.

use std::collections::BTreeMap;

use super::{Coming, END_MS, Exit, RESULTS_MS, World};
use crate::simulation::Outcome;

/// How much longer games take whose players are on vacation, ms.
const VACATIONS_MS: i64 = 6 * 24 * 3_600_000;

impl World {
    /// All clients have left and nothing fails: every game must end.
    pub(super) fn end(&mut self) -> Option<Exit> {
        self.auditor.is_now(self.wall());
        self.disk.look(|durable| {
            self.auditor.check_letters(durable);
            self.auditor.check_webhooks(durable);
            self.auditor.check_vacations(durable);
        });
        let play_ms = self.scenario.play_ms;
        let end_ms = match self.scenario.has_vacations {
            true => END_MS + VACATIONS_MS,
            false => END_MS,
        };
        if self.auditor.is_all_over() {
            let is_posted = self.disk.look(|durable| self.auditor.is_posted(durable));
            if self.auditor.is_chronicled() && is_posted {
                return Some(Exit::Done);
            }
            let hidden_ms = self.auditor.hidden_for(self.wall());
            if hidden_ms > 0 {
                self.at(self.now + hidden_ms, Coming::End);
                return None;
            }
            let since = *self.over_since.get_or_insert(self.now);
            assert!(
                self.now <= since + RESULTS_MS,
                "a game gets no result, or an event does not come"
            );
            self.at(self.now + 10_000, Coming::End);
            return None;
        }
        if let Some(stuck) = self.auditor.stuck(self.wall()) {
            panic!("a game is stuck: {stuck}");
        }
        assert!(
            self.now < play_ms + end_ms,
            "some game does not come to its end"
        );
        let wait = if self.now < play_ms + 600_000 {
            20_000
        } else {
            600_000
        };
        self.at(self.now + wait, Coming::End);
        None
    }

    pub(in crate::simulation) fn outcome(mut self, broken: Option<String>) -> Outcome {
        let (games, events) = self.auditor.counts();
        let mut kinds: BTreeMap<&'static str, u64> = BTreeMap::new();
        for kind in self.auditor.kinds() {
            *kinds.entry(kind).or_default() += 1;
        }
        Outcome {
            hash: self.trace.hash(),
            spectators: self.spectators.hash(),
            broken,
            nodes: self.auditor.node_counts(),
            games,
            events,
            starts: self.starts,
            stalls: self.auditor.stalls(),
            slept_through: self.auditor.slept_through,
            jumps: self.jumps,
            rated: self.auditor.rated(),
            points: self.auditor.points(),
            waits: self.auditor.waits(),
            chat_lines: self.auditor.chat_lines(),
            rematches: self.auditor.rematches(),
            with_criteria: self.auditor.begun_with_criteria(),
            invitations: self.auditor.invitations(),
            dealings: self.auditor.dealings(),
            letters: self.auditor.letter_counts(),
            webhooks: self.auditor.webhook_counts(),
            asked: self.asked,
            rests: self.disk.look(|durable| durable.rests),
            boundaries: self.disk.boundaries(),
            checked: self.auditor.checked,
            kinds,
            lines: self.trace.take_lines(),
        }
    }
}

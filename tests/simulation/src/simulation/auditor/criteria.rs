//! The criteria of seeks once more: no game begins against the criteria of the seek that it comes from, nobody but the
//! owner is shown an exclusion, and rated quick matches are within their range (P-CRIT).

use std::collections::BTreeMap;

use tilewire_protocol::{ClientMessage, GameId, OkBody, Seek, SeekCriteria, SeekId};
use tilewire_rules::event::PlayerKind;

use super::Auditor;
use crate::simulation::line::LineId;

/// The range of a quick match at first, its steps, the time of a step, and the largest range.
const START: u32 = 100;
const STEP: u32 = 50;
const STEP_MS: i64 = 5_000;
const MOST: u32 = 500;

/// The criteria that players have asked for.
#[derive(Debug, Default)]
pub(super) struct Criteria {
    /// The owner of each seek, what it asked for, and when.
    wanted: BTreeMap<SeekId, Wanted>,
    /// The games that began from a seek with criteria or a range.
    begun: u64,
}

/// The clients that are told of a seek.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Audience {
    /// One message for all subscribers.
    Everybody,
    /// A message for one client.
    Members,
}

#[derive(Debug)]
struct Wanted {
    owner: String,
    criteria: Option<SeekCriteria>,
    /// Of a rated quick match: since when it waits, and whether any rating is good in the end.
    quick: Option<(i64, bool)>,
}

impl Auditor {
    /// Returns how many games came from seeks for certain players.
    #[must_use]
    pub const fn begun_with_criteria(&self) -> u64 {
        self.criteria.begun
    }

    /// A seek is opened or joined.
    pub(super) fn seek_answered(
        &mut self,
        (line, identity): (LineId, &str),
        asked: &ClientMessage,
        ok: &OkBody,
    ) {
        let Some(seek) = &ok.seek else { return };
        self.check_seeks_shown(line, std::iter::once(seek), Audience::Members);
        if seek.owner.0 != identity {
            return;
        }
        let (criteria, quick) = match asked {
            ClientMessage::Seek(body) => (body.criteria.as_deref().cloned(), None),
            ClientMessage::QuickMatch(body) if body.options.rated => {
                (None, Some((seek.created_at, body.any_rating)))
            }
            _ => return,
        };
        let wanted = Wanted {
            owner: identity.to_owned(),
            criteria,
            quick,
        };
        self.criteria
            .wanted
            .entry(seek.seek.clone())
            .or_insert(wanted);
    }

    /// A client is shown seeks: none that excludes it, and whom one excludes only to its owner.
    pub(super) fn check_seeks_shown<'a>(
        &self,
        line: LineId,
        seeks: impl Iterator<Item = &'a Seek>,
        told: Audience,
    ) {
        let identity = self
            .lines
            .get(&line)
            .and_then(|line| line.identity.as_deref());
        let identity = identity.unwrap_or_default();
        for seek in seeks {
            let criteria = seek.criteria.as_deref();
            let shows = criteria.is_some_and(|criteria| !criteria.exclude.is_empty());
            let may_show = told == Audience::Members && seek.owner.0 == identity;
            assert!(!shows || may_show, "{line} is shown whom {seek:?} excludes");
            let wanted = self.criteria.wanted.get(&seek.seek);
            let criteria = wanted.and_then(|wanted| wanted.criteria.as_ref());
            let mut excluded = criteria.iter().flat_map(|criteria| &criteria.exclude);
            assert!(
                !excluded.any(|handle| self.has_handle(identity, handle)),
                "{line} is excluded from {seek:?}"
            );
        }
    }

    /// A seek became a game that is stored.
    pub(super) fn check_criteria(&mut self, seek: &SeekId, game: &GameId) {
        let Some(wanted) = self.criteria.wanted.remove(seek) else {
            return;
        };
        let Some(log) = self.logs.get(game) else {
            return;
        };
        let began_at = log.records[0].at.0;
        let players = &log.book.created.players;
        let own = players.iter().find(|one| one.identity == wanted.owner);
        let own = own.expect("the owner plays");
        for player in players.iter().filter(|one| one.identity != wanted.owner) {
            if let Some(criteria) = &wanted.criteria {
                let is_guest = player.kind.is_none_or(|kind| kind == PlayerKind::Guest);
                assert!(
                    !criteria.registered || !is_guest,
                    "{player:?} plays {game:?} in spite of {criteria:?}"
                );
                let is_excluded = criteria
                    .exclude
                    .iter()
                    .any(|handle| self.has_handle(&player.identity, handle));
                assert!(!is_excluded, "{player:?} is excluded from {game:?}");
            }
            // Ratings at the creation; a change between the decision and the creation is not told, and larger than a step only
            // for players whose rating is not established.
            if let (Some((since, any)), Some(own), Some(other)) =
                (wanted.quick, own.rating, player.rating)
            {
                let is_settled = !own.provisional && !other.provisional;
                let is_new = own.deviation == 350 && other.deviation == 350;
                let points = points(began_at - since, any);
                assert!(
                    !(is_settled || is_new) || own.value.abs_diff(other.value) <= points,
                    "{own:?} and {other:?} play {game:?} after {} ms",
                    began_at - since
                );
            }
        }
        if wanted.quick.is_some() || wanted.criteria.is_some() {
            self.criteria.begun += 1;
        }
    }
}

/// The largest difference after a wait, one step at a time.
fn points(waited_ms: i64, any: bool) -> u32 {
    let (mut points, mut next_ms) = (START, STEP_MS);
    while next_ms <= waited_ms {
        if points == MOST {
            return if any { u32::MAX } else { MOST };
        }
        points += STEP;
        next_ms += STEP_MS;
    }
    points
}

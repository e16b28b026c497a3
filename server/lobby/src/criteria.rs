//! The players that a seek admits (P-CRIT): its criteria, its excluded players, and the rating range of a quick match.
//!
//! A seek does not exist for an excluded player, as for a blocked one. So the list of excluded players is beside the
//! seek that clients see, and `OpenSeek::shown_to` adds it for the owner alone.

use serde::{Deserialize, Serialize};
use tilewire_people::pools::TimeClass;
use tilewire_protocol::{ErrorCode, IdentityId, Person, QuickRange, Seek, SeekCriteria};
use tilewire_rules::event::PlayerKind;
use tilewire_rules::options::GameOptions;
use tilewire_rules::time::{Millis, Timestamp};

use super::decision::{Asker, Context, Follows, Plan, Reach};
use super::machine::refusal;
use super::open_seek::OpenSeek;
use super::rated;
use tilewire_accounts::people::Ratings;
use tilewire_wire::Refusal;

/// The players that an owner wants.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Criteria {
    /// The criteria that everybody sees.
    pub shown: SeekCriteria,
    /// The players for whom the seek does not exist.
    pub excluded: Vec<Excluded>,
}

/// A player for whom a seek does not exist.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excluded {
    /// The identity.
    pub identity: String,
    /// The handle when the seek was opened.
    pub handle: String,
}

/// How the rating range of a quick match widens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RangeBounds {
    /// The largest difference between two ratings at first, points.
    pub start: u32,
    /// How much larger it becomes with each step, points.
    pub step: u32,
    /// The time between two steps.
    pub every_ms: Millis,
    /// The largest difference of all, points.
    pub most: u32,
}

/// The criterion that a player does not meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// The rating is outside the criteria, or outside the range of the quick match.
    #[error("your rating is outside the range that the seek admits")]
    Rating,
    /// The rating is provisional.
    #[error("the seek admits established ratings only, and yours is provisional")]
    Provisional,
    /// The player is a guest.
    #[error("the seek admits registered players only")]
    Guest,
    /// The owner does not follow the player.
    #[error("the seek admits only players whom its owner follows")]
    NotFollowed,
}

/// The facts at a time that the criteria depend on.
#[derive(Clone, Copy)]
pub(super) struct Facts<'a> {
    /// Server time.
    pub(super) now: Timestamp,
    /// Says whether the first of two identities follows the second.
    pub(super) follows: Follows<'a>,
    /// The ratings of players.
    pub(super) ratings: &'a dyn Ratings,
}

impl Unfit {
    /// Returns the code of the criterion, for programs.
    const fn code(self) -> &'static str {
        match self {
            Self::Rating => "rating",
            Self::Provisional => "provisional",
            Self::Guest => "guest",
            Self::NotFollowed => "not_followed",
        }
    }
}

impl From<Unfit> for Refusal {
    fn from(unfit: Unfit) -> Self {
        let mut refusal = Self::new(ErrorCode::NotEligible, unfit.to_string());
        refusal.detail.reason = Some(unfit.code().to_owned());
        refusal
    }
}

impl RangeBounds {
    /// Returns the range of a quick match for a game with these options; `None` if the game is not rated.
    pub(super) fn range(&self, options: &GameOptions, reach: Reach) -> Option<QuickRange> {
        options.rated.then_some(QuickRange {
            start: self.start,
            step: self.step,
            every_ms: self.every_ms.0,
            most: self.most,
            any: reach == Reach::AnyRating,
        })
    }
}

impl<'a> Context<'a> {
    /// Returns the facts that criteria depend on.
    pub(super) const fn facts(&self) -> Facts<'a> {
        Facts {
            now: self.now,
            follows: self.follows,
            ratings: self.ratings,
        }
    }
}

impl Criteria {
    /// Checks that a client may open a seek with these criteria.
    ///
    /// # Errors
    /// The reason why not.
    pub(super) fn check(&self, asker: &Asker, options: &GameOptions) -> Result<(), Refusal> {
        let needs_account = self.shown.followed || !self.excluded.is_empty();
        if needs_account && asker.kind == PlayerKind::Guest {
            return Err(refusal(ErrorCode::NotRegistered));
        }
        let is_own = |excluded: &Excluded| excluded.identity == asker.identity;
        if self.excluded.iter().any(is_own) {
            return Err(refusal(ErrorCode::Yourself));
        }
        if self.shown.is_about_rating() && TimeClass::of(options.clock).is_none() {
            let text = "an untimed game has no ratings";
            return Err(Refusal::field(ErrorCode::BadOptions, "criteria", text));
        }
        Ok(())
    }

    /// Gives a seek these criteria.
    pub(super) fn apply(self, open: &mut OpenSeek) {
        open.seek.criteria = (!self.shown.is_empty()).then(|| Box::new(self.shown));
        open.excluded = self.excluded;
    }
}

impl Plan {
    /// Shows the seek in the answer as the client sees it.
    pub(super) fn show_to(mut self, asker: &Asker) -> Self {
        if let Some(answered) = &mut self.answer.seek {
            let mut all = self.put.iter().chain(&self.start);
            if let Some(open) = all.find(|open| open.seek.seek == answered.seek) {
                *answered = open.shown_to(&asker.identity);
            }
        }
        self
    }
}

impl OpenSeek {
    /// Says whether the seek does not exist for an identity because its owner excludes it.
    pub(super) fn excludes(&self, identity: &str) -> bool {
        let mut excluded = self.excluded.iter();
        excluded.any(|excluded| excluded.identity == identity)
    }

    /// Returns the identities for whom the seek does not exist.
    pub(super) fn excluded_identities(&self) -> Vec<IdentityId> {
        let excluded = self.excluded.iter();
        let identities = excluded.map(|excluded| IdentityId(excluded.identity.clone()));
        identities.collect()
    }

    /// Returns the seek as an identity sees it: only members see the code, and only the owner sees the excluded players.
    pub(super) fn shown_to(&self, identity: &str) -> Seek {
        let mut shown = self.seek.clone();
        shown.code.take_if(|_| self.member(identity).is_none());
        if !self.excluded.is_empty() && self.seek.owner.0 == identity {
            let criteria = shown.criteria.get_or_insert_default();
            let handles = self.excluded.iter();
            criteria.exclude = handles.map(|excluded| excluded.handle.clone()).collect();
        }
        shown
    }

    /// Checks that a player meets the criteria of the seek now, and is within the range of the quick match.
    ///
    /// # Errors
    /// The first criterion that the player does not meet.
    pub(super) fn check_fit(
        &self,
        identity: &str,
        kind: PlayerKind,
        facts: &Facts<'_>,
    ) -> Result<(), Unfit> {
        if let Some(criteria) = self.seek.criteria.as_deref() {
            self.check_criteria(criteria, identity, kind, facts)?;
        }
        match &self.seek.range {
            Some(range) if !self.is_within(range, self.waited_ms(facts), identity, kind, facts) => {
                Err(Unfit::Rating)
            }
            _ => Ok(()),
        }
    }

    fn check_criteria(
        &self,
        criteria: &SeekCriteria,
        identity: &str,
        kind: PlayerKind,
        facts: &Facts<'_>,
    ) -> Result<(), Unfit> {
        if criteria.registered && kind == PlayerKind::Guest {
            return Err(Unfit::Guest);
        }
        if criteria.followed && !(facts.follows)(&self.seek.owner.0, identity) {
            return Err(Unfit::NotFollowed);
        }
        if !criteria.is_about_rating() {
            return Ok(());
        }
        let rating = rated::rating_of(facts.ratings, identity, kind, &self.options);
        let rating = rating.ok_or(Unfit::Guest)?;
        if criteria.established && rating.provisional {
            return Err(Unfit::Provisional);
        }
        let is_too_low = criteria.min_rating.is_some_and(|min| rating.value < min);
        let is_too_high = criteria.max_rating.is_some_and(|max| rating.value > max);
        match is_too_low || is_too_high {
            true => Err(Unfit::Rating),
            false => Ok(()),
        }
    }

    /// Says whether the ratings of a player and of the owner are close enough for a range after a wait.
    pub(super) fn is_within(
        &self,
        range: &QuickRange,
        waited_ms: Millis,
        identity: &str,
        kind: PlayerKind,
        facts: &Facts<'_>,
    ) -> bool {
        let owner = &self.seek.members[0];
        let rating_of = |identity: &str, kind| {
            let rating = rated::rating_of(facts.ratings, identity, kind, &self.options);
            rating.map(|rating| rating.value)
        };
        let own = rating_of(&owner.identity.0, rated::kind_of(owner));
        let other = rating_of(identity, kind);
        own.zip(other)
            .is_some_and(|(own, other)| range.admits(own, other, waited_ms.0))
    }

    /// Says whether the seek admits all members of another one.
    pub(super) fn admits(&self, other: &Self, facts: &Facts<'_>) -> bool {
        let mut people = other.seek.members.iter();
        people.all(|person| !self.excludes(&person.identity.0) && self.has_fit(person, facts))
    }

    /// Removes the members that do not meet the criteria any more, before the game begins or another member joins. Returns
    /// them.
    pub(super) fn remove_unfit(&mut self, facts: &Facts<'_>) -> Vec<IdentityId> {
        let unfit = self.unfit_members(facts);
        if !unfit.is_empty() {
            self.remove_members(|person| unfit.contains(&person.identity));
        }
        unfit
    }

    /// Returns the members that do not meet the criteria now.
    pub(super) fn unfit_members(&self, facts: &Facts<'_>) -> Vec<IdentityId> {
        let others = self.seek.members.iter().skip(1);
        let unfit = others.filter(|person| !self.has_fit(person, facts));
        unfit.map(|person| person.identity.clone()).collect()
    }

    fn has_fit(&self, person: &Person, facts: &Facts<'_>) -> bool {
        let kind = rated::kind_of(person);
        person.bot || self.check_fit(&person.identity.0, kind, facts).is_ok()
    }

    /// Returns how long the seek has been open.
    pub(super) fn waited_ms(&self, facts: &Facts<'_>) -> Millis {
        facts.now - Timestamp(self.seek.created_at)
    }

    /// Returns when the range of the quick match next becomes wider after a time; `None` if it does not.
    pub(super) fn widens_at(&self, after: Timestamp) -> Option<Timestamp> {
        let opened_at = Timestamp(self.seek.created_at);
        let range = self.seek.range.as_ref()?;
        let waited_ms = range.widens_after((after - opened_at).0)?;
        Some(opened_at + Millis(waited_ms))
    }
}

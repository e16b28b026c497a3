//! The lobby as a machine without I/O: the open seeks, and the rules for them.
//!
//! [`Lobby::decide`] changes nothing: it returns a [`Plan`]. The shell adopts the plan with [`Lobby::adopt`], so that
//! the next decision builds on it, and announces it only when it is stored. If it cannot be stored,
//! [`Lobby::take_back`] undoes it. So no client learns of a seek that a crash would lose.

use tilewire_protocol::{ErrorCode, GameId, IdentityId, OkBody, Person, Seek, SeekId};
use tilewire_rules::options::GameOptions;
use tilewire_rules::time::{Millis, Timestamp};

use super::decision::{
    Action, AreBlocked, Asker, Context, Former, LobbyBounds, Plan, Reach, Visibility,
};
use super::open_seek::OpenSeek;
use super::rated::{self, member};
use super::seeks::Seeks;
use tilewire_wire::{Refusal, options};

/// The state of the lobby.
#[derive(Debug, Default)]
pub struct Lobby {
    pub(super) seeks: Seeks,
}

impl Lobby {
    /// Returns a lobby with the stored seeks.
    #[must_use]
    pub fn new(seeks: Vec<OpenSeek>) -> Self {
        let mut lobby = Self::default();
        for open in seeks {
            lobby.seeks.insert(open);
        }
        lobby
    }

    /// Returns all seeks, the oldest first.
    pub fn seeks(&self) -> impl Iterator<Item = &OpenSeek> {
        self.seeks.by_age()
    }

    /// Returns the number of seeks an identity is a member of, including those that are becoming games.
    #[must_use]
    pub fn seeks_of(&self, identity: &str) -> usize {
        self.seeks.of_member(identity).count()
    }

    /// Returns the seeks that an identity is a member of.
    pub(super) fn seeks_with(&self, identity: &str) -> impl Iterator<Item = &OpenSeek> {
        self.seeks.of_member(identity)
    }

    /// Says whether an identity sees a seek otherwise than most clients do: as a member of a private seek, or as the owner of a
    /// seek that excludes players.
    pub(super) fn has_own_view(&self, identity: &str) -> bool {
        let mut own = self.seeks.of_member(identity);
        own.any(|open| open.seek.private || !open.excluded.is_empty())
    }

    /// Says whether the owner of an open seek excludes an identity.
    pub(super) fn excludes(&self, identity: &str) -> bool {
        self.seeks.exclude(identity)
    }

    /// Returns the open public seeks with equal options, the oldest first.
    pub(super) fn equal_to<'a>(
        &'a self,
        options: &'a GameOptions,
    ) -> impl Iterator<Item = &'a OpenSeek> {
        self.seeks.equal_to(options)
    }

    /// Returns when the rating range of a quick match next becomes wider after a time.
    pub(super) fn widens_at(&self, after: Timestamp) -> Option<Timestamp> {
        self.seeks.widens_at(after)
    }

    /// Returns a seek.
    #[must_use]
    pub fn get(&self, seek: &SeekId) -> Option<&OpenSeek> {
        self.seeks.get(seek)
    }

    /// Returns the offer of a rematch of a game.
    #[must_use]
    pub fn rematch_of(&self, game: &GameId) -> Option<&OpenSeek> {
        self.seeks.rematch_of(game)
    }

    /// Returns how many seeks there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.seeks.len()
    }

    /// Says whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.seeks.len() == 0
    }

    /// Returns the plan for an action, and changes nothing.
    ///
    /// # Errors
    /// The reason why the action is refused.
    pub fn decide(
        &self,
        bounds: &LobbyBounds,
        context: Context<'_>,
        asker: &Asker,
        action: Action,
    ) -> Result<Plan, Refusal> {
        let plan = self.plan(bounds, context, asker, action)?;
        Ok(plan.show_to(asker))
    }

    fn plan(
        &self,
        bounds: &LobbyBounds,
        context: Context<'_>,
        asker: &Asker,
        action: Action,
    ) -> Result<Plan, Refusal> {
        match action {
            Action::Open(options, visibility, bots, criteria) => {
                criteria.check(asker, &options)?;
                let waits = bots.len() + 1 < usize::from(options.seats);
                if visibility == Visibility::Public && waits {
                    self.refuse_second(asker, &options)?;
                }
                self.check_open_seeks(bounds, asker)?;
                let mut plan = self.open(bounds, context, asker, options, visibility, bots)?;
                if let Some(open) = plan.put.first_mut() {
                    criteria.apply(open);
                }
                Ok(plan)
            }
            Action::Quick(options, reach) => self.quick(bounds, context, asker, options, reach),
            Action::Join(seek) => {
                let open = self.find(&seek, asker, &context)?;
                if open.seek.private {
                    return Err(refusal(ErrorCode::UnknownSeek));
                }
                join(open.clone(), context, asker)
            }
            Action::JoinByCode(code) => {
                let open = self.by_code(&code, &asker.identity, context.are_blocked)?;
                join(open.clone(), context, asker)
            }
            Action::OfferRematch(finished) => self.offer_rematch(bounds, context, asker, &finished),
            Action::DeclineRematch(game) => self.decline_rematch(&context, asker, &game),
            Action::Invite(options, invited) => {
                self.invite(bounds, context, asker, options, &invited)
            }
            Action::AnswerInvitation(invitation, answer) => {
                self.answer_invitation(context, asker, &invitation, answer)
            }
            Action::Leave(seek) => self.leave(&seek, &context, asker),
            Action::Cancel(seek) => Ok(Plan {
                remove: vec![self.own(&seek, asker, &context)?.clone()],
                ..Plan::default()
            }),
            Action::Start(seek) => {
                let mut open = self.own(&seek, asker, &context)?.clone();
                open.remove_absent(context.is_online);
                let mut left_out = open.remove_blocked(context.are_blocked);
                left_out.extend(open.remove_unfit(&context.facts()));
                if open.seek.members.len() < 2 {
                    return Err(refusal(ErrorCode::TooFewPlayers));
                }
                Ok(Plan {
                    left_out,
                    ..starting(open, context.fresh_game)
                })
            }
        }
    }

    /// Makes a plan the state; returns what [`Lobby::take_back`] needs to undo it.
    pub fn adopt(&mut self, plan: &Plan) -> Former {
        let mut former = Vec::new();
        for open in plan.put.iter().chain(&plan.start) {
            let seek = open.seek.seek.clone();
            let before = self.seeks.insert(open.clone());
            former.push((seek, before));
        }
        for open in &plan.remove {
            let before = self.seeks.remove(&open.seek.seek);
            former.push((open.seek.seek.clone(), before));
        }
        Former(former)
    }

    /// Removes a seek.
    pub fn remove(&mut self, seek: &SeekId) {
        self.seeks.remove(seek);
    }

    /// Undoes the plan that was adopted last.
    pub fn take_back(&mut self, former: Former) {
        for (seek, before) in former.0.into_iter().rev() {
            match before {
                Some(open) => self.seeks.insert(open),
                None => self.seeks.remove(&seek),
            };
        }
    }

    /// Refuses to look for a game for an identity that is looking for an equal one already.
    fn refuse_second(&self, asker: &Asker, options: &GameOptions) -> Result<(), Refusal> {
        let mut own = self.seeks.of_member(&asker.identity);
        if own.any(|open| open.offers(options)) {
            let text = "you are already looking for a game with these options";
            return Err(Refusal::new(ErrorCode::AlreadySeeking, text));
        }
        Ok(())
    }

    /// Joins the oldest seek that fits, or opens one.
    fn quick(
        &self,
        bounds: &LobbyBounds,
        context: Context<'_>,
        asker: &Asker,
        options: GameOptions,
        reach: Reach,
    ) -> Result<Plan, Refusal> {
        self.refuse_second(asker, &options)?;
        let range = bounds.range.range(&options, reach);
        let facts = context.facts();
        let (identity, kind) = (&asker.identity, asker.kind);
        let can_join = |open: &&OpenSeek| {
            open.fits(&options, identity, context.is_online)
                && is_open_to(open, &asker.identity, context.are_blocked)
                && rated::check_members(&open.with_member(asker, context.ratings)).is_ok()
                && open.check_fit(identity, kind, &facts).is_ok()
                && range
                    .as_ref()
                    .is_none_or(|range| open.is_within(range, Millis::ZERO, identity, kind, &facts))
        };
        if let Some(open) = self.equal_to(&options).find(can_join) {
            return join(open.clone(), context, asker);
        }
        self.check_open_seeks(bounds, asker)?;
        let (public, nobody) = (Visibility::Public, Vec::new());
        let mut plan = self.open(bounds, context, asker, options, public, nobody)?;
        for open in &mut plan.put {
            open.is_quick = true;
            open.seek.range = range;
        }
        Ok(plan)
    }

    /// Checks that an identity may have one more seek of its own. Invitations do not count.
    pub(super) fn check_open_seeks(
        &self,
        bounds: &LobbyBounds,
        asker: &Asker,
    ) -> Result<(), Refusal> {
        let own = self
            .seeks
            .of_member(&asker.identity)
            .filter(|open| open.seek.owner.0 == asker.identity && open.invitation.is_none());
        if own.count() >= bounds.seeks_per_identity {
            return Err(refusal(ErrorCode::TooManySeeks));
        }
        Ok(())
    }

    pub(super) fn open(
        &self,
        bounds: &LobbyBounds,
        context: Context<'_>,
        asker: &Asker,
        options: GameOptions,
        visibility: Visibility,
        bots: Vec<Person>,
    ) -> Result<Plan, Refusal> {
        if bots.len() >= usize::from(options.seats) {
            let text = "there are more bots than seats beside your own";
            return Err(Refusal::field(ErrorCode::BadOptions, "bots", text));
        }
        let has_code = visibility == Visibility::Private;
        if !self.seeks.has_room(asker.address, bounds.seeks_per_address) {
            let text = "your address has too many open seeks";
            return Err(Refusal::new(ErrorCode::TooManySeeks, text));
        }
        let seek = Seek {
            seek: context.fresh_seek,
            owner: IdentityId(asker.identity.clone()),
            options: options::to_wire(&options),
            private: visibility != Visibility::Public,
            code: has_code.then_some(context.fresh_code),
            members: std::iter::once(member(asker, context.ratings, &options))
                .chain(bots)
                .collect(),
            created_at: context.now.0,
            criteria: None,
            range: None,
        };
        let mut nonce_hashes = vec![None; seek.members.len()];
        nonce_hashes[0].clone_from(&asker.nonce_hash);
        let open = OpenSeek {
            seek,
            options,
            nonce_hashes,
            starting: None,
            is_quick: false,
            excluded: Vec::new(),
            paired: None,
            rematch: None,
            invitation: None,
            orphaned_at: None,
            from: asker.address,
        };
        rated::check_members(&open)?;
        if open.is_full() {
            return Ok(starting(open, context.fresh_game));
        }
        let remove = self.make_room(bounds)?;
        let answer = OkBody {
            seek: Some(open.seek.clone()),
            ..OkBody::default()
        };
        Ok(Plan {
            put: vec![open],
            remove,
            answer,
            ..Plan::default()
        })
    }

    /// Returns the seek that has to be closed before another one is opened, if the lobby is full.
    fn make_room(&self, bounds: &LobbyBounds) -> Result<Vec<OpenSeek>, Refusal> {
        if self.seeks.len() < bounds.seeks {
            return Ok(Vec::new());
        }
        let orphan = self.seeks.longest_orphan().cloned();
        let full = "there are as many open seeks as there may be";
        orphan
            .map(|orphan| vec![orphan])
            .ok_or_else(|| Refusal::new(ErrorCode::Busy, full))
    }

    fn leave(&self, seek: &SeekId, context: &Context<'_>, asker: &Asker) -> Result<Plan, Refusal> {
        let mut open = self.find(seek, asker, context)?.clone();
        let Some(at) = open.member(&asker.identity) else {
            return Err(refusal(ErrorCode::NotAMember));
        };
        if at == 0 {
            // A seek is closed when its owner leaves.
            return Ok(Plan {
                remove: vec![open],
                ..Plan::default()
            });
        }
        open.seek.members.remove(at);
        open.nonce_hashes.remove(at);
        Ok(Plan {
            put: vec![open],
            ..Plan::default()
        })
    }

    /// Returns a seek that is open to a client.
    fn find(
        &self,
        seek: &SeekId,
        asker: &Asker,
        context: &Context<'_>,
    ) -> Result<&OpenSeek, Refusal> {
        let open = self.seeks.get(seek).filter(|open| !open.is_offer());
        open.filter(|open| is_open_to(open, &asker.identity, context.are_blocked))
            .ok_or_else(|| refusal(ErrorCode::UnknownSeek))
    }

    /// Returns the seek with this code, in the form of [`tilewire_base::ids::normal_code`], if it is open to an identity.
    ///
    /// # Errors
    /// `wrong_code`, if there is none.
    pub(super) fn by_code(
        &self,
        code: &str,
        identity: &str,
        are_blocked: AreBlocked<'_>,
    ) -> Result<&OpenSeek, Refusal> {
        let mut seeks = self.seeks();
        let open = seeks.find(|open| open.seek.code.as_deref() == Some(code));
        open.filter(|open| is_open_to(open, identity, are_blocked))
            .ok_or_else(|| refusal(ErrorCode::WrongCode))
    }

    fn own(
        &self,
        seek: &SeekId,
        asker: &Asker,
        context: &Context<'_>,
    ) -> Result<&OpenSeek, Refusal> {
        let open = self.find(seek, asker, context)?;
        match open.member(&asker.identity) {
            Some(0) => Ok(open),
            Some(_) => Err(refusal(ErrorCode::NotTheOwner)),
            None if open.seek.private => Err(refusal(ErrorCode::UnknownSeek)),
            None => Err(refusal(ErrorCode::NotTheOwner)),
        }
    }
}

/// Says whether a seek exists for a client. For one whom a member blocks, that blocks a member, or that the owner excludes, it
/// does not: every answer is that of a seek that is gone.
fn is_open_to(open: &OpenSeek, identity: &str, are_blocked: AreBlocked<'_>) -> bool {
    open.starting.is_none() && !open.is_closed_to(identity, are_blocked)
}

/// Returns the plan that adds a client to a seek.
pub(super) fn join(
    mut open: OpenSeek,
    context: Context<'_>,
    asker: &Asker,
) -> Result<Plan, Refusal> {
    if open.member(&asker.identity).is_some() {
        return Err(refusal(ErrorCode::AlreadyJoined));
    }
    if open.is_live() && !(context.is_online)(&open.seek.owner.0) {
        return Err(refusal(ErrorCode::OwnerAway));
    }
    open.remove_absent(context.is_online);
    let mut left_out = open.remove_blocked(context.are_blocked);
    left_out.extend(open.remove_unfit(&context.facts()));
    if open.is_full() {
        return Err(refusal(ErrorCode::SeekFull));
    }
    open = open.with_member(asker, context.ratings);
    rated::check_members(&open)?;
    open.check_fit(&asker.identity, asker.kind, &context.facts())?;
    if open.is_full() {
        return Ok(Plan {
            left_out,
            ..starting(open, context.fresh_game)
        });
    }
    let answer = OkBody {
        seek: Some(open.seek.clone()),
        ..OkBody::default()
    };
    Ok(Plan {
        put: vec![open],
        left_out,
        answer,
        ..Plan::default()
    })
}

pub(super) fn starting(mut open: OpenSeek, game: GameId) -> Plan {
    open.starting = Some(game.clone());
    let answer = OkBody {
        seek: Some(open.seek.clone()),
        game: Some(game),
        ..OkBody::default()
    };
    Plan {
        start: Some(open),
        answer,
        ..Plan::default()
    }
}

pub(super) fn refusal(code: ErrorCode) -> Refusal {
    Refusal::new(code, code.meaning())
}

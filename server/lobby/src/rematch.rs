//! Rematches: offers to play again with the same players, options and seats (P-REMATCH).
//!
//! An offer is a seek that the lobby hides from everybody but the players of the game. So it is stored, expires and becomes
//! a game as other seeks do. The id of the new game follows from the id of the old one: a game has one rematch at most.

use serde::{Deserialize, Serialize};
use tilewire_protocol::{ErrorCode, GameId, OkBody, Person, RematchChanged, RematchEnd};
use tilewire_rules::event::{Player, Series};
use tilewire_rules::options::GameOptions;
use tilewire_rules::time::{Millis, Timestamp};

use super::decision::{Asker, Context, LobbyBounds, Plan, Visibility};
use super::machine::{Lobby, refusal, starting};
use super::open_seek::OpenSeek;
use super::rated;
use tilewire_base::house_bots::is_house_bot;
use tilewire_wire::{Refusal, kind_to_wire, level as level_to_wire};

/// The additional data of a seek that offers a rematch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// The game that has ended.
    pub of: GameId,
    /// The identities of its players, by seat.
    pub seats: Vec<String>,
    /// The code for spectators of a private game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The place of the new game in the series.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series: Option<Series>,
    /// When the offer expires.
    pub expires_at: Timestamp,
    /// Why it ended, and by which seat, until the players are told.
    #[serde(skip)]
    pub ended: Option<(RematchEnd, Option<u8>)>,
}

/// A game that has ended, as far as its rematch depends on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// Its id.
    pub game: GameId,
    /// Its options.
    pub options: GameOptions,
    /// Its players, by seat.
    pub players: Vec<Player>,
    /// The code for spectators of a private game.
    pub code: Option<String>,
    /// When it ended.
    pub ended_at: Timestamp,
    /// The place of its rematch in the series.
    pub series: Option<Series>,
    /// The id of its rematch.
    pub next: GameId,
    /// Whether the rematch has begun.
    pub has_next: bool,
}

/// The times of rematches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RematchTimes {
    /// The time after the end of a game in which a rematch can be offered.
    pub within_ms: Millis,
    /// The time for which an offer stays open.
    pub open_ms: Millis,
}

impl Lobby {
    /// Returns the plan that offers a rematch, or agrees to the one that is offered.
    pub(super) fn offer_rematch(
        &self,
        bounds: &LobbyBounds,
        context: Context<'_>,
        asker: &Asker,
        finished: &Finished,
    ) -> Result<Plan, Refusal> {
        let mut players = finished.players.iter();
        let player = players.find(|player| player.identity == asker.identity);
        let player = player.ok_or_else(|| refusal(ErrorCode::NotAPlayer))?;
        let asker = Asker {
            level: player.level.map(level_to_wire),
            ..asker.clone()
        };
        let open = self.rematch_of(&finished.game);
        if finished.has_next || open.is_some_and(|open| open.starting.is_some()) {
            return Err(refusal(ErrorCode::RematchBegun));
        }
        let context = Context {
            fresh_game: finished.next.clone(),
            ..context
        };
        match open {
            Some(open) => agree(open, context, &asker),
            None => self.first_offer(bounds, context, &asker, finished),
        }
    }

    fn first_offer(
        &self,
        bounds: &LobbyBounds,
        context: Context<'_>,
        asker: &Asker,
        finished: &Finished,
    ) -> Result<Plan, Refusal> {
        let times = match finished.options.clock.is_correspondence() {
            true => bounds.correspondence_rematch,
            false => bounds.rematch,
        };
        if context.now > finished.ended_at + times.within_ms {
            return Err(refusal(ErrorCode::RematchTooLate));
        }
        let offer = Offer {
            of: finished.game.clone(),
            seats: finished
                .players
                .iter()
                .map(|player| player.identity.clone())
                .collect(),
            code: finished.code.clone(),
            series: finished.series.clone(),
            expires_at: context.now + times.open_ms,
            ended: None,
        };
        let bots = finished
            .players
            .iter()
            .filter(|player| is_house_bot(&player.identity));
        let bots: Vec<Person> = bots.map(bot).collect();
        let options = finished.options.clone();
        self.check_open_seeks(bounds, asker)?;
        let mut plan = self.open(bounds, context, asker, options, Visibility::Offered, bots)?;
        for open in plan.put.iter_mut().chain(&mut plan.start) {
            open.rematch = Some(Box::new(offer.clone()));
            rated::check_members(open)?;
        }
        if let Some(open) = &mut plan.start {
            open.sort_by_seat();
        }
        plan.answer = answer(&finished.next);
        Ok(plan)
    }

    /// Returns the plan that ends the offer of a rematch because a player declines it, or takes it back.
    pub(super) fn decline_rematch(
        &self,
        context: &Context<'_>,
        asker: &Asker,
        game: &GameId,
    ) -> Result<Plan, Refusal> {
        let open = self.rematch_of(game).filter(|open| open.starting.is_none());
        let open = open.filter(|open| !open.is_closed_to(&asker.identity, context.are_blocked));
        let mut open = open.ok_or_else(|| refusal(ErrorCode::NoRematch))?.clone();
        let is_owner = open.seek.owner.0 == asker.identity;
        if let Some(offer) = &mut open.rematch {
            // No other client gets the offer.
            let seat = offer
                .seat_of(&asker.identity)
                .ok_or_else(|| refusal(ErrorCode::NoRematch))?;
            let end = match is_owner {
                true => RematchEnd::Withdrawn,
                false => RematchEnd::Declined,
            };
            offer.ended = Some((end, Some(seat)));
        }
        Ok(Plan {
            remove: vec![open],
            ..Plan::default()
        })
    }
}

fn agree(open: &OpenSeek, context: Context<'_>, asker: &Asker) -> Result<Plan, Refusal> {
    if open.member(&asker.identity).is_some() {
        return Err(refusal(ErrorCode::AlreadyJoined));
    }
    // A block between two players hides the offer from both.
    if open.is_closed_to(&asker.identity, context.are_blocked) {
        return Err(refusal(ErrorCode::RematchTooLate));
    }
    // One of two players who have agreed can block the other one: the game does not begin with both.
    let mut standing = open.clone();
    standing.remove_blocked(context.are_blocked);
    let mut open = standing.with_member(asker, context.ratings);
    rated::check_members(&open)?;
    let answer = answer(&context.fresh_game);
    if !open.is_full() {
        return Ok(Plan {
            put: vec![open],
            answer,
            ..Plan::default()
        });
    }
    open.sort_by_seat();
    Ok(Plan {
        answer,
        ..starting(open, context.fresh_game)
    })
}

/// The answer names the new game before it begins, so that a client knows which game its nonce is for.
fn answer(next: &GameId) -> OkBody {
    OkBody {
        game: Some(next.clone()),
        ..OkBody::default()
    }
}

fn bot(player: &Player) -> Person {
    Person {
        identity: player.identity.as_str().into(),
        name: player.name.clone(),
        level: player.level.map(level_to_wire),
        bot: true,
        kind: player.kind.map(kind_to_wire),
        rating: None,
    }
}

impl Offer {
    /// Returns the seat of an identity.
    pub(super) fn seat_of(&self, identity: &str) -> Option<u8> {
        let mut seats = (0..).zip(&self.seats);
        seats.find_map(|(seat, own)| (own == identity).then_some(seat))
    }

    /// Says whether the offer has expired, and notes it.
    pub(super) fn has_expired(&mut self, now: Timestamp) -> bool {
        let has_expired = now >= self.expires_at;
        if has_expired {
            self.ended = Some((RematchEnd::Expired, None));
        }
        has_expired
    }
}

impl OpenSeek {
    /// Returns the message about the end of an offer. Without another reason the player who made it has left.
    pub(super) fn offer_ended(&self, offer: &Offer) -> RematchChanged {
        let left = (RematchEnd::Withdrawn, offer.seat_of(&self.seek.owner.0));
        let (end, by) = offer.ended.unwrap_or(left);
        RematchChanged {
            end: Some(end),
            by,
            ..RematchChanged::about(offer.of.clone())
        }
    }

    /// Returns the message about an open offer of a rematch.
    pub(super) fn offered(&self, offer: &Offer) -> RematchChanged {
        let members = self.seek.members.iter();
        RematchChanged {
            agreed: members
                .filter_map(|person| offer.seat_of(&person.identity.0))
                .collect(),
            expires_at: Some(offer.expires_at.0),
            ..RematchChanged::about(offer.of.clone())
        }
    }

    /// Puts the members of a rematch into the order of their seats.
    fn sort_by_seat(&mut self) {
        let Some(offer) = &self.rematch else { return };
        let members = std::mem::take(&mut self.seek.members).into_iter();
        let mut members: Vec<_> = members
            .zip(std::mem::take(&mut self.nonce_hashes))
            .collect();
        members.sort_by_key(|(person, _)| offer.seat_of(&person.identity.0));
        (self.seek.members, self.nonce_hashes) = members.into_iter().unzip();
    }
}

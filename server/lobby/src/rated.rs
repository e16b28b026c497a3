//! The conditions of rated games, and the ratings of their members.

use tilewire_people::pools::{self, League, Pool, Unrated};
use tilewire_protocol::{IdentityId, Person};
use tilewire_rules::event::{PlayerKind, SeatRating};
use tilewire_rules::options::GameOptions;

use super::decision::Asker;
use super::open_seek::OpenSeek;
use tilewire_accounts::people;
use tilewire_accounts::people::Ratings;
use tilewire_wire::{Refusal, kind_from_wire, kind_to_wire, rating_to_wire};

/// Checks that the members of a seek can play a rated game together, and that everybody may watch it, if the game is rated.
///
/// # Errors
/// The first reason why they cannot.
pub(super) fn check_members(open: &OpenSeek) -> Result<(), Refusal> {
    if !open.options.rated {
        return Ok(());
    }
    let members = open.seek.members.iter();
    let members: Vec<_> = members
        .map(|person| (person.identity.as_str(), kind_of(person)))
        .collect();
    pools::league(&members).map_err(Refusal::not_rateable)?;
    let offer = open.rematch.as_deref();
    let code = offer.and_then(|offer| offer.code.as_ref());
    match code.or(open.seek.code.as_ref()) {
        Some(_) => Err(Refusal::not_rateable(Unrated::Private)),
        None => Ok(()),
    }
}

/// Returns a client as a member of a seek of a game with these options.
pub(super) fn member(asker: &Asker, ratings: &dyn Ratings, options: &GameOptions) -> Person {
    let rating = rating_of(ratings, &asker.identity, asker.kind, options);
    Person {
        identity: IdentityId(asker.identity.clone()),
        name: asker.name.clone(),
        level: asker.level,
        bot: false,
        kind: Some(kind_to_wire(asker.kind)),
        rating: rating.map(rating_to_wire),
    }
}

/// Returns the kind of a member. A seek that was stored without kinds has guests.
pub(super) fn kind_of(person: &Person) -> PlayerKind {
    kind_from_wire(person.kind).unwrap_or(PlayerKind::Guest)
}

/// Returns the rating of a player in the pool of games with these options, rated or not; `None` if the player or the game has
/// none.
pub(super) fn rating_of(
    ratings: &dyn Ratings,
    identity: &str,
    kind: PlayerKind,
    options: &GameOptions,
) -> Option<SeatRating> {
    let league = match kind {
        PlayerKind::Registered => League::People,
        PlayerKind::ExternalBot => League::Bots,
        PlayerKind::Guest | PlayerKind::HouseBot => return None,
    };
    let pool = Pool::of(league, options)?;
    let known = ratings.rating_of(identity, &pool);
    Some(known.unwrap_or(people::START))
}

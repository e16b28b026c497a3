//! Requests about the follows and blocks of the token's player.
//!
//! The blocks of other players change no answer. Only a friend gets the presence and the public game of a player.

use axum::body::Body;
use axum::http::Response;
use tilewire_people::relations::Act;
use tilewire_protocol::http;

use super::call::Call;
use super::input::decoded;
use super::refusal::Refusal;
use tilewire_accounts::identity::Bearer;
use tilewire_accounts::people::People;
use tilewire_game::Directory;
use tilewire_store::{Related, Relations};

/// Follows a player.
pub(super) async fn follow(call: &Call<'_>, holder: &Bearer) -> Result<Response<Body>, Refusal> {
    relate(call, holder, Act::Follow).await
}

/// Follows a player no longer.
pub(super) async fn unfollow(call: &Call<'_>, holder: &Bearer) -> Result<Response<Body>, Refusal> {
    relate(call, holder, Act::Unfollow).await
}

/// Blocks a player.
pub(super) async fn block(call: &Call<'_>, holder: &Bearer) -> Result<Response<Body>, Refusal> {
    relate(call, holder, Act::Block).await
}

/// Blocks a player no longer.
pub(super) async fn unblock(call: &Call<'_>, holder: &Bearer) -> Result<Response<Body>, Refusal> {
    relate(call, holder, Act::Unblock).await
}

async fn relate(call: &Call<'_>, holder: &Bearer, act: Act) -> Result<Response<Body>, Refusal> {
    let handle = decoded(call.parameter(0))?;
    call.people.relate(holder, act, &handle).await?;
    Ok(call.nothing())
}

/// Lists the players whom the player of the token follows and blocks.
pub(super) async fn list(call: &Call<'_>, holder: &Bearer) -> Result<Response<Body>, Refusal> {
    let (people, directory) = (call.people, call.directory);
    // The lists are long: the limit for results keeps them from delaying games.
    let _place = call.enter(holder).await?;
    let Relations { followed, blocked } = people.relations(holder).await?;
    let followed = followed.into_iter();
    let blocked = blocked.into_iter().map(|related| http::BlockedPlayer {
        identity: related.identity,
        handle: related.handle,
        bot: related.is_bot,
        since: related.since.0,
    });
    Ok(call.ok(&http::Relations {
        followed: followed
            .map(|related| seen(people, directory, related))
            .collect(),
        blocked: blocked.collect(),
        server_time: people.now().0,
    }))
}

/// Returns a followed player as the follower sees it.
fn seen(people: &People, directory: &Directory, related: Related) -> http::FollowedPlayer {
    let identity = related.identity.as_str();
    let game = related
        .is_friend
        .then(|| directory.public_game_of(identity));
    http::FollowedPlayer {
        online: related.is_friend.then(|| people.is_online(identity)),
        game: game.flatten().map(|game| game.0),
        friend: related.is_friend,
        bot: related.is_bot,
        since: related.since.0,
        handle: related.handle,
        identity: related.identity,
    }
}

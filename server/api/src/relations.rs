//! Requests about the follows and blocks of the token's player.
//!
//! The blocks of other players change no answer. Only a friend gets the presence and the public game of a player.

use axum::body::Body;
use axum::http::Response;
use schemars::JsonSchema;
use serde::Serialize;
use tilewire_people::relations::Act;

use super::call::Call;
use super::input::decoded;
use super::refusal::Refusal;
use tilewire_accounts::identity::Bearer;
use tilewire_accounts::people::People;
use tilewire_game::Directory;
use tilewire_store::{Related, Relations as StoredRelations};

/// The players whom the player of the token follows and blocks, each list in the order in which they were added.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Relations")]
pub(super) struct RelationsBody {
    /// The players that the player follows, at most 500.
    pub(super) followed: Vec<FollowedPlayer>,
    /// The players that the player blocks, at most 1,000.
    pub(super) blocked: Vec<BlockedPlayer>,
    /// The server's time, unix ms.
    pub(super) server_time: i64,
}

/// A player that the player of the token follows.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct FollowedPlayer {
    /// The identity, as in games.
    pub(super) identity: String,
    /// The handle.
    pub(super) handle: String,
    /// Whether a program plays.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) bot: bool,
    /// Since when the player follows this one, unix ms.
    pub(super) since: i64,
    /// Whether both follow each other.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) friend: bool,
    /// Whether a friend is connected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) online: Option<bool>,
    /// The public game that a friend plays: the one that was created last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) game: Option<String>,
}

/// A player that the player of the token blocks.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct BlockedPlayer {
    /// The identity, as in games.
    pub(super) identity: String,
    /// The handle.
    pub(super) handle: String,
    /// Whether a program plays.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) bot: bool,
    /// Since when the player blocks this one, unix ms.
    pub(super) since: i64,
}

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
    let _place = call.enter()?;
    let StoredRelations { followed, blocked } = people.relations(holder).await?;
    let followed = followed.into_iter();
    let blocked = blocked.into_iter().map(|related| BlockedPlayer {
        identity: related.identity,
        handle: related.handle,
        bot: related.is_bot,
        since: related.since.0,
    });
    Ok(call.ok(&RelationsBody {
        followed: followed
            .map(|related| seen(people, directory, related))
            .collect(),
        blocked: blocked.collect(),
        server_time: people.now().0,
    }))
}

/// Returns a followed player as the follower sees it.
fn seen(people: &People, directory: &Directory, related: Related) -> FollowedPlayer {
    let identity = related.identity.as_str();
    let game = related
        .is_friend
        .then(|| directory.public_game_of(identity));
    FollowedPlayer {
        online: related.is_friend.then(|| people.is_online(identity)),
        game: game.flatten().map(|game| game.0),
        friend: related.is_friend,
        bot: related.is_bot,
        since: related.since.0,
        handle: related.handle,
        identity: related.identity,
    }
}

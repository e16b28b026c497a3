//! Connections and players, as admins see and change them.

use axum::body::Body;
use axum::http::Response;
use tilewire_people::accounts::Account;
use tilewire_people::moderation::Restraint;
use tilewire_rules::time::Timestamp;

use super::Call;
use super::bodies::{
    ConnectionLine, ConnectionsBody, ConnectionsQuery, GameLine, KnownPlayer, KnownPlayers,
    PlayerInFull, RenameOrder, SearchQuery, SuspendOrder,
};
use crate::bodies::{self, roles};
use crate::input::{decoded, parsed};
use crate::moderation::{entries_of, page, wrong};
use crate::moderation_bodies::{EntriesQuery, Numbered};
use crate::query;
use crate::refusal::Refusal;
use tilewire_accounts::people::{Acting, Concerned, Failure, Wanted};
use tilewire_delivery::outbound::{Peer, Presence};

/// The most characters of a search: more than any handle or identity has.
const SEARCH_MAX_CHARS: usize = 100;

/// Lists connections, the oldest first.
pub(super) async fn connections(call: &Call<'_>) -> Result<Response<Body>, Refusal> {
    let asked: ConnectionsQuery = query::parsed(call.query)?;
    let behind = asked.behind.map(u64::try_from).transpose();
    let behind = behind.map_err(|_| wrong("behind", "`next` of the page before"))?;
    let most = page(asked.limit)?;
    let mut peers = match &asked.identity {
        Some(identity) => call.services.registry.of(identity),
        None => call.services.registry.all(),
    };
    let all = peers.len();
    peers.retain(|peer| behind.is_none_or(|behind| peer.id().0 > behind));
    peers.sort_unstable_by_key(Peer::id);
    let part = asked.name.unwrap_or_default().to_lowercase();
    let (mut connections, mut next) = (Vec::new(), None);
    for peer in peers {
        if connections.len() == most {
            next = connections.last().map(|last: &ConnectionLine| last.number);
            break;
        }
        let line = connection(call, &peer).await?;
        if line.name.to_lowercase().contains(&part) {
            connections.push(line);
        }
    }
    Ok(call.ok(&ConnectionsBody {
        connections,
        all,
        next,
    }))
}

async fn connection(call: &Call<'_>, peer: &Peer) -> Result<ConnectionLine, Refusal> {
    let session = peer.pass().map(|pass| pass.family.clone());
    Ok(ConnectionLine {
        number: peer.id().0,
        identity: peer.identity().to_owned(),
        name: call.services.people.name_of(peer.identity()).await?,
        address: peer.address().map(|address| address.to_string()),
        session: session.filter(|family| !family.is_empty()),
        lag_ms: peer.lag_ms().0,
    })
}

/// Finds players by the start of the handle, or by the identity.
pub(super) async fn find(call: &Call<'_>) -> Result<Response<Body>, Refusal> {
    let asked: SearchQuery = query::parsed(call.query)?;
    let text = asked.name.trim();
    if !(1..=SEARCH_MAX_CHARS).contains(&text.chars().count()) {
        let message = format!("a search takes 1 to {SEARCH_MAX_CHARS} characters");
        return Err(wrong("name", &message));
    }
    let found = call.services.people.search(text).await?;
    let mut players: Vec<KnownPlayer> = found
        .iter()
        .filter_map(|account| registered(call, account))
        .collect();
    match concerned(call, text).await {
        Ok(exact) => {
            let is_new = |player: &KnownPlayer| player.identity != exact.identity;
            if players.iter().all(is_new) {
                players.push(known(call, &exact));
            }
        }
        Err(Failure::UnknownPlayer) => {}
        Err(error) => return Err(error.into()),
    }
    Ok(call.ok(&KnownPlayers { players }))
}

fn registered(call: &Call<'_>, account: &Account) -> Option<KnownPlayer> {
    let registration = account.registration.as_ref()?;
    Some(KnownPlayer {
        identity: account.identity.clone(),
        name: registration.handle.to_string(),
        registered: true,
        connections: call.services.registry.of(&account.identity).len(),
    })
}

fn known(call: &Call<'_>, player: &Concerned) -> KnownPlayer {
    KnownPlayer {
        identity: player.identity.clone(),
        name: player.name.clone(),
        registered: player.account.is_some(),
        connections: call.services.registry.of(&player.identity).len(),
    }
}

/// Returns the player with a handle or an identity: one that is stored, or a guest who is connected.
async fn concerned(call: &Call<'_>, player: &str) -> Result<Concerned, Failure> {
    let people = call.services.people;
    match people.concerned(player).await {
        Err(Failure::UnknownPlayer) if call.services.registry.is_online(player) => Ok(Concerned {
            identity: player.to_owned(),
            name: people.name_of(player).await?,
            account: None,
        }),
        found => found,
    }
}

/// Shows a player.
pub(super) async fn in_full(call: &Call<'_>) -> Result<Response<Body>, Refusal> {
    let people = call.services.people;
    let player = concerned(call, &decoded(call.parameter())?).await?;
    let identity = player.identity.as_str();
    let games = call.services.directory.known_of(identity).await;
    let games = games.map_err(Failure::from)?;
    let mut open = Vec::new();
    for peer in call.services.registry.of(identity) {
        open.push(connection(call, &peer).await?);
    }
    let restrictions = people.restrictions_of(identity);
    let conduct = people.conduct_of(identity).await?;
    let (history, _) = entries_of(people, Some(identity), &EntriesQuery::default()).await?;
    let account = player.account.as_ref().map(|stored| &stored.account);
    let sessions = account.map(|account| bodies::sessions(account, "", people.now()).sessions);
    Ok(call.ok(&PlayerInFull {
        roles: account.map(roles).unwrap_or_default(),
        created_at: account.map(|account| account.created_at.0),
        sessions: sessions.unwrap_or_default(),
        open,
        games: games.into_iter().map(GameLine::from).collect(),
        conduct: bodies::conduct(conduct, &restrictions),
        restrictions: restrictions.into_iter().map(Into::into).collect(),
        history,
        player: known(call, &player),
    }))
}

/// Gives a player another handle.
pub(super) async fn rename(call: &Call<'_>) -> Result<Response<Body>, Refusal> {
    let asked: RenameOrder = parsed(&call.body)?;
    act(call, Wanted::Rename(asked.handle), asked.reason).await
}

/// Suspends a player.
pub(super) async fn suspend(call: &Call<'_>) -> Result<Response<Body>, Refusal> {
    let asked: SuspendOrder = parsed(&call.body)?;
    let until = asked.until.map(Timestamp);
    let wanted = Wanted::Restrain(Restraint::Suspend, until);
    act(call, wanted, asked.reason).await
}

async fn act(call: &Call<'_>, wanted: Wanted, reason: String) -> Result<Response<Body>, Refusal> {
    let acting = Acting {
        player: Some(decoded(call.parameter())?),
        wanted,
        reason,
        report: None,
    };
    let number = call.services.people.act(&call.actor, acting).await?;
    Ok(call.ok(&Numbered { number }))
}

//! Messages between servers: a notice for their clients, another name of a player, a vacation for their games, and wrong
//! passwords and codes.
//!
//! They are requests like those of players, over the relay only. A server that is not reached does not learn of it.

use axum::body::Body;
use axum::http::{Method, Response, StatusCode};
use futures::future::join_all;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tilewire_protocol::Notice;
use tokio::sync::mpsc::Receiver;

use super::passing::{parsed, unreadable};
use super::refusal::Refusal;
use super::{Services, input, json};
use crate::vacation_notices;
use tilewire_delivery::outbound::Registry;
use tilewire_delivery::wrong_entries::WrongEntry;
use tilewire_relay::Exchange;
use tilewire_relay::asks::message::{Api, Caller, HttpRequest};
use tilewire_relay::asks::{NoAnswer, To};
use tilewire_relay::message::Payload;
use tilewire_store::NodeId;

const NOTICE_PATH: &str = "/notice";
const NAME_PATH: &str = "/name";
const VACATION_PATH: &str = "/vacation";
const WRONG_ENTRIES_PATH: &str = "/wrong-entries";

/// Wrong entries in one request: it has room for them.
const WRONG_ENTRIES_AT_ONCE: usize = 32;

/// A player with a change.
#[derive(Debug, Serialize, Deserialize)]
struct PlayerBody {
    identity: String,
}

/// The connections that got a notice.
#[derive(Debug, Serialize, Deserialize)]
struct DeliveredBody {
    connections: usize,
}

/// Shows a notice to the clients of all other servers; returns the number of their connections.
pub async fn announce(relay: &Exchange, notice: &Notice) -> usize {
    let answers = tell(relay, NOTICE_PATH, notice).await;
    let told = answers.iter().filter_map(|(_, answer)| {
        let told: DeliveredBody = answer.as_ref().ok()?.as_ref()?.read()?;
        Some(told.connections)
    });
    told.sum()
}

/// Tells the other servers that a player has another name.
pub(super) async fn tell_of_name(relay: Option<&Exchange>, identity: &str) {
    tell_of(relay, NAME_PATH, identity).await;
}

/// Tells the other servers, and these their games, that a vacation of a player is stored.
pub(super) async fn tell_of_vacation(relay: Option<&Exchange>, identity: &str) {
    tell_of(relay, VACATION_PATH, identity).await;
}

/// Tells the other servers of wrong passwords and codes, until there are no more.
pub async fn tell_of_wrong_entries(relay: &Exchange, mut entries: Receiver<WrongEntry>) {
    let mut some = Vec::with_capacity(WRONG_ENTRIES_AT_ONCE);
    while entries.recv_many(&mut some, WRONG_ENTRIES_AT_ONCE).await > 0 {
        let told = tell(relay, WRONG_ENTRIES_PATH, &some).await;
        warn_of_untold(WRONG_ENTRIES_PATH, &told);
        some.clear();
    }
}

async fn tell_of(relay: Option<&Exchange>, path: &str, identity: &str) {
    let Some(relay) = relay else {
        return;
    };
    let body = PlayerBody {
        identity: identity.to_owned(),
    };
    warn_of_untold(path, &tell(relay, path, &body).await);
}

fn warn_of_untold(path: &str, told: &[NodeAnswer]) {
    for (node, answer) in told {
        if let Err(error) = answer {
            tracing::warn!(node = node.0, %error, route = path, "a server was not told of a player");
        }
    }
}

/// A server and its answer: the body, or `None` if it refuses.
type NodeAnswer = (NodeId, Result<Option<Answer>, NoAnswer>);

async fn tell(relay: &Exchange, path: &str, body: &impl Serialize) -> Vec<NodeAnswer> {
    let body = serde_json::to_vec(body).expect("a body is plain data");
    let request = HttpRequest {
        api: Api::Nodes,
        caller: Caller::Node,
        method: Method::POST.as_str().to_owned(),
        target: path.to_owned(),
        entry: None,
        body: Payload(body.into()),
    };
    // A notice that comes twice would be shown twice, and a wrong entry counted twice.
    let may_repeat = matches!(path, NAME_PATH | VACATION_PATH);
    ask_all(relay, may_repeat, &request).await
}

/// The body of the answer of another server.
#[derive(Debug)]
pub(super) struct Answer(Payload);

impl Answer {
    /// Reads the body; `None` if the other server has another version.
    pub(super) fn read<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_slice(&self.0.0).ok()
    }
}

/// Asks all other servers the same, and returns their answers.
pub(super) async fn ask_all(
    relay: &Exchange,
    may_repeat: bool,
    request: &HttpRequest,
) -> Vec<NodeAnswer> {
    let asked = relay.others().into_iter().map(|node| async move {
        let answer = relay.ask(To::Node(node), may_repeat, request.clone()).await;
        let read = answer.and_then(|answer| match answer.status {
            200..300 => Ok(Some(Answer(answer.body))),
            500.. => Err(NoAnswer::Unknown),
            _ => Ok(None),
        });
        (node, read)
    });
    join_all(asked).await
}

/// Answers what another server tells this one.
pub(super) async fn answer(
    services: Services<'_>,
    registry: &Registry,
    request: HttpRequest,
) -> Result<Response<Body>, Refusal> {
    if request.caller != Caller::Node {
        return Err(Refusal::no_token());
    }
    let (_, target) = parsed(&request)?;
    let body = &request.body.0;
    match target.path() {
        NOTICE_PATH => {
            let notice: Notice = input::parsed(body)?;
            let connections = registry.notice(&notice);
            tracing::info!(code = notice.code, connections, "a notice was sent");
            let told = DeliveredBody { connections };
            let text = serde_json::to_vec(&told).expect("a body is plain data");
            return Ok(json(StatusCode::OK, Body::from(text)));
        }
        NAME_PATH => {
            let player: PlayerBody = input::parsed(body)?;
            services.people.name_changed(&player.identity);
        }
        VACATION_PATH => {
            let player: PlayerBody = input::parsed(body)?;
            tell_games(services, &player.identity).await?;
        }
        WRONG_ENTRIES_PATH => {
            let entries: Vec<WrongEntry> = input::parsed(body)?;
            let counts = services.people.wrong_entries();
            entries.into_iter().for_each(|entry| counts.count(entry));
        }
        _ => return Err(unreadable()),
    }
    let mut done = Response::new(Body::empty());
    *done.status_mut() = StatusCode::NO_CONTENT;
    Ok(done)
}

/// Tells the games of this server of the last vacation of a player.
async fn tell_games(services: Services<'_>, identity: &str) -> Result<(), Refusal> {
    let vacations = services.people.vacations_of(identity).await?;
    let journal = &*services.history.parts.journal;
    let own = (identity, &vacations);
    vacation_notices::tell(services.people, services.directory, journal, own).await?;
    Ok(())
}

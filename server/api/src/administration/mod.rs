//! The API for admins, below `/admin/v1` on the admin listener: connections, players, games and the audit.
//!
//! The operator has a token of the listener. A player with the role admin has the token of a session. Everything that changes
//! something, and everything that shows hidden tiles, is an entry of the audit before it happens.

pub(super) mod bodies;
mod fan_out;
mod games;
mod notices;
pub(super) mod order_bodies;
mod players;
pub(super) mod routes;
mod rulings;
mod server;
pub(super) mod server_bodies;

use std::sync::Arc;

use axum::body::Body;
use axum::http::{Method, Request, Response, Uri};
use serde::Serialize;
use tilewire_people::accounts::Actor;
use tilewire_protocol::Codec;

use super::input::{check_length, read};
use super::moderation::{entries_of, number};
use super::moderation_bodies::{AuditBody, Numbered, UndoOrder};
use super::refusal::Refusal;
use super::routes::{Handler, Route, find_admin};
use super::{finished, holder, input, json, nothing_here, passing, places, query};
use tilewire_accounts::identity::Bearer;
use tilewire_accounts::people::{Operation, People};
use tilewire_control::{AddressBlocks, Drain, Schedule, Settings};
use tilewire_delivery::outbound::Registry;
use tilewire_game::Directory;
use tilewire_relay::Exchange;
use tilewire_relay::asks::message::{Api, Caller, HttpRequest};
use tilewire_relay::message::Client;

/// The parts of the server that admins see and change.
#[derive(Debug, Clone, Copy)]
pub struct AdminServices<'a> {
    /// The accounts of players, and the audit.
    pub people: &'a People,
    /// All games.
    pub directory: &'a Directory,
    /// The authenticated connections.
    pub registry: &'a Registry,
    /// Whether games may begin.
    pub drain: &'a Drain,
    /// The blocked address ranges.
    pub blocked: &'a AddressBlocks,
    /// The notices that are sent later.
    pub notices: &'a Schedule,
    /// The settings that hold now.
    pub settings: &'a Arc<Settings>,
    /// The way to the other servers; `None`: this one answers by itself.
    pub relay: Option<&'a Exchange>,
}

/// A request of an admin that has its body.
pub(super) struct Call<'a> {
    services: AdminServices<'a>,
    actor: Actor,
    route: &'static Route,
    parameters: Vec<&'a str>,
    query: &'a str,
    body: Vec<u8>,
    /// The number of the entry of the audit, if another server has made it: this one only carries the operation out.
    entry: Option<u64>,
    /// The request in the form in which the other servers get it, unless it came from one.
    passing: Option<HttpRequest>,
}

impl Call<'_> {
    /// Returns the parameter in the path.
    fn parameter(&self) -> &str {
        self.parameters.first().copied().unwrap_or_default()
    }

    fn ok(&self, body: &impl Serialize) -> Response<Body> {
        let text = serde_json::to_vec(body).expect("a body is plain data");
        json(self.route.status, Body::from(text))
    }

    /// Stores the entry of the audit of an operation, unless another server has, and returns its number.
    async fn enter(&self, operation: Operation) -> Result<u64, Refusal> {
        match self.entry {
            Some(number) => Ok(number),
            None => Ok(self.services.people.enter(&self.actor, operation).await?),
        }
    }
}

/// Answers a request to the admin listener. `is_operator` says that it has the token of the listener; others have a token of
/// their own.
pub async fn administer(
    services: AdminServices<'_>,
    request: Request<Body>,
    is_operator: bool,
) -> Response<Body> {
    finished(respond(services, request, is_operator).await)
}

async fn respond(
    services: AdminServices<'_>,
    request: Request<Body>,
    is_operator: bool,
) -> Result<Response<Body>, Refusal> {
    let (head, body) = request.into_parts();
    // Before anything else: a stranger does not learn which paths there are.
    let bearer = match is_operator {
        true => None,
        false => Some(holder(services.people, &head.headers).await?),
    };
    let actor = actor(services.people, bearer.as_ref()).await?;
    let found = match find_admin(&head.method, head.uri.path()) {
        Ok(found) => found,
        Err(no_route) => return nothing_here(&no_route, "/admin/v1/openapi.json"),
    };
    check_length(&body)?;
    let body = match found.route.request {
        Some(_) => read(&head.headers, body).await?,
        None => Vec::new(),
    };
    let caller = bearer.map_or(Caller::Operator, |bearer| {
        Caller::Holder(Client::new(&bearer.pass, None, Codec::Json))
    });
    let passing = passing::request(Api::Admins, caller, &head, &body)?;
    let answerer = places::of(found.route.home, &found.parameters);
    if let Some(relay) = services.relay
        && let Some(to) = answerer.elsewhere(services.directory)
        && let Some(answer) = passing::pass_on(relay, to, &head.method, passing.clone()).await?
    {
        return Ok(answer);
    }
    let call = Call {
        services,
        actor,
        route: found.route,
        parameters: found.parameters,
        query: head.uri.query().unwrap_or_default(),
        body,
        entry: None,
        passing: Some(passing),
    };
    answer(&call).await
}

/// Returns the admin who asks: the operator, or the holder of a token.
async fn actor(people: &People, bearer: Option<&Bearer>) -> Result<Actor, Refusal> {
    match bearer {
        None => Ok(Actor::Operator),
        Some(bearer) => Ok(people.admin(bearer).await?),
    }
}

/// A request that another server has passed on.
pub(super) struct Passed {
    pub(super) method: Method,
    pub(super) target: Uri,
    /// The number of the entry of the audit, if the other server has made it.
    pub(super) entry: Option<u64>,
    pub(super) body: Vec<u8>,
}

/// Answers a request that another server has passed on, for the operator or the holder of a token.
pub(super) async fn answer_passed(
    services: AdminServices<'_>,
    bearer: Option<&Bearer>,
    passed: Passed,
) -> Result<Response<Body>, Refusal> {
    let actor = actor(services.people, bearer).await?;
    let Passed {
        method,
        target,
        entry,
        body,
    } = passed;
    let found = find_admin(&method, target.path()).map_err(|_| passing::unreadable())?;
    let call = Call {
        services,
        actor,
        route: found.route,
        parameters: found.parameters,
        query: target.query().unwrap_or_default(),
        body,
        entry,
        passing: None,
    };
    answer(&call).await
}

async fn answer(call: &Call<'_>) -> Result<Response<Body>, Refusal> {
    match call.route.handler {
        Handler::Admin(answer) => answer(call).await,
        Handler::Open(_) | Handler::Holder(_) => Err(Refusal::not_found("this is not for admins")),
    }
}

async fn undo(call: &Call<'_>) -> Result<Response<Body>, Refusal> {
    let asked: UndoOrder = input::parsed(&call.body)?;
    let people = call.services.people;
    let undone = people.undo(&call.actor, number(call.parameter())?, asked.reason);
    let number = undone.await?;
    Ok(call.ok(&Numbered { number }))
}

async fn audit(call: &Call<'_>) -> Result<Response<Body>, Refusal> {
    let asked = query::parsed(call.query)?;
    let (entries, next) = entries_of(call.services.people, None, &asked).await?;
    Ok(call.ok(&AuditBody { entries, next }))
}

//! The API for admins, below `/admin/v1` on the admin listener: connections, players, games and the audit.
//!
//! The operator has a token of the listener. A player with the role admin has the token of a session. Everything that changes
//! something, and everything that shows hidden tiles, is an entry of the audit before it happens.

pub(super) mod bodies;
mod games;
pub(super) mod order_bodies;
mod players;
mod rulings;
mod server;
pub(super) mod server_bodies;

use std::sync::Arc;

use axum::body::Body;
use axum::http::{Request, Response, StatusCode};
use serde::Serialize;
use tilewire_people::accounts::Actor;

use super::input::read;
use super::moderation::{entries_of, number};
use super::moderation_bodies::{AuditBody, Numbered, UndoOrder};
use super::refusal::Refusal;
use super::routes::{Admin, Operation, Route, find_admin};
use super::{document, finished, holder, input, json, nothing_here, query};
use crate::game::Directory;
use crate::operated::{AddressBlocks, Drain, Schedule, Settings};
use crate::outbound::Registry;
use crate::people::People;

/// The parts of the server that admins see and change.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AdminServices<'a> {
    /// The accounts of players, and the audit.
    pub(crate) people: &'a People,
    /// All games.
    pub(crate) directory: &'a Directory,
    /// The authenticated connections.
    pub(crate) registry: &'a Registry,
    /// Whether games may begin.
    pub(crate) drain: &'a Drain,
    /// The blocked address ranges.
    pub(crate) blocked: &'a AddressBlocks,
    /// The notices that are sent later.
    pub(crate) notices: &'a Schedule,
    /// The settings that hold now.
    pub(crate) settings: &'a Arc<Settings>,
}

/// A request of an admin that has its body.
struct Call<'a> {
    services: AdminServices<'a>,
    actor: Actor,
    route: &'static Route,
    parameters: Vec<&'a str>,
    query: &'a str,
    body: Vec<u8>,
}

impl Call<'_> {
    /// Returns the parameter in the path.
    fn parameter(&self) -> &str {
        self.parameters.first().copied().unwrap_or_default()
    }

    fn ok(&self, body: &impl Serialize) -> Response<Body> {
        let text = serde_json::to_vec(body).expect("a body is plain data");
        json(self.route.answer.0, Body::from(text))
    }
}

/// Answers a request to the admin listener. `is_operator` says that it has the token of the listener; others have a token of
/// their own.
pub(crate) async fn administer(
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
    let actor = if is_operator {
        Actor::Operator
    } else {
        let bearer = holder(services.people, &head.headers).await?;
        services.people.admin(&bearer).await?
    };
    let found = match find_admin(&head.method, head.uri.path()) {
        Ok(found) => found,
        Err(no_route) => return nothing_here(&no_route, "/admin/v1/openapi.json"),
    };
    let body = match found.route.request {
        Some(_) => read(&head.headers, body).await?,
        None => Vec::new(),
    };
    let call = Call {
        services,
        actor,
        route: found.route,
        parameters: found.parameters,
        query: head.uri.query().unwrap_or_default(),
        body,
    };
    let Operation::Admin(operation) = found.route.operation else {
        return Err(Refusal::not_found("this is not for admins"));
    };
    match operation {
        Admin::Connections => players::connections(&call).await,
        Admin::Players => players::find(&call).await,
        Admin::Player => players::in_full(&call).await,
        Admin::Rename => players::rename(&call).await,
        Admin::Suspend => players::suspend(&call).await,
        Admin::Undo => undo(&call).await,
        Admin::Games => games::list(&call).await,
        Admin::Game => games::in_full(&call).await,
        Admin::Cancel => rulings::cancel(&call).await,
        Admin::Adjudicate => rulings::adjudicate(&call).await,
        Admin::Pause => rulings::pause(&call).await,
        Admin::Continue => rulings::go_on(&call).await,
        Admin::Give => rulings::give(&call).await,
        Admin::PauseAll => rulings::pause_all(&call).await,
        Admin::ContinueAll => rulings::go_on_all(&call).await,
        Admin::ShowTiles => games::show_tiles(&call).await,
        Admin::Lobby => server::lobby(&call).await,
        Admin::CloseLobby => server::close_lobby(&call).await,
        Admin::OpenLobby => server::open_lobby(&call).await,
        Admin::Notices => Ok(server::notices(&call)),
        Admin::SendNotice => server::send_notice(&call).await,
        Admin::CancelNotice => server::cancel_notice(&call).await,
        Admin::Blocks => Ok(server::blocks(&call)),
        Admin::Block => server::block(&call).await,
        Admin::Lift => server::lift(&call).await,
        Admin::Settings => Ok(server::settings(&call)),
        Admin::Reload => server::reload(&call).await,
        Admin::Watches => Ok(server::watches(&call)),
        Admin::Watch => server::watch(&call).await,
        Admin::Audit => audit(&call).await,
        Admin::Document => Ok(json(StatusCode::OK, Body::from(document::admin_json()))),
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

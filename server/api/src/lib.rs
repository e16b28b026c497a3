//! The HTTP API below `/api/v1`, for everything that has secrets or pages: accounts, sessions, players, finished games.
//!
//! Invariant: it knows no socket and no listener: a request comes as a value, from this server's gateway or another server's.
//!
//! Requests and answers are JSON. A request proves its identity by a bearer token, never by a cookie, so no page of another
//! site can act for a player. Secrets are in bodies and headers only: a URL ends up in logs and histories.

mod account;
mod administration;
mod archive;
mod bodies;
mod call;
mod document;
mod export;
mod figure_bodies;
mod input;
mod letters;
mod moderation;
mod moderation_bodies;
mod nodes;
mod passing;
mod personal;
mod places;
mod pushes;
mod query;
mod refusal;
mod relations;
mod result_bodies;
mod routes;
pub mod vacation_notices;
mod vacations;

pub use administration::{AdminServices, administer};
pub use nodes::{announce, tell_of_wrong_entries};
pub use passing::answer_passed;

use axum::body::Body;
use axum::http::header::{
    ALLOW, AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER, USER_AGENT, WWW_AUTHENTICATE,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode};

use tilewire_protocol::Codec;

use call::Call;
use input::{check_length, read};
use refusal::Refusal;
use routes::{API_PATH, Handler, NoRoute};
use tilewire_accounts::identity::Bearer;
use tilewire_accounts::people::People;
use tilewire_base::address::ClientAddress;
use tilewire_base::http::{bearer, retry_after_s};
use tilewire_game::Directory;
use tilewire_relay::Exchange;
use tilewire_relay::asks::message::{Api, Caller};
use tilewire_relay::message::Client;
use tilewire_results::history::History;

/// The type of every body.
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Says whether a path belongs to the API.
pub fn is_known(path: &str) -> bool {
    path.strip_prefix(API_PATH)
        .is_some_and(|rest| rest.starts_with('/'))
}

/// Says whether a path is one of an export, which costs far more than other requests.
pub fn is_export(path: &str) -> bool {
    path.strip_prefix(API_PATH)
        .is_some_and(|rest| matches!(rest, "/export" | "/account/export"))
}

/// The services that answer.
#[derive(Debug, Clone, Copy)]
pub struct Services<'a> {
    /// The accounts of players.
    pub people: &'a People,
    /// Finished games.
    pub history: &'a History,
    /// The games that are played.
    pub directory: &'a Directory,
    /// The way to the other servers; `None`: this one answers by itself.
    pub relay: Option<&'a Exchange>,
}

/// Answers a request of a client at an address.
pub async fn answer(
    services: Services<'_>,
    request: Request<Body>,
    from: ClientAddress,
) -> Response<Body> {
    finished(respond(services, request, from).await)
}

/// Returns an answer or a refusal with the headers that all have.
fn finished(answered: Result<Response<Body>, Refusal>) -> Response<Body> {
    let mut response = answered.unwrap_or_else(|refusal| refused(&refusal));
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

/// Returns the answer to a page that may not use the API.
pub fn foreign_page() -> Response<Body> {
    let message = "pages of this site may not use the API; the operator allows sites with http.allowed_origins";
    refused(&Refusal::new(StatusCode::FORBIDDEN, "origin", message))
}

async fn respond(
    services: Services<'_>,
    request: Request<Body>,
    from: ClientAddress,
) -> Result<Response<Body>, Refusal> {
    let (head, body) = request.into_parts();
    let found = match routes::find(&head.method, head.uri.path()) {
        Ok(found) => found,
        Err(no_route) => return nothing_here(&no_route, "/api/v1/openapi.json"),
    };
    // Before the body is read: a stranger's body is not.
    let holder = match found.route.handler {
        // No route of the players' listener is one for admins.
        Handler::Open(_) | Handler::Admin(_) => None,
        Handler::Holder(_) => Some(holder(services.people, &head.headers).await?),
    };
    check_length(&body)?;
    let body = match found.route.request {
        Some(_) => read(&head.headers, body).await?,
        None => Vec::new(),
    };
    let answerer = places::of(found.route.home, &found.parameters);
    if let Some(relay) = services.relay
        && let Some(to) = answerer.elsewhere(services.directory)
        && let Some(holder) = &holder
    {
        let client = Client::new(&holder.pass, Some(from.ip()), Codec::Json);
        let request = passing::request(Api::Players, Caller::Holder(client), &head, &body)?;
        if let Some(answer) = passing::pass_on(relay, to, &head.method, request).await? {
            return Ok(answer);
        }
    }
    let call = Call {
        services,
        from,
        route: found.route,
        parameters: found.parameters,
        query: head.uri.query().unwrap_or_default(),
        agent: label(&head.headers),
        body,
    };
    call.answer(holder.as_ref()).await
}

/// Returns the answer to a request without a route.
fn nothing_here(no_route: &NoRoute, document: &str) -> Result<Response<Body>, Refusal> {
    match no_route {
        NoRoute::Path => {
            let message = format!("there is nothing here; the API is described at {document}");
            Err(Refusal::not_found(&message))
        }
        NoRoute::Method(methods) => Ok(wrong_method(methods)),
    }
}

async fn holder(people: &People, headers: &HeaderMap) -> Result<Bearer, Refusal> {
    let token = headers.get(AUTHORIZATION).and_then(bearer);
    let token = token.ok_or_else(Refusal::no_token)?;
    // A token is ASCII; anything else is none of this server's.
    let token = std::str::from_utf8(token).unwrap_or_default();
    Ok(people.bearer(token).await?)
}

fn label(headers: &HeaderMap) -> String {
    let agent = headers
        .get(USER_AGENT)
        .and_then(|value| value.to_str().ok());
    agent.unwrap_or("an unknown program").to_owned()
}

fn json(status: StatusCode, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, JSON);
    response
}

fn refused(refusal: &Refusal) -> Response<Body> {
    let text = serde_json::to_vec(&refusal.body).expect("an error is plain data");
    let mut response = json(refusal.status, Body::from(text));
    let headers = response.headers_mut();
    if let Some(wait) = refusal.retry_after() {
        headers.insert(RETRY_AFTER, retry_after_s(wait).into());
    }
    if refusal.status == StatusCode::UNAUTHORIZED {
        headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response
}

fn wrong_method(methods: &[Method]) -> Response<Body> {
    let names: Vec<&str> = methods.iter().map(Method::as_str).collect();
    let allowed = names.join(", ");
    let message = format!("this path takes {allowed}");
    let status = StatusCode::METHOD_NOT_ALLOWED;
    let mut response = refused(&Refusal::new(status, "method_not_allowed", message));
    if let Ok(value) = HeaderValue::from_str(&allowed) {
        response.headers_mut().insert(ALLOW, value);
    }
    response
}

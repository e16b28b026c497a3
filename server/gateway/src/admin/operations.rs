//! The API for admins: who asks, and whether the server is there to answer.

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::AUTHORIZATION;
use axum::response::{IntoResponse, Response};

use super::Admin;
use tilewire_api::administer;
use tilewire_base::http::bearer;

/// Answers a request to the API for admins.
pub(super) async fn answer(State(admin): State<Admin>, request: Request) -> Response {
    let Some(running) = admin.running() else {
        let text = "starting: games are being loaded\n";
        return (StatusCode::SERVICE_UNAVAILABLE, text).into_response();
    };
    let given = request.headers().get(AUTHORIZATION).and_then(bearer);
    let is_operator = given.is_some_and(|given| admin.access.operations.is(given));
    let relay = running.exchange();
    administer(running.for_admins(relay.as_deref()), request, is_operator).await
}

//! The API for admins: who asks, and whether the server is there to answer.

use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};

use super::Admin;
use super::access::names;
use tilewire_api::administer;

/// Answers a request to the API for admins.
pub(super) async fn answer(State(admin): State<Admin>, request: Request) -> Response {
    let Some(running) = admin.running() else {
        return admin.not_started().into_response();
    };
    let token = admin.access.operations.get();
    let is_operator = token.is_some_and(|token| names(&request, token));
    let relay = running.exchange();
    administer(running.for_admins(relay.as_deref()), request, is_operator).await
}

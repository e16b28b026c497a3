//! A request that is read, and what its handler needs of it.

use std::ops::Deref;

use axum::body::Body;
use axum::http::Response;
use serde::Serialize;

use super::refusal::Refusal;
use super::routes::{Handler, Route};
use super::{Services, json};
use tilewire_accounts::identity::Bearer;
use tilewire_accounts::people::Failure;
use tilewire_base::address::ClientAddress;
use tilewire_delivery::shares::Slot;
use tilewire_results::history::ExportPlace;

/// A request that has its token and its body.
pub(super) struct Call<'a> {
    pub(super) services: Services<'a>,
    pub(super) from: ClientAddress,
    pub(super) route: &'static Route,
    pub(super) parameters: Vec<&'a str>,
    /// The part of the URL behind the question mark.
    pub(super) query: &'a str,
    /// The name of the program, if the body has no label.
    pub(super) agent: String,
    pub(super) body: Vec<u8>,
}

impl<'a> Deref for Call<'a> {
    type Target = Services<'a>;

    fn deref(&self) -> &Services<'a> {
        &self.services
    }
}

impl Call<'_> {
    /// Answers a request, which has the holder of its token if it needs one.
    pub(super) async fn answer(&self, holder: Option<&Bearer>) -> Result<Response<Body>, Refusal> {
        match (self.route.handler, holder) {
            (Handler::Open(answer), _) => answer(self).await,
            (Handler::Holder(answer), Some(holder)) => answer(self, holder).await,
            (Handler::Holder(_), None) | (Handler::Admin(_), _) => Err(Refusal::no_token()),
        }
    }

    /// Takes a place among the requests that read much: the limit for results keeps them from delaying games. Moderators
    /// have places of their own, for when others have taken all.
    pub(super) async fn enter(&self, holder: &Bearer) -> Result<Slot, Failure> {
        if let Some(slot) = self.history.try_enter(self.from) {
            return Ok(slot);
        }
        match self.people.moderator(holder).await {
            Ok(_) => self.history.try_enter_as_moderator().ok_or(Failure::Busy),
            Err(_) => Err(Failure::Busy),
        }
    }

    /// Takes a place among the exports that are sent.
    pub(super) fn begin_export(&self) -> Result<ExportPlace, Failure> {
        self.history.begin_export(self.from).ok_or(Failure::Busy)
    }

    /// Returns the label of a session: that of the body, or the name of the program.
    pub(super) fn label(&self, asked: String) -> String {
        if asked.trim().is_empty() {
            self.agent.clone()
        } else {
            asked
        }
    }

    /// Returns a parameter of the path; empty if it has fewer.
    pub(super) fn parameter(&self, number: usize) -> &str {
        self.parameters.get(number).copied().unwrap_or_default()
    }

    pub(super) fn ok(&self, body: &impl Serialize) -> Response<Body> {
        let text = serde_json::to_vec(body).expect("a body is plain data");
        json(self.route.status, Body::from(text))
    }

    pub(super) fn nothing(&self) -> Response<Body> {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = self.route.status;
        response
    }
}

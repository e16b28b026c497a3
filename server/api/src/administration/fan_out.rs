//! Admin requests to all servers: the server that gets the request forwards it to the others, and merges the answers.

use axum::http::Method;
use serde::de::{DeserializeOwned, IgnoredAny};

use super::Call;
use crate::nodes::ask_all;
use tilewire_control::admin_token::ADMIN_PATH;
use tilewire_relay::asks::message::HttpRequest;
use tilewire_relay::message::Payload;

/// The answers of the other servers.
#[derive(Debug)]
pub(super) struct Others<T> {
    pub(super) answers: Vec<T>,
    /// The numbers of the servers that did not answer.
    pub(super) missing: Vec<i32>,
}

/// Asks all other servers the same; `entry` is the number of the entry of the audit, for an order. A server that is alone asks nobody.
pub(super) async fn ask<T: DeserializeOwned>(call: &Call<'_>, entry: Option<u64>) -> Others<T> {
    asked(call, |passing| HttpRequest { entry, ..passing }).await
}

/// Asks all other servers for the answer to another path.
pub(super) async fn look<T: DeserializeOwned>(call: &Call<'_>, path: &str) -> Others<T> {
    asked(call, |passing| HttpRequest {
        method: Method::GET.as_str().to_owned(),
        target: format!("{ADMIN_PATH}{path}"),
        body: Payload::default(),
        ..passing
    })
    .await
}

async fn asked<T: DeserializeOwned>(
    call: &Call<'_>,
    request: impl FnOnce(HttpRequest) -> HttpRequest,
) -> Others<T> {
    let mut others = Others {
        answers: Vec::new(),
        missing: Vec::new(),
    };
    let (Some(relay), Some(passing)) = (call.services.relay, &call.passing) else {
        return others;
    };
    let request = request(passing.clone());
    let may_repeat = request.method == Method::GET.as_str();
    for (node, answer) in ask_all(relay, may_repeat, &request).await {
        match answer {
            Ok(answer) => others
                .answers
                .extend(answer.and_then(|answer| answer.read())),
            Err(error) => {
                tracing::warn!(node = node.0, %error, route = call.route.name, "a server did not answer an admin");
                others.missing.push(node.0);
            }
        }
    }
    others
}

/// Orders all other servers the same; returns the numbers of those that did not answer.
pub(super) async fn tell(call: &Call<'_>, entry: u64) -> Vec<i32> {
    ask::<IgnoredAny>(call, Some(entry)).await.missing
}

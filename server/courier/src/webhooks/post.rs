//! One delivery: an event, its signature, and the request.

use std::fmt::Debug;
use std::sync::Arc;

use axum::http::HeaderMap;
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use bytes::Bytes;
use futures::FutureExt;
use futures::future::BoxFuture;
use tilewire_rules::quoted::quoted;
use tilewire_rules::time::{Millis, Timestamp};

use super::sign::Secrets;
use tilewire_config::target::{Scheme, Target};
use tilewire_config::{WebhookTarget, WebhooksConfig};
use tilewire_egress::{Caller, Failure, Reach};

/// An event as it is posted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// The `webhook-id`.
    pub id: String,
    /// The `webhook-timestamp`, unix seconds.
    pub seconds: i64,
    /// The `webhook-signature`.
    pub signature: String,
    /// The body.
    pub content: String,
}

/// An event was not taken, as far as the server knows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{stage}: {reason}")]
pub struct Undelivered {
    /// The step that failed.
    pub stage: &'static str,
    /// Why.
    pub reason: String,
    /// How long the other side wants to be left alone, if it says so.
    pub retry_after_ms: Option<Millis>,
}

/// A program that takes events.
pub trait Endpoint: Send + Sync + Debug {
    /// Posts an event.
    ///
    /// # Errors
    /// When the program does not say that it has taken the event.
    fn post(&self, delivery: Delivery) -> BoxFuture<'_, Result<(), Undelivered>>;
}

/// A webhook and how it is spoken to.
#[derive(Debug, Clone)]
pub struct Receiver {
    /// Its name.
    pub(super) name: String,
    secrets: Secrets,
    endpoint: Arc<dyn Endpoint>,
}

/// The address of a program, and the way there.
#[derive(Debug)]
struct Remote {
    caller: Caller,
    target: Target,
}

/// The settings of a webhook cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("webhooks.targets: {}: {reason}", quoted(.name))]
pub struct WebhookFault {
    name: String,
    reason: String,
}

impl WebhookFault {
    fn of(target: &WebhookTarget, reason: String) -> Self {
        Self {
            name: target.name.clone(),
            reason,
        }
    }
}

impl Receiver {
    /// Loads the files and the address that the settings of a webhook name.
    ///
    /// # Errors
    /// Names the setting that cannot be used.
    pub fn load(config: &WebhooksConfig, target: &WebhookTarget) -> Result<Self, WebhookFault> {
        let fault = |reason: String| WebhookFault::of(target, reason);
        let secrets = Secrets::load(&target.secret_file);
        let secrets = secrets.map_err(|error| fault(format!("secret_file: {error}")))?;
        let reach = Reach {
            allowed: target.allow_private.0.clone(),
            any_port: true,
        };
        let caller = Caller::load(&target.ca_file, config.step_ms.to_duration(), reach);
        let caller = caller.map_err(|error| fault(format!("ca_file: {error}")))?;
        let address = Target::read(&target.url, &Scheme::ALL);
        let address = address.map_err(|error| fault(format!("its url {error}")))?;
        if address.is_https() && address.server_name().is_err() {
            let reason = "no certificate could have the host of its url";
            return Err(fault(reason.to_owned()));
        }
        Ok(Self {
            name: target.name.clone(),
            secrets,
            endpoint: Arc::new(Remote {
                caller,
                target: address,
            }),
        })
    }

    /// Returns a webhook with another endpoint than that of its settings. `secrets` are lines as in its file.
    ///
    /// # Errors
    /// When these are no secrets.
    pub(super) fn with(
        target: &WebhookTarget,
        secrets: &str,
        endpoint: Arc<dyn Endpoint>,
    ) -> Result<Self, WebhookFault> {
        let read = Secrets::read(secrets);
        let secrets = read.ok_or_else(|| WebhookFault::of(target, "no secrets".to_owned()))?;
        Ok(Self {
            name: target.name.clone(),
            secrets,
            endpoint,
        })
    }

    /// Posts an event; the signature has the time `now`.
    ///
    /// # Errors
    /// Names the step that failed.
    pub async fn post(&self, id: &str, now: Timestamp, content: String) -> Result<(), Undelivered> {
        let seconds = now.0.div_euclid(1_000);
        let signature = self.secrets.sign(id, seconds, content.as_bytes());
        let delivery = Delivery {
            id: id.to_owned(),
            seconds,
            signature,
            content,
        };
        self.endpoint.post(delivery).await
    }
}

impl Endpoint for Remote {
    fn post(&self, delivery: Delivery) -> BoxFuture<'_, Result<(), Undelivered>> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        for (name, value) in [
            ("webhook-id", &delivery.id),
            ("webhook-timestamp", &delivery.seconds.to_string()),
            ("webhook-signature", &delivery.signature),
        ] {
            let value = value
                .parse()
                .expect("ids, numbers and base64 are plain text");
            headers.insert(name, value);
        }
        let body = Bytes::from(delivery.content);
        let post = async move {
            let posted = self.caller.post(&self.target, headers, body).await;
            posted.map_err(Undelivered::from)
        };
        post.boxed()
    }
}

impl From<Failure> for Undelivered {
    fn from(failure: Failure) -> Self {
        Self {
            stage: failure.stage.name(),
            retry_after_ms: failure.retry_after_ms(),
            reason: failure.reason,
        }
    }
}

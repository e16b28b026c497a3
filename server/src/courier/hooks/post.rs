//! One delivery: an event, its signature, and the request.

use axum::http::HeaderMap;
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use bytes::Bytes;
use tilewire_rules::time::Timestamp;

use super::sign::Secrets;
use crate::config::{WebhookTarget, WebhooksConfig};
use crate::egress::{Caller, Failure, Reach, Scheme, Target};

/// A webhook and how it is spoken to.
#[derive(Debug, Clone)]
pub(super) struct Receiver {
    /// Its name.
    pub(super) name: String,
    caller: Caller,
    target: Target,
    secrets: Secrets,
}

/// The settings of a webhook cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("webhooks.targets: {name:?}: {reason}")]
pub struct HookFault {
    name: String,
    reason: String,
}

impl Receiver {
    /// Reads what the settings of a webhook name.
    ///
    /// # Errors
    /// Says what cannot be used.
    pub(super) fn load(config: &WebhooksConfig, target: &WebhookTarget) -> Result<Self, HookFault> {
        let fault = |reason: String| HookFault {
            name: target.name.clone(),
            reason,
        };
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
            caller,
            target: address,
            secrets,
        })
    }

    /// Posts an event; the signature has the time `now`.
    ///
    /// # Errors
    /// Names the step that failed.
    pub(super) async fn post(
        &self,
        id: &str,
        now: Timestamp,
        content: String,
    ) -> Result<(), Failure> {
        let seconds = now.0.div_euclid(1_000);
        let signature = self.secrets.sign(id, seconds, content.as_bytes());
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        for (name, value) in [
            ("webhook-id", id),
            ("webhook-timestamp", &seconds.to_string()),
            ("webhook-signature", &signature),
        ] {
            let value = value
                .parse()
                .expect("ids, numbers and base64 are plain text");
            headers.insert(name, value);
        }
        let body = Bytes::from(content);
        self.caller.post(&self.target, headers, body).await
    }
}

//! Pushes in the outbox: reads, looks at and settles them, hands each over to its push service (RFC 8030), and reads what the
//! answer means.

use axum::http::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, InvalidHeaderValue};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use bytes::Bytes;
use tilewire_people::letters::LetterKind;
use tilewire_rules::time::{Millis, Timestamp};

use super::content::PushText;
use super::context::PushContext;
use super::machine::{Bounds, Outcome};
use crate::outbox::{Entry, Looked, Reason, Service};
use tilewire_accounts::seal::seal;
use tilewire_base::clock::ServerClock;
use tilewire_base::crash_points::{Point, reached};
use tilewire_base::metrics;
use tilewire_base::request_stage::Stage;
use tilewire_base::vapid::Vapid;
use tilewire_config::target::Target;
use tilewire_egress::{Answer, Caller, Failure};
use tilewire_store::{PushSettlement, StoreError, StoredPush};

/// The shortest time for which a push service keeps a push, s.
const TTL_LEAST_S: i64 = 60;
/// The longest, s: push services keep none longer.
const TTL_MOST_S: i64 = 28 * 24 * 3_600;

/// Sends pushes.
#[derive(Debug)]
pub(super) struct PushSender {
    /// Looks at pushes before they are sent.
    pub(super) context: PushContext,
    /// Sends requests.
    pub(super) caller: Caller,
    /// An address of the operator.
    pub(super) contact: String,
}

impl Service for PushSender {
    type Channel = Bounds;
    type Stored = StoredPush;
    type Content = PushText;

    const WAITING: &'static str = "pushes";

    fn clock(&self) -> &ServerClock {
        &self.context.clock
    }

    fn entry(&self, stored: &StoredPush) -> Entry<Bounds> {
        let letter = &stored.letter;
        Entry {
            key: stored.key.clone(),
            destination: stored.service.clone(),
            kind: letter.content.kind(),
            at: letter.at,
            until: letter.until,
            tries: stored.tries,
            unknown: stored.unknown,
        }
    }

    async fn due(
        &self,
        _queue: usize,
        now: Timestamp,
        most: usize,
        without: Vec<String>,
    ) -> Result<Vec<StoredPush>, StoreError> {
        self.context.store.pushes_due(now, without, most).await
    }

    async fn look(&self, stored: StoredPush) -> Looked<Self> {
        self.context.look(&stored).await
    }

    async fn begin(&self, key: &String) -> Result<bool, StoreError> {
        self.context.store.begin_push(key).await
    }

    async fn send(&self, _queue: usize, stored: StoredPush, text: Option<PushText>) -> Outcome {
        let Some(text) = text else {
            // It was looked at, so there is one. Without it the push is due again.
            return Outcome::Later(None);
        };
        reached(Point::BeforeWebPush);
        let started = self.context.clock.now();
        let outcome = self.hand_over(&stored, text, started).await;
        if outcome == Outcome::Sent {
            reached(Point::AfterWebPush);
            metrics::push_sent(stored.letter.content.kind().name());
        }
        let took = Millis(self.context.clock.now().since(started).max(0));
        metrics::push_request(took.to_duration());
        outcome
    }

    async fn settle(&self, stored: StoredPush, fate: PushSettlement) -> Result<(), StoreError> {
        self.context.store.settle_push(stored, fate).await
    }

    fn dropped(&self, kind: LetterKind, reason: Reason) {
        metrics::push_dropped(kind.name(), reason.name());
    }

    async fn tend(&self) {
        if let Ok(waiting) = self.context.store.pushes_waiting().await {
            metrics::pushes_waiting(waiting);
        }
    }
}

impl PushSender {
    /// Hands a push over.
    async fn hand_over(&self, push: &StoredPush, text: PushText, now: Timestamp) -> Outcome {
        let kind = push.letter.content.kind().name();
        let device = &push.device;
        let Ok(target) = device.endpoint.0.parse::<Target>() else {
            return Outcome::Refused;
        };
        let vapid = match self.context.store.push_key(Some(&device.kid)).await {
            // The operator has removed the key pair, and the browser accepts no other.
            Ok(None) => return Outcome::Gone,
            Ok(Some(key)) => Vapid::new(&key.secret),
            Err(error) => {
                tracing::warn!(%error, "pushes wait for the storage");
                return Outcome::Later(None);
            }
        };
        let signed =
            vapid.and_then(|vapid| vapid.authorization(&target.origin(), &self.contact, now));
        let Ok(signed) = signed.inspect_err(|error| tracing::error!(%error, "no push is sent"))
        else {
            return Outcome::Later(None);
        };
        let Ok(headers) = headers(&text, &signed, ttl_s(push.letter.until, now)) else {
            return Outcome::Refused;
        };
        let Ok(sealed) = seal(&device.receiver, &text.bytes()) else {
            return Outcome::Refused;
        };
        let posted = self.caller.post(&target, headers, Bytes::from(sealed));
        let Err(failure) = posted.await else {
            return Outcome::Sent;
        };
        let outcome = meaning(&failure);
        if outcome != Outcome::Gone {
            let (stage, status) = (failure.stage.name(), failure.answer.map(|it| it.status));
            let status = status.map(|status| status.as_u16());
            metrics::push_failed(stage);
            // The reason can contain the address.
            tracing::warn!(stage, status, kind, "a push was not sent");
        }
        outcome
    }
}

/// Returns the consequence of a failure for a push.
fn meaning(failure: &Failure) -> Outcome {
    match (failure.answer, failure.stage) {
        (Some(answer), _) => refused(answer),
        (None, Stage::Resolve | Stage::Connect | Stage::Tls) => Outcome::Unreachable,
        // It will not be another one.
        (None, Stage::Address) => Outcome::Refused,
        (None, Stage::Answer | Stage::Status) => Outcome::Unknown,
    }
}

/// Returns the consequence of an answer that refuses a push.
fn refused(answer: Answer) -> Outcome {
    let wait = answer.retry_after_ms;
    match answer.status {
        StatusCode::NOT_FOUND | StatusCode::GONE => Outcome::Gone,
        // The signature is refused: the clock of this machine, perhaps. The browser is not to blame.
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::TOO_MANY_REQUESTS => {
            Outcome::Later(wait)
        }
        status if status.is_server_error() => Outcome::Down(wait),
        // A redirect too: it is not followed.
        _ => Outcome::Refused,
    }
}

/// Returns the time for which a push service keeps a push: as long as it is true.
fn ttl_s(until: Timestamp, now: Timestamp) -> i64 {
    (until.since(now) / 1_000).clamp(TTL_LEAST_S, TTL_MOST_S)
}

fn headers(text: &PushText, signed: &str, ttl_s: i64) -> Result<HeaderMap, InvalidHeaderValue> {
    let binary = HeaderValue::from_static("application/octet-stream");
    let coding = HeaderValue::from_static("aes128gcm");
    let mut signed = HeaderValue::from_str(signed)?;
    signed.set_sensitive(true);
    let all = [
        (AUTHORIZATION, signed),
        (CONTENT_TYPE, binary),
        (CONTENT_ENCODING, coding),
        (HeaderName::from_static("ttl"), HeaderValue::from(ttl_s)),
        (
            HeaderName::from_static("urgency"),
            HeaderValue::from_static("normal"),
        ),
        (
            HeaderName::from_static("topic"),
            HeaderValue::from_str(&text.tag)?,
        ),
    ];
    Ok(all.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use tilewire_rules::time::Millis;

    use super::*;

    #[track_caller]
    fn check(status: u16, retry_after_ms: Option<Millis>, expected: Outcome) {
        let status = StatusCode::from_u16(status).unwrap();
        let answer = Answer {
            status,
            retry_after_ms,
        };
        assert_eq!(refused(answer), expected, "{status}");
    }

    #[test]
    fn each_status_has_a_meaning() {
        let wait = Some(Millis(5_000));
        for status in [404, 410] {
            check(status, wait, Outcome::Gone);
        }
        check(429, wait, Outcome::Later(wait));
        for status in [401, 403] {
            check(status, None, Outcome::Later(None));
        }
        check(503, wait, Outcome::Down(wait));
        check(500, None, Outcome::Down(None));
        for status in [301, 307, 400, 413] {
            check(status, None, Outcome::Refused);
        }
    }

    #[test]
    fn a_push_is_kept_as_long_as_it_is_true() {
        for (until_ms, expected) in [
            (-5, TTL_LEAST_S),
            (30_000, TTL_LEAST_S),
            (3_600_000, 3_600),
            (i64::MAX / 2, TTL_MOST_S),
        ] {
            assert_eq!(
                ttl_s(Timestamp(until_ms), Timestamp(0)),
                expected,
                "{until_ms}"
            );
        }
    }
}

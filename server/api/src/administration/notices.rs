//! Notices to all connections. Every server sends them to its own clients.

use std::collections::BTreeMap;

use axum::body::Body;
use axum::http::Response;
use tilewire_protocol::Notice;
use tilewire_rules::time::{Millis, Timestamp};

use super::order_bodies::ReasonOrder;
use super::server::{enter, no_effect};
use super::server_bodies::{NoticeLine, NoticeOrder, NoticesBody, Reached};
use super::{Call, fan_out};
use crate::input::parsed;
use crate::moderation::{number, wrong};
use crate::refusal::Refusal;
use tilewire_control::{NOTICES_MOST, Scheduled};

/// The most characters of the topic and of the text of a notice.
const NOTICE_MAX_CHARS: (usize, usize) = (64, 1_000);
/// The shortest time between two sendings of a notice.
const NOTICE_EVERY_LEAST: Millis = Millis(60_000);

/// Lists the notices that wait.
pub(super) async fn list(call: &Call<'_>) -> Result<Response<Body>, Refusal> {
    Ok(call.ok(&waiting(call).await))
}

/// Returns the notices that wait on any server. One that has started later does not have all.
async fn waiting(call: &Call<'_>) -> NoticesBody {
    let own = call.services.notices.all().into_iter().map(Into::into);
    let others = fan_out::look::<NoticesBody>(call, "/notices").await;
    let theirs = others.answers.into_iter().flat_map(|body| body.notices);
    let all: BTreeMap<u64, NoticeLine> = own
        .chain(theirs)
        .map(|line: NoticeLine| (line.number, line))
        .collect();
    NoticesBody {
        notices: all.into_values().collect(),
        missing_servers: others.missing,
    }
}

/// Sends a notice, now or later.
pub(super) async fn send(call: &Call<'_>) -> Result<Response<Body>, Refusal> {
    let asked: NoticeOrder = parsed(&call.body)?;
    let now = call.services.people.now();
    // Another server may have checked the time, by its own clock.
    let first = match (asked.first, call.entry) {
        (Some(first), Some(_)) => now.max(Timestamp(first)).0.into(),
        (first, _) => first,
    };
    let asked = NoticeOrder { first, ..asked };
    let scheduled = scheduled(&asked, now)?;
    if call.services.notices.all().len() >= NOTICES_MOST {
        let text = format!("{NOTICES_MOST} notices wait; cancel one");
        return Err(no_effect(&text));
    }
    let name = ("notice_scheduled", "notices");
    let number = enter(call, name, None, (asked.reason, None)).await?;
    call.services.notices.add(number, scheduled);
    let others = fan_out::tell(call, number).await;
    Ok(call.ok(&Reached::of(number, others)))
}

/// Returns the notice that an order asks for.
fn scheduled(asked: &NoticeOrder, now: Timestamp) -> Result<Scheduled, Refusal> {
    let fits = |text: &str, most: usize| (1..=most).contains(&text.chars().count());
    if !fits(&asked.code, NOTICE_MAX_CHARS.0) {
        return Err(wrong("code", "1 to 64 characters"));
    }
    if !fits(&asked.text, NOTICE_MAX_CHARS.1) {
        return Err(wrong("text", "1 to 1000 characters"));
    }
    let next = asked.first.map_or(now, Timestamp);
    let again = match (asked.every_ms.map(Millis), asked.at.map(Timestamp)) {
        (None, _) => None,
        (Some(every), Some(at)) if every >= NOTICE_EVERY_LEAST && next < at => Some((every, at)),
        (Some(every), Some(_)) if every < NOTICE_EVERY_LEAST => {
            return Err(wrong("every_ms", "at least a minute"));
        }
        (Some(_), _) => return Err(wrong("at", "name the event before which it is repeated")),
    };
    if next < now {
        return Err(wrong("first", "a notice is sent now or later"));
    }
    Ok(Scheduled {
        notice: Notice {
            code: asked.code.clone(),
            text: asked.text.clone(),
            at: asked.at,
            until: asked.until,
        },
        next,
        again,
    })
}

/// Cancels a notice that waits.
pub(super) async fn cancel(call: &Call<'_>) -> Result<Response<Body>, Refusal> {
    let asked: ReasonOrder = parsed(&call.body)?;
    let cancelled = number(call.parameter())?;
    let is_new = call.entry.is_none();
    let is_other = |line: &NoticeLine| line.number != cancelled;
    if is_new && waiting(call).await.notices.iter().all(is_other) {
        return Err(no_effect("no notice with this number waits"));
    }
    let about = Some(cancelled.to_string());
    let name = ("notice_cancelled", "notices");
    let number = enter(call, name, about, (asked.reason, None)).await?;
    // It may have been sent meanwhile.
    call.services.notices.remove(cancelled);
    let others = fan_out::tell(call, number).await;
    Ok(call.ok(&Reached::of(number, others)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp(1_000_000);

    #[track_caller]
    fn check(change: impl FnOnce(&mut NoticeOrder), is_accepted: bool) {
        let mut asked = NoticeOrder {
            code: "maintenance".to_owned(),
            text: "Back at noon".to_owned(),
            at: None,
            until: None,
            first: None,
            every_ms: None,
            reason: "a new version".to_owned(),
        };
        change(&mut asked);
        assert_eq!(scheduled(&asked, NOW).is_ok(), is_accepted, "{asked:?}");
    }

    #[test]
    fn a_notice_is_repeated_before_its_event_only() {
        check(|_| (), true);
        check(|asked| asked.first = Some(NOW.0 + 1), true);
        check(|asked| asked.first = Some(NOW.0 - 1), false);
        check(|asked| asked.code = String::new(), false);
        check(|asked| asked.text = "x".repeat(1_001), false);
        check(|asked| asked.every_ms = Some(60_000), false);
        let repeated = |every_ms, at| {
            move |asked: &mut NoticeOrder| {
                asked.every_ms = Some(every_ms);
                asked.at = Some(at);
            }
        };
        check(repeated(60_000, NOW.0 + 1), true);
        check(repeated(59_999, NOW.0 + 1), false);
        check(repeated(60_000, NOW.0), false);
    }
}

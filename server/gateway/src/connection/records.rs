//! Records of finished games over plain HTTP: `GET /games/{id}.gcg` and `/games/{id}.jsonl`.
//!
//! A refusal begins with a stable code. A game that is not over has no record: it would show racks. Without its code, a
//! private game gets the answer of a game that does not exist.

use std::sync::Arc;

use axum::body::Body;
use axum::http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, RETRY_AFTER,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};
use tilewire_protocol::GameId;
use tilewire_protocol::limits::ID_MAX_BYTES;
use tilewire_rules::event::Event;
use tilewire_rules::record::{gcg, native};
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::time::Millis;

use super::services::Services;
use super::upgrade::text;
use tilewire_base::address::ClientAddress;
use tilewire_base::http::{bearer, retry_after_s};
use tilewire_base::ids::normal_code;
use tilewire_game::FindError;
use tilewire_store::StoredGame;

/// The path of records.
pub(super) const RECORDS_PATH: &str = "/games/";
/// The header with the code of a private game. In a URL the code would end up in logs and histories.
const CODE_HEADER: HeaderName = HeaderName::from_static("x-game-code");
/// The time after which a client may ask a busy server again.
const BUSY_RETRY: Millis = Millis(2_000);

/// The format of a record.
#[derive(Debug, Clone, Copy)]
enum Format {
    Gcg,
    Native,
}

impl Format {
    const fn media_type(self) -> &'static str {
        match self {
            Self::Gcg => "text/plain; charset=utf-8",
            Self::Native => "application/x-ndjson",
        }
    }
}

/// The reasons why a record is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
enum Refusal {
    #[error("not_found: records are at {RECORDS_PATH}GAME.gcg and {RECORDS_PATH}GAME.jsonl")]
    Path,
    #[error(
        "unknown_game: there is no such game, or it is private and its record needs its code in the header {CODE_HEADER}, or the token of a player"
    )]
    Unknown,
    #[error("not_over: a game has a record once it is over")]
    NotOver,
    #[error("rate_limited: too many wrong codes have come from this address; try again later")]
    Guessing(Millis),
    #[error("no_form: this game cannot be written in this format; use .jsonl")]
    NoForm,
    #[error("busy: too many records are being read; try again")]
    Busy,
    #[error("unavailable: the game cannot be read now; try again")]
    Unavailable,
    #[error("internal: the game cannot be read; the operator has been told")]
    Broken,
}

impl Refusal {
    const fn status(self) -> StatusCode {
        match self {
            Self::Path | Self::Unknown | Self::NoForm => StatusCode::NOT_FOUND,
            Self::NotOver => StatusCode::CONFLICT,
            Self::Guessing(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::Busy | Self::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            Self::Broken => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// Returns the time after which the client may ask again, if a retry can help.
    const fn retry_after(self) -> Option<Millis> {
        match self {
            Self::Guessing(wait) => Some(wait),
            Self::Busy | Self::Unavailable => Some(BUSY_RETRY),
            Self::Path | Self::Unknown | Self::NotOver | Self::NoForm | Self::Broken => None,
        }
    }
}

impl From<FindError> for Refusal {
    fn from(error: FindError) -> Self {
        match error {
            FindError::Unknown => Self::Unknown,
            FindError::Broken => Self::Broken,
            FindError::Unavailable | FindError::Elsewhere | FindError::Stopping => {
                Self::Unavailable
            }
        }
    }
}

/// Answers the request of a client for the record at `path`, which begins with [`RECORDS_PATH`].
pub(super) async fn answer(
    services: &Services,
    path: &str,
    from: ClientAddress,
    headers: &HeaderMap,
) -> Response<Body> {
    let mut answer = match record(services, path, from, headers).await {
        Ok(found) => found,
        Err(refusal) => {
            let mut refused = text(refusal.status(), format!("{refusal}\n"));
            if let Some(wait) = refusal.retry_after() {
                refused
                    .headers_mut()
                    .insert(RETRY_AFTER, retry_after_s(wait).into());
            }
            refused
        }
    };
    let nosniff = HeaderValue::from_static("nosniff");
    answer.headers_mut().insert(X_CONTENT_TYPE_OPTIONS, nosniff);
    answer
}

async fn record(
    services: &Services,
    path: &str,
    from: ClientAddress,
    headers: &HeaderMap,
) -> Result<Response<Body>, Refusal> {
    let (id, format) = asked(path).ok_or(Refusal::Path)?;
    let code = headers.get(CODE_HEADER);
    if code.is_some() {
        let entries = services.people.wrong_entries();
        entries
            .admit_record_code(&from)
            .map_err(Refusal::Guessing)?;
    }
    // Reading and writing a record takes a while; a limit keeps it from delaying games.
    let place = services.records.try_take(Some(from));
    let _place = place.ok_or(Refusal::Busy)?;
    let holder = holder(services, headers).await;
    let stored = match services.directory.stored(&GameId::from(id)).await {
        Ok(stored) if is_open_with(&stored, code) => stored,
        Ok(stored) if holder.is_some_and(|holder| has_seat(&stored, &holder)) => stored,
        Ok(_) | Err(FindError::Unknown) => {
            // A code for a game that does not exist counts too: the count must not tell whether it exists.
            if code.is_some() {
                services.people.wrong_entries().wrong_record_code(from);
            }
            return Err(Refusal::Unknown);
        }
        Err(error) => return Err(error.into()),
    };
    if !stored.is_finished {
        return Err(Refusal::NotOver);
    }
    let written = match format {
        Format::Native => {
            let rules = rules(services, &stored)?;
            native::write(&stored.records, rules.map(|rules| &**rules)).ok_or(Refusal::Broken)?
        }
        Format::Gcg => score_sheet(services, &stored)?,
    };
    let extension = match format {
        Format::Gcg => "gcg",
        Format::Native => "jsonl",
    };
    let answer = Response::builder()
        .header(CONTENT_TYPE, format.media_type())
        .header(
            CONTENT_DISPOSITION,
            format!("inline; filename=\"{id}.{extension}\""),
        )
        // A shared cache must not give a private game's record to others.
        .header(CACHE_CONTROL, "private")
        .body(Body::from(written));
    answer.map_err(|_| Refusal::Broken)
}

/// Returns the game and the format that a path names. Ids are letters and digits, so nothing else reaches the storage.
fn asked(path: &str) -> Option<(&str, Format)> {
    let name = path.strip_prefix(RECORDS_PATH)?;
    let (id, extension) = name.rsplit_once('.')?;
    let format = match extension {
        "gcg" => Format::Gcg,
        "jsonl" => Format::Native,
        _ => return None,
    };
    let is_id =
        (1..=ID_MAX_BYTES).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_alphanumeric());
    is_id.then_some((id, format))
}

/// Says whether the game is public or this is its code.
fn is_open_with(stored: &StoredGame, code: Option<&HeaderValue>) -> bool {
    let Some(right) = &stored.meta.private_code else {
        return true;
    };
    let given = code.and_then(|code| code.to_str().ok());
    given.is_some_and(|given| normal_code(given) == normal_code(right))
}

/// Returns the identity of the token in the request. A refused token opens nothing, and is no error: a public game needs
/// none.
async fn holder(services: &Services, headers: &HeaderMap) -> Option<String> {
    let token = headers.get(AUTHORIZATION).and_then(bearer)?;
    let token = std::str::from_utf8(token).ok()?;
    let holder = services.accounts.bearer(token).await.ok()?;
    Some(holder.pass.identity)
}

/// Says whether the identity has a seat in the game.
fn has_seat(stored: &StoredGame, identity: &str) -> bool {
    let Some(Event::Created(created)) = stored.records.first().map(|record| &record.event) else {
        return false;
    };
    let mut players = created.players.iter();
    players.any(|player| player.identity == identity)
}

/// Returns the rules of a stored game; `None` if the operator has removed the rule set.
fn rules<'a>(
    services: &'a Services,
    stored: &StoredGame,
) -> Result<Option<&'a Arc<RuleSet>>, Refusal> {
    let Some(Event::Created(created)) = stored.records.first().map(|record| &record.event) else {
        return Err(Refusal::Broken);
    };
    let options = &created.options;
    let catalogue = &services.catalogue;
    Ok(catalogue.rules(&options.rule_set, &options.language))
}

fn score_sheet(services: &Services, stored: &StoredGame) -> Result<String, Refusal> {
    // The native record still holds everything.
    let rules = rules(services, stored)?.ok_or(Refusal::NoForm)?;
    let sheet = gcg::from_log(rules, &stored.records).map_err(|_| Refusal::Broken)?;
    Ok(gcg::write(&sheet))
}

#[cfg(test)]
mod tests {
    use super::{ID_MAX_BYTES, asked};

    #[test]
    fn only_ids_reach_the_storage() {
        let long = format!("/games/{}.gcg", "a".repeat(ID_MAX_BYTES + 1));
        for path in [
            "/games/",
            "/games/.gcg",
            "/games/abc",
            "/games/abc.txt",
            "/games/a/b.gcg",
            "/games/../x.gcg",
            "/games/a%20b.gcg",
            "/games/é.gcg",
            &long,
        ] {
            assert!(asked(path).is_none(), "{path}");
        }
        let (id, _) = asked("/games/g4k7m2q9.jsonl").unwrap();
        assert_eq!(id, "g4k7m2q9");
    }
}

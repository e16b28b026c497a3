//! Who connects: guests and their tokens, names, what they are welcomed with.

use crate::connection::Source;
use std::sync::Arc;

use tilewire_protocol::{
    Auth, ErrorBody, ErrorCode, ErrorDetail, IdentityId, OkBody, ServerMessage, Token, Welcome,
};

use crate::app::App;
use crate::game::Sleeping;
use crate::identity::{Pass, TokenError, names};
use crate::metrics;
use crate::storage::IdentityRow;

/// Somebody who was let in.
pub(crate) struct Admitted {
    /// Who.
    pub(crate) player: IdentityRow,
    /// By what.
    pub(crate) pass: Pass,
    /// Which games of theirs sleep.
    pub(crate) sleeping: Sleeping,
}

/// Finds out who a client is: the holder of its token, or without one a new guest. `from` is where it comes from, as far
/// as that is known.
///
/// # Errors
/// What the client is told: [`ErrorCode::BadToken`] when the token is not taken.
pub(crate) async fn authenticate(
    app: &Arc<App>,
    auth: Auth,
    from: Option<Source>,
) -> Result<Admitted, ErrorBody> {
    let mut wanted = match &auth.name {
        Some(name) => Some(
            names::check(name)
                .map_err(|error| ErrorBody::new(ErrorCode::BadName, error.to_string()))?,
        ),
        None => None,
    };
    let (pass, known) = match &auth.token {
        Some(token) => holder(app, token.as_str()).await?,
        None => (guest(app, from)?, None),
    };
    // What the site says of its user counts more than what the user says; a name that cannot be shown is none.
    let given = pass
        .name
        .as_deref()
        .and_then(|name| names::check(name).ok());
    wanted = given.or(wanted);
    let is_new = known.is_none();
    let mut player = known.unwrap_or_else(|| IdentityRow {
        name: names::of_guest(&pass.identity),
        identity: pass.identity.clone(),
        created_at: app.clock.now(),
    });
    let is_renamed = wanted.as_ref().is_some_and(|name| *name != player.name);
    if let Some(name) = wanted {
        player.name = name;
    }
    if is_new || is_renamed {
        store(app, player.clone()).await?;
    }
    let sleeping = sleeping(app, &player.identity, is_new).await?;
    tracing::debug!(
        identity = player.identity,
        family = pass.family,
        is_new,
        client = auth.client,
        "authenticated"
    );
    Ok(Admitted {
        player,
        pass,
        sleeping,
    })
}

fn guest(app: &Arc<App>, from: Option<Source>) -> Result<Pass, ErrorBody> {
    if let Some(source) = from
        && let Err(retry_after_ms) = app.newcomers.enter(source, app.clock.now())
    {
        let detail = ErrorDetail {
            retry_after_ms: Some(retry_after_ms),
            ..ErrorDetail::default()
        };
        let text = "too many new guests have come from this address";
        return Err(ErrorBody::new(ErrorCode::RateLimited, text).with_detail(detail));
    }
    Ok(Pass::of_guest(
        app.ids.identity_id(),
        app.ids.token_family(),
    ))
}

async fn holder(app: &Arc<App>, token: &str) -> Result<(Pass, Option<IdentityRow>), ErrorBody> {
    let verified = app.tokens.verify(token, app.clock.now());
    let mut pass = verified.map_err(|error| {
        metrics::token_refused(match error {
            TokenError::Foreign => "foreign",
            TokenError::Expired => "expired",
            TokenError::Early => "early",
            TokenError::Revoked => "revoked",
        });
        ErrorBody::new(ErrorCode::BadToken, error.to_string())
    })?;
    let is_sent_by_site = pass.kid.is_none();
    if is_sent_by_site {
        pass.family = app.ids.token_family();
        // Fixed here, so that no renewal moves it.
        pass.expires_at = Some(app.clock.now() + app.config.identity.site_session_ms);
    }
    match app.identities.find(&pass.identity).await {
        Ok(Some(row)) => Ok((pass, Some(row))),
        Ok(None) if is_sent_by_site => Ok((pass, None)),
        // A good signature of somebody who is not in the storage: it was restored from an older state.
        Ok(None) => Err(ErrorBody::new(
            ErrorCode::BadToken,
            "nobody with this token's identity is known here",
        )),
        Err(error) => {
            tracing::warn!(%error, "an identity could not be read");
            Err(ErrorBody::new(
                ErrorCode::StoragePaused,
                "the storage does not answer",
            ))
        }
    }
}

async fn sleeping(app: &Arc<App>, identity: &str, is_new: bool) -> Result<Sleeping, ErrorBody> {
    if is_new {
        return Ok(Sleeping::default());
    }
    app.directory.sleeping_of(identity).await.map_err(|error| {
        tracing::warn!(%error, "somebody's games could not be read");
        ErrorBody::new(ErrorCode::StoragePaused, "the storage does not answer")
    })
}

async fn store(app: &Arc<App>, row: IdentityRow) -> Result<(), ErrorBody> {
    let name = (row.identity.clone(), row.name.clone());
    app.identities.put(row).await.map_err(|error| {
        tracing::warn!(%error, "an identity was not stored");
        ErrorBody::new(
            ErrorCode::StoragePaused,
            "the storage does not answer; nothing was changed",
        )
    })?;
    app.names.insert(&name.0, &name.1);
    Ok(())
}

/// Returns what a player is welcomed with.
pub(crate) fn welcome(app: &Arc<App>, admitted: Admitted) -> Welcome {
    let now = app.clock.now();
    let Admitted {
        player,
        pass,
        sleeping,
    } = admitted;
    let issued = app.tokens.issue(&pass, now);
    Welcome {
        token: Token(issued.token),
        expires_at: issued.expires_at,
        games: app.directory.of_identity_with(&player.identity, sleeping),
        server_time: now,
        identity: IdentityId(player.identity),
        name: player.name,
    }
}

/// Returns a fresh token for whoever came in by a pass.
pub(crate) fn renew(app: &Arc<App>, pass: &Pass) -> ServerMessage {
    let issued = app.tokens.issue(pass, app.clock.now());
    ServerMessage::Ok(Box::new(OkBody {
        token: Some(Token(issued.token)),
        expires_at: issued.expires_at,
        ..OkBody::default()
    }))
}

/// Changes a display name; running games keep the old one.
pub(crate) async fn rename(app: &Arc<App>, identity: &str, wanted: &str) -> ServerMessage {
    let name = match names::check(wanted) {
        Ok(name) => name,
        Err(error) => {
            return ServerMessage::Error(ErrorBody::new(ErrorCode::BadName, error.to_string()));
        }
    };
    let row = IdentityRow {
        identity: identity.to_owned(),
        name: name.clone(),
        created_at: app.clock.now(),
    };
    match store(app, row).await {
        Ok(()) => ServerMessage::Ok(Box::new(OkBody {
            name: Some(name),
            ..OkBody::default()
        })),
        Err(body) => ServerMessage::Error(body),
    }
}

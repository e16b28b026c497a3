//! Who connects: guests and their tokens, names, what they are welcomed with.

use std::sync::Arc;

use tilewire_protocol::{
    Auth, ErrorBody, ErrorCode, IdentityId, OkBody, ServerMessage, Token, Welcome,
};

use crate::app::App;
use crate::identity::names;
use crate::storage::IdentityRow;

/// Finds out who a client is: the holder of its token, or without one a new guest.
///
/// # Errors
/// What the client is told: [`ErrorCode::BadToken`] when the token is none of this server's.
pub(crate) async fn authenticate(app: &Arc<App>, auth: Auth) -> Result<IdentityRow, ErrorBody> {
    let wanted = match &auth.name {
        Some(name) => Some(
            names::check(name)
                .map_err(|error| ErrorBody::new(ErrorCode::BadName, error.to_string()))?,
        ),
        None => None,
    };
    let known = match &auth.token {
        Some(token) => Some(holder(app, token.as_str()).await?),
        None => None,
    };
    let is_new = known.is_none();
    let mut player = known.unwrap_or_else(|| {
        let identity = app.ids.identity_id();
        IdentityRow {
            name: names::of_guest(&identity),
            identity,
            created_at: app.clock.now(),
        }
    });
    let is_renamed = wanted.as_ref().is_some_and(|name| *name != player.name);
    if let Some(name) = wanted {
        player.name = name;
    }
    if is_new || is_renamed {
        store(app, player.clone()).await?;
    }
    tracing::debug!(
        identity = player.identity,
        is_new,
        client = auth.client,
        "authenticated"
    );
    Ok(player)
}

async fn holder(app: &Arc<App>, token: &str) -> Result<IdentityRow, ErrorBody> {
    let refused = || ErrorBody::new(ErrorCode::BadToken, "the token is not one of this server's");
    let identity = app
        .tokens
        .verify(token, app.clock.now())
        .map_err(|_| refused())?;
    match app.identities.find(&identity).await {
        Ok(Some(row)) => Ok(row),
        // A good signature of somebody who is not in the storage: it was restored from an older state.
        Ok(None) => Err(refused()),
        Err(error) => {
            tracing::warn!(%error, "an identity could not be read");
            Err(ErrorBody::new(
                ErrorCode::StoragePaused,
                "the storage does not answer",
            ))
        }
    }
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
    app.names.insert(name.0, name.1);
    Ok(())
}

/// Returns what a player is welcomed with.
pub(crate) fn welcome(app: &Arc<App>, player: IdentityRow) -> Welcome {
    let now = app.clock.now();
    Welcome {
        token: Token(app.tokens.issue(&player.identity, now)),
        games: app.directory.of_identity(&player.identity),
        server_time: now,
        identity: IdentityId(player.identity),
        name: player.name,
    }
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

//! Authentication of clients, and the identities and names behind it.

use std::fmt;
use std::sync::Arc;

use tilewire_protocol::{Auth, ErrorBody, ErrorCode, ErrorDetail, OkBody, ServerMessage, Token};
use tilewire_rules::time::Millis;

use super::name_cache::NameCache;
use super::names;
use super::new_guests::NewGuests;
use super::tokens::{Issued, Pass, TokenError, Tokens};
use crate::address::ClientAddress;
use crate::clock::ServerClock;
use crate::config::Config;
use crate::ids::Ids;
use crate::metrics;
use crate::storage::{IdentityRow, IdentityStore};

/// How exact the stored time is at which an identity was seen.
const SEEN_EVERY: Millis = Millis(24 * 3_600_000);

/// The services that [`Accounts`] uses.
pub struct AccountParts {
    /// Server time.
    pub clock: ServerClock,
    /// Makes ids.
    pub ids: Ids,
    /// The stored identities.
    pub store: Arc<dyn IdentityStore>,
    /// Signs and checks tokens.
    pub tokens: Tokens,
}

/// Authenticates clients and knows their names.
pub struct Accounts {
    parts: AccountParts,
    names: NameCache,
    new_guests: NewGuests,
    site_session_ms: Millis,
}

/// A client that has authenticated.
#[derive(Debug)]
pub struct Authenticated {
    /// Its identity.
    pub identity: IdentityRow,
    /// The proof of the identity.
    pub pass: Pass,
    /// Whether the identity was never here before.
    pub is_new: bool,
}

impl Accounts {
    /// Returns the accounts of a server with these settings.
    #[must_use]
    pub fn new(parts: AccountParts, config: &Config) -> Self {
        let (limits, timing) = (&config.limits, &config.timing);
        Self {
            parts,
            names: NameCache::default(),
            new_guests: NewGuests::new(limits.new_guests_per_address, timing.new_guests_ms),
            site_session_ms: config.identity.site_session_ms,
        }
    }

    /// Returns the signer and verifier of tokens.
    pub const fn tokens(&self) -> &Tokens {
        &self.parts.tokens
    }

    /// Authenticates a client as the holder of its token, or as a new guest without one. `from` is its address, as far as
    /// that is known.
    ///
    /// # Errors
    /// The error for the client: [`ErrorCode::BadToken`] when the token is refused, [`ErrorCode::Revoked`] when the
    /// operator has revoked the identity.
    pub async fn authenticate(
        &self,
        auth: Auth,
        from: Option<ClientAddress>,
    ) -> Result<Authenticated, ErrorBody> {
        let mut wanted = match &auth.name {
            Some(name) => Some(
                names::check(name)
                    .map_err(|error| ErrorBody::new(ErrorCode::BadName, error.to_string()))?,
            ),
            None => None,
        };
        let (pass, known) = match &auth.token {
            Some(token) => self.holder(token.as_str()).await?,
            None => (self.guest(from)?, None),
        };
        // The user of a site that gives names has no choice. A name that breaks the rules changes nothing: by way of such a
        // name a user could still choose another.
        if pass.is_named_by_site {
            let given = pass.name.as_deref();
            wanted = given.and_then(|name| names::check(name).ok());
        }
        let (now, is_stored) = (self.parts.clock.now(), known.is_some());
        let mut identity = known.unwrap_or_else(|| IdentityRow {
            name: names::of_guest(&pass.identity),
            identity: pass.identity.clone(),
            created_at: now,
            seen_at: now,
        });
        let is_renamed = wanted.as_ref().is_some_and(|name| *name != identity.name);
        if let Some(name) = wanted {
            identity.name = name;
        }
        let is_seen_anew = now - identity.seen_at > SEEN_EVERY;
        if is_seen_anew {
            identity.seen_at = now;
        }
        // A visitor who only watches leaves nothing behind: `name_to_play` stores a guest.
        if is_renamed {
            self.store(identity.clone()).await?;
        } else if is_stored && is_seen_anew {
            // The client can play even if the storage does not take this.
            self.store(identity.clone()).await.ok();
        }
        Ok(Authenticated {
            identity,
            is_new: !is_stored && pass.kid.is_none(),
            pass,
        })
    }

    fn guest(&self, from: Option<ClientAddress>) -> Result<Pass, ErrorBody> {
        if let Some(address) = from
            && let Err(retry_after_ms) = self.new_guests.enter(address, self.parts.clock.now())
        {
            let detail = ErrorDetail {
                retry_after_ms: Some(retry_after_ms.0),
                ..ErrorDetail::default()
            };
            let text = "too many new guests have come from this address";
            return Err(ErrorBody::new(ErrorCode::RateLimited, text).with_detail(detail));
        }
        let ids = &self.parts.ids;
        Ok(Pass::without_token(ids.identity_id(), ids.token_family()))
    }

    async fn holder(&self, token: &str) -> Result<(Pass, Option<IdentityRow>), ErrorBody> {
        let AccountParts {
            clock, ids, store, ..
        } = &self.parts;
        let verified = self.parts.tokens.verify(token, clock.now());
        let mut pass = verified.map_err(|error| {
            metrics::token_refused(match &error {
                TokenError::Foreign => "foreign",
                TokenError::Expired => "expired",
                TokenError::Early => "early",
                TokenError::Revoked | TokenError::Barred { .. } => "revoked",
            });
            error.for_client()
        })?;
        let is_of_site = pass.kid.is_none();
        if is_of_site {
            pass.family = ids.token_family();
            // Fixed here, so that no renewal extends it.
            pass.expires_at = Some(clock.now() + self.site_session_ms);
        }
        match store.find(&pass.identity).await {
            // The identity of a good token may not be stored: it was idle, or the storage was restored from an older state.
            Ok(known) => Ok((pass, known)),
            Err(error) => {
                tracing::warn!(%error, "an identity could not be read");
                Err(ErrorBody::new(
                    ErrorCode::StoragePaused,
                    "the storage does not answer",
                ))
            }
        }
    }

    async fn store(&self, row: IdentityRow) -> Result<(), ErrorBody> {
        let (identity, name) = (row.identity.clone(), row.name.clone());
        self.parts.store.put(row).await.map_err(|error| {
            tracing::warn!(%error, "an identity was not stored");
            ErrorBody::new(
                ErrorCode::StoragePaused,
                "the storage does not answer; nothing was changed",
            )
        })?;
        self.names.insert(&identity, &name);
        Ok(())
    }

    /// Issues a fresh token for the holder of a pass.
    pub fn issue(&self, pass: &Pass) -> Issued {
        self.parts.tokens.issue(pass, self.parts.clock.now())
    }

    /// Answers a request for a fresh token.
    pub fn renew(&self, pass: &Pass) -> ServerMessage {
        let issued = self.issue(pass);
        ServerMessage::Ok(Box::new(OkBody {
            token: Some(Token(issued.token)),
            expires_at: issued.expires_at.map(|at| at.0),
            ..OkBody::default()
        }))
    }

    /// Changes the display name of the holder of a pass and answers the request; running games keep the old name.
    pub async fn rename(&self, pass: &Pass, wanted: &str) -> ServerMessage {
        let refused = |why: String| ServerMessage::Error(ErrorBody::new(ErrorCode::BadName, why));
        if pass.is_named_by_site {
            return refused("your name comes from the site that you play on".to_owned());
        }
        let name = match names::check(wanted) {
            Ok(name) => name,
            Err(error) => return refused(error.to_string()),
        };
        let now = self.parts.clock.now();
        let row = IdentityRow {
            identity: pass.identity.clone(),
            name: name.clone(),
            created_at: now,
            seen_at: now,
        };
        match self.store(row).await {
            Ok(()) => ServerMessage::Ok(Box::new(OkBody {
                name: Some(name),
                ..OkBody::default()
            })),
            Err(body) => ServerMessage::Error(body),
        }
    }

    /// Returns the display name of an identity that opens or joins a seek, and stores it if it is not stored yet.
    pub async fn name_to_play(&self, identity: &str) -> String {
        if let Some(name) = self.names.get(identity) {
            return name;
        }
        let name = names::of_guest(identity);
        match self.parts.store.find(identity).await {
            Ok(Some(row)) => self.names.insert_read(identity, row.name),
            Ok(None) => {
                let now = self.parts.clock.now();
                let row = IdentityRow {
                    identity: identity.to_owned(),
                    name: name.clone(),
                    created_at: now,
                    seen_at: now,
                };
                // The name follows from the identity, so the guest can play even if the storage does not take this.
                self.store(row).await.ok();
                name
            }
            Err(_) => name,
        }
    }
}

impl fmt::Debug for Accounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Accounts").finish_non_exhaustive()
    }
}

impl fmt::Debug for AccountParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AccountParts").finish_non_exhaustive()
    }
}

#[cfg(test)]
#[path = "accounts_tests.rs"]
mod tests;

//! Authentication of clients, and the identities and names behind it.

use std::fmt;
use std::sync::Arc;

use tilewire_protocol::{Auth, ErrorBody, ErrorCode, ErrorDetail, OkBody, ServerMessage, Token};
use tilewire_rules::event::PlayerKind;
use tilewire_rules::time::{Millis, Timestamp};

use super::handles::{self, NameRight};
use super::name_cache::NameCache;
use super::names;
use super::per_address::PerAddress;
use super::tokens::{Issued, Tokens};
use crate::restrictions::Restrictions;
use tilewire_base::address::ClientAddress;
use tilewire_base::clock::ServerClock;
use tilewire_base::house_bots::is_house_bot;
use tilewire_base::ids::{Ids, is_of_site};
use tilewire_base::metrics;
use tilewire_config::Config;
use tilewire_delivery::session::{Pass, TokenError};
use tilewire_store::{AccountStore, IdentityRow, StoreError};

/// How exact the stored time is at which an identity was seen.
const SEEN_EVERY: Millis = Millis(24 * 3_600_000);
/// How exact the stored time is at which a session was used.
const USED_EVERY: Millis = Millis(3_600_000);

/// The services that [`Accounts`] uses.
pub struct AccountParts {
    /// Server time.
    pub clock: ServerClock,
    /// Makes ids.
    pub ids: Ids,
    /// The stored identities and accounts: who has which handle, and which sessions go on.
    pub store: Arc<dyn AccountStore>,
    /// The restrictions, for suspensions.
    pub restrictions: Arc<Restrictions>,
    /// Signs and checks tokens.
    pub tokens: Tokens,
}

/// Authenticates clients and knows their names.
pub struct Accounts {
    parts: AccountParts,
    names: NameCache,
    new_guests: PerAddress,
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
    /// Whether the identity is a registered player or a user of the embedding site.
    pub is_registered: bool,
}

/// The holder of a token that the server accepts.
#[derive(Debug)]
pub struct Bearer {
    /// The proof of the identity.
    pub pass: Pass,
    /// The identity, if it is stored.
    pub row: Option<IdentityRow>,
    /// The identity's right to its stored name.
    right: NameRight,
}

impl Accounts {
    /// Returns the accounts of a server with these settings.
    #[must_use]
    pub fn new(parts: AccountParts, config: &Config) -> Self {
        let (limits, timing) = (&config.limits, &config.timing);
        Self {
            parts,
            names: NameCache::default(),
            new_guests: PerAddress::new(limits.new_guests_per_address, timing.new_guests_ms),
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
        let wanted = match &auth.name {
            Some(name) => Some(
                names::check(name)
                    .map_err(|error| ErrorBody::new(ErrorCode::BadName, error.to_string()))?,
            ),
            None => None,
        };
        let Bearer {
            pass,
            row: known,
            right,
        } = match &auth.token {
            Some(token) => self.bearer(token.as_str()).await?,
            None => Bearer {
                pass: self.guest(from)?,
                row: None,
                right: NameRight::Free,
            },
        };
        let (now, is_stored) = (self.parts.clock.now(), known.is_some());
        let mut identity = known.unwrap_or_else(|| IdentityRow {
            name: names::of_guest(&pass.identity),
            identity: pass.identity.clone(),
            created_at: now,
            seen_at: now,
        });
        let wanted = names::new_name(&pass, right, wanted, &identity);
        let is_renamed = wanted.is_some();
        if let Some(name) = wanted {
            self.check_name(&pass, &name, now).await?;
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
        if pass.kid.is_none() && pass.is_named_by_site {
            self.give_handle(&identity, now).await;
        }
        Ok(Authenticated {
            identity,
            is_new: !is_stored && pass.kid.is_none(),
            is_registered: right == NameRight::Own || is_of_site(&pass.identity),
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

    /// Returns the holder of a token.
    ///
    /// # Errors
    /// The error for the client: [`ErrorCode::BadToken`] when the token is refused or its session has ended,
    /// [`ErrorCode::Revoked`] when the operator has revoked the identity, or a moderator has suspended it.
    pub async fn bearer(&self, token: &str) -> Result<Bearer, ErrorBody> {
        let AccountParts { clock, ids, .. } = &self.parts;
        let now = clock.now();
        let verified = self.parts.tokens.verify(token, now);
        let mut pass = verified.map_err(|error| refused(&error))?;
        self.check(&pass).map_err(|error| refused(&error))?;
        if pass.kid.is_none() {
            pass.family = ids.token_family();
            // Fixed here, so that no renewal extends it.
            pass.expires_at = Some(now + self.site_session_ms);
        }
        self.holder_of(pass, now).await
    }

    /// Returns the holder of a pass for which another node vouches: that node has verified the token.
    ///
    /// # Errors
    /// As for [`Accounts::bearer`], for what can have changed since.
    pub(crate) async fn vouched(&self, pass: Pass) -> Result<Bearer, ErrorBody> {
        self.check(&pass).map_err(|error| refused(&error))?;
        self.holder_of(pass, self.parts.clock.now()).await
    }

    async fn holder_of(&self, pass: Pass, now: Timestamp) -> Result<Bearer, ErrorBody> {
        // The identity of a good token may not be stored: it was idle, or the storage was restored from an older state.
        let row = self.parts.store.identity(&pass.identity).await;
        let row = row.map_err(unread)?;
        let right = match &row {
            Some(row) => self.right_of(&pass, &row.name, now).await?,
            None => NameRight::Free,
        };
        if right == NameRight::Own {
            self.check_session(&pass, now).await?;
        }
        Ok(Bearer { pass, row, right })
    }

    /// Checks whether a pass is still good: its holder is not suspended, and its token is not revoked. A suspension ends the
    /// sessions too, so it is looked for first: the player learns of it.
    ///
    /// # Errors
    /// The reason why not.
    pub fn check(&self, pass: &Pass) -> Result<(), TokenError> {
        let (restrictions, now) = (&self.parts.restrictions, self.parts.clock.now());
        restrictions.check_suspension(&pass.identity, now)?;
        self.parts.tokens.check(pass)
    }

    /// Returns the right of a pass's holder to a name. The site decides about the names of its users.
    async fn right_of(
        &self,
        pass: &Pass,
        name: &str,
        now: Timestamp,
    ) -> Result<NameRight, ErrorBody> {
        let identity = pass.identity.as_str();
        if is_of_site(identity) || name == names::of_guest(identity) {
            return Ok(NameRight::Free);
        }
        let right = handles::right(&*self.parts.store, identity, name, now).await;
        right.map_err(unread)
    }

    /// Checks that the holder of a pass may have a name.
    async fn check_name(&self, pass: &Pass, name: &str, now: Timestamp) -> Result<(), ErrorBody> {
        match self.right_of(pass, name, now).await? {
            NameRight::Free | NameRight::Own => Ok(()),
            NameRight::Imitation => Err(ErrorBody::new(
                ErrorCode::BadName,
                "this name belongs to a registered player or to the server, or looks like one that does",
            )),
        }
    }

    /// Checks that the session of a registered player has not ended, and notes that it is used.
    async fn check_session(&self, pass: &Pass, now: Timestamp) -> Result<(), ErrorBody> {
        let people = &self.parts.store;
        let found = people.session(&pass.family).await.map_err(unread)?;
        let session = found
            .filter(|session| session.identity == pass.identity)
            .ok_or_else(|| refused(&TokenError::Revoked))?;
        if now - session.used_at > USED_EVERY {
            // The client can go on even if the storage does not take this.
            people.session_used(&pass.family, now).await.ok();
        }
        Ok(())
    }

    /// Gives the user of a site a handle. The user can play without one.
    async fn give_handle(&self, identity: &IdentityRow, now: Timestamp) {
        let IdentityRow { identity, name, .. } = identity;
        let given = handles::ensure_of_site(&*self.parts.store, identity, name, now).await;
        if let Err(error) = given {
            tracing::warn!(%error, "the handle of a site's user was not stored");
        }
    }

    async fn store(&self, row: IdentityRow) -> Result<(), ErrorBody> {
        let (identity, name) = (row.identity.clone(), row.name.clone());
        self.parts.store.put_identity(row).await.map_err(|error| {
            tracing::warn!(%error, "an identity was not stored");
            ErrorBody::new(
                ErrorCode::StoragePaused,
                "the storage does not answer; nothing was changed",
            )
        })?;
        self.names.insert(&identity, &name);
        // The player may have registered meanwhile; the storage keeps the handle then.
        if let Ok(Some(stored)) = self.parts.store.identity(&identity).await
            && stored.name != name
        {
            self.names.insert(&identity, &stored.name);
        }
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
        match self.renamed(pass, wanted).await {
            Ok(name) => ServerMessage::Ok(Box::new(OkBody {
                name: Some(name),
                ..OkBody::default()
            })),
            Err(body) => ServerMessage::Error(body),
        }
    }

    async fn renamed(&self, pass: &Pass, wanted: &str) -> Result<String, ErrorBody> {
        let refused = |why: &str| ErrorBody::new(ErrorCode::BadName, why);
        if pass.is_named_by_site {
            return Err(refused("your name comes from the site that you play on"));
        }
        let name = names::check(wanted).map_err(|error| refused(&error.to_string()))?;
        let account = self.parts.store.account(&pass.identity).await;
        if account.map_err(unread)?.is_some() {
            return Err(refused(
                "your name is your handle; change the handle instead",
            ));
        }
        let now = self.parts.clock.now();
        self.check_name(pass, &name, now).await?;
        let row = IdentityRow {
            identity: pass.identity.clone(),
            name: name.clone(),
            created_at: now,
            seen_at: now,
        };
        self.store(row).await?;
        Ok(name)
    }

    /// Notes that the handle of a registered player, which is stored, has changed.
    pub fn handle_changed(&self, identity: &str, handle: &str) {
        self.names.insert(identity, handle);
    }

    /// Returns the kind of player behind an identity with this display name.
    ///
    /// # Errors
    /// If the account of the identity cannot be read.
    pub async fn kind_of(&self, identity: &str, name: &str) -> Result<PlayerKind, StoreError> {
        if is_house_bot(identity) {
            return Ok(PlayerKind::HouseBot);
        }
        if is_of_site(identity) {
            return Ok(PlayerKind::Registered);
        }
        // The name of a registered player is the handle, which is none of those that the server gives to guests.
        if name == names::of_guest(identity) {
            return Ok(PlayerKind::Guest);
        }
        let stored = self.parts.store.account(identity).await?;
        let registration = stored.and_then(|stored| stored.account.registration);
        Ok(match registration {
            Some(registration) if registration.is_bot => PlayerKind::ExternalBot,
            Some(_) => PlayerKind::Registered,
            None => PlayerKind::Guest,
        })
    }

    /// Returns the display name of an identity, and stores nothing: that of a guest who is not stored follows from the
    /// identity.
    ///
    /// # Errors
    /// If the identity cannot be read.
    pub async fn known_name(&self, identity: &str) -> Result<String, StoreError> {
        if let Some(name) = self.names.get(identity) {
            return Ok(name);
        }
        Ok(match self.parts.store.identity(identity).await? {
            Some(row) => self.names.insert_read(identity, row.name),
            None => names::of_guest(identity),
        })
    }

    /// Forgets all names: other servers may have changed them.
    pub fn forget_names(&self) {
        self.names.clear();
    }

    /// Forgets the name of a player who is erased, or whose name another server may have changed.
    pub fn forget_name(&self, identity: &str) {
        self.names.remove(identity);
    }

    /// Returns the display name of an identity; `None` if it is not stored.
    ///
    /// # Errors
    /// If the identity cannot be read.
    pub async fn stored_name(&self, identity: &str) -> Result<Option<String>, StoreError> {
        let row = self.parts.store.identity(identity).await?;
        Ok(row.map(|row| row.name))
    }

    /// Returns the display name of an identity that plays, seeks or chats, and stores it if it is not stored yet.
    pub async fn name_to_play(&self, identity: &str) -> String {
        if let Some(name) = self.names.get(identity) {
            return name;
        }
        let name = names::of_guest(identity);
        match self.parts.store.identity(identity).await {
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

/// Counts a refused token, and returns the error for the client.
fn refused(error: &TokenError) -> ErrorBody {
    metrics::token_refused(match error {
        TokenError::Foreign => "foreign",
        TokenError::Expired => "expired",
        TokenError::Early => "early",
        TokenError::Revoked
        | TokenError::Barred { .. }
        | TokenError::Suspended { .. }
        | TokenError::Erased => "revoked",
    });
    error.for_client()
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "handed to `map_err`, which gives it away"
)]
fn unread(error: StoreError) -> ErrorBody {
    tracing::warn!(%error, "an identity could not be read");
    ErrorBody::new(ErrorCode::StoragePaused, "the storage does not answer")
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

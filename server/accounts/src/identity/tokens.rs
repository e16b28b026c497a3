//! Tokens: signed statements of the server about the identity of their holder.
//!
//! A token is a JSON Web Token (HS256) with the identity as its subject and the name of the signing key in its header.
//! The keys are in the storage, so a token survives restarts. A token belongs to a family: all tokens that were
//! renewed, one from the other, since the first. The operator revokes a family or an identity.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use serde::{Deserialize, Serialize};
use tilewire_protocol::limits::TOKEN_MAX_BYTES;
use tilewire_rules::time::{Millis, Timestamp};

use super::signatures::install_signatures;
use super::site::Site;
use tilewire_base::ids::is_of_site;
use tilewire_config::IdentityConfig;
use tilewire_delivery::session::{Pass, TokenError};
use tilewire_store::erasure::REASON;
use tilewire_store::{Credentials, TokenKey};

const ISSUER: &str = "tilewire";

/// Signs and checks tokens. Its keys and revocations can be replaced while it is in use.
pub struct Tokens {
    ring: RwLock<Arc<Ring>>,
    revoked_families: RwLock<RevokedFamilies>,
    /// How often the keys and revocations were replaced.
    replaced: AtomicU64,
    site: Option<Site>,
    token_ms: Millis,
    site_session_ms: Millis,
}

/// Revoked families. They are no more than the storage keeps.
#[derive(Default)]
struct RevokedFamilies {
    /// As the storage had them last.
    stored: BTreeSet<String>,
    /// Those that were stored since, each with the number of replacements before. The storage may have been read before that
    /// for the next replacement, and not for the one after it.
    recent: BTreeMap<String, u64>,
}

/// The keys and revocations at one moment.
struct Ring {
    header: Header,
    signing: EncodingKey,
    checking: BTreeMap<String, DecodingKey>,
    revoked_identities: BTreeMap<String, Option<String>>,
}

/// An issued token.
#[derive(Clone, PartialEq, Eq)]
pub struct Issued {
    /// The token.
    pub token: String,
    /// When it expires, if it does.
    pub expires_at: Option<Timestamp>,
}

#[derive(Serialize, Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    /// When it was issued, unix seconds.
    iat: i64,
    /// When it expires, unix seconds, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    exp: Option<i64>,
    /// Its family.
    #[serde(default)]
    fam: String,
    /// Whether the site gave the name of the identity.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    named: bool,
    /// Whether the site switches chat off for the identity.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    no_chat: bool,
}

impl Tokens {
    /// Returns tokens that are signed with the first of `keys` and verified with any of them.
    ///
    /// # Panics
    /// When there is no key; the storage always has one.
    #[must_use]
    pub fn new(keys: &[TokenKey], config: &IdentityConfig) -> Self {
        install_signatures();
        let ring = Ring::new(keys, BTreeMap::new());
        Self {
            revoked_families: RwLock::default(),
            ring: RwLock::new(Arc::new(ring)),
            replaced: AtomicU64::new(0),
            site: None,
            token_ms: config.token_ms,
            site_session_ms: config.site_session_ms,
        }
    }

    /// Returns these tokens, with those of a site accepted too.
    #[must_use]
    pub fn with_site(self, site: Option<Site>) -> Self {
        Self { site, ..self }
    }

    /// Returns the site whose tokens are accepted.
    #[must_use]
    pub const fn site(&self) -> Option<&Site> {
        self.site.as_ref()
    }

    /// Replaces the keys and revocations.
    pub fn replace(&self, credentials: &Credentials) {
        self.replace_families(&credentials.revoked_families);
        let ring = Ring::new(&credentials.keys, credentials.revoked_identities.clone());
        *self.ring.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(ring);
    }

    fn replace_families(&self, stored: &BTreeSet<String>) {
        let revoked = self.revoked_families.write();
        let mut revoked = revoked.unwrap_or_else(PoisonError::into_inner);
        let before = self.replaced.fetch_add(1, Ordering::SeqCst);
        revoked.recent.retain(|_, after| *after >= before);
        revoked.stored.clone_from(stored);
    }

    /// Refuses the tokens of these families, whose revocation is stored, from now on.
    pub fn revoke_families(&self, families: impl IntoIterator<Item = String>) {
        let revoked = self.revoked_families.write();
        let mut revoked = revoked.unwrap_or_else(PoisonError::into_inner);
        let after = self.replaced();
        let families = families.into_iter().map(|family| (family, after));
        revoked.recent.extend(families);
    }

    /// Returns how many families are refused by name.
    #[must_use]
    pub fn revoked_families(&self) -> usize {
        let revoked = self.revoked_families.read();
        let revoked = revoked.unwrap_or_else(PoisonError::into_inner);
        let newer = revoked
            .recent
            .keys()
            .filter(|family| !revoked.stored.contains(*family));
        revoked.stored.len() + newer.count()
    }

    /// Returns how often the keys and revocations were replaced.
    #[must_use]
    pub fn replaced(&self) -> u64 {
        self.replaced.load(Ordering::SeqCst)
    }

    /// Returns the identities that the operator has revoked.
    #[must_use]
    pub fn revoked_identities(&self) -> BTreeSet<String> {
        self.ring().revoked_identities.keys().cloned().collect()
    }

    /// Returns the players who asked to be erased, once that has taken effect.
    #[must_use]
    pub fn erased(&self) -> BTreeSet<String> {
        let ring = self.ring();
        let revoked = ring.revoked_identities.iter();
        let erased = revoked.filter(|(_, reason)| reason.as_deref() == Some(REASON));
        erased.map(|(identity, _)| identity.clone()).collect()
    }

    /// Returns a token for the holder of a pass; `now` is server time.
    ///
    /// A guest's token gets the whole lifetime; the token of a site's user expires when the first one did.
    ///
    /// # Panics
    /// Never: the claims are plain text and the key fits the algorithm.
    #[must_use]
    pub fn issue(&self, pass: &Pass, now: Timestamp) -> Issued {
        let renewed = (self.token_ms > Millis::ZERO).then(|| now + self.token_ms);
        let end = if is_of_site(&pass.identity) {
            pass.expires_at.or(Some(now + self.site_session_ms))
        } else {
            renewed
        };
        // Whole seconds, rounded down.
        let exp = end.map(|end| end.0 / 1_000);
        let claims = Claims {
            iss: ISSUER.to_owned(),
            sub: pass.identity.clone(),
            iat: now.0 / 1_000,
            exp,
            fam: pass.family.clone(),
            named: pass.is_named_by_site,
            no_chat: pass.has_no_chat,
        };
        let ring = self.ring();
        let token = jsonwebtoken::encode(&ring.header, &claims, &ring.signing)
            .expect("plain claims can be signed with a symmetric key");
        Issued {
            token,
            expires_at: exp.map(|exp| Timestamp(exp * 1_000)),
        }
    }

    /// Returns the pass of a token's holder; `now` is server time.
    ///
    /// # Errors
    /// When neither this server nor its site has signed it, or it has expired. [`Tokens::check`] finds revocations.
    pub fn verify(&self, token: &str, now: Timestamp) -> Result<Pass, TokenError> {
        if token.len() > TOKEN_MAX_BYTES {
            return Err(TokenError::Foreign);
        }
        let header = jsonwebtoken::decode_header(token).map_err(|_| TokenError::Foreign)?;
        if header.crit.is_some() {
            // The header names an extension that the server does not know (RFC 7515, 4.1.11).
            return Err(TokenError::Foreign);
        }
        let verified = self.ring().verify(token, header.kid.as_deref(), now);
        match (verified, &self.site) {
            (Err(TokenError::Foreign), Some(site)) => site.verify(token, &header, now),
            (verified, _) => verified,
        }
    }

    /// Checks that a pass is good: not revoked, and signed by a key in use.
    ///
    /// # Errors
    /// The reason why the pass is no longer good.
    pub fn check(&self, pass: &Pass) -> Result<(), TokenError> {
        self.ring().check(pass)?;
        let revoked = self.revoked_families.read();
        let revoked = revoked.unwrap_or_else(PoisonError::into_inner);
        if revoked.stored.contains(&pass.family) || revoked.recent.contains_key(&pass.family) {
            return Err(TokenError::Revoked);
        }
        Ok(())
    }

    fn ring(&self) -> Arc<Ring> {
        Arc::clone(&self.ring.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Ring {
    fn new(keys: &[TokenKey], revoked_identities: BTreeMap<String, Option<String>>) -> Self {
        let newest = keys.first().expect("the storage has a key");
        let checking = keys.iter().map(|key| {
            let checking = DecodingKey::from_secret(&key.secret);
            (key.kid.clone(), checking)
        });
        Self {
            header: Header {
                kid: Some(newest.kid.clone()),
                ..Header::new(Algorithm::HS256)
            },
            signing: EncodingKey::from_secret(&newest.secret),
            checking: checking.collect(),
            revoked_identities,
        }
    }

    fn verify(&self, token: &str, kid: Option<&str>, now: Timestamp) -> Result<Pass, TokenError> {
        let kid = kid.ok_or(TokenError::Foreign)?;
        let key = self.checking.get(kid).ok_or(TokenError::Foreign)?;
        let mut validation = Validation::new(Algorithm::HS256);
        validation.set_issuer(&[ISSUER]);
        validation.set_required_spec_claims(&["iss", "sub"]);
        // Only the server's clock counts.
        validation.validate_exp = false;
        let claims = jsonwebtoken::decode::<Claims>(token, key, &validation)
            .map_err(|_| TokenError::Foreign)?
            .claims;
        let expires_at = claims.exp.map(|exp| Timestamp(exp.saturating_mul(1_000)));
        if expires_at.is_some_and(|end| end <= now) {
            return Err(TokenError::Expired);
        }
        Ok(Pass {
            identity: claims.sub,
            family: claims.fam,
            kid: Some(kid.to_owned()),
            expires_at,
            name: None,
            is_named_by_site: claims.named,
            has_no_chat: claims.no_chat,
        })
    }

    fn check(&self, pass: &Pass) -> Result<(), TokenError> {
        if let Some(reason) = self.revoked_identities.get(&pass.identity) {
            return Err(match reason {
                Some(reason) if reason == REASON => TokenError::Erased,
                reason => TokenError::Barred {
                    reason: reason.clone(),
                },
            });
        }
        let has_key = (pass.kid.as_ref()).is_none_or(|kid| self.checking.contains_key(kid));
        if !has_key {
            return Err(TokenError::Revoked);
        }
        Ok(())
    }
}

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tokens").finish_non_exhaustive()
    }
}

impl fmt::Debug for Issued {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Issued")
            .field("expires_at", &self.expires_at)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
#[path = "tokens_tests.rs"]
mod tests;

//! Tokens: the server's signed word that its holder is somebody.
//!
//! A JSON Web Token (HS256) with the identity as its subject and the signing key's name in its header. The keys are in
//! the storage, so a token is good as long as the storage is, across restarts. Normally it does not expire: a guest has
//! nothing else to come back with.

use std::collections::BTreeMap;
use std::fmt;

use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use serde::{Deserialize, Serialize};
use tilewire_protocol::limits::TOKEN_MAX_BYTES;

use crate::config::IdentityConfig;
use crate::storage::TokenKey;

const ISSUER: &str = "tilewire";
const DAY_SECONDS: i64 = 86_400;

/// Signs and checks tokens.
pub struct Tokens {
    header: Header,
    signing: EncodingKey,
    checking: BTreeMap<String, DecodingKey>,
    validation: Validation,
    days: i64,
}

/// Why a token is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// None of this server's keys has signed it.
    #[error("the token is not one of this server's")]
    Foreign,
    /// Its time is over.
    #[error("the token has expired")]
    Expired,
}

#[derive(Serialize, Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    /// When it was issued, unix seconds.
    iat: i64,
    /// When it ends, unix seconds, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    exp: Option<i64>,
}

impl Tokens {
    /// Returns what signs with the first of `keys` and takes what any of them has signed.
    ///
    /// # Panics
    /// When there is no key; the storage always has one.
    #[must_use]
    pub fn new(keys: &[TokenKey], config: &IdentityConfig) -> Self {
        let newest = keys.first().expect("the storage has a key");
        let mut validation = Validation::new(Algorithm::HS256);
        validation.set_issuer(&[ISSUER]);
        validation.set_required_spec_claims(&["iss", "sub"]);
        // The server's own clock decides, in `verify`.
        validation.validate_exp = false;
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
            validation,
            days: config.token_days,
        }
    }

    /// Returns a token for an identity; `now` is server time, unix ms.
    ///
    /// # Panics
    /// Never: the claims are plain text and the key fits the algorithm.
    #[must_use]
    pub fn issue(&self, identity: &str, now: i64) -> String {
        let iat = now / 1000;
        let claims = Claims {
            iss: ISSUER.to_owned(),
            sub: identity.to_owned(),
            iat,
            exp: (self.days > 0).then(|| iat + self.days * DAY_SECONDS),
        };
        jsonwebtoken::encode(&self.header, &claims, &self.signing)
            .expect("plain claims can be signed with a symmetric key")
    }

    /// Returns whose token this is; `now` is server time, unix ms.
    ///
    /// # Errors
    /// When it is not this server's, or its time is over.
    pub fn verify(&self, token: &str, now: i64) -> Result<String, TokenError> {
        if token.len() > TOKEN_MAX_BYTES {
            return Err(TokenError::Foreign);
        }
        let header = jsonwebtoken::decode_header(token).map_err(|_| TokenError::Foreign)?;
        let key = header.kid.and_then(|kid| self.checking.get(&kid));
        let key = key.ok_or(TokenError::Foreign)?;
        let claims = jsonwebtoken::decode::<Claims>(token, key, &self.validation)
            .map_err(|_| TokenError::Foreign)?
            .claims;
        match claims.exp {
            Some(exp) if exp <= now / 1000 => Err(TokenError::Expired),
            Some(_) | None => Ok(claims.sub),
        }
    }
}

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tokens").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::{DAY_SECONDS, TokenError, Tokens};
    use crate::config::IdentityConfig;
    use crate::ids::Ids;
    use crate::storage::TokenKey;
    use tilewire_protocol::limits::TOKEN_MAX_BYTES;

    const NOW: i64 = 1_800_000_000_000;

    fn key(kid: &str, byte: u8) -> TokenKey {
        TokenKey {
            kid: kid.to_owned(),
            secret: [byte; 32],
        }
    }

    fn tokens(keys: &[TokenKey], token_days: i64) -> Tokens {
        Tokens::new(keys, &IdentityConfig { token_days })
    }

    #[test]
    fn a_token_names_its_holder_for_ever() {
        let tokens = tokens(&[key("k", 1)], 0);
        let identity = Ids::system().identity_id();
        let token = tokens.issue(&identity, NOW);
        assert!(token.len() < TOKEN_MAX_BYTES / 2, "{}", token.len());
        for later in [0, 1, i64::from(u32::MAX) * 1_000] {
            assert_eq!(tokens.verify(&token, NOW + later), Ok(identity.clone()));
        }
    }

    #[test]
    fn a_token_cannot_be_made_up() {
        let ours = tokens(&[key("k", 1)], 0);
        let token = ours.issue("abc", NOW);
        let mut changed = token.clone();
        let middle = token.find('.').unwrap() + 10;
        let other = if &token[middle..=middle] == "A" {
            "B"
        } else {
            "A"
        };
        changed.replace_range(middle..=middle, other);
        // The algorithm is not the token's to choose: {"alg":"none","kid":"k"}.
        let unsigned = format!(
            "eyJhbGciOiJub25lIiwia2lkIjoiayJ9.{}.",
            token.split('.').nth(1).unwrap()
        );
        let other_key = tokens(&[key("k", 2)], 0).issue("abc", NOW);
        let unknown_key = tokens(&[key("other", 1)], 0).issue("abc", NOW);
        let long = "a".repeat(TOKEN_MAX_BYTES + 1);
        let cut = &token[..token.len() - 2];
        for bad in [
            "",
            "x",
            "a.b.c",
            &changed,
            cut,
            &unsigned,
            &other_key,
            &unknown_key,
            &long,
        ] {
            assert_eq!(ours.verify(bad, NOW), Err(TokenError::Foreign), "{bad}");
        }
    }

    #[test]
    fn old_keys_verify_and_the_newest_signs() {
        let old = tokens(&[key("old", 1)], 0).issue("abc", NOW);
        let both = tokens(&[key("new", 2), key("old", 1)], 0);
        assert_eq!(both.verify(&old, NOW).as_deref(), Ok("abc"));
        let new = both.issue("abc", NOW);
        assert_eq!(
            tokens(&[key("new", 2)], 0).verify(&new, NOW).as_deref(),
            Ok("abc")
        );
    }

    #[test]
    fn tokens_end_where_the_operator_wants_it() {
        let tokens = tokens(&[key("k", 1)], 2);
        let token = tokens.issue("abc", NOW);
        let end = NOW + 2 * DAY_SECONDS * 1_000;
        assert_eq!(tokens.verify(&token, end - 1_000).as_deref(), Ok("abc"));
        assert_eq!(tokens.verify(&token, end), Err(TokenError::Expired));
    }

    #[test]
    fn nothing_secret_is_shown() {
        let key = key("k", 0xa5);
        let tokens = tokens(std::slice::from_ref(&key), 0);
        let shown = format!("{key:?} {tokens:?}");
        assert!(!shown.contains("165") && !shown.contains("a5"), "{shown}");
    }
}

//! Tokens of the embedding site, which vouches for its users.
//!
//! The site's key is in a file, which may change while the server runs. Each key verifies by one algorithm; a token
//! whose header names another one is refused.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use data_encoding::{BASE32_NOPAD, BASE64URL_NOPAD};
use ed25519_dalek::VerifyingKey;
use ed25519_dalek::pkcs8::DecodePublicKey;
use jsonwebtoken::{Algorithm, DecodingKey, Header, Validation};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use tilewire_rules::quoted::quoted;
use tilewire_rules::time::{Millis, Timestamp};

use super::signatures::install_signatures;
use tilewire_base::ids::SITE_PREFIX;
use tilewire_base::operator_file::{Exposed, OperatorFile, Readers};
use tilewire_config::{IdentityConfig, SiteConfig};
use tilewire_delivery::session::{Pass, TokenError};

/// Characters of the hash in such an identity: 130 bits.
const HASH_CHARS: usize = 26;
/// Shortest secret, bytes: as long as the signature (RFC 7518, 3.2).
const SECRET_MIN_BYTES: usize = 32;
/// Most keys of a set.
const KEYS_MAX: usize = 64;
/// Longest subject, bytes.
const SUBJECT_MAX_BYTES: usize = 255;

/// The site: the server accepts its tokens.
pub struct Site {
    issuer: String,
    audience: String,
    leeway_ms: Millis,
    key: &'static str,
    path: PathBuf,
    keys: RwLock<Arc<Keys>>,
    /// The digest of the file at the last read, or its fault.
    last: Mutex<Result<[u8; 32], String>>,
}

/// The reason why a site's key cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("`{key}`: cannot use the file {}: {reason}", path.display())]
pub struct SiteError {
    /// The setting that names the file.
    pub key: &'static str,
    /// The file.
    pub path: PathBuf,
    /// The fault.
    pub reason: KeyFault,
}

/// The faults of a file of keys.
#[derive(Debug, thiserror::Error)]
pub enum KeyFault {
    /// It cannot be read.
    #[error("{0}")]
    Read(#[from] io::Error),
    /// Other users can read its secret.
    #[error("{0}")]
    Exposed(#[from] Exposed),
    /// The secret is too short.
    #[error("the secret has {0} bytes; it needs at least {SECRET_MIN_BYTES}")]
    ShortSecret(usize),
    /// A public key in place of a secret: everyone who knows it could sign.
    #[error(
        "it contains a key in PEM, which is not a secret for HS256; did you mean site.public_key_file?"
    )]
    NoSecret,
    /// It is not a public key.
    #[error("it contains no Ed25519 public key in PEM (BEGIN PUBLIC KEY)")]
    NoPublicKey,
    /// It is not a key set.
    #[error("it is not a JSON Web Key Set: {0}")]
    NoSet(#[from] serde_json::Error),
    /// A key of the set cannot be used.
    #[error("key {}: {reason}", quoted(.kid))]
    BadKey {
        /// Its name.
        kid: String,
        /// Why.
        reason: &'static str,
    },
    /// None of the keys is for a signature that the server checks.
    #[error("none of its keys is an Ed25519 public key (OKP) or an HS256 secret (oct)")]
    NoKey,
}

/// The result of reading the file again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reread {
    /// The file has not changed.
    Unchanged,
    /// Its keys are in use from now on.
    Changed,
}

enum Keys {
    One(SiteKey),
    ByName(BTreeMap<String, SiteKey>),
}

/// A key and its only algorithm.
struct SiteKey {
    algorithm: Algorithm,
    key: DecodingKey,
}

#[derive(Deserialize)]
struct Claims {
    sub: String,
    exp: Seconds,
    #[serde(default)]
    nbf: Option<Seconds>,
    #[serde(default)]
    name: Option<serde_json::Value>,
    /// Whether its user can chat; the standard has no such claim.
    #[serde(default)]
    tilewire_chat: Option<bool>,
    // One issuer, as the standard defines; the library would accept a list.
    #[serde(rename = "iss")]
    _issuer: String,
}

/// A time in unix seconds, which may have a fraction.
#[derive(Deserialize)]
#[serde(untagged)]
enum Seconds {
    Whole(i64),
    Fraction(f64),
}

#[derive(Deserialize)]
struct KeySet {
    keys: Vec<Jwk>,
}

#[derive(Deserialize)]
struct Jwk {
    kty: String,
    kid: Option<String>,
    alg: Option<String>,
    #[serde(rename = "use")]
    usage: Option<String>,
    crv: Option<String>,
    x: Option<String>,
    k: Option<String>,
}

impl Site {
    /// Returns the site of a configuration; `None` when it names none.
    ///
    /// # Errors
    /// The setting and the file that cannot be used.
    pub fn load(site: &SiteConfig, identity: &IdentityConfig) -> Result<Option<Self>, SiteError> {
        let Some((key, path)) = site.files().next() else {
            return Ok(None);
        };
        install_signatures();
        let (keys, digest) = read(key, path).map_err(|reason| SiteError {
            key,
            path: path.to_owned(),
            reason,
        })?;
        Ok(Some(Self {
            issuer: site.issuer.clone(),
            audience: site.audience.clone(),
            leeway_ms: identity.site_leeway_ms,
            key,
            path: path.to_owned(),
            keys: RwLock::new(Arc::new(keys)),
            last: Mutex::new(Ok(digest)),
        }))
    }

    /// Reads the file again. If it cannot be used, the last good keys stay in use; the same fault is reported once.
    ///
    /// # Errors
    /// The setting and the file that cannot be used.
    pub fn reread(&self) -> Result<Reread, SiteError> {
        let found = read(self.key, &self.path);
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        match found {
            Ok((_, digest)) if *last == Ok(digest) => Ok(Reread::Unchanged),
            Ok((keys, digest)) => {
                *last = Ok(digest);
                *self.keys.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(keys);
                Ok(Reread::Changed)
            }
            Err(reason) if *last == Err(reason.to_string()) => Ok(Reread::Unchanged),
            Err(reason) => {
                *last = Err(reason.to_string());
                Err(SiteError {
                    key: self.key,
                    path: self.path.clone(),
                    reason,
                })
            }
        }
    }

    /// Returns the pass of a token's holder; `now` is server time.
    pub(super) fn verify(
        &self,
        token: &str,
        header: &Header,
        now: Timestamp,
    ) -> Result<Pass, TokenError> {
        let keys = Arc::clone(&self.keys.read().unwrap_or_else(PoisonError::into_inner));
        let key = keys.named(header.kid.as_deref());
        let key = key.ok_or(TokenError::Foreign)?;
        let mut validation = Validation::new(key.algorithm);
        validation.set_issuer(&[&self.issuer]);
        validation.set_audience(&[&self.audience]);
        validation.set_required_spec_claims(&["iss", "sub", "aud", "exp"]);
        // Only the server's clock counts.
        validation.validate_exp = false;
        let claims = jsonwebtoken::decode::<Claims>(token, &key.key, &validation)
            .map_err(|_| TokenError::Foreign)?
            .claims;
        if claims.sub.is_empty() || claims.sub.len() > SUBJECT_MAX_BYTES {
            return Err(TokenError::Foreign);
        }
        if claims.exp.moment() + self.leeway_ms <= now {
            return Err(TokenError::Expired);
        }
        let begins = claims.nbf.map_or(Timestamp::MIN, |begin| begin.moment());
        if begins - self.leeway_ms > now {
            return Err(TokenError::Early);
        }
        let name = claims.name.as_ref().and_then(serde_json::Value::as_str);
        Ok(Pass {
            identity: self.identity(&claims.sub),
            family: String::new(),
            kid: None,
            expires_at: None,
            name: name.map(str::to_owned),
            is_named_by_site: name.is_some(),
            has_no_chat: claims.tilewire_chat == Some(false),
        })
    }

    /// Returns the identity of a subject: always the same, different for every subject, and the subject cannot be read
    /// from it.
    fn identity(&self, subject: &str) -> String {
        let mut hash = Sha256::new();
        hash.update(self.issuer.as_bytes());
        hash.update([0]);
        hash.update(subject.as_bytes());
        let text = BASE32_NOPAD.encode(&hash.finalize()).to_ascii_lowercase();
        format!("{SITE_PREFIX}{}", &text[..HASH_CHARS])
    }
}

impl fmt::Debug for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Site")
            .field("issuer", &self.issuer)
            .field("audience", &self.audience)
            .finish_non_exhaustive()
    }
}

impl Keys {
    /// Returns the key for a token whose header names `kid`. A single key needs no name.
    fn named(&self, kid: Option<&str>) -> Option<&SiteKey> {
        match self {
            Self::One(key) => Some(key),
            Self::ByName(keys) => keys.get(kid?),
        }
    }

    /// Says whether one of the keys can sign, and not only verify.
    fn have_secret(&self) -> bool {
        let is_secret = |key: &SiteKey| key.algorithm == Algorithm::HS256;
        match self {
            Self::One(key) => is_secret(key),
            Self::ByName(keys) => keys.values().any(is_secret),
        }
    }
}

impl Seconds {
    /// Returns the moment.
    fn moment(&self) -> Timestamp {
        let unix_ms = match self {
            Self::Whole(seconds) => seconds.saturating_mul(1_000),
            #[expect(
                clippy::cast_possible_truncation,
                reason = "a cast of a float saturates; moments are far below 2^53"
            )]
            Self::Fraction(seconds) => (seconds * 1_000.0) as i64,
        };
        Timestamp(unix_ms)
    }
}

impl SiteKey {
    fn secret(secret: &[u8]) -> Result<Self, KeyFault> {
        if secret.len() < SECRET_MIN_BYTES {
            return Err(KeyFault::ShortSecret(secret.len()));
        }
        Ok(Self {
            algorithm: Algorithm::HS256,
            key: DecodingKey::from_secret(secret),
        })
    }

    fn public(key: &VerifyingKey) -> Self {
        Self {
            algorithm: Algorithm::EdDSA,
            // The library's DER is the bare 32 bytes here.
            key: DecodingKey::from_ed_der(key.as_bytes()),
        }
    }
}

fn read(key: &str, path: &Path) -> Result<(Keys, [u8; 32]), KeyFault> {
    let file = OperatorFile::read(path)?;
    let content = &file.content;
    let keys = match key {
        "site.secret_file" => secret(content)?,
        "site.public_key_file" => public_key(content)?,
        _ => key_set(content)?,
    };
    if keys.have_secret() {
        file.refuse_exposed(Readers::Owner)?;
    }
    Ok((keys, Sha256::digest(content).into()))
}

fn secret(content: &[u8]) -> Result<Keys, KeyFault> {
    if content.windows(11).any(|part| part == b"-----BEGIN ") {
        return Err(KeyFault::NoSecret);
    }
    // Editors and `echo` append a newline, which is not part of the secret.
    let end = content
        .iter()
        .rposition(|byte| !matches!(byte, b'\n' | b'\r'));
    SiteKey::secret(&content[..end.map_or(0, |end| end + 1)]).map(Keys::One)
}

fn public_key(content: &[u8]) -> Result<Keys, KeyFault> {
    let text = std::str::from_utf8(content).map_err(|_| KeyFault::NoPublicKey)?;
    let key = VerifyingKey::from_public_key_pem(text.trim()).map_err(|_| KeyFault::NoPublicKey)?;
    Ok(Keys::One(SiteKey::public(&key)))
}

fn key_set(content: &[u8]) -> Result<Keys, KeyFault> {
    let set: KeySet = serde_json::from_slice(content)?;
    let mut keys = BTreeMap::new();
    for jwk in set.keys {
        let kid = jwk.kid.clone().unwrap_or_default();
        let bad = |reason| KeyFault::BadKey {
            kid: kid.clone(),
            reason,
        };
        let Some(key) = jwk.key().map_err(bad)? else {
            continue;
        };
        if kid.is_empty() {
            return Err(bad("a key of a set needs a `kid`"));
        }
        if keys.insert(kid.clone(), key).is_some() {
            return Err(bad("the `kid` occurs twice"));
        }
        if keys.len() > KEYS_MAX {
            return Err(bad("there are too many keys"));
        }
    }
    if keys.is_empty() {
        return Err(KeyFault::NoKey);
    }
    Ok(Keys::ByName(keys))
}

impl Jwk {
    /// Returns the key; `None` for a key of another kind.
    fn key(&self) -> Result<Option<SiteKey>, &'static str> {
        if self.usage.as_deref().is_some_and(|usage| usage != "sig") {
            return Ok(None);
        }
        let decode = |text: &Option<String>| {
            let text = text.as_ref()?;
            BASE64URL_NOPAD.decode(text.as_bytes()).ok()
        };
        match (self.kty.as_str(), self.alg.as_deref(), self.crv.as_deref()) {
            ("OKP", None | Some("EdDSA" | "Ed25519"), Some("Ed25519")) => {
                let bytes = decode(&self.x).and_then(|bytes| <[u8; 32]>::try_from(bytes).ok());
                let bytes = bytes.ok_or("`x` is not 32 bytes in base64url")?;
                let key = VerifyingKey::from_bytes(&bytes);
                let key = key.map_err(|_| "`x` is not an Ed25519 public key")?;
                Ok(Some(SiteKey::public(&key)))
            }
            ("oct", None | Some("HS256"), _) => {
                let secret = decode(&self.k).ok_or("`k` is not base64url")?;
                let key = SiteKey::secret(&secret);
                Ok(Some(
                    key.map_err(|_| "the secret is shorter than 32 bytes")?,
                ))
            }
            _ => Ok(None),
        }
    }
}

#[cfg(test)]
#[path = "site_tests.rs"]
mod tests;

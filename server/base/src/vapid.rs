//! The key pair by which push services know this server (VAPID, RFC 8292), and what it signs.

use std::fmt;

use data_encoding::BASE64URL_NOPAD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::json;
use tilewire_rules::time::{Millis, Timestamp};

/// The time for which a signed permission holds. RFC 8292 allows a day.
const HOLDS: Millis = Millis(12 * 3_600_000);
/// Bytes of a public key: an uncompressed point of P-256.
pub const PUBLIC_BYTES: usize = 65;

/// A key pair in the form in which it is stored (PKCS#8).
#[derive(Clone, PartialEq, Eq)]
pub struct PushSecret(pub Vec<u8>);

impl fmt::Debug for PushSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PushSecret")
    }
}

/// The stored key pair cannot be used, or the system has no randomness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the key pair of pushes cannot be used")]
pub struct NoKey;

impl PushSecret {
    /// Makes a key pair.
    ///
    /// # Errors
    /// When the system gives no randomness.
    pub fn fresh() -> Result<Self, NoKey> {
        let random = SystemRandom::new();
        let made = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random);
        Ok(Self(made.map_err(|_| NoKey)?.as_ref().to_vec()))
    }
}

/// A key pair that signs.
pub struct Vapid {
    pair: EcdsaKeyPair,
    random: SystemRandom,
}

impl fmt::Debug for Vapid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Vapid")
    }
}

impl Vapid {
    /// Reads a key pair.
    ///
    /// # Errors
    /// When it is none.
    pub fn new(secret: &PushSecret) -> Result<Self, NoKey> {
        let random = SystemRandom::new();
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &secret.0, &random);
        let pair = pair.map_err(|_| NoKey)?;
        Ok(Self { pair, random })
    }

    /// Returns the public key as browsers and push services take it: base64url of the point.
    pub fn public(&self) -> String {
        BASE64URL_NOPAD.encode(self.pair.public_key().as_ref())
    }

    /// Returns the header `Authorization` for a push service (RFC 8292, section 3). `contact` is an address of the operator.
    ///
    /// # Errors
    /// When the system gives no randomness.
    pub fn authorization(
        &self,
        origin: &str,
        contact: &str,
        now: Timestamp,
    ) -> Result<String, NoKey> {
        let part = |value: serde_json::Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());
        let head = part(json!({ "typ": "JWT", "alg": "ES256" }));
        let expires_s = (now + HOLDS).0.div_euclid(1_000);
        let claims = part(json!({ "aud": origin, "exp": expires_s, "sub": contact }));
        let signed = format!("{head}.{claims}");
        let signature = self.pair.sign(&self.random, signed.as_bytes());
        let signature = BASE64URL_NOPAD.encode(signature.map_err(|_| NoKey)?.as_ref());
        let key = self.public();
        Ok(format!("vapid t={signed}.{signature}, k={key}"))
    }
}

#[cfg(test)]
mod tests {
    use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
    use serde_json::Value;

    use super::*;

    #[test]
    fn a_permission_is_signed_and_names_the_push_service() {
        let vapid = Vapid::new(&PushSecret::fresh().unwrap()).unwrap();
        let now = Timestamp(1_700_000_000_500);
        let header = vapid
            .authorization("https://push.example", "mailto:tiles@example.org", now)
            .unwrap();
        let rest = header.strip_prefix("vapid t=").unwrap();
        let (token, key) = rest.split_once(", k=").unwrap();
        assert_eq!(key, vapid.public());
        let point = BASE64URL_NOPAD.decode(key.as_bytes()).unwrap();
        assert_eq!((point.len(), point[0]), (PUBLIC_BYTES, 4));
        let (signed, signature) = token.rsplit_once('.').unwrap();
        let signature = BASE64URL_NOPAD.decode(signature.as_bytes()).unwrap();
        UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, &point)
            .verify(signed.as_bytes(), &signature)
            .unwrap();
        let claims = signed.split_once('.').unwrap().1;
        let claims = BASE64URL_NOPAD.decode(claims.as_bytes()).unwrap();
        let claims: Value = serde_json::from_slice(&claims).unwrap();
        let expected = json!({
            "aud": "https://push.example",
            "exp": 1_700_000_000 + 12 * 3_600,
            "sub": "mailto:tiles@example.org",
        });
        assert_eq!(claims, expected);
    }

    #[test]
    fn a_key_pair_stays_the_same_in_the_storage() {
        let secret = PushSecret::fresh().unwrap();
        let public = || Vapid::new(&secret).unwrap().public();
        assert_eq!(public(), public());
        let other = Vapid::new(&PushSecret::fresh().unwrap()).unwrap();
        assert_ne!(public(), other.public());
        assert!(Vapid::new(&PushSecret(vec![1, 2, 3])).is_err());
        assert_eq!(format!("{secret:?}"), "PushSecret");
    }
}

//! Tokens of an embedding site, right and wrong, without a server.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use ed25519_dalek::SigningKey;
use ed25519_dalek::pkcs8::EncodePrivateKey;
use ed25519_dalek::pkcs8::EncodePublicKey;
use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use hmac::{Hmac, KeyInit, Mac};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::{Value, json};
use sha2::Sha512;
use tilewire_rules::time::Timestamp;

use super::*;
use tilewire_base::ids::is_of_site;

const NOW: Timestamp = Timestamp(1_800_000_000_000);
const SECRET: &[u8] = b"a secret of thirty-two bytes ...";

fn signing(byte: u8) -> SigningKey {
    SigningKey::from_bytes(&[byte; 32])
}

fn public_pem(key: &SigningKey) -> String {
    let public = key.verifying_key();
    public.to_public_key_pem(LineEnding::LF).unwrap()
}

fn jwk(kid: &str, key: &SigningKey) -> Value {
    let x = BASE64URL_NOPAD.encode(key.verifying_key().as_bytes());
    json!({ "kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "use": "sig", "kid": kid, "x": x })
}

fn config(key: &str, path: &Path) -> SiteConfig {
    let mut config = SiteConfig {
        issuer: "https://site.example".to_owned(),
        audience: "tilewire".to_owned(),
        ..SiteConfig::default()
    };
    let place = match key {
        "site.secret_file" => &mut config.secret_file,
        "site.public_key_file" => &mut config.public_key_file,
        _ => &mut config.jwks_file,
    };
    *place = path.to_owned();
    config
}

/// Returns the site of a file with this content, and the directory that holds it.
fn site(key: &str, content: &[u8]) -> (Result<Site, String>, tempfile::TempDir) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("keys");
    std::fs::write(&path, content).unwrap();
    std::fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
    let loaded = Site::load(&config(key, &path), &IdentityConfig::default());
    let site = loaded.map(|site| site.unwrap());
    (site.map_err(|error| error.to_string()), dir)
}

fn claims() -> Value {
    json!({ "iss": "https://site.example", "aud": "tilewire", "sub": "anna", "exp": NOW.0 / 1_000 + 60 })
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "claims are written where they are used"
)]
fn with(change: Value) -> Value {
    let mut claims = claims();
    for (key, value) in change.as_object().unwrap() {
        match value {
            Value::Null => claims.as_object_mut().unwrap().remove(key),
            value => claims
                .as_object_mut()
                .unwrap()
                .insert(key.clone(), value.clone()),
        };
    }
    claims
}

fn hs256(claims: &Value) -> String {
    let header = Header::new(Algorithm::HS256);
    encode(&header, claims, &EncodingKey::from_secret(SECRET)).unwrap()
}

fn eddsa(kid: Option<&str>, key: &SigningKey, claims: &Value) -> String {
    let header = Header {
        kid: kid.map(str::to_owned),
        ..Header::new(Algorithm::EdDSA)
    };
    let der = key.to_pkcs8_der().unwrap();
    encode(&header, claims, &EncodingKey::from_ed_der(der.as_bytes())).unwrap()
}

/// Signs by an algorithm that the server does not have.
fn hs512(claims: &Value) -> String {
    let part = |value: &Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());
    let message = format!("{}.{}", part(&json!({ "alg": "HS512" })), part(claims));
    let mac = Hmac::<Sha512>::new_from_slice(SECRET).unwrap();
    let signature = mac.chain_update(&message).finalize().into_bytes();
    format!("{message}.{}", BASE64URL_NOPAD.encode(&signature))
}

fn verify(site: &Site, token: &str) -> Result<Pass, TokenError> {
    let header = jsonwebtoken::decode_header(token).map_err(|_| TokenError::Foreign)?;
    site.verify(token, &header, NOW)
}

#[test]
fn every_claim_counts() {
    let (site, _dir) = site("site.secret_file", &[SECRET, b"\n"].concat());
    let site = site.unwrap();
    let second = NOW.0 / 1_000;
    for (change, outcome) in [
        (json!({}), Ok(())),
        (json!({ "aud": ["other", "tilewire"] }), Ok(())),
        (json!({ "exp": second - 29 }), Ok(())),
        (json!({ "exp": second - 30 }), Err(TokenError::Expired)),
        (
            json!({ "exp": f64::from(7) + 0.5 }),
            Err(TokenError::Expired),
        ),
        (json!({ "nbf": second + 30 }), Ok(())),
        (json!({ "nbf": second + 31 }), Err(TokenError::Early)),
        (json!({ "exp": null }), Err(TokenError::Foreign)),
        (json!({ "exp": "never" }), Err(TokenError::Foreign)),
        (json!({ "nbf": "soon" }), Err(TokenError::Foreign)),
        (json!({ "sub": null }), Err(TokenError::Foreign)),
        (json!({ "sub": "" }), Err(TokenError::Foreign)),
        (json!({ "sub": 7 }), Err(TokenError::Foreign)),
        (json!({ "iss": null }), Err(TokenError::Foreign)),
        (
            json!({ "iss": "https://other.example" }),
            Err(TokenError::Foreign),
        ),
        (
            json!({ "iss": ["https://site.example"] }),
            Err(TokenError::Foreign),
        ),
        (json!({ "aud": null }), Err(TokenError::Foreign)),
        (json!({ "aud": "other" }), Err(TokenError::Foreign)),
    ] {
        let verified = verify(&site, &hs256(&with(change.clone()))).map(drop);
        assert_eq!(verified, outcome, "{change}");
    }
}

#[test]
fn a_subject_always_has_the_same_identity_of_its_own() {
    let (site, dir) = site("site.secret_file", SECRET);
    let site = site.unwrap();
    let anna = verify(&site, &hs256(&claims())).unwrap();
    assert!(is_of_site(&anna.identity));
    assert!(anna.identity.len() <= tilewire_protocol::limits::ID_MAX_BYTES);
    assert!(!anna.identity.contains("anna"), "{}", anna.identity);
    assert!(!tilewire_base::house_bots::is_house_bot(&anna.identity));
    assert!(!is_of_site(
        &tilewire_base::ids::Ids::system().identity_id()
    ));
    let again = verify(&site, &hs256(&with(json!({ "exp": NOW.0 / 1_000 + 9 })))).unwrap();
    assert_eq!(again.identity, anna.identity);
    let other = verify(&site, &hs256(&with(json!({ "sub": "Anna" })))).unwrap();
    assert_ne!(other.identity, anna.identity);
    // The same subject at another site is another identity.
    let elsewhere = SiteConfig {
        issuer: "https://other.example".to_owned(),
        ..config("site.secret_file", &dir.path().join("keys"))
    };
    let elsewhere = Site::load(&elsewhere, &IdentityConfig::default());
    let elsewhere = elsewhere.unwrap().unwrap();
    let token = hs256(&with(json!({ "iss": "https://other.example" })));
    assert_ne!(verify(&elsewhere, &token).unwrap().identity, anna.identity);
}

#[test]
fn the_algorithm_is_the_keys() {
    let key = signing(1);
    let pem = public_pem(&key);
    let (site_, _dir) = site("site.public_key_file", pem.as_bytes());
    let site_ = site_.unwrap();
    assert!(verify(&site_, &eddsa(None, &key, &claims())).is_ok());
    assert!(verify(&site_, &eddsa(Some("any"), &key, &claims())).is_ok());
    let foreign = eddsa(None, &signing(2), &claims());
    assert_eq!(verify(&site_, &foreign), Err(TokenError::Foreign));
    // HS256 with the public key as its secret.
    let public = key.verifying_key();
    for secret in [pem.as_bytes(), pem.trim().as_bytes(), public.as_bytes()] {
        let header = Header::new(Algorithm::HS256);
        let token = encode(&header, &claims(), &EncodingKey::from_secret(secret)).unwrap();
        assert_eq!(verify(&site_, &token), Err(TokenError::Foreign));
    }
    // No signature at all, by every spelling of it.
    let body = BASE64URL_NOPAD.encode(claims().to_string().as_bytes());
    for alg in ["none", "None", "NONE", ""] {
        let header = BASE64URL_NOPAD.encode(json!({ "alg": alg }).to_string().as_bytes());
        for end in ["", "AAAA"] {
            let token = format!("{header}.{body}.{end}");
            assert_eq!(verify(&site_, &token), Err(TokenError::Foreign), "{alg}");
        }
    }
    // The other way round: a secret's tokens are signed by HS256 and nothing else.
    let (secret, _dir) = site("site.secret_file", SECRET);
    let secret = secret.unwrap();
    assert!(verify(&secret, &eddsa(None, &key, &claims())).is_err());
    assert_eq!(verify(&secret, &hs512(&claims())), Err(TokenError::Foreign));
}

#[test]
fn a_set_has_a_key_for_each_name_and_is_read_again() {
    let (first, second) = (signing(1), signing(2));
    let oct = json!({ "kty": "oct", "kid": "s", "k": BASE64URL_NOPAD.encode(SECRET) });
    let rsa = json!({ "kty": "RSA", "kid": "r", "n": "AQAB", "e": "AQAB" });
    let set = json!({ "keys": [jwk("1", &first), oct, rsa] }).to_string();
    let (site, dir) = site("site.jwks_file", set.as_bytes());
    let site = site.unwrap();
    assert!(verify(&site, &eddsa(Some("1"), &first, &claims())).is_ok());
    for (kid, key) in [
        (Some("2"), &second),
        (Some("1"), &second),
        (Some("s"), &first),
        (Some("r"), &first),
        (None, &first),
    ] {
        let refused = verify(&site, &eddsa(kid, key, &claims()));
        assert_eq!(refused, Err(TokenError::Foreign), "{kid:?}");
    }
    assert_eq!(site.reread().unwrap(), Reread::Unchanged);
    let file = dir.path().join("keys");
    std::fs::write(&file, "no set").unwrap();
    let error = site.reread().unwrap_err().to_string();
    assert!(
        error.contains("site.jwks_file") && error.contains("keys"),
        "{error}"
    );
    assert_eq!(site.reread().unwrap(), Reread::Unchanged, "told once");
    assert!(verify(&site, &eddsa(Some("1"), &first, &claims())).is_ok());
    std::fs::write(&file, json!({ "keys": [jwk("2", &second)] }).to_string()).unwrap();
    assert_eq!(site.reread().unwrap(), Reread::Changed);
    assert!(verify(&site, &eddsa(Some("2"), &second, &claims())).is_ok());
    assert!(verify(&site, &eddsa(Some("1"), &first, &claims())).is_err());
}

#[test]
fn files_that_cannot_be_used_are_named_with_their_key() {
    let pem = public_pem(&signing(1));
    let private = signing(1).to_pkcs8_pem(LineEnding::LF).unwrap();
    let key = jwk("1", &signing(1));
    let twice = json!({ "keys": [key, key] }).to_string();
    let nameless =
        json!({ "keys": [{ "kty": "OKP", "crv": "Ed25519", "x": key["x"] }] }).to_string();
    let short = json!({ "keys": [{ "kty": "oct", "kid": "s", "k": "AAAA" }] }).to_string();
    for (key, content, reason) in [
        ("site.secret_file", "too short", "32"),
        ("site.secret_file", pem.as_str(), "site.public_key_file"),
        ("site.public_key_file", "nonsense", "PUBLIC KEY"),
        ("site.public_key_file", private.as_str(), "PUBLIC KEY"),
        ("site.jwks_file", "{}", "missing field `keys`"),
        ("site.jwks_file", r#"{"keys":[]}"#, "none of its keys"),
        ("site.jwks_file", twice.as_str(), "twice"),
        ("site.jwks_file", nameless.as_str(), "`kid`"),
        ("site.jwks_file", short.as_str(), "32"),
    ] {
        let (site, dir) = site(key, content.as_bytes());
        let error = site.unwrap_err();
        let path = dir.path().join("keys").display().to_string();
        assert!(error.contains(key) && error.contains(&path), "{error}");
        assert!(error.contains(reason), "{error}");
    }
    let missing = config("site.jwks_file", Path::new("/nonexistent/keys"));
    let error = Site::load(&missing, &IdentityConfig::default()).unwrap_err();
    assert!(error.to_string().contains("/nonexistent/keys"), "{error}");
}

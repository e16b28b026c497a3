//! Untrusted tokens, and files of keys that an operator configures.
//!
//! The first byte gives the kind of input: `r` is a token; `k`, `o`, `e` are a header and claims, each a line of JSON,
//! that are signed here with the key of the server or of the site; `x`, `y`, `h`, `n` are the same, signed with other
//! keys; `j`, `p`, `s` are a file of keys.

use std::fs;
use std::sync::LazyLock;
use tilewire_rules::time::Timestamp;

use data_encoding::BASE64URL_NOPAD;
use ed25519_dalek::SigningKey;
use ed25519_dalek::pkcs8::EncodePrivateKey;
use jsonwebtoken::crypto::sign;
use jsonwebtoken::{Algorithm, EncodingKey};
use serde_json::{Value, json};
use tempfile::NamedTempFile;
use tilewire_accounts::identity::{Site, SiteError, Tokens, install_signatures};
use tilewire_base::ids::is_of_site;
use tilewire_config::{IdentityConfig, SiteConfig};
use tilewire_delivery::session::Pass;
use tilewire_rules::stream::nonce_hash;
use tilewire_store::TokenKey;

/// When tokens are shown, unix ms.
const NOW: Timestamp = Timestamp(1_800_000_000_000);
const ISSUER: &str = "https://site.example";
const AUDIENCE: &str = "tilewire";

/// The signer and its key.
struct Signer {
    algorithm: Algorithm,
    key: EncodingKey,
}

static OURS: LazyLock<Signer> = LazyLock::new(|| Signer::secret(&[1; 32]));
static SITE_SECRET: LazyLock<Signer> = LazyLock::new(|| Signer::secret(&[2; 32]));
static SITE_PAIR: LazyLock<Signer> = LazyLock::new(|| Signer::pair(&[3; 32]));

/// A server with a key of its own and two of a site.
static TOKENS: LazyLock<Tokens> = LazyLock::new(|| {
    let set = json!({ "keys": [
        { "kty": "oct", "kid": "o", "k": BASE64URL_NOPAD.encode(&[2; 32]) },
        { "kty": "OKP", "crv": "Ed25519", "kid": "e", "x": BASE64URL_NOPAD.encode(&public(&[3; 32])) },
    ] });
    tokens(site(Kind::Set, set.to_string().as_bytes()).expect("a good set"))
});

/// Nothing is taken unless a key that counts has signed it.
pub(super) fn shown(data: &[u8]) {
    let Some((kind, rest)) = data.split_first() else {
        return;
    };
    match kind {
        b'r' => raw(rest),
        b'k' => signed(&OURS, rest),
        b'o' => signed(&SITE_SECRET, rest),
        b'e' => signed(&SITE_PAIR, rest),
        b'x' => forged(&Signer::secret(&[9; 32]), rest),
        b'y' => forged(&Signer::pair(&[9; 32]), rest),
        // The public key in place of a secret.
        b'h' => forged(&Signer::secret(&public(&[3; 32])), rest),
        b'n' => {
            if let Some(message) = message(rest) {
                assert!(TOKENS.verify(&format!("{message}."), NOW).is_err());
            }
        }
        b'j' => keys(Kind::Set, rest),
        b'p' => keys(Kind::Public, rest),
        b's' => keys(Kind::Secret, rest),
        _ => {}
    }
}

fn raw(token: &[u8]) {
    if let Ok(token) = std::str::from_utf8(token)
        && TOKENS.verify(token, NOW).is_ok()
    {
        let (message, signature) = token.rsplit_once('.').expect("a token has parts");
        let signers = [&*OURS, &*SITE_SECRET, &*SITE_PAIR];
        assert!(signers.iter().any(|key| key.sign(message) == signature));
    }
}

/// A token signed by a valid key is accepted or refused by its claims.
fn signed(signer: &Signer, lines: &[u8]) {
    let Some(message) = message(lines) else {
        return;
    };
    let token = format!("{message}.{}", signer.sign(&message));
    if let Ok(pass) = TOKENS.verify(&token, NOW) {
        let (header, claims) = parts(lines).expect("there were two lines");
        let header: Value = serde_json::from_slice(header).expect("an accepted token is JSON");
        let claims: Value = serde_json::from_slice(claims).expect("an accepted token is JSON");
        check(signer, &pass, &header, &claims);
    }
}

/// An accepted token is meant for this server, names its key and is not expired.
fn check(signer: &Signer, pass: &Pass, header: &Value, claims: &Value) {
    assert_eq!(header["alg"], json!(signer.algorithm));
    assert!(header["crit"].is_null());
    let ms = |claim: &str| claims[claim].as_f64().map(|seconds| seconds * 1_000.0);
    let kid = header["kid"].as_str().expect("a token names its key");
    let leeway = match kid {
        "k" => {
            assert_eq!(claims["iss"], "tilewire");
            assert_eq!(claims["sub"], pass.identity);
            assert_eq!(pass.kid.as_deref(), Some("k"));
            0.0
        }
        "o" | "e" => {
            assert_eq!(claims["iss"], ISSUER);
            assert!(claims["aud"].to_string().contains(AUDIENCE));
            assert!(is_of_site(&pass.identity) && pass.kid.is_none());
            let leeway = IdentityConfig::default().site_leeway_ms.0 as f64;
            assert!(ms("exp").is_some(), "a site's token has an end");
            assert!(ms("nbf").is_none_or(|begin| begin - leeway <= NOW.0 as f64));
            leeway
        }
        other => panic!("{other} is no key"),
    };
    let end = ms("exp").unwrap_or(f64::INFINITY);
    assert!(end + leeway >= NOW.0 as f64, "{claims} is over");
    assert_eq!(TOKENS.check(pass), Ok(()));
}

fn forged(signer: &Signer, lines: &[u8]) {
    if let Some(message) = message(lines) {
        let token = format!("{message}.{}", signer.sign(&message));
        assert!(TOKENS.verify(&token, NOW).is_err(), "{token} is forged");
    }
}

/// A key file is refused, or exactly the tokens signed with its keys are accepted.
fn keys(kind: Kind, content: &[u8]) {
    let site = match site(kind, content) {
        Ok(site) => site,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let tokens = tokens(site);
    let claims =
        json!({ "iss": ISSUER, "aud": AUDIENCE, "sub": "anna", "exp": NOW.0 / 1_000 + 60 });
    let is_taken = |signer: &Signer, kid: &Value| {
        let header = json!({ "alg": signer.algorithm, "kid": kid });
        let message = of_parts(header.to_string().as_bytes(), claims.to_string().as_bytes());
        let token = format!("{message}.{}", signer.sign(&message));
        tokens.verify(&token, NOW).is_ok()
    };
    // No key file contained these when it was written. The digest of the file would equal the file as a secret (RFC 2104).
    let unknown = nonce_hash(&[b"unknown", content].concat());
    let set: Value = serde_json::from_slice(content).unwrap_or_default();
    let names = set["keys"].as_array().into_iter().flatten();
    let names = names.map(|key| key["kid"].clone()).chain([Value::Null]);
    for kid in names {
        assert!(!is_taken(&Signer::secret(&unknown), &kid));
        assert!(!is_taken(&Signer::pair(&unknown), &kid));
        // The file itself is a secret only where it is named as one.
        assert!(kind == Kind::Secret || !is_taken(&Signer::secret(content), &kid));
    }
    if kind == Kind::Secret && !content.ends_with(b"\n") && !content.ends_with(b"\r") {
        assert!(is_taken(&Signer::secret(content), &Value::Null));
    }
}

/// The names of a key file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Set,
    Public,
    Secret,
}

fn site(kind: Kind, content: &[u8]) -> Result<Site, SiteError> {
    let file = NamedTempFile::new().expect("a file can be made");
    fs::write(file.path(), content).expect("and written");
    let mut config = SiteConfig {
        issuer: ISSUER.to_owned(),
        audience: AUDIENCE.to_owned(),
        ..SiteConfig::default()
    };
    *match kind {
        Kind::Set => &mut config.jwks_file,
        Kind::Public => &mut config.public_key_file,
        Kind::Secret => &mut config.secret_file,
    } = file.path().to_owned();
    let site = Site::load(&config, &IdentityConfig::default())?;
    Ok(site.expect("it names a file"))
}

fn tokens(site: Site) -> Tokens {
    let key = TokenKey {
        kid: "k".to_owned(),
        secret: [1; 32],
    };
    Tokens::new(&[key], &IdentityConfig::default()).with_site(Some(site))
}

/// The two lines, header and claims.
fn parts(lines: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = lines.iter().position(|byte| *byte == b'\n')?;
    Some((&lines[..end], &lines[end + 1..]))
}

/// The text to sign.
fn message(lines: &[u8]) -> Option<String> {
    parts(lines).map(|(header, claims)| of_parts(header, claims))
}

fn of_parts(header: &[u8], claims: &[u8]) -> String {
    let encode = |part| BASE64URL_NOPAD.encode(part);
    format!("{}.{}", encode(header), encode(claims))
}

fn public(secret: &[u8; 32]) -> [u8; 32] {
    SigningKey::from_bytes(secret).verifying_key().to_bytes()
}

impl Signer {
    fn secret(secret: &[u8]) -> Self {
        Self {
            algorithm: Algorithm::HS256,
            key: EncodingKey::from_secret(secret),
        }
    }

    fn pair(secret: &[u8; 32]) -> Self {
        let der = SigningKey::from_bytes(secret).to_pkcs8_der();
        let der = der.expect("a key can be written");
        Self {
            algorithm: Algorithm::EdDSA,
            key: EncodingKey::from_ed_der(der.as_bytes()),
        }
    }

    fn sign(&self, message: &str) -> String {
        install_signatures();
        sign(message.as_bytes(), &self.key, self.algorithm).expect("the key fits the algorithm")
    }
}

//! Signatures of Standard Webhooks: HMAC-SHA-256 of the id, the time and the body.

use std::fmt;
use std::path::{Path, PathBuf};

use data_encoding::BASE64;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use tilewire_base::operator_file::{Exposed, OperatorFile, Readers};

/// The start of a secret in text.
const PREFIX: &str = "whsec_";
/// The bytes of a secret.
const SECRET_BYTES: std::ops::RangeInclusive<usize> = 24..=64;
/// Secrets of one webhook.
const SECRETS: usize = 4;

/// The secrets of a webhook. All of them sign, so that a receiver can change from one to the next.
#[derive(Clone)]
pub(super) struct Secrets(Vec<Vec<u8>>);

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secrets")
    }
}

/// A file has no secrets that can be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum SecretFault {
    /// It cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Other users can read it.
    #[error("cannot use {}: {reason}", path.display())]
    Exposed {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: Exposed,
    },
    /// It has another form.
    #[error("{} does not have 1 to {SECRETS} lines with `whsec_` and 24 to 64 bytes in base64", path.display())]
    Form {
        /// The file.
        path: PathBuf,
    },
}

impl Secrets {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be used.
    pub(super) fn load(path: &Path) -> Result<Self, SecretFault> {
        let path_of = || path.to_owned();
        let file = OperatorFile::read(path).map_err(|source| SecretFault::Read {
            path: path_of(),
            source,
        })?;
        file.refuse_exposed(Readers::Group)
            .map_err(|reason| SecretFault::Exposed {
                path: path_of(),
                reason,
            })?;
        let text = std::str::from_utf8(&file.content).ok();
        let secrets = text.and_then(Self::read);
        secrets.ok_or_else(|| SecretFault::Form { path: path_of() })
    }

    /// Reads the lines of a file; `None` if they have another form.
    pub(super) fn read(text: &str) -> Option<Self> {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let secret = |line: &str| {
            let bytes = BASE64.decode(line.strip_prefix(PREFIX)?.as_bytes()).ok()?;
            SECRET_BYTES.contains(&bytes.len()).then_some(bytes)
        };
        let secrets: Vec<_> = lines.map(secret).collect::<Option<_>>()?;
        (1..=SECRETS)
            .contains(&secrets.len())
            .then_some(Self(secrets))
    }

    /// Returns the value of `webhook-signature`; `seconds` is unix time.
    pub(super) fn sign(&self, id: &str, seconds: i64, body: &[u8]) -> String {
        let one = |secret: &Vec<u8>| {
            let mac = Hmac::<Sha256>::new_from_slice(secret).expect("a key has any length");
            let mac = mac
                .chain_update(format!("{id}.{seconds}."))
                .chain_update(body);
            format!("v1,{}", BASE64.encode(&mac.finalize().into_bytes()))
        };
        let all: Vec<String> = self.0.iter().map(one).collect();
        all.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the specification.
    #[test]
    fn a_signature_is_that_of_the_specification() {
        let secrets = Secrets::read("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n").unwrap();
        let body = br#"{"test": 2432232314}"#;
        let signature = secrets.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, body);
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn all_secrets_sign() {
        let text =
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n\nwhsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n";
        let signature = Secrets::read(text).unwrap().sign("a", 1, b"b");
        let parts: Vec<&str> = signature.split(' ').collect();
        assert_eq!(parts.len(), 2);
        assert!(parts.iter().all(|part| part.starts_with("v1,")) && parts[0] != parts[1]);
    }

    #[test]
    fn other_secrets_are_refused() {
        let line = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n";
        for text in [
            "",
            "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            "whsec_",
            "whsec_AAAA",
            "whsec_no base64 at all!!!!!!!!!!!!!!!",
            &line.repeat(5),
        ] {
            assert!(Secrets::read(text).is_none(), "{text:?}");
        }
    }
}

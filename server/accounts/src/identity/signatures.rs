//! The two signatures of tokens: HMAC with SHA-256, and Ed25519.
//!
//! The library for JSON Web Tokens takes its cryptography from a provider. Its own providers bring RSA and further
//! curves; this one has just the two algorithms that the server uses, and refuses all others.

use ed25519_dalek::pkcs8::DecodePrivateKey;
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use hmac::{Hmac, KeyInit, Mac};
use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{Error, ErrorKind};
use jsonwebtoken::signature::{self, Signer, Verifier};
use jsonwebtoken::{Algorithm, AlgorithmFamily, DecodingKey, EncodingKey};
use sha2::Sha256;

static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: signer,
    verifier_factory: verifier,
    // Only for the library's own key sets; the server reads those of a site by itself.
    key_utils: KeyUtils::new_unimplemented(),
};

/// Gives the library its cryptography. Calls after the first change nothing.
pub fn install_signatures() {
    // An error says that a provider is installed already, and there is no other one than this.
    PROVIDER.install_default().ok();
}

fn signer(algorithm: &Algorithm, key: &EncodingKey) -> Result<Box<dyn JwtSigner>, Error> {
    match (algorithm, key.family()) {
        (Algorithm::HS256, AlgorithmFamily::Hmac) => Ok(Box::new(Hs256::new(key.as_bytes())?)),
        (Algorithm::EdDSA, AlgorithmFamily::Ed) => {
            let key = SigningKey::from_pkcs8_der(key.as_bytes());
            Ok(Box::new(EdSigner(
                key.map_err(|_| ErrorKind::InvalidEddsaKey)?,
            )))
        }
        _ => Err(ErrorKind::InvalidAlgorithm.into()),
    }
}

fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>, Error> {
    match (algorithm, key.family()) {
        (Algorithm::HS256, AlgorithmFamily::Hmac) => {
            Ok(Box::new(Hs256::new(key.try_get_as_bytes()?)?))
        }
        (Algorithm::EdDSA, AlgorithmFamily::Ed) => {
            let bytes = key.try_get_as_bytes()?.try_into();
            let bytes = bytes.map_err(|_| ErrorKind::InvalidEddsaKey)?;
            let key = VerifyingKey::from_bytes(bytes);
            Ok(Box::new(EdVerifier(
                key.map_err(|_| ErrorKind::InvalidEddsaKey)?,
            )))
        }
        _ => Err(ErrorKind::InvalidAlgorithm.into()),
    }
}

/// HMAC with SHA-256 under one key.
struct Hs256(Hmac<Sha256>);

/// The private key of an Ed25519 pair.
struct EdSigner(SigningKey);

/// The public key of an Ed25519 pair.
struct EdVerifier(VerifyingKey);

impl Hs256 {
    fn new(secret: &[u8]) -> Result<Self, Error> {
        let mac = Hmac::new_from_slice(secret).map_err(|_| ErrorKind::InvalidKeyFormat)?;
        Ok(Self(mac))
    }

    fn over(&self, message: &[u8]) -> Hmac<Sha256> {
        self.0.clone().chain_update(message)
    }
}

impl Signer<Vec<u8>> for Hs256 {
    fn try_sign(&self, message: &[u8]) -> Result<Vec<u8>, signature::Error> {
        Ok(self.over(message).finalize().into_bytes().to_vec())
    }
}

impl Verifier<Vec<u8>> for Hs256 {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), signature::Error> {
        // Compares in constant time.
        let verified = self.over(message).verify_slice(signature);
        verified.map_err(signature::Error::from_source)
    }
}

impl JwtSigner for Hs256 {
    fn algorithm(&self) -> Algorithm {
        Algorithm::HS256
    }
}

impl JwtVerifier for Hs256 {
    fn algorithm(&self) -> Algorithm {
        Algorithm::HS256
    }
}

impl Signer<Vec<u8>> for EdSigner {
    fn try_sign(&self, message: &[u8]) -> Result<Vec<u8>, signature::Error> {
        Ok(self.0.sign(message).to_vec())
    }
}

impl JwtSigner for EdSigner {
    fn algorithm(&self) -> Algorithm {
        Algorithm::EdDSA
    }
}

impl Verifier<Vec<u8>> for EdVerifier {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), signature::Error> {
        let signature = Signature::from_slice(signature).map_err(signature::Error::from_source)?;
        let verified = ed25519_dalek::Verifier::verify(&self.0, message, &signature);
        verified.map_err(signature::Error::from_source)
    }
}

impl JwtVerifier for EdVerifier {
    fn algorithm(&self) -> Algorithm {
        Algorithm::EdDSA
    }
}

//! An authority of a test, which vouches for certificates of others.

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};

use crate::mail::Certificate;

/// An authority with its own certificate.
#[derive(Debug)]
pub struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pem: String,
}

impl Default for Authority {
    fn default() -> Self {
        Self::new()
    }
}

impl Authority {
    /// Makes an authority.
    ///
    /// # Panics
    /// When there is no key.
    #[must_use]
    pub fn new() -> Self {
        let key = KeyPair::generate().expect("a key");
        let mut params = named("authority of a test");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let own = params.self_signed(&key).expect("a certificate");
        Self {
            pem: own.pem(),
            issuer: Issuer::new(params, key),
        }
    }

    /// Returns its own certificate, in PEM.
    #[must_use]
    pub fn pem(&self) -> &str {
        &self.pem
    }

    /// Makes a certificate for the host `name`.
    ///
    /// # Panics
    /// When `name` is no name of a host.
    #[must_use]
    pub fn certificate(&self, name: &str) -> Certificate {
        let key = KeyPair::generate().expect("a key");
        let mut params = named(name);
        let names = CertificateParams::new(vec![name.to_owned()]);
        params.subject_alt_names = names.expect("a name").subject_alt_names;
        let own = params.signed_by(&key, &self.issuer);
        Certificate {
            certificate: own.expect("a certificate").pem(),
            key: key.serialize_pem(),
        }
    }
}

/// Returns the start of a certificate with a name of its own.
fn named(name: &str) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, name);
    params
}

//! The certificate of the players' listener: read at the start, and again when it changes.
//!
//! A pair that cannot be used is logged, and the last good pair stays in use. Existing connections keep the pair of
//! their handshake.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::TlsAcceptor;

use super::expiry;
use tilewire_base::operator_file::{Exposed, OperatorFile, Readers};
use tilewire_config::TlsConfig;

/// The protocol inside TLS: WebSockets need HTTP/1.1.
const ALPN: &[u8] = b"http/1.1";

/// The reasons why a certificate and its key cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CertificateError {
    /// A file cannot be read.
    #[error("{key}: cannot read {}: {source}", path.display())]
    Read {
        /// The setting that names the file.
        key: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Other users can read the private key.
    #[error("tls.key: cannot use {}: {reason}", path.display())]
    Exposed {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: Exposed,
    },
    /// A file does not contain what it should.
    #[error("{key}: {} is not usable: {reason}", path.display())]
    Content {
        /// The setting that names the file.
        key: &'static str,
        /// The file.
        path: PathBuf,
        /// The error.
        reason: String,
    },
    /// The certificate and the key do not match.
    #[error("tls.certificate {} and tls.key {} do not match: {reason}", certificate.display(), key.display())]
    Pair {
        /// The certificate's file.
        certificate: PathBuf,
        /// The key's file.
        key: PathBuf,
        /// The error.
        reason: rustls::Error,
    },
}

/// The result of reading the files again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reload {
    /// The files have not changed.
    Unchanged,
    /// A new pair is in use from the next connection on.
    Changed,
}

/// The certificate in use, and its files.
#[derive(Debug)]
pub struct Certificates {
    paths: TlsConfig,
    current: RwLock<InUse>,
    /// The files as they were last tried, good or bad, so that one mistake is logged once.
    tried: Mutex<Files>,
}

/// The pair in use.
#[derive(Debug, Clone)]
struct InUse {
    config: Arc<ServerConfig>,
    /// When the certificate expires, seconds since the Unix epoch, if it says so.
    expires_at: Option<u64>,
}

/// The bytes of both files.
#[derive(Clone, PartialEq, Eq)]
struct Files {
    certificate: Vec<u8>,
    key: Vec<u8>,
}

impl std::fmt::Debug for Files {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Files") // one of them is a secret
    }
}

impl Certificates {
    /// Reads the pair that the settings name.
    ///
    /// # Errors
    /// Names the file and what is wrong with it.
    pub fn load(paths: &TlsConfig) -> Result<Self, CertificateError> {
        let files = read(paths)?;
        let current = configure(paths, &files)?;
        Ok(Self {
            paths: paths.clone(),
            current: RwLock::new(current),
            tried: Mutex::new(files),
        })
    }

    /// Reads the pair again. After an error the last good pair stays in use; the same files are not tried again until
    /// they change.
    ///
    /// # Errors
    /// Names the file and what is wrong with it.
    pub fn reload(&self) -> Result<Reload, CertificateError> {
        let files = read(&self.paths)?;
        {
            let mut tried = self.tried.lock().unwrap_or_else(PoisonError::into_inner);
            if *tried == files {
                return Ok(Reload::Unchanged);
            }
            tried.clone_from(&files);
        }
        let current = configure(&self.paths, &files)?;
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = current;
        Ok(Reload::Changed)
    }

    /// Returns when the certificate in use expires, seconds since the Unix epoch; `None` if that cannot be read.
    #[must_use]
    pub fn expires_at(&self) -> Option<u64> {
        let current = self.current.read().unwrap_or_else(PoisonError::into_inner);
        current.expires_at
    }

    /// Returns the first host name in the certificate that is not a pattern, if there is one.
    #[must_use]
    pub fn name(&self) -> Option<String> {
        let tried = self.tried.lock().unwrap_or_else(PoisonError::into_inner);
        let certificate = CertificateDer::from_pem_slice(&tried.certificate).ok()?;
        let certificate = webpki::EndEntityCert::try_from(&certificate).ok()?;
        let mut names = certificate.valid_dns_names();
        let name = names.find(|name| !name.starts_with('*'));
        name.map(str::to_owned)
    }

    /// Returns the acceptor of the next connection.
    #[must_use]
    pub fn acceptor(&self) -> TlsAcceptor {
        let current = self.current.read().unwrap_or_else(PoisonError::into_inner);
        TlsAcceptor::from(Arc::clone(&current.config))
    }
}

fn read(paths: &TlsConfig) -> Result<Files, CertificateError> {
    let read = |key: &'static str, path: &Path| {
        OperatorFile::read(path).map_err(|source| CertificateError::Read {
            key,
            path: path.to_owned(),
            source,
        })
    };
    let certificate = read("tls.certificate", &paths.certificate)?;
    let key = read("tls.key", &paths.key)?;
    // The group may read it: systems keep private keys for a group of servers, such as `ssl-cert`.
    key.refuse_exposed(Readers::Group)
        .map_err(|reason| CertificateError::Exposed {
            path: paths.key.clone(),
            reason,
        })?;
    Ok(Files {
        certificate: certificate.content,
        key: key.content,
    })
}

fn configure(paths: &TlsConfig, files: &Files) -> Result<InUse, CertificateError> {
    let chain: Vec<_> = CertificateDer::pem_slice_iter(&files.certificate)
        .collect::<Result<_, _>>()
        .and_then(|chain: Vec<_>| match chain.is_empty() {
            true => Err(pem::Error::NoItemsFound),
            false => Ok(chain),
        })
        .map_err(|error| CertificateError::Content {
            key: "tls.certificate",
            path: paths.certificate.clone(),
            reason: said(
                &error,
                "no certificate in PEM (-----BEGIN CERTIFICATE-----)",
            ),
        })?;
    let key =
        PrivateKeyDer::from_pem_slice(&files.key).map_err(|error| CertificateError::Content {
            key: "tls.key",
            path: paths.key.clone(),
            reason: said(
                &error,
                "no private key in PEM (-----BEGIN PRIVATE KEY-----)",
            ),
        })?;
    let pair = |reason| CertificateError::Pair {
        certificate: paths.certificate.clone(),
        key: paths.key.clone(),
        reason,
    };
    let expires_at = chain.first().and_then(|own| expiry::expires_at(own));
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(pair)?
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .map_err(pair)?;
    config.alpn_protocols = vec![ALPN.to_vec()];
    Ok(InUse {
        config: Arc::new(config),
        expires_at,
    })
}

fn said(error: &pem::Error, nothing_found: &str) -> String {
    match error {
        pem::Error::NoItemsFound => nothing_found.to_owned(),
        other => other.to_string(),
    }
}

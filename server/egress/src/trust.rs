//! The authorities that vouch for the other side of a TLS connection.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use tokio_rustls::TlsConnector;

use tilewire_base::operator_file::OperatorFile;

/// The certificates that a setting `ca_file` names cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TrustFault {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file has no certificate that can be used.
    #[error("{} has no certificate that can be used", path.display())]
    Certificates {
        /// The file.
        path: PathBuf,
    },
    /// TLS cannot be set up.
    #[error("TLS cannot be set up: {0}")]
    Tls(#[from] rustls::Error),
}

/// Reads the certificates of a PEM file that the operator names; `None` for an empty path: those of the system count.
///
/// # Errors
/// When the file cannot be read, or has none.
pub fn own_roots(ca_file: &Path) -> Result<Option<Vec<CertificateDer<'static>>>, TrustFault> {
    if ca_file.as_os_str().is_empty() {
        return Ok(None);
    }
    let path = ca_file.to_owned();
    let file = match OperatorFile::read(ca_file) {
        Ok(file) => file,
        Err(source) => return Err(TrustFault::Read { path, source }),
    };
    let found = CertificateDer::pem_slice_iter(&file.content);
    let found: Vec<_> = found.filter_map(Result::ok).collect();
    match found.is_empty() {
        false => Ok(Some(found)),
        true => Err(TrustFault::Certificates { path }),
    }
}

/// Returns the TLS connector that trusts the certificates of `ca_file`; for an empty path, those of the system.
///
/// # Errors
/// When the certificates cannot be used.
pub fn connector(ca_file: &Path) -> Result<TlsConnector, TrustFault> {
    Ok(TlsConnector::from(Arc::new(client(ca_file)?)))
}

/// Returns the TLS settings that trust the certificates of `ca_file`; for an empty path, those of the system.
///
/// # Errors
/// When the certificates cannot be used.
pub fn client(ca_file: &Path) -> Result<ClientConfig, TrustFault> {
    let trusted = own_roots(ca_file)?;
    let trusted = trusted.unwrap_or_else(|| rustls_native_certs::load_native_certs().certs);
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(trusted);
    let settings = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(settings)
}

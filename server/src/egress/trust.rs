//! The authorities that vouch for the other side of a TLS connection.

use std::io;
use std::path::Path;
use std::sync::Arc;

use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use tokio_rustls::TlsConnector;

use crate::operator_file::OperatorFile;

/// Reads the certificates of a PEM file that the operator names; none if it has none that can be used.
///
/// # Errors
/// When the file cannot be read.
pub(super) fn certificates(path: &Path) -> io::Result<Vec<CertificateDer<'static>>> {
    let file = OperatorFile::read(path)?;
    let certificates = CertificateDer::pem_slice_iter(&file.content);
    Ok(certificates.filter_map(Result::ok).collect())
}

/// Returns what begins TLS with a side for which these certificates vouch; `None`: those of the system.
///
/// # Errors
/// When rustls has no version of TLS for the provider.
pub(super) fn connector(
    trusted: Option<Vec<CertificateDer<'static>>>,
) -> Result<TlsConnector, rustls::Error> {
    let trusted = trusted.unwrap_or_else(|| rustls_native_certs::load_native_certs().certs);
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(trusted);
    let settings = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(settings)))
}

//! Whom the client trusts: the authorities of this machine, or those of the file named by `SSL_CERT_FILE`.

use ureq::tls::{Certificate, RootCerts, TlsConfig};

/// Chooses the one implementation of cryptography there is, for all connections of the process.
pub fn install() {
    // Whoever comes second finds the same.
    drop(rustls::crypto::ring::default_provider().install_default());
}

/// Returns what HTTP requests to `server`, the address of a WebSocket, are checked by.
pub(crate) fn for_http(server: &str) -> TlsConfig {
    let mut config = TlsConfig::builder();
    if server.starts_with("wss://") {
        let trusted = rustls_native_certs::load_native_certs().certs;
        let roots = trusted
            .iter()
            .map(|certificate| Certificate::from_der(certificate).to_owned());
        config = config.root_certs(RootCerts::from(roots));
    }
    config.build()
}

//! TLS: the cryptography provider, and the trusted certificate authorities (of the system, or of `SSL_CERT_FILE`).

use ureq::tls::{Certificate, RootCerts, TlsConfig};

/// Installs the cryptography provider for all connections of the process.
pub fn install() {
    // A second call fails, because the same provider is already installed.
    drop(rustls::crypto::ring::default_provider().install_default());
}

/// The TLS configuration of HTTP requests to `server`, which is the address of a WebSocket.
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

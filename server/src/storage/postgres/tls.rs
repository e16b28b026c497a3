//! TLS to the database, with the library of the players' listener.

use std::future::Future;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream as RustlsStream;

use super::PostgresError;

/// Makes TLS connections. The certificate of the database is always verified.
#[derive(Clone)]
pub(super) struct Tls(Arc<ClientConfig>);

/// A connection that becomes TLS.
pub(super) struct Handshake {
    settings: Arc<ClientConfig>,
    name: ServerName<'static>,
}

/// An encrypted connection.
pub(super) struct Encrypted<S>(RustlsStream<S>);

impl Tls {
    /// Trusts the certificates in a file; with an empty path, those of the system.
    pub(super) fn trusting(file: &Path) -> Result<Self, PostgresError> {
        let refused = |why: String| {
            PostgresError::Settings(format!("storage.ca_file: {}: {why}", file.display()))
        };
        let certificates: Vec<CertificateDer<'static>> = if file.as_os_str().is_empty() {
            rustls_native_certs::load_native_certs().certs
        } else {
            CertificateDer::pem_file_iter(file)
                .and_then(Iterator::collect)
                .map_err(|error| refused(error.to_string()))?
        };
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(certificates);
        if roots.is_empty() && !file.as_os_str().is_empty() {
            return Err(refused("it has no certificate".to_owned()));
        }
        let settings = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| refused(error.to_string()))?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(Self(Arc::new(settings)))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> MakeTlsConnect<S> for Tls {
    type Stream = Encrypted<S>;
    type TlsConnect = Handshake;
    type Error = rustls::pki_types::InvalidDnsNameError;

    fn make_tls_connect(&mut self, domain: &str) -> Result<Handshake, Self::Error> {
        // A connection by a Unix socket has no name, and no TLS either.
        let name = if domain.is_empty() {
            "localhost"
        } else {
            domain
        };
        Ok(Handshake {
            settings: Arc::clone(&self.0),
            name: ServerName::try_from(name.to_owned())?,
        })
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> TlsConnect<S> for Handshake {
    type Stream = Encrypted<S>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Encrypted<S>>> + Send>>;

    fn connect(self, stream: S) -> Self::Future {
        let Self { settings, name } = self;
        Box::pin(async move {
            let stream = TlsConnector::from(settings).connect(name, stream).await?;
            Ok(Encrypted(stream))
        })
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> TlsStream for Encrypted<S> {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Encrypted<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Encrypted<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}

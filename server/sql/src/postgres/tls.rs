//! TLS to the database, with the library of the players' listener.

use std::future::Future;
use std::io;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream as RustlsStream;

use crate::postgres::error::PostgresError;
use tilewire_egress::tls_client;

/// Makes TLS connections. The certificate of the database is always verified.
#[derive(Clone)]
pub(crate) struct Tls(Arc<ClientConfig>);

/// A connection that becomes TLS.
pub(crate) struct Handshake {
    settings: Arc<ClientConfig>,
    name: ServerName<'static>,
}

/// An encrypted connection.
pub(crate) struct Encrypted<S>(RustlsStream<S>);

impl Tls {
    /// Trusts the certificates in a file; with an empty path, those of the system.
    pub(crate) fn trusting(file: &Path) -> Result<Self, PostgresError> {
        let settings = tls_client(file)
            .map_err(|fault| PostgresError::Settings(format!("storage.ca_file: {fault}")))?;
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

//! One request to a server that a stranger has named: an address that may be used, TLS, one request, the head of the answer.
//! Each step has a time. The body of the answer is not read, and a redirection is not followed.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::header::{CONTENT_LENGTH, HOST, RETRY_AFTER};
use axum::http::{HeaderMap, HeaderValue, Method, Request, StatusCode};
use bytes::Bytes;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::net::{TcpStream, lookup_host};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::{Target, may_reach};
use crate::config::Network;
use crate::operator_file::OperatorFile;

/// The largest head of an answer, bytes.
const HEAD_BYTES: usize = 16 * 1024;
/// Addresses of one name that are tried.
const ADDRESSES: usize = 4;

/// A step of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// The name of the server has an address.
    Resolve,
    /// The address may be used.
    Address,
    /// The server takes the connection.
    Connect,
    /// TLS with a certificate that fits.
    Tls,
    /// The server reads the request and answers it.
    Answer,
}

impl Stage {
    /// Returns the name in metrics and messages.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Resolve => "resolve",
            Self::Address => "address",
            Self::Connect => "connect",
            Self::Tls => "tls",
            Self::Answer => "answer",
        }
    }
}

/// A request that was not answered. Up to [`Stage::Tls`] the server has seen nothing of it.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", stage.name())]
pub(crate) struct Failure {
    /// The step that failed.
    pub(crate) stage: Stage,
    /// Why.
    pub(crate) reason: String,
}

/// The head of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Answer {
    /// The status.
    pub(crate) status: StatusCode,
    /// The seconds after which the server wants to be asked again, if it says so in seconds.
    pub(crate) retry_after_s: Option<u32>,
}

/// The settings of requests cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CallerFault {
    /// The file with certificates cannot be read.
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

/// Sends requests.
#[derive(Clone)]
pub(crate) struct Caller {
    tls: TlsConnector,
    step: Duration,
    allowed: Vec<Network>,
}

impl std::fmt::Debug for Caller {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Caller")
            .field("step", &self.step)
            .field("allowed", &self.allowed)
            .finish_non_exhaustive()
    }
}

impl Caller {
    /// Returns a caller that gives each step so much time. `ca_file` has the certificates that vouch for servers; an empty
    /// path: those of the system do. Requests go to port 443 on the public Internet; with `allowed` networks, to these too,
    /// and to every port.
    ///
    /// # Errors
    /// When the certificates cannot be used.
    pub(crate) fn load(
        ca_file: &Path,
        step: Duration,
        allowed: &[Network],
    ) -> Result<Self, CallerFault> {
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(certificates(ca_file)?);
        let provider = Arc::new(ring::default_provider());
        let settings =
            ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
        let settings = settings.with_root_certificates(roots).with_no_client_auth();
        Ok(Self {
            tls: TlsConnector::from(Arc::new(settings)),
            step,
            allowed: allowed.to_vec(),
        })
    }

    /// Sends a POST request.
    ///
    /// # Errors
    /// The step that failed.
    pub(crate) async fn post(
        &self,
        target: &Target,
        headers: HeaderMap,
        body: Bytes,
    ) -> Result<Answer, Failure> {
        let addresses = self.addresses(target).await?;
        let stream = self.connect(&addresses).await?;
        let stream = self.protect(target, stream).await?;
        let request =
            request(target, headers, body).map_err(|error| failed(Stage::Address, &error))?;
        self.step(Stage::Answer, exchange(stream, request)).await
    }

    /// Returns the addresses of a server that may be used.
    async fn addresses(&self, target: &Target) -> Result<Vec<SocketAddr>, Failure> {
        if self.allowed.is_empty() && !target.has_usual_port() {
            return Err(failed(Stage::Address, &"only port 443 may be used"));
        }
        let host = target.host().trim_start_matches('[').trim_end_matches(']');
        let found = lookup_host((host, target.port()));
        let found: Vec<SocketAddr> = self.step(Stage::Resolve, found).await?.collect();
        let usable = found.iter().copied();
        let usable: Vec<SocketAddr> = usable
            .filter(|address| may_reach(address.ip(), &self.allowed))
            .take(ADDRESSES)
            .collect();
        match (usable.is_empty(), found.is_empty()) {
            (false, _) => Ok(usable),
            (true, true) => Err(failed(Stage::Resolve, &"the name has no address")),
            (true, false) => Err(failed(
                Stage::Address,
                &"the address is not on the public Internet",
            )),
        }
    }

    async fn connect(&self, addresses: &[SocketAddr]) -> Result<TcpStream, Failure> {
        let connect = async {
            let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
            for address in addresses {
                match TcpStream::connect(address).await {
                    Ok(stream) => return Ok(stream),
                    Err(error) => last = error,
                }
            }
            Err(last)
        };
        self.step(Stage::Connect, connect).await
    }

    async fn protect(
        &self,
        target: &Target,
        stream: TcpStream,
    ) -> Result<TlsStream<TcpStream>, Failure> {
        let host = target.host().trim_start_matches('[').trim_end_matches(']');
        let name = ServerName::try_from(host.to_owned());
        let name = name.map_err(|error| failed(Stage::Tls, &error))?;
        self.step(Stage::Tls, self.tls.connect(name, stream)).await
    }

    async fn step<T, E: std::fmt::Display>(
        &self,
        stage: Stage,
        doing: impl Future<Output = Result<T, E>>,
    ) -> Result<T, Failure> {
        match tokio::time::timeout(self.step, doing).await {
            Ok(done) => done.map_err(|error| failed(stage, &error)),
            Err(_) => Err(failed(stage, &"the server does not answer in time")),
        }
    }
}

/// Sends a request and reads the head of the answer. The connection ends with this.
async fn exchange(
    stream: TlsStream<TcpStream>,
    request: Request<Body>,
) -> Result<Answer, hyper::Error> {
    let mut settings = http1::Builder::new();
    settings.max_buf_size(HEAD_BYTES);
    let (mut sender, connection) = settings.handshake(TokioIo::new(stream)).await?;
    let asked = sender.send_request(request);
    tokio::pin!(connection, asked);
    let answer = tokio::select! {
        answer = &mut asked => answer?,
        // The end of the connection comes with the answer, or in its place.
        ended = &mut connection => {
            ended?;
            asked.await?
        }
    };
    let retry_after = answer.headers().get(RETRY_AFTER);
    let retry_after = retry_after.and_then(|value| value.to_str().ok());
    Ok(Answer {
        status: answer.status(),
        retry_after_s: retry_after.and_then(|text| text.trim().parse().ok()),
    })
}

fn request(
    target: &Target,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Request<Body>, axum::http::Error> {
    let authority = target.origin();
    let authority = authority.trim_start_matches("https://");
    let host = HeaderValue::from_str(authority)?;
    let length = HeaderValue::from(body.len());
    let mut request = Request::builder()
        .method(Method::POST)
        .uri(target.path())
        .body(Body::from(body))?;
    *request.headers_mut() = headers;
    request.headers_mut().insert(HOST, host);
    request.headers_mut().insert(CONTENT_LENGTH, length);
    Ok(request)
}

fn certificates(ca_file: &Path) -> Result<Vec<CertificateDer<'static>>, CallerFault> {
    if ca_file.as_os_str().is_empty() {
        return Ok(rustls_native_certs::load_native_certs().certs);
    }
    let path = ca_file.to_owned();
    let file = OperatorFile::read(ca_file);
    let file = file.map_err(|source| CallerFault::Read {
        path: path.clone(),
        source,
    })?;
    let found = CertificateDer::pem_slice_iter(&file.content);
    let found: Vec<_> = found.filter_map(Result::ok).collect();
    match found.is_empty() {
        false => Ok(found),
        true => Err(CallerFault::Certificates { path }),
    }
}

fn failed(stage: Stage, reason: &impl std::fmt::Display) -> Failure {
    Failure {
        stage,
        reason: reason.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: Duration = Duration::from_secs(5);

    /// A request to this address that fails, with its step.
    #[track_caller]
    fn check(allowed: &[&str], address: &str, expected: Stage) {
        let allowed: Vec<Network> = allowed.iter().map(|text| text.parse().unwrap()).collect();
        let caller = Caller::load(Path::new(""), STEP, &allowed).unwrap();
        let target: Target = address.parse().unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let answered = runtime.block_on(caller.post(&target, HeaderMap::new(), Bytes::new()));
        assert_eq!(answered.unwrap_err().stage, expected, "{address}");
    }

    #[test]
    fn own_networks_are_not_reached() {
        for address in [
            "https://127.0.0.1/",
            "https://[::1]/",
            "https://[::ffff:127.0.0.1]/",
            "https://169.254.169.254/latest",
            "https://10.0.0.1/",
            "https://localhost/",
            // A name server may read these as addresses.
            "https://0x7f.1/",
            "https://2130706433/",
        ] {
            check(&[], address, Stage::Address);
        }
        check(&[], "https://localhost:8443/", Stage::Address);
    }

    /// Port 1 of this machine has no server.
    #[test]
    fn a_setting_allows_them() {
        check(&["127.0.0.0/8"], "https://127.0.0.1:1/", Stage::Connect);
        check(&["10.0.0.0/8"], "https://127.0.0.1:1/", Stage::Address);
    }
}

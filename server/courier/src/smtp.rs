//! One conversation with the mail server, which hands over one letter. Each step has a time; all answers together have a size.

use std::fmt;
use std::future::Future;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{
    AsyncSmtpConnection, AsyncTokioStream, Certificate, CertificateStore, TlsParameters,
};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::ClientId;
use rustls::pki_types::{InvalidDnsNameError, ServerName};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use super::compose::Parcel;
use super::machine::Outcome;
use tilewire_base::operator_file::{Exposed, OperatorFile, Readers};
use tilewire_config::{MailConfig, MailSecurity};
use tilewire_egress as egress;
use tilewire_egress::{Bounded, TrustFault};

/// The bytes that the mail server may say in one conversation, with TLS and its certificates.
const ANSWERS_BYTES: usize = 256 * 1024;

/// A step of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The name of the mail server has an address, and it takes the connection.
    Connect,
    /// TLS from the start of the connection.
    Tls,
    /// The mail server greets, and answers the greeting.
    Greeting,
    /// The connection becomes TLS.
    Starttls,
    /// The mail server takes the name and the password.
    Auth,
    /// It takes the sender.
    Sender,
    /// It takes the reader.
    Recipient,
    /// It is ready for the letter.
    Data,
    /// It takes the letter.
    Letter,
}

impl Stage {
    /// Returns the name in metrics and messages.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Connect => "connect",
            Self::Tls => "tls",
            Self::Greeting => "greeting",
            Self::Starttls => "starttls",
            Self::Auth => "auth",
            Self::Sender => "sender",
            Self::Recipient => "recipient",
            Self::Data => "data",
            Self::Letter => "letter",
        }
    }
}

/// Why a letter was not handed over.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", stage.name())]
pub struct Failure {
    /// The step that failed.
    pub stage: Stage,
    /// The error text of the mail server or the network.
    pub reason: String,
    /// The consequence for the letter.
    pub outcome: Outcome,
}

impl Failure {
    /// The failure of a step that the mail server refused, or that the network did not carry.
    fn of(stage: Stage, error: &Error) -> Self {
        let outcome = match stage {
            Stage::Recipient | Stage::Data | Stage::Letter => {
                match (error.is_permanent(), error.status().is_some(), stage) {
                    (true, ..) => Outcome::Refused,
                    (false, true, _) => Outcome::Later,
                    // The letter is on its way, and nothing says whether the mail server has it.
                    (false, false, Stage::Letter) => Outcome::Unknown,
                    (false, false, _) => Outcome::Unreachable,
                }
            }
            _ => Outcome::Unreachable,
        };
        Self {
            stage,
            reason: tilewire_protocol::causes(error),
            outcome,
        }
    }

    /// The failure of a step that took too long.
    fn late(stage: Stage) -> Self {
        let outcome = match stage {
            Stage::Letter => Outcome::Unknown,
            _ => Outcome::Unreachable,
        };
        Self {
            stage,
            reason: "the mail server does not answer in time".to_owned(),
            outcome,
        }
    }

    fn unreachable(stage: Stage, error: &impl fmt::Display) -> Self {
        Self {
            stage,
            reason: error.to_string(),
            outcome: Outcome::Unreachable,
        }
    }
}

/// The settings of the mail server cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum MailFault {
    /// The password cannot be read.
    #[error("mail.password_file: cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Other users can read the password.
    #[error("mail.password_file: cannot use {}: {reason}", path.display())]
    Exposed {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: Exposed,
    },
    /// The password is not one line of text.
    #[error("mail.password_file: {} has no line of text", path.display())]
    Password {
        /// The file.
        path: PathBuf,
    },
    /// The certificates cannot be used.
    #[error("mail.ca_file: {0}")]
    Trust(#[from] TrustFault),
    /// The name of the mail server has no form that a certificate could have.
    #[error("mail.server: {0}")]
    Name(#[from] InvalidDnsNameError),
    /// The protection cannot be set up.
    #[error("mail.security: {0}")]
    Tls(String),
    /// The sender is no address.
    #[error("mail.from: {0}")]
    From(#[from] lettre::address::AddressError),
}

/// Hands letters to a mail server.
pub trait Carrier: fmt::Debug + Send + Sync {
    /// Hands over one letter.
    ///
    /// # Errors
    /// Returns the consequence for the letter.
    fn carry<'a>(&'a self, parcel: &'a Parcel) -> BoxFuture<'a, Result<(), Failure>>;

    /// Looks whether the mail server answers.
    ///
    /// # Errors
    /// The step that failed.
    fn look(&self) -> BoxFuture<'_, Result<(), Failure>> {
        async { Ok(()) }.boxed()
    }
}

impl Carrier for Post {
    fn carry<'a>(&'a self, parcel: &'a Parcel) -> BoxFuture<'a, Result<(), Failure>> {
        self.send(parcel).boxed()
    }

    fn look(&self) -> BoxFuture<'_, Result<(), Failure>> {
        async {
            let connection = self.connect().await?;
            self.leave(connection).await;
            Ok(())
        }
        .boxed()
    }
}

/// The mail server and how it is spoken to.
#[derive(Clone)]
pub(crate) struct Post {
    server: String,
    port: u16,
    step: Duration,
    hello: ClientId,
    protection: Protection,
    credentials: Option<Credentials>,
}

#[derive(Clone)]
enum Protection {
    None,
    Starttls(TlsParameters),
    Tls(TlsConnector, ServerName<'static>),
}

impl fmt::Debug for Post {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the password.
        f.debug_struct("Post")
            .field("server", &self.server)
            .field("port", &self.port)
            .finish_non_exhaustive()
    }
}

impl Post {
    /// Reads what the settings name: the password and the certificates.
    ///
    /// # Errors
    /// Names the setting that cannot be used.
    pub(crate) fn load(config: &MailConfig, domain: &str) -> Result<Self, MailFault> {
        let protection = match config.security {
            MailSecurity::None => Protection::None,
            MailSecurity::Starttls => Protection::Starttls(parameters(config)?),
            MailSecurity::Tls => {
                let name = ServerName::try_from(config.server.clone())?;
                Protection::Tls(egress::connector(&config.ca_file)?, name)
            }
        };
        Ok(Self {
            server: config.server.clone(),
            port: config.port(),
            step: config.step_ms.to_duration(),
            hello: ClientId::Domain(domain.to_owned()),
            protection,
            credentials: credentials(config)?,
        })
    }

    /// Hands a letter over.
    ///
    /// # Errors
    /// The step that failed, and what that means for the letter.
    pub(crate) async fn send(&self, parcel: &Parcel) -> Result<(), Failure> {
        let mut connection = self.connect().await?;
        if let Some(credentials) = &self.credentials {
            let login = connection.auth(DEFAULT_MECHANISMS, credentials);
            self.step(Stage::Auth, login).await?;
        }
        let (from, to) = (parcel.from.clone(), parcel.to.clone());
        let sender = connection.command(Mail::new(Some(from), Vec::new()));
        self.step(Stage::Sender, sender).await?;
        let recipient = connection.command(Rcpt::new(to, Vec::new()));
        self.step(Stage::Recipient, recipient).await?;
        self.step(Stage::Data, connection.command(Data)).await?;
        let letter = connection.message(&parcel.bytes);
        self.step(Stage::Letter, letter).await?;
        self.leave(connection).await;
        Ok(())
    }

    /// Says goodbye. Whether the mail server does so too does not matter.
    async fn leave(&self, mut connection: AsyncSmtpConnection) {
        tokio::time::timeout(self.step, connection.quit())
            .await
            .ok();
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, Failure> {
        let address = (self.server.as_str(), self.port);
        let connected = tokio::time::timeout(self.step, TcpStream::connect(address)).await;
        let connected = connected.map_err(|_| Failure::late(Stage::Connect))?;
        let stream = connected.map_err(|error| Failure::unreachable(Stage::Connect, &error))?;
        let peer = stream.peer_addr();
        let peer = peer.map_err(|error| Failure::unreachable(Stage::Connect, &error))?;
        let stream: Box<dyn AsyncTokioStream> = match &self.protection {
            Protection::None | Protection::Starttls(_) => {
                Box::new(Bounded::new(stream, peer, ANSWERS_BYTES))
            }
            Protection::Tls(connector, name) => {
                let bounded = Bounded::new(stream, peer, ANSWERS_BYTES);
                let handshake = connector.connect(name.clone(), bounded);
                let handshake = tokio::time::timeout(self.step, handshake).await;
                let stream = handshake.map_err(|_| Failure::late(Stage::Tls))?;
                let stream = stream.map_err(|error| Failure::unreachable(Stage::Tls, &error))?;
                Box::new(Bounded::new(stream, peer, ANSWERS_BYTES))
            }
        };
        let greeting = AsyncSmtpConnection::connect_with_transport(stream, &self.hello);
        let mut connection = self.step(Stage::Greeting, greeting).await?;
        if let Protection::Starttls(parameters) = &self.protection {
            let upgrade = connection.starttls(parameters.clone(), &self.hello);
            self.step(Stage::Starttls, upgrade).await?;
        }
        Ok(connection)
    }

    async fn step<T>(
        &self,
        stage: Stage,
        doing: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Failure> {
        match tokio::time::timeout(self.step, doing).await {
            Ok(done) => done.map_err(|error| Failure::of(stage, &error)),
            Err(_) => Err(Failure::late(stage)),
        }
    }
}

fn credentials(config: &MailConfig) -> Result<Option<Credentials>, MailFault> {
    if config.user.is_empty() {
        return Ok(None);
    }
    let path = &config.password_file;
    let file = OperatorFile::read(path).map_err(|source| MailFault::Read {
        path: path.clone(),
        source,
    })?;
    let exposed = file.refuse_exposed(Readers::Group);
    exposed.map_err(|reason| MailFault::Exposed {
        path: path.clone(),
        reason,
    })?;
    let text = String::from_utf8(file.content).unwrap_or_default();
    match text.lines().next().map(str::trim_end) {
        Some(password) if !password.is_empty() => Ok(Some(Credentials::new(
            config.user.clone(),
            password.to_owned(),
        ))),
        _ => Err(MailFault::Password { path: path.clone() }),
    }
}

fn parameters(config: &MailConfig) -> Result<TlsParameters, MailFault> {
    let mut builder = TlsParameters::builder(config.server.clone());
    if let Some(certificates) = egress::own_roots(&config.ca_file)? {
        builder = builder.certificate_store(CertificateStore::None);
        for certificate in certificates {
            let root = Certificate::from_der(certificate.to_vec());
            builder = builder.add_root_certificate(root.map_err(|error| tls(&error))?);
        }
    }
    builder.build_rustls().map_err(|error| tls(&error))
}

fn tls(error: &impl fmt::Display) -> MailFault {
    MailFault::Tls(error.to_string())
}

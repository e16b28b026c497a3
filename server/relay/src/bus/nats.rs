//! The bus over NATS: each node subscribes to one subject of its own.
//!
//! A node also publishes to itself, again and again. When nothing of it comes back, NATS does not reach the node, or the node does
//! not reach NATS, whatever the other nodes do.
//!
//! The links are encrypted: a server that is not on this machine must speak TLS with a certificate that is verified, by the library
//! of the players' listener. NATS authenticates the node by its user and password. Beyond that, each batch has a seal
//! ([`crate::Sealer`]).

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_nats::{Client, ConnectErrorKind, ConnectOptions, ServerAddr, Subscriber};
use bytes::Bytes;
use futures::StreamExt;
use tokio::sync::{Notify, mpsc, watch};
use tokio::time::{MissedTickBehavior, interval, timeout};
use tokio_util::task::AbortOnDropHandle;

use super::{Bus, Inbox};
use tilewire_base::operator_file::{OperatorFile, Readers};
use tilewire_config::nats;
use tilewire_config::{ClusterConfig, DatabaseUrl};
use tilewire_egress::tls_client;
use tilewire_store::NodeId;

/// Time for a connection.
const CONNECT: Duration = Duration::from_secs(5);
/// Interval at which a node asks the server whether it is there; after two silent ones it connects anew.
const PING: Duration = Duration::from_secs(10);
/// Interval at which a node publishes to itself.
const ECHO_EVERY: Duration = Duration::from_millis(250);
/// Batches that wait to be published or read; beyond, they are lost.
const WAITING: usize = 4_096;

/// The name of a cluster that has none in its settings.
const MAIN: &str = "main";

impl From<&ClusterConfig> for NatsConfig {
    fn from(config: &ClusterConfig) -> Self {
        let name = config.nats_name.as_str();
        Self {
            cluster: if name.is_empty() { MAIN } else { name }.to_owned(),
            urls: vec![config.nats_url.clone()],
            password_file: config.nats_credentials_file.clone(),
            ca_file: config.nats_ca_file.clone(),
            connect: CONNECT,
            silence: config.lease_ms.to_duration(),
        }
    }
}

/// How to reach the NATS servers of a cluster.
#[derive(Debug, Clone)]
pub struct NatsConfig {
    /// The name of the cluster: clusters that share NATS servers have different ones.
    pub cluster: String,
    /// The URLs of the servers: `tls://user@host:port` or `nats://user@host:port`.
    pub urls: Vec<DatabaseUrl>,
    /// The file whose first line is the password; empty: the URL has it, or there is none.
    pub password_file: PathBuf,
    /// The file with the certificates of the authorities that are trusted; empty: those of the system.
    pub ca_file: PathBuf,
    /// The time for a connection.
    pub connect: Duration,
    /// The time without an echo after which the bus does not reach the node.
    pub silence: Duration,
}

/// Why the bus cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum NatsError {
    /// A setting is wrong. The text never has a password.
    #[error("{0}")]
    Settings(String),
    /// No server took the connection.
    #[error("cannot connect to NATS: {0}")]
    Connect(#[from] async_nats::ConnectError),
    /// The server refused the subscription.
    #[error("cannot subscribe at NATS: {0}")]
    Subscribe(String),
}

impl NatsError {
    /// Says whether NATS cannot serve now and may do so later, without a change of settings.
    #[must_use]
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Settings(_) => false,
            Self::Connect(error) => !matches!(
                error.kind(),
                ConnectErrorKind::ServerParse
                    | ConnectErrorKind::Authentication
                    | ConnectErrorKind::AuthorizationViolation
                    | ConnectErrorKind::Tls
            ),
            Self::Subscribe(_) => true,
        }
    }
}

/// Returns the setting of a cluster that cannot be used. It asks no server.
#[must_use]
pub fn problem(cluster: &ClusterConfig) -> Option<String> {
    let config = NatsConfig::from(cluster);
    let node = NodeId(cluster.node);
    let made = cluster
        .relays()
        .then(|| servers(&config).and_then(|servers| options(&config, &servers, node)))?;
    made.err().map(|error| error.to_string())
}

/// One node's end of a bus over NATS.
#[derive(Debug)]
pub struct NatsBus {
    outgoing: mpsc::Sender<(NodeId, Bytes)>,
    is_reached: watch::Receiver<bool>,
    /// The tasks that publish, read, and listen for the echo.
    _tasks: [AbortOnDropHandle<()>; 4],
}

impl NatsBus {
    /// Connects a node, and subscribes to its subject. After that, lost connections are made anew for ever.
    ///
    /// # Errors
    /// When a setting is wrong, or no server takes the connection.
    pub async fn connect(config: &NatsConfig, node: NodeId) -> Result<(Self, Inbox), NatsError> {
        let servers = servers(config)?;
        let client = options(config, &servers, node)?.connect(servers).await?;
        let refused = |error: &dyn std::fmt::Display| NatsError::Subscribe(error.to_string());
        let (subject, own) = (
            subject(&config.cluster, node),
            echo_subject(&config.cluster, node),
        );
        let subscribed = client.subscribe(subject).await;
        let mut batches = subscribed.map_err(|error| refused(&error))?;
        let subscribed = client.subscribe(own.clone()).await;
        let mut echoes = subscribed.map_err(|error| refused(&error))?;
        let published = client.publish(own.clone(), Bytes::new()).await;
        published.map_err(|error| refused(&error))?;
        client.flush().await.map_err(|error| refused(&error))?;
        // The server reads in order: when this comes back, it has both subscriptions.
        if !matches!(timeout(config.connect, echoes.next()).await, Ok(Some(_))) {
            return Err(NatsError::Subscribe("no echo came back".to_owned()));
        }
        let (outgoing, waiting) = mpsc::channel(WAITING);
        let (incoming, inbox) = mpsc::channel(WAITING);
        let (reached, is_reached) = watch::channel(true);
        let echo = Arc::<Notify>::default();
        let listener = tokio::spawn(hear(echoes, Arc::clone(&echo)));
        let caller = tokio::spawn(call(client.clone(), own, echo, config.silence, reached));
        let publisher = tokio::spawn(publish_all(client, config.cluster.clone(), waiting));
        let reader = tokio::spawn(async move {
            while let Some(message) = batches.next().await {
                if incoming.send(message.payload).await.is_err() {
                    return;
                }
            }
        });
        let bus = Self {
            outgoing,
            is_reached,
            _tasks: [publisher, reader, listener, caller].map(AbortOnDropHandle::new),
        };
        Ok((bus, inbox))
    }

    /// Returns whether what this node publishes comes back to it, and every change of that.
    #[must_use]
    pub fn is_reached(&self) -> watch::Receiver<bool> {
        self.is_reached.clone()
    }
}

impl Bus for NatsBus {
    fn publish(&self, to: NodeId, batch: Bytes) {
        // A full queue loses the batch; the receiver finds it missing.
        self.outgoing.try_send((to, batch)).ok();
    }
}

/// Publishes batches in order.
async fn publish_all(
    client: Client,
    cluster: String,
    mut waiting: mpsc::Receiver<(NodeId, Bytes)>,
) {
    while let Some((to, batch)) = waiting.recv().await {
        if let Err(error) = client.publish(subject(&cluster, to), batch).await {
            tracing::warn!(node = to.0, %error, "a batch could not be published");
        }
    }
}

/// Notes each echo.
async fn hear(mut echoes: Subscriber, echo: Arc<Notify>) {
    while echoes.next().await.is_some() {
        echo.notify_one();
    }
}

/// Publishes to the own subject, and says whether that comes back.
async fn call(
    client: Client,
    own: String,
    echo: Arc<Notify>,
    silence: Duration,
    reached: watch::Sender<bool>,
) {
    let mut ticks = interval(ECHO_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let calling = async {
            loop {
                tokio::select! {
                    () = echo.notified() => return,
                    _ = ticks.tick() => {
                        // One that is not published does not come back.
                        client.publish(own.clone(), Bytes::new()).await.ok();
                    }
                }
            }
        };
        let is_heard = timeout(silence, calling).await.is_ok();
        reached.send_if_modified(|known| std::mem::replace(known, is_heard) != is_heard);
    }
}

fn echo_subject(cluster: &str, node: NodeId) -> String {
    format!("tilewire.{cluster}.echo.{}", node.0)
}

fn subject(cluster: &str, node: NodeId) -> String {
    format!("tilewire.{cluster}.node.{}", node.0)
}

/// Reads the URLs.
fn servers(config: &NatsConfig) -> Result<Vec<ServerAddr>, NatsError> {
    let refused = |text: &str| NatsError::Settings(text.to_owned());
    nats::check_name(&config.cluster).map_err(refused)?;
    if config.urls.is_empty() {
        return Err(refused("no NATS server is named"));
    }
    let servers = config.urls.iter();
    let servers = servers.map(|url| nats::address(url.expose()).map_err(refused));
    servers.collect()
}

fn options(
    config: &NatsConfig,
    servers: &[ServerAddr],
    node: NodeId,
) -> Result<ConnectOptions, NatsError> {
    let needs_tls = servers.iter().any(|server| {
        let address: Option<IpAddr> = server.host().parse().ok();
        let is_local = address.is_some_and(|address| address.is_loopback());
        !(is_local || server.host() == "localhost")
    });
    let trusted = tls_client(&config.ca_file);
    let trusted =
        trusted.map_err(|fault| NatsError::Settings(format!("cluster.nats_ca_file: {fault}")))?;
    let mut options = ConnectOptions::new()
        .name(format!("tilewire node {}", node.0))
        .connection_timeout(config.connect)
        .ping_interval(PING)
        .subscription_capacity(WAITING)
        .client_capacity(WAITING)
        .tls_client_config(trusted)
        .require_tls(needs_tls);
    let user = servers.iter().find_map(ServerAddr::username);
    let in_url = servers.iter().find_map(ServerAddr::password);
    let in_file = password(&config.password_file)?;
    match (user, in_file.or_else(|| in_url.map(str::to_owned))) {
        (Some(user), Some(password)) => {
            options = options.user_and_password(user.to_owned(), password);
        }
        (None, Some(_)) => {
            let text = "a password needs a user in the URL of NATS";
            return Err(NatsError::Settings(text.to_owned()));
        }
        (_, None) => {}
    }
    Ok(options)
}

/// Returns the first line of the file with the password; `None` without a file.
fn password(file: &Path) -> Result<Option<String>, NatsError> {
    if file.as_os_str().is_empty() {
        return Ok(None);
    }
    let refused = |why: String| {
        let file = file.display();
        NatsError::Settings(format!("cluster.nats_credentials_file: {file}: {why}"))
    };
    let read = OperatorFile::read(file).map_err(|error| refused(error.to_string()))?;
    read.refuse_exposed(Readers::Group)
        .map_err(|error| refused(error.to_string()))?;
    let text = String::from_utf8_lossy(&read.content);
    if text.contains("-----BEGIN ") {
        let why = "it has keys of NATS; this server takes the password of a user";
        return Err(refused(why.to_owned()));
    }
    match text.lines().next().map(str::trim) {
        Some(line) if !line.is_empty() => Ok(Some(line.to_owned())),
        _ => Err(refused("it has no line of text".to_owned())),
    }
}

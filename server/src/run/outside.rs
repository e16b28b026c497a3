//! The things outside the process that a start reaches, in this order: the data directory, NATS, the database. A server joins the
//! others last, when nothing else can keep it from serving its share.

use anyhow::Context;

use super::membership::{self, Opened};
use tilewire_base::clock::ServerClock;
use tilewire_base::ids::Ids;
use tilewire_base::slow_work::SlowWork;
use tilewire_config::Config;
use tilewire_control::admin_token::AdminToken;
use tilewire_relay::bus::{Inbox, NatsBus, NatsConfig};
use tilewire_store::NodeId;

/// The things outside, as the settings name them.
pub(super) struct Outside {
    config: Config,
    /// The lexica and rule sets of this server.
    offers: Vec<String>,
    /// The bus of an attempt that got no further. It keeps its connection by itself.
    bus: Option<(NatsBus, Inbox)>,
}

/// The things outside, reached.
pub(super) struct Reached {
    /// The token that operations require.
    pub(super) token: AdminToken,
    /// The bus, for a server among several that relay.
    pub(super) bus: Option<(NatsBus, Inbox)>,
    pub(super) opened: Opened,
}

impl Outside {
    pub(super) fn new(config: &Config, offers: Vec<String>) -> Self {
        Self {
            config: config.clone(),
            offers,
            bus: None,
        }
    }

    /// Attempts to reach everything.
    ///
    /// # Errors
    /// Names the first thing that cannot be reached.
    pub(super) async fn reach(&mut self) -> anyhow::Result<Reached> {
        let config = self.config.clone();
        let token = SlowWork::OnThread.run(move || prepare(&config)).await??;
        let cluster = &self.config.cluster;
        if cluster.relays() && self.bus.is_none() {
            let connected =
                NatsBus::connect(&NatsConfig::from(cluster), NodeId(cluster.node)).await;
            self.bus = Some(connected.context("cluster.nats_url")?);
        }
        let (config, offers) = (self.config.clone(), self.offers.clone());
        let open = move || membership::open(&config, ServerClock::system(), &offers);
        let opened = SlowWork::OnThread.run(open).await??;
        Ok(Reached {
            token,
            bus: self.bus.take(),
            opened,
        })
    }
}

/// Makes the data directory and the token in it, unless they are there.
fn prepare(config: &Config) -> anyhow::Result<AdminToken> {
    tilewire_databases::make_data_dir(&config.data_dir)?;
    Ok(AdminToken::required(config, &Ids::system())?)
}

//! Everything that a server has before its services are made: the open storage, its clock, and its place among others.

use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::sync::watch;

use super::membership;
use super::outside::Reached;
use super::relaying::Ends;
use crate::app::Parts;
use tilewire_accounts::identity::{Site, Tokens};
use tilewire_base::clock::ServerClock;
use tilewire_base::ids::Ids;
use tilewire_base::slow_work::SlowWork;
use tilewire_cluster::Member;
use tilewire_config::Config;
use tilewire_delivery::outbound::Registry;
use tilewire_gateway::admin::{Access, Announce, Notices, Trouble};
use tilewire_operate::clock_check;
use tilewire_relay::bus::{Inbox, NatsBus};
use tilewire_results::chronicle::RatingCache;
use tilewire_store::{Credentials, Liveness, Storage, StoreError};

/// Everything that a server has before its services are made.
pub(super) struct Foundation {
    pub(super) clock: ServerClock,
    pub(super) storage: Arc<dyn Storage>,
    /// The stored times of the server before this one.
    pub(super) liveness: Liveness,
    pub(super) credentials: Credentials,
    /// The server's place among others, if there are any.
    pub(super) member: Option<Member>,
    /// The ends of the relay and its bus, for a server among several that relay.
    pub(super) relay: Option<(Ends, (NatsBus, Inbox))>,
    is_bus_there: Option<watch::Receiver<bool>>,
    registry: Arc<Registry>,
}

/// The parts that a server has before it reaches anything outside.
pub(super) struct Wiring {
    /// The ends of the relay, for a server among several that relay.
    ends: Option<Ends>,
    registry: Arc<Registry>,
}

impl Wiring {
    pub(super) fn of(config: &Config) -> Self {
        let ends = Ends::of(config);
        let registry = match &ends {
            Some(ends) => Registry::among(Arc::new(ends.relay.clone())),
            None => Registry::default(),
        };
        Self {
            ends,
            registry: Arc::new(registry),
        }
    }

    /// Returns the sender of the operator's notices.
    pub(super) fn notices(&self, config: &Config) -> Arc<Notices> {
        let registry = Arc::clone(&self.registry);
        let announce: Announce = Arc::new(move |notice| registry.notice(&notice.into()));
        let per_minute = config.limits.notices_per_minute;
        Arc::new(Notices::new(announce, per_minute, ServerClock::system()))
    }
}

impl Foundation {
    /// Begins with a storage that is open, as one among the other servers if there are any.
    pub(super) async fn lay(
        config: &Config,
        wiring: Wiring,
        reached: Reached,
        access: &Access,
    ) -> anyhow::Result<Self> {
        let Reached { token, bus, opened } = reached;
        access.operations.set(token).ok(); // a start sets it once
        let storage = Arc::clone(&opened.storage);
        let (clock, liveness) = accept_clock(config, opened.clock.clone(), &storage).await?;
        let member = opened.member(config, &clock)?;
        let credentials = storage.credentials().await?;
        Ok(Self {
            clock,
            storage,
            liveness,
            credentials,
            member,
            is_bus_there: bus.as_ref().map(|(bus, _)| bus.is_reached()),
            relay: wiring.ends.zip(bus),
            registry: wiring.registry,
        })
    }

    /// Returns the check of what the server needs while it runs.
    pub(super) fn trouble(&self) -> Trouble {
        let storage = Arc::clone(&self.storage);
        let owners = self.member.as_ref().map(Member::owners).cloned();
        let is_bus_there = self.is_bus_there.clone();
        Box::new(move || {
            let is_cut_off = owners.as_ref().is_some_and(|owners| owners.is_cut_off());
            if is_cut_off {
                let is_bus_there = is_bus_there
                    .as_ref()
                    .is_none_or(|is_there| *is_there.borrow());
                let silent = if is_bus_there { "the database" } else { "NATS" };
                return Some(format!(
                    "waiting for {silent}, which does not answer: other servers play the games"
                ));
            }
            let trouble = storage.trouble()?;
            Some(format!("the storage does not take writes: {trouble}"))
        })
    }

    /// Reads the stored ratings.
    pub(super) async fn ratings(&self) -> Result<Arc<RatingCache>, StoreError> {
        let ratings = RatingCache::filled(self.clock.clone(), &*self.storage).await?;
        Ok(Arc::new(ratings))
    }

    /// Returns the parts of a server that sends no letters and no pushes, and whose settings cannot be read again.
    pub(super) fn parts(
        &self,
        config: &Config,
        ratings: &Arc<RatingCache>,
        site: Option<Site>,
    ) -> Parts {
        let tokens = Tokens::new(&self.credentials.keys, &config.identity).with_site(site);
        tokens.replace(&self.credentials);
        let member = self.member.as_ref();
        Parts {
            config: config.clone(),
            loaded_from: None,
            clock: self.clock.clone(),
            storage: Arc::clone(&self.storage),
            ratings: Arc::clone(ratings) as _,
            letters: None,
            pushes: None,
            tokens,
            ids: Ids::system(),
            registry: Arc::clone(&self.registry),
            // Among several servers, each shard knows since when it stands still.
            last_stamp: self.liveness.stamp.filter(|_| member.is_none()),
            handshake_runtime: Handle::current(),
            slow_work: SlowWork::OnThread,
            cluster: member
                .map(|own| membership::share(own, self.relay.as_ref().map(|(ends, _)| ends))),
        }
    }
}

/// Returns the server's clock, and what is stored of the clock before it.
async fn accept_clock(
    config: &Config,
    clock: ServerClock,
    storage: &Arc<dyn Storage>,
) -> anyhow::Result<(ServerClock, Liveness)> {
    let stored = storage.liveness().await?;
    let accepted = clock_check::check(clock.now(), stored, config.recovery.clock)?;
    let jumped_at = accepted.jumped_at;
    if let Some(at) = jumped_at.filter(|_| jumped_at != stored.jumped_at) {
        let to = tilewire_base::clock::time_text(at);
        tracing::warn!(
            to,
            "the machine's clock has jumped; nothing is deleted for its age until tomorrow"
        );
        storage.jumped(at).await?;
    }
    let liveness = Liveness {
        jumped_at,
        ..stored
    };
    Ok((clock.not_before(accepted.earliest), liveness))
}

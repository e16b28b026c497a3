//! Everything that a server has before its services are made: the open storage, its clock, and its place among others.

use std::sync::Arc;

use metrics_exporter_prometheus::PrometheusHandle;
use tokio::runtime::Handle;

use super::membership;
use super::relaying::Ends;
use crate::app::Parts;
use tilewire_accounts::identity::{Site, Tokens};
use tilewire_base::clock::ServerClock;
use tilewire_base::ids::Ids;
use tilewire_base::slow_work::SlowWork;
use tilewire_cluster::Member;
use tilewire_config::Config;
use tilewire_delivery::outbound::Registry;
use tilewire_gateway::admin::{Access, Admin, Announce, Notices, Readiness};
use tilewire_operate::clock_check;
use tilewire_results::chronicle::RatingCache;
use tilewire_store::{Credentials, Liveness, Storage, StoreError};
use tilewire_wire::catalogue::Catalogue;

/// Everything that a server has before its services are made.
pub(super) struct Foundation {
    pub(super) clock: ServerClock,
    pub(super) storage: Arc<dyn Storage>,
    /// The stored times of the server before this one.
    pub(super) liveness: Liveness,
    pub(super) credentials: Credentials,
    /// The server's place among others, if there are any.
    pub(super) member: Option<Member>,
    /// The ends of the relay, for a server among several that relay.
    pub(super) ends: Option<Ends>,
    registry: Arc<Registry>,
}

impl Foundation {
    /// Opens the storage, and joins the other servers if there are any.
    pub(super) async fn lay(config: &Config, catalogue: &Catalogue) -> anyhow::Result<Self> {
        let opened = membership::open(config, ServerClock::system(), catalogue)?;
        let storage = Arc::clone(&opened.storage);
        let (clock, liveness) = accept_clock(config, opened.clock.clone(), &storage).await?;
        let member = opened.member(config, &clock)?;
        let credentials = storage.credentials().await?;
        let ends = Ends::of(member.as_ref(), config);
        let registry = match &ends {
            Some(ends) => Registry::among(Arc::new(ends.relay.clone())),
            None => Registry::default(),
        };
        Ok(Self {
            clock,
            storage,
            liveness,
            credentials,
            member,
            ends,
            registry: Arc::new(registry),
        })
    }

    /// Returns the operator's listener.
    pub(super) fn admin(
        &self,
        config: &Config,
        readiness: &Arc<Readiness>,
        metrics: PrometheusHandle,
        access: Access,
    ) -> Admin {
        let (storage, registry) = (Arc::clone(&self.storage), Arc::clone(&self.registry));
        let owners = self.member.as_ref().map(Member::owners).cloned();
        let announce: Announce = Arc::new(move |notice| registry.notice(&notice.into()));
        let per_minute = config.limits.notices_per_minute;
        Admin {
            readiness: Arc::clone(readiness),
            trouble: Arc::new(move || match &owners {
                Some(owners) if owners.is_cut_off() => Some(
                    "the database or NATS does not answer: the games are other servers'".to_owned(),
                ),
                _ => storage.trouble(),
            }),
            metrics,
            notices: Arc::new(Notices::new(announce, per_minute, self.clock.clone())),
            access,
        }
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
            cluster: member.map(|own| membership::share(own, self.ends.as_ref())),
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

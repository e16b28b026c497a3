//! The clients of other nodes: each channel has a task that serves its requests one after the other, as a connection does. Requests
//! over HTTP that other nodes pass on are answered here too.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use tilewire_protocol::{CloseCode, Codec, GameId, decode_client};
use tokio::sync::mpsc;

use super::served::Served;
use super::services::Services;
use tilewire_api as api;
use tilewire_base::address::ClientAddress;
use tilewire_delivery::outbound::{ConnectionEnd, Peer, Remote};
use tilewire_delivery::session::Ledger;
use tilewire_relay::asks::message::{HttpAnswer, HttpRequest};
use tilewire_relay::channel::{ChannelEnd, Waiting};
use tilewire_relay::message::{Client, End};
use tilewire_relay::owner;
use tilewire_relay::owner::Key;
use tilewire_relay::{RemoteClient, RemoteService};

/// Requests of a channel that may wait: more than a client may have open. A gateway that sends more does not keep the limits.
const REQUESTS_WAITING: usize = 1_024;

/// Serves the clients of other nodes.
#[derive(Debug)]
pub struct RemoteClients(pub Arc<Services>);

/// A client of another node.
#[derive(Debug)]
struct RemoteConnection {
    services: Arc<Services>,
    peer: Peer,
    end: Arc<ChannelEnd>,
    requests: mpsc::Sender<owner::Served>,
}

impl RemoteService for RemoteClients {
    fn begin(&self, key: Key, client: &Client, waiting: Arc<Waiting>) -> Box<dyn RemoteClient> {
        let services = Arc::clone(&self.0);
        let max_bytes = services.config.limits.outbox_bytes;
        let end = Arc::new(ChannelEnd::new(key, client.codec(), waiting, max_bytes));
        // The gateway keeps the limits.
        let ledger = Arc::new(Ledger::new(usize::MAX, usize::MAX));
        let address = client.address.map(ClientAddress::from);
        let peer = Peer::remote(
            services.registry.next_id(),
            (client.identity.clone(), address),
            client.codec(),
            Arc::<ChannelEnd>::clone(&end) as Arc<dyn Remote>,
            Arc::clone(&ledger),
        );
        let pass = client.pass();
        peer.admit(
            pass.clone(),
            Arc::clone(services.people.wrong_entries()),
            None,
        );
        if let Err(error) = services.accounts.check(&pass) {
            peer.revoke(&error);
        }
        let (requests, waiting) = mpsc::channel(REQUESTS_WAITING);
        let served = Served::new(Arc::clone(&services), peer.clone(), ledger);
        let serving = serve(served, Arc::clone(&end), waiting);
        services.main_runtime.spawn(serving);
        // The gateway may have changed the name.
        services.accounts.forget_name(&client.identity);
        Box::new(RemoteConnection {
            services,
            peer,
            end,
            requests,
        })
    }

    fn left(&self, peer: &Peer, game: &GameId) {
        self.0.chat.left(peer, game);
    }

    fn answer(&self, request: HttpRequest) -> BoxFuture<'static, HttpAnswer> {
        let services = Arc::clone(&self.0);
        async move {
            // A request that was passed on is not passed on again.
            let (players, admins) = (services.for_players(None), services.for_admins(None));
            api::answer_passed(players, admins, request).await
        }
        .boxed()
    }
}

impl RemoteClient for RemoteConnection {
    fn peer(&self) -> &Peer {
        &self.peer
    }

    fn ask(&self, request: owner::Served) {
        if self.requests.try_send(request).is_err() {
            self.peer
                .close(CloseCode::GoingAway, "too many requests wait");
        }
    }

    fn present(&self) {
        let most = self.services.settings.now().limits.connections_per_identity;
        if self.services.registry.insert(&self.peer, most).is_err() {
            let reason = "the identity has too many connections";
            self.peer.close(CloseCode::TooManyConnections, reason);
        }
    }

    fn absent(&self, end: End) {
        let end = match end {
            End::Closed => ConnectionEnd::Closed,
            End::Lost => ConnectionEnd::Lost,
        };
        self.services.registry.remove(&self.peer, end);
    }

    fn end(self: Box<Self>, end: End) {
        self.end.end();
        self.absent(end);
    }
}

/// Serves the requests of a channel until it ends.
async fn serve(
    mut served: Served,
    end: Arc<ChannelEnd>,
    mut requests: mpsc::Receiver<owner::Served>,
) {
    while let Some(request) = requests.recv().await {
        let Ok((request_id, message)) = decode_client(Codec::MsgPack, &request.message) else {
            end.cannot_read(request.relay_id);
            continue;
        };
        end.open(request.relay_id, request_id);
        served.open_again(request.relay_id, &message, request.lag_ms);
        served.is_attached = request.is_attached;
        served
            .serve(request.relay_id, message, request.received_at)
            .await;
    }
    served.leave();
}

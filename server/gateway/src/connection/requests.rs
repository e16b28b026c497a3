//! The first request of a client, `auth`, and the way of the others.

use std::sync::Arc;

use tilewire_protocol::{
    Auth, ClientMessage, CloseCode, ErrorBody, ErrorCode, IdentityId, ServerMessage, Token, Welcome,
};
use tilewire_rules::time::Timestamp;

use super::client::Client;
use super::served::Served;
use tilewire_accounts::identity::Authenticated;
use tilewire_base::address::ClientAddress;
use tilewire_base::ids::is_of_site;
use tilewire_base::metrics;
use tilewire_delivery::outbound::{Forward, Peer};
use tilewire_delivery::session::{Content, Input, Pass, Request};
use tilewire_game::Sleeping;
use tilewire_relay as relay;
use tilewire_relay::ClientLink;
use tilewire_store::IdentityRow;

impl Client {
    /// Charges the identity from now on, and notes that a registered player is signed in at this address. The names of a
    /// site's users are no handles.
    fn belongs_to(&self, authenticated: &Authenticated) {
        let IdentityRow { identity, name, .. } = &authenticated.identity;
        self.meter.belongs_to(identity);
        if let Some(address) = self.address()
            && authenticated.is_registered
            && !is_of_site(identity)
        {
            self.services
                .people
                .wrong_entries()
                .signed_in(name, address);
        }
    }

    pub(super) async fn authenticate(&mut self, id: u64, auth: Auth) {
        let now = self.services.clock.now();
        let program = auth.client.clone();
        match self.admit(auth).await {
            Ok((authenticated, games)) => {
                let peer = Peer::new(
                    self.meter.connection(),
                    (authenticated.identity.identity.clone(), self.address()),
                    self.codec,
                    Arc::clone(&self.outbox),
                    Arc::clone(&self.ledger),
                );
                let most = self.services.settings.now().limits.connections_per_identity;
                if self.services.registry.insert(&peer, most).is_err() {
                    return self.outbox.close(
                        CloseCode::TooManyConnections,
                        "the identity has too many connections",
                    );
                }
                let pass = authenticated.pass.clone();
                // Before the answer: the client's next request must find its slot authenticated.
                if let Some(slot) = &self.slot {
                    slot.authenticated();
                }
                self.belongs_to(&authenticated);
                log_authenticated(&peer, self.address(), &authenticated, &program);
                let welcome = self.welcome(authenticated, games);
                self.plays = !welcome.games.is_empty();
                peer.send(id, &ServerMessage::Welcome(welcome));
                // A revocation closes only connections with a pass. It may have come between the check and here.
                let link = self.client_link(&pass);
                let forward = link.clone().map(|link| link as Arc<dyn Forward>);
                peer.admit(
                    pass.clone(),
                    Arc::clone(self.services.people.wrong_entries()),
                    forward,
                );
                if let Err(error) = self.services.accounts.check(&pass) {
                    peer.revoke(&error);
                }
                self.services.people.enforcement().tell(peer.identity());
                let (services, ledger) = (Arc::clone(&self.services), Arc::clone(&self.ledger));
                let mut served = Served::new(services, peer, ledger);
                served.client_link = link.inspect(ClientLink::begin);
                self.served = Some(served);
                let effects = self.session.handle(now, Input::Authenticated);
                debug_assert!(
                    effects.is_empty(),
                    "authentication has no effects of its own"
                );
            }
            Err(body) if matches!(body.code, ErrorCode::BadToken | ErrorCode::Revoked) => {
                let code = match body.code {
                    ErrorCode::Revoked => CloseCode::Revoked,
                    _ => CloseCode::BadToken,
                };
                let reason = body.message.clone();
                self.push(id, &ServerMessage::Error(body));
                self.session.handle(now, Input::AuthRefused);
                self.outbox.close(code, &reason);
            }
            Err(body) => {
                // The client may come back when the storage answers again.
                let code = if body.retryable {
                    CloseCode::GoingAway
                } else {
                    CloseCode::BadHandshake
                };
                self.push(id, &ServerMessage::Error(body));
                self.outbox.close(code, "the auth was refused");
            }
        }
    }

    /// Returns the client as the relay knows it, if this is one server among several that relay.
    fn client_link(&self, pass: &Pass) -> Option<Arc<ClientLink>> {
        let exchange = self.services.exchange()?;
        let address = self.address().map(ClientAddress::ip);
        Some(ClientLink::new(
            exchange,
            self.meter.connection(),
            relay::message::Client::new(pass, address, self.codec),
            (
                Arc::clone(&self.outbox),
                Arc::clone(&self.ledger),
                Arc::clone(self.session.patience()),
            ),
        ))
    }

    /// Authenticates the client and reads its sleeping games.
    async fn admit(&self, auth: Auth) -> Result<(Authenticated, Sleeping), ErrorBody> {
        let accounts = &self.services.accounts;
        let authenticated = accounts.authenticate(auth, self.address()).await?;
        if authenticated.is_new {
            return Ok((authenticated, Sleeping::default()));
        }
        let identity = &authenticated.identity.identity;
        match self.services.directory.sleeping_of(identity).await {
            Ok(sleeping) => Ok((authenticated, sleeping)),
            Err(error) => {
                tracing::warn!(%error, "the games of an identity could not be read");
                let text = "the storage does not answer";
                Err(ErrorBody::new(ErrorCode::StoragePaused, text))
            }
        }
    }

    fn welcome(&self, authenticated: Authenticated, sleeping: Sleeping) -> Welcome {
        let Authenticated {
            identity,
            pass,
            is_registered,
            ..
        } = authenticated;
        let issued = self.services.accounts.issue(&pass);
        let directory = &self.services.directory;
        Welcome {
            token: Token(issued.token),
            expires_at: issued.expires_at.map(|at| at.0),
            games: directory.of_identity_with(&identity.identity, sleeping),
            server_time: self.services.clock.now().0,
            registered: is_registered,
            chat_off: self.services.people.chat_off().is_off_for(&pass),
            identity: IdentityId(identity.identity),
            name: identity.name,
        }
    }

    pub(super) async fn request(&mut self, id: u64, request: Request, now: Timestamp) {
        let Some(served) = &self.served else {
            return;
        };
        served.log_if_watched((id, request.op()), now);
        if let Err(code) = self.ledger.open(id, &request.content) {
            metrics::message_refused(code);
            return self.push(
                id,
                &ServerMessage::Error(ErrorBody::new(code, code.meaning())),
            );
        }
        if let Some(served) = &mut self.served {
            if let (Some(_), Content::Message(ClientMessage::Detach(detach))) =
                (&served.client_link, &request.content)
            {
                // The game may be elsewhere, and the chat here.
                self.services.chat.left(&served.peer, &detach.game);
            }
            let lag_ms = served.peer.lag_ms();
            if let Some(link) = &served.client_link
                && link.takes(id, &request, (now, lag_ms))
            {
                self.plays |= request.content.is_of_player();
                return;
            }
            if let Content::Message(message) = request.content {
                served.serve(id, message, now).await;
                self.plays |= served.plays;
            }
        }
    }
}

/// Connects the number of a connection, its address and its identity in the log.
fn log_authenticated(
    peer: &Peer,
    address: Option<ClientAddress>,
    authenticated: &Authenticated,
    program: &str,
) {
    tracing::debug!(
        connection = peer.id().0,
        address = address.map(tracing::field::display),
        identity = peer.identity(),
        family = authenticated.pass.family,
        client = program,
        is_new = authenticated.is_new,
        "a client authenticated"
    );
}

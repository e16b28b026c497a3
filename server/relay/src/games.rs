//! The messages that nodes send each other about games, and not about clients. Each can get lost, and nothing is repeated.

use serde::{Deserialize, Serialize};
use tilewire_protocol::GameId;

use super::message::Payload;
use tilewire_game::GameReport;
use tilewire_store::{Part, Shard};

/// A message about games, for the owner of a part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AboutGames {
    /// A game was created for its owner, which shall load it.
    Wake(GameId),
    /// The seat with this number resigns: its player is erased.
    Resign(GameId, u8),
    /// A push for all clients that are attached to a game, in MessagePack.
    Tell(GameId, Payload),
    /// The games that the sender has in memory, for the owner of the lobby.
    Report(Box<GameReport>),
    /// A client has left a game, and so its chat rooms, which the owner of the lobby has.
    Left(Box<Left>),
}

/// A client that has left a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Left {
    /// The identity.
    pub identity: String,
    /// The number of the gateway, and that of the connection there.
    pub connection: (i32, u64),
    /// The game.
    pub game: GameId,
}

impl AboutGames {
    /// Returns the part whose owner gets the message.
    #[must_use]
    pub fn part(&self) -> Part {
        match self {
            Self::Wake(game) | Self::Resign(game, _) | Self::Tell(game, _) => {
                Shard::of(game).into()
            }
            Self::Report(_) | Self::Left(_) => Part::LOBBY,
        }
    }

    /// Returns the bytes that the content takes, about.
    #[must_use]
    pub fn size(&self) -> usize {
        match self {
            Self::Wake(game) | Self::Resign(game, _) => game.0.len(),
            Self::Tell(game, push) => game.0.len() + push.0.len(),
            Self::Report(report) => report.size(),
            Self::Left(left) => left.identity.len() + left.game.0.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use tilewire_rules::time::{Millis, Timestamp};

    use super::*;
    use crate::asks::AskBounds;
    use crate::gateway::GatewayBounds;
    use crate::link::LinkBounds;
    use crate::owner::OwnerBounds;
    use crate::{Batch, Bounds, Effect, Input, Relay};
    use tilewire_game::owner_table::OwnerTable;
    use tilewire_store::{Incarnation, NodeId, Term};

    const OWN: NodeId = NodeId(1);
    const LOBBY: NodeId = NodeId(2);
    const BOUNDS: Bounds = Bounds {
        link: LinkBounds {
            beat_ms: Millis(500),
            silent_ms: Millis(2_000),
        },
        gateway: GatewayBounds {
            grace_ms: Millis(250),
            retry_ms: Millis(100),
            hold_ms: Millis(10_000),
            lagging_retry_ms: Millis(1_000),
            held_bytes: 1_000_000,
        },
        owner: OwnerBounds {
            channels: 10,
            age_max_ms: Millis(10_000),
        },
        asks: AskBounds::NONE,
    };

    /// A node with games, and the one with the lobby.
    struct Two {
        own: Relay,
        lobby: Relay,
        now: Timestamp,
    }

    impl Two {
        fn new() -> Self {
            Self {
                own: Relay::new(OWN, Incarnation(1), BOUNDS),
                lobby: Relay::new(LOBBY, Incarnation(2), BOUNDS),
                now: Timestamp(0),
            }
        }

        /// Lets time pass, and both nodes exchange what they have to say; returns the effects of each.
        fn exchange(&mut self, is_lost: impl Fn(&Batch) -> bool) -> [Vec<Effect>; 2] {
            let (mut at_own, mut at_lobby) = (Vec::new(), Vec::new());
            for _ in 0..4 {
                self.now += BOUNDS.link.beat_ms;
                for batch in self.own.flush(self.now) {
                    if !is_lost(&batch) {
                        let batch = Input::Batch(Box::new(batch));
                        at_lobby.extend(self.lobby.handle(self.now, batch));
                    }
                }
                for batch in self.lobby.flush(self.now) {
                    let batch = Input::Batch(Box::new(batch));
                    at_own.extend(self.own.handle(self.now, batch));
                }
            }
            [at_own, at_lobby]
        }

        fn say(&mut self, message: AboutGames) {
            let effects = self.own.handle(self.now, Input::Games(message));
            assert_eq!(effects, []);
        }
    }

    fn parts(lobby_term: i64) -> Input {
        let shards = (0..=u8::MAX).map(|shard| (Part::from(Shard(shard)), (OWN, Term(1))));
        let lobby = (Part::LOBBY, (LOBBY, Term(lobby_term)));
        let parts: OwnerTable = shards.chain([lobby]).collect();
        Input::Placed(Box::new(parts))
    }

    fn report() -> AboutGames {
        AboutGames::Report(Box::default())
    }

    #[test]
    fn the_games_are_reported_anew_when_the_lobby_may_not_know_them() {
        let mut two = Two::new();
        let anew = [Effect::ReportAnew];
        let placed = two.own.handle(two.now, parts(1));
        assert_eq!(placed, anew, "another node has the lobby");
        let placed = two.lobby.handle(two.now, parts(1));
        assert_eq!(placed, anew);
        two.say(report()); // the link is not up yet
        let [own, lobby] = two.exchange(|_| false);
        assert_eq!((&own[..], &lobby[..]), (&anew[..], &[][..]));
        two.say(report());
        let said = [Effect::Games(OWN, report())];
        let [own, lobby] = two.exchange(|_| false);
        assert_eq!((&own[..], &lobby[..]), (&[][..], &said[..]));
        two.say(report());
        let [own, lobby] = two.exchange(|batch| !batch.messages.to_owner.is_empty());
        assert_eq!((&own[..], &lobby[..]), (&anew[..], &[][..]), "it was lost");
        assert_eq!(two.own.handle(two.now, parts(1)), []);
        assert_eq!(two.own.handle(two.now, parts(2)), anew);
        two.say(AboutGames::Wake("a game of this node".into()));
        let [_, lobby] = two.exchange(|_| false);
        assert_eq!(lobby, [], "it is for nobody else");
        let wake = AboutGames::Wake("a game".into());
        let effects = two.lobby.handle(two.now, Input::Games(wake.clone()));
        assert_eq!(effects, []);
        let [own, _] = two.exchange(|_| false);
        assert_eq!(own, [Effect::Games(LOBBY, wake)]);
    }
}

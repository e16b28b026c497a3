//! The messages of nodes about games: new games, pushes for their clients, and reports for the node with the lobby.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tilewire_protocol::{
    Codec, GameId, RematchChanged, ServerMessage, decode_server, encode_server,
};
use tilewire_rules::time::Seat;
use tokio::sync::Notify;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{MissedTickBehavior, sleep};
use tokio_util::sync::CancellationToken;

use super::Exchange;
use crate::message::Payload;
use crate::{AboutGames, Input, Left};
use tilewire_delivery::outbound::Peer;
use tilewire_game::{GameNodes, Location, Reporter};
use tilewire_store::NodeId;

/// Longest time between two looks at the games of this node for a report.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Time between two looks at what others have reported.
const TIDY_EVERY: Duration = Duration::from_secs(5);
/// Shortest time between two reports.
const REPORT_PAUSE: Duration = Duration::from_millis(100);

/// Whether the reports shall begin anew.
#[derive(Debug, Default)]
pub(super) struct Anew {
    is_set: AtomicBool,
    changed: Notify,
}

impl Anew {
    pub(super) fn set(&self) {
        self.is_set.store(true, Ordering::Release);
        self.changed.notify_one();
    }

    fn take(&self) -> bool {
        self.is_set.swap(false, Ordering::AcqRel)
    }
}

impl Exchange {
    /// Reports the games of this node to the one with the lobby, and tidies what others report to this one, until `stop`.
    pub async fn report_games(self: Arc<Self>, stop: CancellationToken) {
        let mut reporter = Reporter::default();
        let mut news = self.directory.news();
        let mut looks = tokio::time::interval(LOOK_EVERY);
        let mut tidies = tokio::time::interval(TIDY_EVERY);
        for interval in [&mut looks, &mut tidies] {
            interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
        }
        loop {
            let mut must_tidy = false;
            tokio::select! {
                biased; // otherwise a seed of the simulation would not repeat
                () = stop.cancelled() => return,
                _ = looks.tick() => {}
                _ = tidies.tick() => must_tidy = true,
                () = self.reports_anew.changed.notified() => {}
                told = news.recv() => match told {
                    Ok(told) => self.directory.note_for(&mut reporter, told),
                    // The lines of the games that have begun still come.
                    Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return,
                },
            }
            while let Ok(told) = news.try_recv() {
                self.directory.note_for(&mut reporter, told);
            }
            match self.directory.lobby_place() {
                Location::Mine => {
                    reporter.begin_anew();
                    if must_tidy {
                        self.directory.tidy_reported().await;
                    }
                }
                Location::Elsewhere(Some(_)) => self.report(&mut reporter),
                Location::Elsewhere(None) => {}
            }
            sleep(REPORT_PAUSE).await;
        }
    }

    fn report(&self, reporter: &mut Reporter) {
        if self.reports_anew.take() {
            reporter.begin_anew();
        }
        let Some((report, has_more)) = self.directory.report(reporter) else {
            return;
        };
        self.input(Input::Games(AboutGames::Report(Box::new(report))));
        if has_more {
            self.reports_anew.changed.notify_one();
        }
    }

    /// Tells the node with the lobby that a client has left a game: it leaves the chat rooms of the game.
    pub fn left(&self, peer: &Peer, game: &GameId) {
        if self.directory.lobby_place() == Location::Mine {
            return;
        }
        let left = Left {
            identity: peer.identity().to_owned(),
            connection: self.connection_of(&self.lock(), peer),
            game: game.clone(),
        };
        self.input(Input::Games(AboutGames::Left(Box::new(left))));
    }

    /// Takes what another node says about games.
    pub(super) fn hear_of_games(&self, from: NodeId, message: AboutGames) {
        match message {
            AboutGames::Wake(game) => {
                let directory = Arc::clone(&self.directory);
                self.runtime
                    .spawn(async move { directory.wake_here(&game).await });
            }
            AboutGames::Resign(game, seat) => {
                let directory = Arc::clone(&self.directory);
                self.runtime
                    .spawn(async move { directory.resign_here(&game, Seat(seat)).await });
            }
            AboutGames::Tell(_, push) => {
                if let Ok((_, ServerMessage::Rematch(changed))) =
                    decode_server(Codec::MsgPack, &push.0)
                {
                    self.directory.tell_rematch_here(*changed);
                }
            }
            AboutGames::Report(report) => self.directory.take_report(from, *report),
            AboutGames::Left(left) => {
                let mut peers = self.registry.of(&left.identity);
                {
                    let state = self.lock();
                    peers.retain(|peer| self.connection_of(&state, peer) == left.connection);
                }
                for peer in peers {
                    self.remote_service.left(&peer, &left.game);
                }
            }
        }
    }
}

impl GameNodes for Exchange {
    fn wake(&self, game: &GameId) {
        self.input(Input::Games(AboutGames::Wake(game.clone())));
    }

    fn resign(&self, game: &GameId, Seat(seat): Seat) {
        self.input(Input::Games(AboutGames::Resign(game.clone(), seat)));
    }

    fn tell_rematch(&self, changed: &RematchChanged) {
        let push = ServerMessage::Rematch(Box::new(changed.clone()));
        let push = Payload(encode_server(Codec::MsgPack, 0, &push).into());
        let game = changed.game.clone();
        self.input(Input::Games(AboutGames::Tell(game, push)));
    }
}

//! How a player connects, resumes after a lost connection, and starts its next game.

use tilewire_protocol::{ClientMessage, GameId, GameSummary, OpenSeek, Ready};
use tokio::time::{Instant, sleep};

use super::{
    Disconnected, Part, Pending, Player, Purpose, RECONNECT_AFTER, RECONNECT_AFTER_MAX, Table,
};
use crate::host;
use crate::link::Link;
use crate::presence::Status;
use crate::recorder::Counter;
use crate::shared::Mode;
use crate::transcript::{Transcript, Viewer};

impl Player {
    /// Connects, and retries until it succeeds; returns `None` if the run ends before that.
    pub(super) async fn connect(&mut self, attempts: u32) -> Option<(Link, Vec<GameSummary>)> {
        let mut wait = RECONNECT_AFTER;
        if attempts > 1 {
            sleep(wait).await;
        }
        loop {
            match self.shared.enter(self.node, self.token.clone()).await {
                Ok((link, welcome)) => {
                    self.token = Some(welcome.token);
                    return Some((link, welcome.games));
                }
                Err(_) if self.shared.mode() == Mode::Leaving => return None,
                Err(_) => {
                    self.node += 1;
                    self.mark_disconnected();
                    // The jitter spreads the reconnects of all players.
                    sleep(wait.mul_f64(0.5 + self.rng.unit())).await;
                    wait = (wait * 2).min(RECONNECT_AFTER_MAX);
                }
            }
        }
    }

    /// Records that the player is offline although it did not disconnect deliberately.
    pub(super) fn mark_disconnected(&mut self) {
        let has_game = self.table.as_ref().is_some_and(|table| !table.is_over);
        let place = if has_game {
            Status::Interrupted
        } else {
            Status::Idle
        };
        self.presence.set(place);
    }

    /// Resumes on a new connection: attaches to the game again and repeats the unanswered requests.
    pub(super) async fn resume(
        &mut self,
        link: &mut Link,
        games: Vec<GameSummary>,
        lost_at: Option<Instant>,
    ) -> Result<(), Disconnected> {
        self.is_misplaced = false;
        let mut unanswered = std::mem::take(&mut self.pending);
        let later = self.retries.drain(..).map(|(_, pending)| pending);
        unanswered.extend((u64::MAX - 64..).zip(later));
        for attach in self.session.attach_all() {
            let message = ClientMessage::Attach(attach.clone());
            self.send(link, message, Purpose::Attach(attach, lost_at))
                .await?;
        }
        for (_, Pending { message, purpose }) in unanswered {
            match purpose {
                Purpose::Attach(..) | Purpose::Chat => {}
                Purpose::Seek(_) if !games.is_empty() => {}
                Purpose::Seek(_) => self.send(link, message, Purpose::Seek(None)).await?,
                purpose => self.send(link, message, purpose).await?,
            }
        }
        // A game may have begun, or the seek may have been lost, while the player was offline.
        if self.table.is_none()
            && let Some(game) = games.into_iter().next()
        {
            return self.join_game(link, game.game).await;
        }
        if self.table.is_none() && self.pending.is_empty() {
            self.has_seek = false;
            self.open_seek(link).await?;
        }
        Ok(())
    }

    /// Opens the next seek if this player is the owner.
    pub(super) async fn open_seek(&mut self, link: &mut Link) -> Result<(), Disconnected> {
        if !matches!(self.part, Part::Owner(_)) || self.shared.mode() != Mode::Playing {
            return Ok(());
        }
        let mut options = self.behavior.options.clone();
        let (least, most) = self.behavior.budget_ms;
        if let Some(clock) = &mut options.clock
            && clock.initial_ms.is_some()
        {
            let more = self.rng.below((most - least).unsigned_abs() + 1);
            clock.initial_ms = Some(least.saturating_add_unsigned(more));
        }
        let seek = OpenSeek {
            cmd_id: self.session.next_cmd_id(),
            options,
            private: false,
            bots: self.bots.clone(),
            nonce_hash: None,
            level: None,
            criteria: None,
        };
        let seek = ClientMessage::Seek(Box::new(seek));
        self.send(link, seek, Purpose::Seek(Some(host::now())))
            .await
    }

    /// Attaches to a game from its first event and sends `ready`.
    pub(super) async fn join_game(
        &mut self,
        link: &mut Link,
        game: GameId,
    ) -> Result<(), Disconnected> {
        if let Some(table) = &self.table {
            if table.game != game && !self.next_games.contains(&game) {
                self.next_games.push_back(game);
            }
            return Ok(());
        }
        self.has_seek = false;
        let attach = self.session.attach_from_start(&game, None);
        let viewer = Viewer::Seat(u8::from(matches!(self.part, Part::Guest(_))));
        self.table = Some(Table {
            transcript: Transcript::new(game.clone(), viewer),
            game: game.clone(),
            view: None,
            is_over: false,
            must_end: false,
            epoch: 0,
            head: 0,
            flag_at: i64::MAX,
            turn_chosen: 0,
            play_judged: 0,
        });
        if matches!(self.part, Part::Owner(_)) {
            let now = self.shared.recorder.moment_us(host::now());
            let pause = self.behavior.pacing.pause(0, &mut self.rng);
            self.pairing.begin(game.clone(), now + host::micros(pause));
            self.shared.recorder.count(Counter::Started);
        }
        let message = ClientMessage::Attach(attach.clone());
        self.send(link, message, Purpose::Attach(attach, None))
            .await?;
        let ready = ClientMessage::Ready(Ready {
            game,
            cmd_id: self.session.next_cmd_id(),
            nonce: None,
        });
        self.send(link, ready, Purpose::Ready).await
    }
}

//! How a player comes: to the server, back to its game after a lost connection, to the next game.

use tilewire_protocol::{ClientMessage, GameId, GameSummary, OpenSeek, Ready};
use tokio::time::{Instant, sleep};

use super::{BACK_AFTER, BACK_AFTER_MAX, Lost, Part, Pending, Player, Table, Why};
use crate::host;
use crate::link::Link;
use crate::presence::Status;
use crate::recorder::Counter;
use crate::shared::Mode;
use crate::transcript::{Transcript, Viewer};

impl Player {
    /// Connects, again and again if need be; `None` when it is time to leave.
    pub(super) async fn enter(&mut self, attempts: u32) -> Option<(Link, Vec<GameSummary>)> {
        let mut wait = BACK_AFTER;
        if attempts > 1 {
            sleep(wait).await;
        }
        loop {
            match Link::enter(&self.shared.address, self.token.clone()).await {
                Ok((link, welcome)) => {
                    self.token = Some(welcome.token);
                    return Some((link, welcome.games));
                }
                Err(_) if self.shared.mode() == Mode::Leaving => return None,
                Err(_) => {
                    self.miss();
                    // Not all of them at the same moment.
                    sleep(wait.mul_f64(0.5 + self.rng.unit())).await;
                    wait = (wait * 2).min(BACK_AFTER_MAX);
                }
            }
        }
    }

    /// Is away from its game, if it has one, against its will.
    pub(super) fn miss(&mut self) {
        let has_game = self.table.as_ref().is_some_and(|table| !table.is_over);
        let place = if has_game {
            Status::Interrupted
        } else {
            Status::Idle
        };
        self.presence.set(place);
    }

    /// Takes up where the last connection left off: follows its game and asks again what was not answered.
    pub(super) async fn begin(
        &mut self,
        link: &mut Link,
        games: Vec<GameSummary>,
        lost_at: Option<Instant>,
    ) -> Result<(), Lost> {
        let mut unanswered = std::mem::take(&mut self.pending);
        let later = self.later.drain(..).map(|(_, pending)| pending);
        unanswered.extend((u64::MAX - 64..).zip(later));
        for attach in self.session.attach_all() {
            let message = ClientMessage::Attach(attach.clone());
            self.send(link, message, Why::Follow(attach, lost_at))
                .await?;
        }
        for (_, Pending { message, why }) in unanswered {
            match why {
                Why::Follow(..) => {}
                Why::Meet(_) if !games.is_empty() => {}
                Why::Meet(_) => self.send(link, message, Why::Meet(None)).await?,
                why => self.send(link, message, why).await?,
            }
        }
        // A game may have begun, or a seek been forgotten, while nobody was there.
        if self.table.is_none()
            && let Some(game) = games.into_iter().next()
        {
            return self.sit(link, game.game).await;
        }
        if self.table.is_none() && self.pending.is_empty() {
            self.has_seek = false;
            self.meet(link).await?;
        }
        Ok(())
    }

    /// Opens the next seek, if it is for this player to do so.
    pub(super) async fn meet(&mut self, link: &mut Link) -> Result<(), Lost> {
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
        };
        let seek = ClientMessage::Seek(Box::new(seek));
        self.send(link, seek, Why::Meet(Some(host::now()))).await
    }

    /// Sits down at a game: follows it from its first event and says that it is ready.
    pub(super) async fn sit(&mut self, link: &mut Link, game: GameId) -> Result<(), Lost> {
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
        self.send(link, message, Why::Follow(attach, None)).await?;
        let ready = ClientMessage::Ready(Ready {
            game,
            cmd_id: self.session.next_cmd_id(),
            nonce: None,
        });
        self.send(link, ready, Why::Ready).await
    }
}

//! A player's actions: turns at their scheduled times, answers to plays that can be challenged, and deliberate faults.

use std::sync::Arc;

use tilewire_client::Position;
use tilewire_client::brain::judge;
use tilewire_protocol::{ClientMessage, GameCommand, Phase, Play as PlayMessage, PlayCommand};
use tilewire_rules::bot::{BotTurn, Judgement};
use tilewire_rules::lexicon::Lexicon;
use tilewire_rules::options::ChallengeKind;
use tilewire_rules::play::Play;

use super::{Disconnected, Due, Player, Purpose, Sent};
use crate::host;
use crate::link::Link;
use crate::shared::{Mode, Pacing};

/// Consecutive scoreless turns that end no game with any options.
const SCORELESS_MAX: usize = 20;

impl Player {
    /// Chooses the next action, unless one is already due.
    pub(super) fn choose_action(&mut self) {
        self.drop_stale();
        if self.due.is_some() || self.shared.mode() == Mode::Leaving {
            return;
        }
        let Some(table) = &mut self.table else { return };
        let Some(view) = &table.view else { return };
        if table.is_over || !matches!(view.phase, Phase::Running | Phase::Final) {
            return;
        }
        let now = self.shared.recorder.moment_us(host::now());
        if self.behavior.prefers_passing && self.shared.mode() == Mode::Finishing {
            // A game of passes takes too long to end.
            self.due = Some(Due {
                at: now,
                turn_no: 0,
                message: ClientMessage::Resign(GameCommand {
                    game: table.game.clone(),
                    cmd_id: self.session.next_cmd_id(),
                }),
                is_tried: true,
                held_until: 0,
            });
            return;
        }
        if let Some(window) = view.window.as_ref().filter(|_| view.may_answer())
            && window.play_id > table.play_judged
        {
            let play_id = window.play_id;
            let judgement = self
                .shared
                .with_bot(self.behavior.level, |bot| judge(bot, view, play_id, 0));
            table.play_judged = play_id;
            let command = PlayCommand {
                game: table.game.clone(),
                cmd_id: self.session.next_cmd_id(),
                play_id,
            };
            // The next turn implies an acceptance, unless the game waits for an explicit one.
            let message = match judgement {
                Judgement::Challenge => ClientMessage::Challenge(command),
                // With more than two players, the next turn waits until every opponent has answered.
                Judgement::Accept if window.is_final || view.seats.len() > 2 => {
                    ClientMessage::Accept(command)
                }
                Judgement::Accept => return self.choose_turn(),
            };
            self.due = Some(Due {
                at: now,
                turn_no: 0,
                message,
                is_tried: true,
                held_until: 0,
            });
            return;
        }
        self.choose_turn();
    }

    /// Drops the due turn if a successful challenge has moved the game past it.
    ///
    /// With more than two players, one may challenge while another is on turn.
    fn drop_stale(&mut self) {
        let turn_no = self.table.as_ref().and_then(|table| table.view.as_ref());
        let turn_no = turn_no.map_or(0, |view| view.turn_no);
        self.due
            .take_if(|due| due.turn_no > 0 && due.turn_no < turn_no);
    }

    fn choose_turn(&mut self) {
        let Some(table) = &mut self.table else { return };
        let Some(view) = &table.view else { return };
        if !view.is_own_turn() || view.turn_no <= table.turn_chosen {
            return;
        }
        let behavior = Arc::clone(&self.behavior);
        let last = behavior
            .turns_max
            .filter(|_| self.shared.mode() == Mode::Playing);
        if last.is_some_and(|last| view.turn_no > last) {
            return;
        }
        let turn_no = view.turn_no;
        table.turn_chosen = turn_no;
        let position = match view.seat.map(|seat| Position::of(view, seat)) {
            Some(Ok(position)) => position,
            Some(Err(error)) => return table.transcript.fault(error.to_string()),
            None => return,
        };
        let seed = self.rng.next_u64();
        let turn = if behavior.prefers_passing && view.scoreless_turns() < SCORELESS_MAX {
            BotTurn::Pass
        } else {
            self.shared
                .with_bot(self.behavior.level, |bot| bot.turn(&position.seen(), seed))
        };
        let message = position.command(&turn, table.game.clone(), self.session.next_cmd_id());
        // Without a schedule, a turn is due as soon as it is possible. A schedule does not wait for a late opponent.
        let now = self.shared.recorder.moment_us(host::now());
        let at = match self.behavior.pacing {
            Pacing::Mean(_) if self.bots.is_empty() => self.pairing.next_at(),
            // The schedule does not control the house bots.
            Pacing::Mean(_) => self.pairing.next_at().max(now),
            Pacing::Bursts(..) => self.pairing.next_at().max(now),
            Pacing::Flat => now,
        };
        self.due = Some(Due {
            at,
            turn_no,
            message,
            is_tried: false,
            held_until: 0,
        });
    }

    /// Performs the due action.
    pub(super) async fn act(&mut self, link: &mut Link) -> Result<(), Disconnected> {
        let Some(mut due) = self.due.take() else {
            return Ok(());
        };
        let is_waiting = |purpose: &Purpose| matches!(purpose, Purpose::Illegal);
        if self
            .pending
            .values()
            .any(|pending| is_waiting(&pending.purpose))
        {
            // The due action waits until the server has refused the illegal request.
            due.held_until = self.shared.recorder.moment_us(host::now()) + 1_000;
            self.due = Some(due);
            return Ok(());
        }
        if due.turn_no == 0 {
            return self.send(link, due.message, Purpose::Judge).await;
        }
        if !due.is_tried && self.rng.random_bool(self.behavior.illegal) {
            due.is_tried = true;
            let illegal = self.illegal(&due.message);
            self.due = Some(due);
            if let Some(illegal) = illegal {
                self.send(link, illegal, Purpose::Illegal).await?;
            }
            return Ok(());
        }
        let behavior = Arc::clone(&self.behavior);
        let now = host::now();
        let recorder = &self.shared.recorder;
        if behavior.pacing == Pacing::Flat || self.shared.mode() != Mode::Playing {
            due.at = recorder.moment_us(now);
        }
        let at = recorder.moment(due.at);
        let possible_at = recorder.moment(due.at.max(due.held_until));
        recorder.record(
            &recorder.send_delay,
            now.saturating_duration_since(possible_at),
        );
        let next = behavior.pacing.pause(due.turn_no, &mut self.rng);
        self.pairing.turn_due(due.turn_no, due.at, next);
        let is_repeated = self.rng.random_bool(behavior.repeated);
        let is_dropped = self.rng.random_bool(behavior.dropped);
        let again = is_repeated.then(|| due.message.clone());
        self.send(
            link,
            due.message,
            Purpose::Turn(Some(Sent { due: at, at: now })),
        )
        .await?;
        if let Some(again) = again {
            self.send(link, again, Purpose::Repeat).await?;
        }
        self.chat(link, due.turn_no).await?;
        if is_dropped {
            return Err(Disconnected::Dropped);
        }
        Ok(())
    }

    /// Returns a variant of the turn `legal` that every server must refuse.
    fn illegal(&mut self, legal: &ClientMessage) -> Option<ClientMessage> {
        let kind = self.rng.below(3);
        let view = self.table.as_ref()?.view.as_ref()?;
        let position = Position::of(view, view.seat?).ok()?;
        let mut message = legal.clone();
        let cmd = self.session.next_cmd_id();
        match &mut message {
            ClientMessage::Play(play) => {
                play.cmd_id = cmd;
                match kind {
                    0 => play.turn_no += 1,
                    1 => play.tiles = vec!["Z".to_owned(); 7],
                    _ if make_phony(&position, play) => {}
                    _ => "A0".clone_into(&mut play.start),
                }
            }
            ClientMessage::Exchange(exchange) => {
                exchange.cmd_id = cmd;
                exchange.tiles = vec!["Z".to_owned(); 7];
            }
            ClientMessage::Pass(pass) => {
                pass.cmd_id = cmd;
                pass.turn_no += 1;
            }
            _ => return None,
        }
        Some(message)
    }
}

/// Reverses the tiles of a play so that it forms a phony; returns whether it succeeded.
fn make_phony(position: &Position, play: &mut PlayMessage) -> bool {
    if position.challenge != ChallengeKind::Void {
        // With challenges, a phony is a legal play.
        return false;
    }
    let mut laid: Vec<String> = play.tiles.iter().filter(|t| *t != ".").cloned().collect();
    laid.reverse();
    let mut turned = laid.into_iter();
    let cells: Vec<String> = play
        .tiles
        .iter()
        .map(|cell| match cell.as_str() {
            "." => ".".to_owned(),
            _ => turned.next().unwrap_or_default(),
        })
        .collect();
    let Ok(placement) = position.placement(&play.start, &cells) else {
        return false;
    };
    let resolved = Play::resolve(&position.rules, &position.board, &position.rack, &placement);
    let lexicon = tilewire_rules::lexicon::FstLexicon::builtin();
    let is_phony = resolved.is_ok_and(|resolved| {
        let mut words = resolved.words().iter();
        words.any(|word| !lexicon.contains(&word.spelling()))
    });
    if is_phony {
        play.tiles = cells;
    }
    is_phony
}

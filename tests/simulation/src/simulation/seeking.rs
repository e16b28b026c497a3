//! How a simulated client comes to a game: it opens, joins, leaves and starts seeks, and is ready.

use tilewire_protocol::{
    AnswerInvitation, ClientMessage, CmdId, Empty, GameCommand, GameId, GameScope, Invite,
    JoinSeek, ListGames, OfferRematch, OpenSeek, QuickMatch, Ready, SeekCommand, SeekCriteria,
};

use super::chance::Chance;
use super::line::LineId;
use super::manner::{Act, Table};
use super::members::{Kind, some_handle};
use super::person::Person;
use super::scenario::Plan;

impl Person {
    /// Looks for a game, in the lobby.
    pub(super) fn find_game(
        &mut self,
        line: LineId,
        table: &Table,
        chance: &mut Chance,
        acts: &mut Vec<Act>,
    ) {
        let attached = self.lines.get(&line).map(|known| &known.attached);
        if let Some((game, _)) = &table.game {
            if attached.is_some_and(|attached| !attached.contains_key(game)) {
                self.attach(line, game, table, acts);
            } else if table.plan.options.spectators.is_some() && chance.one_in(3) {
                self.list_games(line, GameScope::Live, acts);
            }
            return;
        }
        let Some(place) = self.place else {
            return;
        };
        if self
            .pending
            .iter()
            .any(|pending| pending.message.seek_command().is_some())
        {
            return;
        }
        // Guests are refused; some try all the same.
        if table.plan.options.rated && !self.is_registered() && !chance.one_in(10) {
            return;
        }
        self.seeks += 1;
        if self.seeks > 40 {
            return;
        }
        if chance.one_in(8) {
            return self.list_games(line, GameScope::Mine, acts);
        }
        if let Some(message) = self.rematch(chance) {
            return self.command(line, message, acts);
        }
        if let Some(message) = self.invitation(table, chance) {
            return self.command(line, message, acts);
        }
        if let Some(message) = self.next_command(place, table, chance) {
            self.command(line, message, acts);
        } else if place > 0 && table.seek.is_none() {
            self.send(line, ClientMessage::LobbySubscribe(Empty {}), acts);
        }
    }

    /// Returns the next command that brings the person closer to the game of the table, if there is one now.
    fn next_command(
        &mut self,
        place: usize,
        table: &Table,
        chance: &mut Chance,
    ) -> Option<ClientMessage> {
        let cmd_id = self.fresh_cmd();
        Some(match (place, &table.seek) {
            (0, None) if table.plan.is_private || chance.one_in(2) => {
                ClientMessage::Seek(Box::new(OpenSeek {
                    cmd_id,
                    options: table.plan.options.clone(),
                    private: table.plan.is_private,
                    bots: Vec::new(),
                    nonce_hash: None,
                    level: None,
                    criteria: self.criteria(table, chance).map(Box::new),
                }))
            }
            (0, None) => quick(cmd_id, &table.plan),
            (0, Some((seek, _))) => {
                let seek = SeekCommand {
                    cmd_id,
                    seek: seek.clone(),
                };
                match chance.below(40) {
                    0 => ClientMessage::CancelSeek(seek),
                    1 | 2 => ClientMessage::StartSeek(seek),
                    _ => return None,
                }
            }
            (_, None) => return None,
            (_, Some(_)) if !table.plan.is_private && chance.one_in(3) => {
                quick(cmd_id, &table.plan)
            }
            (_, Some((seek, code))) if chance.one_in(12) => {
                debug_assert!(code.is_some() || !table.plan.is_private);
                ClientMessage::LeaveSeek(SeekCommand {
                    cmd_id,
                    seek: seek.clone(),
                })
            }
            (_, Some((seek, code))) => ClientMessage::JoinSeek(JoinSeek {
                cmd_id,
                seek: code.is_none().then(|| seek.clone()),
                code: code.clone(),
                nonce_hash: None,
                level: None,
            }),
        })
    }

    /// Returns the command that offers a rematch of a game that is over, or declines one, if the person feels like it.
    fn rematch(&mut self, chance: &mut Chance) -> Option<ClientMessage> {
        let over = self
            .games
            .iter()
            .filter(|(_, game)| game.is_over() && game.view.seat.is_some());
        let game = over.map(|(game, _)| game.clone()).next_back()?;
        let cmd_id = self.fresh_cmd();
        match chance.below(8) {
            0..4 => Some(ClientMessage::OfferRematch(OfferRematch {
                game,
                cmd_id,
                nonce_hash: None,
            })),
            4 => Some(ClientMessage::DeclineRematch(GameCommand { game, cmd_id })),
            _ => None,
        }
    }

    /// Answers the latest invitation that it has heard of, also while it plays, and says whether it did.
    pub(super) fn answers_invitation(
        &mut self,
        line: LineId,
        chance: &mut Chance,
        acts: &mut Vec<Act>,
    ) -> bool {
        let mut pending = self.pending.iter();
        let is_busy = pending.any(|pending| pending.message.seek_command().is_some());
        if is_busy || self.invitations.is_empty() || chance.one_in(5) {
            return false;
        }
        let Some(invitation) = self.invitations.pop() else {
            return false;
        };
        let answer = AnswerInvitation {
            cmd_id: self.fresh_cmd(),
            invitation,
            accept: !chance.one_in(4),
            reason: None,
            nonce_hash: None,
            level: None,
        };
        self.command(line, ClientMessage::AnswerInvitation(answer), acts);
        true
    }

    /// Returns the command that invites somebody, if the person feels like it.
    fn invitation(&mut self, table: &Table, chance: &mut Chance) -> Option<ClientMessage> {
        let may_invite = self.is_registered() || chance.one_in(10);
        if !may_invite || !chance.one_in(8) {
            return None;
        }
        Some(ClientMessage::Invite(Box::new(Invite {
            cmd_id: self.fresh_cmd(),
            handle: some_handle(chance).to_owned(),
            options: table.plan.options.clone(),
            nonce_hash: None,
            level: None,
        })))
    }

    fn list_games(&mut self, line: LineId, scope: GameScope, acts: &mut Vec<Act>) {
        self.send(
            line,
            ClientMessage::ListGames(ListGames {
                scope,
                before: None,
            }),
            acts,
        );
    }

    /// Returns the criteria of a seek that the people of the table can meet, if it has some.
    fn criteria(&self, table: &Table, chance: &mut Chance) -> Option<SeekCriteria> {
        let kinds = &table.plan.kinds;
        let have_accounts = kinds.len() >= usize::from(table.plan.options.seats)
            && kinds.iter().all(|kind| *kind == Kind::Member);
        match chance.below(6) {
            0 if have_accounts => Some(SeekCriteria {
                registered: true,
                ..SeekCriteria::default()
            }),
            // Perhaps somebody of the table: then the seek waits until its owner closes it.
            1 if self.is_registered() && chance.one_in(2) => Some(SeekCriteria {
                exclude: vec![some_handle(chance).to_owned()],
                ..SeekCriteria::default()
            }),
            _ => None,
        }
    }

    /// Says that it is at the table.
    pub(super) fn ready(&mut self, line: LineId, game: &GameId, acts: &mut Vec<Act>) {
        let cmd_id = self.fresh_cmd();
        let ready = Ready {
            game: game.clone(),
            cmd_id,
            nonce: None,
        };
        self.command(line, ClientMessage::Ready(ready), acts);
    }
}

fn quick(cmd_id: CmdId, plan: &Plan) -> ClientMessage {
    ClientMessage::QuickMatch(Box::new(QuickMatch {
        cmd_id,
        options: plan.options.clone(),
        nonce_hash: None,
        level: None,
        any_rating: plan.options.rated,
    }))
}

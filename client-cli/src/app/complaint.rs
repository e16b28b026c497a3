//! Reports of players to the moderators. They go over HTTP, so the shell sends them beside the game.

use tilewire_protocol::RoomId;

use super::report::{Complaint, Done, Report};
use super::{App, Effect};
use crate::reporting::{ReportOrder, TypedReport};

/// Reports that are on their way at the same time.
pub const REPORTS_AT_ONCE: usize = 4;

impl App {
    /// Sends a report of the player with a name. The line is answered at once; the outcome follows when the server has
    /// answered, so the commands of the game do not wait for it.
    ///
    /// # Errors
    /// When the user has no identity, or too many reports are on their way.
    pub(super) fn report_player(
        &mut self,
        number: u64,
        typed: TypedReport,
        effects: &mut Vec<Effect>,
    ) -> Result<(), String> {
        if self.complaints >= REPORTS_AT_ONCE {
            return Err(
                "your other reports are still being sent; try again in a moment".to_owned(),
            );
        }
        let TypedReport {
            name,
            reason,
            words,
        } = typed;
        let (player, line) = self.reported(&name);
        let order = ReportOrder {
            player,
            reason,
            words,
            game: self.game.as_ref().map(ToString::to_string),
            code: line.as_ref().and(self.code.clone()),
            line,
            name: name.clone(),
        };
        self.complaints += 1;
        effects.push(Effect::SendReport(Box::new(order)));
        let done = Done::Reporting(name);
        effects.push(Effect::Report(Report::Done(number, done)));
        Ok(())
    }

    /// Takes the outcome of a report.
    pub(super) fn report_answered(&mut self, complaint: Complaint, effects: &mut Vec<Effect>) {
        self.complaints = self.complaints.saturating_sub(1);
        effects.push(Effect::Report(Report::Complaint(complaint)));
    }

    /// Returns the identity of the player with a name in the game or in its chat, and the last line of the player there. For
    /// another name it returns the name itself, which can be a handle.
    fn reported(&self, name: &str) -> (String, Option<(RoomId, u64)>) {
        let is_named = |other: &str| other.to_lowercase() == name.to_lowercase();
        let seats = self.view.iter().flat_map(|view| &view.setup.seats);
        let mut others = seats.filter(|person| Some(&person.identity) != self.identity.as_ref());
        let seated = others.find(|person| is_named(&person.name));
        let identity = seated.map(|person| person.identity.clone());
        let written = self.chat.last_line(|writer, written| match &identity {
            Some(identity) => writer == identity,
            None => is_named(written) && Some(writer) != self.identity.as_ref(),
        });
        match (identity, written) {
            (_, Some((writer, room, line))) => (writer.to_string(), Some((room, line))),
            (Some(identity), None) => (identity.to_string(), None),
            (None, None) => (name.to_owned(), None),
        }
    }
}

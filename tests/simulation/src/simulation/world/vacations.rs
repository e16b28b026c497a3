//! Vacations in a simulation: players begin and end them, and the server tells the games.

use std::sync::Arc;
use std::time::Duration;

use tilewire_api::vacation_notices;
use tilewire_server::app::App;

use super::World;
use crate::simulation::members::Ask;

/// The time between two rounds.
const ROUND: Duration = Duration::from_secs(5);

impl World {
    /// Tells games of vacations until the runtime ends, in runs that have any.
    pub(super) fn tell_vacations(&self, app: &App) {
        if !self.scenario.has_vacations {
            return;
        }
        let services = app.connection_services();
        let journal = self.disk.stores_beside();
        tokio::spawn(async move {
            loop {
                vacation_notices::round(&services.people, &services.directory, &*journal).await;
                tokio::time::sleep(ROUND).await;
            }
        });
    }

    /// A player begins a vacation of a day, or ends it. Returns whether it asked for that.
    pub(super) fn vacate(&mut self, person: usize, app: &Arc<App>) -> bool {
        let begins = self.dealings.begins_vacation();
        self.ask_with_token(person, app, |by| Ask::Vacation(by, begins))
    }
}

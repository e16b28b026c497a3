//! Letters of a simulation: the tasks that write and send them, and the mail server.

use std::sync::Arc;

use tilewire_accounts::links::LinkKey;
use tilewire_accounts::people::{Letters, MailReach};
use tilewire_base::slow_work::SlowWork;
use tilewire_courier as courier;
use tilewire_server::app::App;
use tilewire_store::OutboxStore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::World;
use crate::simulation::auditor::LetterBounds;
use crate::simulation::person::Person;
use crate::simulation::scenario;
use crate::simulation::steps::{LetterNews, Watched};

/// The secret of links.
const KEY: [u8; 32] = [5; 32];

impl World {
    /// Tells the auditor of the bounds of letters, in runs that have letters.
    pub(super) fn plan_letters(&mut self) {
        if !self.scenario.writes {
            return;
        }
        let mail = &self.scenario.config.mail;
        self.auditor.writes(LetterBounds {
            domain: scenario::MAIL_DOMAIN,
            per_day: mail.per_day,
            window: mail.window,
            wait_ms: mail.wait_ms.0,
            is_moderated: self.scenario.moderates,
        });
    }

    /// Returns the mail address of a member; every fourth one has none.
    pub(super) fn address_of(&self, person: &Person, handle: &str) -> Option<String> {
        let has_one = self.scenario.writes && person.id % 4 != 3;
        has_one.then(|| format!("{}@players.example", handle.to_lowercase()))
    }

    /// Returns what the accounts need for letters, in runs that have any.
    pub(super) async fn letters(&self) -> Option<Letters> {
        if !self.scenario.writes {
            return None;
        }
        let key = self.disk.stores().letter_key(KEY).await;
        let key = key.expect("the disk never refuses it");
        Some(Letters {
            store: self.disk.stores(),
            key: LinkKey::new(key),
            reach: MailReach::default(),
        })
    }

    /// Lets the courier write and send letters until the runtime ends.
    pub(super) fn send_letters(&self, app: &App, letters: Option<Letters>) {
        let Some(letters) = letters else {
            return;
        };
        let services = app.connection_services();
        let disk = &self.disk;
        let parts = courier::Parts {
            store: letters.store,
            accounts: disk.stores(),
            journal: disk.stores_beside(),
            blocks: Arc::clone(services.people.blocks()),
            presence: Arc::new(Watched {
                registry: Arc::clone(&services.registry),
                disk: Arc::clone(disk),
            }),
            catalogue: scenario::catalogue(),
            clock: services.clock.clone(),
            slow_work: SlowWork::InPlace,
            key: letters.key,
            reach: letters.reach,
        };
        let (post, mail) = (Arc::clone(&self.outside.post), &self.scenario.config.mail);
        let (tracker, stop) = (TaskTracker::new(), CancellationToken::new());
        let started = courier::start_with(mail, post, parts, &tracker, &stop);
        started.expect("the sender is an address");
    }

    /// Processes the steps of letters.
    pub(super) fn hear_letters(&mut self) {
        for step in self.disk.take_letter_steps() {
            if let LetterNews::Taken(bytes) = &step.what {
                self.trace.note(self.now, "letter", 0, bytes);
            }
            self.trace.say(self.now, || match &step.what {
                LetterNews::Taken(bytes) => format!("{:?}", String::from_utf8_lossy(bytes)),
                other => format!("{other:?}"),
            });
            self.disk
                .look(|durable| self.auditor.letter(&step, durable));
        }
    }
}

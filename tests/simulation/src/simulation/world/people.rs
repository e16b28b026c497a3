//! Accounts and the chronicle in a simulation: requests about accounts without sockets, and the task that writes results.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use tilewire_accounts::identity::Tokens;
use tilewire_accounts::people::Letters;
use tilewire_base::clock::ServerClock;
use tilewire_base::ids::Ids;
use tilewire_base::slow_work::SlowWork;
use tilewire_config::Config;
use tilewire_people::accounts::Role;
use tilewire_results::chronicle;
use tilewire_results::chronicle::RatingCache;
use tilewire_server::app::{App, Parts};
use tilewire_store::Storage;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use super::World;
use crate::simulation::disk::Disk;
use crate::simulation::durable::at_once;
use crate::simulation::flaws::Flaw;
use crate::simulation::members::{AccountAnswer, Ask, Kind, Member, perform};
use crate::simulation::person::Person;
use crate::simulation::scenario;

/// The points that some members have from before.
const POINTS_BEFORE: u8 = 3;

/// The answers to requests about accounts: the number of the request, the person, and the answer.
pub(super) type Answers = Arc<Mutex<VecDeque<(u64, usize, AccountAnswer)>>>;

impl World {
    /// Returns the parts of a server.
    pub(super) fn parts(
        &self,
        clock: &ServerClock,
        ratings: &Arc<RatingCache>,
        letters: Option<&Letters>,
    ) -> Parts {
        let is_told = self.options.flaw != Some(Flaw::NoCredit);
        let parts = parts_of(
            self.scenario.config.clone(),
            &self.disk,
            clock,
            &self.ids,
            ratings,
        );
        Parts {
            last_stamp: self.stamp.filter(|_| is_told),
            letters: letters.cloned(),
            ..parts
        }
    }

    /// Returns the stored ratings.
    pub(super) async fn ratings(&self, clock: &ServerClock) -> Arc<RatingCache> {
        let filled = RatingCache::filled(clock.clone(), &*self.disk.stores()).await;
        Arc::new(filled.expect("the disk never refuses them"))
    }

    /// Checks what is stored of players, after a start.
    pub(super) fn check_people(&mut self) {
        self.auditor.is_now(self.wall());
        self.disk.look(|durable| {
            self.auditor.check_results(durable);
            self.auditor.check_accounts(durable);
            self.auditor.check_relations(durable);
            self.auditor.check_moderation(durable);
        });
    }

    /// Gives a person an account; one from before is on the disk.
    pub(super) fn with_account(&mut self, person: &mut Person, kind: Kind) {
        if kind == Kind::Guest {
            return;
        }
        let (identity, random) = (self.ids.identity_id(), self.ids.bytes());
        let (member, stored) = Member::new(person.id, kind, &identity, &random);
        if let Some(mut stored) = stored {
            if self.dealings.has(person.id, member.handle()) && self.scenario.moderates {
                stored.account.roles.insert(Role::Moderator);
            }
            let address = self.address_of(person, member.handle());
            if let Some(registration) = &mut stored.account.registration
                && address.is_some()
            {
                registration.mail = address;
                let choices = &mut stored.account.letters;
                choices.turn = person.id % 8 != 1;
                choices.update = person.id.is_multiple_of(2);
                self.auditor.has_address(&identity, *choices);
            }
            self.disk.found(stored);
            self.auditor.exists(&identity, member.handle());
            if person.id % 2 == 1 {
                // A simulation is too short to come to a waiting time from the beginning.
                self.disk.had_points(&identity, POINTS_BEFORE);
                self.auditor.had_points(&identity, POINTS_BEFORE);
            }
            person.identity = Some(identity);
        }
        person.member = Some(member);
    }

    /// Asks the server about the account of a person.
    pub(super) fn ask(&mut self, person: usize, ask: Ask, app: &Arc<App>) {
        let own = &self.people[person];
        let (Some(member), Some(identity)) = (&own.member, &own.identity) else {
            return;
        };
        self.asked += 1;
        let (number, handle) = (self.asked, member.handle());
        self.auditor.is_now(self.epoch + self.now);
        self.auditor.asks(number, (identity, handle), &ask);
        self.trace
            .say(self.now, || format!("{person} asks {number} {ask:?}"));
        let (services, answers) = (app.connection_services(), Arc::clone(&self.answers));
        let (lines, disk) = (Arc::clone(&self.lines), Arc::clone(&self.disk));
        tokio::spawn(async move {
            let told = perform(&services.people, person, handle, ask).await;
            // Nothing leaves a machine that is down.
            if !disk.is_down() {
                let mut answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
                answers.push_back((number, person, told));
                lines.changed.notify_one();
            }
        });
    }

    /// Processes the answers to requests about accounts.
    pub(super) fn hear_answers(&mut self) {
        loop {
            let answers = self.answers.lock();
            let answer = answers.unwrap_or_else(PoisonError::into_inner).pop_front();
            let Some((number, person, told)) = answer else {
                return;
            };
            self.trace
                .note(self.now, "told", number, &[u8::from(told.is_ok())]);
            self.trace
                .say(self.now, || format!("{person} is told {number} {told:?}"));
            if let Some(member) = &mut self.people[person].member {
                self.auditor.told(number, member.handle(), &told);
                member.was_told(&told);
            }
        }
    }

    /// The machine went down with all requests about accounts.
    pub(super) fn forget_answers(&mut self) {
        self.answers = Answers::default();
        for person in &mut self.people {
            if let Some(member) = &mut person.member {
                member.was_forgotten();
            }
        }
    }

    /// Starts the tasks beside the server, which run until the runtime ends.
    pub(super) fn tend(&self, ratings: Arc<RatingCache>, letters: Option<Letters>, app: &App) {
        self.follow_ends(ratings, app);
        self.send_letters(app, letters);
        self.send_webhooks(app);
        self.tell_vacations(app);
    }

    /// Lets the chronicle write results until the runtime ends.
    fn follow_ends(&self, ratings: Arc<RatingCache>, app: &App) {
        let parts = chronicle_of(&self.disk, ratings, app);
        tokio::spawn(chronicle::run(parts, CancellationToken::new()));
    }
}

/// Returns the parts of the chronicle of a server.
pub(super) fn chronicle_of(
    disk: &Arc<Disk>,
    ratings: Arc<RatingCache>,
    app: &App,
) -> chronicle::ChronicleServices {
    let (services, stores) = (app.connection_services(), disk.stores());
    chronicle::ChronicleServices {
        journal: Arc::clone(&stores) as _,
        store: stores,
        catalogue: scenario::catalogue(),
        score_rules: chronicle::ScoreRules::default(),
        ratings,
        enforcement: services.people.enforcement().clone(),
        clock: services.clock.clone(),
        slow_work: SlowWork::InPlace,
    }
}

/// Returns the parts of a server that stores everything on one disk.
pub(in crate::simulation) fn parts_of(
    config: Config,
    disk: &Arc<Disk>,
    clock: &ServerClock,
    ids: &Ids,
    ratings: &Arc<RatingCache>,
) -> Parts {
    let storage = disk.stores();
    let credentials = at_once(storage.credentials()).expect("the disk never refuses them");
    let tokens = Tokens::new(&credentials.keys, &config.identity);
    tokens.revoke_families(credentials.revoked_families);
    Parts {
        config,
        loaded_from: None,
        clock: clock.clone(),
        storage,
        ratings: Arc::<RatingCache>::clone(ratings),
        letters: None,
        pushes: None,
        tokens,
        ids: ids.clone(),
        registry: Arc::default(),
        last_stamp: None,
        handshake_runtime: Handle::current(),
        slow_work: SlowWork::InPlace,
        cluster: None,
    }
}

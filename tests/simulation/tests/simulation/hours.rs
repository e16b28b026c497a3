//! 72 hours for a turn, in virtual time: the letter about the turn, two reminders, the loss, and the result for both players.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use tilewire_accounts::links::LinkKey;
use tilewire_accounts::people::{Blocks, MailReach};
use tilewire_base::clock::ServerClock;
use tilewire_base::ids::Ids;
use tilewire_base::slow_work::SlowWork;
use tilewire_config::{Config, OverloadConfig};
use tilewire_conformance::words::FOURTHS;
use tilewire_courier as courier;
use tilewire_courier::{Carrier, Failure, Parcel};
use tilewire_delivery::outbound::Registry;
use tilewire_delivery::overload::Overload;
use tilewire_game::{Directory, LostTime, NewGame, NewPlayer, Services, SingleNode};
use tilewire_people::accounts::{Account, Registration};
use tilewire_people::codes::RecoveryCodes;
use tilewire_people::handles::Handle;
use tilewire_rules::event::PlayerKind;
use tilewire_rules::lexicon::Lexicon;
use tilewire_rules::options::GameOptions;
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::time::{Millis, Timestamp};
use tilewire_simulation::disk::Temper;
use tilewire_simulation::scenario;
use tilewire_sql::SqlStorage;
use tilewire_store::{AccountChange, AccountStore, OutboxStore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::disk::{disk, run};

const HOUR: Duration = Duration::from_secs(3_600);
const NAMES: [&str; 2] = ["ada", "bob"];

/// A mail server that notes when letters come, in whole hours, and for whom.
#[derive(Debug)]
struct Noted {
    clock: ServerClock,
    began: Timestamp,
    letters: Mutex<Vec<(i64, String)>>,
}

impl Carrier for Noted {
    fn carry<'a>(&'a self, parcel: &'a Parcel) -> BoxFuture<'a, Result<(), Failure>> {
        let hours = self.clock.now().since(self.began) / 3_600_000;
        let to = parcel.to.to_string();
        let letters = self.letters.lock();
        letters.expect("no panic").push((hours, to));
        async { Ok(()) }.boxed()
    }
}

/// Stores an account with an address.
async fn register(stores: &SqlStorage, name: &str) {
    let mut account = Account::guest(name, Timestamp(0));
    account.registration = Some(Registration {
        handle: Handle::parse(name).expect("a usual handle"),
        is_bot: false,
        at: Timestamp(0),
        handle_changed_at: None,
        former_handles: Vec::new(),
        password: None,
        recovery: RecoveryCodes::default(),
        mail: Some(format!("{name}@players.example")),
    });
    let change = AccountChange {
        expected: 0,
        account,
        effects: Vec::new(),
        at: Timestamp(0),
    };
    stores.apply(change).await.expect("nothing fails");
}

fn new_game() -> NewGame {
    let rules = RuleSet::builtin("wordfeud").expect("it is built in");
    let player = |name: &str| NewPlayer {
        identity: name.to_owned(),
        name: name.to_owned(),
        nonce_hash: None,
        level: None,
        kind: Some(PlayerKind::Registered),
        rating: None,
    };
    NewGame {
        id: "g".into(),
        options: GameOptions::usual(&rules, FOURTHS.name()),
        players: NAMES.map(player).to_vec(),
        private_code: None,
        series: None,
        from: None,
    }
}

#[test]
fn a_turn_of_72_hours_is_told_reminded_and_lost() {
    run(async {
        let stores = disk(1, Temper::default(), None).stores();
        let clock = ServerClock::starting_at(Timestamp(1_000_000));
        stores.letter_key([1; 32]).await.unwrap();
        for name in NAMES {
            register(&stores, name).await;
        }
        let mut config = Config::default();
        config.mail.from = "letters@tiles.example".to_owned();
        let services = Services {
            journal: Arc::clone(&stores) as _,
            catalogue: scenario::catalogue(),
            clock: clock.clone(),
            ids: Ids::seeded(1),
            placement: Arc::new(SingleNode),
            lost: LostTime::OfServer,
            others: None,
            overload: Arc::new(Overload::new(&OverloadConfig::default())),
            registry: Arc::default(),
        };
        let directory = Directory::start(services, &config, None).await.unwrap();
        let directory = Arc::new(directory);
        let waking = Arc::clone(&directory);
        tokio::spawn(async move { waking.wake_sleepers().await });
        let noted = Arc::new(Noted {
            clock: clock.clone(),
            began: clock.now(),
            letters: Mutex::default(),
        });
        let parts = courier::Parts {
            store: Arc::clone(&stores) as _,
            accounts: Arc::clone(&stores) as _,
            journal: Arc::clone(&stores) as _,
            blocks: Arc::<Blocks>::default(),
            presence: Arc::<Registry>::default(),
            catalogue: scenario::catalogue(),
            clock: clock.clone(),
            slow_work: SlowWork::InPlace,
            key: LinkKey::new([1; 32]),
            reach: MailReach::default(),
        };
        let (tracker, stop) = (TaskTracker::new(), CancellationToken::new());
        let post = Arc::clone(&noted);
        courier::start_with(&config.mail, post, parts, &tracker, &stop).unwrap();
        directory.create(new_game()).await.unwrap();
        tokio::time::sleep(HOUR * 74).await;
        let letters = noted.letters.lock().unwrap().clone();
        let hours: Vec<i64> = letters.iter().map(|(hours, _)| *hours).collect();
        assert_eq!(hours, [0, 54, 69, 72, 72], "{letters:?}");
        let asked = &letters[0].1;
        assert!(letters[..3].iter().all(|(_, to)| to == asked));
        assert_ne!(letters[3].1, letters[4].1, "both get the result");
        assert_eq!(config.mail.wait_ms, Millis(60_000), "less than an hour");
    });
}

//! Reminders of many sleeping games by correspondence: the time and the memory that the courier takes, and how late letters come.
//!
//! `cargo bench -p tilewire-server --bench letters -- --games 100000 --within 3600`. The reminders of all games are due within the
//! time, evenly. The mail server is one in this process that takes each letter after `--talk-ms`. The exit status is 1 if a letter
//! comes more than a minute late, or not at all.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]
#![allow(clippy::disallowed_methods, reason = "a benchmark reads clocks")]
#![allow(clippy::cast_precision_loss, reason = "far fewer than 2^52")]

use std::fs;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use clap::Parser;
use futures::FutureExt;
use futures::future::BoxFuture;
use tilewire_accounts::links::LinkKey;
use tilewire_accounts::people::{Blocks, MailReach};
use tilewire_base::clock::ServerClock;
use tilewire_base::slow_work::SlowWork;
use tilewire_config::Config;
use tilewire_courier as courier;
use tilewire_courier::{Carrier, Failure, Parcel};
use tilewire_delivery::outbound::Registry;
use tilewire_people::accounts::{Account, Registration};
use tilewire_people::codes::RecoveryCodes;
use tilewire_people::handles::Handle;
use tilewire_protocol::GameId;
use tilewire_rules::clock::ClockKind;
use tilewire_rules::event::{Created, Player, PlayerKind, Record};
use tilewire_rules::game::{Action, Command, Context, Game, Input};
use tilewire_rules::options::GameOptions;
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::state::State;
use tilewire_rules::stream::commitment;
use tilewire_rules::time::{Seat, Timestamp};
use tilewire_store::{
    AccountChange, Append, AwaitedAction, GameLetters, GameMeta, Letter, LetterPage, NewLetter,
    Outdated, Storage,
};
use tilewire_wire::catalogue::Catalogue;
use tilewire_wire::lexica::Lexica;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

const HOUR_MS: i64 = 3_600_000;
/// The limit of a turn, ms.
const LIMIT_MS: i64 = 72 * HOUR_MS;
/// The time before the deadline at which the reminder comes, ms.
const AHEAD_MS: i64 = 18 * HOUR_MS;
/// How late a letter may come.
const LATE_MS: i64 = 60_000;
/// Games that are stored at the same time.
const AT_ONCE: usize = 512;
/// Games of a player.
const GAMES_EACH: usize = 10;
/// Letters that are stored together.
const PAGE: usize = 1_000;

/// Measures the courier.
#[derive(Debug, Parser)]
struct Flags {
    /// Games that sleep
    #[arg(long, default_value_t = 100_000)]
    games: usize,
    /// Seconds in which all reminders are due
    #[arg(long, default_value_t = 3_600)]
    within: u64,
    /// Milliseconds that the mail server takes for a letter
    #[arg(long, default_value_t = 50)]
    talk_ms: u64,
    /// Conversations with the mail server at the same time [default: that of the settings]
    #[arg(long)]
    connections: Option<usize>,
    /// Given by cargo
    #[arg(long, hide = true)]
    bench: bool,
}

/// A mail server that notes how late letters come.
#[derive(Debug)]
struct Noted {
    clock: ServerClock,
    talk: Duration,
    /// When each letter was taken.
    taken: Mutex<Vec<Timestamp>>,
}

impl Carrier for Noted {
    fn carry<'a>(&'a self, _: &'a Parcel) -> BoxFuture<'a, Result<(), Failure>> {
        async {
            tokio::time::sleep(self.talk).await;
            self.taken.lock().unwrap().push(self.clock.now());
            Ok(())
        }
        .boxed()
    }
}

/// A game that waits for its first turn.
struct Waiting {
    records: Vec<Record>,
    state: State,
}

fn waiting(number: usize, began: Timestamp) -> Waiting {
    let rules = RuleSet::builtin("email-validated").unwrap();
    let lexica = Lexica::builtin();
    let lexicon = lexica.find("wordnik").unwrap();
    let secret = [4; 32];
    let options = GameOptions {
        clock: ClockKind::PerMove {
            limit_ms: LIMIT_MS,
            bank_ms: 0,
        },
        ..GameOptions::usual(&rules, "wordnik")
    };
    let players = players(number).map(|identity| Player {
        name: identity.clone(),
        identity,
        nonce_hash: None,
        level: None,
        kind: Some(PlayerKind::Registered),
        rating: None,
    });
    let created = Created {
        game: name(number),
        options,
        players: players.to_vec(),
        lexicon_hash: *lexicon.hash(),
        commitment: commitment(&secret),
        secret,
        series: None,
    };
    let (mut game, first) = Game::create(rules, began, created).unwrap();
    let mut records = vec![first];
    for seat in Seat::all(2) {
        if game.state().seats()[seat.index()].ready.is_some() {
            continue;
        }
        let command = Command {
            seat,
            cmd_id: format!("ready-{}", seat.0),
            digest: 1,
            received_at: began,
            lag_ms: 0,
            action: Action::Ready { nonce: Vec::new() },
        };
        let context = Context::new(&**lexicon);
        let done = game.handle(&context, began, Input::Command(command));
        records.extend(done.records);
        game = done.next;
    }
    let state = game.state().clone();
    Waiting { records, state }
}

fn name(number: usize) -> String {
    // As long as a real one, and as little in order.
    format!(
        "{:016x}",
        (number as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    )
}

/// Returns the players of a game.
fn players(game: usize) -> [String; 2] {
    let pair = game / GAMES_EACH;
    [0, 1].map(|seat| format!("player{}", 2 * pair + seat))
}

/// Returns a game as it is stored, and the reminder about its turn.
fn stored(number: usize, due_at: Timestamp) -> (GameMeta, Vec<Record>, NewLetter) {
    let Waiting { records, state } = waiting(number, due_at.plus(AHEAD_MS - LIMIT_MS));
    let turn = state.turn().expect("a turn");
    let flag = state.clocks().flag_at(state.options().clock);
    let (_, deadline) = flag.expect("a deadline");
    let game = GameId(name(number));
    let meta = GameMeta {
        game: game.clone(),
        epoch: 1,
        rule_set: "email-validated".to_owned(),
        private_code: None,
        players: players(number).to_vec(),
        created_at: records[0].at,
    };
    let letter = NewLetter {
        key: format!("{game}/{}/reminder", turn.seat.index()),
        identity: players(number)[turn.seat.index()].clone(),
        address: None,
        game: Some(game),
        at: due_at,
        due_at,
        until: deadline,
        content: Letter::Reminder {
            seat: turn.seat,
            asked: AwaitedAction::Turn(turn.no),
            deadline: Some(deadline),
            from: None,
        },
    };
    (meta, records, letter)
}

async fn register(storage: &Arc<dyn Storage>, players: usize) {
    let mut tasks = JoinSet::new();
    for number in 0..players {
        let identity = format!("player{number}");
        let mut account = Account::guest(&identity, Timestamp(0));
        account.registration = Some(Registration {
            handle: Handle::parse(&identity).unwrap(),
            is_bot: false,
            at: Timestamp(0),
            handle_changed_at: None,
            former_handles: Vec::new(),
            password: None,
            recovery: RecoveryCodes::default(),
            mail: Some(format!("{identity}@players.example")),
        });
        let change = AccountChange {
            expected: 0,
            account,
            effects: Vec::new(),
            at: Timestamp(0),
        };
        let storage = Arc::clone(storage);
        tasks.spawn(async move { storage.apply(change).await.unwrap() });
        if tasks.len() >= AT_ONCE {
            tasks.join_next().await.unwrap().unwrap();
        }
    }
    tasks.join_all().await;
}

/// Stores all games and returns the letters.
async fn fill(storage: &Arc<dyn Storage>, flags: &Flags, from: Timestamp) -> Vec<NewLetter> {
    let step = flags.within as f64 * 1e3 / flags.games as f64;
    let (mut letters, mut tasks) = (Vec::new(), JoinSet::new());
    for number in 0..flags.games {
        #[expect(clippy::cast_possible_truncation, reason = "hours in milliseconds")]
        let due_at = from.plus((step * number as f64) as i64);
        let (meta, mut records, letter) = stored(number, due_at);
        letters.push(letter);
        let storage = Arc::clone(storage);
        tasks.spawn(async move {
            let (game, first) = (meta.game.clone(), records.remove(0));
            let append = Append {
                game,
                after: first.seq.0,
                records: records.into(),
                is_finished: false,
            };
            storage.create(meta, first).await.unwrap();
            storage.append(append).await.unwrap();
        });
        if tasks.len() >= AT_ONCE {
            tasks.join_next().await.unwrap().unwrap();
        }
    }
    tasks.join_all().await;
    letters
}

async fn write(storage: &Arc<dyn Storage>, letters: &[NewLetter]) {
    for letters in letters.chunks(PAGE) {
        let after = storage.letter_cursor().await.unwrap();
        let games = letters.iter().map(|letter| GameLetters {
            game: letter.game.clone().expect("a game"),
            outdated: Outdated::Nothing,
            letters: vec![letter.clone()],
        });
        let page = LetterPage {
            after,
            until: after.arrival,
            games: games.collect(),
        };
        storage.write_letters(page).await.unwrap();
    }
}

/// Processor time of this process, ms, and its memory, KiB.
fn used() -> (f64, f64) {
    let stat = fs::read_to_string("/proc/self/stat").unwrap();
    let (_, fields) = stat.rsplit_once(") ").unwrap();
    // User and system time of all threads, those that have ended too, in hundredths of a second.
    let times = fields.split(' ').skip(11).take(2);
    let ticks: f64 = times.map(|ticks| ticks.parse::<f64>().unwrap()).sum();
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let memory = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let memory = memory.unwrap().trim().trim_end_matches(" kB");
    (ticks * 10.0, memory.parse().unwrap())
}

async fn measure(flags: &Flags) -> bool {
    let dir = tempfile::tempdir().unwrap();
    let mut config = Config {
        data_dir: dir.path().to_owned(),
        ..Config::default()
    };
    config.mail.from = "letters@tiles.example".to_owned();
    if let Some(connections) = flags.connections {
        config.mail.connections = connections;
    }
    let clock = ServerClock::system();
    let storage = tilewire_databases::open(dir.path(), &config.storage, clock.now()).unwrap();
    register(&storage, 2 * flags.games.div_ceil(GAMES_EACH)).await;
    // All is stored before the first reminder is due.
    let lead_ms = 10_000 + i64::try_from(flags.games).unwrap();
    let from = clock.now().plus(lead_ms);
    let letters = fill(&storage, flags, from).await;
    storage.letter_key([1; 32]).await.unwrap();
    write(&storage, &letters).await;
    assert!(clock.now() < from, "this machine is slower than expected");
    let mut due: Vec<Timestamp> = letters.iter().map(|letter| letter.due_at).collect();
    drop(letters);

    let noted = Arc::new(Noted {
        clock: clock.clone(),
        talk: Duration::from_millis(flags.talk_ms),
        taken: Mutex::default(),
    });
    let parts = parts(&storage, &config, &clock);
    let (tracker, stop) = (TaskTracker::new(), CancellationToken::new());
    let post = Arc::clone(&noted);
    let (cpu_before, memory_before) = used();
    courier::start_with(&config.mail, post, parts, &tracker, &stop).unwrap();
    let end = due.last().expect("a game").plus(LATE_MS);
    let mut memory_most = memory_before;
    while clock.now() < end {
        tokio::time::sleep(Duration::from_secs(1)).await;
        memory_most = memory_most.max(used().1);
    }
    stop.cancel();
    let cpu = used().0 - cpu_before;
    let mut taken = noted.taken.lock().unwrap().clone();
    storage.close().await;
    taken.sort_unstable();
    due.sort_unstable();
    // Letters leave in the order in which they are due, so the n-th is the n-th.
    let late = taken.iter().zip(&due);
    let late = late.map(|(at, due)| at.since(*due)).collect();
    report(flags, late, cpu, memory_most - memory_before)
}

fn parts(storage: &Arc<dyn Storage>, config: &Config, clock: &ServerClock) -> courier::Parts {
    courier::Parts {
        store: Arc::clone(storage) as _,
        accounts: Arc::clone(storage) as _,
        journal: Arc::clone(storage) as _,
        blocks: Arc::<Blocks>::default(),
        presence: Arc::<Registry>::default(),
        catalogue: Catalogue::load(config).unwrap(),
        clock: clock.clone(),
        slow_work: SlowWork::OnThread,
        key: LinkKey::new([1; 32]),
        reach: MailReach::default(),
    }
}

/// Prints how late the letters came, ms, and what they cost, in ms and KiB. Returns whether all came in time.
fn report(flags: &Flags, mut late: Vec<i64>, cpu: f64, memory: f64) -> bool {
    late.sort_unstable();
    let at = |percent: usize| {
        let place = late.len().saturating_sub(1) * percent / 100;
        late.get(place).copied().unwrap_or(i64::MAX)
    };
    println!(
        "{} of {} letters; late p50 {} ms, p99 {} ms, at most {} ms; {:.2} ms of CPU for each, {:.2} % of a core; {:.1} MiB more memory",
        late.len(),
        flags.games,
        at(50),
        at(99),
        at(100),
        cpu / late.len().max(1) as f64,
        cpu / (flags.within as f64 * 10.0),
        memory / 1024.0
    );
    late.len() == flags.games && at(100) <= LATE_MS
}

fn main() -> ExitCode {
    let flags = Flags::parse();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    match runtime.block_on(measure(&flags)) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

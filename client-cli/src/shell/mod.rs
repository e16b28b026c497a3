//! The thin shell around the application: socket, terminal, files, clock and randomness.

mod bot;
mod clock;
mod driver;
mod line_mode;
mod listing;
mod profile;
mod rule_sets;
mod socket;
mod terminal;

use std::io::{IsTerminal, Write, stderr, stdin, stdout};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result};
use clap::Parser;
use tilewire_protocol::{Level, causes};
use tilewire_rules::bot::BotLevel;

use crate::account::{self, AccountTask};
use crate::analysis;
use crate::app::{Accept, App, AppConfig, AtEnd, Follow, Goal, Offer, OnRefusal};
use crate::args::{BotArgs, Cli, Common, Mode, PlayArgs, Task, Tool, Work};
use crate::bots;
use crate::command::Visibility;
use crate::history::{self, HistoryTask};
use crate::lexicon;
use crate::manual;
use crate::people::{self, PeopleTask};
use crate::record;
use crate::screen::ScreenOptions;
use driver::Driver;
use profile::Profile;

/// Runs the program with the arguments of the process.
#[must_use]
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    crate::tls::install();
    match run(cli) {
        Ok(status) => ExitCode::from(status),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // An error of stderr cannot be reported.
            drop(writeln!(stderr(), "tilewire: {}", causes(error.as_ref())));
            ExitCode::FAILURE
        }
    }
}

/// Whether stdout is a pipe whose reader has enough, such as `head`.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let causes = error.chain().filter_map(|cause| cause.downcast_ref());
    let mut kinds = causes.map(std::io::Error::kind);
    kinds.any(|kind| kind == std::io::ErrorKind::BrokenPipe)
}

fn run(cli: Cli) -> Result<u8> {
    match cli.work {
        Work::Online(task) => run_online(&task, &cli.common),
        Work::Account(task) => run_account(&task, &cli.common),
        Work::History(task) => run_history(&task, &cli.common),
        Work::People(task) => run_people(&task, &cli.common),
        Work::Offline(Tool::BotMatch(args)) => bots::run_match(&args, cli.common.json),
        Work::Offline(Tool::Analyze(args)) => {
            analysis::run_analyze(&args, &cli.common.server, cli.common.json)
        }
        Work::Offline(Tool::Position(args)) => analysis::run_position(&args, cli.common.json),
        Work::Offline(Tool::BotTrain(args)) => bots::run_train(&args, cli.common.json),
        Work::Offline(Tool::Record(args)) => {
            Ok(record::run(&args, &cli.common.server, cli.common.json)?)
        }
        Work::Offline(Tool::Verify(args)) => Ok(record::run_verify(
            &args,
            &cli.common.server,
            cli.common.json,
        )?),
        Work::Offline(Tool::Lexicon(args)) => lexicon::run(&args, cli.common.json),
        Work::Offline(Tool::Completions { shell }) => manual::completions(shell),
        Work::Offline(Tool::Man { output }) => manual::man(output.as_deref()),
    }
}

fn run_online(task: &Task, common: &Common) -> Result<u8> {
    if let Task::Bot(bot) = task {
        return run_bot(task, bot, common);
    }
    let is_terminal = !common.json && stdin().is_terminal() && stdout().is_terminal();
    let profile = Profile::new(common.data_dir.as_deref(), &common.profile, &common.server)?;
    let mut config = config(task, common, &profile)?;
    if is_terminal {
        config.follow = Follow::FromNow;
        config.at_end = AtEnd::Stay;
    }
    let app = App::new(config);
    let driver = Driver::new(app, profile, common.server.clone(), common.encoding.codec());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let status = runtime.block_on(async {
        match task {
            Task::Games(_) | Task::Whoami | Task::Rules(_) | Task::Lookup(_) => {
                listing::run(driver, common.json).await
            }
            _ if !is_terminal => line_mode::run(driver).await,
            Task::Play(play) => terminal::run(driver, play.screen.options()).await,
            Task::Lobby(lobby) => terminal::run(driver, lobby.screen.options()).await,
            Task::Watch(_) => terminal::run(driver, ScreenOptions::default()).await,
            Task::Bot(_) => unreachable!("a bot has no terminal"),
        }
    });
    // The thread that reads stdin may block, so the runtime does not wait for it.
    runtime.shutdown_background();
    status
}

fn run_account(task: &AccountTask, common: &Common) -> Result<u8> {
    let profile = Profile::new(common.data_dir.as_deref(), &common.profile, &common.server)?;
    if matches!(task, AccountTask::Register { .. }) && profile.token()?.is_none() {
        become_guest(common, &profile)?;
    }
    let endpoint = account::Endpoint {
        server: &common.server,
        token: profile.token()?,
        as_json: common.json,
    };
    match account::run(task, &endpoint)? {
        account::NewToken::Keep => {}
        account::NewToken::LogIn { token, guest } => profile.log_in(token, guest)?,
        account::NewToken::LogOut => profile.log_out()?,
    }
    Ok(0)
}

fn run_history(task: &HistoryTask, common: &Common) -> Result<u8> {
    let profile = Profile::new(common.data_dir.as_deref(), &common.profile, &common.server)?;
    if profile.token()?.is_none() {
        become_guest(common, &profile)?;
    }
    let endpoint = account::Endpoint {
        server: &common.server,
        token: profile.token()?,
        as_json: common.json,
    };
    history::run(task, &endpoint)?;
    Ok(0)
}

fn run_people(task: &PeopleTask, common: &Common) -> Result<u8> {
    let profile = Profile::new(common.data_dir.as_deref(), &common.profile, &common.server)?;
    let endpoint = account::Endpoint {
        server: &common.server,
        token: profile.token()?,
        as_json: common.json,
    };
    people::run(task, &endpoint)?;
    Ok(0)
}

/// Gets an identity from the server.
fn become_guest(common: &Common, profile: &Profile) -> Result<()> {
    let config = config(&Task::Whoami, common, profile)?;
    let (url, codec) = (common.server.clone(), common.encoding.codec());
    let driver = Driver::new(App::new(config), profile.clone(), url, codec);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(listing::identify(driver))
}

fn config(task: &Task, common: &Common, profile: &Profile) -> Result<AppConfig> {
    let level = match task {
        Task::Play(play) => play.level,
        Task::Lobby(lobby) => lobby.level,
        Task::Bot(bot) => Some(target_level(bot.level)),
        Task::Watch(_) | Task::Games(_) | Task::Whoami | Task::Rules(_) | Task::Lookup(_) => None,
    };
    let (goal, accept, stay) = match task {
        Task::Play(play) => (play_goal(play, level), play.auto_accept, play.stay),
        Task::Watch(watch) => {
            let game = watch.game.clone().map(Into::into);
            (Goal::Watch(game, watch.code.clone()), false, watch.stay)
        }
        Task::Lobby(lobby) => {
            let goal = Goal::Lobby(lobby.game.offer(level));
            (goal, lobby.auto_accept, lobby.stay)
        }
        Task::Games(games) if games.finished => {
            let before = games.before.clone().map(Into::into);
            (Goal::ListFinished(before), false, false)
        }
        Task::Games(_) => (Goal::List, false, false),
        Task::Bot(bot) => {
            let goal = game_goal(&bot.mode, bot.game.offer(level), bot.private);
            (goal, false, false)
        }
        Task::Whoami => (Goal::Identify, false, false),
        Task::Lookup(lookup) => (Goal::LookUp(lookup.request()), false, false),
        Task::Rules(rules) => {
            let asked = rules
                .rule_set
                .clone()
                .map(|id| (id, rules.language.clone()));
            (Goal::Rules(asked), false, false)
        }
    };
    Ok(AppConfig {
        goal,
        token: profile.token()?,
        name: common.name.clone(),
        identity_hint: profile.hint(),
        invocation: common.invocation(program()),
        accept: if accept { Accept::Auto } else { Accept::Ask },
        on_refusal: match task {
            Task::Bot(_) => OnRefusal::Retry,
            _ => OnRefusal::Report,
        },
        follow: Follow::FromStart,
        at_end: if stay { AtEnd::Stay } else { AtEnd::Leave },
        level,
        give_up_ms: common.give_up,
        change_offer: crate::args::change_offer,
        seed: seed()?,
    })
}

fn run_bot(task: &Task, args: &BotArgs, common: &Common) -> Result<u8> {
    let profile = Profile::new(common.data_dir.as_deref(), &common.profile, &common.server)?;
    let (words, lexicon_hash) = bot::words(args.lexicon_file.as_deref())?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let mut played = 0;
    loop {
        let mut config = config(task, common, &profile)?;
        if let Goal::Open(offer, _) | Goal::Quick(offer) = &mut config.goal {
            offer.lexicon_hash = Some(lexicon_hash);
        }
        let mut number = [0; 8];
        number.copy_from_slice(&config.seed[..8]);
        let bot_config = bot::BotConfig {
            level: args.level,
            words: Arc::clone(&words),
            lexicon_hash,
            pause_ms: args.pause,
            seed: u64::from_le_bytes(number),
            as_json: common.json,
        };
        let (url, codec) = (common.server.clone(), common.encoding.codec());
        let driver = Driver::new(App::new(config), profile.clone(), url, codec);
        let status = runtime.block_on(bot::run(driver, &bot_config))?;
        played += 1;
        if status != 0 || played == args.games {
            return Ok(status);
        }
    }
}

/// The level of a bot, in rule sets with targets.
const fn target_level(level: BotLevel) -> Level {
    match level {
        BotLevel::Beginner | BotLevel::Casual => Level::Beginner,
        BotLevel::Improver | BotLevel::Club => Level::Intermediate,
        BotLevel::Expert | BotLevel::Master => Level::Expert,
    }
}

fn play_goal(play: &PlayArgs, level: Option<Level>) -> Goal {
    game_goal(&play.mode, play.game.offer(level), play.private)
}

fn game_goal(mode: &Mode, offer: Offer, private: bool) -> Goal {
    let visibility = if private {
        Visibility::Private
    } else {
        Visibility::Public
    };
    match (&mode.join, &mode.code, &mode.resume) {
        (Some(seek), _, _) => Goal::Join(seek.as_str().into()),
        (None, Some(code), _) => Goal::JoinCode(code.clone()),
        (None, None, Some(game)) => Goal::Resume(game.clone().map(Into::into)),
        (None, None, None) if mode.quick => Goal::Quick(offer),
        (None, None, None) => Goal::Open(offer, visibility),
    }
}

/// The name or path by which the user called this program.
fn program() -> String {
    let called = std::env::args_os().next();
    called.map_or_else(
        || "tilewire".to_owned(),
        |called| called.to_string_lossy().into_owned(),
    )
}

#[expect(
    clippy::disallowed_methods,
    reason = "this is where the program draws its randomness"
)]
fn seed() -> Result<[u8; 32]> {
    let mut seed = [0; 32];
    getrandom::fill(&mut seed).context("the system provides no random numbers")?;
    Ok(seed)
}

//! The program `tilewire-server`.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;
use tilewire_base::clock::ServerClock;
use tilewire_config as config;
use tilewire_config::{Config, Sources};
use tilewire_control::telemetry;
use tilewire_courier as courier;
use tilewire_operate::cli::{BackupTask, Cli, ClockTask, ConfigTask, MailTask, Task};
use tilewire_operate::top::{View, top};
use tilewire_operate::{
    account_commands, backups, clock_check, conduct, console, keys, manual, moderation_commands,
    ratings, upkeep,
};
use tilewire_protocol::causes;

/// Exit code for invalid settings, as for wrong flags.
const EXIT_USAGE: u8 = 2;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let sources = cli.flags.sources();
    if matches!(cli.task, Some(Task::Config(ConfigTask::Check))) {
        return check(&sources);
    }
    let config = match config::load(&sources) {
        Ok(config) => config,
        Err(error) => return fail(EXIT_USAGE, &error.to_string()),
    };
    let done = match cli.task {
        None => serve(config, sources),
        Some(Task::Config(ConfigTask::Keys)) => print(&keys_text()),
        Some(Task::Config(ConfigTask::Check)) => Ok(()),
        Some(Task::Config(ConfigTask::Print)) => config.to_toml().map_or_else(
            |error| Err(anyhow::anyhow!(error)),
            |settings| print(&settings),
        ),
        Some(Task::Cluster(task)) => {
            tilewire_operate::cluster_status::cluster(&config, task).and_then(|said| print(&said))
        }
        Some(Task::Clock(task)) => clock(&config, task).and_then(|said| print(&said)),
        Some(Task::Keys(task)) => keys::keys(&config, &task).and_then(|said| print(&said)),
        Some(Task::Identities(task)) => {
            keys::identities(&config, &task).and_then(|said| print(&said))
        }
        Some(Task::Tokens(task)) => keys::tokens(&config, &task).and_then(|said| print(&said)),
        Some(Task::Roles(task)) => {
            account_commands::roles(&config, &task).and_then(|said| print(&said))
        }
        Some(Task::Moderation(task)) => {
            moderation_commands::moderation(&config, &task).and_then(|said| print(&said))
        }
        Some(Task::Admin(command)) => {
            console::admin(&config, &command).and_then(|said| print(&said))
        }
        Some(Task::Audit(task)) => {
            account_commands::audit(&config, &task).and_then(|said| print(&said))
        }
        Some(Task::Ratings(task)) => ratings::ratings(&config, task).and_then(|said| print(&said)),
        Some(Task::Conduct(task)) => conduct::conduct(&config, task).and_then(|said| print(&said)),
        Some(Task::Mail(MailTask::Test { address })) => {
            courier::trial(&config.mail, &address).and_then(|said| print(&said))
        }
        Some(Task::Webhooks(task)) => {
            tilewire_operate::webhooks::webhooks(&config, &task).and_then(|said| print(&said))
        }
        Some(Task::Top { once }) => {
            let view = if once { View::Once } else { View::Live };
            top(&config, view).and_then(|said| print(&said))
        }
        Some(Task::Check) => upkeep::check(&config).and_then(|said| print(&said)),
        Some(Task::Backup { file, task }) => {
            backup(&config, file.as_deref(), task).and_then(|said| print(&said))
        }
        Some(Task::Restore { file }) => {
            upkeep::restore(&config, &file).and_then(|said| print(&said))
        }
        Some(Task::Migrate { to }) => {
            upkeep::migrate(&config, to.as_deref()).and_then(|said| print(&said))
        }
        Some(Task::Completions { shell }) => {
            manual::completions(shell).and_then(|said| print(&said))
        }
        Some(Task::Man { output }) => manual::man(output.as_deref()).and_then(|said| print(&said)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(1, &causes(error.as_ref())),
    }
}

/// Reports all faults of the settings, and of what they name on this machine.
fn check(sources: &Sources) -> ExitCode {
    let looked = config::look(sources);
    let is_wrong = !looked.errors.is_empty();
    let mut faults: Vec<String> = looked.errors.iter().map(ToString::to_string).collect();
    if let Some(config) = &looked.config {
        let local = tilewire_server::faults(config);
        faults.extend(local.iter().filter_map(|fault| looked.located(fault)));
    }
    let code = if is_wrong { EXIT_USAGE } else { 1 };
    match faults.as_slice() {
        [] => print("the settings are valid\n").map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS),
        [fault] => fail(code, fault),
        faults => {
            let count = faults.len();
            let list = faults.join("\n  ");
            fail(
                code,
                &format!("the settings have {count} errors:\n  {list}"),
            )
        }
    }
}

fn backup(
    config: &Config,
    file: Option<&Path>,
    task: Option<BackupTask>,
) -> anyhow::Result<String> {
    match (file, task) {
        (Some(file), None) => upkeep::backup(config, file),
        (None, Some(BackupTask::Drill { file })) => backups::drill(config, file.as_deref()),
        _ => Err(anyhow::anyhow!("name either a file or a task")),
    }
}

fn clock(config: &Config, task: ClockTask) -> anyhow::Result<String> {
    let machine = ServerClock::system().now();
    match task {
        ClockTask::Show => clock_check::show(config, machine),
        ClockTask::Accept => clock_check::accept(config, machine),
    }
}

fn serve(config: Config, sources: Sources) -> anyhow::Result<()> {
    telemetry::install(&config.log)?;
    let ended = tilewire_server::run(config, sources);
    telemetry::finish();
    ended
}

/// Returns every setting in a line, with what a change of it needs.
fn keys_text() -> String {
    let line = |(key, is_reloadable): (String, bool)| {
        let needs = if is_reloadable { "reload" } else { "restart" };
        format!("{key}  {needs}\n")
    };
    config::all_keys().into_iter().map(line).collect()
}

fn print(text: &str) -> anyhow::Result<()> {
    match io::stdout().write_all(text.as_bytes()) {
        // The reader may close the pipe early.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}

#[expect(
    clippy::print_stderr,
    reason = "the log filter must not hide an error of the program"
)]
fn fail(code: u8, error: &str) -> ExitCode {
    eprintln!("tilewire-server: {error}");
    ExitCode::from(code)
}

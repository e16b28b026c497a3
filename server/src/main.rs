//! The program `tilewire-server`.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use tilewire_server::cli::{Cli, ConfigTask, Task};
use tilewire_server::config::{self, Config};
use tilewire_server::identity::Site;
use tilewire_server::{keys, telemetry, upkeep};

/// Exit code for invalid settings, as for wrong flags.
const EXIT_USAGE: u8 = 2;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let sources = cli.flags.sources();
    let config = match config::load(&sources) {
        Ok(config) => config,
        Err(error) => return fail(EXIT_USAGE, &error.to_string()),
    };
    let done = match cli.task {
        None => serve(config),
        Some(Task::Config(ConfigTask::Check)) => Site::load(&config.site, &config.identity)
            .map_err(Into::into)
            .and_then(|_| print("the settings are valid\n")),
        Some(Task::Config(ConfigTask::Print)) => config.to_toml().map_or_else(
            |error| Err(anyhow::anyhow!(error)),
            |settings| print(&settings),
        ),
        Some(Task::Config(ConfigTask::Keys)) => print(&config::reference()),
        Some(Task::Keys(task)) => keys::keys(&config, &task).and_then(|said| print(&said)),
        Some(Task::Identities(task)) => {
            keys::identities(&config, &task).and_then(|said| print(&said))
        }
        Some(Task::Tokens(task)) => keys::tokens(&config, &task).and_then(|said| print(&said)),
        Some(Task::Check) => upkeep::check(&config).and_then(|said| print(&said)),
        Some(Task::Backup { file }) => upkeep::backup(&config, &file).and_then(|said| print(&said)),
        Some(Task::Restore { file }) => {
            upkeep::restore(&config, &file).and_then(|said| print(&said))
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(1, &format!("{error:#}")),
    }
}

fn serve(config: Config) -> anyhow::Result<()> {
    telemetry::install(&config.log)?;
    tilewire_server::run(config)
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
    reason = "errors of the program go to stderr, whatever the log filter says"
)]
fn fail(code: u8, error: &str) -> ExitCode {
    eprintln!("tilewire-server: {error}");
    ExitCode::from(code)
}

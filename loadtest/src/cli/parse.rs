//! Parses the command line and rejects flags that have no effect.

use std::ffi::OsString;

use clap::error::{Error, ErrorKind};
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches};

use super::Cli;
use crate::options::{INAPPLICABLE, INAPPLICABLE_TOGETHER};
use crate::server_config;

/// Parses the command line.
///
/// # Errors
/// When it is invalid, or has a flag without effect.
pub(crate) fn parse(words: impl Iterator<Item = OsString>) -> Result<Cli, Error> {
    let mut command = Cli::command();
    let matches = command.try_get_matches_from_mut(words)?;
    if let Some(objection) = objection(&matches) {
        return Err(command.error(ErrorKind::ArgumentConflict, objection));
    }
    let cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
    // An invalid --set is reported before a server starts.
    if let Err(error) = server_config::read(&cli.common.set) {
        return Err(command.error(ErrorKind::ValueValidation, format!("{error:#}")));
    }
    Ok(cli)
}

/// The message about a flag without effect, if there is one.
fn objection(matches: &ArgMatches) -> Option<String> {
    let (task, matches) = matches.subcommand()?;
    let is_said = |flag: &str| {
        let is_known = matches.try_contains_id(flag).is_ok();
        is_known && matches.value_source(flag) == Some(ValueSource::CommandLine)
    };
    let here = INAPPLICABLE.iter().filter_map(|(tasks, flags, why)| {
        let flag = flags.iter().find(|flag| is_said(flag))?;
        let is_here = tasks.contains(&task);
        is_here.then(|| format!("--{flag} has no effect with `{task}`: {why}"))
    });
    let beside = INAPPLICABLE_TOGETHER
        .iter()
        .filter_map(|(flag, other, why)| {
            let are_both = is_said(flag) && is_said(other);
            are_both.then(|| format!("--{flag} has no effect with --{other}: {why}"))
        });
    // A flag has the name of its field.
    here.chain(beside).next().map(|said| said.replace('_', "-"))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::options::conditions;

    fn said(line: &str) -> Result<Cli, String> {
        let words = ["tilewire-loadtest"].into_iter();
        let words = words.chain(line.split_whitespace()).map(OsString::from);
        parse(words).map_err(|error| error.to_string())
    }

    #[test]
    fn flags_without_effect_are_rejected() {
        let check = |line: &str, wanted: Option<&str>| match (said(line), wanted) {
            (Ok(_), None) => {}
            (Err(said), Some(wanted)) => assert!(said.contains(wanted), "{line}: {said}"),
            (found, _) => panic!("{line}: {found:?}"),
        };
        for series in ["growth", "memory", "disturb"] {
            check(
                &format!("{series} --html page"),
                Some("--html has no effect"),
            );
            check(&format!("{series} --duration 1 --json -"), None);
        }
        check(
            "--html page memory",
            Some("--html has no effect with `memory`"),
        );
        check("compare a b --html page", Some("--html has no effect"));
        check("compare a b --repeat 2", Some("--repeat has no effect"));
        check("compare a b --duration 1", Some("it starts no server"));
        check("compare a b --json -", None);
        check("restart --duration 1", Some("until all clients are back"));
        check("crash --duration 1", Some("--rounds"));
        check("mixed profile --duration 1", Some("--for"));
        check("mixed profile --for 1s --html page", None);
        check("hot --duration 1 --html page --repeat 2", None);
        let elsewhere = "matches --url 127.0.0.1:1";
        check(&format!("{elsewhere} --admin 127.0.0.1:2"), None);
        for useless in ["--server-bin x", "--set a=1", "--disk-probe"] {
            let line = format!("{elsewhere} {useless}");
            check(&line, Some("has no effect with --url"));
            let line = format!("{useless} {elsewhere}");
            check(&line, Some("has no effect with --url"));
        }
        check("hot --set timing", Some("invalid TOML"));
    }

    #[test]
    fn conditions_list_the_flags_that_apply() {
        let check = |line: &str, wanted: Value| {
            let cli = said(line).expect(line);
            let task = line.split(' ').next().unwrap_or_default();
            assert_eq!(conditions(task, &cli.common), wanted, "{line}");
        };
        check(
            "matches --duration 3 --warm-up 0.5 --seed 7 --repeat 2 --set [timing] --set heartbeat_ms=9",
            json!({ "duration_s": 3.0, "warm_up_s": 0.5, "seed": 7, "repeat": 2, "url": null,
                "set": ["[timing]", "heartbeat_ms=9"], "admin": null, "disk_probe": false }),
        );
        check(
            "crash --disk-probe",
            json!({ "warm_up_s": 5.0, "seed": 1, "repeat": 1, "url": null,
                "set": [], "admin": null, "disk_probe": true }),
        );
    }
}

//! Flags of all tasks that mean nothing for one of them, and those that a report was made with.

use std::ffi::OsString;

use clap::error::{Error, ErrorKind};
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches};
use serde_json::{Map, Value, json};

use crate::args::{Cli, Common};
use crate::server_config;

/// Tasks, flags that mean nothing for them, and why.
const MEANINGLESS: &[(&[&str], &[&str], &str)] = &[
    (
        &["compare", "floor"],
        &[
            "server_bin",
            "url",
            "admin",
            "server_cores",
            "set",
            "warm_up",
            "duration",
            "disk_probe",
            "repeat",
            "seed",
        ],
        "it loads no server",
    ),
    (&["floor"], &["json"], "it has no report"),
    (
        &["growth", "memory", "disturb", "peers", "compare", "floor"],
        &["html"],
        "only the report of one scenario can be a page",
    ),
    (
        &["peers"],
        &["repeat"],
        "--pairs says how many runs there are",
    ),
    (
        &["peers"],
        &["url", "admin"],
        "it starts a server of ours in turns with that of somebody else",
    ),
    (
        &["peers"],
        &["disk_probe"],
        "its report does not say what one saw",
    ),
    (
        &["restart"],
        &["duration"],
        "it lasts until everybody is back",
    ),
    (&["crash"], &["duration"], "--rounds says how long it lasts"),
    (&["mixed"], &["duration"], "--for says how long it lasts"),
];

/// Flags that mean nothing beside another one, and why. clap sees no pair of which one is before the task's name.
const MEANINGLESS_BESIDE: &[(&str, &str, &str)] = &[
    ("repeat", "pairs", "it says how many runs there are"),
    ("server_bin", "url", "that server runs already"),
    ("set", "url", "that server runs already"),
    ("disk_probe", "url", "its disk may be elsewhere"),
];

/// Reads the command line.
///
/// # Errors
/// When it is none, or has a flag that would do nothing.
pub(crate) fn parse(words: impl Iterator<Item = OsString>) -> Result<Cli, Error> {
    let mut command = Cli::command();
    let matches = command.try_get_matches_from_mut(words)?;
    if let Some(objection) = objection(&matches) {
        return Err(command.error(ErrorKind::ArgumentConflict, objection));
    }
    let cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
    // It is to be known before anything is started.
    if let Err(error) = server_config::read(&cli.common.set) {
        return Err(command.error(ErrorKind::ValueValidation, format!("{error:#}")));
    }
    Ok(cli)
}

/// What is wrong with flags that would do nothing.
fn objection(matches: &ArgMatches) -> Option<String> {
    let (task, matches) = matches.subcommand()?;
    let is_said = |flag: &str| {
        let is_known = matches.try_contains_id(flag).is_ok();
        is_known && matches.value_source(flag) == Some(ValueSource::CommandLine)
    };
    let here = MEANINGLESS.iter().filter_map(|(tasks, flags, why)| {
        let flag = flags.iter().find(|flag| is_said(flag))?;
        let is_here = tasks.contains(&task);
        is_here.then(|| format!("--{flag} means nothing for `{task}`: {why}"))
    });
    let beside = MEANINGLESS_BESIDE.iter().filter_map(|(flag, other, why)| {
        let are_both = is_said(flag) && is_said(other);
        are_both.then(|| format!("--{flag} means nothing beside --{other}: {why}"))
    });
    // A flag has the name of its field.
    here.chain(beside).next().map(|said| said.replace('_', "-"))
}

/// What a task was done with besides its own flags, for its report.
pub(crate) fn conditions(task: &str, common: &Common) -> Value {
    let all = [
        ("warm_up", "warm_up_s", json!(common.warm_up.as_secs_f64())),
        (
            "duration",
            "duration_s",
            json!(common.duration.as_secs_f64()),
        ),
        ("seed", "seed", json!(common.seed)),
        ("repeat", "repeat", json!(common.repeat)),
        ("set", "set", json!(common.set)),
        ("url", "url", json!(common.url)),
        ("admin", "admin", json!(common.admin)),
        ("disk_probe", "disk_probe", json!(common.disk_probe)),
    ];
    let means_nothing = |flag: &str| {
        let mut rows = MEANINGLESS.iter();
        rows.any(|(tasks, flags, _)| tasks.contains(&task) && flags.contains(&flag))
    };
    let conditions = all
        .into_iter()
        .filter(|(flag, ..)| !means_nothing(flag))
        .map(|(_, key, value)| (key.to_owned(), value));
    Value::Object(conditions.collect::<Map<_, _>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(line: &str) -> Result<Cli, String> {
        let words = ["tilewire-loadtest"].into_iter();
        let words = words.chain(line.split_whitespace()).map(OsString::from);
        parse(words).map_err(|error| error.to_string())
    }

    #[test]
    fn flags_that_would_do_nothing_are_refused() {
        let check = |line: &str, wanted: Option<&str>| match (said(line), wanted) {
            (Ok(_), None) => {}
            (Err(said), Some(wanted)) => assert!(said.contains(wanted), "{line}: {said}"),
            (found, _) => panic!("{line}: {found:?}"),
        };
        for series in ["growth", "memory", "disturb", "peers"] {
            check(
                &format!("{series} --html page"),
                Some("--html means nothing"),
            );
            check(&format!("{series} --duration 1 --json -"), None);
        }
        check(
            "--html page memory",
            Some("--html means nothing for `memory`"),
        );
        check("compare a b --html page", Some("--html means nothing"));
        check("compare a b --repeat 2", Some("--repeat means nothing"));
        check("compare a b --json -", None);
        check("floor disk --html page", Some("--html means nothing"));
        check("floor relay --duration 1", Some("it loads no server"));
        check("floor disk --json -", Some("it has no report"));
        check("floor disk", None);
        check("peers --repeat 2", Some("--pairs says"));
        check("peers --pairs 2", None);
        check("peers --url 127.0.0.1:1", Some("--url means nothing"));
        check("restart --duration 1", Some("until everybody is back"));
        check("crash --duration 1", Some("--rounds"));
        check("mixed profile --duration 1", Some("--for"));
        check("mixed profile --for 1s --html page", None);
        check("hot --duration 1 --html page --repeat 2", None);
        let floor = "hot --floor relay";
        check(&format!("{floor} --pairs 2"), None);
        let useless = [
            "--storm",
            "--storm --afresh",
            "--stalled 0.1",
            "--processes 1",
        ];
        for useless in useless {
            check(&format!("{floor} {useless}"), Some("cannot be used with"));
        }
        check(
            "matches --floor relay --followers 3",
            Some("cannot be used with"),
        );
        for task in ["hot", "matches"] {
            let line = format!("{task} --floor relay --pairs 2 --repeat 2");
            check(&line, Some("--repeat means nothing beside --pairs"));
            let line = format!("--repeat 2 {task} --floor relay --pairs 2");
            check(&line, Some("--repeat means nothing beside --pairs"));
        }
        let elsewhere = "matches --url 127.0.0.1:1";
        check(&format!("{elsewhere} --admin 127.0.0.1:2"), None);
        for useless in ["--server-bin x", "--set a=1", "--disk-probe"] {
            let line = format!("{elsewhere} {useless}");
            check(&line, Some("means nothing beside --url"));
            let line = format!("{useless} {elsewhere}");
            check(&line, Some("means nothing beside --url"));
        }
        check("hot --set timing", Some("no TOML"));
    }

    #[test]
    fn a_report_names_the_flags_that_count() {
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
        check(
            "peers",
            json!({ "duration_s": 30.0, "warm_up_s": 5.0, "seed": 1, "set": [] }),
        );
    }
}

//! Which common flags have no effect for a task, and the flags that a report lists as its conditions.

use serde_json::{Map, Value, json};

use super::CommonOptions;

/// Tasks, flags that have no effect with them, and why.
pub const INAPPLICABLE: &[(&[&str], &[&str], &str)] = &[
    (
        &["cluster"],
        &[
            "url",
            "admin",
            "server_cores",
            "set",
            "warm_up",
            "duration",
            "disk_probe",
            "repeat",
            "seed",
            "json",
            "html",
        ],
        "it loads nothing",
    ),
    (
        &["compare"],
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
        "it starts no server",
    ),
    (
        &["growth", "memory", "disturb", "compare"],
        &["html"],
        "only the report of one scenario can be written as a page",
    ),
    (
        &["restart"],
        &["duration"],
        "the run lasts until all clients are back",
    ),
    (
        &["crash"],
        &["duration"],
        "--rounds sets the length of the run",
    ),
    (
        &["mixed"],
        &["duration"],
        "--for sets the length of the run",
    ),
];

/// Flags that have no effect beside another one, and why. clap does not detect a conflict when one of the two comes
/// before the name of the task.
pub const INAPPLICABLE_TOGETHER: &[(&str, &str, &str)] = &[
    ("server_bin", "url", "that server is already running"),
    ("set", "url", "that server is already running"),
    ("disk_probe", "url", "that server may be on another machine"),
];

/// The common flags that apply to a task, for its report.
pub fn conditions(task: &str, common: &CommonOptions) -> Value {
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
        let mut rows = INAPPLICABLE.iter();
        rows.any(|(tasks, flags, _)| tasks.contains(&task) && flags.contains(&flag))
    };
    let conditions = all
        .into_iter()
        .filter(|(flag, ..)| !means_nothing(flag))
        .map(|(_, key, value)| (key.to_owned(), value));
    Value::Object(conditions.collect::<Map<_, _>>())
}

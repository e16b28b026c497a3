//! Servers that break what the HTTP API says about reports of players.

use serde_json::{Value, json};

use super::Mutation;
use super::people::Answers;

/// Every such server.
pub(super) const ALL: &[Mutation] = &[
    Mutation::of("gives all reports one number", "moderation/report", || {
        Box::new(Answers(repeats_numbers))
    }),
    Mutation::of(
        "takes reports of lines that nobody can read",
        "moderation/reported-line",
        || Box::new(Answers(takes_any_line)),
    ),
    Mutation::of("takes reports of guests", "moderation/refusals", || {
        Box::new(Answers(takes_guests))
    }),
    Mutation::of(
        "hides when the next report is possible",
        "moderation/too-many",
        || Box::new(Answers(hides_the_next_report)),
    ),
    Mutation::of("shows reports to everybody", "moderation/forbidden", || {
        Box::new(Answers(shows_reports))
    }),
];

fn repeats_numbers(_: &mut String, body: &mut Value) {
    if let Some(number) = body.get_mut("number") {
        *number = json!(1);
    }
}

fn takes_any_line(head: &mut String, body: &mut Value) {
    succeeds(head, body, "unknown_line", json!({ "number": 1 }));
}

fn takes_guests(head: &mut String, body: &mut Value) {
    succeeds(head, body, "not_registered", json!({ "number": 1 }));
}

fn hides_the_next_report(_: &mut String, body: &mut Value) {
    if body["code"] == "too_many_reports"
        && let Some(detail) = body["detail"].as_object_mut()
    {
        detail.remove("until");
    }
}

fn shows_reports(head: &mut String, body: &mut Value) {
    let none = json!({ "reports": [], "server_time": 1 });
    succeeds(head, body, "forbidden", none);
}

/// Makes a success of the refusals with a code.
fn succeeds(head: &mut String, body: &mut Value, code: &str, success: Value) {
    if body["code"] != code {
        return;
    }
    *body = success;
    if let Some((_, rest)) = head.split_once("\r\n") {
        *head = format!("HTTP/1.1 200 OK\r\n{rest}");
    }
}

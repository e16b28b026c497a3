//! Sessions: each is a family of tokens, and ends with all of them, over HTTP and over the WebSocket.

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::super::{Case, Check, Target};
use crate::api::{self, credentials, refuses};
use crate::link::Link;
use crate::registered::{PASSWORD, Player, player};

/// The cases about sessions.
pub const CASES: &[Case<Target>] = &[
    Case::of("sessions/list", &["H-ACCT-7"], list),
    Case::of("sessions/one-ends", &["H-ACCT-7"], one_ends),
    Case::of("sessions/others-end", &["H-ACCT-7"], others_end),
    Case::of("sessions/logout", &["H-ACCT-7"], logout),
    Case::of(
        "sessions/new-password",
        &["H-ACCT-7", "H-ACCT-14"],
        new_password,
    ),
    Case::of(
        "sessions/renewed-token",
        &["H-ACCT-7", "P-AUTH-13"],
        renewed,
    ),
];

/// Logs a player in; returns the token.
fn log_in(target: &Target, player: &Player, label: &str) -> Result<String> {
    let mut body = credentials(&player.handle, PASSWORD);
    body["label"] = json!(label);
    let session = api::ok(target, "POST /login", None, &body)?;
    Ok(session["token"].as_str().context("a token")?.to_owned())
}

fn sessions(target: &Target, token: &str) -> Result<Vec<Value>> {
    let listed = api::get(target, "/sessions", token)?;
    Ok(listed["sessions"].as_array().context("sessions")?.clone())
}

/// Checks that a token is refused over HTTP and over the WebSocket.
fn is_over(target: &Target, token: &str) -> Check {
    let request = ("GET /me", Some(token), &Value::Null);
    refuses(target, request, 401, "bad_token")?;
    let mut link = Link::open(target)?;
    let auth = json!({ "token": token, "client": "conformance" });
    link.refuses("auth", auth, "bad_token")?;
    link.closes(4002)
}

fn list(target: &Target) -> Check {
    let anna = player(target)?;
    let phone = log_in(target, &anna, "phone")?;
    for (token, current) in [(&anna.token, 0), (&phone, 1)] {
        let sessions = sessions(target, token)?;
        ensure!(sessions.len() == 2, "{sessions:?}");
        for (session, at) in sessions.iter().zip(0..) {
            ensure!(session["current"] == (at == current), "{sessions:?}");
            ensure!(session["id"].is_string(), "{session}");
            ensure!(session["created_at"].is_i64(), "{session}");
        }
        let labels = [&sessions[0]["label"], &sessions[1]["label"]];
        ensure!(labels == ["conformance", "phone"], "{labels:?}");
    }
    Ok(())
}

fn one_ends(target: &Target) -> Check {
    let anna = player(target)?;
    let phone = log_in(target, &anna, "phone")?;
    let mut link = Link::known(target, &phone)?;
    let ends = sessions(target, &anna.token)?;
    let id = ends[1]["id"].as_str().context("an id")?;
    let request = format!("DELETE /sessions/{id}");
    api::ok(target, &request, Some(&anna.token), &Value::Null)?;
    link.closes(4002)?;
    is_over(target, &phone)?;
    let again = (request.as_str(), Some(anna.token.as_str()), &Value::Null);
    refuses(target, again, 404, "no_such_session")?;
    ensure!(sessions(target, &anna.token)?.len() == 1);
    Ok(())
}

fn others_end(target: &Target) -> Check {
    let mut anna = player(target)?;
    let phone = log_in(target, &anna, "phone")?;
    let tablet = log_in(target, &anna, "tablet")?;
    let mut link = Link::known(target, &phone)?;
    api::ok(target, "DELETE /sessions", Some(&tablet), &Value::Null)?;
    link.closes(4002)?;
    anna.link.closes(4002)?;
    is_over(target, &phone)?;
    is_over(target, &anna.token)?;
    ensure!(sessions(target, &tablet)?.len() == 1);
    Ok(())
}

fn logout(target: &Target) -> Check {
    let mut anna = player(target)?;
    let phone = log_in(target, &anna, "phone")?;
    api::ok(target, "POST /logout", Some(&anna.token), &Value::Null)?;
    anna.link.closes(4002)?;
    is_over(target, &anna.token)?;
    ensure!(sessions(target, &phone)?.len() == 1, "the other one stays");
    Ok(())
}

/// A new password ends all sessions, and one takes the place of that which asked.
fn new_password(target: &Target) -> Check {
    const OTHER: &str = "eleven damp umbrellas";
    let mut anna = player(target)?;
    let phone = log_in(target, &anna, "phone")?;
    let wrong = json!({ "current": OTHER, "new": PASSWORD });
    let request = ("POST /password", Some(phone.as_str()), &wrong);
    refuses(target, request, 403, "wrong_proof")?;
    let body = json!({ "current": PASSWORD, "new": OTHER });
    let changed = api::ok(target, "POST /password", Some(&phone), &body)?;
    ensure!(changed["handle"] == anna.handle.as_str(), "{changed}");
    anna.link.closes(4002)?;
    is_over(target, &anna.token)?;
    is_over(target, &phone)?;
    let token = changed["token"].as_str().context("a token")?;
    let listed = sessions(target, token)?;
    ensure!(
        listed.len() == 1 && listed[0]["current"] == true,
        "{listed:?}"
    );
    Link::known(target, token)?;
    let body = credentials(&anna.handle, OTHER);
    api::ok(target, "POST /login", None, &body)?;
    Ok(())
}

/// A token that comes of another one belongs to the same session.
fn renewed(target: &Target) -> Check {
    let mut anna = player(target)?;
    let renewed = anna.link.ok("renew", json!({}))?;
    let renewed = renewed["token"].as_str().context("a token")?.to_owned();
    let sessions = sessions(target, &renewed)?;
    let is_one = sessions.len() == 1 && sessions[0]["current"] == true;
    ensure!(is_one, "{sessions:?}");
    api::ok(target, "POST /logout", Some(&renewed), &Value::Null)?;
    anna.link.closes(4002)?;
    is_over(target, &anna.token)
}

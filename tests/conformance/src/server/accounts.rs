//! Accounts over HTTP: registration, handles, passwords, login, recovery.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::super::{Case, Check, Target, skip};
use crate::api::{self, ask, credentials, offered, refuses};
use crate::link::Link;
use crate::pair::{Pair, options};
use crate::registered::{
    PASSWORD, Player, new_handle, player, rated_seek, register, register_seat, register_with,
};

/// The cases about accounts.
pub const CASES: &[Case<Target>] = &[
    Case::of(
        "accounts/registration",
        &["H-ACCT-1", "H-ACCT-6", "H-ACCT-14", "P-AUTH-17"],
        registration,
    ),
    Case::of(
        "accounts/seats-stay",
        &["H-ACCT-1", "H-ACCT-14"],
        seats_stay,
    ),
    Case::of("accounts/bad-handles", &["H-ACCT-2"], bad_handles),
    Case::of(
        "accounts/handles-that-clash",
        &["H-ACCT-2"],
        handles_that_clash,
    ),
    Case::of("accounts/new-handle", &["H-ACCT-2"], another_handle),
    Case::of(
        "accounts/names",
        &["P-AUTH-9", "P-AUTH-10", "H-ACCT-1"],
        names,
    ),
    Case::of("accounts/bad-passwords", &["H-ACCT-3"], bad_passwords),
    Case::of("accounts/failed-logins", &["H-ACCT-4"], failed_logins),
    Case::of(
        "accounts/too-many-tries",
        &["H-ACCT-5", "H-FORM-3"],
        too_many_tries,
    ),
    Case::of("accounts/recovery", &["H-ACCT-6", "H-ACCT-7"], recovery),
    Case::of("accounts/new-codes", &["H-ACCT-6"], new_codes),
    Case::of("accounts/guests", &["H-ACCT-9"], guests),
    Case::of("accounts/bots", &["H-ACCT-10"], bots),
    Case::of("accounts/search", &["H-ACCT-11"], search),
];

/// Another good password.
const OTHER: &str = "eleven damp umbrellas";

fn registration(target: &Target) -> Check {
    let mut guest = Link::guest(target, "Newcomer")?;
    let handle = new_handle();
    let session = register(target, &guest.token(), &handle)?;
    let me = &session["me"];
    ensure!(me["identity"] == guest.identity(), "{session}");
    ensure!(me["handle"] == handle.as_str(), "{session}");
    let codes = session["recovery_codes"].as_array().context("codes")?;
    let codes: BTreeSet<&str> = codes.iter().filter_map(Value::as_str).collect();
    ensure!(codes.len() == 10, "ten different codes: {}", codes.len());
    // The guest's token is good no longer: another person may know it.
    let old = guest.token();
    let request = ("GET /me", Some(old.as_str()), &Value::Null);
    refuses(target, request, 401, "bad_token")?;
    guest.closes(4002)?;
    // The new one is good, and nothing shows the codes again.
    let token = text(&session["token"])?;
    let shown = api::get(target, "/me", &token)?;
    ensure!(shown["handle"] == handle.as_str(), "{shown}");
    let has_code = codes.iter().any(|code| shown.to_string().contains(code));
    ensure!(!has_code, "the codes are shown once");
    let link = Link::known(target, &token)?;
    ensure!(link.welcome["registered"] == true, "{}", link.welcome);
    ensure!(link.welcome["name"] == handle.as_str(), "{}", link.welcome);
    let sessions = api::get(target, "/sessions", &token)?;
    let sessions = sessions["sessions"].as_array().context("sessions")?;
    ensure!(sessions.len() == 1, "the token's own: {sessions:?}");
    let again = credentials(&new_handle(), PASSWORD);
    let request = ("POST /register", Some(token.as_str()), &again);
    refuses(target, request, 409, "already_registered")?;
    let path = format!("/players/{}", handle.to_uppercase());
    let shown = api::get(target, &path, &token)?;
    ensure!(shown["identity"] == guest.identity(), "{shown}");
    Ok(())
}

/// A player is found by the start of the handle, in any case, and by what looks like it.
fn search(target: &Target) -> Check {
    let guest = Link::guest(target, "Newcomer")?;
    let handle = new_handle();
    let session = register(target, &guest.token(), &handle)?;
    let token = text(&session["token"])?;
    let shown = api::get(target, &format!("/players/{handle}"), &token)?;
    // Nobody else has these eight random letters.
    let start: String = handle.chars().take(11).collect();
    for asked in [start.to_uppercase(), start.replace('i', "%D1%96"), handle] {
        let found = api::get(target, &format!("/players?name={asked}"), &token)?;
        let found = found["players"].as_array().context("players")?;
        ensure!(*found == [shown.clone()], "{asked}: {found:?}");
    }
    for wrong in [
        "/players",
        "/players?name=k",
        "/players?name=kittenkittenkittenkit",
    ] {
        let request = (&*format!("GET {wrong}"), Some(token.as_str()), &Value::Null);
        refuses(target, request, 400, "bad_field")?;
    }
    Ok(())
}

fn text(value: &Value) -> Result<String> {
    Ok(value.as_str().context("text")?.to_owned())
}

/// A guest registers in the middle of a game and plays on.
fn seats_stay(target: &Target) -> Check {
    offered(target)?;
    let mut pair = Pair::start(target, &json!({}))?;
    let token = register_seat(target, &mut pair, 0)?;
    pair.pass()?;
    let mut phone = Link::known(target, &token)?;
    let attached = phone.ok("attach", json!({ "game": pair.game }))?;
    ensure!(attached["seat"] == 0, "{attached}");
    let listed = &phone.welcome["games"][0]["game"];
    ensure!(*listed == pair.game.as_str(), "{listed}");
    Ok(())
}

/// Tries to register with a handle; returns the error.
fn refused_handle(target: &Target, token: &str, handle: &str) -> Result<Value> {
    let body = credentials(handle, PASSWORD);
    let answer = ask(target, "POST /register", Some(token), &body)?;
    answer.error().with_context(|| format!("{handle:?}"))
}

fn bad_handles(target: &Target) -> Check {
    offered(target)?;
    let token = Link::guest(target, "Newcomer")?.token();
    for (handle, code) in [
        ("ab", "handle_too_short"),
        ("abcdefghijklmnopqrstu", "handle_too_long"),
        ("with blank", "handle_character"),
        ("two__signs", "handle_character"),
        ("_before", "handle_character"),
        ("behind-", "handle_character"),
        ("semi;colon", "handle_character"),
        ("1234567", "handle_no_letter"),
        ("k\u{456}tten", "handle_mixed_scripts"),
    ] {
        let error = refused_handle(target, &token, handle)?;
        ensure!(
            error["code"] == code,
            "{handle:?}: {code} expected, {error}"
        );
        let field = error["detail"]["field"].as_str().unwrap_or("handle");
        ensure!(field == "handle", "{error}");
    }
    // None of this registered the guest.
    let me = api::get(target, "/me", &token)?;
    ensure!(me.get("handle").is_none(), "{me}");
    Ok(())
}

fn handles_that_clash(target: &Target) -> Check {
    let (first, second) = (Link::guest(target, "One")?, Link::guest(target, "Two")?);
    // `m` looks like `rn`, and `l` like `I`.
    let handle = format!("{}ml", new_handle());
    register(target, &first.token(), &handle)?;
    let start = &handle[..handle.len() - 2];
    for taken in [
        handle.clone(),
        handle.to_uppercase(),
        format!("{start}rnl"),
        format!("{start}mI"),
    ] {
        let error = refused_handle(target, &second.token(), &taken)?;
        ensure!(error["code"] == "handle_taken", "{taken}: {error}");
    }
    Ok(())
}

/// A handle that is given up stays its owner's for a year.
fn another_handle(target: &Target) -> Check {
    let anna = player(target)?;
    let wanted = json!({ "handle": new_handle() });
    let changed = api::ok(target, "POST /handle", Some(&anna.token), &wanted)?;
    ensure!(changed["handle"] == wanted["handle"], "{changed}");
    ensure!(
        changed["identity"] == anna.session["me"]["identity"],
        "{changed}"
    );
    let again = json!({ "handle": new_handle() });
    let request = ("POST /handle", Some(anna.token.as_str()), &again);
    let error = refuses(target, request, 409, "handle_changed_recently")?;
    ensure!(error["detail"]["until"].is_i64(), "{error}");
    let other = Link::guest(target, "Newcomer")?;
    let error = refused_handle(target, &other.token(), &anna.handle)?;
    ensure!(error["code"] == "handle_taken", "{error}");
    Ok(())
}

/// A player's name is the handle, which no guest can use.
fn names(target: &Target) -> Check {
    let mut anna = player(target)?;
    let rename = json!({ "name": "Somebody" });
    anna.link.refuses("rename", rename, "bad_name")?;
    let mut guest = Link::guest(target, "Newcomer")?;
    let imitation = json!({ "name": anna.handle.to_uppercase() });
    guest.refuses("rename", imitation.clone(), "bad_name")?;
    let mut stranger = Link::open(target)?;
    let auth = json!({ "name": anna.handle, "client": "conformance" });
    stranger.refuses("auth", auth, "bad_name")?;
    stranger.closes(4000)?;
    let mut known = Link::open(target)?;
    let auth = json!({ "token": anna.token, "name": "Somebody", "client": "conformance" });
    let welcome = known.ask("auth", auth)?;
    ensure!(welcome[2]["name"] == anna.handle.as_str(), "{welcome}");
    Ok(())
}

fn bad_passwords(target: &Target) -> Check {
    offered(target)?;
    let token = Link::guest(target, "Newcomer")?.token();
    let (handle, long) = (new_handle(), "x".repeat(129));
    for (password, code) in [
        ("0123abc", "password_too_short"),
        (long.as_str(), "password_too_long"),
        ("password12", "password_too_weak"),
        ("aaaaaaaaaaaa", "password_too_weak"),
    ] {
        let body = credentials(&handle, password);
        let request = ("POST /register", Some(token.as_str()), &body);
        let error = refuses(target, request, 400, code)?;
        let field = error["detail"]["field"].as_str().unwrap_or("password");
        ensure!(field == "password", "{error}");
        ensure!(!error.to_string().contains(password), "a secret: {error}");
    }
    Ok(())
}

/// The answer to a failed login does not tell whether there is such an account.
fn failed_logins(target: &Target) -> Check {
    let anna = player(target)?;
    let failed = |handle: &str, password: &str| -> Result<Value> {
        let body = credentials(handle, password);
        refuses(target, ("POST /login", None, &body), 403, "bad_credentials")
    };
    let wrong = failed(&anna.handle, OTHER)?;
    let unknown = failed(&new_handle(), PASSWORD)?;
    ensure!(wrong == unknown, "{wrong} and {unknown} differ");
    let body = credentials(&anna.handle.to_uppercase(), PASSWORD);
    let session = api::ok(target, "POST /login", None, &body)?;
    ensure!(session["me"]["handle"] == anna.handle.as_str(), "{session}");
    ensure!(session.get("recovery_codes").is_none(), "{session}");
    Ok(())
}

/// Wrong passwords come to an end, also for a handle that nobody has.
fn too_many_tries(target: &Target) -> Check {
    const MOST: usize = 12;
    offered(target)?;
    let body = credentials(&new_handle(), OTHER);
    for _ in 0..MOST {
        let answer = ask(target, "POST /login", None, &body)?;
        let error = answer.error()?;
        if answer.head.status == 429 {
            ensure!(error["code"] == "too_many_tries", "{error}");
            let wait = error["detail"]["retry_after_ms"].as_i64();
            ensure!(wait > Some(0) && error["retryable"] == true, "{error}");
            return Ok(());
        }
        ensure!(error["code"] == "bad_credentials", "{error}");
    }
    skip(format!(
        "the server answers more than {MOST} wrong passwords"
    ))
}

fn recovery(target: &Target) -> Check {
    let Player {
        mut link,
        token,
        handle,
        session,
    } = player(target)?;
    let codes = session["recovery_codes"].as_array().context("codes")?;
    let spelled = format!(" {} ", text(&codes[3])?.to_lowercase().replace('-', " "));
    let body = |code: &str| json!({ "handle": handle, "code": code, "password": OTHER });
    let recovered = api::ok(target, "POST /recover", None, &body(&spelled))?;
    link.closes(4002).context("the other sessions end")?;
    let request = ("GET /me", Some(token.as_str()), &Value::Null);
    refuses(target, request, 401, "bad_token")?;
    let me = api::get(target, "/me", &text(&recovered["token"])?)?;
    ensure!(me["handle"] == handle.as_str(), "{me}");
    ensure!(me["recovery_codes_left"] == 9, "each code once: {me}");
    let used = body(&spelled);
    let answer = ask(target, "POST /recover", None, &used)?;
    let error = answer.error()?;
    ensure!(error["code"] == "bad_credentials", "used twice: {error}");
    let old = credentials(&handle, PASSWORD);
    refuses(target, ("POST /login", None, &old), 403, "bad_credentials")?;
    api::ok(target, "POST /login", None, &credentials(&handle, OTHER))?;
    Ok(())
}

fn new_codes(target: &Target) -> Check {
    let Player {
        token,
        handle,
        session,
        ..
    } = player(target)?;
    let path = "POST /recovery-codes";
    let wrong = json!({ "password": OTHER });
    refuses(target, (path, Some(&token), &wrong), 403, "wrong_proof")?;
    let right = json!({ "password": PASSWORD });
    let renewed = api::ok(target, path, Some(&token), &right)?;
    ensure!(renewed["me"]["recovery_codes_left"] == 10, "{renewed}");
    let recovery = |codes: &Value| -> Result<Value> {
        let code = text(&codes[0])?;
        Ok(json!({ "handle": handle, "code": code, "password": OTHER }))
    };
    let earlier = recovery(&session["recovery_codes"])?;
    refuses(
        target,
        ("POST /recover", None, &earlier),
        403,
        "bad_credentials",
    )?;
    let new = recovery(&renewed["recovery_codes"])?;
    api::ok(target, "POST /recover", None, &new)?;
    Ok(())
}

fn bots(target: &Target) -> Check {
    let guest = Link::guest(target, "Newcomer")?;
    let handle = new_handle();
    let mut body = credentials(&handle, PASSWORD);
    body["bot"] = true.into();
    let session = register_with(target, &guest.token(), &body)?;
    ensure!(session["me"]["bot"] == true, "{session}");
    let token = text(&session["token"])?;
    let shown = api::get(target, &format!("/players/{handle}"), &token)?;
    ensure!(shown["bot"] == true, "{shown}");
    let mut link = Link::known(target, &token)?;
    let seek = json!({ "cmd_id": "open", "options": options(&link.hello, &json!({}))? });
    let opened = link.ok("seek", seek)?;
    let member = &opened["seek"]["members"][0];
    ensure!(member["kind"] == "external_bot", "{member}");
    let person = player(target)?;
    let refused = json!({ "cmd_id": "rated", "seek": rated_seek(&mut link)?["seek"] });
    let mut person = person.link;
    let error = person.refuses("join_seek", refused, "not_rateable")?;
    ensure!(error["detail"]["reason"] == "person_against_bot", "{error}");
    Ok(())
}

fn guests(target: &Target) -> Check {
    offered(target)?;
    let link = Link::guest(target, "Newcomer")?;
    let token = link.token();
    let request = ("POST /logout", Some(token.as_str()), &Value::Null);
    refuses(target, request, 403, "not_registered")?;
    let me = api::get(target, "/me", &token)?;
    ensure!(me["identity"] == link.identity(), "{me}");
    Ok(())
}

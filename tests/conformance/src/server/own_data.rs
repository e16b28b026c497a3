//! The player's data at a server: the export, the wish to be erased, the days of vacation, and codes by mail.

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::super::api::{self, refuses};
use super::super::registered::player;
use super::super::{Case, Check, Target, skip};
use crate::link::Link;

/// The cases about data of the player.
pub const CASES: &[Case<Target>] = &[
    Case::of("own-data/export", &["H-EXP-1"], export),
    Case::of("own-data/erasure", &["H-ERASE-1", "H-ERASE-2"], erasure),
    Case::of("own-data/vacation-days", &["H-VAC-1", "H-VAC-3"], days),
    Case::of("own-data/no-mail", &["H-MAIL-10"], no_mail),
];

/// Skips the case when the server's document does not have a path.
fn has(target: &Target, path: &str) -> Result<()> {
    api::offered(target)?;
    let document = api::ok(target, "GET /openapi.json", None, &Value::Null)?;
    match document["paths"].get(path) {
        Some(_) => Ok(()),
        None => skip("not offered: the server does not have this request"),
    }
}

/// Nothing is sent, with a mail server or without one: the address is none.
fn no_mail(target: &Target) -> Check {
    const PATH: &str = "/mail-codes";
    has(target, PATH)?;
    let request = format!("POST {PATH}");
    let asked = json!({ "address": "nobody", "purpose": "register" });
    let answer = api::ask(target, &request, None, &asked)?;
    let error = answer.error()?;
    if answer.head.status == 400 {
        ensure!(error["code"] == "bad_address", "{error}");
        return skip("the server has a mail server");
    }
    let is_off = answer.head.status == 404 && error["code"] == "mail_off";
    ensure!(is_off, "{}: {error}", answer.head.status);
    Ok(())
}

fn export(target: &Target) -> Check {
    has(target, "/account/export")?;
    let anna = player(target)?;
    let request = "GET /account/export";
    let answer = api::ask(target, request, Some(&anna.token), &Value::Null)?;
    ensure!(answer.head.status == 200, "{}", answer.head.status);
    let found = |name: &str| {
        answer
            .body
            .windows(name.len())
            .any(|part| part == name.as_bytes())
    };
    ensure!(answer.body.starts_with(b"PK"), "no ZIP file");
    ensure!(found("manifest.json"), "a file without its list ends early");
    ensure!(!found("argon2"), "the file contains the hash of a password");
    refuses(
        target,
        (request, None, &Value::Null),
        401,
        "not_authenticated",
    )?;
    Ok(())
}

fn erasure(target: &Target) -> Check {
    const PATH: &str = "/account/erasure";
    has(target, PATH)?;
    let anna = player(target)?;
    let token = Some(anna.token.as_str());
    let (ask, keep) = (format!("POST {PATH}"), format!("DELETE {PATH}"));
    refuses(target, (&keep, token, &Value::Null), 404, "no_erasure")?;
    let wrong = json!({ "handle": "somebody" });
    let error = refuses(target, (&ask, token, &wrong), 400, "not_confirmed")?;
    ensure!(error["detail"]["field"] == "handle", "{error}");
    let own = json!({ "handle": anna.handle.to_uppercase() });
    let wish = api::ok(target, &ask, token, &own)?;
    let times = wish["asked_at"].as_i64().zip(wish["erased_at"].as_i64());
    let (asked_at, erased_at) = times.context("two times")?;
    if asked_at == erased_at {
        return skip("the server erases at once");
    }
    ensure!(asked_at < erased_at, "{wish}");
    ensure!(api::ok(target, &ask, token, &own)? == wish, "the same wish");
    let me = api::get(target, "/me", &anna.token)?;
    ensure!(me["erased_at"] == erased_at, "{me}");
    api::ok(target, &keep, token, &Value::Null)?;
    let me = api::get(target, "/me", &anna.token)?;
    ensure!(me.get("erased_at").is_none(), "{me}");
    refuses(target, (&keep, token, &Value::Null), 404, "no_erasure")?;
    Ok(())
}

fn days(target: &Target) -> Check {
    const PATH: &str = "/account/vacation";
    has(target, PATH)?;
    let (take, end) = (format!("POST {PATH}"), format!("DELETE {PATH}"));
    let guest = Link::guest(target, "Zoe")?;
    let five = json!({ "days": 5 });
    let of_guest = guest.token();
    refuses(
        target,
        (&take, Some(&of_guest), &five),
        403,
        "not_registered",
    )?;
    let anna = player(target)?;
    let token = Some(anna.token.as_str());
    refuses(target, (&end, token, &Value::Null), 409, "not_on_vacation")?;
    for wrong in [0, 31, -1] {
        let body = json!({ "days": wrong });
        refuses(target, (&take, token, &body), 400, "bad_days")?;
    }
    let taken = api::ok(target, &take, token, &five)?;
    ensure!(taken["days_left"] == 25, "{taken}");
    let longer = api::ok(target, &take, token, &five)?;
    let ends = longer["until"].as_i64().zip(taken["until"].as_i64());
    let more = ends.map(|(later, sooner)| later - sooner);
    ensure!(more == Some(5 * 86_400_000), "{longer} after {taken}");
    let body = json!({ "days": 21 });
    refuses(target, (&take, token, &body), 409, "too_few_days")?;
    let ended = api::ok(target, &end, token, &Value::Null)?;
    ensure!(
        ended["days_left"] == 29 && ended.get("until").is_none(),
        "{ended}"
    );
    Ok(())
}

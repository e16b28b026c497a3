//! Accounts as text, or as a JSON object.

use std::io::{Write, stdout};

use anyhow::Result;
use serde::Serialize;
use serde_json::json;
use tilewire_protocol::http::{
    Conduct, Me, NewRecoveryCodes, Player, SeenRelation, Sessions, SignedIn,
};

use crate::text::{ago, printable, utc};

/// A result as a JSON object with its kind.
#[derive(Serialize)]
struct Typed<'a, T> {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(flatten)]
    content: &'a T,
}

/// Writes a result as a JSON object with its kind.
pub(crate) fn write_json<T: Serialize>(kind: &'static str, content: &T) -> Result<()> {
    let text = serde_json::to_string(&Typed { kind, content })?;
    writeln!(stdout(), "{text}")?;
    Ok(())
}

/// Writes that something is done.
pub(super) fn done(kind: &'static str, text: &str, as_json: bool) -> Result<()> {
    if as_json {
        return write_json(kind, &json!({}));
    }
    writeln!(stdout(), "{text}")?;
    Ok(())
}

/// Writes a new session, without its token. `has_guest` says whether the profile keeps a guest for later.
pub(super) fn signed_in(signed_in: &SignedIn, has_guest: bool, as_json: bool) -> Result<()> {
    let codes = &signed_in.recovery_codes;
    if as_json {
        let content = json!({ "me": &signed_in.me, "recovery_codes": codes });
        return write_json("signed_in", &content);
    }
    let mut out = stdout().lock();
    let handle = signed_in.me.handle.as_deref().unwrap_or_default();
    writeln!(out, "You are signed in as {}.", printable(handle))?;
    if has_guest {
        writeln!(
            out,
            "Games you started as a guest stay with the guest; `tilewire logout` returns to it."
        )?;
    }
    if !codes.is_empty() {
        writeln!(out)?;
        write_codes(&mut out, codes)?;
    }
    Ok(())
}

/// Writes new recovery codes.
pub(super) fn new_recovery_codes(renewed: &NewRecoveryCodes, as_json: bool) -> Result<()> {
    let NewRecoveryCodes { me, recovery_codes } = renewed;
    if as_json {
        let content = json!({ "me": me, "recovery_codes": recovery_codes });
        return write_json("recovery_codes", &content);
    }
    write_codes(&mut stdout().lock(), recovery_codes)
}

fn write_codes(out: &mut impl Write, codes: &[String]) -> Result<()> {
    writeln!(
        out,
        "Recovery codes. Keep them in a safe place: they are shown only this once.\n\
         If you forget your password, each can set a new one once (`tilewire recover`):"
    )?;
    for code in codes {
        writeln!(out, "  {}", printable(code))?;
    }
    Ok(())
}

/// Writes the own account.
pub(super) fn me(me: &Me, as_json: bool) -> Result<()> {
    if as_json {
        return write_json("profile", me);
    }
    let mut out = stdout().lock();
    match &me.handle {
        Some(handle) => writeln!(out, "Username  {}", printable(handle))?,
        None => writeln!(
            out,
            "A guest; `tilewire register USERNAME` keeps your games"
        )?,
    }
    writeln!(out, "Identity  {}", printable(&me.identity))?;
    write_bot(&mut out, me.bot)?;
    write_roles(&mut out, &me.roles)?;
    if me.handle.is_some() {
        writeln!(out, "Unused recovery codes: {}", me.recovery_codes_left)?;
    }
    if let Some(text) = me.conduct.as_ref().and_then(conduct) {
        writeln!(out, "{text}")?;
    }
    Ok(())
}

/// The points of the player and the waiting time, in a sentence; `None` without points.
fn conduct(conduct: &Conduct) -> Option<String> {
    let points = match conduct.points {
        0 if conduct.waiting_until.is_none() => return None,
        1 => "1 abandonment point".to_owned(),
        points => format!("{points} abandonment points"),
    };
    let waiting = conduct.waiting_until.map_or_else(String::new, |until| {
        format!("; no public games until {}", utc(until))
    });
    Some(format!("{points} for games you left{waiting}"))
}

/// Writes a player.
pub(super) fn player(player: &Player, as_json: bool) -> Result<()> {
    if as_json {
        return write_json("profile", player);
    }
    let mut out = stdout().lock();
    writeln!(out, "Username  {}", printable(&player.handle))?;
    writeln!(out, "Identity  {}", printable(&player.identity))?;
    write_bot(&mut out, player.bot)?;
    write_roles(&mut out, &player.roles)?;
    let relation = match player.seen {
        SeenRelation { blocked: true, .. } => "you have blocked this player",
        SeenRelation { friend: true, .. } => "a friend: you follow each other",
        SeenRelation { followed: true, .. } => "you are following this player",
        SeenRelation { .. } => return Ok(()),
    };
    writeln!(out, "Relation  {relation}")?;
    Ok(())
}

/// Writes the sessions.
pub(super) fn sessions(list: &Sessions, as_json: bool) -> Result<()> {
    if as_json {
        return write_json("sessions", list);
    }
    let mut out = stdout().lock();
    for session in &list.sessions {
        let current = if session.current { "  (this one)" } else { "" };
        writeln!(
            out,
            "{}  used {}  {}{current}",
            printable(&session.id),
            ago(list.server_time.saturating_sub(session.used_at)),
            printable(&session.label)
        )?;
    }
    if list.sessions.is_empty() {
        writeln!(out, "none: guests have no sessions")?;
    }
    Ok(())
}

fn write_bot(out: &mut impl Write, is_bot: bool) -> Result<()> {
    if is_bot {
        writeln!(out, "Bot       a computer player")?;
    }
    Ok(())
}

fn write_roles(out: &mut impl Write, roles: &[String]) -> Result<()> {
    if !roles.is_empty() {
        writeln!(out, "Roles     {}", printable(&roles.join(", ")))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Conduct, conduct};

    #[test]
    fn the_player_reads_points_and_the_waiting_time() {
        for (points, waiting_until, expected) in [
            (0, None, None),
            (1, None, Some("1 abandonment point for games you left")),
            (3, None, Some("3 abandonment points for games you left")),
            (
                4,
                Some(1_800_000_000_000),
                Some(
                    "4 abandonment points for games you left; no public games until 2027-01-15 08:00 UTC",
                ),
            ),
        ] {
            let own = Conduct {
                points,
                waiting_until,
            };
            assert_eq!(conduct(&own).as_deref(), expected);
        }
    }
}

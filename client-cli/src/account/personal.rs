//! `tilewire account export` and `tilewire account erase`.

use std::fs::File;
use std::io::{IsTerminal, Write, stderr, stdin, stdout};
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::json;
use tilewire_protocol::http::{Erasure, Me};

use super::api::Api;
use super::{NewToken, show};
use crate::text::{printable, utc};

/// Writes everything that the server has about the player into a file.
pub(super) fn export(api: &Api, file: &Path, as_json: bool) -> Result<NewToken> {
    let name = file.display();
    let mut out = File::create_new(file).with_context(|| format!("cannot create {name}"))?;
    let written = api.download("/account/export", &mut out).and_then(|bytes| {
        out.sync_all()
            .with_context(|| format!("cannot write {name}"))?;
        Ok(bytes)
    });
    let bytes = match written {
        Ok(bytes) => bytes,
        Err(error) => {
            // A part of an export looks like a whole one. The file can be gone already.
            drop(std::fs::remove_file(file));
            return Err(error);
        }
    };
    if as_json {
        let written = json!({ "file": file, "bytes": bytes });
        show::write_json("exported", &written)?;
    } else {
        writeln!(
            stdout(),
            "{name} has everything the server stores about you ({bytes} bytes)."
        )?;
    }
    Ok(NewToken::Keep)
}

/// Asks the server to erase the player, who confirms with the handle.
pub(super) fn erase(api: &Api, confirm: Option<&str>, as_json: bool) -> Result<NewToken> {
    let typed = match confirm {
        Some(handle) => handle.to_owned(),
        None => asked(&api.get("/me")?)?,
    };
    let wish: Erasure = api.post("/account/erasure", &json!({ "handle": typed }))?;
    if as_json {
        show::write_json("erasure", &wish)?;
    } else {
        writeln!(
            stdout(),
            "On {} your games are resigned and your account, messages and name are deleted.\n\
             Until then you can cancel: tilewire account erase --cancel",
            utc(wish.erased_at)
        )?;
    }
    Ok(NewToken::Keep)
}

/// Takes the wish to be erased back.
pub(super) fn keep(api: &Api, as_json: bool) -> Result<NewToken> {
    api.send_bare("DELETE", "/account/erasure")?;
    show::done(
        "erasure_taken_back",
        "Your account will not be deleted.",
        as_json,
    )?;
    Ok(NewToken::Keep)
}

/// Lets the user type the handle.
fn asked(me: &Me) -> Result<String> {
    if !stdin().is_terminal() {
        bail!("stdin is not a terminal; confirm with --confirm USERNAME");
    }
    let what = match &me.handle {
        Some(handle) => format!("your username, {},", printable(handle)),
        None => "your display name".to_owned(),
    };
    write!(
        stderr(),
        "This deletes your account. Type {what} to confirm: "
    )?;
    stderr().flush()?;
    let mut line = String::new();
    stdin().read_line(&mut line)?;
    let typed = line.trim();
    if typed.is_empty() {
        bail!("the account was not deleted");
    }
    Ok(typed.to_owned())
}

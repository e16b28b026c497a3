//! Requests about the account of a player, logins among them, and about other players.

use axum::body::Body;
use axum::http::Response;

use super::bodies::{
    self, AskErasure, ChangeHandle, ChangePassword, Confirm, LogIn, PlayersQuery, Recover,
    Register, SwitchChat, TakeInvitations,
};
use super::call::Call;
use super::input::{decoded, parsed};
use super::refusal::Refusal;
use super::{nodes, query};
use tilewire_accounts::identity::Bearer;
use tilewire_accounts::people::{Failure, MailProof, Recovery, Registration};
use tilewire_protocol::http;

/// Begins a session.
pub(super) async fn log_in(call: &Call<'_>) -> Result<Response<Body>, Refusal> {
    let asked: LogIn = parsed(&call.body)?;
    let label = call.label(asked.label);
    let handle = asked.handle.as_str();
    let done = call
        .people
        .log_in(call.from, handle, asked.password, &label);
    Ok(call.ok(&bodies::signed_in(done.await?)))
}

/// Sets a new password with a recovery code.
pub(super) async fn recover(call: &Call<'_>) -> Result<Response<Body>, Refusal> {
    let asked: Recover = parsed(&call.body)?;
    let recovery = Recovery {
        label: call.label(asked.label),
        handle: asked.handle,
        code: asked.code,
        password: asked.password,
    };
    let done = call.people.recover(call.from, recovery).await?;
    Ok(call.ok(&bodies::signed_in(done)))
}

/// Makes the guest of the token a registered player.
pub(super) async fn register(call: &Call<'_>, holder: &Bearer) -> Result<Response<Body>, Refusal> {
    let asked: Register = parsed(&call.body)?;
    let registration = Registration {
        label: call.label(asked.label),
        handle: asked.handle,
        password: asked.password,
        mail: asked.mail.map(MailProof::from),
        is_bot: asked.bot,
    };
    let registered = call.people.register(holder, call.from, registration);
    let registered = registered.await?;
    nodes::tell_of_name(call.relay, &registered.account.identity).await;
    Ok(call.ok(&bodies::signed_in(registered)))
}

/// Ends the session of the token.
pub(super) async fn log_out(call: &Call<'_>, holder: &Bearer) -> Result<Response<Body>, Refusal> {
    call.people.log_out(holder).await?;
    Ok(call.nothing())
}

/// Lists the sessions.
pub(super) async fn sessions(call: &Call<'_>, holder: &Bearer) -> Result<Response<Body>, Refusal> {
    let account = call.people.account(holder).await?;
    let (own, now) = (&holder.pass.family, call.people.now());
    Ok(call.ok(&bodies::sessions(&account, own, now)))
}

/// Ends a session.
pub(super) async fn end_session(
    call: &Call<'_>,
    holder: &Bearer,
) -> Result<Response<Body>, Refusal> {
    call.people.end_session(holder, call.parameter(0)).await?;
    Ok(call.nothing())
}

/// Ends all other sessions.
pub(super) async fn end_other_sessions(
    call: &Call<'_>,
    holder: &Bearer,
) -> Result<Response<Body>, Refusal> {
    call.people.end_other_sessions(holder).await?;
    Ok(call.nothing())
}

/// Changes the password.
pub(super) async fn change_password(
    call: &Call<'_>,
    holder: &Bearer,
) -> Result<Response<Body>, Refusal> {
    let asked: ChangePassword = parsed(&call.body)?;
    let people = call.people;
    let changed = people.change_password(holder, call.from, asked.current, asked.new);
    Ok(call.ok(&bodies::password_changed(changed.await?)))
}

/// Replaces the recovery codes.
pub(super) async fn replace_recovery_codes(
    call: &Call<'_>,
    holder: &Bearer,
) -> Result<Response<Body>, Refusal> {
    let asked: Confirm = parsed(&call.body)?;
    let people = call.people;
    let replaced = people.replace_recovery_codes(holder, call.from, asked.password);
    let (account, recovery_codes) = replaced.await?;
    Ok(call.ok(&http::NewRecoveryCodes {
        me: bodies::me(&account),
        recovery_codes,
    }))
}

/// Changes the handle.
pub(super) async fn change_handle(
    call: &Call<'_>,
    holder: &Bearer,
) -> Result<Response<Body>, Refusal> {
    let asked: ChangeHandle = parsed(&call.body)?;
    let account = call.people.change_handle(holder, &asked.handle).await?;
    nodes::tell_of_name(call.relay, &account.identity).await;
    Ok(call.ok(&bodies::me(&account)))
}

/// Sets the players that may invite.
pub(super) async fn take_invitations(
    call: &Call<'_>,
    holder: &Bearer,
) -> Result<Response<Body>, Refusal> {
    let asked: TakeInvitations = parsed(&call.body)?;
    let taken = call.people.take_invitations(holder, asked.checked()?);
    Ok(call.ok(&bodies::me(&taken.await?)))
}

/// Switches chat on or off.
pub(super) async fn switch_chat(
    call: &Call<'_>,
    holder: &Bearer,
) -> Result<Response<Body>, Refusal> {
    let asked: SwitchChat = parsed(&call.body)?;
    let switched = call.people.switch_chat(holder, asked.enabled);
    Ok(call.ok(&bodies::me(&switched.await?)))
}

/// Asks for the erasure of the player.
pub(super) async fn ask_erasure(
    call: &Call<'_>,
    holder: &Bearer,
) -> Result<Response<Body>, Refusal> {
    let asked: AskErasure = parsed(&call.body)?;
    let wish = call.people.ask_erasure(holder, &asked.handle).await?;
    Ok(call.ok(&bodies::erasure(&wish)))
}

/// Takes the wish to be erased back.
pub(super) async fn take_back_erasure(
    call: &Call<'_>,
    holder: &Bearer,
) -> Result<Response<Body>, Refusal> {
    call.people.keep(holder).await?;
    Ok(call.nothing())
}

/// Shows the player of the token.
pub(super) async fn me(call: &Call<'_>, holder: &Bearer) -> Result<Response<Body>, Refusal> {
    let account = call.people.account(holder).await?;
    call.people.is_at(&account, call.from);
    let mut me = bodies::me(&account);
    if account.registration.is_some() {
        let conduct = call.people.conduct_of(&account.identity).await?;
        let restrictions = call.people.restrictions_of(&account.identity);
        me.conduct = Some(bodies::conduct(conduct, &restrictions));
        let mailbox = call.people.mailbox(&account.identity).await?;
        if let Some(mail) = &mut me.mail {
            mail.refused = mailbox.is_some_and(|mailbox| mailbox.disabled_at.is_some());
        }
    }
    let wish = call.people.erasure(holder).await?;
    me.erased_at = wish.map(|wish| wish.due_at.0);
    Ok(call.ok(&me))
}

/// Finds players by the start of the handle.
pub(super) async fn search(call: &Call<'_>, _: &Bearer) -> Result<Response<Body>, Refusal> {
    let asked: PlayersQuery = query::parsed(call.query)?;
    let found = call.people.search(asked.checked()?).await?;
    let players = found.iter().filter_map(bodies::player).collect();
    Ok(call.ok(&http::Players { players }))
}

/// Shows the player with a handle.
pub(super) async fn player(call: &Call<'_>, holder: &Bearer) -> Result<Response<Body>, Refusal> {
    let handle = decoded(call.parameter(0))?;
    let account = call.people.player(&handle).await?;
    let mut player = bodies::player(&account).ok_or(Failure::UnknownPlayer)?;
    let relation = call.people.relation(holder, &account).await?;
    player.seen = bodies::seen(relation);
    Ok(call.ok(&player))
}

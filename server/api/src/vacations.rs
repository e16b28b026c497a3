//! Requests about the vacation of a player.

use axum::body::Body;
use axum::http::Response;
use tilewire_people::vacations::Vacations;

use super::bodies::{TakeVacation, vacation};
use super::call::Call;
use super::input::parsed;
use super::nodes;
use super::refusal::Refusal;
use crate::vacation_notices;
use tilewire_accounts::identity::Bearer;

/// Shows the vacation, and the days that are left.
pub(super) async fn show(call: &Call<'_>, holder: &Bearer) -> Result<Response<Body>, Refusal> {
    let vacations = call.people.vacations(holder).await?;
    Ok(call.ok(&vacation(call.people.now(), &vacations)))
}

/// Begins a vacation, or makes it longer.
pub(super) async fn take(call: &Call<'_>, holder: &Bearer) -> Result<Response<Body>, Refusal> {
    let asked: TakeVacation = parsed(&call.body)?;
    let taken = call.people.take_vacation(holder, asked.days).await?;
    tell(call, holder, &taken).await
}

/// Ends the vacation.
pub(super) async fn end(call: &Call<'_>, holder: &Bearer) -> Result<Response<Body>, Refusal> {
    let ended = call.people.end_vacation(holder).await?;
    tell(call, holder, &ended).await
}

/// Tells the games of a vacation that is stored, also those of other servers; what fails follows later.
async fn tell(
    call: &Call<'_>,
    holder: &Bearer,
    vacations: &Vacations,
) -> Result<Response<Body>, Refusal> {
    let own = (holder.pass.identity.as_str(), vacations);
    nodes::tell_of_vacation(call.relay, own.0).await;
    let journal = &*call.history.parts.journal;
    if let Err(error) = vacation_notices::tell(call.people, call.directory, journal, own).await {
        tracing::warn!(%error, "games are told of a vacation later");
    }
    Ok(call.ok(&vacation(call.people.now(), vacations)))
}

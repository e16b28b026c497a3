//! Requests about moderation: reports of players, and what moderators do.

use axum::body::Body;
use axum::http::Response;
use tilewire_people::moderation::Restraint;
use tilewire_protocol::{ErrorCode, GameId};
use tilewire_rules::time::Timestamp;

use super::bodies;
use super::call::Call;
use super::input::{decoded, parsed};
use super::moderation_bodies::{
    ActOrder, ActionAsked, AuditBody, EntriesQuery, EntryBody, HistoryBody, Numbered, ReportBody,
    ReportLine, ReportOrder, ReportsBody, ReportsQuery, UndoOrder, named,
};
use super::query;
use super::refusal::Refusal;
use tilewire_accounts::identity::Bearer;
use tilewire_accounts::people::{Acting, People, Reporting, Wanted};
use tilewire_chat as chat;
use tilewire_store::{ReportPosition, StoredLine};

/// Reports or entries of a page, if the request does not say.
const PAGE_USUAL: u16 = 50;
/// The most reports or entries of a page.
const PAGE_MAX: u16 = 100;

/// Shows a report.
pub(super) async fn report_of(call: &Call<'_>, holder: &Bearer) -> Result<Response<Body>, Refusal> {
    let _place = call.enter(holder).await?;
    call.people.moderator(holder).await?;
    let found = call.people.report_of(number_in_path(call)?).await?;
    Ok(call.ok(&ReportBody::from(found)))
}

/// Undoes an action.
pub(super) async fn undo(call: &Call<'_>, holder: &Bearer) -> Result<Response<Body>, Refusal> {
    let _place = call.enter(holder).await?;
    let actor = call.people.moderator(holder).await?;
    let asked: UndoOrder = parsed(&call.body)?;
    let undone = call
        .people
        .undo(&actor, number_in_path(call)?, asked.reason);
    let number = undone.await?;
    Ok(call.ok(&Numbered { number }))
}

/// Lists entries of the audit.
pub(super) async fn audit(call: &Call<'_>, holder: &Bearer) -> Result<Response<Body>, Refusal> {
    let _place = call.enter(holder).await?;
    call.people.moderator(holder).await?;
    let (entries, next) = entries(call, None).await?;
    Ok(call.ok(&AuditBody { entries, next }))
}

/// Takes a report.
pub(super) async fn report(call: &Call<'_>, holder: &Bearer) -> Result<Response<Body>, Refusal> {
    let _place = call.enter(holder).await?;
    let asked: ReportOrder = parsed(&call.body)?;
    let target = call.people.concerned(&asked.player).await?;
    let line = match (asked.room, asked.line) {
        (Some(room), Some(line)) => Some((room, line)),
        (None, None) => None,
        (Some(_), None) => return Err(wrong("line", "a room needs the number of a line")),
        (None, Some(_)) => return Err(wrong("room", "a line needs its room")),
    };
    let context = match &line {
        Some((room, number)) => {
            let named = chat::Named {
                room,
                line: *number,
                writer: &target.identity,
                code: asked.code.as_deref(),
            };
            context(call, holder, named).await?
        }
        None => Vec::new(),
    };
    if let Some(game) = &asked.game
        && call.directory.stored(&GameId(game.clone())).await.is_err()
    {
        let code = ErrorCode::UnknownGame;
        let status = axum::http::StatusCode::NOT_FOUND;
        return Err(Refusal::new(status, code.as_str(), code.meaning()));
    }
    let reporting = Reporting {
        target,
        reason: asked.reason.into(),
        words: asked.words,
        game: asked.game,
        line,
        context,
    };
    let number = call.people.report(holder, call.from, reporting).await?;
    Ok(call.ok(&Numbered { number }))
}

/// Returns the named line and those around it, as far as the reporter may read them.
async fn context(
    call: &Call<'_>,
    holder: &Bearer,
    named: chat::Named<'_>,
) -> Result<Vec<StoredLine>, Refusal> {
    let around = call.people.lines_around(named.room, named.line).await?;
    let reading = chat::Reading {
        directory: call.directory,
        people: call.people,
    };
    Ok(reading.readable(&holder.pass, named, around).await)
}

/// Lists the reports.
pub(super) async fn reports(call: &Call<'_>, holder: &Bearer) -> Result<Response<Body>, Refusal> {
    let _place = call.enter(holder).await?;
    call.people.moderator(holder).await?;
    let asked: ReportsQuery = query::parsed(call.query)?;
    let behind = match asked.behind.as_deref() {
        Some(text) => place(text).ok_or_else(|| wrong("behind", "`next` of the page before"))?,
        None => ReportPosition::START,
    };
    let most = page(asked.limit)?;
    let found = call.people.reports(behind, most).await?;
    let last = found.last().filter(|_| found.len() == most);
    let next = last.map(|report| place_text(report.closed.is_some(), report.number));
    Ok(call.ok(&ReportsBody {
        reports: found.into_iter().map(ReportLine::from).collect(),
        next,
        server_time: call.people.now().0,
    }))
}

/// Acts as a moderator.
pub(super) async fn act(call: &Call<'_>, holder: &Bearer) -> Result<Response<Body>, Refusal> {
    let _place = call.enter(holder).await?;
    let actor = call.people.moderator(holder).await?;
    let asked: ActOrder = parsed(&call.body)?;
    let until = asked.until.map(Timestamp);
    let restrain = |restraint| Wanted::Restrain(restraint, until);
    let wanted = match asked.action {
        ActionAsked::Mute => restrain(Restraint::Mute),
        ActionAsked::NoRated => restrain(Restraint::NoRated),
        ActionAsked::NoPublic => restrain(Restraint::NoPublic),
        ActionAsked::Suspend => restrain(Restraint::Suspend),
        ActionAsked::HideLines => {
            let room = asked.room.ok_or_else(|| wrong("room", "name the room"))?;
            Wanted::HideLines(room, asked.lines)
        }
        ActionAsked::Rename => {
            let handle = asked.handle;
            Wanted::Rename(handle.ok_or_else(|| wrong("handle", "name the new handle"))?)
        }
        ActionAsked::Close => Wanted::Close,
        ActionAsked::Forgive => Wanted::Forgive,
    };
    let acting = Acting {
        player: asked.player,
        wanted,
        reason: asked.reason,
        report: asked.report,
    };
    let number = call.people.act(&actor, acting).await?;
    Ok(call.ok(&Numbered { number }))
}

/// Shows what moderators did about a player.
pub(super) async fn history(call: &Call<'_>, holder: &Bearer) -> Result<Response<Body>, Refusal> {
    let _place = call.enter(holder).await?;
    call.people.moderator(holder).await?;
    let player = decoded(call.parameter(0))?;
    let concerned = call.people.concerned(&player).await?;
    let identity = concerned.identity;
    let (entries, next) = entries(call, Some(&identity)).await?;
    let restrictions = call.people.restrictions_of(&identity);
    let conduct = call.people.conduct_of(&identity).await?;
    Ok(call.ok(&HistoryBody {
        name: concerned.name,
        conduct: bodies::conduct(conduct, &restrictions),
        restrictions: restrictions.into_iter().map(Into::into).collect(),
        entries,
        next,
        identity,
    }))
}

/// Returns a page of the audit, and the number before which the next one begins.
async fn entries(
    call: &Call<'_>,
    target: Option<&str>,
) -> Result<(Vec<EntryBody>, Option<u64>), Refusal> {
    let asked: EntriesQuery = query::parsed(call.query)?;
    entries_of(call.people, target, &asked).await
}

/// Returns a page of the audit, with a target only its own, and the number before which the next one begins.
pub(super) async fn entries_of(
    people: &People,
    target: Option<&str>,
    asked: &EntriesQuery,
) -> Result<(Vec<EntryBody>, Option<u64>), Refusal> {
    let before = asked.before.map(u64::try_from).transpose();
    let before = before.map_err(|_| wrong("before", "`next` of the page before"))?;
    let most = page(asked.limit)?;
    let found = people.audit(target, before, most).await?;
    let last = found.last().filter(|_| found.len() == most);
    let next = last.map(|entry| entry.number);
    Ok((named(people, found).await?, next))
}

fn number_in_path(call: &Call<'_>) -> Result<u64, Refusal> {
    number(call.parameter(0))
}

/// Reads the number in a path.
pub(super) fn number(text: &str) -> Result<u64, Refusal> {
    let number = text.parse::<u64>();
    let number = number
        .ok()
        .filter(|number| *number <= i64::MAX.cast_unsigned());
    number.ok_or_else(|| Refusal::not_found("nothing has this number"))
}

pub(super) fn page(limit: Option<u16>) -> Result<usize, Refusal> {
    let limit = limit.unwrap_or(PAGE_USUAL);
    if !(1..=PAGE_MAX).contains(&limit) {
        return Err(wrong("limit", &format!("a page has 1 to {PAGE_MAX}")));
    }
    Ok(limit.into())
}

/// Returns the text of a place in the list of reports: `o7` behind the open report 7, `c7` behind a closed one.
fn place_text(is_closed: bool, number: u64) -> String {
    format!("{}{number}", if is_closed { 'c' } else { 'o' })
}

fn place(text: &str) -> Option<ReportPosition> {
    let (is_closed, number) = match (text.strip_prefix('o'), text.strip_prefix('c')) {
        (Some(number), _) => (false, number),
        (None, Some(number)) => (true, number),
        (None, None) => return None,
    };
    let number: u64 = number.parse().ok()?;
    let place = ReportPosition { is_closed, number };
    (number <= ReportPosition::START.number).then_some(place)
}

pub(super) fn wrong(field: &str, message: &str) -> Refusal {
    Refusal::field(ErrorCode::BadField.as_str(), field, message)
}

#[cfg(test)]
mod tests {
    use super::{ReportPosition, place, place_text};

    #[test]
    fn a_place_in_the_list_reads_back() {
        for is_closed in [false, true] {
            let found = place(&place_text(is_closed, 7));
            let expected = ReportPosition {
                is_closed,
                number: 7,
            };
            assert_eq!(found, Some(expected));
        }
        for text in ["", "7", "x7", "o", "o-1", "c99999999999999999999"] {
            assert_eq!(place(text), None, "{text}");
        }
    }
}

//! The paths of the API. A row has all of an endpoint: requests, the servers that answer them, and the document of the API follow
//! from it. An endpoint is a handler, a row, and its documentation.

use axum::body::Body;
use axum::http::{Method, Response, StatusCode};
use futures::future::BoxFuture;
use schemars::{JsonSchema, Schema, SchemaGenerator};

use super::administration::Call as AdminCall;
use super::administration::routes::ADMIN_ROUTES;
use super::archive::{ArchiveQuery, BoardQuery, ExportQuery, RatingsQuery};
use super::bodies::{
    AskErasure, ChangeHandle, ChangePassword, Confirm, LogIn, PlayersQuery, Recover, Register,
    SwitchChat, TakeInvitations, TakeVacation,
};
use super::call::Call;
use super::letters::{ChangeMail, LogInByMail, MailCodeOrder, RecoverByMail, RemoveMail};
use super::moderation_bodies::{
    ActOrder, AuditBody, EntriesQuery, HistoryBody, Numbered, ReportBody, ReportOrder, ReportsBody,
    ReportsQuery, UndoOrder,
};
use super::places::Home;
use super::pushes::AddDevice;
use super::refusal::Refusal;
use super::{
    account, archive, document, letters, moderation, personal, pushes, relations, vacations,
};
use Success::{Json, Nothing, Object, Zip};
use tilewire_accounts::identity::Bearer;
use tilewire_control::admin_token::ADMIN_PATH;
use tilewire_protocol::http;

/// The start of every path.
pub(crate) const API_PATH: &str = "/api/v1";

/// The answer of a handler, which is a future.
pub(super) type Answering<'a> = BoxFuture<'a, Result<Response<Body>, Refusal>>;

/// The function that answers, and the token that it needs.
#[derive(Clone, Copy)]
pub(super) enum Handler {
    /// It needs no token.
    Open(for<'a> fn(&'a Call<'a>) -> Answering<'a>),
    /// It needs the token of a player.
    Holder(for<'a> fn(&'a Call<'a>, &'a Bearer) -> Answering<'a>),
    /// On the admin listener only.
    Admin(for<'a> fn(&'a AdminCall<'a>) -> Answering<'a>),
}

/// Returns the schema of a body.
pub(super) type BodySchema = fn(&mut SchemaGenerator) -> Schema;

/// The content of an answer without a refusal.
#[derive(Clone, Copy)]
pub(super) enum Success {
    Nothing,
    Json(BodySchema),
    /// Any JSON object.
    Object,
    /// A ZIP file.
    Zip,
}

/// A method at a path.
pub(super) struct Route {
    pub(super) method: Method,
    /// The path below [`API_PATH`]; a part in braces is a parameter.
    pub(super) path: &'static str,
    /// The name in the document.
    pub(super) name: &'static str,
    /// Which server answers.
    pub(super) home: Home,
    pub(super) handler: Handler,
    /// The fields of the query.
    pub(super) query: Option<BodySchema>,
    pub(super) request: Option<BodySchema>,
    pub(super) status: StatusCode,
    pub(super) success: Success,
    pub(super) summary: &'static str,
}

/// Returns the schema of a body by reference to its type.
pub(super) fn body<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// Returns the schema of a query with its fields.
pub(super) fn fields<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    T::json_schema(generator)
}

/// Makes the optional schema of a row.
macro_rules! schema {
    ($of:ident) => {
        None
    };
    ($of:ident $body:ty) => {
        Some($crate::routes::$of::<$body>)
    };
}
pub(super) use schema;

/// Makes the handler of a row; `OpenNow` and `AdminNow` are functions that await nothing.
macro_rules! handler {
    (Open $handler:path) => {
        $crate::routes::Handler::Open(|call| Box::pin($handler(call)))
    };
    (OpenNow $handler:path) => {
        $crate::routes::Handler::Open(|call| Box::pin(std::future::ready(Ok($handler(call)))))
    };
    (Holder $handler:path) => {
        $crate::routes::Handler::Holder(|call, holder| Box::pin($handler(call, holder)))
    };
    (Admin $handler:path) => {
        $crate::routes::Handler::Admin(|call| Box::pin($handler(call)))
    };
    (AdminNow $handler:path) => {
        $crate::routes::Handler::Admin(|call| Box::pin(std::future::ready(Ok($handler(call)))))
    };
}
pub(super) use handler;

/// Makes a table of rows: token, method, path, name, server, handler, `[query]`, `(body)` `->` status, content, summary.
macro_rules! routes {
    ($(#[$meta:meta])* $table:ident: $($token:ident $method:ident $path:literal $name:literal $home:ident $handler:path,
       $([$query:ty])? ($($request:ty)?) -> $status:ident $success:expr, $summary:literal;)+) => {
        $(#[$meta])*
        pub(crate) const $table: &[$crate::routes::Route] = &[$($crate::routes::Route {
            method: axum::http::Method::$method,
            path: $path,
            name: $name,
            home: $crate::places::Home::$home,
            handler: $crate::routes::handler!($token $handler),
            query: $crate::routes::schema!(fields $($query)?),
            request: $crate::routes::schema!(body $($request)?),
            status: axum::http::StatusCode::$status,
            success: $success,
            summary: $summary,
        }),+];
    };
}
pub(super) use routes;

routes! {
    /// Every route of the players' listener.
    ROUTES:
    Holder POST "/register" "register" Anyone account::register, (Register) -> CREATED Json(body::<http::SignedIn>),
        "Register the guest of the token; the identity, its games and its seats stay";
    Open POST "/login" "logIn" Anyone account::log_in, (LogIn) -> OK Json(body::<http::SignedIn>),
        "Log in: begin a session";
    Holder POST "/logout" "logOut" Anyone account::log_out, () -> NO_CONTENT Nothing,
        "End the session of the token";
    Holder GET "/sessions" "listSessions" Anyone account::sessions, () -> OK Json(body::<http::Sessions>),
        "List the sessions of the player";
    Holder DELETE "/sessions" "endOtherSessions" Anyone account::end_other_sessions, () -> NO_CONTENT Nothing,
        "End all other sessions of the player";
    Holder DELETE "/sessions/{id}" "endSession" Anyone account::end_session, () -> NO_CONTENT Nothing,
        "End a session of the player";
    Holder POST "/password" "changePassword" Anyone account::change_password, (ChangePassword) -> OK Json(body::<http::PasswordChanged>),
        "Change the password; all other sessions end";
    Holder POST "/recovery-codes" "replaceRecoveryCodes" Anyone account::replace_recovery_codes, (Confirm) -> OK Json(body::<http::NewRecoveryCodes>),
        "Get new recovery codes; the ones from before no longer work";
    Holder POST "/handle" "changeHandle" Anyone account::change_handle, (ChangeHandle) -> OK Json(body::<http::Me>),
        "Change the handle; the old one stays reserved for a year";
    Holder PUT "/account/invitations" "takeInvitations" Anyone account::take_invitations, (TakeInvitations) -> OK Json(body::<http::Me>),
        "Set the players that may invite this player";
    Holder PUT "/account/chat" "switchChat" Lobby account::switch_chat, (SwitchChat) -> OK Json(body::<http::Me>),
        "Switch the chat of this player on or off; rooms that the player is in are closed";
    Holder GET "/account/vacation" "vacation" Anyone vacations::show, () -> OK Json(body::<http::Vacation>),
        "Show the vacation of this player and the days that are left";
    Holder POST "/account/vacation" "takeVacation" Anyone vacations::take, (TakeVacation) -> OK Json(body::<http::Vacation>),
        "Begin a vacation, or make it longer: deadlines in games with vacations move";
    Holder DELETE "/account/vacation" "endVacation" Anyone vacations::end, () -> OK Json(body::<http::Vacation>),
        "End the vacation; whole days that are not used come back";
    Holder GET "/account/export" "exportAccount" Anyone personal::export, () -> OK Zip,
        "Get everything that the server has about this player as a ZIP file";
    Holder POST "/account/erasure" "askErasure" Anyone account::ask_erasure, (AskErasure) -> ACCEPTED Json(body::<http::Erasure>),
        "Ask to be erased; it takes effect some days later";
    Holder DELETE "/account/erasure" "takeBackErasure" Anyone account::take_back_erasure, () -> NO_CONTENT Nothing,
        "Take the wish to be erased back";
    Open POST "/recover" "recover" Anyone account::recover, (Recover) -> OK Json(body::<http::SignedIn>),
        "Set a new password with a recovery code; all sessions end and a new one begins";
    Open POST "/mail-codes" "mailCode" Anyone letters::send_code, (MailCodeOrder) -> ACCEPTED Json(body::<http::MailTicket>),
        "Send a code to a mail address; the answer does not show whether an account has it";
    Open POST "/login/code" "logInByMail" Anyone letters::log_in, (LogInByMail) -> OK Json(body::<http::SignedIn>),
        "Log in by a code: begin a session";
    Open POST "/recover/code" "recoverByMail" Anyone letters::recover, (RecoverByMail) -> OK Json(body::<http::SignedIn>),
        "Set a new password by a code; all sessions end and a new one begins";
    Holder PUT "/account/mail" "changeMail" Anyone letters::change_mail, (ChangeMail) -> OK Json(body::<http::Me>),
        "Set the mail address, which a code has proved; both addresses are told";
    Holder POST "/account/mail/remove" "removeMail" Anyone letters::remove_mail, (RemoveMail) -> OK Json(body::<http::Me>),
        "Remove the mail address from an account that has a password";
    Holder PUT "/account/letters" "chooseLetters" Anyone letters::choose, (http::Letters) -> OK Json(body::<http::Me>),
        "Set the letters that the player wants";
    Holder GET "/account/pushes" "pushes" Anyone pushes::show, () -> OK Json(body::<http::Pushes>),
        "Show the key of the server for pushes, the devices, and the pushes that the player wants";
    Holder PUT "/account/pushes" "choosePushes" Anyone pushes::choose, (http::PushKinds) -> OK Json(body::<http::Pushes>),
        "Set the pushes that the player wants";
    Holder POST "/account/pushes/devices" "addPushDevice" Anyone pushes::add_device, (AddDevice) -> CREATED Json(body::<http::Pushes>),
        "Send pushes to a browser, until the session ends";
    Holder DELETE "/account/pushes/devices/{id}" "removePushDevice" Anyone pushes::remove_device, () -> NO_CONTENT Nothing,
        "Send no more pushes to a browser";
    Holder GET "/me" "me" Anyone account::me, () -> OK Json(body::<http::Me>),
        "Show the player of the token";
    Holder GET "/players" "findPlayers" Anyone account::search, [PlayersQuery] () -> OK Json(body::<http::Players>),
        "Find players by the start of the handle";
    Holder GET "/players/{handle}" "player" Anyone account::player, () -> OK Json(body::<http::Player>),
        "Show the player with a handle";
    Holder GET "/relations" "relations" Lobby relations::list, () -> OK Json(body::<http::Relations>),
        "List the players whom the player of the token follows and blocks; of friends, whether they are online and what they play";
    Holder PUT "/following/{handle}" "follow" Lobby relations::follow, () -> NO_CONTENT Nothing,
        "Follow a player; two who follow each other are friends";
    Holder DELETE "/following/{handle}" "unfollow" Lobby relations::unfollow, () -> NO_CONTENT Nothing,
        "Follow a player no longer";
    Holder PUT "/blocked/{handle}" "block" Lobby relations::block, () -> NO_CONTENT Nothing,
        "Block a player: no seek brings the two together, and follows end in both directions";
    Holder DELETE "/blocked/{handle}" "unblock" Lobby relations::unblock, () -> NO_CONTENT Nothing,
        "Block a player no longer";
    Holder GET "/archive" "archive" Anyone archive::list, [ArchiveQuery] () -> OK Json(body::<http::Archive>),
        "List finished games, the newest first";
    Holder GET "/games/{id}/result" "gameResult" Anyone archive::result, () -> OK Json(body::<http::GameResult>),
        "Show the result of a finished game";
    Holder GET "/players/{handle}/statistics" "statistics" Anyone archive::statistics, () -> OK Json(body::<http::Statistics>),
        "Show the statistics of a player; `me` is the player of the token";
    Holder GET "/players/{handle}/ratings" "ratings" Anyone archive::ratings, [RatingsQuery] () -> OK Json(body::<http::Ratings>),
        "Show the ratings of a player with their curves";
    Holder GET "/players/{handle}/versus/{other}" "headToHead" Anyone archive::head_to_head, () -> OK Json(body::<http::HeadToHead>),
        "Show the games of a player against another";
    Holder GET "/leaderboards/{pool}" "leaderboard" Lobby archive::leaderboard, [BoardQuery] () -> OK Json(body::<http::Leaderboard>),
        "Show a leaderboard of a pool; the slashes of the pool may stand as they are";
    Holder GET "/export" "export" Anyone archive::export, [ExportQuery] () -> OK Zip,
        "Get the finished games of the player as a ZIP file";
    Holder POST "/reports" "report" Lobby moderation::report, (ReportOrder) -> CREATED Json(body::<Numbered>),
        "Report a player to the moderators";
    Holder GET "/moderation/reports" "reports" Anyone moderation::reports, [ReportsQuery] () -> OK Json(body::<ReportsBody>),
        "List the reports, open ones first; for moderators";
    Holder GET "/moderation/reports/{number}" "reportWithContext" Anyone moderation::report_of, () -> OK Json(body::<ReportBody>),
        "Show a report with the lines around the reported one; for moderators";
    Holder POST "/moderation/actions" "moderate" Lobby moderation::act, (ActOrder) -> CREATED Json(body::<Numbered>),
        "Restrict or rename a player, hide lines, or close a report; for moderators";
    Holder POST "/moderation/actions/{number}/undo" "undo" Lobby moderation::undo, (UndoOrder) -> CREATED Json(body::<Numbered>),
        "Undo an action; for moderators";
    Holder GET "/moderation/players/{handle}" "moderationOf" Anyone moderation::history, [EntriesQuery] () -> OK Json(body::<HistoryBody>),
        "Show what moderators did about a player; for moderators";
    Holder GET "/moderation/audit" "audit" Anyone moderation::audit, [EntriesQuery] () -> OK Json(body::<AuditBody>),
        "List what everybody with a role did; for moderators";
    OpenNow GET "/openapi.json" "document" Anyone document::players, () -> OK Object,
        "This document";
}

/// A route, and the parameters in its path.
pub(super) struct Found<'a> {
    pub(super) route: &'static Route,
    pub(super) parameters: Vec<&'a str>,
}

/// The reasons why there is no route.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NoRoute {
    /// Nothing has the path.
    Path,
    /// The path has other methods.
    Method(Vec<Method>),
}

/// Returns the route of a request to the players' listener.
pub(super) fn find<'a>(method: &Method, path: &'a str) -> Result<Found<'a>, NoRoute> {
    find_in((API_PATH, ROUTES), method, path)
}

/// Returns the route of a request to the admin listener.
pub(super) fn find_admin<'a>(method: &Method, path: &'a str) -> Result<Found<'a>, NoRoute> {
    find_in((ADMIN_PATH, ADMIN_ROUTES), method, path)
}

fn find_in<'a>(
    (start, routes): (&str, &'static [Route]),
    method: &Method,
    path: &'a str,
) -> Result<Found<'a>, NoRoute> {
    let path = path.strip_prefix(start).ok_or(NoRoute::Path)?;
    let here = routes.iter().filter_map(|route| {
        let parameters = matched(route.path, path)?;
        Some(Found { route, parameters })
    });
    let here: Vec<Found<'a>> = here.collect();
    if here.is_empty() {
        return Err(NoRoute::Path);
    }
    let methods = here
        .iter()
        .map(|found| found.route.method.clone())
        .collect();
    let mut fitting = here.into_iter();
    fitting
        .find(|found| found.route.method == *method)
        .ok_or(NoRoute::Method(methods))
}

/// The parameter that takes the rest of a path, slashes included.
const REST: &str = "{pool}";

/// Returns the parameters of a path that fits a pattern, in their order.
fn matched<'a>(pattern: &str, path: &'a str) -> Option<Vec<&'a str>> {
    let (mut parameters, mut rest) = (Vec::new(), Some(path));
    for part in pattern.split('/') {
        let left = rest?;
        if part == REST {
            parameters.push(left);
            rest = None;
            continue;
        }
        let (found, behind) = match left.split_once('/') {
            Some((found, behind)) => (found, Some(behind)),
            None => (left, None),
        };
        rest = behind;
        if part.starts_with('{') {
            parameters.push(found);
        } else if part != found {
            return None;
        }
    }
    let is_whole = rest.is_none() && parameters.iter().all(|parameter| !parameter.is_empty());
    is_whole.then_some(parameters)
}

#[cfg(test)]
mod tests;

//! The paths of the API. Requests and the document of the API follow from the same table.

use axum::http::{Method, StatusCode};
use schemars::{JsonSchema, Schema, SchemaGenerator};

use super::administration::bodies::{
    AdjudicateOrder, CancelOrder, ConnectionsBody, GameInFull, GamesBody, KnownPlayers,
    PlayerInFull, RenameOrder, Ruled, SuspendOrder, TilesOrder,
};
use super::administration::order_bodies::{GiveOrder, PauseOrder, ReasonOrder, RuledGames};
use super::administration::server_bodies::{
    BlockOrder, BlocksBody, LiftOrder, LobbyBody, NoticeOrder, NoticesBody, Reached, ReloadBody,
    SettingsBody, WatchOrder, WatchesBody,
};
use super::bodies::{
    AskErasure, ChangeHandle, ChangePassword, Confirm, ErasureBody, LogIn, Me, NewRecoveryCodes,
    Player, Players, Recover, Register, Sessions, SignedInBody, SwitchChat, TakeInvitations,
    TakeVacation, VacationBody,
};
use super::figure_bodies::{HeadToHeadBody, Leaderboard, Ratings, StatisticsBody};
use super::letters::{
    ChangeMail, LettersBody, LogInByMail, MailCodeOrder, MailTicket, RecoverByMail, RemoveMail,
};
use super::moderation_bodies::{
    ActOrder, AuditBody, HistoryBody, Numbered, ReportBody, ReportOrder, ReportsBody, UndoOrder,
};
use super::pushes::{AddDevice, KindsBody, PushesBody};
use super::relations::RelationsBody;
use super::result_bodies::{Archive, GameResultBody};
use tilewire_control::admin_token::ADMIN_PATH;

/// The start of every path.
pub(crate) const API_PATH: &str = "/api/v1";

/// The operation of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operation {
    /// An operation without a token; all other operations need one.
    Open(Open),
    Account(Account),
    Relations(Relations),
    Letters(Letters),
    Pushes(Pushes),
    Games(Games),
    Moderation(Moderation),
    /// On the admin listener only.
    Admin(Admin),
}

/// Operations without a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Open {
    LogIn,
    Recover,
    MailCode,
    LogInByMail,
    RecoverByMail,
    Document,
}

/// Operations on the account of the token's holder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Account {
    Register,
    LogOut,
    Sessions,
    EndSession,
    EndOtherSessions,
    ChangePassword,
    ReplaceRecoveryCodes,
    ChangeHandle,
    TakeInvitations,
    SwitchChat,
    Vacation,
    TakeVacation,
    EndVacation,
    Export,
    AskErasure,
    TakeBackErasure,
    Me,
    Search,
    Player,
}

/// Operations on relations to other players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relations {
    List,
    Follow,
    Unfollow,
    Block,
    Unblock,
}

/// Operations on mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Letters {
    ChangeMail,
    RemoveMail,
    Choose,
}

/// Operations on pushes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pushes {
    Show,
    Choose,
    AddDevice,
    RemoveDevice,
}

/// Operations on finished games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Games {
    Archive,
    Result,
    Statistics,
    Ratings,
    HeadToHead,
    Leaderboard,
    Export,
}

/// Operations of moderation: reports, and the acts of moderators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Moderation {
    Report,
    Reports,
    ReportOf,
    Act,
    Undo,
    History,
    Audit,
}

/// Operations of admins on the admin listener.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Admin {
    Connections,
    Players,
    Player,
    Rename,
    Suspend,
    Undo,
    Games,
    Game,
    ShowTiles,
    Cancel,
    Adjudicate,
    Pause,
    Continue,
    Give,
    PauseAll,
    ContinueAll,
    Lobby,
    CloseLobby,
    OpenLobby,
    Notices,
    SendNotice,
    CancelNotice,
    Blocks,
    Block,
    Lift,
    Settings,
    Reload,
    Watches,
    Watch,
    Audit,
    Document,
}

/// Returns the schema of a body.
pub(super) type BodySchema = fn(&mut SchemaGenerator) -> Schema;

/// A method at a path.
pub(super) struct Route {
    pub(super) operation: Operation,
    pub(super) method: Method,
    /// The path below [`API_PATH`]; a part in braces is a parameter.
    pub(super) path: &'static str,
    /// The name in the document.
    pub(super) name: &'static str,
    pub(super) summary: &'static str,
    pub(super) request: Option<BodySchema>,
    /// The status of success, and the body if there is one.
    pub(super) answer: (StatusCode, Option<BodySchema>),
}

fn body<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

const NOTHING: (StatusCode, Option<BodySchema>) = (StatusCode::NO_CONTENT, None);

macro_rules! routes {
    ($(#[$meta:meta])* $table:ident: $($group:ident $operation:ident $method:ident $path:literal $name:literal
       ($request:expr) -> ($answer:expr): $summary:literal;)+) => {
        $(#[$meta])*
        pub(super) const $table: &[Route] = &[$(Route {
            operation: Operation::$group($group::$operation),
            method: Method::$method,
            path: $path,
            name: $name,
            summary: $summary,
            request: $request,
            answer: $answer,
        }),+];
    };
}

routes! {
    /// Every route of the players' listener.
    ROUTES:
    Account Register POST "/register" "register" (Some(body::<Register>)) -> ((StatusCode::CREATED, Some(body::<SignedInBody>))):
        "Register the guest of the token; the identity, its games and its seats stay";
    Open LogIn POST "/login" "logIn" (Some(body::<LogIn>)) -> ((StatusCode::OK, Some(body::<SignedInBody>))):
        "Log in: begin a session";
    Account LogOut POST "/logout" "logOut" (None) -> (NOTHING):
        "End the session of the token";
    Account Sessions GET "/sessions" "listSessions" (None) -> ((StatusCode::OK, Some(body::<Sessions>))):
        "List the sessions of the player";
    Account EndOtherSessions DELETE "/sessions" "endOtherSessions" (None) -> (NOTHING):
        "End all other sessions of the player";
    Account EndSession DELETE "/sessions/{id}" "endSession" (None) -> (NOTHING):
        "End a session of the player";
    Account ChangePassword POST "/password" "changePassword" (Some(body::<ChangePassword>)) -> ((StatusCode::OK, Some(body::<Me>))):
        "Change the password; all other sessions end";
    Account ReplaceRecoveryCodes POST "/recovery-codes" "replaceRecoveryCodes" (Some(body::<Confirm>)) -> ((StatusCode::OK, Some(body::<NewRecoveryCodes>))):
        "Get new recovery codes; the ones from before no longer work";
    Account ChangeHandle POST "/handle" "changeHandle" (Some(body::<ChangeHandle>)) -> ((StatusCode::OK, Some(body::<Me>))):
        "Change the handle; the old one stays reserved for a year";
    Account TakeInvitations PUT "/account/invitations" "takeInvitations" (Some(body::<TakeInvitations>)) -> ((StatusCode::OK, Some(body::<Me>))):
        "Set the players that may invite this player";
    Account SwitchChat PUT "/account/chat" "switchChat" (Some(body::<SwitchChat>)) -> ((StatusCode::OK, Some(body::<Me>))):
        "Switch the chat of this player on or off; rooms that the player is in are closed";
    Account Vacation GET "/account/vacation" "vacation" (None) -> ((StatusCode::OK, Some(body::<VacationBody>))):
        "Show the vacation of this player and the days that are left";
    Account TakeVacation POST "/account/vacation" "takeVacation" (Some(body::<TakeVacation>)) -> ((StatusCode::OK, Some(body::<VacationBody>))):
        "Begin a vacation, or make it longer: deadlines in games with vacations move";
    Account EndVacation DELETE "/account/vacation" "endVacation" (None) -> ((StatusCode::OK, Some(body::<VacationBody>))):
        "End the vacation; whole days that are not used come back";
    Account Export GET "/account/export" "exportAccount" (None) -> ((StatusCode::OK, None)):
        "Get everything that the server has about this player as a ZIP file";
    Account AskErasure POST "/account/erasure" "askErasure" (Some(body::<AskErasure>)) -> ((StatusCode::ACCEPTED, Some(body::<ErasureBody>))):
        "Ask to be erased; it takes effect some days later";
    Account TakeBackErasure DELETE "/account/erasure" "takeBackErasure" (None) -> (NOTHING):
        "Take the wish to be erased back";
    Open Recover POST "/recover" "recover" (Some(body::<Recover>)) -> ((StatusCode::OK, Some(body::<SignedInBody>))):
        "Set a new password with a recovery code; all sessions end and a new one begins";
    Open MailCode POST "/mail-codes" "mailCode" (Some(body::<MailCodeOrder>)) -> ((StatusCode::ACCEPTED, Some(body::<MailTicket>))):
        "Send a code to a mail address; the answer does not show whether an account has it";
    Open LogInByMail POST "/login/code" "logInByMail" (Some(body::<LogInByMail>)) -> ((StatusCode::OK, Some(body::<SignedInBody>))):
        "Log in by a code: begin a session";
    Open RecoverByMail POST "/recover/code" "recoverByMail" (Some(body::<RecoverByMail>)) -> ((StatusCode::OK, Some(body::<SignedInBody>))):
        "Set a new password by a code; all sessions end and a new one begins";
    Letters ChangeMail PUT "/account/mail" "changeMail" (Some(body::<ChangeMail>)) -> ((StatusCode::OK, Some(body::<Me>))):
        "Set the mail address, which a code has proved; both addresses are told";
    Letters RemoveMail POST "/account/mail/remove" "removeMail" (Some(body::<RemoveMail>)) -> ((StatusCode::OK, Some(body::<Me>))):
        "Remove the mail address from an account that has a password";
    Letters Choose PUT "/account/letters" "chooseLetters" (Some(body::<LettersBody>)) -> ((StatusCode::OK, Some(body::<Me>))):
        "Set the letters that the player wants";
    Pushes Show GET "/account/pushes" "pushes" (None) -> ((StatusCode::OK, Some(body::<PushesBody>))):
        "Show the key of the server for pushes, the devices, and the pushes that the player wants";
    Pushes Choose PUT "/account/pushes" "choosePushes" (Some(body::<KindsBody>)) -> ((StatusCode::OK, Some(body::<PushesBody>))):
        "Set the pushes that the player wants";
    Pushes AddDevice POST "/account/pushes/devices" "addPushDevice" (Some(body::<AddDevice>)) -> ((StatusCode::CREATED, Some(body::<PushesBody>))):
        "Send pushes to a browser, until the session ends";
    Pushes RemoveDevice DELETE "/account/pushes/devices/{id}" "removePushDevice" (None) -> (NOTHING):
        "Send no more pushes to a browser";
    Account Me GET "/me" "me" (None) -> ((StatusCode::OK, Some(body::<Me>))):
        "Show the player of the token";
    Account Search GET "/players" "findPlayers" (None) -> ((StatusCode::OK, Some(body::<Players>))):
        "Find players by the start of the handle";
    Account Player GET "/players/{handle}" "player" (None) -> ((StatusCode::OK, Some(body::<Player>))):
        "Show the player with a handle";
    Relations List GET "/relations" "relations" (None) -> ((StatusCode::OK, Some(body::<RelationsBody>))):
        "List the players whom the player of the token follows and blocks; of friends, whether they are online and what they play";
    Relations Follow PUT "/following/{handle}" "follow" (None) -> (NOTHING):
        "Follow a player; two who follow each other are friends";
    Relations Unfollow DELETE "/following/{handle}" "unfollow" (None) -> (NOTHING):
        "Follow a player no longer";
    Relations Block PUT "/blocked/{handle}" "block" (None) -> (NOTHING):
        "Block a player: no seek brings the two together, and follows end in both directions";
    Relations Unblock DELETE "/blocked/{handle}" "unblock" (None) -> (NOTHING):
        "Block a player no longer";
    Games Archive GET "/archive" "archive" (None) -> ((StatusCode::OK, Some(body::<Archive>))):
        "List finished games, the newest first";
    Games Result GET "/games/{id}/result" "gameResult" (None) -> ((StatusCode::OK, Some(body::<GameResultBody>))):
        "Show the result of a finished game";
    Games Statistics GET "/players/{handle}/statistics" "statistics" (None) -> ((StatusCode::OK, Some(body::<StatisticsBody>))):
        "Show the statistics of a player; `me` is the player of the token";
    Games Ratings GET "/players/{handle}/ratings" "ratings" (None) -> ((StatusCode::OK, Some(body::<Ratings>))):
        "Show the ratings of a player with their curves";
    Games HeadToHead GET "/players/{handle}/versus/{other}" "headToHead" (None) -> ((StatusCode::OK, Some(body::<HeadToHeadBody>))):
        "Show the games of a player against another";
    Games Leaderboard GET "/leaderboards/{pool}" "leaderboard" (None) -> ((StatusCode::OK, Some(body::<Leaderboard>))):
        "Show a leaderboard of a pool; the slashes of the pool may stand as they are";
    Games Export GET "/export" "export" (None) -> ((StatusCode::OK, None)):
        "Get the finished games of the player as a ZIP file";
    Moderation Report POST "/reports" "report" (Some(body::<ReportOrder>)) -> ((StatusCode::CREATED, Some(body::<Numbered>))):
        "Report a player to the moderators";
    Moderation Reports GET "/moderation/reports" "reports" (None) -> ((StatusCode::OK, Some(body::<ReportsBody>))):
        "List the reports, open ones first; for moderators";
    Moderation ReportOf GET "/moderation/reports/{number}" "reportWithContext" (None) -> ((StatusCode::OK, Some(body::<ReportBody>))):
        "Show a report with the lines around the reported one; for moderators";
    Moderation Act POST "/moderation/actions" "moderate" (Some(body::<ActOrder>)) -> ((StatusCode::CREATED, Some(body::<Numbered>))):
        "Restrict or rename a player, hide lines, or close a report; for moderators";
    Moderation Undo POST "/moderation/actions/{number}/undo" "undo" (Some(body::<UndoOrder>)) -> ((StatusCode::CREATED, Some(body::<Numbered>))):
        "Undo an action; for moderators";
    Moderation History GET "/moderation/players/{handle}" "moderationOf" (None) -> ((StatusCode::OK, Some(body::<HistoryBody>))):
        "Show what moderators did about a player; for moderators";
    Moderation Audit GET "/moderation/audit" "audit" (None) -> ((StatusCode::OK, Some(body::<AuditBody>))):
        "List what everybody with a role did; for moderators";
    Open Document GET "/openapi.json" "document" (None) -> ((StatusCode::OK, None)):
        "This document";
}

routes! {
    /// Every route of the admin listener.
    ADMIN_ROUTES:
    Admin Connections GET "/connections" "connections" (None) -> ((StatusCode::OK, Some(body::<ConnectionsBody>))):
        "List the authenticated connections, the oldest first";
    Admin Players GET "/players" "findPlayers" (None) -> ((StatusCode::OK, Some(body::<KnownPlayers>))):
        "Find registered players by the start of the handle, and every player by identity";
    Admin Player GET "/players/{player}" "player" (None) -> ((StatusCode::OK, Some(body::<PlayerInFull>))):
        "Show a player with sessions, connections, games and the history of actions";
    Admin Rename POST "/players/{player}/rename" "rename" (Some(body::<RenameOrder>)) -> ((StatusCode::CREATED, Some(body::<Numbered>))):
        "Give a player another handle; the player is told";
    Admin Suspend POST "/players/{player}/suspend" "suspend" (Some(body::<SuspendOrder>)) -> ((StatusCode::CREATED, Some(body::<Numbered>))):
        "Suspend a player, who reads the reason; all sessions end";
    Admin Undo POST "/actions/{number}/undo" "undo" (Some(body::<UndoOrder>)) -> ((StatusCode::CREATED, Some(body::<Numbered>))):
        "Undo an action about a player; the player is told";
    Admin Games GET "/games" "games" (None) -> ((StatusCode::OK, Some(body::<GamesBody>))):
        "List games that fit all filters, the newest first";
    Admin Game GET "/games/{game}" "game" (None) -> ((StatusCode::OK, Some(body::<GameInFull>))):
        "Show a game with log, clocks, queue and spectators, without hidden tiles";
    Admin Pause POST "/games/{game}/pause" "pauseGame" (Some(body::<PauseOrder>)) -> ((StatusCode::CREATED, Some(body::<Ruled>))):
        "Pause a game: its clocks stand, and it takes no commands; the players read the reason";
    Admin Continue POST "/games/{game}/continue" "continueGame" (Some(body::<ReasonOrder>)) -> ((StatusCode::CREATED, Some(body::<Ruled>))):
        "Let a paused game go on";
    Admin Give POST "/games/{game}/time" "giveTime" (Some(body::<GiveOrder>)) -> ((StatusCode::CREATED, Some(body::<Ruled>))):
        "Give time to a seat of a game; the players read the reason";
    Admin PauseAll POST "/pause" "pauseAllGames" (Some(body::<PauseOrder>)) -> ((StatusCode::CREATED, Some(body::<RuledGames>))):
        "Pause every game in memory that can be paused";
    Admin ContinueAll POST "/continue" "continueAllGames" (Some(body::<ReasonOrder>)) -> ((StatusCode::CREATED, Some(body::<RuledGames>))):
        "Let every paused game in memory go on";
    Admin Lobby GET "/lobby" "lobby" (None) -> ((StatusCode::OK, Some(body::<LobbyBody>))):
        "Show whether games may begin, and how many are not over";
    Admin CloseLobby POST "/lobby/close" "closeLobby" (Some(body::<ReasonOrder>)) -> ((StatusCode::CREATED, Some(body::<Numbered>))):
        "Close the lobby: no game begins, and games go on; players read the reason";
    Admin OpenLobby POST "/lobby/open" "openLobby" (Some(body::<ReasonOrder>)) -> ((StatusCode::CREATED, Some(body::<Numbered>))):
        "Open the lobby again";
    Admin Notices GET "/notices" "notices" (None) -> ((StatusCode::OK, Some(body::<NoticesBody>))):
        "List the notices that wait";
    Admin SendNotice POST "/notices" "sendNotice" (Some(body::<NoticeOrder>)) -> ((StatusCode::CREATED, Some(body::<Reached>))):
        "Send a notice to all connections, now or later, once or again and again before a time";
    Admin CancelNotice POST "/notices/{number}/cancel" "cancelNotice" (Some(body::<ReasonOrder>)) -> ((StatusCode::CREATED, Some(body::<Reached>))):
        "Cancel a notice that waits";
    Admin Blocks GET "/addresses" "blockedAddresses" (None) -> ((StatusCode::OK, Some(body::<BlocksBody>))):
        "List the blocked address ranges";
    Admin Block POST "/addresses" "blockAddresses" (Some(body::<BlockOrder>)) -> ((StatusCode::CREATED, Some(body::<Numbered>))):
        "Block an address range";
    Admin Lift POST "/addresses/lift" "liftAddresses" (Some(body::<LiftOrder>)) -> ((StatusCode::CREATED, Some(body::<Numbered>))):
        "Lift the block of an address range";
    Admin Settings GET "/settings" "settings" (None) -> ((StatusCode::OK, Some(body::<SettingsBody>))):
        "List the settings, and which of them a reload applies";
    Admin Reload POST "/settings/reload" "reloadSettings" (Some(body::<ReasonOrder>)) -> ((StatusCode::CREATED, Some(body::<ReloadBody>))):
        "Read the settings again; with a mistake, nothing changes";
    Admin Watches GET "/watches" "watches" (None) -> ((StatusCode::OK, Some(body::<WatchesBody>))):
        "List the games and players with detailed logs";
    Admin Watch POST "/watches" "watch" (Some(body::<WatchOrder>)) -> ((StatusCode::CREATED, Some(body::<Reached>))):
        "Write more about a game or a player to the log for a time";
    Admin ShowTiles POST "/games/{game}/tiles" "showTiles" (Some(body::<TilesOrder>)) -> ((StatusCode::OK, Some(body::<GameInFull>))):
        "Show a game with the racks and exchanges of all seats; the audit has the request";
    Admin Cancel POST "/games/{game}/cancel" "cancelGame" (Some(body::<CancelOrder>)) -> ((StatusCode::CREATED, Some(body::<Ruled>))):
        "End a game without a result; the players read the reason";
    Admin Adjudicate POST "/games/{game}/adjudicate" "adjudicateGame" (Some(body::<AdjudicateOrder>)) -> ((StatusCode::CREATED, Some(body::<Ruled>))):
        "End a game with a result; the players read the reason";
    Admin Audit GET "/audit" "audit" (None) -> ((StatusCode::OK, Some(body::<AuditBody>))):
        "List what everybody with a role did";
    Admin Document GET "/openapi.json" "document" (None) -> ((StatusCode::OK, None)):
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

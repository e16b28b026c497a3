//! The routes of the admin listener.

use super::bodies::{
    AdjudicateOrder, CancelOrder, ConnectionsBody, ConnectionsQuery, GameInFull, GamesBody,
    GamesQuery, KnownPlayers, PlayerInFull, RenameOrder, Ruled, SearchQuery, SuspendOrder,
    TilesOrder,
};
use super::order_bodies::{GiveOrder, PauseOrder, ReasonOrder, RuledGames};
use super::server_bodies::{
    BlockOrder, BlocksBody, LiftOrder, LobbyBody, NoticeOrder, NoticesBody, Reached, ReloadBody,
    SettingsBody, WatchOrder, WatchesBody,
};
use super::{audit, games, notices, players, rulings, server, undo};
use crate::document;
use crate::moderation_bodies::{AuditBody, EntriesQuery, Numbered, UndoOrder};
use crate::routes::Success::{Json, Object};
use crate::routes::{body, routes};

routes! {
    /// Every route of the admin listener.
    ADMIN_ROUTES:
    Admin GET "/connections" "connections" Lobby players::connections, [ConnectionsQuery] () -> OK Json(body::<ConnectionsBody>),
        "List the authenticated connections, the oldest first";
    Admin GET "/players" "findPlayers" Lobby players::find, [SearchQuery] () -> OK Json(body::<KnownPlayers>),
        "Find registered players by the start of the handle, and every player by identity";
    Admin GET "/players/{player}" "player" Lobby players::in_full, () -> OK Json(body::<PlayerInFull>),
        "Show a player with sessions, connections, games and the history of actions";
    Admin POST "/players/{player}/rename" "rename" Lobby players::rename, (RenameOrder) -> CREATED Json(body::<Numbered>),
        "Give a player another handle; the player is told";
    Admin POST "/players/{player}/suspend" "suspend" Lobby players::suspend, (SuspendOrder) -> CREATED Json(body::<Numbered>),
        "Suspend a player, who reads the reason; all sessions end";
    Admin POST "/actions/{number}/undo" "undo" Lobby undo, (UndoOrder) -> CREATED Json(body::<Numbered>),
        "Undo an action about a player; the player is told";
    Admin GET "/games" "games" Everyone games::list, [GamesQuery] () -> OK Json(body::<GamesBody>),
        "List games that fit all filters, the newest first";
    Admin GET "/games/{game}" "game" Game games::in_full, () -> OK Json(body::<GameInFull>),
        "Show a game with log, clocks, queue and spectators, without hidden tiles";
    Admin POST "/games/{game}/pause" "pauseGame" Game rulings::pause, (PauseOrder) -> CREATED Json(body::<Ruled>),
        "Pause a game: its clocks stand, and it takes no commands; the players read the reason";
    Admin POST "/games/{game}/continue" "continueGame" Game rulings::go_on, (ReasonOrder) -> CREATED Json(body::<Ruled>),
        "Let a paused game go on";
    Admin POST "/games/{game}/time" "giveTime" Game rulings::give, (GiveOrder) -> CREATED Json(body::<Ruled>),
        "Give time to a seat of a game; the players read the reason";
    Admin POST "/pause" "pauseAllGames" Everyone rulings::pause_all, (PauseOrder) -> CREATED Json(body::<RuledGames>),
        "Pause every game in memory that can be paused";
    Admin POST "/continue" "continueAllGames" Everyone rulings::go_on_all, (ReasonOrder) -> CREATED Json(body::<RuledGames>),
        "Let every paused game in memory go on";
    Admin GET "/lobby" "lobby" Everyone server::lobby, () -> OK Json(body::<LobbyBody>),
        "Show whether games may begin, and how many are not over";
    Admin POST "/lobby/close" "closeLobby" Lobby server::close_lobby, (ReasonOrder) -> CREATED Json(body::<Numbered>),
        "Close the lobby: no game begins, and games go on; players read the reason";
    Admin POST "/lobby/open" "openLobby" Lobby server::open_lobby, (ReasonOrder) -> CREATED Json(body::<Numbered>),
        "Open the lobby again";
    Admin GET "/notices" "notices" Everyone notices::list, () -> OK Json(body::<NoticesBody>),
        "List the notices that wait";
    Admin POST "/notices" "sendNotice" Everyone notices::send, (NoticeOrder) -> CREATED Json(body::<Reached>),
        "Send a notice to all connections, now or later, once or again and again before a time";
    Admin POST "/notices/{number}/cancel" "cancelNotice" Everyone notices::cancel, (ReasonOrder) -> CREATED Json(body::<Reached>),
        "Cancel a notice that waits";
    AdminNow GET "/addresses" "blockedAddresses" Anyone server::blocks, () -> OK Json(body::<BlocksBody>),
        "List the blocked address ranges";
    Admin POST "/addresses" "blockAddresses" Anyone server::block, (BlockOrder) -> CREATED Json(body::<Numbered>),
        "Block an address range";
    Admin POST "/addresses/lift" "liftAddresses" Anyone server::lift, (LiftOrder) -> CREATED Json(body::<Numbered>),
        "Lift the block of an address range";
    AdminNow GET "/settings" "settings" Anyone server::settings, () -> OK Json(body::<SettingsBody>),
        "List the settings, and which of them a reload applies";
    Admin POST "/settings/reload" "reloadSettings" Anyone server::reload, (ReasonOrder) -> CREATED Json(body::<ReloadBody>),
        "Read the settings again; with a mistake, nothing changes";
    AdminNow GET "/watches" "watches" Anyone server::watches, () -> OK Json(body::<WatchesBody>),
        "List the games and players with detailed logs";
    Admin POST "/watches" "watch" Everyone server::watch, (WatchOrder) -> CREATED Json(body::<Reached>),
        "Write more about a game or a player to the log for a time";
    Admin POST "/games/{game}/tiles" "showTiles" Game games::show_tiles, (TilesOrder) -> OK Json(body::<GameInFull>),
        "Show a game with the racks and exchanges of all seats; the audit has the request";
    Admin POST "/games/{game}/cancel" "cancelGame" Game rulings::cancel, (CancelOrder) -> CREATED Json(body::<Ruled>),
        "End a game without a result; the players read the reason";
    Admin POST "/games/{game}/adjudicate" "adjudicateGame" Game rulings::adjudicate, (AdjudicateOrder) -> CREATED Json(body::<Ruled>),
        "End a game with a result; the players read the reason";
    Admin GET "/audit" "audit" Anyone audit, [EntriesQuery] () -> OK Json(body::<AuditBody>),
        "List what everybody with a role did";
    AdminNow GET "/openapi.json" "document" Anyone document::admins, () -> OK Object,
        "This document";
}

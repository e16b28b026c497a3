//! The help pages: the commands of a game and of the lobby.

use tilewire_client::GameView;
use tilewire_protocol::{ChallengeKind, ClockKind};

const PLAYS: &[&str] = &[
    "8F HORN       play across from row 8, column F",
    "H6 HORN       play down from column H, row 6",
    "8F HoRN       a lower-case letter is your blank",
    "H6 FA.M       . is a tile on the board (or type its letter)",
    "exchange AEI  exchange tiles; ? is the blank",
    "pass          end your turn     adjourn   continue another day; then resume",
];

const CHALLENGES: &[&str] = &[
    "challenge     challenge the last play",
    "hold          stop the challenge timer; then challenge, accept or release",
    "accept        don't challenge the last play",
    "withdraw      withdraw your challenged play; stand: keep it",
];

const OTHERS: &[&str] = &[
    "nudge         ask whether the opponent is still there; here: answer",
    "claim         claim the win if your opponent is away or silent",
    "resign        give up           abort     abort the game at the start",
    "rematch       after the game: play again; rematch no: decline",
    "say TEXT      chat; chat: read it again; report NAME: report to moderators",
    "shuffle       your rack         start     start your offered game",
    "help          this page         quit      leave; return with --resume",
];

const GIVE_SECONDS: &[&str] =
    &["give 15       give an opponent 15 seconds; refuse: accept no extra time"];

const GIVE_LIMIT: &[&str] = &["give          give an opponent one move's extra time"];

const HINTS: &[&str] = &["hint          show a play; hint 1: what kind, hint 2: where"];

const RATED: &[&str] = &["abort yes     agree to abort the game; abort no: decline"];

/// The help page of the lobby.
pub const LOBBY_HELP: &[&str] = &[
    "new           offer a game and wait for players",
    "new private   offer a game to friends, who join with its code",
    "quick         join an offer of the same game, or open one",
    "join 1        join the first open offer",
    "join CODE     join the private game of a friend",
    "invite NAME   invite a player to a game of two",
    "accept        accept an invitation; decline 1 busy: decline (or other, no)",
    "resume 1      return to the first of your unfinished games",
    "watch 1       watch the first of the live games",
    "tell BEN hi   chat with a friend",
    "help          this page         quit      leave",
    "",
    "`new`, `quick` and `invite` take the flags of tilewire lobby, for example:",
    "new --clock increment:15m+10s --challenge five-point --ties stand",
];

/// The help page of a game: the commands that its rules allow.
#[must_use]
pub fn game_help(view: Option<&GameView>) -> Vec<&'static str> {
    let is_void = |view: &GameView| view.setup.options.challenge_kind() == ChallengeKind::Void;
    let challenges = if view.is_some_and(is_void) {
        &[]
    } else {
        CHALLENGES
    };
    let others = match view.map(|view| &view.setup.options) {
        Some(options) if options.rated => RATED,
        Some(options) => match options.clock_kind() {
            ClockKind::Untimed => &[],
            ClockKind::PerMove => GIVE_LIMIT,
            _ => GIVE_SECONDS,
        },
        None => &[],
    };
    let has_hints = |view: &GameView| view.setup.options.hints.is_some();
    let hints = if view.is_some_and(has_hints) {
        HINTS
    } else {
        &[]
    };
    [PLAYS, challenges, hints, others, OTHERS].concat()
}

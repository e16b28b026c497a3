//! Every bound of the protocol, with its unit and its reason.
//!
//! Bounds marked *default* are what a server starts with and announces in `hello`; the others belong to version 1.

/// Largest frame a client may send, bytes. The largest request is a `seek` of about 1 KiB; the rest is room to grow.
pub const CLIENT_FRAME_MAX_BYTES: usize = 16 * 1024;

/// Largest frame a server sends, bytes. The largest message is the snapshot of a long four-seat game, about 60 KiB.
pub const SERVER_FRAME_MAX_BYTES: usize = 1024 * 1024;

/// Deepest nesting of arrays and maps in a frame, the envelope included. The deepest message needs 7.
pub const NESTING_MAX: usize = 16;

/// Most entries of one map. The largest body has 20 fields; a bound keeps the check for duplicate keys linear.
pub const MAP_ENTRIES_MAX: usize = 64;

/// Largest magnitude of an integer, 2^53 - 1: what every JSON parser keeps exactly.
pub const INTEGER_MAX: i64 = (1 << 53) - 1;

/// Longest game, seek or identity id, bytes.
pub const ID_MAX_BYTES: usize = 32;

/// Longest `cmd_id`, bytes: a prefix of 128 random bits and a counter fit.
pub const CMD_ID_MAX_BYTES: usize = 40;

/// Longest token, bytes: a site's token with some claims beside those that are looked at.
pub const TOKEN_MAX_BYTES: usize = 2048;

/// Most games in a list of finished games.
pub const FINISHED_GAMES: usize = 20;

/// Longest display name, characters.
pub const NAME_MAX_CHARS: usize = 24;

/// Longest display name, bytes: four for each character.
pub const NAME_MAX_BYTES: usize = 96;

/// Longest handle in a request, bytes: four for each of 20 characters.
pub const HANDLE_MAX_BYTES: usize = 80;

/// Most players that the criteria of a seek exclude.
pub const EXCLUDED_MAX: usize = 5;

/// Longest name of a client program, bytes; it only ever goes to a log.
pub const CLIENT_NAME_MAX_BYTES: usize = 64;

/// Longest name of a rule set or lexicon, bytes.
pub const CATALOGUE_NAME_MAX_BYTES: usize = 64;

/// Longest code of a private seek or game, bytes.
pub const CODE_MAX_BYTES: usize = 32;

/// Most entries of `tiles` in a request: the longest line of the largest board (21 squares), with room to grow.
pub const REQUEST_TILES_MAX: usize = 32;

/// Longest face of a tile, bytes: a letter with marks, a digraph, or `L·L`.
pub const FACE_MAX_BYTES: usize = 16;

/// Longest coordinate, bytes: two letters and two digits.
pub const COORDINATE_MAX_BYTES: usize = 4;

/// Longest chat room id, bytes: a kind and the id of a game.
pub const ROOM_ID_MAX_BYTES: usize = 40;

/// Longest line of a chat room, characters.
pub const CHAT_TEXT_MAX_CHARS: usize = 300;

/// Longest line of a chat room, bytes: four for each character.
pub const CHAT_TEXT_MAX_BYTES: usize = 4 * CHAT_TEXT_MAX_CHARS;

/// Most lines of a chat room in one answer.
pub const CHAT_LINES_MAX: usize = 200;

/// Most direct chat rooms in one answer.
pub const DIRECT_ROOMS_MAX: usize = 50;

/// Most words of one `look_up`: those of a play on the largest rack, which forms one for each tile and the main word.
pub const LOOK_UP_WORDS_MAX: usize = 16;

/// Longest word in a request, bytes: the longest line of the largest board with faces in brackets.
pub const WORD_MAX_BYTES: usize = 384;

/// Longest nonce of a player, bytes: 256 bits.
pub const NONCE_MAX_BYTES: usize = 32;

/// Length of every hash and of the server's secret, bytes (SHA-256).
pub const HASH_BYTES: usize = 32;

/// Fewest and most seats of a game.
pub const SEATS_MIN: u8 = 2;

/// Most seats of a game.
pub const SEATS_MAX: u8 = 4;

/// Shortest main time or limit of a turn that an option may name, ms.
pub const CLOCK_MIN_MS: i64 = 100;

/// Longest duration that an option may name, ms: a year.
pub const DURATION_MAX_MS: i64 = 366 * 24 * 60 * 60 * 1000;

/// Longest main time, overtime or time bank of a live game, ms: a day.
pub const LIVE_MAX_MS: i64 = 24 * 60 * 60 * 1000;

/// Longest increment or delay of a live game, ms: an hour.
pub const LIVE_TURN_MAX_MS: i64 = 60 * 60 * 1000;

/// Shortest time that a player can give another one, ms (P-GIFT-1).
pub const GIFT_MIN_MS: i64 = 5_000;

/// Longest time that a player can give another one at once, ms (P-GIFT-1).
pub const GIFT_MAX_MS: i64 = 60_000;

/// The most hints that a game can give each seat (P-HINT-1).
pub const HINTS_MAX: u8 = 8;

/// The lowest grade of a hint (P-HINT-2).
pub const HINT_GRADE_MIN: u8 = 1;

/// The highest grade of a hint (P-HINT-2).
pub const HINT_GRADE_MAX: u8 = 3;

/// Longest name of a row or column, bytes.
pub const HINT_LINE_MAX_BYTES: usize = 2;

/// Longest challenge window, ms. The shortest is 5 s; 0 stands for a window without a timer.
pub const WINDOW_MAX_MS: i64 = 60_000;

/// Most points that a minute of overtime may cost.
pub const PENALTY_MAX: i32 = 1_000;

/// Most turns that the limit of a game without progress may name.
pub const TURN_LIMIT_MAX: u32 = 100;

/// Longest delay of spectators, ms.
pub const SPECTATOR_DELAY_MAX_MS: i64 = 60 * 60 * 1000;

/// Commands of one seat whose answers are kept for retries.
pub const SEAT_COMMANDS_KEPT: usize = 16;

/// How long the answers to seek commands are kept for retries, ms.
pub const SEEK_COMMANDS_KEPT_MS: i64 = 24 * 60 * 60 * 1000;

/// Time for `auth` after the connection, ms. *Default.* Long enough for a slow network, short enough against idlers.
pub const AUTH_WITHIN_MS: i64 = 10_000;

/// Interval of the server's pings, ms. *Default.* Well below the idle timeout of common proxies (60 s).
pub const HEARTBEAT_MS: i64 = 10_000;

/// Silence after which a connection is given up, ms. *Default.* Two missed pings and some slack.
pub const HEARTBEAT_LOST_MS: i64 = 25_000;

/// Requests unanswered at once on a connection. *Default.*
pub const REQUESTS_IN_FLIGHT_MAX: usize = 32;

/// Games one connection may be attached to. *Default.*
pub const ATTACHED_GAMES_MAX: usize = 64;

/// Messages per second from one connection in the long run. *Default.* Fast play needs one or two.
pub const MESSAGES_PER_SECOND: u32 = 20;

/// Messages from one connection at once after a rest. *Default.* A client resuming all its games needs one for each.
pub const MESSAGE_BURST: u32 = 100;

/// Open seeks of one identity. *Default.*
pub const OPEN_SEEKS_MAX: usize = 5;

const _: () = {
    assert!(CLIENT_FRAME_MAX_BYTES < SERVER_FRAME_MAX_BYTES);
    assert!(
        TOKEN_MAX_BYTES * 4 < CLIENT_FRAME_MAX_BYTES,
        "an `auth` with the longest token fits"
    );
    assert!(
        REQUEST_TILES_MAX * (FACE_MAX_BYTES + 3) + 256 < CLIENT_FRAME_MAX_BYTES,
        "every play fits"
    );
    assert!(
        LOOK_UP_WORDS_MAX * (WORD_MAX_BYTES + 3) + 256 < CLIENT_FRAME_MAX_BYTES,
        "every `look_up` fits"
    );
    assert!(NAME_MAX_BYTES == 4 * NAME_MAX_CHARS);
    assert!(SEATS_MIN >= 2 && SEATS_MIN <= SEATS_MAX);
    assert!(
        HEARTBEAT_LOST_MS > 2 * HEARTBEAT_MS,
        "one lost ping is no reason to hang up"
    );
    assert!(
        MESSAGE_BURST as usize > ATTACHED_GAMES_MAX,
        "a client can resume all its games at once"
    );
    assert!(INTEGER_MAX == 9_007_199_254_740_991);
};

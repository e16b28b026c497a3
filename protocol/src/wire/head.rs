//! The head of a command in a game, for a server that passes the command on to another one.

use super::msgpack::Cursor;
use crate::limits;

/// The ops of the commands in a game.
const GAME_COMMANDS: [&str; 22] = [
    "ready",
    "play",
    "exchange",
    "pass",
    "challenge",
    "hold",
    "release",
    "accept",
    "withdraw",
    "stand",
    "resign",
    "abort",
    "nudge",
    "here",
    "adjourn",
    "resume_game",
    "refuse_time",
    "answer_adjourn",
    "give_time",
    "answer_abort",
    "claim",
    "hint",
];

/// The ops of those that end a turn.
const ENDING_TURN: [&str; 3] = ["play", "exchange", "pass"];

/// The head of a command in a game, in MessagePack. The reader checks nothing behind it: the server of the game decodes the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommandHead<'a> {
    /// The op.
    pub op: &'static str,
    /// The id of the request.
    pub id: u64,
    /// The game.
    pub game: &'a str,
    /// Whether the command ends a turn when it is accepted.
    pub ends_turn: bool,
}

impl<'a> CommandHead<'a> {
    /// Reads the head of a request. `None` if the request is no command, or if [`crate::decode_client`] refuses what the head shows.
    #[must_use]
    pub fn read(frame: &'a [u8]) -> Option<Self> {
        if frame.len() > limits::CLIENT_FRAME_MAX_BYTES {
            return None;
        }
        let mut cursor = Cursor::new(frame);
        if cursor.list()? != 3 {
            return None;
        }
        let op = cursor.string()?;
        let op = *GAME_COMMANDS.iter().find(|known| **known == op)?;
        let id = cursor.integer()?;
        if !(1..=limits::INTEGER_MAX).contains(&id) {
            return None;
        }
        for _ in 0..cursor.map()? {
            if cursor.string()? == "game" {
                let game = cursor.string()?;
                let is_id = (1..=limits::ID_MAX_BYTES).contains(&game.len());
                return is_id.then_some(Self {
                    op,
                    id: id.unsigned_abs(),
                    game,
                    ends_turn: ENDING_TURN.contains(&op),
                });
            }
            cursor.skip()?;
        }
        None
    }
}

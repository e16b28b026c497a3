//! The head of a server's message: its op and id, and the fields at the beginning of its body that name a position in a game.

use std::borrow::Cow;

use super::json::Lexer;
use super::msgpack::Cursor;
use crate::encoding::Codec;

/// The head of a message that this crate has encoded. Reading it costs the same for a message of any size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head<'a> {
    /// The op.
    pub op: Cow<'a, str>,
    /// The id of the request that it answers; 0 for a push.
    pub id: u64,
    /// The game, if it is the first field of the body.
    pub game: Option<Cow<'a, str>>,
    /// The epoch, if only the game is before it.
    pub epoch: Option<u64>,
    /// The sequence number, if only the game and the epoch are before it.
    pub seq: Option<u64>,
}

impl<'a> Head<'a> {
    /// Reads the head of a frame. `None` for bytes that [`crate::encode_server`] does not make; other ones are not checked.
    #[must_use]
    pub fn read(codec: Codec, frame: &'a [u8]) -> Option<Self> {
        match codec {
            Codec::MsgPack => Self::msgpack(Cursor::new(frame)),
            Codec::Json => Self::json(Lexer::new(std::str::from_utf8(frame).ok()?)),
        }
    }

    fn msgpack(mut cursor: Cursor<'a>) -> Option<Self> {
        if cursor.list()? != 3 {
            return None;
        }
        let mut head = Self::of(Cow::Borrowed(cursor.string()?), cursor.integer()?)?;
        for _ in 0..cursor.map()? {
            match cursor.string()? {
                "game" => head.game = Some(Cow::Borrowed(cursor.string()?)),
                "epoch" => head.epoch = Some(unsigned(cursor.integer()?)?),
                "seq" => head.seq = Some(unsigned(cursor.integer()?)?),
                _ => break,
            }
        }
        Some(head)
    }

    fn json(mut lexer: Lexer<'a>) -> Option<Self> {
        lexer.take(b'[')?;
        let op = lexer.string()?;
        lexer.take(b',')?;
        let mut head = Self::of(op, lexer.integer()?)?;
        lexer.take(b',')?;
        lexer.take(b'{')?;
        let mut is_first = true;
        while lexer.next_entry(is_first, b'}').is_some() {
            is_first = false;
            let key = lexer.string()?;
            lexer.take(b':')?;
            match &*key {
                "game" => head.game = Some(lexer.string()?),
                "epoch" => head.epoch = Some(unsigned(lexer.integer()?)?),
                "seq" => head.seq = Some(unsigned(lexer.integer()?)?),
                _ => break,
            }
        }
        Some(head)
    }

    /// Returns the head of a message with an empty body.
    fn of(op: Cow<'a, str>, id: i64) -> Option<Self> {
        Some(Self {
            op,
            id: unsigned(id)?,
            game: None,
            epoch: None,
            seq: None,
        })
    }
}

fn unsigned(number: i64) -> Option<u64> {
    u64::try_from(number).ok()
}

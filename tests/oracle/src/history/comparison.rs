//! The history of one game from the frames between its clients and the servers, for tests that keep all of them.

use std::collections::BTreeMap;

use anyhow::Result;
use tilewire_protocol::{Codec, GameId, ServerMessage, decode_client, decode_server};

use super::{History, LogLine, Sight};

/// A frame in MessagePack.
#[derive(Debug, Clone)]
pub enum Frame {
    /// From the client.
    Asked(Vec<u8>),
    /// From the server.
    Told(Vec<u8>),
}

/// A connection of a client.
#[derive(Debug, Clone)]
pub struct Traffic {
    /// The seat of the player; `None` of a spectator.
    pub seat: Option<u8>,
    /// The frames in both directions, in order.
    pub frames: Vec<Frame>,
}

/// The findings of a comparison.
#[derive(Debug)]
pub struct Comparison {
    /// The acknowledged commands.
    pub commands: usize,
    /// How often the game stood still and the players got the time back, and how long, ms.
    pub stood_still_ms: Vec<u64>,
    /// Everything that is wrong, in words.
    pub faults: Vec<String>,
}

/// Compares what the clients of a game saw with its native record.
///
/// # Errors
/// When a frame is no message, or the record has another form.
pub fn compare(game: &GameId, traffic: &[Traffic], record: &str) -> Result<Comparison> {
    let mut history = History::default();
    for connection in traffic {
        take_down(&mut history, game, connection)?;
    }
    let log = LogLine::read_all(record)?;
    let faults = history.judge(&log);
    Ok(Comparison {
        commands: history.commands(),
        stood_still_ms: log.iter().filter_map(|line| line.stood_still_ms).collect(),
        faults: faults.iter().map(ToString::to_string).collect(),
    })
}

fn take_down(history: &mut History<()>, game: &GameId, connection: &Traffic) -> Result<()> {
    let mut open = BTreeMap::new();
    for frame in &connection.frames {
        match frame {
            Frame::Asked(bytes) => {
                let (id, asked) = decode_client(Codec::MsgPack, bytes)?;
                open.insert(id, asked);
            }
            Frame::Told(bytes) => {
                let (id, message) = decode_server(Codec::MsgPack, bytes)?;
                let asked = open.remove(&id);
                if let ServerMessage::Event(event) = &message
                    && &event.game == game
                {
                    history.saw(0, Sight::of(event), ());
                }
                if let (ServerMessage::Ok(ok), Some(asked), Some(seat)) =
                    (&message, asked, connection.seat)
                    && let (Some((of, _)), Some(seq)) = (asked.game_command(), ok.seq)
                    && of == game
                {
                    history.acknowledged(seat, &asked, seq);
                }
            }
        }
    }
    Ok(())
}

//! Clients of a product's rooms, as players or spectators: they join, send moves and read the results.

use anyhow::{Context, Result, bail};
use futures::{SinkExt, StreamExt};
use rmp::decode::{read_array_len, read_int};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;

use super::catalog::Product;
use super::fanout_client::{connect, expect};
use tilewire_loadtest::link::Socket;

/// Opcodes of Colyseus: a client has joined, a message to or from the room.
const JOIN_ROOM: u8 = 10;
const ROOM_DATA: u8 = 13;
/// The name of the message, as a MessagePack short string.
const PLAY: &[u8] = b"\xa4play";
const PLAYED: &[u8] = b"\xa6played";

/// A move of the toy game: the square and the letter on it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Move {
    /// Moves of the room before this one.
    pub(super) number: u64,
    /// The square, below 225.
    pub(super) square: u8,
    /// The letter, from 1 to 26.
    pub(super) letter: u8,
}

/// The meaning of a message from a room.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Heard {
    /// The move of this number was made.
    Played(u64),
    /// The product expects this answer.
    Answer(Message),
    /// A message that the client ignores.
    Nothing,
}

/// A player's or spectator's connection to a room.
#[derive(Debug, Clone)]
pub(super) struct Place {
    product: Product,
    room: u32,
    seat: Option<u8>,
}

/// The last argument of `update` of boardgame.io.
#[derive(Debug, Deserialize)]
struct State {
    #[serde(rename = "_stateID")]
    id: u64,
}

impl Place {
    /// Joins a room; `seat` is `None` for spectators. The first client that joins creates the room.
    ///
    /// # Errors
    /// If the product refuses.
    pub(super) async fn enter(
        product: Product,
        address: &str,
        room: u32,
        seat: Option<u8>,
    ) -> Result<(Socket, Self)> {
        let place = Self {
            product,
            room,
            seat,
        };
        let socket = match product {
            Product::Colyseus => place.enter_colyseus(address).await?,
            Product::Boardgame => place.enter_boardgame(address).await?,
            Product::Socketioxide => place.enter_socketioxide(address).await?,
            Product::Nchan | Product::Nats | Product::Bun | Product::SocketIo => {
                bail!("it has no rooms")
            }
        };
        Ok((socket, place))
    }

    async fn enter_colyseus(&self, address: &str) -> Result<Socket> {
        let wish = json!({ "room": self.room, "seat": self.seat });
        let answer = post(address, "/matchmake/joinOrCreate/toy", &wish).await?;
        let field = |name: &str| {
            let text = answer[name].as_str();
            text.with_context(|| format!("no {name} in {answer}"))
        };
        let (process, room, session) = (field("processId")?, field("roomId")?, field("sessionId")?);
        let path = format!("/{process}/{room}?sessionId={session}");
        let mut socket = connect(address, &path).await?;
        let first = socket.next().await.context("it hung up")??.into_data();
        if first.first() != Some(&JOIN_ROOM) {
            bail!("{first:?} came in place of the room");
        }
        socket.send(Message::binary(vec![JOIN_ROOM])).await?;
        Ok(socket)
    }

    async fn enter_boardgame(&self, address: &str) -> Result<Socket> {
        let mut socket = connect(address, "/socket.io/?EIO=4&transport=websocket").await?;
        expect(&mut socket, "0{").await?;
        socket.send(Message::text("40/toy,")).await?;
        expect(&mut socket, "40/toy,").await?;
        let sync = json!(["sync", self.name(), self.player(), null, 2]);
        socket.send(Message::text(format!("42/toy,{sync}"))).await?;
        expect(&mut socket, "42/toy,[\"sync\"").await?;
        Ok(socket)
    }

    async fn enter_socketioxide(&self, address: &str) -> Result<Socket> {
        let mut socket = connect(address, "/socket.io/?EIO=4&transport=websocket").await?;
        expect(&mut socket, "0{").await?;
        let entry = json!({ "room": self.room, "seat": self.seat });
        socket.send(Message::text(format!("40{entry}"))).await?;
        expect(&mut socket, "40{").await?;
        expect(&mut socket, "42[\"joined\"").await?;
        Ok(socket)
    }

    fn name(&self) -> String {
        format!("room-{}", self.room)
    }

    fn player(&self) -> Value {
        self.seat
            .map_or(Value::Null, |seat| json!(seat.to_string()))
    }

    /// Encodes a move of this seat.
    ///
    /// # Errors
    /// If encoding fails, which is a defect of the harness.
    pub(super) fn play(&self, made: Move) -> Result<Message> {
        let Move {
            number,
            square,
            letter,
        } = made;
        Ok(match self.product {
            Product::Colyseus => {
                let mut bytes = vec![ROOM_DATA];
                bytes.extend_from_slice(PLAY);
                rmp::encode::write_array_len(&mut bytes, 3)?;
                for part in [number, u64::from(square), u64::from(letter)] {
                    rmp::encode::write_uint(&mut bytes, part)?;
                }
                Message::binary(bytes)
            }
            Product::Boardgame => {
                let action = json!({ "type": "MAKE_MOVE", "payload": { "type": "play",
                    "args": [square, letter], "playerID": self.player(), "credentials": null } });
                let update = json!(["update", action, number, self.name(), self.player()]);
                Message::text(format!("42/toy,{update}"))
            }
            _ => {
                let play = json!(["play", [number, square, letter]]);
                Message::text(format!("42{play}"))
            }
        })
    }

    /// Reads a message.
    ///
    /// # Errors
    /// If the product refuses a move, or sends an unexpected message.
    pub(super) fn hear(&self, message: &Message) -> Result<Heard> {
        match (self.product, message) {
            (Product::Colyseus, Message::Binary(bytes)) => {
                let Some(named) = bytes.strip_prefix(&[ROOM_DATA]) else {
                    return Ok(Heard::Nothing);
                };
                let mut rest = named.strip_prefix(PLAYED).context("a move was refused")?;
                read_array_len(&mut rest)?;
                Ok(Heard::Played(read_int(&mut rest)?))
            }
            (_, Message::Text(text)) if text.as_str() == "2" => {
                Ok(Heard::Answer(Message::text("3")))
            }
            (Product::Boardgame, Message::Text(text)) => {
                let Some(update) = text.strip_prefix("42/toy,") else {
                    return Ok(Heard::Nothing);
                };
                if !update.starts_with("[\"update\"") {
                    return Ok(Heard::Nothing);
                }
                let update: (IgnoredAny, IgnoredAny, State, IgnoredAny) =
                    serde_json::from_str(update)?;
                Ok(Heard::Played(update.2.id.saturating_sub(1)))
            }
            (Product::Socketioxide, Message::Text(text)) => {
                let event = text.strip_prefix("42").context("no event")?;
                let event: (String, [u64; 4]) = serde_json::from_str(event)?;
                Ok(Heard::Played(event.1[0]))
            }
            _ => Ok(Heard::Nothing),
        }
    }
}

/// Posts JSON and returns the JSON answer.
async fn post(address: &str, path: &str, body: &Value) -> Result<Value> {
    let mut stream = TcpStream::connect(address).await?;
    let body = body.to_string();
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    let object = answer.find("\r\n\r\n{").zip(answer.rfind('}'));
    let object = object.and_then(|(start, end)| answer.get(start + 4..=end));
    let object = object.with_context(|| format!("no JSON came: {answer}"))?;
    Ok(serde_json::from_str(object)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(product: Product) -> Place {
        Place {
            product,
            room: 7,
            seat: Some(1),
        }
    }

    const MADE: Move = Move {
        number: 300,
        square: 224,
        letter: 26,
    };

    #[test]
    fn what_colyseus_is_sent_and_says() {
        let place = place(Product::Colyseus);
        let Message::Binary(sent) = place.play(MADE).expect("a move") else {
            panic!("Colyseus takes bytes")
        };
        let written = b"\x0d\xa4play\x93\xcd\x01\x2c\xcc\xe0\x1a";
        assert_eq!(sent.as_ref(), written);
        let said = b"\x0d\xa6played\x94\xcd\x01\x2c\x01\xcc\xe0\x1a".to_vec();
        let heard = place.hear(&Message::binary(said)).expect("a move");
        assert_eq!(heard, Heard::Played(300));
        let refused = b"\x0d\xa7refused\x91\x01".to_vec();
        assert!(place.hear(&Message::binary(refused)).is_err());
    }

    #[test]
    fn what_the_others_are_sent_and_say() {
        let text = |place: &Place| match place.play(MADE) {
            Ok(Message::Text(text)) => text.to_string(),
            other => panic!("{other:?}"),
        };
        let (boardgame, oxide) = (place(Product::Boardgame), place(Product::Socketioxide));
        assert!(text(&boardgame).ends_with(",300,\"room-7\",\"1\"]"));
        assert_eq!(text(&oxide), "42[\"play\",[300,224,26]]");
        for (place, said, heard) in [
            (
                &boardgame,
                "42/toy,[\"update\",\"room-7\",{\"G\":{},\"_stateID\":301},[]]",
                300,
            ),
            (&oxide, "42[\"played\",[300,1,224,26]]", 300),
        ] {
            let told = place.hear(&Message::text(said)).expect("a move");
            assert_eq!(told, Heard::Played(heard));
            let ping = place.hear(&Message::text("2")).expect("a ping");
            assert_eq!(ping, Heard::Answer(Message::text("3")));
        }
        assert!(oxide.hear(&Message::text("42[\"refused\",[300]]")).is_err());
    }
}

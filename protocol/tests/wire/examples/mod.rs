//! One example of every message, or more where its shape varies. Golden bytes are made from them; never change one.

mod adjourns;
mod chat;
mod client;
mod criteria;
mod events;
mod greetings;
mod hints;
mod invitations;
mod parts;
mod server;
mod snapshots;
mod turns;

pub(crate) use client::client_messages;
pub(crate) use events::{event, events};
pub(crate) use server::server_messages;

use tilewire_protocol::{ClientMessage, Codec, ServerMessage, encode_client, encode_server};

/// An example by name, with the id in its envelope.
#[derive(Debug, Clone)]
pub(crate) struct Example {
    pub(crate) name: &'static str,
    pub(crate) id: u64,
    pub(crate) message: Message,
}

/// A message of either direction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Message {
    Client(ClientMessage),
    Server(ServerMessage),
}

impl Example {
    pub(crate) fn encode(&self, codec: Codec) -> Vec<u8> {
        match &self.message {
            Message::Client(message) => encode_client(codec, self.id, message),
            Message::Server(message) => encode_server(codec, self.id, message),
        }
    }
}

/// Every example of both directions.
pub(crate) fn all() -> Vec<Example> {
    let clients = client_messages().into_iter().zip(1..);
    let clients = clients.map(|((name, message), id)| Example {
        name,
        id,
        message: Message::Client(message),
    });
    let servers = server_messages()
        .into_iter()
        .map(|(name, id, message)| Example {
            name,
            id,
            message: Message::Server(message),
        });
    let events = events().into_iter().map(|(name, body)| Example {
        name,
        id: 0,
        message: Message::Server(ServerMessage::Event(event(17, body))),
    });
    clients.chain(servers).chain(events).collect()
}

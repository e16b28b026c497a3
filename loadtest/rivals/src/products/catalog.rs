//! The products that Tilewire is compared with, and what each of them does.

use clap::ValueEnum;
use serde::Serialize;

use crate::pairs::Traits;

/// A product.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
#[value(rename_all = "lowercase")]
pub(crate) enum Product {
    /// nginx with the module Nchan.
    Nchan,
    /// The WebSocket of nats-server.
    Nats,
    /// Bun's publish and subscribe, which are those of uWebSockets.
    Bun,
    /// Socket.IO on Node.
    SocketIo,
    /// Rooms of Colyseus on Node.
    Colyseus,
    /// Matches of boardgame.io on Node.
    Boardgame,
    /// Rooms on socketioxide, in Rust.
    Socketioxide,
}

const UNBOUNDED: &str = "queue without a bound";

impl Product {
    /// Its folder in `products` and in `target/rivals`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Nchan => "nchan",
            Self::Nats => "nats",
            Self::Bun => "bun",
            Self::SocketIo => "socketio",
            Self::Colyseus => "colyseus",
            Self::Boardgame => "boardgame",
            Self::Socketioxide => "socketioxide",
        }
    }

    /// Whether it is compared with rooms of two players; the others are compared with one game that many watch.
    pub(crate) const fn has_rooms(self) -> bool {
        match self {
            Self::Nchan | Self::Nats | Self::Bun | Self::SocketIo => false,
            Self::Colyseus | Self::Boardgame | Self::Socketioxide => true,
        }
    }

    /// Its traits as configured here.
    pub(crate) const fn traits(self) -> Traits {
        let (resume, stalled) = match self {
            Self::Nchan => (
                "by message id, from a buffer in memory",
                "bounded by the buffer of the channel",
            ),
            Self::Nats => ("no resume", "closed beyond max_pending"),
            Self::Bun => ("no resume", "dropped messages beyond backpressureLimit"),
            Self::SocketIo => ("no resume (an option, 2 minutes in memory)", UNBOUNDED),
            Self::Colyseus => (
                "a seat can be kept; missed messages are not sent again",
                UNBOUNDED,
            ),
            Self::Boardgame => ("the whole state; a lost move is not sent again", UNBOUNDED),
            Self::Socketioxide => (
                "no resume",
                "packets beyond a bounded queue are errors for the sender",
            ),
        };
        let durable = match self {
            Self::Boardgame => "not durable (told before it is stored)",
            Self::Nchan
            | Self::Nats
            | Self::Bun
            | Self::SocketIo
            | Self::Colyseus
            | Self::Socketioxide => "not durable",
        };
        Traits {
            resume,
            stalled,
            durable,
        }
    }
}

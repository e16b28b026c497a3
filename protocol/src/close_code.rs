//! The catalogue of WebSocket close codes, and whether a client reconnects.

/// The client's recommended reaction to a closed connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reconnect {
    /// Not automatically: the same would happen again.
    No,
    /// Immediately (with jitter), and resume.
    Now,
    /// After a pause that grows with each attempt, and resume.
    Later,
}

macro_rules! close_codes {
    ($($variant:ident = $number:literal, $name:literal, $reconnect:ident, $advice:literal, $meaning:literal;)+) => {
        /// Why a connection was closed.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum CloseCode {
            $(#[doc = $meaning] $variant,)+
        }

        impl CloseCode {
            /// Every code, in the order of the document.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The number in the close frame.
            #[must_use]
            pub const fn as_u16(self) -> u16 {
                match self {
                    $(Self::$variant => $number,)+
                }
            }

            /// The code of a number; `None` when this protocol does not use it.
            #[must_use]
            pub const fn from_u16(number: u16) -> Option<Self> {
                match number {
                    $($number => Some(Self::$variant),)+
                    _ => None,
                }
            }

            /// The name, for logs and documents.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// Returns the client's recommended reaction.
            #[must_use]
            pub const fn reconnect(self) -> Reconnect {
                match self {
                    $(Self::$variant => Reconnect::$reconnect,)+
                }
            }

            /// Describes the client's reaction in words.
            #[must_use]
            pub const fn advice(self) -> &'static str {
                match self {
                    $(Self::$variant => $advice,)+
                }
            }

            /// The meaning of the code, in one sentence.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self {
                    $(Self::$variant => $meaning,)+
                }
            }
        }
    };
}

close_codes! {
    Normal = 1000, "normal", No, "stop, unless the player wants to go on", "The other side is done.";
    GoingAway = 1001, "going_away", Now, "reconnect at once, resume", "The server stops or the client leaves.";
    ProtocolError = 1002, "protocol_error", No, "stop; log it as a fault of the program", "A frame broke the rules of WebSocket.";
    WrongFrameType = 1003, "wrong_frame_type", No, "stop; log it as a fault of the program", "A text frame came where binary frames belong, or the reverse.";
    BadUtf8 = 1007, "bad_utf8", No, "stop; log it as a fault of the program", "A text frame is not UTF-8.";
    TooLarge = 1009, "too_large", No, "stop; log it as a fault of the program, and do not send that message again", "A frame is larger than allowed.";
    BadHandshake = 4000, "bad_handshake", No, "stop; correct the `auth` by the `error` that came before", "The first message was not a readable `auth`.";
    AuthTimeout = 4001, "auth_timeout", Now, "reconnect at once, send `auth` first of all, resume", "`auth` did not come in time.";
    BadToken = 4002, "bad_token", No, "forget the token; reconnect and `auth` without it, if the player accepts a new identity", "The token was refused or revoked.";
    TooSlow = 4003, "too_slow", Now, "reconnect at once, resume; follow fewer games if it comes again", "The client did not read fast enough; nothing is lost after a resume.";
    Flood = 4004, "flood", Later, "reconnect after 5 s at least, resume, send less", "The client went on sending too much.";
    HeartbeatLost = 4005, "heartbeat_lost", Now, "reconnect at once, resume", "The client did not answer the server's pings.";
    Restarting = 4006, "restarting", Later, "reconnect after the N ms of the reason and up to as much again at random, resume", "The server restarts; the reason text is `retry_after_ms=N`.";
    TooManyConnections = 4007, "too_many_connections", Later, "close other connections; reconnect after 5 s at least, resume", "The server, the address or the identity has too many connections.";
    UnsupportedProtocol = 4008, "unsupported_protocol", No, "stop; log it as a fault of the program", "None of the offered subprotocols is spoken here.";
    Revoked = 4009, "revoked", No, "stop; show the reason text to the player", "The operator revoked the identity; the reason text says why, if the operator gave a reason.";
}

impl Reconnect {
    /// The advice in words.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::No => "no",
            Self::Now => "yes, and resume",
            Self::Later => "yes, after a pause, and resume",
        }
    }
}

impl Reconnect {
    /// The advice for a closed connection. A client reconnects after an unlisted code, and after a loss without a code.
    #[must_use]
    pub fn after(close_code: Option<u16>) -> Self {
        match close_code {
            None => Self::Now,
            Some(number) => match CloseCode::from_u16(number) {
                Some(code) => code.reconnect(),
                None => Self::Later,
            },
        }
    }
}

impl std::fmt::Display for CloseCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.as_u16(), self.as_str())
    }
}

//! The catalogue of WebSocket close codes, each with its meaning for the client: reconnect or not.

/// What a client should do after the connection was closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reconnect {
    /// Not by itself: the same would happen again.
    No,
    /// At once (with jitter), and resume.
    Now,
    /// After a pause that grows with each attempt, and resume.
    Later,
}

macro_rules! close_codes {
    ($($variant:ident = $number:literal, $name:literal, $reconnect:ident, $meaning:literal;)+) => {
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

            /// What a client should do.
            #[must_use]
            pub const fn reconnect(self) -> Reconnect {
                match self {
                    $(Self::$variant => Reconnect::$reconnect,)+
                }
            }

            /// What the code means, in one sentence.
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
    Normal = 1000, "normal", No, "The other side is done.";
    GoingAway = 1001, "going_away", Now, "The server stops or the client leaves.";
    ProtocolError = 1002, "protocol_error", No, "A frame broke the rules of WebSocket.";
    WrongFrameType = 1003, "wrong_frame_type", No, "A text frame came where binary frames belong, or the reverse.";
    BadUtf8 = 1007, "bad_utf8", No, "A text frame is not UTF-8.";
    TooLarge = 1009, "too_large", No, "A frame is larger than allowed.";
    BadHandshake = 4000, "bad_handshake", No, "The first message was not a readable `auth`.";
    AuthTimeout = 4001, "auth_timeout", Now, "`auth` did not come in time.";
    BadToken = 4002, "bad_token", No, "The token was refused; get a new identity by `auth` without a token.";
    TooSlow = 4003, "too_slow", Now, "The client did not read fast enough; nothing is lost after a resume.";
    Flood = 4004, "flood", Later, "The client went on sending too much.";
    HeartbeatLost = 4005, "heartbeat_lost", Now, "The client did not answer the server's pings.";
    Restarting = 4006, "restarting", Later, "The server restarts; the reason text is `retry_after_ms=N`.";
    TooManyConnections = 4007, "too_many_connections", Later, "The server, the address or the identity has too many connections.";
    UnsupportedProtocol = 4008, "unsupported_protocol", No, "None of the offered subprotocols is spoken here.";
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
    /// The advice for a closed connection: for codes not listed, and for connections lost without one, to reconnect.
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

//! Delivery of messages to clients: from an encoded message to the bytes that a socket takes.
//!
//! A [`Peer`] is one connection of one identity, and the [`Registry`] holds all of them. A frame for a peer goes into its
//! [`Outbox`], which is bounded in bytes, and so are all of them together ([`Backlogs`]): sending never waits for a client. The [`Sink`] of an outbox decides who writes.
//! With [`Sink::Direct`] the task that flushes the outbox writes to the socket; with [`Sink::Stream`] a task of the
//! connection does. A client of another node has a [`Remote`] in place of an outbox. `fan_out` delivers the same [`Framed`] messages to many recipients.

mod backlog;
#[cfg(any(test, feature = "testing"))]
pub mod counted;
mod direct;
mod encoded;
mod fan_out;
mod framed;
mod leaving;
mod outbox;
mod outgoing;
mod peer;
mod presence;
mod push_frame;
mod recipient;
mod registry;
mod remote;
mod resume_point;
mod stream;
mod writer;

pub use backlog::{Backlog, Backlogs};
pub use direct::DirectSocket;
pub use encoded::{Encoded, EncodedAnswer, PerCodec};
pub use fan_out::Dispatch;
pub use fan_out::fan_out;
pub use framed::Framed;
pub use leaving::{Forward, Leaving};
pub use outbox::{Outbox, Sink, Waiting};
pub use outgoing::{Closing, Outgoing};
pub use peer::Peer;
pub use presence::Presence;
pub use push_frame::{PushFrame, PushSummary, Pushes};
pub use recipient::{Delivery, PeerId, Priority, Recipient};
pub use registry::{ConnectionEnd, OtherNodes, Registry, TooManyConnections};
pub use remote::Remote;
pub use resume_point::ResumePoint;
pub use stream::FrameWriter;
pub use writer::write_direct;
pub use writer::{WriterBounds, write_stream};

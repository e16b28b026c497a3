//! The steps of a request to a program of others, as metrics and messages name them.

/// A step of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The name has an address.
    Resolve,
    /// The address may be reached.
    Address,
    /// The other side takes the connection.
    Connect,
    /// TLS with a certificate that fits.
    Tls,
    /// The other side reads the request and answers it.
    Answer,
    /// The answer says that the request was taken.
    Status,
}

impl Stage {
    /// The names of all, in order.
    pub(crate) const NAMES: [&'static str; 6] = [
        Self::Resolve.name(),
        Self::Address.name(),
        Self::Connect.name(),
        Self::Tls.name(),
        Self::Answer.name(),
        Self::Status.name(),
    ];

    /// Returns the name in metrics and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Resolve => "resolve",
            Self::Address => "address",
            Self::Connect => "connect",
            Self::Tls => "tls",
            Self::Answer => "answer",
            Self::Status => "status",
        }
    }
}

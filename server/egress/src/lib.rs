//! Connections to programs of others: the mail server of the settings, the webhooks of the operator, and the push services that
//! strangers name. The courier is the only caller.
//!
//! Invariant: no request of a [`Caller`] reaches an address that is not public, unless a setting allows its network. The check is
//! made on the address of the connection, after the name was resolved, so no answer of a name server gets around it. The mail
//! server is named by the operator alone and may be anywhere.

mod address;
mod bounded;
mod caller;
mod failure;
mod trust;

pub use address::Reach;
pub use bounded::Bounded;
pub use caller::Caller;
pub use failure::{Answer, Failure};

pub use trust::{TrustFault, client as tls_client, connector, own_roots};

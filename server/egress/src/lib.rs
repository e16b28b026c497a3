//! Connections to programs of others: TLS with authorities of the operator's choice, and requests with bounded steps
//! and answers.
//!
//! Invariant: it knows no letter, no event and no database; it carries the bytes of its callers.
//!
//! No request of a [`Caller`] reaches an address that is not public, unless a setting allows its network. The check is
//! made on the address of the connection, after the name was resolved, so no answer of a name server gets around it.
//! Mail servers, databases and buses are named by the operator alone, may be anywhere, and are reached without a
//! [`Caller`].

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

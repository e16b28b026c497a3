//! Requests to servers that strangers name: push services, and whatever else has an address from outside.
//!
//! Invariant: no request reaches an address of the operator's own network, unless a setting allows it. The check is made on
//! the address that the connection goes to, after the name was resolved, so no answer of a name server gets around it.

mod address;
mod caller;
mod target;

pub(crate) use address::may_reach;
pub(crate) use caller::{Answer, Caller, CallerFault, Stage};
pub(crate) use target::{NoTarget, Target};

//! Bodies of the HTTP API that a server writes and a client reads.
//!
//! The document of the API is generated from them. A client survives fields and values of a later version.

mod account;
mod figures;
mod mail;
mod pushes;
mod relations;
mod results;

pub use account::*;
pub use figures::*;
pub use mail::*;
pub use pushes::*;
pub use relations::*;
pub use results::*;

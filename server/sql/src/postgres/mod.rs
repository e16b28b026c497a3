//! The connection to PostgreSQL: statements in its dialect, values, TLS, and its errors.

pub mod dialect;
pub mod error;
pub mod server;
pub mod session;
mod tls;
pub mod value;

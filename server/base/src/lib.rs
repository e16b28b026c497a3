//! The ground on which the other crates of the server stand: clock, ids, metrics, crash points, addresses and
//! background tasks.
//!
//! Invariant: it knows no setting, no storage, and no state of a game or of a client.

pub mod address;
pub mod background;
pub mod backoff;
pub mod clock;
pub mod crash_points;
pub mod house_bots;
pub mod http;
pub mod ids;
pub mod metrics;
pub mod operator_file;
pub mod queue_level;
pub mod request_stage;
pub mod slow_work;
pub mod stalls;
pub mod tasks;
pub mod traces;
pub mod vapid;

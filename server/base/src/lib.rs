//! The ground on which every other crate of the server stands: clock, ids, metrics, crash points, addresses and background tasks.
//!
//! Invariant: it knows no setting, no storage, no game and no client.

pub mod address;
pub mod background;
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

//! Analysis without a server: `tilewire position`.

mod given;
mod position;

pub use position::PositionArgs;
pub(crate) use position::run as run_position;

//! Analysis without a server: `tilewire position` and `tilewire analyze`.

mod analyze;
mod game;
mod given;
mod listing;
mod position;
mod show;
mod simulate;
mod work;

pub use analyze::AnalyzeArgs;
pub(crate) use analyze::run as run_analyze;
pub use position::PositionArgs;
pub(crate) use position::run as run_position;

//! The load-test harness on real servers. No test measures speed.

mod cluster_up;
mod failures;
mod scenarios;

/// The program under test.
const LOADTEST: &str = env!("CARGO_BIN_EXE_tilewire-loadtest");
/// A short profile.
const SMOKE_PROFILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/profiles/smoke.toml");

//! libFuzzer around the targets of the test crate; `TILEWIRE_FUZZ_TARGET` names the one.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;

// The targets alone, without what else the test crate is built of.
#[path = "../../tests/src/fuzz/mod.rs"]
mod fuzz;

static TARGET: LazyLock<String> = LazyLock::new(|| {
    let target = std::env::var("TILEWIRE_FUZZ_TARGET").unwrap_or_default();
    assert!(
        fuzz::TARGETS.contains(&target.as_str()),
        "TILEWIRE_FUZZ_TARGET names a target"
    );
    target
});

fuzz_target!(|data: &[u8]| fuzz::run(&TARGET, data));

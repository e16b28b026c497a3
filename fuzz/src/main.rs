//! Runs a fuzz target of the test crate under libFuzzer; `TILEWIRE_FUZZ_TARGET` names the target.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;

// Only the targets, without the rest of the test crate and its dependencies.
#[path = "../../tests/system/src/fuzz/mod.rs"]
mod fuzz;
// The target `actions` plays with its word lists.
#[expect(dead_code, reason = "the targets use a part of the module")]
#[path = "../../tests/conformance/src/words.rs"]
mod words;

static TARGET: LazyLock<String> = LazyLock::new(|| {
    let target = std::env::var("TILEWIRE_FUZZ_TARGET").unwrap_or_default();
    assert!(
        fuzz::TARGETS.contains(&target.as_str()),
        "TILEWIRE_FUZZ_TARGET names a target"
    );
    target
});

fuzz_target!(|data: &[u8]| fuzz::run(&TARGET, data));

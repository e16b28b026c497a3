//! libFuzzer around the targets of the test crate; `TILEWIRE_FUZZ_TARGET` names the one.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;

// The targets alone, without what else the test crate is built of.
#[path = "../../tests/src/fuzz/mod.rs"]
mod fuzz;

static TARGET: LazyLock<String> = LazyLock::new(|| {
    std::env::var("TILEWIRE_FUZZ_TARGET").expect("TILEWIRE_FUZZ_TARGET names a target")
});

fuzz_target!(|data: &[u8]| fuzz::run(&TARGET, data));

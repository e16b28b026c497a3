//! The program `tilewire-loadtest`.

use std::process::ExitCode;

fn main() -> ExitCode {
    tilewire_loadtest::run(std::env::args_os())
}

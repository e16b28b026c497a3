//! `tilewire-rivals`: compares Tilewire with other products and with bare servers, in pairs of runs on the same machine.

mod cli;
mod floor;
mod pairs;
mod products;

use std::process::ExitCode;

use tilewire_loadtest::report::complain;

fn main() -> ExitCode {
    match cli::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&format!("tilewire-rivals: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

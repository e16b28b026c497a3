//! The `tilewire` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    tilewire_cli::shell::main()
}

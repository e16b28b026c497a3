//! The commands about letters by mail.

use clap::Subcommand;
use tilewire_people::letters::{Address, NoAddress};

/// Tasks for the mail server.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum MailTask {
    /// Send one letter, and say at which step it fails if it does; a server may run meanwhile
    Test {
        /// The mail address
        #[arg(value_name = "ADDRESS", value_parser = address)]
        address: Address,
    },
}

/// Reads a mail address.
fn address(text: &str) -> Result<Address, String> {
    text.parse().map_err(|error: NoAddress| error.to_string())
}

//! Completion scripts and man pages, made from the definition of the command line.

use std::fs;
use std::io::{Write, stdout};
use std::path::Path;

use anyhow::{Context, Result};
use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Cli;

/// Prints the completion script for a shell; returns the exit status.
///
/// # Errors
/// Returns an error if the output cannot be written.
pub(crate) fn completions(shell: Shell) -> Result<u8> {
    let mut command = Cli::command();
    let name = command.get_name().to_owned();
    // The generator panics if its output cannot be written, so it writes into memory.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, name, &mut script);
    stdout().write_all(&script)?;
    Ok(0)
}

/// Prints the page of the program, or writes a page for each command into `directory`; returns the exit status.
///
/// # Errors
/// Returns an error if the output or a page cannot be written.
pub(crate) fn man(directory: Option<&Path>) -> Result<u8> {
    let command = Cli::command();
    match directory {
        None => clap_mangen::Man::new(command).render(&mut stdout())?,
        Some(directory) => {
            fs::create_dir_all(directory)
                .and_then(|()| clap_mangen::generate_to(command, directory))
                .with_context(|| format!("cannot write the pages to {}", directory.display()))?;
        }
    }
    Ok(0)
}

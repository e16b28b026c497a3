//! Completion scripts and man pages, made from the definition of the command line.

use std::fs;
use std::path::Path;

use anyhow::Context;
use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::Cli;

/// Returns the completion script for a shell.
///
/// # Errors
/// Never in practice: the script is text.
pub fn completions(shell: Shell) -> anyhow::Result<String> {
    let mut command = Cli::command();
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, name, &mut script);
    Ok(String::from_utf8(script)?)
}

/// Returns the man page of the program, or writes a page for each command into `directory`.
///
/// # Errors
/// When a page cannot be written.
pub fn man(directory: Option<&Path>) -> anyhow::Result<String> {
    let command = Cli::command();
    let Some(directory) = directory else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        return Ok(String::from_utf8(page)?);
    };
    fs::create_dir_all(directory)
        .and_then(|()| clap_mangen::generate_to(command, directory))
        .with_context(|| format!("cannot write the pages to {}", directory.display()))?;
    Ok(String::new())
}

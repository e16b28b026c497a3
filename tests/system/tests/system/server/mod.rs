//! Tests of a running server through its sockets.

mod admin;
mod backups;
mod bad_input;
mod clocks;
mod files;
mod gates;
mod identity;
mod lexica;
mod lobby;
mod many_games;
mod operator;
mod printed_commands;
mod records;
mod retries;
mod shares;
mod sleeping;
mod tls;

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Writes a file that only its owner can read.
fn write_private(path: &Path, text: &str) {
    fs::write(path, text).expect("a file");
    set_mode(path, 0o600);
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("own files");
}

//! The page in a browser with a real server: a test for each file in `tests/web/browser`, so that the runner knows which of them
//! are slow, and runs two at a time.

use std::path::Path;

use tilewire_harness::binaries;
use tilewire_harness::ports::Port;

use super::{run_tests, test_files};

macro_rules! in_a_browser {
    ($($file:ident)*) => {
        /// The files that the tests below run.
        const FILES: &[&str] = &[$(stringify!($file)),*];

        $(#[test]
        fn $file() {
            run(stringify!($file));
        })*
    };
}

in_a_browser! {
    access
    accounts
    attention
    chat
    chat_switch
    codes
    connection
    criteria
    embedding
    first_visit
    friends
    geometry
    hints
    invitations
    invited
    last_play
    letters
    live_now
    live_rules
    long_tiles
    manners
    moderation
    new_game
    owndata
    players
    push
    rematch
    reports
    rule_sets
    secrecy
    walk
    watching
    whole_games
}

#[test]
fn every_file_is_run() {
    assert_eq!(test_files("browser"), FILES);
}

/// More than the servers of a file listen at.
const PORTS: usize = 32;

fn run(file: &str) {
    // Servers start again at their ports, so no other socket may take these meanwhile.
    let ports: Vec<Port> = (0..PORTS).map(|_| Port::reserve()).collect();
    let numbers: Vec<String> = ports.iter().map(|port| port.number.to_string()).collect();
    let numbers = numbers.join(" ");
    // With the packages of the mail server.
    let python = binaries::tools().join("bin/python");
    let programs = [
        ("PAGE_SERVER", binaries::server()),
        ("PAGE_CLIENT", binaries::client()),
        ("PAGE_PYTHON", &python),
        ("PAGE_PORTS", Path::new(&numbers)),
    ];
    run_tests(&[format!("browser/{file}.test.mjs")], &programs);
}

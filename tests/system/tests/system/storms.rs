//! All clients connect at once, as after a restart.

use std::fs;
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::json;
use tilewire_harness::duel::{Duel, options};
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;

/// Connections that come while the server is busy with something else.
const CROWD: usize = 600;

/// Connections wait in the backlog while the server accepts none. With a full backlog, the system would drop
/// connections, which would succeed only with a retry a second later, or never.
#[test]
fn many_clients_wait_for_admission() {
    let server = Server::start("");
    let address: SocketAddr = server.address.parse().expect("an address");
    server.suspend();
    let crowd: Result<Vec<TcpStream>, _> = (0..CROWD)
        .map(|_| TcpStream::connect_timeout(&address, Duration::from_millis(900)))
        .collect();
    server.resume();
    assert_eq!(crowd.expect("there is room for all").len(), CROWD);
    let (mut wire, _) = Wire::guest(&server.address, "anna");
    wire.ok("time", json!({}));
}

/// Requests of a client; with those before, fewer than the burst limit.
const REQUESTS: u64 = 60;

/// Threads of low priority serve clients that play no game, so that their requests delay no player.
#[test]
fn players_run_before_everybody_else() {
    let server = Server::start("");
    let before = HandshakeThreads::look(server.pid());
    assert!(
        !before.niceness.is_empty(),
        "handshakes have threads of their own"
    );
    let own = niceness(&fs::read_to_string("/proc/self/stat").expect("this process"));
    let has_low_priority = |niceness: &i64| *niceness == (own + 10).min(19);
    assert!(before.niceness.iter().all(has_low_priority), "{before:?}");
    let time_for = |wire: &mut Wire| {
        let before = HandshakeThreads::look(server.pid()).ran_ns;
        for _ in 0..REQUESTS {
            wire.ok("time", json!({}));
        }
        HandshakeThreads::look(server.pid()).ran_ns - before
    };
    let (mut guest, _) = Wire::guest(&server.address, "anna");
    let of_guest = time_for(&mut guest);
    let mut duel = Duel::start(&server, &options(&json!({ "kind": "untimed" })));
    let of_player = time_for(&mut duel.wires[0]);
    assert!(of_player < of_guest / 4, "{of_player} of {of_guest} ns");
}

/// The state of the threads that perform handshakes, as the system reports it.
#[derive(Debug, Default)]
struct HandshakeThreads {
    niceness: Vec<i64>,
    /// The processor time that they have used.
    ran_ns: u64,
}

impl HandshakeThreads {
    fn look(pid: u32) -> Self {
        let mut threads = Self::default();
        for thread in fs::read_dir(format!("/proc/{pid}/task")).expect("a process") {
            let thread = thread.expect("a thread").path();
            let of = |file| fs::read_to_string(thread.join(file));
            // Other threads may have ended.
            let (Ok(stat), Ok(times)) = (of("stat"), of("schedstat")) else {
                continue;
            };
            if stat.contains("(handshake)") {
                threads.niceness.push(niceness(&stat));
                let ran = times
                    .split(' ')
                    .next()
                    .and_then(|ns| ns.parse::<u64>().ok());
                threads.ran_ns += ran.expect("the system counts it");
            }
        }
        threads
    }
}

/// Returns the niceness of a thread: the 19th field of its entry in `/proc`.
fn niceness(stat: &str) -> i64 {
    let behind_name = stat.rsplit(')').next().unwrap_or_default();
    let field = behind_name.split_whitespace().nth(16);
    field
        .and_then(|field| field.parse().ok())
        .expect("a number")
}

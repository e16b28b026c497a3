//! All clients connect at once, as after a restart.

use std::fs;
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use tilewire_tests::server::Server;
use tilewire_tests::wire::Wire;

/// Connections that come while the server is busy with something else.
const CROWD: usize = 600;

/// A server that takes nobody for a while finds all of them waiting. Were there no room, the system would drop what it
/// cannot keep, and a connection would be there only after another attempt, a second later, or never.
#[test]
fn many_clients_wait_for_admission() {
    let server = Server::start("");
    let address: SocketAddr = server.address.parse().expect("an address");
    server.signal("-STOP");
    let crowd: Result<Vec<TcpStream>, _> = (0..CROWD)
        .map(|_| TcpStream::connect_timeout(&address, Duration::from_millis(900)))
        .collect();
    server.signal("-CONT");
    assert_eq!(crowd.expect("there is room for all").len(), CROWD);
    let (mut wire, _) = Wire::guest(&server.address, "anna");
    wire.ok("time", serde_json::json!({}));
}

/// Requests of somebody who has been greeted; fewer than may come at once.
const REQUESTS: u64 = 80;

/// Newcomers are greeted by threads that stand back, and whoever has been greeted is none of theirs any more.
#[test]
fn new_connections_get_hello_at_once() {
    let server = Server::start("");
    let before = Door::look(server.pid());
    assert!(!before.niceness.is_empty(), "there are threads for it");
    let own = niceness(&fs::read_to_string("/proc/self/stat").expect("this process"));
    let stands_back = |niceness: &i64| *niceness == (own + 10).min(19);
    assert!(before.niceness.iter().all(stands_back), "{before:?}");
    let (mut wire, _) = Wire::guest(&server.address, "anna");
    let greeted = Door::look(server.pid());
    assert!(
        greeted.waits > before.waits,
        "no connection was accepted there"
    );
    for _ in 0..REQUESTS {
        wire.ok("time", serde_json::json!({}));
    }
    let after = Door::look(server.pid());
    assert!(after.waits - greeted.waits < REQUESTS / 2, "{after:?}");
}

/// The state of the accepting threads, as the system reports it.
#[derive(Debug, Default)]
struct Door {
    niceness: Vec<i64>,
    /// How often they waited for something, all together: once for each time that they were woken.
    waits: u64,
}

impl Door {
    fn look(pid: u32) -> Self {
        let mut door = Self::default();
        for thread in fs::read_dir(format!("/proc/{pid}/task")).expect("a process") {
            let thread = thread.expect("a thread").path();
            let of = |file| fs::read_to_string(thread.join(file));
            // Others come and go.
            let (Ok(stat), Ok(status)) = (of("stat"), of("status")) else {
                continue;
            };
            if stat.contains("(door)") {
                door.niceness.push(niceness(&stat));
                let waits = status.lines().find_map(|line| {
                    let count = line.strip_prefix("voluntary_ctxt_switches:")?;
                    count.trim().parse::<u64>().ok()
                });
                door.waits += waits.expect("the system counts them");
            }
        }
        door
    }
}

/// The niceness of a thread, the 19th field of what the system says of it.
fn niceness(stat: &str) -> i64 {
    let behind_name = stat.rsplit(')').next().unwrap_or_default();
    let field = behind_name.split_whitespace().nth(16);
    field
        .and_then(|field| field.parse().ok())
        .expect("a number")
}

//! Everybody comes at once, as after a restart.

use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use tilewire_tests::server::Server;
use tilewire_tests::wire::Wire;

/// Connections that come while the server is busy with something else.
const CROWD: usize = 600;

/// A server that takes nobody for a while finds all of them waiting. Were there no room, the system would drop what it
/// cannot keep, and a connection would be there only after another attempt, a second later, or never.
#[test]
fn a_crowd_waits_at_the_door() {
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

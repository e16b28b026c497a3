//! HTTP requests to the server of a WebSocket.

use std::time::Duration;

use tilewire_protocol::WEBSOCKET_PATH;

/// The time limit for an answer of the server.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(30);

/// The URL of a path on a server; `server` is the address of its WebSocket.
pub(crate) fn url(server: &str, path: &str) -> String {
    let base = server.replacen("ws", "http", 1);
    let base = base.strip_suffix(WEBSOCKET_PATH).unwrap_or(&base);
    format!("{base}{path}")
}

/// An agent for files of any length: the time limit counts until the answer begins.
pub(crate) fn agent_for_files(server: &str) -> ureq::Agent {
    let config = ureq::Agent::config_builder()
        .timeout_connect(Some(TIMEOUT))
        .timeout_recv_response(Some(TIMEOUT))
        .http_status_as_error(false)
        .tls_config(crate::tls::for_http(server))
        .build();
    ureq::Agent::new_with_config(config)
}

/// An agent for requests to a server. An error status is an answer like any other.
pub(crate) fn agent(server: &str) -> ureq::Agent {
    let config = ureq::Agent::config_builder()
        .timeout_global(Some(TIMEOUT))
        .http_status_as_error(false)
        .tls_config(crate::tls::for_http(server))
        .build();
    ureq::Agent::new_with_config(config)
}

#[cfg(test)]
mod tests {
    use super::url;

    #[test]
    fn a_path_is_beside_the_websocket() {
        for (server, expected) in [
            ("ws://a:7780/ws", "http://a:7780/x"),
            ("wss://example.org/ws", "https://example.org/x"),
            ("wss://example.org/game/ws", "https://example.org/game/x"),
        ] {
            assert_eq!(url(server, "/x"), expected);
        }
    }
}

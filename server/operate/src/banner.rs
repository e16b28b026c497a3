//! The text that a started server prints: its addresses, and commands that connect to it.

use std::env;
use std::fmt::Write;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::Path;

use tilewire_protocol::WEBSOCKET_PATH;

/// The address that a client uses without `--server`.
const CLIENT_DEFAULT: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 7780);
/// The name of the client's program.
const CLIENT: &str = "tilewire";

/// The facts that the banner states.
#[derive(Debug)]
pub struct Banner<'a> {
    /// The address for players, as it is bound.
    pub players: SocketAddr,
    /// The address for the operator, as it is bound.
    pub operator: SocketAddr,
    /// The directory for all data.
    pub data_dir: &'a Path,
    /// Whether players connect over TLS.
    pub has_tls: bool,
    /// A name in the certificate, if there is one.
    pub tls_name: Option<String>,
    /// The command that starts the client, quoted for a shell.
    pub client: String,
}

impl Banner<'_> {
    /// Returns the text. Scripts read the first lines.
    pub fn text(&self) -> String {
        let Self {
            players, operator, ..
        } = self;
        let scheme = if self.has_tls { "wss" } else { "ws" };
        let mut text = format!(
            "listening on {scheme}://{players}{WEBSOCKET_PATH}\n\
             admin on http://{operator}\n\
             data in {}\n",
            self.data_dir.display()
        );
        // Writing to a string cannot fail.
        writeln!(text, "{:<28} {}", "open in a browser:", self.page()).ok();
        let client = self.client_command(scheme);
        for (title, task) in [
            ("or, in another terminal:", "play --quick"),
            ("an opponent, in a third:", "play --quick --profile two"),
            ("a spectator, in a fourth:", "watch --profile three"),
        ] {
            writeln!(text, "{title:<28} {client} {task}").ok();
        }
        if players.ip().is_unspecified() && self.tls_name.is_none() {
            let host = host(self.reachable());
            writeln!(
                text,
                "on other machines, write the address of this machine instead of {host}"
            )
            .ok();
        }
        text
    }

    /// The command that starts the client, with the address of this server if the client's default is another one.
    fn client_command(&self, scheme: &str) -> String {
        let reachable = self.reachable();
        if reachable == CLIENT_DEFAULT && !self.has_tls {
            return self.client.clone();
        }
        let host = self.tls_name.clone().unwrap_or_else(|| host(reachable));
        let port = reachable.port();
        format!(
            "{} --server {}",
            self.client,
            quoted(&format!("{scheme}://{host}:{port}"))
        )
    }

    /// The address of the page.
    fn page(&self) -> String {
        let scheme = if self.has_tls { "https" } else { "http" };
        let reachable = self.reachable();
        let host = self.tls_name.clone().unwrap_or_else(|| host(reachable));
        format!("{scheme}://{host}:{}/", reachable.port())
    }

    /// An address at which this machine reaches the server.
    fn reachable(&self) -> SocketAddr {
        let ip = match self.players.ip() {
            IpAddr::V4(Ipv4Addr::UNSPECIFIED) => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(Ipv6Addr::UNSPECIFIED) => Ipv6Addr::LOCALHOST.into(),
            ip => ip,
        };
        SocketAddr::new(ip, self.players.port())
    }
}

/// The host as a URL has it: an IPv6 address in brackets.
fn host(address: SocketAddr) -> String {
    match address.ip() {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("[{ip}]"),
    }
}

/// Returns the command that starts the client, quoted for a shell.
///
/// If cargo started the server, cargo can build and start the client. A client beside the server's program is named with its
/// path, unless the shell finds it.
pub fn client_command() -> String {
    if env::var_os("CARGO").is_some() {
        return "cargo run --release -p tilewire-cli --".to_owned();
    }
    let program = env::current_exe().ok();
    let beside = program.as_deref().and_then(Path::parent);
    let searched = env::var_os("PATH").unwrap_or_default();
    match beside {
        Some(directory) if directory.join(CLIENT).is_file() => {
            let is_found = env::split_paths(&searched).any(|path| path == directory);
            if is_found {
                CLIENT.to_owned()
            } else {
                quoted(&directory.join(CLIENT).to_string_lossy())
            }
        }
        _ => CLIENT.to_owned(),
    }
}

/// Quotes a word for a shell.
fn quoted(word: &str) -> String {
    // Only NUL cannot be quoted, and no path contains it.
    shlex::try_quote(word).map_or_else(|_| word.to_owned(), |quoted| quoted.into_owned())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Banner;

    /// The text behind a title, for a server at this address.
    fn printed(title: &str, players: &str, tls_name: Option<&str>) -> String {
        let banner = Banner {
            players: players.parse().unwrap(),
            operator: "127.0.0.1:7781".parse().unwrap(),
            data_dir: Path::new("./tilewire-data"),
            has_tls: tls_name.is_some(),
            tls_name: tls_name.map(str::to_owned),
            client: "tilewire".to_owned(),
        };
        let text = banner.text();
        let said = text.lines().find_map(|line| line.strip_prefix(title));
        said.unwrap().trim().to_owned()
    }

    #[test]
    fn the_printed_command_leads_to_the_server() {
        for (players, tls_name, server) in [
            ("127.0.0.1:7780", None, ""),
            ("0.0.0.0:7780", None, ""),
            ("0.0.0.0:80", None, " --server ws://127.0.0.1:80"),
            ("192.0.2.1:7780", None, " --server ws://192.0.2.1:7780"),
            ("[::1]:7780", None, " --server 'ws://[::1]:7780'"),
            ("[::]:7780", None, " --server 'ws://[::1]:7780'"),
            (
                "0.0.0.0:443",
                Some("play.example.org"),
                " --server wss://play.example.org:443",
            ),
        ] {
            assert_eq!(
                printed("or, in another terminal:", players, tls_name),
                format!("tilewire{server} play --quick"),
                "{players}"
            );
        }
    }

    #[test]
    fn the_printed_address_leads_to_the_page() {
        for (players, tls_name, page) in [
            ("0.0.0.0:7780", None, "http://127.0.0.1:7780/"),
            ("[::]:80", None, "http://[::1]:80/"),
            (
                "0.0.0.0:443",
                Some("play.example.org"),
                "https://play.example.org:443/",
            ),
        ] {
            let said = printed("open in a browser:", players, tls_name);
            assert_eq!(said, page, "{players}");
        }
    }
}

//! A network of its own for servers under test: each server has a network namespace, and a router between them and the services
//! drops packets as a test asks. It needs root.

use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::fault_proxy::Way;

/// The networks that this process has made.
static MADE: AtomicU32 = AtomicU32::new(0);
/// The last number in the address of the router.
const ROUTER: u8 = 254;
/// The last number in the address of the first server.
const FIRST: u8 = 10;

/// A network. It goes when this is dropped, or when the process ends.
#[derive(Debug)]
pub struct Network {
    /// The first three numbers of all addresses, of the block for benchmarks.
    block: String,
    router: Namespace,
    servers: Vec<Namespace>,
}

/// A network namespace. It lasts as long as its process.
#[derive(Debug)]
struct Namespace(Child);

/// Where a server runs.
#[derive(Debug, Clone)]
pub struct ServerHost {
    /// Its address.
    pub host: String,
    /// The command in which its program runs.
    pub enter: Vec<String>,
}

impl Network {
    /// Makes a network for so many servers.
    ///
    /// # Panics
    /// When the system does not permit it.
    #[must_use]
    pub fn start(servers: u8) -> Self {
        let made = MADE.fetch_add(1, Ordering::Relaxed);
        let number = std::process::id().wrapping_mul(16).wrapping_add(made);
        let block = format!("198.18.{}", number % 256);
        let at = |last: u8| format!("{block}.{last}");
        let (outside, router) = (format!("tw{number}"), Namespace::start());
        let inside = router.pid();
        ip(&format!(
            "link add {outside} type veth peer name outside netns {inside}"
        ));
        for service in [1, 2, 3] {
            ip(&format!("address add {}/32 dev {outside}", at(service)));
        }
        ip(&format!("link set {outside} up"));
        ip(&format!("route add {} dev {outside}", at(ROUTER)));
        ip(&format!(
            "route add {block}.0/24 via {} dev {outside} src {}",
            at(ROUTER),
            at(1)
        ));
        router.run("sysctl", "-q -w net.ipv4.ip_forward=1");
        router.run("ip", &format!("address add {}/32 dev outside", at(ROUTER)));
        router.run("ip", "link set outside up");
        for service in [1, 2, 3] {
            router.run("ip", &format!("route add {} dev outside", at(service)));
        }
        let mut this = Self {
            block,
            router,
            servers: Vec::new(),
        };
        for _ in 0..servers {
            this.add();
        }
        this
    }

    /// Adds a server.
    fn add(&mut self) {
        let place = self.servers.len();
        let (server, host, router) = (Namespace::start(), self.host(place), self.at(ROUTER));
        let (inside, port) = (server.pid(), format!("server{place}"));
        let added = format!("link add {port} type veth peer name network netns {inside}");
        self.router.run("ip", &added);
        self.router
            .run("ip", &format!("address add {router}/32 dev {port}"));
        self.router.run("ip", &format!("link set {port} up"));
        self.router
            .run("ip", &format!("route add {host} dev {port}"));
        server.run("ip", "link set lo up");
        server.run("ip", &format!("address add {host}/32 dev network"));
        server.run("ip", "link set network up");
        server.run("ip", &format!("route add {router} dev network"));
        server.run("ip", &format!("route add default via {router}"));
        self.servers.push(server);
    }

    fn at(&self, last: u8) -> String {
        format!("{}.{last}", self.block)
    }

    fn host(&self, server: usize) -> String {
        let server = u8::try_from(server).expect("there are few servers");
        self.at(FIRST + server)
    }

    /// Returns the address of the database, which the test has to serve.
    #[must_use]
    pub fn database(&self) -> String {
        self.at(2)
    }

    /// Returns the address of the bus, which the test has to serve.
    #[must_use]
    pub fn bus(&self) -> String {
        self.at(3)
    }

    /// Returns where a server runs.
    #[must_use]
    pub fn server_host(&self, server: usize) -> ServerHost {
        ServerHost {
            host: self.host(server),
            enter: self.servers[server].enter(),
        }
    }

    /// Lets the router drop the packets between a server and a service, in one direction.
    ///
    /// # Panics
    /// When the router refuses.
    pub fn cut(&self, server: usize, service: &str, way: Way) {
        self.rule("add", server, service, way);
    }

    /// Lets the router pass the packets on again.
    ///
    /// # Panics
    /// When it did not drop them.
    pub fn mend(&self, server: usize, service: &str, way: Way) {
        self.rule("del", server, service, way);
    }

    fn rule(&self, change: &str, server: usize, service: &str, way: Way) {
        let server = self.host(server);
        let (from, to) = match way {
            Way::ToService => (server.as_str(), service),
            Way::FromService => (service, server.as_str()),
        };
        let rule = format!("rule {change} from {from} to {to} blackhole");
        self.router.run("ip", &rule);
    }
}

impl Namespace {
    fn start() -> Self {
        // It says when it is in its namespace, and ends with this process.
        let mut child = Command::new("setpriv")
            .args(["--pdeathsig", "KILL", "unshare", "--net"])
            .args(["sh", "-c", "echo; exec sleep infinity"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("setpriv and unshare are installed");
        let mut said = [0];
        let output = child.stdout.as_mut().expect("it is piped");
        std::io::Read::read_exact(output, &mut said).expect("namespaces are permitted");
        Self(child)
    }

    fn pid(&self) -> u32 {
        self.0.id()
    }

    /// Returns the command that runs another one inside.
    fn enter(&self) -> Vec<String> {
        let namespace = format!("--net=/proc/{}/ns/net", self.pid());
        vec!["nsenter".to_owned(), namespace]
    }

    fn run(&self, program: &str, args: &str) {
        let enter = self.enter();
        run(Command::new(&enter[0]).args(&enter[1..]).arg(program), args);
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        // It may have ended already.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

fn ip(args: &str) {
    run(&mut Command::new("ip"), args);
}

fn run(command: &mut Command, args: &str) {
    let done = command.args(args.split(' ')).output();
    let done = done.expect("iproute2, procps and util-linux are installed");
    assert!(done.status.success(), "{command:?}: {done:?}");
}

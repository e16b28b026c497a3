//! Packages of the programs: what is in them, and their life on a machine, from the installation to the purge.
//!
//! They are made from the programs that are built already. Most of these tests need dpkg and the rights of root, so they are
//! ignored by default; `tests/run` reports whether they ran.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;
use tilewire_harness::binaries::{self, tools, workspace};
use tilewire_harness::http::get;
use tilewire_harness::wire::Wire;

const UNIT: &str = "tilewire-server.service";
const UNIT_FILE: &str = "usr/lib/systemd/system/tilewire-server.service";
const SETTINGS: &str = "etc/tilewire/tilewire.toml";

/// Runs a program to its end in the workspace; returns its output.
#[track_caller]
fn run<I: AsRef<OsStr>>(program: impl AsRef<OsStr>, args: impl IntoIterator<Item = I>) -> String {
    let mut command = Command::new(program);
    command.args(args).current_dir(workspace());
    said(&mut command)
}

#[track_caller]
fn said(command: &mut Command) -> String {
    let output = command.output().expect("it starts");
    let both = [&output.stdout[..], &output.stderr[..]].concat();
    let both = String::from_utf8_lossy(&both).into_owned();
    assert!(output.status.success(), "{command:?}: {both}");
    both
}

/// Makes the package of a program in a directory; returns its file.
#[track_caller]
fn package(program: &Path, version: &str, out: &Path) -> PathBuf {
    let mut command = Command::new(workspace().join("server/package/deb"));
    command
        .args([program, out])
        .env("PACKAGE_VERSION", version)
        .env("SOURCE_DATE_EPOCH", "1800000000");
    let said = said(&mut command);
    let file = said.lines().find(|line| line.ends_with(".deb"));
    PathBuf::from(file.expect(&said))
}

/// A machine without programs: dpkg installs into it, and the scripts of packages work on it from outside.
struct Machine(TempDir);

impl Machine {
    fn new() -> Self {
        let root = tempfile::tempdir().expect("a directory");
        let dpkg = root.path().join("var/lib/dpkg");
        fs::create_dir_all(&dpkg).expect("a directory");
        fs::create_dir(root.path().join("etc")).expect("a directory");
        fs::write(dpkg.join("status"), "").expect("a file");
        Self(root)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The libraries of the packages are those of the machine around.
    #[track_caller]
    fn dpkg(&self, args: &[&OsStr]) -> String {
        let root = format!("--root={}", self.0.path().display());
        let log = format!("--log={}", self.path("dpkg.log").display());
        let flags = ["--force-script-chrootless", "--force-depends"];
        let mut command = Command::new("dpkg");
        command.args([&root, &log]).args(flags).args(args);
        said(&mut command)
    }

    #[track_caller]
    fn install(&self, package: &Path) {
        self.dpkg(&["--install".as_ref(), package.as_ref()]);
    }

    /// The user and the group of the server on this machine.
    fn owner(&self) -> (u32, u32) {
        let users = fs::read_to_string(self.path("etc/passwd")).expect("users");
        let line = users.lines().find(|line| line.starts_with("tilewire:"));
        let mut ids = line.expect("the user").split(':').skip(2);
        let mut id = || ids.next().and_then(|id| id.parse().ok()).expect("an id");
        (id(), id())
    }

    /// Starts the server as the unit does: its command, its settings, its user; the ports are free ones.
    fn serve(&self) -> Running {
        let unit = fs::read_to_string(self.path(UNIT_FILE)).expect("the unit");
        let command = unit
            .lines()
            .find_map(|line| line.strip_prefix("ExecStart="));
        let words: Vec<&str> = command.expect("a command").split(' ').collect();
        // The paths of the machine are below its root.
        let inside = |word: &str| match word.strip_prefix('/') {
            Some(path) => self.path(path).into_os_string(),
            None => word.into(),
        };
        let (user, group) = self.owner();
        let data = self.path("var/lib/tilewire");
        fs::create_dir_all(&data).expect("the StateDirectory of the unit");
        std::os::unix::fs::chown(&data, Some(user), Some(group)).expect("the rights of root");
        fs::set_permissions(self.0.path(), fs::Permissions::from_mode(0o755)).expect("its owner");
        let mut child = Command::new("setpriv")
            .args([format!("--reuid={user}"), format!("--regid={group}")])
            .args(["--clear-groups", "--no-new-privs", "--"])
            .args(words.into_iter().map(inside))
            .arg("--data-dir")
            .arg(&data)
            .args(["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"])
            .current_dir("/")
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let lines = std::io::BufReader::new(child.stdout.take().expect("a pipe"));
        let lines: Vec<String> = std::io::BufRead::lines(lines)
            .map_while(Result::ok)
            .take(2)
            .collect();
        let text = lines.join("\n");
        let address = |before: &str, after: char| {
            let (_, rest) = text.split_once(before).expect(&text);
            let end = rest.find([after, '\n']).unwrap_or(rest.len());
            rest[..end].to_owned()
        };
        Running {
            players: address("listening on ws://", '/'),
            admin: address("admin on http://", '/'),
            child,
        }
    }
}

/// A server that is killed at the end of a test.
struct Running {
    child: Child,
    players: String,
    admin: String,
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

#[test]
#[ignore = "needs dpkg and the rights of root; tests/run runs it where these are given"]
fn the_package_of_the_server_lives_from_installation_to_purge() {
    let (machine, out) = (Machine::new(), tempfile::tempdir().expect("a directory"));
    machine.install(&package(binaries::server(), "0.1.0", out.path()));
    let enabled = format!("etc/systemd/system/multi-user.target.wants/{UNIT}");
    assert!(machine.path(&enabled).is_symlink());
    let backups = fs::metadata(machine.path("var/backups/tilewire")).expect("a directory");
    assert_eq!((backups.uid(), backups.gid()), machine.owner());
    assert_eq!(backups.mode() & 0o777, 0o700);

    let running = machine.serve();
    assert_eq!(get(&running.admin, "/readyz").0, 200);
    let (anna, token) = Wire::guest(&running.players, "anna");
    drop((anna, running));

    // An upgrade keeps changed settings and the data.
    let settings = machine.path(SETTINGS);
    let changed = fs::read_to_string(&settings).expect("settings") + "# changed\n";
    fs::write(&settings, &changed).expect("a file");
    machine.install(&package(binaries::server(), "0.1.1", out.path()));
    assert_eq!(fs::read_to_string(&settings).expect("settings"), changed);
    let running = machine.serve();
    drop(Wire::known(&running.players, &token));
    drop(running);

    let name = OsStr::new("tilewire-server");
    machine.dpkg(&["--remove".as_ref(), name]);
    assert!(!machine.path("usr/bin/tilewire-server").exists());
    assert!(!machine.path(UNIT_FILE).exists());
    assert!(settings.exists());
    assert!(machine.path("var/lib/tilewire/tilewire.sqlite").exists());

    machine.dpkg(&["--purge".as_ref(), name]);
    assert!(!settings.exists());
    assert!(!machine.path("var/lib/tilewire").exists());
    assert!(!machine.path(&enabled).is_symlink());
    assert!(machine.path("var/backups/tilewire").exists());
}

#[test]
#[ignore = "needs dpkg and the rights of root; tests/run runs it where these are given"]
fn the_package_of_the_client_has_pages_and_completions() {
    let (machine, out) = (Machine::new(), tempfile::tempdir().expect("a directory"));
    machine.install(&package(binaries::client(), "0.1.0", out.path()));
    let said = run(machine.path("usr/bin/tilewire"), ["--version"]);
    assert!(said.starts_with("tilewire "), "{said}");
    for file in [
        "man/man1/tilewire-play.1.gz",
        "bash-completion/completions/tilewire",
        "zsh/vendor-completions/_tilewire",
        "fish/vendor_completions.d/tilewire.fish",
        "doc/tilewire/copyright",
        "doc/tilewire/bom.cdx.json",
    ] {
        let found = fs::metadata(machine.path("usr/share").join(file));
        assert!(found.is_ok_and(|found| found.len() > 0), "{file}");
    }
}

/// The same program and time make the same bytes.
#[test]
#[ignore = "needs dpkg; tests/run runs it where that is given"]
fn a_package_is_made_the_same_twice() {
    let made = || {
        let out = tempfile::tempdir().expect("a directory");
        let file = package(binaries::client(), "0.1.0", out.path());
        fs::read(file).expect("the package")
    };
    assert!(made() == made(), "two packages of one program differ");
}

#[test]
#[ignore = "needs systemd-analyze; tests/run runs it where that is given"]
fn the_unit_is_valid_and_confined() {
    let place = tempfile::tempdir().expect("a directory");
    // The program need not be installed for the check.
    let unit = fs::read_to_string(workspace().join("server/package/root").join(UNIT_FILE));
    let unit = unit.expect("the unit");
    let program = binaries::server().display().to_string();
    let unit = unit.replace("/usr/bin/tilewire-server", &program);
    let unit = unit.replace("man:tilewire-server(1) ", "");
    let file = place.path().join(UNIT);
    fs::write(&file, unit).expect("a file");
    let file = file.to_str().expect("UTF-8");
    assert_eq!(run("systemd-analyze", ["verify", file]), "");
    // Tenths of 0 to 10; from 3.0 on something is open that was closed.
    run(
        "systemd-analyze",
        ["security", "--offline=yes", "--threshold=30", file],
    );
}

#[test]
#[ignore = "needs the rights of root; tests/run runs it where these are given"]
fn the_image_is_whole_and_its_file_system_runs() {
    let out = tempfile::tempdir().expect("a directory");
    let program: [&OsStr; 2] = [binaries::server().as_ref(), out.path().as_ref()];
    run(workspace().join("server/package/image"), program);
    let layout = out.path().join("layout");
    fs::create_dir(&layout).expect("a directory");
    let unpack = |archive: &str, place: &Path| {
        let archive = out.path().join(archive);
        let args: [&OsStr; 4] = [
            "-xf".as_ref(),
            archive.as_ref(),
            "-C".as_ref(),
            place.as_ref(),
        ];
        run("tar", args);
    };
    unpack("tilewire-server.oci.tar", &layout);
    let json = |path: &Path| -> Value {
        serde_json::from_slice(&fs::read(path).expect("a file")).expect("JSON")
    };
    let blob = |entry: &Value| {
        let digest = entry["digest"].as_str().expect("a digest");
        let path = layout.join("blobs").join(digest.replace(':', "/"));
        let size = fs::metadata(&path).expect("a blob").len();
        assert_eq!(entry["size"], size);
        let path_text = path.to_str().expect("UTF-8");
        let found = run("sha256sum", [path_text]);
        assert!(digest.ends_with(found.split(' ').next().expect("a digest")));
        path
    };
    let manifest = json(&blob(&json(&layout.join("index.json"))["manifests"][0]));
    let config = json(&blob(&manifest["config"]));
    let layer = blob(&manifest["layers"][0]);
    let root = out.path().join("root");
    fs::create_dir(&root).expect("a directory");
    unpack(layer.to_str().expect("UTF-8"), &root);
    let plain = run("sha256sum", [out.path().join("root.tar")]);
    let expected = format!("sha256:{}", plain.split(' ').next().expect("a digest"));
    assert_eq!(config["rootfs"]["diff_ids"][0], expected);

    let words = config["config"]["Entrypoint"]
        .as_array()
        .expect("a command");
    let user = config["config"]["User"].as_str().expect("a user");
    let mut command = Command::new("chroot");
    command
        .arg(format!("--userspec={user}"))
        .arg(&root)
        .args(words.iter().map(|word| word.as_str().expect("a word")));
    assert!(said(command.args(["config", "check"])).contains("valid"));
}

/// The bill names what the lock file names, and fits the schema of CycloneDX.
#[test]
fn the_bill_of_materials_is_valid() {
    let out = tempfile::tempdir().expect("a directory");
    for package in ["tilewire-server", "tilewire-cli"] {
        let output = Command::new(workspace().join("server/package/sbom"))
            .arg(package)
            .env("SOURCE_DATE_EPOCH", "1800000000")
            .output()
            .expect("it starts");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{text}");
        let bill: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let components = bill["components"].as_array().expect("components");
        let names = |name: &str| components.iter().any(|found| found["name"] == name);
        assert!(names("tokio") && names("clap"));
        assert_eq!(names("sqlite"), package == "tilewire-server");
        assert!(!names("tempfile"), "only tests use it");
        let lock = fs::read_to_string(workspace().join("Cargo.lock")).expect("the lock file");
        for component in components {
            let name = component["name"].as_str().expect("a name");
            let version = component["version"].as_str().expect("a version");
            let entry = format!("name = \"{name}\"\nversion = \"{version}\"");
            assert!(name == "sqlite" || lock.contains(&entry), "{entry}");
        }
        let file = out.path().join(package);
        fs::write(&file, &output.stdout).expect("a file");
        let check = workspace().join("tests/tools/bom.py");
        run(tools().join("bin/python"), [check, file]);
    }
}

/// Debian's own judge of packages.
#[test]
#[ignore = "needs lintian; tests/run --full installs it"]
fn lintian_finds_nothing_wrong() {
    let out = tempfile::tempdir().expect("a directory");
    for program in [binaries::server(), binaries::client()] {
        let file = package(program, "0.1.0", out.path());
        let args: [&OsStr; 3] = [
            "--fail-on=error,warning".as_ref(),
            "--allow-root".as_ref(),
            file.as_ref(),
        ];
        run("lintian", args);
    }
}

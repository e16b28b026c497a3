//! The files of a server: permissions, links and the lock of the data directory.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use tilewire_harness::binaries;
use tilewire_harness::server::Server;

use super::{set_mode, write_private};

fn mode(path: &Path) -> u32 {
    let metadata = fs::metadata(path).expect("it is there");
    metadata.permissions().mode() & 0o7777
}

#[test]
fn open_permissions_of_own_files_are_corrected() {
    let mut server = Server::start("");
    assert!(server.stop());
    let data = server.data_dir();
    let files = ["tilewire.sqlite", "tilewire.mark"].map(|name| data.join(name));
    for file in &files {
        set_mode(file, 0o666);
    }
    set_mode(&data, 0o755);
    server.start_again();
    assert_eq!(mode(&data), 0o700);
    for file in files.iter().chain(&[data.join("tilewire.sqlite-wal")]) {
        assert_eq!(mode(file), 0o600, "{}", file.display());
    }
    for file in &files {
        let name = file.file_name().expect("a name").to_string_lossy();
        server.until_logged(&format!("{name}\",\"found\":\"666\""));
    }
}

#[test]
fn secrets_that_other_users_can_read_are_refused() {
    let site = "[site]\nissuer = \"https://site.example\"\naudience = \"tilewire\"\n";
    let secret = "the secret of an embedding site: long enough";
    let set = r#"{"keys":[{"kty":"oct","kid":"1","k":"dGhlIHNlY3JldCBvZiBhbiBlbWJlZGRpbmcgc2l0ZTogbG9uZyBlbm91Z2g"}]}"#;
    let token = "a token that only the operator knows";
    for (settings, content) in [
        (format!("{site}secret_file = \"data/secret\"\n"), secret),
        (format!("{site}jwks_file = \"data/secret\"\n"), set),
        ("[admin]\ntoken_file = \"data/secret\"\n".to_owned(), token),
    ] {
        for open in [0o640, 0o604, 0o644] {
            let said = Server::refused(&settings, |data| {
                write_private(&data.join("secret"), content);
                set_mode(&data.join("secret"), open);
            });
            assert!(
                said.contains("chmod 600") && said.contains("data/secret"),
                "{said}"
            );
        }
        let prepare = |data: &Path| write_private(&data.join("secret"), content);
        assert!(Server::start_with(&settings, prepare).stop());
    }
}

#[test]
fn links_are_not_followed_when_the_server_writes() {
    for name in ["tilewire.sqlite", "tilewire.mark"] {
        let mut server = Server::prepared("");
        let (data, victim) = (server.data_dir(), server.data_dir().join("victim"));
        fs::write(&victim, "").expect("a file");
        symlink(&victim, data.join(name)).expect("a link");
        let said = server.refuses_to_start();
        assert!(
            said.contains("symbolic link") && said.contains(name),
            "{said}"
        );
        assert_eq!(fs::read(&victim).expect("it is there"), b"", "{name}");
        fs::remove_file(data.join(name)).expect("it is there");
        server.start_again();
    }
    // Somebody prepares links in a directory for backups that others can write to.
    let server = Server::start("");
    let (data, place) = (server.data_dir(), tempfile::tempdir().expect("a directory"));
    let victim = data.join("victim");
    fs::write(&victim, "precious").expect("a file");
    let backup = place.path().join("copy.sqlite");
    symlink(&victim, place.path().join("copy.sqlite.part")).expect("a link");
    let path = backup.to_str().expect("UTF-8");
    let said = server.operate(&["backup", path], "").expect_err("refused");
    assert!(said.contains("copy.sqlite.part"), "{said}");
    assert_eq!(fs::read(&victim).expect("it is there"), b"precious");
}

#[test]
fn the_lock_of_the_data_directory_holds_when_its_files_are_removed() {
    let server = Server::start("");
    for entry in fs::read_dir(server.data_dir()).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.to_string_lossy().ends_with("lock") {
            fs::remove_file(path).expect("it is there");
        }
    }
    let mut second = Command::new(binaries::server())
        .args(["--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"])
        .arg("--data-dir")
        .arg(server.data_dir())
        .current_dir(server.data_dir())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut output = std::io::BufReader::new(second.stdout.take().expect("a pipe"));
    let mut line = String::new();
    std::io::BufRead::read_line(&mut output, &mut line).expect("a line or the end");
    second.kill().expect("its end");
    let output = second.wait_with_output().expect("its end");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("another server is using"), "{line}{said}");
}

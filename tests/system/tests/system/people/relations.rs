//! Follows and blocks with real processes: over HTTP, in the lobby, and with the reference client.

use serde_json::{Value, json};
use tempfile::TempDir;
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;

use super::{PASSWORD, ok, registered, tilewire, untimed};

/// Anna blocks Ben: neither his join nor his quick match meets her, through a crash, until she unblocks him.
#[test]
fn a_block_keeps_two_players_apart() {
    let mut server = Server::start("");
    let tokens = ["anna", "ben"].map(|handle| registered(&server, handle));
    let [anna, ben] = tokens.each_ref().map(|token| Some(token.as_str()));
    for (token, other) in [(anna, "ben"), (ben, "anna")] {
        ok(
            &server,
            &format!("PUT /following/{other}"),
            token,
            &Value::Null,
        );
    }
    let relations = |server: &Server, token| ok(server, "GET /relations", token, &Value::Null);
    let friend = &relations(&server, ben)["followed"][0];
    assert_eq!(friend["friend"], true, "{friend}");
    ok(&server, "PUT /blocked/Ben", anna, &Value::Null);
    server.kill();
    server.start_again();

    let annas = relations(&server, anna);
    assert_eq!(annas["followed"], json!([]), "{annas}");
    assert_eq!(annas["blocked"][0]["handle"], "ben", "{annas}");
    // To Ben it looks as if she had unfollowed him.
    let bens = relations(&server, ben);
    assert_eq!(bens["followed"][0]["handle"], "anna", "{bens}");
    assert_eq!(bens["followed"][0].get("friend"), None, "{bens}");
    assert_eq!(bens["blocked"], json!([]));
    let mut wires = tokens
        .each_ref()
        .map(|token| Wire::known(&server.address, token));
    let seek = json!({ "cmd_id": "open", "options": untimed() });
    let opened = wires[0].ok("seek", seek);
    let lists = wires[1].ok("lobby_subscribe", json!({}));
    assert_eq!(lists["seeks"], json!([]), "{lists}");
    let join = |id: &str| json!({ "cmd_id": id, "seek": opened["seek"]["seek"] });
    assert_eq!(wires[1].refused("join_seek", join("one")), "unknown_seek");
    let quick = json!({ "cmd_id": "quick", "options": untimed() });
    let own = wires[1].ok("quick_match", quick);
    assert_ne!(own["seek"]["seek"], opened["seek"]["seek"], "{own}");
    assert_eq!(own.get("game"), None, "{own}");

    ok(&server, "DELETE /blocked/ben", anna, &Value::Null);
    // The quick match that passed her seek over meets it now.
    let created = wires
        .each_mut()
        .map(|wire| wire.pushed(|message| message[0] == "game_created"));
    assert_eq!(created[0][2]["game"], created[1][2]["game"]);
    assert_eq!(created[0][2]["seek"], opened["seek"]["seek"]);
    assert_eq!(created[1][2]["seek"], own["seek"]["seek"]);
    assert_eq!(relations(&server, anna)["blocked"], json!([]));
}

#[test]
fn the_client_follows_and_blocks() {
    let server = Server::start("");
    let home = TempDir::new().expect("a directory");
    let password = format!("{PASSWORD}\n");
    for handle in ["anna", "ben", "cleo"] {
        let args = ["register", handle, "--password-stdin"];
        let output = tilewire(&server, home.path(), handle, &args, &password);
        assert!(output.status.success(), "{output:?}");
    }
    let run = |profile: &str, args: &[&str]| {
        let output = tilewire(&server, home.path(), profile, args, "");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{args:?}: {said}");
        serde_json::from_slice::<Value>(&output.stdout).expect("one object")
    };
    let followed = json!({ "type": "followed", "handle": "Ben" });
    assert_eq!(run("anna", &["follow", "Ben"]), followed);
    run("ben", &["follow", "anna"]);
    run("anna", &["block", "cleo"]);
    let friends = run("anna", &["friends"]);
    assert_eq!(friends["followed"][0]["friend"], true, "{friends}");
    assert_eq!(friends["blocked"][0]["handle"], "cleo", "{friends}");
    assert_eq!(run("anna", &["profile", "ben"])["friend"], true);
    assert_eq!(run("anna", &["profile", "cleo"])["blocked"], true);
    run("anna", &["unfollow", "ben"]);
    run("anna", &["unblock", "cleo"]);
    let friends = run("anna", &["friends"]);
    assert_eq!(
        (&friends["followed"], &friends["blocked"]),
        (&json!([]), &json!([]))
    );
    let own = tilewire(&server, home.path(), "anna", &["follow", "anna"], "");
    assert!(!own.status.success(), "{own:?}");
}

//! A server on PostgreSQL: whole games, kills and lost connections.

use tilewire_tests::matches::{Match, Seen};
use tilewire_tests::postgres::Postgres;
use tilewire_tests::server::Server;

/// Real clients play a game to its end. The server is killed, and the database ends its connections: nothing is lost or
/// doubled. The operator's commands work beside the server, and the way back to SQLite too.
#[test]
fn a_game_on_postgres_survives_kills_and_lost_connections() {
    let Some(postgres) = Postgres::shared() else {
        return;
    };
    let database = postgres.database();
    let config = format!("[storage]\nurl = \"{}\"\n", database.url);
    let mut server = Server::prepared(&config);
    let refused = server.refuses_to_start();
    assert!(refused.contains("tilewire-server migrate"), "{refused}");
    server
        .operate(&["migrate"], "")
        .expect("it makes the tables");
    server.start_again();

    let mut game = Match::start(&server, 2, &["--clock", "sudden:25m"]);
    let mut seen = Seen {
        upheld: true,
        ..Seen::default()
    };
    for _ in 0..2 {
        game.turn(&mut seen);
        game.turn_through_a_crash(&mut server);
        postgres.sql(
            &database.name,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE application_name = 'tilewire' AND datname = current_database()",
        );
        game.turn(&mut seen);
    }
    server
        .operate(&["keys", "rotate"], "")
        .expect("it takes a new key");
    game.play_out(&mut seen);
    let sound = server.operate(&["check"], "").expect("everything is sound");
    assert!(sound.contains("1 finished games"), "{sound}");
    let file = server.data_dir().join("backup.sqlite");
    let path = file.to_str().expect("a path in UTF-8");
    server.operate(&["backup", path], "").expect("it is copied");
    assert!(server.stop(), "it ends well");

    server
        .operate_with("", &["restore", path])
        .expect("it is restored");
    let (is_sound, said) = server.check();
    assert!(is_sound && said.contains("1 finished games"), "{said}");
    game.check();
}

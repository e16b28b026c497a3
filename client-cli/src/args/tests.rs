//! Arguments that are accepted and refused.

use clap::CommandFactory;

use super::*;

#[test]
fn the_command_line_is_consistent() {
    Cli::command().debug_assert();
}

#[test]
fn servers_and_profiles() {
    for (text, url) in [
        ("ws://127.0.0.1:7780", "ws://127.0.0.1:7780/ws"),
        ("ws://example.org/", "ws://example.org/ws"),
        ("ws://example.org/game/ws", "ws://example.org/game/ws"),
        ("wss://example.org", "wss://example.org/ws"),
    ] {
        assert_eq!(parse_server(text).as_deref(), Ok(url));
    }
    for text in [
        "",
        "127.0.0.1:7780",
        "http://example.org",
        "ws://",
        "wss://",
        "wsx://example.org",
    ] {
        assert!(parse_server(text).is_err(), "{text}");
    }
    for text in ["", "../x", "a b", "a/b"] {
        assert!(parse_profile(text).is_err(), "{text}");
    }
}

#[test]
fn ways_to_play_exclude_each_other() {
    for flags in [
        ["--quick", "--resume"],
        ["--join=a", "--code=b"],
        ["--quick", "--code=b"],
    ] {
        let line = ["tilewire", "play"].into_iter().chain(flags);
        assert!(Cli::try_parse_from(line).is_err(), "{flags:?}");
    }
    let line = ["tilewire", "play", "--seats", "3", "--profile", "anna"];
    let cli = Cli::try_parse_from(line).unwrap();
    assert_eq!(cli.common.profile, "anna");
    let Work::Online(Task::Play(play)) = cli.work else {
        panic!("play");
    };
    let offer = play.game.offer(play.level);
    assert_eq!((offer.seats, offer.lexicon), (3, None));
}

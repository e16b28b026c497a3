//! Which route a request finds.

use super::*;

#[test]
fn the_listeners_have_no_common_path() {
    for route in ADMIN_ROUTES {
        let path = format!("{ADMIN_PATH}{}", route.path);
        assert!(find_admin(&route.method, &path).is_ok(), "{path}");
        assert_eq!(find(&route.method, &path).err(), Some(NoRoute::Path));
    }
    assert_eq!(
        find_admin(&Method::GET, "/api/v1/me").err(),
        Some(NoRoute::Path)
    );
}

#[test]
fn a_request_finds_its_route() {
    let found = |method: Method, path: &str| {
        find(&method, path).map(|found| (found.route.name, found.parameters.join(" ")))
    };
    let none = String::new();
    assert_eq!(
        found(Method::POST, "/api/v1/login"),
        Ok(("logIn", none.clone()))
    );
    assert_eq!(
        found(Method::DELETE, "/api/v1/sessions"),
        Ok(("endOtherSessions", none))
    );
    assert_eq!(
        found(Method::DELETE, "/api/v1/sessions/abc"),
        Ok(("endSession", "abc".to_owned()))
    );
    for (path, name, parameters) in [
        ("/players", "findPlayers", ""),
        ("/players/anna", "player", "anna"),
        ("/players/anna/versus/ben", "headToHead", "anna ben"),
        (
            "/leaderboards/bots/a/b/rapid",
            "leaderboard",
            "bots/a/b/rapid",
        ),
        ("/games/g1/result", "gameResult", "g1"),
    ] {
        let expected = Ok((name, parameters.to_owned()));
        assert_eq!(found(Method::GET, &format!("/api/v1{path}")), expected);
    }
    for path in [
        "/api/v1",
        "/api/v1/",
        "/api/v1/players/",
        "/api/v1/players/a/b",
        "/api/v1/players//ratings",
        "/api/v1/leaderboards/",
        "/api/v2/me",
        "/api/v1/login/",
    ] {
        assert_eq!(found(Method::GET, path), Err(NoRoute::Path), "{path}");
    }
    assert_eq!(
        found(Method::PUT, "/api/v1/sessions"),
        Err(NoRoute::Method(vec![Method::GET, Method::DELETE]))
    );
}

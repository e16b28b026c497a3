//! Which of several servers answers a request.
//!
//! Most requests are about what is stored, and every server answers them. The server with the lobby knows who is connected, and keeps
//! blocks, follows, restrictions and ratings in memory for its lobby and its chat; the owner of a game has the game.

use tilewire_protocol::GameId;

use super::input::percent_decoded;
use tilewire_game::{Directory, Location};
use tilewire_relay::asks::To;
use tilewire_store::{Part, Shard};

/// Which server answers the requests of a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Home {
    /// The server that gets a request: it reads what is stored, or changes it. Secrets stay there: passwords, codes, tokens of
    /// new sessions.
    Anyone,
    /// The server that gets a request, which asks all others too, or tells them.
    Everyone,
    /// The server with the lobby.
    Lobby,
    /// The server of the game that the path names first.
    Game,
}

/// The server that answers a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Answerer {
    /// The server that gets the request.
    Anyone,
    /// The server that gets it, which asks all others too, or tells them.
    Everyone,
    /// The server with the lobby.
    Lobby,
    /// The server of a game.
    Game(GameId),
}

impl Answerer {
    /// Returns the other server that answers, if one does.
    pub(super) fn elsewhere(&self, directory: &Directory) -> Option<To> {
        let (place, part) = match self {
            Self::Anyone | Self::Everyone => return None,
            Self::Lobby => (directory.lobby_place(), Part::LOBBY),
            Self::Game(game) => (directory.place(game), Shard::of(game).into()),
        };
        (place != Location::Mine).then_some(To::Part(part))
    }
}

/// Returns the server that answers a request with these parameters in its path.
pub(super) fn of(home: Home, parameters: &[&str]) -> Answerer {
    match home {
        Home::Anyone => Answerer::Anyone,
        Home::Everyone => Answerer::Everyone,
        Home::Lobby => Answerer::Lobby,
        Home::Game => {
            let game = parameters.first().and_then(|part| percent_decoded(part));
            // Without one, any server refuses the request.
            game.map_or(Answerer::Anyone, |game| Answerer::Game(GameId(game)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::administration::routes::ADMIN_ROUTES;
    use super::super::routes::{ROUTES, Route};
    use super::*;

    fn names(routes: &[Route], is_so: impl Fn(&Answerer) -> bool) -> Vec<&'static str> {
        let fitting = routes
            .iter()
            .filter(|route| is_so(&of(route.home, &["g%2D1"])));
        fitting.map(|route| route.name).collect()
    }

    #[test]
    fn the_server_with_the_lobby_answers_what_only_it_knows() {
        let is_lobby = |answerer: &Answerer| *answerer == Answerer::Lobby;
        assert_eq!(
            names(ROUTES, is_lobby),
            [
                "switchChat",
                "relations",
                "follow",
                "unfollow",
                "block",
                "unblock",
                "leaderboard",
                "report",
                "moderate",
                "undo",
            ]
        );
        assert_eq!(
            names(ADMIN_ROUTES, is_lobby),
            [
                "connections",
                "findPlayers",
                "player",
                "rename",
                "suspend",
                "undo",
                "closeLobby",
                "openLobby",
            ]
        );
    }

    /// Every route with a game in its path goes to the server of the game.
    #[test]
    fn the_server_of_a_game_answers_for_it() {
        let game = Answerer::Game(GameId::from("g-1"));
        let found = names(ADMIN_ROUTES, |answerer| *answerer == game);
        let with_game = ADMIN_ROUTES.iter();
        let with_game = with_game.filter(|route| route.path.contains("{game}"));
        let expected: Vec<&str> = with_game.map(|route| route.name).collect();
        assert_eq!((found.len(), found), (7, expected));
    }

    /// No request with a secret in its body leaves the server that gets it.
    #[test]
    fn secrets_are_not_passed_on() {
        for route in ROUTES {
            let with_secrets = [
                "/register",
                "/login",
                "/password",
                "/recover",
                "/mail",
                "/sessions",
            ];
            if with_secrets
                .iter()
                .any(|start| route.path.starts_with(start))
            {
                assert_eq!(of(route.home, &[]), Answerer::Anyone, "{}", route.path);
            }
        }
    }
}

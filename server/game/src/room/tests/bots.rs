//! House bots in a game with other players.

use tilewire_protocol::{ClientMessage, Play};
use tilewire_rules::alphabet::Letter;
use tilewire_rules::game::Action;
use tilewire_rules::lexicon::Lexicon;
use tilewire_rules::options::{Consent, GameOptions};
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::time::{Seat, Seq, TurnNo};

use super::commands::{on_play, ready};
use super::{Hashed, RoomEffect, RoomInput, RoomParts, Scene, peer};
use crate::bot_turn::{Matter, Reply};

/// The seat of the bot; the others are people.
const BOT: Seat = Seat(1);

/// A game of three in which seat 0 has played a word and the bot after it thinks about its turn. Returns the play, too.
fn thinking() -> (Scene, Seq) {
    let identity = |seat| match seat {
        BOT => "bot-club".to_owned(),
        Seat(other) => format!("p{other}"),
    };
    let of_three = |options: &mut GameOptions, _: &mut RoomParts| {
        options.seats = 3;
        options.challenge.consent = Consent::Asked;
    };
    let mut scene = Scene::of(of_three, identity);
    for seat in [0, 2] {
        scene.attach(&peer(seat, &format!("p{seat}")), None);
        scene.ask(&peer(seat, &format!("p{seat}")), ready("ready"));
        scene.store();
    }
    reply(
        &mut scene,
        Matter::Ready,
        Action::Ready { nonce: Vec::new() },
    );
    let word = word(&scene);
    scene.ask(&peer(0, "p0"), word);
    scene.store();
    let play = scene.state().window().unwrap().play_id;
    reply(&mut scene, Matter::Play(play), Action::Accept(play));
    assert_eq!(asked(&scene), Some(Matter::Turn(TurnNo(2))));
    (scene, play)
}

/// A word of two letters that seat 0 has.
fn word(scene: &Scene) -> ClientMessage {
    let rack = scene.state().tiles().rack(Seat(0));
    let letters: Vec<Letter> = rack.iter().filter_map(|tile| tile.letter()).collect();
    let pairs = letters.iter().zip(&letters[1..]);
    let mut words = pairs.map(|(first, second)| [*first, *second]);
    let word = words.find(|word| Hashed.contains(word)).unwrap();
    let tiles = &RuleSet::classic().tiles;
    ClientMessage::Play(Play {
        game: "g1".into(),
        cmd_id: "word".into(),
        turn_no: 1,
        start: "8G".to_owned(),
        tiles: word.map(|letter| tiles.face(letter).to_owned()).to_vec(),
    })
}

/// The last question to the bot.
fn asked(scene: &Scene) -> Option<Matter> {
    let mut effects = scene.other.iter().rev();
    effects.find_map(|effect| match effect {
        RoomEffect::AskBot(question) => Some(question.matter),
        _ => None,
    })
}

/// The bot answers.
fn reply(scene: &mut Scene, matter: Matter, action: Action) {
    let seat = BOT;
    scene.input(RoomInput::BotReplied(Reply {
        seat,
        matter,
        action,
    }));
    scene.store();
}

/// A message that the room must accept.
fn say(scene: &mut Scene, seat: u64, message: ClientMessage) {
    let request = scene.ask(&peer(seat, &format!("p{seat}")), message);
    scene.store();
    let outcome = scene.outcome(seat, request);
    assert!(matches!(outcome, Some(Ok(_))), "{outcome:?}");
}

/// The bot's answer comes when there is nothing to be done, and is given again when its turn goes on.
fn check_interruption(scene: &mut Scene, begins: (u64, ClientMessage), ends: (u64, ClientMessage)) {
    let turn = (Matter::Turn(TurnNo(2)), Action::Pass { turn_no: TurnNo(2) });
    say(scene, begins.0, begins.1);
    scene.other.clear();
    reply(scene, turn.0, turn.1.clone());
    assert_eq!(asked(scene), None, "nothing is to be done meanwhile");
    say(scene, ends.0, ends.1);
    assert_eq!(asked(scene), Some(turn.0));
    reply(scene, turn.0, turn.1);
    assert_ne!(scene.state().turn().map(|turn| turn.seat), Some(BOT));
}

#[test]
fn a_bot_whose_turn_a_challenge_interrupts_is_asked_again() {
    let (mut scene, play) = thinking();
    let challenge = ClientMessage::Challenge(on_play("challenge", play.0));
    let stand = ClientMessage::Stand(on_play("stand", play.0));
    check_interruption(&mut scene, (2, challenge), (0, stand));
}

#[test]
fn a_bot_whose_turn_a_hold_interrupts_is_asked_again() {
    let (mut scene, play) = thinking();
    let hold = ClientMessage::Hold(on_play("hold", play.0));
    let accept = ClientMessage::Accept(on_play("accept", play.0));
    check_interruption(&mut scene, (2, hold), (2, accept));
}

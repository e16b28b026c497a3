//! Checks that the picture of the terminal in the README shows what the screen draws.
//!
//! `UPDATE_PICTURE=1 cargo test -p tilewire-cli --test picture` draws the picture again.

mod game;
mod svg;

use std::path::Path;
use std::{env, fs};

/// The picture, relative to the folder of this package.
const PICTURE: &str = "../docs/pictures/terminal.svg";

#[test]
fn the_picture_of_the_terminal_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PICTURE);
    let picture = svg::picture(&game::screen(), game::TITLE);
    if env::var_os("UPDATE_PICTURE").is_some() {
        fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be created");
        fs::write(&path, &picture).expect("the picture can be written");
    }
    let stored = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        stored == picture,
        "{PICTURE} is out of date; set UPDATE_PICTURE=1 to draw it again"
    );
}

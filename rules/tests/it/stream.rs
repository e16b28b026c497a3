//! The verifiable bag, computed again by an independent program in another language (R-BAG).

use std::process::Command;

use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::stream::{Seed, commitment, nonce_hash};

const NONCES: [&[u8]; 3] = [b"first", b"", &[0xff; 32]];

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The crate's values for one game: the commitment, a nonce's hash, and the bag in drawing order.
fn ours() -> String {
    let rules = RuleSet::classic();
    let secret: [u8; 32] = std::array::from_fn(|at| u8::try_from(at).unwrap());
    let seed = Seed::new(&secret, "a-game", &NONCES);
    let mut bag = rules.tiles.all();
    seed.stream("bag").shuffle(&mut bag);
    let faces: String = bag
        .iter()
        .map(|tile| rules.tiles.tile_face(*tile))
        .collect();
    let mut again = rules.tiles.all();
    again.truncate(30);
    seed.stream("exchange/1").shuffle(&mut again);
    let exchanged: String = again
        .iter()
        .map(|tile| rules.tiles.tile_face(*tile))
        .collect();
    format!(
        "{}\n{}\n{faces}\n{exchanged}\n",
        hex(&commitment(&secret)),
        hex(&nonce_hash(NONCES[0]))
    )
}

#[test]
fn python_shuffles_the_same_bag() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/verify_bag.py");
    let output = Command::new("python3")
        .arg(script)
        .output()
        .expect("python3 is installed");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(String::from_utf8(output.stdout).unwrap(), ours());
}

/// The streams must never change: running games would get other tiles.
#[test]
fn the_published_vector_stands() {
    assert_eq!(ours(), include_str!("../data/bag.txt"));
}

//! The bag is fair: over many games every tile is drawn at every moment equally often, and a tile does not predict the
//! next one (R-BAG). The games are fixed, so the results are too; the same statistics detect shuffles with common
//! mistakes.

use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::stream::{Seed, Stream, commitment};

/// The number of games.
const GAMES: u32 = 6_000;
/// How many standard deviations a statistic may differ from its expectation. A fair bag exceeds this in fewer than one of
/// a million tries.
const FAR: f64 = 5.0;

/// The deviation of each statistic from that of a fair bag, in standard deviations.
#[derive(Debug)]
struct Figures {
    /// Which tile comes when: chi-square over all tiles and all places.
    places: f64,
    /// Which letter is drawn first: chi-square over the letters.
    first_letter: f64,
    /// The correlation of a tile with the next one.
    next: f64,
    /// The correlation of the first tile of a game with that of the next game.
    next_game: f64,
}

impl Figures {
    fn is_fair(&self) -> bool {
        let all = [self.places, self.first_letter, self.next, self.next_game];
        all.iter().all(|figure| figure.abs() < FAR)
    }
}

/// A chi-square as standard deviations from its expectation: exact enough from a few dozen cells on.
fn normalized(chi_square: f64, degrees: f64) -> f64 {
    // Wilson and Hilferty: the cube root is approximately normal.
    let spread = 2.0 / (9.0 * degrees);
    ((chi_square / degrees).cbrt() - (1.0 - spread)) / spread.sqrt()
}

fn chi_square(counts: &[u32], expected: impl Fn(usize) -> f64) -> f64 {
    let cells = counts.iter().enumerate();
    cells
        .map(|(cell, count)| (f64::from(*count) - expected(cell)).powi(2) / expected(cell))
        .sum()
}

/// Deals the first [`GAMES`] games with this shuffle and computes the statistics of the bags.
fn look(shuffle: impl Fn(&mut Stream, &mut [usize])) -> Figures {
    let tiles = RuleSet::classic().tiles.all();
    let size = tiles.len();
    let real = |number: usize| f64::from(u32::try_from(number).unwrap());
    let (middle, spread) = (real(size - 1) / 2.0, (real(size).powi(2) - 1.0) / 12.0);
    let mut places = vec![0_u32; size * size];
    let letters: Vec<_> = {
        let mut letters = tiles.clone();
        letters.dedup();
        letters
    };
    let mut first = vec![0_u32; letters.len()];
    let (mut next, mut next_game, mut before) = (0.0, 0.0, None);
    for game in 0..GAMES {
        let secret = commitment(&[u8::try_from(game % 251).unwrap(); 32]);
        let seed = Seed::new(&secret, &format!("game-{game}"), &[b"one".as_slice(), b""]);
        let mut bag: Vec<usize> = (0..size).collect();
        shuffle(&mut seed.stream("bag"), &mut bag);
        for (place, tile) in bag.iter().enumerate() {
            places[place * size + tile] += 1;
        }
        let letter = tiles[bag[0]];
        first[letters.iter().position(|known| *known == letter).unwrap()] += 1;
        let off = |place: usize| real(bag[place]) - middle;
        next += (1..size)
            .map(|place| off(place - 1) * off(place))
            .sum::<f64>();
        next_game += before.replace(off(0)).map_or(0.0, |former| former * off(0));
    }
    let games = f64::from(GAMES);
    let in_bag = |letter: usize| {
        let count = tiles
            .iter()
            .filter(|tile| **tile == letters[letter])
            .count();
        games * real(count) / real(size)
    };
    let per_place = games / real(size);
    // Drawing without replacement makes consecutive tiles differ slightly: by the variance of one tile over the bag.
    let expected_next = -spread * games;
    Figures {
        places: normalized(
            chi_square(&places, |_| per_place),
            (real(size) - 1.0).powi(2),
        ),
        first_letter: normalized(chi_square(&first, in_bag), real(letters.len()) - 1.0),
        next: (next - expected_next) / (spread * (real(size) * games).sqrt()),
        next_game: next_game / (spread * games.sqrt()),
    }
}

#[test]
fn every_tile_comes_at_every_moment_equally_often() {
    let figures = look(Stream::shuffle);
    assert!(figures.is_fair(), "{figures:?}");
}

/// Each of these mistakes has occurred in a real program.
#[test]
fn an_unfair_shuffle_is_detected() {
    fn below(stream: &mut Stream, n: usize) -> usize {
        usize::try_from(stream.uniform(u32::try_from(n).unwrap())).unwrap()
    }
    let from_everywhere = look(|stream, bag| {
        for at in 0..bag.len() {
            bag.swap(at, below(stream, bag.len()));
        }
    });
    let never_itself = look(|stream, bag| {
        for at in (1..bag.len()).rev() {
            bag.swap(at, below(stream, at));
        }
    });
    let one_byte = look(|stream, bag| {
        for at in (1..bag.len()).rev() {
            let byte = usize::try_from(stream.next_u32() & 0xff).unwrap();
            bag.swap(at, byte % (at + 1));
        }
    });
    let cut_only = look(|stream, bag| bag.rotate_left(below(stream, bag.len())));
    for (name, figures) in [
        ("from everywhere", from_everywhere),
        ("never itself", never_itself),
        ("one byte", one_byte),
        ("cut only", cut_only),
    ] {
        assert!(!figures.is_fair(), "{name}: {figures:?}");
    }
}

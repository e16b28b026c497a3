//! The chance to win at the end of a game.

/// A chance of 1, in the unit of all win chances.
pub const CERTAIN: u16 = 10_000;

/// Returns the chance to win with this lead at the end of a game, in 1/10,000; a tie is half a win.
#[must_use]
pub const fn decided(lead: i32) -> u16 {
    match lead {
        0 => CERTAIN / 2,
        1.. => CERTAIN,
        _ => 0,
    }
}

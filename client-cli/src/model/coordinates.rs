//! Squares as text and numbers: `H8`, `8F` (across) and `F8` (down).

/// A square by row and column, both from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Square {
    /// From the top.
    pub row: usize,
    /// From the left.
    pub col: usize,
}

/// Which way a play goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Along a row.
    Across,
    /// Along a column.
    Down,
}

impl Square {
    /// Reads `H8`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match parse_start(text)? {
            (square, Direction::Down) => Some(square),
            (_, Direction::Across) => None,
        }
    }

    /// The square `steps` further on.
    #[must_use]
    pub const fn ahead(self, direction: Direction, steps: usize) -> Self {
        match direction {
            Direction::Across => Self {
                row: self.row,
                col: self.col + steps,
            },
            Direction::Down => Self {
                row: self.row + steps,
                col: self.col,
            },
        }
    }
}

/// Reads where a play starts and which way it goes: `8F` is across, `F8` down; case does not matter.
#[must_use]
pub fn parse_start(text: &str) -> Option<(Square, Direction)> {
    let is_letter = |c: char| c.is_ascii_alphabetic();
    let (letters, digits, direction) = if text.starts_with(is_letter) {
        let (letters, digits) = text.split_at(text.find(|c| !is_letter(c))?);
        (letters, digits, Direction::Down)
    } else {
        let (digits, letters) = text.split_at(text.find(is_letter)?);
        (letters, digits, Direction::Across)
    };
    let is_number = (1..=2).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    let is_column = (1..=2).contains(&letters.len()) && letters.chars().all(is_letter);
    if !is_number || !is_column {
        return None;
    }
    let row = digits.parse::<usize>().ok()?.checked_sub(1)?;
    let col = letters.bytes().fold(0, |col, letter| {
        col * 26 + usize::from(letter.to_ascii_uppercase() - b'A') + 1
    }) - 1;
    Some((Square { row, col }, direction))
}

/// The letters of a column, counted from 0.
#[must_use]
pub fn column_name(col: usize) -> String {
    let letter = |n: usize| char::from(b'A' + u8::try_from(n % 26).unwrap_or(0));
    match col {
        0..26 => letter(col).to_string(),
        _ => [letter(col / 26 - 1), letter(col)].iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts() {
        for (text, row, col, direction) in [
            ("8F", 7, 5, Direction::Across),
            ("8f", 7, 5, Direction::Across),
            ("h6", 5, 7, Direction::Down),
            ("O15", 14, 14, Direction::Down),
            ("15o", 14, 14, Direction::Across),
            ("AA1", 0, 26, Direction::Down),
        ] {
            assert_eq!(
                parse_start(text),
                Some((Square { row, col }, direction)),
                "{text}"
            );
        }
        for text in [
            "", "8", "H", "0A", "A0", "8F8", "F8F", "100A", "8ABC", "8É", "É8", "-1A",
        ] {
            assert_eq!(parse_start(text), None, "{text}");
        }
    }

    #[test]
    fn columns() {
        assert_eq!(
            (column_name(0), column_name(20), column_name(26)),
            ("A".into(), "U".into(), "AA".into())
        );
    }
}

//! A rating curve in lines of text.

/// The columns of a curve, without the numbers beside it.
const COLUMNS: usize = 60;
/// The lines of a curve.
const LINES: usize = 6;
/// The least difference of rating between the lowest and the highest line.
const RANGE_MIN: i64 = 50;

/// The lines of a curve, the highest first, at most 80 columns wide; none for fewer than two points.
pub(super) fn lines(points: &[i64]) -> Vec<String> {
    let (Some(low), Some(high), true) =
        (points.iter().min(), points.iter().max(), points.len() > 1)
    else {
        return Vec::new();
    };
    let (low, high) = (*low, (*high).max(low + RANGE_MIN));
    let columns = COLUMNS.min(points.len());
    let last_line = LINES - 1;
    let line_of = |value: i64| {
        let steps = (value - low) * i64::try_from(last_line).unwrap_or(0);
        let from_below = (steps * 2 + (high - low)) / (2 * (high - low));
        last_line - usize::try_from(from_below).unwrap_or(0).min(last_line)
    };
    let mut rows = vec![vec![' '; columns]; LINES];
    // The last point of each part of the curve; the curve ends with the last point of all.
    let shown = (1..=columns).map(|part| points[part * points.len() / columns - 1]);
    for (column, value) in shown.enumerate() {
        rows[line_of(value)][column] = '*';
    }
    let rows = rows.into_iter().enumerate();
    rows.map(|(number, row)| {
        let value = match number {
            0 => high.to_string(),
            _ if number == last_line => low.to_string(),
            _ => String::new(),
        };
        let row: String = row.into_iter().collect();
        format!("{value:>6} |{}", row.trim_end())
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::{COLUMNS, LINES, lines};

    #[test]
    fn a_curve_rises_and_falls() {
        let drawn = lines(&[1_500, 1_550, 1_600, 1_550]);
        let expected = [
            "  1600 |  *",
            "       |",
            "       | * *",
            "       |",
            "       |",
            "  1500 |*",
        ];
        assert_eq!(drawn, expected);
    }

    #[test]
    fn a_curve_fits_whatever_it_has() {
        assert!(lines(&[]).is_empty() && lines(&[1_500]).is_empty());
        let flat = lines(&[1_500; 3]);
        assert_eq!(flat[LINES - 1], "  1500 |***");
        let long: Vec<i64> = (0..1_000).collect();
        let drawn = lines(&long);
        assert_eq!(drawn.len(), LINES);
        assert!(drawn.iter().all(|line| line.len() <= COLUMNS + 8));
        assert!(drawn[0].ends_with('*'), "it ends with the last point");
        let single = drawn.join("").matches('*').count();
        assert_eq!(single, COLUMNS);
    }
}

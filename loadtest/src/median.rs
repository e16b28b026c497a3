//! The middle of some values.

/// The one in the middle; of an even number the mean of the two in the middle, and of none nothing.
pub(crate) fn of(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let above = *sorted.get(sorted.len() / 2)?;
    if sorted.len() % 2 == 1 {
        return Some(above);
    }
    Some(f64::midpoint(sorted[sorted.len() / 2 - 1], above))
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn the_middle_is_half_way_between_the_two_of_an_even_number() {
        let check = |values: &[f64], wanted| assert_eq!(of(values), wanted, "{values:?}");
        check(&[], None);
        check(&[5.0], Some(5.0));
        check(&[9.0, 1.0], Some(5.0));
        check(&[9.0, 1.0, 2.0], Some(2.0));
        check(&[9.0, 1.0, 2.0, 4.0], Some(3.0));
    }
}

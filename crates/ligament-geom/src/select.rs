//! The n-th smallest element, for orders that need not be orders.
//!
//! Positions that nearly coincide, or are no numbers, cannot be compared consistently; what ends up where then
//! depends on the algorithm. This one makes the comparisons and exchanges of `std::nth_element` in libc++, which the
//! reference is built with.

/// Up to this many elements are sorted.
const FEW: usize = 7;

/// Moves the element of rank `nth` to its place, smaller ones before it.
pub fn select<T>(items: &mut [T], nth: usize, before: impl Fn(&T, &T) -> bool) {
    let (mut first, mut last) = (0, items.len());
    while last > first && nth < last {
        if last - first <= FEW {
            sort_few(&mut items[first..last], &before);
            return;
        }
        match split(items, first, last, nth, &before) {
            Split::Done => return,
            Split::Equal(end) if nth < end => return,
            Split::Equal(end) => first = end,
            Split::Pivot(place) if nth < place => last = place,
            Split::Pivot(place) => first = place + 1,
        }
    }
}

enum Split {
    Done,
    /// Everything before this place equals the first element, the smallest.
    Equal(usize),
    /// The pivot is at its place.
    Pivot(usize),
}

fn sort_few<T>(items: &mut [T], before: &impl Fn(&T, &T) -> bool) {
    match items.len() {
        2 => {
            if before(&items[1], &items[0]) {
                items.swap(0, 1);
            }
        }
        3 => {
            sort_three(items, [0, 1, 2], before);
        }
        count => {
            for start in 0..count.saturating_sub(1) {
                let mut least = start;
                for i in start + 1..count {
                    if before(&items[i], &items[least]) {
                        least = i;
                    }
                }
                items.swap(start, least);
            }
        }
    }
}

/// Sorts three elements; true when any moved.
fn sort_three<T>(items: &mut [T], [x, y, z]: [usize; 3], before: &impl Fn(&T, &T) -> bool) -> bool {
    if !before(&items[y], &items[x]) {
        if !before(&items[z], &items[y]) {
            return false;
        }
        items.swap(y, z);
        if before(&items[y], &items[x]) {
            items.swap(x, y);
        }
        return true;
    }
    if before(&items[z], &items[y]) {
        items.swap(x, z);
        return true;
    }
    items.swap(x, y);
    if before(&items[z], &items[y]) {
        items.swap(y, z);
    }
    true
}

fn split<T>(
    items: &mut [T],
    first: usize,
    last: usize,
    nth: usize,
    before: &impl Fn(&T, &T) -> bool,
) -> Split {
    let mut pivot = first + (last - first) / 2;
    let mut moved = sort_three(items, [first, pivot, last - 1], before);
    let (mut i, mut j) = (first, last - 1);
    if !before(&items[first], &items[pivot]) {
        // look for something smaller than the pivot to stop the search from above
        match (first + 1..j).rev().find(|&k| before(&items[k], &items[pivot])) {
            Some(smaller) => {
                items.swap(first, smaller);
                moved = true;
                j = smaller;
            }
            None => return split_equal(items, first, last, before),
        }
    }
    i += 1;
    if i < j {
        loop {
            while i < last && before(&items[i], &items[pivot]) {
                i += 1;
            }
            j -= 1;
            while j > first && !before(&items[j], &items[pivot]) {
                j -= 1;
            }
            if i >= j {
                break;
            }
            items.swap(i, j);
            moved = true;
            if pivot == i {
                pivot = j;
            }
            i += 1;
        }
    }
    let place = i.min(last - 1);
    if place != pivot && before(&items[pivot], &items[place]) {
        items.swap(place, pivot);
        moved = true;
    }
    let part = if nth < place { first..place } else { place..last };
    let sorted = |part: &[T]| part.windows(2).all(|pair| !before(&pair[1], &pair[0]));
    if nth == place || (!moved && sorted(&items[part])) { Split::Done } else { Split::Pivot(place) }
}

/// The first element is a smallest one: gathers those equal to it.
fn split_equal<T>(items: &mut [T], first: usize, last: usize, before: &impl Fn(&T, &T) -> bool) -> Split {
    let mut i = first + 1;
    let mut j = last - 1;
    if !before(&items[first], &items[j]) {
        match (i..j).find(|&k| before(&items[first], &items[k])) {
            Some(larger) => {
                items.swap(larger, j);
                i = larger + 1;
            }
            None => return Split::Done,
        }
    }
    if i == j {
        return Split::Done;
    }
    loop {
        while i < last && !before(&items[first], &items[i]) {
            i += 1;
        }
        j -= 1;
        while j > first && before(&items[first], &items[j]) {
            j -= 1;
        }
        if i >= j {
            return Split::Equal(i);
        }
        items.swap(i, j);
        i += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_element_of_a_rank_is_in_its_place() {
        for count in [1_usize, 2, 3, 5, 8, 50, 333] {
            for modulus in [2, 7, 1009] {
                for nth in 0..count {
                    let mut items: Vec<usize> = (0..count).map(|i| i * 7919 % 1013 % modulus).collect();
                    let mut sorted = items.clone();
                    sorted.sort_unstable();
                    select(&mut items, nth, |a, b| a < b);
                    assert_eq!(items[nth], sorted[nth]);
                    assert!(items[..nth].iter().all(|x| *x <= items[nth]));
                    assert!(items[nth..].iter().all(|x| *x >= items[nth]));
                }
            }
        }
    }

    /// Comparisons without any order must neither panic nor lose elements.
    #[test]
    fn inconsistent_comparisons_are_survived() {
        let mut items: Vec<i64> = (0..500).map(|i| i * 271 % 499).collect();
        let mut expected = items.clone();
        for nth in [0, 100, 250, 499] {
            select(&mut items, nth, |a, b| (a * 31 + b * 17) % 5 < 3);
            select(&mut items, nth, |_, _| true);
        }
        items.sort_unstable();
        expected.sort_unstable();
        assert_eq!(items, expected);
    }
}

//! The n-th smallest element, for orders that need not be orders.
//!
//! Quickselect after Hoare (Algorithm 65, FIND) with the median of three as pivot, as in Musser's introselect
//! ("Introspective sorting and selection algorithms", 1997). Positions that nearly coincide, or are no numbers, cannot
//! be compared consistently; what ends up where then depends on which elements are exchanged. The exchanges below are
//! those that the bounding volumes of the reference are built with, so that both give the same trees:
//!
//! - at most seven elements are sorted by selection;
//! - the pivot is the median of the first, middle and last element and stays where it is found;
//! - a first element that is not below the pivot is exchanged for the last one that is; if there is none, the
//!   elements equal to the smallest are gathered in front;
//! - a partition without any exchange ends the search if the part that matters turns out to be sorted.

/// Up to this many elements are sorted.
const FEW: usize = 7;

/// Working memory of a search: which elements of a range belong to the front and which to the back.
#[derive(Debug, Default)]
pub struct Scratch {
    front: Vec<u32>,
    back: Vec<u32>,
}

/// Moves the element of rank `nth` to its place, smaller ones before it. No element is before itself.
pub fn select<T>(items: &mut [T], nth: usize, before: impl Fn(&T, &T) -> bool, scratch: &mut Scratch) {
    let (mut items, mut nth) = (items, nth);
    while nth < items.len() {
        if items.len() <= FEW {
            return sort_few(items, &before);
        }
        match narrow(items, nth, &before, scratch) {
            Some(Part::Front(end)) => items = &mut items[..end],
            Some(Part::Back(start)) => {
                items = &mut items[start..];
                nth -= start;
            }
            None => return,
        }
    }
}

/// The part of a range in which the search goes on.
enum Part {
    Front(usize),
    Back(usize),
}

/// One round of the search; `None` when the element of the rank is in its place.
fn narrow<T>(
    items: &mut [T],
    nth: usize,
    before: &impl Fn(&T, &T) -> bool,
    scratch: &mut Scratch,
) -> Option<Part> {
    let last = items.len() - 1;
    let pivot = items.len() / 2;
    let mut moved = sort_three(items, [0, pivot, last], before);
    let mut end = last;
    if !before(&items[0], &items[pivot]) {
        let Some(below) = (1..last).rev().find(|i| before(&items[*i], &items[pivot])) else {
            return skip_smallest(items, nth, before, scratch);
        };
        items.swap(0, below);
        moved = true;
        end = below;
    }
    let (mut place, pivot, exchanged) = partition(items, 1..end, pivot, before, scratch);
    moved |= exchanged;
    place = place.min(last);
    if place != pivot && before(&items[pivot], &items[place]) {
        items.swap(place, pivot);
        moved = true;
    }
    let is_sorted = |part: &[T]| part.windows(2).all(|pair| !before(&pair[1], &pair[0]));
    if nth == place || (!moved && is_sorted(if nth < place { &items[..place] } else { &items[place..] })) {
        return None;
    }
    Some(if nth < place { Part::Front(place) } else { Part::Back(place + 1) })
}

/// The first element is a smallest one: its equals are gathered behind it and left out of the search.
fn skip_smallest<T>(
    items: &mut [T],
    nth: usize,
    before: &impl Fn(&T, &T) -> bool,
    scratch: &mut Scratch,
) -> Option<Part> {
    let last = items.len() - 1;
    let mut start = 1;
    if !before(&items[0], &items[last]) {
        let larger = (1..last).find(|i| before(&items[0], &items[*i]))?;
        items.swap(larger, last);
        start = larger + 1;
    }
    if start == last {
        return None;
    }
    // the first element is never exchanged: it lies before the range
    let not_larger = |item: &T, smallest: &T| !before(smallest, item);
    let (end, ..) = partition(items, start..last, 0, not_larger, scratch);
    (nth >= end).then_some(Part::Back(end))
}

/// Exchanges elements of a range from both ends until those that belong to the front come first: the first of the back for
/// the last of the front, and so on until they meet. The anchor that elements are compared with is followed when it moves.
/// Returns the end of the front, the anchor's place and whether anything was exchanged.
fn partition<T>(
    items: &mut [T],
    range: std::ops::Range<usize>,
    mut anchor: usize,
    front: impl Fn(&T, &T) -> bool,
    scratch: &mut Scratch,
) -> (usize, usize, bool) {
    if range.is_empty() {
        return (range.start, anchor, false);
    }
    let (fronts, backs) = scratch.divide(&items[range.clone()], |item| front(item, &items[anchor]));
    let mut met = items.len();
    let mut backs = backs.iter().map(|i| range.start + *i as usize);
    // a range without any of the back goes on behind its end
    let beyond = |items: &[T], anchor: usize| {
        (range.end..items.len()).find(|i| !front(&items[*i], &items[anchor])).unwrap_or(items.len())
    };
    for down in fronts.iter().rev().map(|i| range.start + *i as usize) {
        let up = backs.next().unwrap_or_else(|| beyond(items, anchor));
        if up >= down {
            return (up.min(met), anchor, met < items.len());
        }
        items.swap(up, down);
        if anchor == up {
            anchor = down;
        }
        met = down;
    }
    let up = backs.next().unwrap_or_else(|| beyond(items, anchor));
    (up.min(met), anchor, met < items.len())
}

impl Scratch {
    /// Places of the elements that belong to the front and of those that do not. Which of them an element does is as good as
    /// random: there is no branch to guess.
    fn divide<T>(&mut self, items: &[T], is_front: impl Fn(&T) -> bool) -> (&[u32], &[u32]) {
        let Self { front, back } = self;
        if front.len() < items.len() {
            front.resize(items.len(), 0);
            back.resize(items.len(), 0);
        }
        let (mut fronts, mut backs) = (0, 0);
        for (i, item) in items.iter().enumerate() {
            let is_front = usize::from(is_front(item));
            (front[fronts], back[backs]) = (i as u32, i as u32);
            fronts += is_front;
            backs += 1 - is_front;
        }
        (&front[..fronts], &back[..backs])
    }
}

fn sort_few<T>(items: &mut [T], before: &impl Fn(&T, &T) -> bool) {
    if items.len() == 3 {
        sort_three(items, [0, 1, 2], before);
        return;
    }
    for start in 0..items.len().saturating_sub(1) {
        let mut least = start;
        for i in start + 1..items.len() {
            if before(&items[i], &items[least]) {
                least = i;
            }
        }
        items.swap(start, least);
    }
}

/// Sorts three elements with as few exchanges as possible; true when any moved.
fn sort_three<T>(items: &mut [T], [x, y, z]: [usize; 3], before: &impl Fn(&T, &T) -> bool) -> bool {
    match (before(&items[y], &items[x]), before(&items[z], &items[y])) {
        (false, false) => return false,
        (true, true) => items.swap(x, z),
        (true, false) => {
            items.swap(x, y);
            if before(&items[z], &items[y]) {
                items.swap(y, z);
            }
        }
        (false, true) => {
            items.swap(y, z);
            if before(&items[y], &items[x]) {
                items.swap(x, y);
            }
        }
    }
    true
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
                    select(&mut items, nth, |a, b| a < b, &mut Scratch::default());
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
        let mut scratch = Scratch::default();
        for nth in [0, 100, 250, 499] {
            select(&mut items, nth, |a, b| (a * 31 + b * 17) % 5 < 3, &mut scratch);
            select(&mut items, nth, |_, _| true, &mut scratch);
        }
        items.sort_unstable();
        expected.sort_unstable();
        assert_eq!(items, expected);
    }

    /// Hoare's two scans, element by element.
    fn scanned(
        items: &mut [(i64, usize)],
        range: std::ops::Range<usize>,
        mut anchor: usize,
        front: impl Fn(&(i64, usize), &(i64, usize)) -> bool,
    ) -> (usize, usize, bool) {
        let (mut up, mut down, mut exchanged) = (range.start, range.end, false);
        if up >= down {
            return (up, anchor, exchanged);
        }
        loop {
            while up < items.len() && front(&items[up], &items[anchor]) {
                up += 1;
            }
            down -= 1;
            while down > 0 && !front(&items[down], &items[anchor]) {
                down -= 1;
            }
            if up >= down {
                return (up, anchor, exchanged);
            }
            items.swap(up, down);
            exchanged = true;
            if anchor == up {
                anchor = down;
            }
            up += 1;
        }
    }

    /// Also where neighbours cannot be told apart, so that the order is none, and wherever the anchor stands.
    #[test]
    fn elements_are_exchanged_as_by_two_scans() {
        let near = |a: &(i64, usize), b: &(i64, usize)| {
            if (a.0 - b.0).abs() > 2 { a.0 < b.0 } else { a.1 < b.1 }
        };
        let not_larger = |a: &(i64, usize), b: &(i64, usize)| !near(b, a);
        let mut scratch = Scratch::default();
        for seed in 0..400_usize {
            let count = 2 + seed % 37;
            let value = |i: usize| (i * 7919 + seed * 104_729) % (3 + seed % 50);
            let items: Vec<(i64, usize)> = (0..count).map(|i| (value(i) as i64, i)).collect();
            for (start, anchor) in (1..count).flat_map(|start| (0..count).map(move |anchor| (start, anchor)))
            {
                let range = start..count - 1 - seed % 2;
                let (mut a, mut b) = (items.clone(), items.clone());
                let first = partition(&mut a, range.clone(), anchor, near, &mut scratch);
                assert_eq!((first, a), (scanned(&mut b, range.clone(), anchor, near), b));
                let (mut a, mut b) = (items.clone(), items.clone());
                let first = partition(&mut a, range.clone(), 0, not_larger, &mut scratch);
                assert_eq!((first, a), (scanned(&mut b, range, 0, not_larger), b));
            }
        }
    }
}

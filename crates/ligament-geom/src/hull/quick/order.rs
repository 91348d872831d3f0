//! Collections that the construction walks in a fixed order.

const NOWHERE: usize = usize::MAX;

/// Numbers in the order in which they were last added. Leaving keeps the order of the others; what was added since
/// the start of a round is fresh.
#[derive(Debug, Default)]
pub(super) struct Order {
    /// Vacant slots stay behind; the walks skip them.
    slots: Vec<Option<u32>>,
    places: Vec<usize>,
    first_fresh: Option<usize>,
    len: usize,
}

impl Order {
    pub fn len(&self) -> usize {
        self.len
    }

    /// Adds a number behind all others.
    pub fn push(&mut self, id: u32) {
        if self.places.len() <= id as usize {
            self.places.resize(id as usize + 1, NOWHERE);
        }
        self.places[id as usize] = self.slots.len();
        self.slots.push(Some(id));
        self.len += 1;
    }

    pub fn remove(&mut self, id: u32) {
        let place = std::mem::replace(&mut self.places[id as usize], NOWHERE);
        if place != NOWHERE {
            self.slots[place] = None;
            self.len -= 1;
        }
    }

    /// Moves a number behind all others.
    pub fn move_to_end(&mut self, id: u32) {
        self.remove(id);
        self.push(id);
    }

    /// Moves a number before all others.
    pub fn move_to_front(&mut self, id: u32) {
        let rest: Vec<u32> = self.iter().filter(|other| *other != id).collect();
        self.slots.clear();
        self.len = 0;
        self.push(id);
        for other in rest {
            self.push(other);
        }
    }

    /// From now on, what is added is fresh.
    pub fn start_round(&mut self) {
        self.first_fresh = Some(self.slots.len());
    }

    pub fn end_round(&mut self) {
        self.first_fresh = None;
    }

    pub fn is_fresh(&self, id: u32) -> bool {
        let place = self.places[id as usize];
        place != NOWHERE && self.first_fresh.is_some_and(|first| place >= first)
    }

    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.slots.iter().copied().flatten()
    }

    pub fn fresh(&self) -> impl Iterator<Item = u32> {
        self.slots[self.first_fresh.unwrap_or(self.slots.len())..].iter().copied().flatten()
    }

    /// From a number on to the end.
    pub fn from(&self, id: u32) -> impl Iterator<Item = u32> {
        self.slots[self.places[id as usize].min(self.slots.len())..].iter().copied().flatten()
    }

    /// The first number at a slot or behind it, and its slot.
    pub fn at_or_after(&self, slot: usize) -> Option<(u32, usize)> {
        (slot..self.slots.len()).find_map(|slot| Some((self.slots[slot]?, slot)))
    }
}

/// A set of numbers that is emptied at once.
#[derive(Debug, Default)]
pub(super) struct Marks {
    marked: Vec<u32>,
    now: u32,
}

impl Marks {
    pub fn clear(&mut self) {
        self.now += 1;
    }

    /// True when the number was not marked yet.
    pub fn insert(&mut self, id: u32) -> bool {
        if self.marked.len() <= id as usize {
            self.marked.resize(id as usize + 1, 0);
        }
        std::mem::replace(&mut self.marked[id as usize], self.now) != self.now
    }

    pub fn extend(&mut self, ids: &[u32]) {
        for &id in ids {
            self.insert(id);
        }
    }

    pub fn contains(&self, id: u32) -> bool {
        self.marked.get(id as usize) == Some(&self.now)
    }
}

/// Takes an element out of an unordered list: the last one fills the gap.
pub(super) fn take_out(list: &mut Vec<u32>, element: u32) {
    if let Some(place) = list.iter().position(|x| *x == element) {
        list.swap_remove(place);
    }
}

/// Puts an element into the place of another.
pub(super) fn exchange(list: &mut [u32], old: u32, new: u32) {
    if let Some(x) = list.iter_mut().find(|x| **x == old) {
        *x = new;
    }
}

/// Takes out all elements of an unordered list that do not satisfy a condition; after each, the last one fills the gap.
pub(super) fn sift(list: &mut Vec<u32>, keep: impl Fn(u32) -> bool) {
    let mut i = 0;
    while let Some(&x) = list.get(i) {
        if keep(x) {
            i += 1;
        } else {
            list.swap_remove(i);
        }
    }
}

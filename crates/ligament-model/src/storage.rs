//! Storage of arrays: what a model shares with its copies, and what a simulation state never lets go.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// An array of a model, shared with the model's copies until someone writes into it.
///
/// Reading costs what a slice costs. The first write to an array that is shared makes a copy of that array alone.
/// There is no empty value to leave behind, so an array cannot be taken out of its model.
///
/// ```
/// # use ligament_model::storage::Shared;
/// let first = Shared::from(vec![1.0, 2.0]);
/// let mut second = first.clone();
/// assert!(first.ptr_eq(&second));
/// second[0] = 5.0;
/// assert_eq!((first[0], second[0]), (1.0, 5.0));
/// ```
pub struct Shared<T> {
    items: Arc<[T]>,
    /// Someone knows the address: never share, never move.
    pinned: bool,
}

impl<T: Copy> Shared<T> {
    /// So many copies of a value.
    pub(crate) fn filled(value: T, count: usize) -> Self {
        Self { items: std::iter::repeat_n(value, count).collect(), pinned: false }
    }

    /// Do both show the same memory?
    pub fn ptr_eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.items, &other.items)
    }

    /// Gives this array memory of its own if it shares it.
    pub fn make_unique(&mut self) {
        Arc::make_mut(&mut self.items);
    }

    /// Gives this array memory of its own for good: copies made from now on are real copies, so that its address
    /// stays valid for as long as it lives.
    pub fn pin(&mut self) {
        self.make_unique();
        self.pinned = true;
    }
}

impl<T: Copy> Clone for Shared<T> {
    fn clone(&self) -> Self {
        let items = if self.pinned { Arc::from(&*self.items) } else { self.items.clone() };
        Self { items, pinned: false }
    }
}

impl<T> From<Vec<T>> for Shared<T> {
    fn from(items: Vec<T>) -> Self {
        Self { items: items.into(), pinned: false }
    }
}

impl<T> Deref for Shared<T> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<T: Copy> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        Arc::make_mut(&mut self.items)
    }
}

/// An array of a simulation state: its length never changes, it never moves, and it cannot be taken out.
///
/// ```compile_fail
/// # fn f(d: &mut ligament_model::Data) {
/// let qpos = std::mem::take(&mut d.qpos); // there is nothing to leave in its place
/// # }
/// ```
pub struct Fixed<T>(Box<[T]>);

impl<T: Copy> Fixed<T> {
    /// So many copies of a value.
    pub(crate) fn filled(value: T, count: usize) -> Self {
        Self(vec![value; count].into())
    }
}

impl<T: Copy> Clone for Fixed<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    /// Copies the numbers; the array stays where it is. Panics when the lengths differ.
    fn clone_from(&mut self, source: &Self) {
        self.0.copy_from_slice(source);
    }
}

impl<T> Deref for Fixed<T> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> DerefMut for Fixed<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

/// A list of a simulation state whose length changes from step to step. Like [`Fixed`] it cannot be taken out: whatever
/// ends a stage in its middle, the list is still there. Room once reserved is kept.
///
/// ```compile_fail
/// # fn f(d: &mut ligament_model::Data) {
/// let contacts = std::mem::take(&mut d.contact); // stages borrow parts of a state apart instead
/// # }
/// ```
pub struct List<T>(Vec<T>);

impl<T> List<T> {
    /// A list without entries or memory.
    pub(crate) const fn empty() -> Self {
        Self(Vec::new())
    }

    /// Removes all entries; their room stays.
    #[inline]
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Appends an entry.
    #[inline]
    pub fn push(&mut self, item: T) {
        self.0.push(item);
    }

    /// Removes the entries from `len` on.
    pub fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    /// Entries there is room for.
    pub fn capacity(&self) -> usize {
        self.0.capacity()
    }
}

impl<T: Clone> List<T> {
    /// Changes the number of entries; new ones are copies of `value`.
    #[inline]
    pub fn resize(&mut self, len: usize, value: T) {
        self.0.resize(len, value);
    }

    /// Forgets what was in the list and fills it with so many copies of a value.
    #[inline]
    pub fn refill(&mut self, len: usize, value: T) -> &mut [T] {
        self.0.clear();
        self.0.resize(len, value);
        &mut self.0
    }

    /// Appends copies of all entries of a slice.
    #[inline]
    pub fn extend_from_slice(&mut self, items: &[T]) {
        self.0.extend_from_slice(items);
    }

    /// Changes the entries, with their memory, for others; those of before are left in their place.
    pub fn exchange(&mut self, entries: &mut Vec<T>) {
        std::mem::swap(&mut self.0, entries);
    }

    /// Moves the memory out and goes on with a copy that has as much room.
    pub(crate) fn renew(&mut self) -> Vec<T> {
        let mut copy = Vec::with_capacity(self.0.capacity());
        copy.extend_from_slice(&self.0);
        std::mem::replace(&mut self.0, copy)
    }
}

impl<T> Extend<T> for List<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        self.0.extend(items);
    }
}

impl<T: Clone> Clone for List<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    /// Copies the entries into the room that is there.
    fn clone_from(&mut self, source: &Self) {
        self.0.clone_from(&source.0);
    }
}

impl<T> Deref for List<T> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> DerefMut for List<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

macro_rules! like_a_slice {
    ($name:ident $(: $bound:ident)?) => {
        impl<T> $name<T> {
            /// All elements.
            #[inline]
            pub fn as_slice(&self) -> &[T] {
                self
            }
        }

        impl<T: PartialEq> PartialEq for $name<T> {
            fn eq(&self, other: &Self) -> bool {
                self[..] == other[..]
            }
        }

        impl<T: PartialEq, const N: usize> PartialEq<[T; N]> for $name<T> {
            fn eq(&self, other: &[T; N]) -> bool {
                self[..] == other[..]
            }
        }

        impl<T: PartialEq, const N: usize> PartialEq<&[T; N]> for $name<T> {
            fn eq(&self, other: &&[T; N]) -> bool {
                self[..] == other[..]
            }
        }

        impl<T: PartialEq> PartialEq<Vec<T>> for $name<T> {
            fn eq(&self, other: &Vec<T>) -> bool {
                self[..] == other[..]
            }
        }

        impl<T: PartialEq> PartialEq<$name<T>> for Vec<T> {
            fn eq(&self, other: &$name<T>) -> bool {
                self[..] == other[..]
            }
        }

        impl<T: fmt::Debug> fmt::Debug for $name<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self[..].fmt(f)
            }
        }

        impl<'a, T> IntoIterator for &'a $name<T> {
            type Item = &'a T;
            type IntoIter = std::slice::Iter<'a, T>;
            #[inline]
            fn into_iter(self) -> Self::IntoIter {
                self.iter()
            }
        }

        impl<'a, T $(: $bound)?> IntoIterator for &'a mut $name<T> {
            type Item = &'a mut T;
            type IntoIter = std::slice::IterMut<'a, T>;
            #[inline]
            fn into_iter(self) -> Self::IntoIter {
                self.iter_mut()
            }
        }
    };
}
like_a_slice!(Shared: Copy);
like_a_slice!(Fixed);
like_a_slice!(List);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pinned_array_keeps_its_address() {
        let mut array = Shared::from(vec![1, 2, 3]);
        let before = array.clone();
        array.pin();
        assert!(!array.ptr_eq(&before));
        let address = array.as_ptr();
        let copy = array.clone();
        array[0] = 7;
        assert_eq!(array.as_ptr(), address);
        assert_eq!((copy[0], before[0]), (1, 1));
    }

    #[test]
    fn writing_to_an_array_of_its_own_does_not_move_it() {
        let mut array = Shared::from(vec![1, 2, 3]);
        let address = array.as_ptr();
        drop(array.clone());
        array[1] = 9;
        assert_eq!(array.as_ptr(), address);
    }

    #[test]
    fn assigning_a_fixed_array_copies_in_place() {
        let (mut a, b) = (Fixed::filled(0, 2), Fixed::filled(4, 2));
        let address = a.as_ptr();
        a.clone_from(&b);
        assert_eq!((a.as_ptr(), &a[..]), (address, &[4, 4][..]));
    }
}

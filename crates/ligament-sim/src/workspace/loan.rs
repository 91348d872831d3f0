//! Large scratch structs on the heap, so that a stage takes one and gives it back by moving a pointer.

use std::ops::{Deref, DerefMut};

/// A boxed scratch struct. `std::mem::take` leaves an empty loan behind, which costs nothing; writing to an empty
/// loan makes a new struct.
#[derive(Debug)]
pub struct Loan<T>(Option<Box<T>>);

impl<T: Default> Loan<T> {
    pub fn new() -> Self {
        Self(Some(Box::default()))
    }
}

impl<T> Default for Loan<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: Default> Deref for Loan<T> {
    type Target = T;

    /// The struct must be there: a stage that has taken it reads its own copy.
    #[inline]
    fn deref(&self) -> &T {
        self.0.as_deref().expect("scratch is read by the stage that took it")
    }
}

impl<T: Default> DerefMut for Loan<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        match &mut self.0 {
            Some(scratch) => scratch,
            empty => make(empty),
        }
    }
}

/// Out of the way: what makes a large struct would lie in the middle of every stage that uses one.
#[cold]
#[inline(never)]
fn make<T: Default>(empty: &mut Option<Box<T>>) -> &mut T {
    empty.insert(Box::default())
}

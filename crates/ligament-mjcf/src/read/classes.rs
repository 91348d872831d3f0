//! Default classes by name: thousands of elements may each name one of thousands of classes.

use crate::spec::{ClassId, DefaultClass};
use std::collections::HashMap;

/// Where the classes of a model stand that is being read. Classes are only added meanwhile.
#[derive(Default)]
pub(super) struct ClassNames {
    places: HashMap<String, ClassId>,
    /// So many classes of the model are known.
    known: usize,
}

impl ClassNames {
    /// The first class of this name.
    pub(super) fn find(&mut self, name: &str, classes: &[DefaultClass]) -> Option<ClassId> {
        for (i, class) in classes.iter().enumerate().skip(self.known) {
            self.places.entry(class.name.clone()).or_insert(ClassId(i as u32));
        }
        self.known = classes.len();
        self.places.get(name).copied()
    }
}

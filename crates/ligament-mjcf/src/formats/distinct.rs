//! Vertices without repetition.

use std::hash::{BuildHasher, RandomState};

/// A slot of the table that no vertex has.
const VACANT: u32 = u32::MAX;

/// Different vertices in the order in which they came, and a table in which one is found by its coordinates: their numbers, at
/// or behind the place that the hash names. Half of the table stays vacant.
#[derive(Debug)]
pub(super) struct Distinct {
    pub kept: Vec<[f32; 3]>,
    slots: Vec<u32>,
    /// Not known to whoever made the file: nobody can choose vertices that all fall into one place.
    secret: [u64; 2],
}

impl Distinct {
    /// Room for so many vertices.
    pub fn new(count: usize) -> Self {
        let random = RandomState::new();
        let slots = vec![VACANT; (2 * count).next_power_of_two()];
        Self { kept: Vec::new(), slots, secret: [random.hash_one(0), random.hash_one(1)] }
    }

    /// The number of a vertex, which is added if it is new. Zeros are equal whatever their signs.
    pub fn insert(&mut self, vertex: [f32; 3]) -> i32 {
        let mask = self.slots.len() - 1;
        let mut place = self.hash(key(vertex)) as usize & mask;
        loop {
            match self.slots[place] {
                VACANT => {
                    self.slots[place] = self.kept.len() as u32;
                    self.kept.push(vertex);
                    return self.kept.len() as i32 - 1;
                }
                id if key(self.kept[id as usize]) == key(vertex) => return id as i32,
                _ => place = (place + 1) & mask,
            }
        }
    }

    /// Both halves of a product of 128 bits, folded.
    fn hash(&self, [x, y, z]: [u32; 3]) -> u64 {
        let a = u64::from(x) | u64::from(y) << 32;
        let product = u128::from(a ^ self.secret[0]) * u128::from(u64::from(z) ^ self.secret[1]);
        product as u64 ^ (product >> 64) as u64
    }
}

/// Bits in which equal vertices agree.
fn key(vertex: [f32; 3]) -> [u32; 3] {
    vertex.map(|x| (x + 0.0).to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_equal_vertices_is_kept() {
        let mut distinct = Distinct::new(4);
        let vertices = [[0.0, 1.0, 2.0], [-0.0, 1.0, 2.0], [1.0, 0.0, 2.0], [0.0, 1.0, 2.0]];
        assert_eq!(vertices.map(|v| distinct.insert(v)), [0, 0, 1, 0]);
        assert_eq!(distinct.kept, [vertices[0], vertices[2]]);
    }

    #[test]
    fn a_full_table_finds_everything_again() {
        let vertex = |i: u16| [f32::from(i % 7), f32::from(i / 7), 1e-3 * f32::from(i)];
        let mut distinct = Distinct::new(5000);
        assert!((0..5000).all(|i| distinct.insert(vertex(i)) == i32::from(i)));
        assert!((0..5000).all(|i| distinct.insert(vertex(i)) == i32::from(i)));
        assert_eq!(distinct.kept.len(), 5000);
    }
}

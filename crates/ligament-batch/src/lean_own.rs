//! Lean steps of worlds with parameters of their own.

use crate::worlds::{Select, Worlds};
use ligament_lean::{Lean, State, Variants};
use std::ops::Range;

/// A group of worlds with parameters of their own.
#[derive(Default)]
pub(crate) struct Own {
    /// The worlds and parameters that the tables were made from.
    members: Vec<usize>,
    bits: Vec<u64>,
    tables: Tables,
}

#[derive(Default)]
enum Tables {
    #[default]
    None,
    /// Of all worlds of the group.
    Together(Variants),
    /// Lean steps have not what some worlds ask for; the others stand alone.
    Apart(Vec<Option<Variants>>),
}

impl Own {
    /// Makes tables for the worlds of a group, unless they are those of before with the same parameters.
    pub fn prepare(&mut self, worlds: &Worlds, select: Select<'_>, items: Range<usize>, lean: &Lean) {
        let members = || items.clone().map(|item| select.world(item));
        let bits = || members().flat_map(|world| worlds.parameter_bits(world));
        if !(members().eq(self.members.iter().copied()) && bits().eq(self.bits.iter().copied())) {
            self.members.clear();
            self.members.extend(members());
            self.bits.clear();
            self.bits.extend(bits());
            self.tables = tables(worlds, &self.members, lean);
        }
    }

    /// Steps the worlds of the group; `left` gets those that the exact steps have to run.
    pub fn step(&self, lean: &mut Lean, states: &mut [State], left: &mut [bool], steps: usize) {
        match &self.tables {
            Tables::None => left.fill(true),
            Tables::Together(variants) => lean.step_variants(variants, states, steps, |k| left[k] = true),
            Tables::Apart(each) => {
                for ((variants, state), left) in each.iter().zip(states.chunks_mut(1)).zip(left) {
                    match variants {
                        Some(variants) => lean.step_variants(variants, state, steps, |_| *left = true),
                        None => *left = true,
                    }
                }
            }
        }
    }
}

fn tables(worlds: &Worlds, members: &[usize], lean: &Lean) -> Tables {
    let models = members.iter().map(|&world| worlds.model_of(world)).collect::<Result<Vec<_>, _>>();
    if let Ok(variants) = models.map_err(drop).and_then(|models| lean.variants(models).map_err(drop)) {
        return Tables::Together(variants);
    }
    let alone = |&world: &usize| lean.variants(vec![worlds.model_of(world).ok()?]).ok();
    Tables::Apart(members.iter().map(alone).collect())
}

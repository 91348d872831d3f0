//! Lean steps of worlds with parameters of their own.

use crate::worlds::Worlds;
use ligament_lean::{Lean, State, Variant};

/// A world with parameters of its own.
#[derive(Default)]
pub(crate) struct Own {
    /// The parameters that the variant was made from.
    bits: Vec<u64>,
    /// None if lean steps do not have what these parameters ask for.
    variant: Option<Variant>,
}

impl Own {
    /// Steps the world; false if that is left to the exact steps. Tables are kept as long as the parameters stay.
    pub fn step(
        &mut self,
        worlds: &Worlds,
        world: usize,
        lean: &mut Lean,
        state: &mut State,
        steps: usize,
    ) -> bool {
        let known = !self.bits.is_empty() && worlds.parameter_bits(world).eq(self.bits.iter().copied());
        if !known {
            self.bits.clear();
            self.bits.extend(worlds.parameter_bits(world));
            self.variant = worlds.model_of(world).ok().and_then(|model| Variant::new(&model).ok());
        }
        self.variant.as_ref().is_some_and(|variant| lean.step_variant(variant, state, steps))
    }
}

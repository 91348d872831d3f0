//! Parts by name: what saved models and model texts ask for.

use super::actuator::{Affine, AffineBias, AffineGain, FixedGain, MuscleBias, MuscleGain, SeriesElastic};
use super::{ActuatorForce, ConstraintSolver, FlexForce, PartError, PartRecord, Slot, choose};
use crate::flex::{BridsonBending, NeoHookean};
use crate::solver::XpbdSolver;
use ligament_model::Model;
use ligament_soft::SoftFlex;

type Maker = Box<dyn Fn(&mut Model, &PartRecord) -> Result<(), PartError> + Send + Sync>;

/// Makers of parts by slot and name. Starts with those of the engine.
pub struct PartLibrary {
    makers: Vec<(Slot, String, Maker)>,
}

impl Default for PartLibrary {
    fn default() -> Self {
        Self::new()
    }
}

fn count(part: &str, numbers: &[f64], fits: &[usize], expected: &'static str) -> Result<(), PartError> {
    let (part, found) = (part.to_owned(), numbers.len());
    if fits.contains(&found) { Ok(()) } else { Err(PartError::Count { part, expected, found }) }
}

fn affine(numbers: &[f64]) -> Result<Affine, PartError> {
    count("affine", numbers, &[3], "three numbers (constant, by length, by velocity)")?;
    Ok(Affine { constant: numbers[0], by_length: numbers[1], by_velocity: numbers[2] })
}

fn muscle(numbers: &[f64]) -> Result<[f64; 10], PartError> {
    let wrong = |_| PartError::Count { part: "muscle".into(), expected: "ten numbers", found: numbers.len() };
    numbers.try_into().map_err(wrong)
}

/// The series-elastic law of these numbers: stiffness, damping, ratio.
pub fn series_elastic(numbers: &[f64]) -> Result<SeriesElastic, PartError> {
    count(SeriesElastic::NAME, numbers, &[3], "three numbers (stiffness, damping, ratio)")?;
    SeriesElastic::new(numbers[0], numbers[1], numbers[2])
}

impl PartLibrary {
    /// The parts of the engine.
    pub fn new() -> Self {
        let mut library = Self { makers: Vec::new() };
        library.flex_force(Slot::Bending, "bridson", |numbers| {
            count("bridson", numbers, &[0], "no numbers").map(|()| BridsonBending::default())
        });
        library.flex_force(Slot::Elasticity, "neo_hookean", |numbers| {
            count("neo_hookean", numbers, &[0, 2], "no numbers, or two (μ, λ)")?;
            Ok(if numbers.is_empty() {
                NeoHookean::default()
            } else {
                NeoHookean::new(numbers[0], numbers[1])
            })
        });
        library.flex_force(Slot::Elasticity, SoftFlex::NAME, SoftFlex::from_parameters);
        library.actuator_force(Slot::Gain, "fixed", |numbers| {
            count("fixed", numbers, &[1], "one number (gain)").map(|()| FixedGain { gain: numbers[0] })
        });
        library.actuator_force(Slot::Gain, "affine", |numbers| affine(numbers).map(AffineGain));
        library.actuator_force(Slot::Bias, "affine", |numbers| affine(numbers).map(AffineBias));
        library.actuator_force(Slot::Gain, "muscle", |numbers| muscle(numbers).map(|prm| MuscleGain { prm }));
        library.actuator_force(Slot::Bias, "muscle", |numbers| muscle(numbers).map(|prm| MuscleBias { prm }));
        library.actuator_force(Slot::Gain, SeriesElastic::NAME, series_elastic);
        library.constraint_solver("xpbd", XpbdSolver::from_parameters);
        library
    }

    fn add(&mut self, slot: Slot, name: &str, maker: Maker) -> &mut Self {
        self.makers.retain(|(s, n, _)| (*s, n.as_str()) != (slot, name));
        self.makers.push((slot, name.to_owned(), maker));
        self
    }

    /// Adds a part of flexes for [`Slot::Bending`] or [`Slot::Elasticity`], made from the numbers it was saved with.
    pub fn flex_force<F: FlexForce>(
        &mut self,
        slot: Slot,
        name: &str,
        make: impl Fn(&[f64]) -> Result<F, PartError> + Send + Sync + 'static,
    ) -> &mut Self {
        self.add(
            slot,
            name,
            Box::new(move |m, record| {
                let part = make(&record.parameters)?;
                match slot {
                    Slot::Bending => choose::set_bending(m, record.element, part),
                    _ => choose::set_elasticity(m, record.element, part),
                }
            }),
        )
    }

    /// Adds a part of actuators for [`Slot::Gain`] or [`Slot::Bias`].
    pub fn actuator_force<F: ActuatorForce>(
        &mut self,
        slot: Slot,
        name: &str,
        make: impl Fn(&[f64]) -> Result<F, PartError> + Send + Sync + 'static,
    ) -> &mut Self {
        self.add(
            slot,
            name,
            Box::new(move |m, record| {
                let part = make(&record.parameters)?;
                match slot {
                    Slot::Gain => choose::set_gain(m, record.element, part),
                    _ => choose::set_bias(m, record.element, part),
                }
            }),
        )
    }

    /// Adds a solver.
    pub fn constraint_solver<S: ConstraintSolver>(
        &mut self,
        name: &str,
        make: impl Fn(&[f64]) -> Result<S, PartError> + Send + Sync + 'static,
    ) -> &mut Self {
        self.add(
            Slot::Solver,
            name,
            Box::new(move |m, record| choose::set_solver(m, make(&record.parameters)?)),
        )
    }

    /// The parts of a slot, for messages.
    fn names(&self, slot: Slot) -> String {
        let names = self.makers.iter().filter(|(s, ..)| *s == slot).map(|(_, name, _)| name.as_str());
        names.collect::<Vec<_>>().join(", ")
    }

    /// Gives an element of a model the part that a record names.
    pub fn provide(&self, m: &mut Model, record: &PartRecord) -> Result<(), PartError> {
        let found = self.makers.iter().find(|(slot, name, _)| (*slot, name) == (record.slot, &record.name));
        let element = record.slot.element(m, record.element);
        match found {
            None => {
                let (slot, part, known) = (record.slot, record.name.clone(), self.names(record.slot));
                Err(PartError::Unknown { slot, part, element, known })
            }
            Some((slot, name, maker)) => maker(m, record).map_err(|error| match error {
                // say which element it was
                PartError::Count { .. } | PartError::Value { .. } => {
                    let reason = error.to_string();
                    PartError::Misfit { slot: *slot, part: name.clone(), element, reason }
                }
                other => other,
            }),
        }
    }

    /// Provides everything that a model from a file still misses.
    pub fn complete(&self, m: &mut Model) -> Result<(), PartError> {
        m.parts.take_missing().iter().try_for_each(|record| self.provide(m, record))
    }
}

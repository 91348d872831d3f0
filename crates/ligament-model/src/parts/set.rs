//! The parts of one model.

use super::record::is_name;
use super::{
    ActuatorForce, ConstraintSolver, FlexForce, Part, PartError, PartRecord, PartView, Slot, SoftBody,
};
use crate::draw::Canvas;
use crate::{Data, Model};
use std::ops::Range;
use std::sync::Arc;

/// A part of one flex.
#[derive(Clone)]
pub struct FlexPart {
    /// The part, fitted to the flex.
    pub part: Arc<dyn FlexForce>,
    /// Vertices in groups of which no two share an element or a flap: finite differences nudge a group at once.
    pub groups: Arc<[Vec<u32>]>,
    /// Trees that have its vertices, if the part is [soft](FlexForce::soft): they fall asleep together.
    pub trees: Arc<[SoftTree]>,
}

/// A tree of a soft flex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SoftTree {
    /// Number of the tree.
    pub tree: usize,
    /// Is it one vertex that nothing but the flex acts on? It may sleep, although MuJoCo's flexes never do.
    pub vertex: bool,
    /// The body that it is, if that hangs on the world by three slide joints and has nothing else.
    pub point: Option<usize>,
}

/// A part of some actuators.
#[derive(Clone)]
pub struct ActuatorPart {
    /// The part.
    pub part: Arc<dyn ActuatorForce>,
    /// Numbers of the actuators that have it.
    pub actuators: Vec<usize>,
}

/// Which of the groups an actuator belongs to; empty when there are none.
#[derive(Clone, Default)]
struct ActuatorParts {
    groups: Vec<ActuatorPart>,
    of: Vec<Option<u32>>,
}

impl ActuatorParts {
    #[inline]
    fn get(&self, actuator: usize) -> Option<&Arc<dyn ActuatorForce>> {
        let group = (*self.of.get(actuator)?)?;
        Some(&self.groups[group as usize].part)
    }

    fn set(&mut self, actuators: &[usize], part: Option<Arc<dyn ActuatorForce>>) {
        for group in &mut self.groups {
            group.actuators.retain(|i| !actuators.contains(i));
        }
        if let Some(part) = part {
            self.groups.push(ActuatorPart { part, actuators: actuators.to_vec() });
        }
        self.groups.retain(|group| !group.actuators.is_empty());
        let count = self.groups.iter().flat_map(|group| &group.actuators).map(|i| i + 1).max();
        self.of = vec![None; count.unwrap_or(0)];
        for (number, group) in self.groups.iter().enumerate() {
            for &i in &group.actuators {
                self.of[i] = u32::try_from(number).ok();
            }
        }
    }
}

/// The first of the longest rows of places that are marked.
fn longest_row(marks: &[bool]) -> Range<usize> {
    let (mut longest, mut start) = (0..0, 0);
    for end in 0..=marks.len() {
        if marks.get(end) != Some(&true) {
            if end - start > longest.len() {
                longest = start..end;
            }
            start = end + 1;
        }
    }
    longest
}

/// The parts of a model that are not MuJoCo's.
#[derive(Clone, Default)]
pub struct Parts {
    bending: Vec<Option<FlexPart>>,
    elasticity: Vec<Option<FlexPart>>,
    gain: ActuatorParts,
    bias: ActuatorParts,
    solver: Option<Arc<dyn ConstraintSolver>>,
    /// Trees that are vertices of soft flexes.
    soft_vertices: Vec<bool>,
    /// Bodies that are points of soft flexes, and the longest row of them.
    soft_points: Vec<bool>,
    point_row: Range<usize>,
    /// What a file asked for and nobody has provided yet.
    pub(crate) wanted: Vec<PartRecord>,
}

impl Parts {
    /// Does MuJoCo's engine compute everything?
    pub fn is_default(&self) -> bool {
        self.records().is_empty()
    }

    /// Parts that a file asked for and that are still missing.
    #[inline]
    pub fn missing(&self) -> &[PartRecord] {
        &self.wanted
    }

    /// Takes the list of missing parts, to provide them.
    pub fn take_missing(&mut self) -> Vec<PartRecord> {
        std::mem::take(&mut self.wanted)
    }

    /// What bends a flex, unless MuJoCo's does.
    #[inline]
    pub fn bending(&self, flex: usize) -> Option<&FlexPart> {
        self.bending.get(flex)?.as_ref()
    }

    /// What stretches a flex, unless MuJoCo's does.
    #[inline]
    pub fn elasticity(&self, flex: usize) -> Option<&FlexPart> {
        self.elasticity.get(flex)?.as_ref()
    }

    /// What holds a flex together by positions, if it is soft.
    #[inline]
    pub fn soft(&self, flex: usize) -> Option<&dyn SoftBody> {
        self.elasticity(flex)?.part.soft()
    }

    /// The first soft flex, if there is any.
    #[inline]
    pub fn first_soft(&self) -> Option<usize> {
        (0..self.elasticity.len()).find(|&flex| self.soft(flex).is_some())
    }

    /// Trees that have vertices of a soft flex; none of one that is not soft.
    #[inline]
    pub fn soft_trees(&self, flex: usize) -> &[SoftTree] {
        self.elasticity(flex).map_or(&[][..], |part| &part.trees[..])
    }

    /// Is this tree a vertex of a soft flex, and nothing else?
    #[inline]
    pub fn is_soft_vertex(&self, tree: usize) -> bool {
        self.soft_vertices.get(tree).is_some_and(|&soft| soft)
    }

    /// Is this body a vertex of a soft flex that hangs on the world by three slide joints, and nothing else?
    #[inline]
    pub fn is_soft_point(&self, body: usize) -> bool {
        self.soft_points.get(body).is_some_and(|&soft| soft)
    }

    /// Consecutive bodies that are such points: the longest row of them.
    #[inline]
    pub fn soft_points(&self) -> Range<usize> {
        self.point_row.clone()
    }

    /// The gain of an actuator, unless it is MuJoCo's.
    #[inline]
    pub fn gain(&self, actuator: usize) -> Option<&Arc<dyn ActuatorForce>> {
        self.gain.get(actuator)
    }

    /// The bias of an actuator, unless it is MuJoCo's.
    #[inline]
    pub fn bias(&self, actuator: usize) -> Option<&Arc<dyn ActuatorForce>> {
        self.bias.get(actuator)
    }

    /// Gain parts with all actuators of each.
    #[inline]
    pub fn gains(&self) -> &[ActuatorPart] {
        &self.gain.groups
    }

    /// Bias parts with all actuators of each.
    #[inline]
    pub fn biases(&self) -> &[ActuatorPart] {
        &self.bias.groups
    }

    /// The solver, unless it is MuJoCo's.
    #[inline]
    pub fn solver(&self) -> Option<&Arc<dyn ConstraintSolver>> {
        self.solver.as_ref()
    }

    /// Sets or removes a part of a flex; the slot is [`Slot::Bending`] or [`Slot::Elasticity`].
    pub fn set_flex(&mut self, slot: Slot, flex: usize, part: Option<FlexPart>) -> Result<(), PartError> {
        check_name(part.as_ref().map(|x| x.part.name()))?;
        let parts = if slot == Slot::Bending { &mut self.bending } else { &mut self.elasticity };
        if parts.len() <= flex {
            parts.resize(flex + 1, None);
        }
        parts[flex] = part;
        while parts.last().is_some_and(Option::is_none) {
            parts.pop();
        }
        let trees = || self.elasticity.iter().flatten().flat_map(|part| part.trees.iter());
        let count = trees().map(|soft| soft.tree + 1).max().unwrap_or(0);
        let mut vertices = vec![false; count];
        trees().filter(|soft| soft.vertex).for_each(|soft| vertices[soft.tree] = true);
        let bodies = trees().filter_map(|soft| soft.point);
        let mut points = vec![false; bodies.clone().map(|body| body + 1).max().unwrap_or(0)];
        bodies.for_each(|body| points[body] = true);
        self.point_row = longest_row(&points);
        (self.soft_vertices, self.soft_points) = (vertices, points);
        Ok(())
    }

    /// Sets or removes a part of some actuators; the slot is [`Slot::Gain`] or [`Slot::Bias`].
    pub fn set_actuators(
        &mut self,
        slot: Slot,
        actuators: &[usize],
        part: Option<Arc<dyn ActuatorForce>>,
    ) -> Result<(), PartError> {
        check_name(part.as_ref().map(|x| x.name()))?;
        let parts = if slot == Slot::Gain { &mut self.gain } else { &mut self.bias };
        parts.set(actuators, part);
        Ok(())
    }

    /// Sets or removes the solver.
    pub fn set_solver(&mut self, part: Option<Arc<dyn ConstraintSolver>>) -> Result<(), PartError> {
        check_name(part.as_ref().map(|x| x.name()))?;
        self.solver = part;
        Ok(())
    }

    /// Lets every part add to a picture of a simulation, in order of slots and elements.
    pub fn draw(&self, model: &Model, data: &Data, canvas: &mut dyn Canvas) {
        self.each(|slot, element, part| part.draw(&PartView { model, data, slot, element }, canvas));
    }

    /// All parts by name, in order of slots and elements; those that are missing, too.
    pub fn records(&self) -> Vec<PartRecord> {
        let mut records = Vec::new();
        self.each(|slot, element, part| {
            records.push(PartRecord {
                slot,
                element,
                name: part.name().to_owned(),
                parameters: part.parameters(),
            });
        });
        records.extend(self.wanted.iter().cloned());
        records
    }

    /// Calls `visit` with each part and the element that has it.
    fn each(&self, mut visit: impl FnMut(Slot, usize, &dyn Part)) {
        for (slot, parts) in [(Slot::Bending, &self.bending), (Slot::Elasticity, &self.elasticity)] {
            for (flex, held) in parts.iter().enumerate() {
                if let Some(held) = held {
                    visit(slot, flex, &*held.part);
                }
            }
        }
        for (slot, parts) in [(Slot::Gain, &self.gain), (Slot::Bias, &self.bias)] {
            for actuator in 0..parts.of.len() {
                if let Some(part) = parts.get(actuator) {
                    visit(slot, actuator, &**part);
                }
            }
        }
        if let Some(part) = &self.solver {
            visit(Slot::Solver, 0, &**part);
        }
    }
}

fn check_name(name: Option<&str>) -> Result<(), PartError> {
    match name {
        Some(name) if !is_name(name) => Err(PartError::Name { part: name.to_owned() }),
        _ => Ok(()),
    }
}

/// Parts are equal when a saved model could not tell them apart.
impl PartialEq for Parts {
    fn eq(&self, other: &Self) -> bool {
        self.records() == other.records()
    }
}

//! Soft flexes: ropes, cloth and solids held together by position-based dynamics instead of elastic forces.
//!
//! A soft flex is a flex: its vertices are bodies of the model, so contacts, attachments, rays, trajectories and batches
//! treat it as any other. What differs is who holds it together: a [`SoftFlex`] in the place of its elasticity, whose
//! constraints on edges, bending and volumes the position-based solver relaxes together with contacts and joints. A
//! stiff material costs no small time step then.
//!
//! In MJCF: `<flexcomp ligament:soft="cotton" …>`; without the attribute the same file is MuJoCo's flex.

mod chain;
mod colour;
mod constraint;
mod fit;
mod lane;
mod material;
mod points;
mod scene;

pub use material::{Kind, Material};

use chain::Chains;
use colour::Coloured;
use constraint::{Bend, Curvature, Edge, FRICTION_TIME, Solid};
use ligament_math::four::Four;
use ligament_model::parts::{
    Deformation, FlexForce, FlexShape, FlexState, Part, PartError, Slot, SoftBody, SoftState, check_parameter,
};
use points::Kept;
use scene::{Scene, lean, straighten};
use std::cell::Cell;

/// What holds a flex of some material together. Stands in the place of the elasticity and of the bending of the flex.
#[derive(Debug, Clone, PartialEq)]
pub struct SoftFlex {
    young: f64,
    poisson: f64,
    bending: f64,
    constraints: Constraints,
}

/// The constraints of one flex.
#[derive(Debug, Clone, PartialEq, Default)]
struct Constraints {
    /// Of a rope.
    links: Chains,
    bends: Coloured<Bend, Four>,
    /// Of a cloth.
    edges: Coloured<Edge, Four>,
    curvatures: Coloured<Curvature, Four>,
    /// Of a solid.
    solids: Coloured<Solid, Four>,
}

impl SoftFlex {
    /// What model files call it.
    pub const NAME: &'static str = "soft";

    /// Of a material: Young's modulus, Poisson's ratio and bending rigidity count; its friction and density belong to
    /// the model.
    pub fn new(material: &Material) -> Result<Self, PartError> {
        Self::from_parameters(&[material.young, material.poisson, material.bending])
    }

    /// From Young's modulus, Poisson's ratio and bending rigidity.
    pub fn from_parameters(numbers: &[f64]) -> Result<Self, PartError> {
        let &[young, poisson, bending] = numbers else {
            let expected = "three numbers (Young's modulus, Poisson's ratio, bending rigidity)";
            return Err(PartError::Count { part: Self::NAME.into(), expected, found: numbers.len() });
        };
        check_parameter(Self::NAME, "Young's modulus", young, false)?;
        check_parameter(Self::NAME, "bending rigidity", bending, true)?;
        if !(0.0..0.5).contains(&poisson) {
            let (parameter, expected) = ("Poisson's ratio".into(), "from 0 to less than 0.5");
            return Err(PartError::Value { part: Self::NAME.into(), parameter, value: poisson, expected });
        }
        Ok(Self { young, poisson, bending, constraints: Constraints::default() })
    }
}

impl Part for SoftFlex {
    fn name(&self) -> &str {
        Self::NAME
    }

    fn parameters(&self) -> Vec<f64> {
        vec![self.young, self.poisson, self.bending]
    }
}

impl FlexForce for SoftFlex {
    fn fitted(&self, slot: Slot, shape: &FlexShape<'_>) -> Result<Self, PartError> {
        if slot != Slot::Elasticity {
            return Err(shape.misfit(slot, Self::NAME, "it stands in the place of the elasticity"));
        }
        let constraints =
            fit::constraints(self, shape).map_err(|reason| shape.misfit(slot, Self::NAME, reason))?;
        Ok(Self { constraints, ..self.clone() })
    }

    fn least_dim(&self) -> usize {
        1
    }

    fn forces(&self, _: &FlexState<'_>, _: &mut [[f64; 3]], _: &mut [[f64; 3]]) {}

    fn soft(&self) -> Option<&dyn SoftBody> {
        Some(self)
    }
}

impl SoftBody for SoftFlex {
    fn multipliers(&self, passes: usize) -> usize {
        let Constraints { links, bends, edges, curvatures, solids } = &self.constraints;
        if passes == 1 {
            return links.multipliers();
        }
        let ropes = links.multipliers() + bends.multipliers();
        ropes + edges.multipliers() + curvatures.multipliers() + solids.multipliers()
    }

    fn work(&self) -> usize {
        let Constraints { links, bends, edges, curvatures, solids } = &self.constraints;
        30 * (links.len() + edges.len()) + 60 * bends.len() + 250 * curvatures.len() + 300 * solids.len()
    }

    fn relax(&self, state: SoftState<'_>) {
        let Constraints { links, bends, edges, curvatures, solids } = &self.constraints;
        let SoftState { start, position, lambda, timestep, passes, threads } = state;
        let (softening, damping) = (1.0 / (timestep * timestep), FRICTION_TIME / timestep);
        let lambda = Cell::from_mut(lambda).as_slice_of_cells();
        let (of_links, lambda) = lambda.split_at(links.multipliers());
        let (of_edges, of_solids, of_bends, of_curvatures) = if passes == 1 {
            (Kept::Not, Kept::Not, Kept::Not, Kept::Not)
        } else {
            let (of_edges, lambda) = lambda.split_at(edges.multipliers());
            let (of_solids, lambda) = lambda.split_at(solids.multipliers());
            let (of_bends, of_curvatures) = lambda.split_at(bends.multipliers());
            (Kept::In(of_edges), Kept::In(of_solids), Kept::In(of_bends), Kept::In(of_curvatures))
        };
        let scene = Scene::new(position, start, softening, damping);
        links.relax(&scene, of_links);
        edges.relax_kept(&scene, of_edges, threads);
        solids.relax_kept(&scene, of_solids, threads);
        if bends.len() + curvatures.len() > 0 {
            lean(position, start, damping);
            let scene = Scene::new(position, start, softening, damping);
            bends.relax_kept(&scene, of_bends, threads);
            curvatures.relax_kept(&scene, of_curvatures, threads);
            straighten(position, start, damping);
        }
    }

    fn deformation(&self, position: &[[f64; 3]]) -> Deformation {
        let Constraints { links, bends, edges, curvatures, solids } = &self.constraints;
        let strain = solids.items().iter().map(|solid| solid.strain(position)).fold(0.0, f64::max);
        Deformation {
            stretch: links.worst(position).max(edges.worst(position)).max(strain),
            bend: bends.worst(position).max(curvatures.worst(position)),
            volume: solids.worst(position),
        }
    }
}

//! Materials of flexes beyond those of MuJoCo: which model bends and stretches each flex, and its constants.
//!
//! A model without entries here, or with default ones, simulates as MuJoCo does.

/// How a surface resists bending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FlexBendingType {
    /// MuJoCo's: quadratic energy with constant coefficients for each edge.
    #[default]
    Cotangent,
    /// Springs between the normals of neighbouring triangles.
    Bridson,
}

/// How elements resist stretching.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FlexElasticityType {
    /// MuJoCo's: stress linear in Green's strain (St. Venant-Kirchhoff).
    #[default]
    Linear,
    /// Resists collapse: the energy grows without bound as an element loses its volume.
    NeoHookean,
}

/// Constants of `<elasticity>`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlexMaterial {
    /// Young's modulus.
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Not positive: none given.
    pub thickness: f64,
}

impl FlexMaterial {
    /// Lamé's constants (μ, λ).
    pub fn lame(&self) -> (f64, f64) {
        let (young, poisson) = (self.young, self.poisson);
        let lambda = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
        (young / (2.0 * (1.0 + poisson)), lambda)
    }
}

/// An inner edge of a surface with the angle between its two triangles.
#[derive(Debug, Clone, PartialEq)]
pub struct Hinge {
    /// Ends of the edge, then the opposite vertices; numbers in the model.
    pub vertices: [usize; 4],
    /// Angle at rest, 0 for a flat surface.
    pub rest: f64,
    /// Torque per angle.
    pub stiffness: f64,
}

/// Dihedral springs of one flex.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BridsonBending {
    /// Edges with two triangles.
    pub hinges: Vec<Hinge>,
}

/// Rest shape of an element: inverse of the matrix of its sides by rows, area times thickness or volume.
#[derive(Debug, Clone, PartialEq)]
pub struct RestElement {
    /// Inverse of the matrix of edge vectors.
    pub inverse: [[f64; 3]; 3],
    /// Volume, or area times thickness.
    pub volume: f64,
}

/// Elements of one Neo-Hookean flex.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NeoHookeanElements {
    /// First of Lamé's constants: shear.
    pub mu: f64,
    /// Second of Lamé's constants.
    pub lambda: f64,
    /// What is kept of each element.
    pub elements: Vec<RestElement>,
}

/// What one flex has beyond MuJoCo's arrays.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FlexModel {
    /// Unknown for models that were not compiled from a specification.
    pub material: Option<FlexMaterial>,
    /// In place of the cotangent model.
    pub bending: Option<BridsonBending>,
    /// In place of the linear model.
    pub elasticity: Option<NeoHookeanElements>,
}

/// Numbers of all entries in a row, for files; -1 in place of a count: absent.
pub(crate) fn encode(models: &[FlexModel]) -> Vec<f64> {
    let mut out = Vec::new();
    for model in models {
        match model.material {
            Some(x) => out.extend([1.0, x.young, x.poisson, x.thickness]),
            None => out.push(-1.0),
        }
        match &model.bending {
            Some(bending) => {
                out.push(bending.hinges.len() as f64);
                for hinge in &bending.hinges {
                    out.extend(hinge.vertices.map(|v| v as f64));
                    out.extend([hinge.rest, hinge.stiffness]);
                }
            }
            None => out.push(-1.0),
        }
        match &model.elasticity {
            Some(elasticity) => {
                out.extend([elasticity.elements.len() as f64, elasticity.mu, elasticity.lambda]);
                for element in &elasticity.elements {
                    out.extend(element.inverse.as_flattened());
                    out.push(element.volume);
                }
            }
            None => out.push(-1.0),
        }
    }
    out
}

/// The entries that [`encode`] wrote; nothing when they do not fit a model with `nvert` vertices and flexes of these
/// numbers of elements.
pub(crate) fn decode(numbers: &[f64], nvert: usize, elements: &[i32]) -> Option<Vec<FlexModel>> {
    let mut rest = numbers.iter().copied();
    let mut models = Vec::new();
    while rest.len() > 0 {
        let mut next = || rest.next();
        let mut model = FlexModel::default();
        if next()? >= 0.0 {
            model.material = Some(FlexMaterial { young: next()?, poisson: next()?, thickness: next()? });
        }
        let hinges = next()?;
        if hinges >= 0.0 {
            let mut bending = BridsonBending::default();
            for _ in 0..hinges as usize {
                let mut vertices = [0; 4];
                for vertex in &mut vertices {
                    *vertex = next().filter(|&x| x >= 0.0 && x < nvert as f64)? as usize;
                }
                bending.hinges.push(Hinge { vertices, rest: next()?, stiffness: next()? });
            }
            model.bending = Some(bending);
        }
        let count = next()?;
        if count >= 0.0 {
            if count != f64::from(*elements.get(models.len())?) {
                return None;
            }
            let mut elasticity = NeoHookeanElements { mu: next()?, lambda: next()?, elements: Vec::new() };
            for _ in 0..count as usize {
                let mut inverse = [[0.0; 3]; 3];
                for x in inverse.as_flattened_mut() {
                    *x = next()?;
                }
                elasticity.elements.push(RestElement { inverse, volume: next()? });
            }
            model.elasticity = Some(elasticity);
        }
        models.push(model);
    }
    (models.len() <= elements.len()).then_some(models)
}

//! What a flex is made of, beyond MuJoCo's arrays.

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

/// What one flex has beyond MuJoCo's arrays; its parts are in [`Parts`](crate::parts::Parts).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FlexModel {
    /// Unknown for models that were not compiled from a specification.
    pub material: Option<FlexMaterial>,
}

/// Numbers of all entries in a row, for files; not a number: unknown.
pub(crate) fn encode(models: &[FlexModel]) -> Vec<f64> {
    let numbers =
        |model: &FlexModel| model.material.map_or([f64::NAN; 3], |x| [x.young, x.poisson, x.thickness]);
    models.iter().flat_map(numbers).collect()
}

/// The entries that [`encode`] wrote; nothing when they do not fit a model with so many flexes.
pub(crate) fn decode(numbers: &[f64], nflex: usize) -> Option<Vec<FlexModel>> {
    let (entries, rest) = numbers.as_chunks::<3>();
    let material = |&[young, poisson, thickness]: &[f64; 3]| FlexModel {
        material: (!young.is_nan()).then_some(FlexMaterial { young, poisson, thickness }),
    };
    (rest.is_empty() && entries.len() <= nflex).then(|| entries.iter().map(material).collect())
}

//! Materials of soft flexes.

/// What a material is meant for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Cloth,
    Solid,
    Rope,
}

/// A material. Moduli are effective ones for the discretised body, at the lower end of what is measured: constraints on
/// positions converge in a few passes up to about 1e7 Pa and are as good as rigid beyond.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Material {
    pub name: &'static str,
    pub kind: Kind,
    /// Young's modulus, Pa.
    pub young: f64,
    /// Poisson's ratio: how little the volume of a solid changes; close to 0.5 it hardly does.
    pub poisson: f64,
    /// Bending rigidity: N m of a cloth, N m² of a rope; solids resist bending by their volume.
    pub bending: f64,
    /// Density, kg/m³, for choosing the mass of a flex.
    pub density: f64,
    /// Sliding friction.
    pub friction: f64,
}

/// Name and kind; Young's modulus, Poisson's ratio, bending rigidity, density, friction.
const fn material(name: &'static str, kind: Kind, numbers: [f64; 5]) -> Material {
    let [young, poisson, bending, density, friction] = numbers;
    Material { name, kind, young, poisson, bending, density, friction }
}

impl Material {
    pub const PRESETS: [Self; 15] = [
        material("cotton", Kind::Cloth, [5e6, 0.3, 5e-5, 1500.0, 0.6]),
        material("silk", Kind::Cloth, [1e7, 0.3, 1e-5, 1300.0, 0.3]),
        material("leather", Kind::Cloth, [5e7, 0.3, 5e-3, 860.0, 0.6]),
        material("paper", Kind::Cloth, [2e9, 0.2, 2e-3, 800.0, 0.4]),
        material("membrane", Kind::Cloth, [5e5, 0.45, 1e-6, 1000.0, 0.5]),
        material("rubber", Kind::Solid, [1e6, 0.48, 1e-4, 1100.0, 0.9]),
        material("gelatin", Kind::Solid, [5e3, 0.48, 1e-6, 1000.0, 0.3]),
        material("soft_tissue", Kind::Solid, [1e4, 0.47, 1e-6, 1050.0, 0.4]),
        material("muscle", Kind::Solid, [5e4, 0.47, 1e-5, 1060.0, 0.4]),
        material("foam", Kind::Solid, [2e4, 0.1, 1e-5, 50.0, 0.7]),
        material("stiff", Kind::Solid, [1e8, 0.3, 1e-2, 1200.0, 0.5]),
        material("rope", Kind::Rope, [1e8, 0.3, 1e-3, 800.0, 0.6]),
        material("steel_cable", Kind::Rope, [2e11, 0.3, 1e-1, 7800.0, 0.3]),
        material("hair", Kind::Rope, [4e9, 0.3, 1e-8, 1300.0, 0.3]),
        material("chain", Kind::Rope, [1e11, 0.3, 0.0, 7800.0, 0.4]),
    ];

    /// The preset of a name.
    pub fn preset(name: &str) -> Option<&'static Self> {
        Self::PRESETS.iter().find(|material| material.name == name)
    }

    /// Names of all presets, for messages.
    pub fn names() -> String {
        Self::PRESETS.map(|material| material.name).join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// F9: presets are found by name and have sensible numbers
    #[test]
    fn presets() {
        for material in &Material::PRESETS {
            assert_eq!(Material::preset(material.name), Some(material));
            assert!(material.young > 0.0 && material.density > 0.0 && material.friction > 0.0);
        }
        assert_eq!(Material::preset("jelly"), None);
        assert!(Material::names().contains("soft_tissue, muscle"));
    }
}

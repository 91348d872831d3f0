//! Materials of soft flexes.

/// What a material is meant for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Cloth,
    Solid,
    Rope,
}

/// A material. Moduli are effective ones for the discretised body, at the lower end of what is measured: position-based
/// edges converge in a few sweeps up to about 1e7 Pa and are as good as rigid beyond.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Material {
    pub name: &'static str,
    pub kind: Kind,
    /// Young's modulus, Pa.
    pub young: f64,
    /// Density, kg/m³, for choosing the mass of a flex.
    pub density: f64,
    /// Sliding friction.
    pub friction: f64,
}

const fn material(name: &'static str, kind: Kind, young: f64, density: f64, friction: f64) -> Material {
    Material { name, kind, young, density, friction }
}

impl Material {
    pub const PRESETS: [Self; 15] = [
        material("cotton", Kind::Cloth, 5e6, 1500.0, 0.6),
        material("silk", Kind::Cloth, 1e7, 1300.0, 0.3),
        material("leather", Kind::Cloth, 5e7, 860.0, 0.6),
        material("paper", Kind::Cloth, 2e9, 800.0, 0.4),
        material("membrane", Kind::Cloth, 5e5, 1000.0, 0.5),
        material("rubber", Kind::Solid, 1e6, 1100.0, 0.9),
        material("gelatin", Kind::Solid, 5e3, 1000.0, 0.3),
        material("soft_tissue", Kind::Solid, 1e4, 1050.0, 0.4),
        material("muscle", Kind::Solid, 5e4, 1060.0, 0.4),
        material("foam", Kind::Solid, 2e4, 50.0, 0.7),
        material("stiff", Kind::Solid, 1e8, 1200.0, 0.5),
        material("rope", Kind::Rope, 1e8, 800.0, 0.6),
        material("steel_cable", Kind::Rope, 2e11, 7800.0, 0.3),
        material("hair", Kind::Rope, 4e9, 1300.0, 0.3),
        material("chain", Kind::Rope, 1e11, 7800.0, 0.4),
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

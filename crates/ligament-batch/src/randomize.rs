//! Worlds that differ: numbers drawn for the parameters and states of each world.
//!
//! A draw depends on the seed, the field, the world and the element, and on nothing else: neither the number of threads
//! nor which worlds are drawn together changes it.

use crate::batch::Batch;
use crate::error::BatchError;
use crate::field::Parameter;
use crate::worlds::Select;
use ligament_model::Model;
use ligament_model::array::{ArrayMut, ArrayRef};
use ligament_model::enums::{JointType, ObjType};
use std::f64::consts::TAU;

/// Numbers that follow from a key. Splitting the key gives independent sequences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Random {
    key: u64,
    count: u64,
}

/// A bijection that leaves no pattern of its argument (the finaliser of SplitMix64, Steele, Lea and Flood 2014).
fn scramble(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

impl Random {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Self { key: scramble(seed.wrapping_add(STEP)), count: 0 }
    }

    /// A sequence of its own for a number, such as that of a world.
    #[must_use]
    pub fn split(self, number: u64) -> Self {
        Self { key: scramble(self.key ^ scramble(number.wrapping_add(STEP))), count: 0 }
    }

    /// A sequence of its own for a name.
    #[must_use]
    pub fn split_name(self, name: &str) -> Self {
        name.bytes().fold(self, |random, byte| random.split(u64::from(byte)))
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.count += 1;
        scramble(self.key.wrapping_add(self.count.wrapping_mul(STEP)))
    }

    /// The next number in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// The next number in [low, high).
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// The next number of a normal distribution with mean 0 and deviation 1 (Box and Muller 1958).
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (TAU * self.unit()).cos()
    }
}

/// How a number is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs)] // limits, mean and deviation
pub enum Distribution {
    /// Every number between the limits is as likely.
    Uniform { low: f64, high: f64 },
    /// Uniform in the logarithm; both limits are positive.
    LogUniform { low: f64, high: f64 },
    /// Normal distribution.
    Normal { mean: f64, deviation: f64 },
}

impl Distribution {
    fn check(self) -> Result<(), BatchError> {
        let fine = match self {
            Self::Uniform { low, high } => low <= high && (high - low).is_finite(),
            Self::LogUniform { low, high } => low > 0.0 && low <= high && high.is_finite(),
            Self::Normal { mean, deviation } => mean.is_finite() && deviation >= 0.0 && deviation.is_finite(),
        };
        if fine { Ok(()) } else { Err(BatchError::Distribution(self)) }
    }

    fn draw(self, random: &mut Random) -> f64 {
        match self {
            Self::Uniform { low, high } => random.uniform(low, high),
            Self::LogUniform { low, high } => random.uniform(low.ln(), high.ln()).exp(),
            Self::Normal { mean, deviation } => mean + deviation * random.normal(),
        }
    }
}

/// What becomes of the number that was there: the model's, or for a part of the state the world's current one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// The number drawn takes the place of the value.
    Set,
    /// The value is multiplied by it.
    Scale,
    /// It is added to the value.
    Add,
}

impl Effect {
    fn apply(self, base: f64, drawn: f64) -> f64 {
        match self {
            Self::Set => drawn,
            Self::Scale => base * drawn,
            Self::Add => base + drawn,
        }
    }
}

/// What to draw.
#[derive(Debug, Clone, Copy)]
pub struct Randomize<'a> {
    /// A parameter (see [`Batch::expand`]) or a part of the state.
    pub field: &'a str,
    /// Numbers of the elements in the flat field, see [`elements`]; `None`: all.
    pub elements: Option<&'a [usize]>,
    /// Where numbers are drawn from.
    pub distribution: Distribution,
    /// What they do to the values.
    pub effect: Effect,
    /// One number for all elements of a world, rather than one each.
    pub together: bool,
    /// The same seed gives the same numbers.
    pub seed: u64,
}

impl Randomize<'_> {
    /// New values of one world.
    fn values(&self, world: usize, width: usize, mut set: impl FnMut(usize, &dyn Fn(f64) -> f64)) {
        let own = Random::new(self.seed).split_name(self.field).split(world as u64);
        let mut change = |element: usize| {
            let mut random = if self.together { own } else { own.split(element as u64) };
            let drawn = self.distribution.draw(&mut random);
            set(element, &|base| self.effect.apply(base, drawn));
        };
        match self.elements {
            Some(elements) => elements.iter().for_each(|&element| change(element)),
            None => (0..width).for_each(&mut change),
        }
    }
}

impl Batch {
    /// Draws numbers for worlds. What constants are derived from follows with the next [`Batch::set_const`].
    pub fn randomize(&mut self, select: Select<'_>, what: &Randomize<'_>) -> Result<(), BatchError> {
        select.check(self.nsim())?;
        what.distribution.check()?;
        let part = self.layout().part(what.field).copied();
        let width = match (&part, Parameter::find(what.field)) {
            (Some(part), _) => part.len,
            (None, Some(_)) => self.expand(what.field)?.values.width(),
            (None, None) => return Err(BatchError::UnknownParameter(what.field.to_owned())),
        };
        if let Some(&bad) = what.elements.unwrap_or_default().iter().find(|&&element| element >= width) {
            return Err(BatchError::Length { what: "elements", got: bad, expected: width });
        }
        let worlds = (0..select.len(self.nsim())).map(|item| select.world(item));
        if let Some(part) = part {
            let row_width = self.layout().width();
            let state = self.state_mut();
            for world in worlds {
                let row = &mut state[world * row_width + part.start..][..part.len];
                what.values(world, width, |element, new| row[element] = new(row[element]));
            }
            return Ok(());
        }
        let model = self.model().clone();
        let own = self.expand(what.field)?;
        let parameter = own.parameter;
        match own.values.values_mut() {
            ArrayMut::F64(table) => parameter.with(&model, |base| {
                let ArrayRef::F64(base) = base else { return };
                for world in worlds {
                    let row = &mut table[world * width..(world + 1) * width];
                    what.values(world, width, |element, new| row[element] = new(base[element]));
                }
            }),
            ArrayMut::F32(table) => parameter.with(&model, |base| {
                let ArrayRef::F32(base) = base else { return };
                for world in worlds {
                    let row = &mut table[world * width..(world + 1) * width];
                    what.values(world, width, |element, new| {
                        row[element] = new(f64::from(base[element])) as f32
                    });
                }
            }),
            _ => return Err(BatchError::NotReal(what.field.to_owned())),
        }
        Ok(())
    }
}

/// Kinds of objects that rows of fields belong to, by the beginning of the field's name.
const KINDS: [(&str, ObjType); 13] = [
    ("body_", ObjType::Body),
    ("jnt_", ObjType::Joint),
    ("geom_", ObjType::Geom),
    ("site_", ObjType::Site),
    ("cam_", ObjType::Camera),
    ("light_", ObjType::Light),
    ("tendon_", ObjType::Tendon),
    ("actuator_", ObjType::Actuator),
    ("sensor_", ObjType::Sensor),
    ("eq_", ObjType::Equality),
    ("pair_", ObjType::Pair),
    ("mat_", ObjType::Material),
    ("key_", ObjType::Key),
];

/// Numbers of the elements in a flat field that belong to a named object: a body's mass, the three numbers of a geom's
/// friction, the coordinates of a joint. With `columns`, only those of each row.
pub fn elements(
    model: &Model,
    field: &str,
    name: &str,
    columns: Option<&[usize]>,
) -> Result<Vec<usize>, BatchError> {
    let (rows, first, width) = place(model, field, name)?;
    if let Some(&bad) = columns.unwrap_or_default().iter().find(|&&column| column >= width) {
        return Err(BatchError::Length { what: "columns", got: bad, expected: width });
    }
    let every: Vec<usize> = (0..width).collect();
    let columns = columns.unwrap_or(&every);
    Ok((first..first + rows).flat_map(|row| columns.iter().map(move |column| row * width + column)).collect())
}

/// Number of rows of the object, its first row, and the width of a row.
fn place(model: &Model, field: &str, name: &str) -> Result<(usize, usize, usize), BatchError> {
    let unknown = |kind: ObjType| BatchError::UnknownName { kind, name: name.to_owned() };
    let find = |kind: ObjType| model.id(kind, name).ok_or_else(|| unknown(kind));
    let flat = |field: &str| Parameter::find(field).map_or(0, |p| p.with(model, |value| value.len()));
    let by_dof = matches!(field, "qvel" | "qacc_warmstart" | "qfrc_applied") || field.starts_with("dof_");
    if by_dof || matches!(field, "qpos" | "qpos0" | "qpos_spring") {
        let joint = find(ObjType::Joint)?;
        let (positions, dofs) = match JointType::try_from(model.jnt_type[joint]) {
            Ok(JointType::Free) => (7, 6),
            Ok(JointType::Ball) => (4, 3),
            Ok(JointType::Slide | JointType::Hinge) | Err(_) => (1, 1),
        };
        let width = if field.starts_with("dof_") { flat(field) / model.nv.max(1) } else { 1 };
        return Ok(if by_dof {
            (dofs, model.jnt_dofadr[joint] as usize, width)
        } else {
            (positions, model.jnt_qposadr[joint] as usize, width)
        });
    }
    match field {
        "ctrl" => return Ok((1, find(ObjType::Actuator)?, 1)),
        "xfrc_applied" => return Ok((1, find(ObjType::Body)?, 6)),
        "eq_active" => return Ok((1, find(ObjType::Equality)?, 1)),
        "mocap_pos" | "mocap_quat" => {
            let body = find(ObjType::Body)?;
            let mocap = usize::try_from(model.body_mocapid[body]).map_err(|_| unknown(ObjType::Body))?;
            return Ok((1, mocap, if field == "mocap_pos" { 3 } else { 4 }));
        }
        _ => {}
    }
    let kind = KINDS.iter().find(|(prefix, _)| field.starts_with(prefix)).map(|(_, kind)| *kind);
    let kind = kind.ok_or_else(|| BatchError::NoNames(field.to_owned()))?;
    let id = find(kind)?;
    let count = model.name_addresses(kind).map_or(0, <[i32]>::len);
    let width = flat(field).checked_div(count).unwrap_or(0);
    if width * count != flat(field) || width == 0 {
        return Err(BatchError::NoNames(field.to_owned()));
    }
    Ok((1, id, width))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_moments_of_their_distribution() {
        let mut random = Random::new(7);
        let n = 200_000;
        let normal: Vec<f64> = (0..n).map(|_| random.normal()).collect();
        let mean = normal.iter().sum::<f64>() / f64::from(n);
        let variance = normal.iter().map(|x| x * x).sum::<f64>() / f64::from(n);
        assert!(mean.abs() < 0.01 && (variance - 1.0).abs() < 0.02, "{mean} {variance}");
        let logs = (0..n).map(|_| Distribution::LogUniform { low: 0.1, high: 10.0 }.draw(&mut random).ln());
        assert!((logs.sum::<f64>() / f64::from(n)).abs() < 0.02);
    }

    #[test]
    fn worlds_and_names_have_sequences_of_their_own() {
        let base = Random::new(1);
        let first = |random: Random| random.clone().bits();
        let mut seen: Vec<u64> = (0..1000).map(|world| first(base.split(world))).collect();
        seen.extend(["body_mass", "body_inertia", "qpos"].map(|name| first(base.split_name(name))));
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 1003);
        assert_eq!(first(base.split(3)), first(Random::new(1).split(3)));
    }
}

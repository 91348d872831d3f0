//! `<contact>`: explicit geom pairs and excluded body pairs, sorted by the signature of their bodies.

use crate::error::fail_at;
use crate::index::Index;
use crate::report::unknown;
use crate::tree::CGeom;
use ligament_mjcf::diag::Result;
use ligament_mjcf::spec::{Exclude, Geom, Pair};
use ligament_model::enums::ObjType;
use ligament_model::model::{Model, Sizes};

/// Mixing weights below this count as zero.
const MIN_WEIGHT: f64 = 1e-14;

/// A compiled geom pair.
#[derive(Debug, Clone, PartialEq)]
pub struct CompiledPair {
    /// Position in the specification.
    pub source: usize,
    pub geoms: [usize; 2],
    pub signature: i32,
    pub condim: i32,
    pub solref: [f64; 2],
    pub solreffriction: [f64; 2],
    pub solimp: [f64; 5],
    pub margin: f64,
    pub gap: f64,
    pub friction: [f64; 5],
}

/// A compiled excluded body pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompiledExclude {
    /// Position in the specification.
    pub source: usize,
    pub signature: i32,
}

/// Number that sorts pairs of bodies, smaller id first.
fn signature(a: usize, b: usize) -> i32 {
    let (low, high) = (a.min(b), a.max(b));
    ((low << 16) + high) as i32
}

/// Compiles geom pairs; the result is in the order of the model.
pub fn compile_pairs(pairs: &[Pair], index: &Index, geoms: &[CGeom<'_>]) -> Result<Vec<CompiledPair>> {
    let mut compiled = pairs
        .iter()
        .enumerate()
        .map(|(source, pair)| compile_pair(source, pair, index, geoms))
        .collect::<Result<Vec<_>>>()?;
    compiled.sort_by_key(|pair| pair.signature);
    Ok(compiled)
}

fn compile_pair(source: usize, pair: &Pair, index: &Index, geoms: &[CGeom<'_>]) -> Result<CompiledPair> {
    if !matches!(pair.condim, 1 | 3 | 4 | 6) {
        return Err(fail_at(ObjType::Pair, &pair.meta, "invalid condim in contact pair"));
    }
    let find = |attribute: &str, name: &str| {
        index.get(ObjType::Geom, name).ok_or_else(|| {
            let message = format!("geom '{name}' not found in collision {source} ({attribute})");
            unknown(ObjType::Pair, &pair.meta, message, index, ObjType::Geom, name)
        })
    };
    let mut ids = [find("geom1", &pair.geomname1)?, find("geom2", &pair.geomname2)?];
    if geoms[ids[0]].body > geoms[ids[1]].body {
        ids.swap(0, 1);
    }
    let mut compiled = CompiledPair {
        source,
        geoms: ids,
        signature: signature(geoms[ids[0]].body, geoms[ids[1]].body),
        condim: pair.condim,
        solref: pair.solref,
        solreffriction: pair.solreffriction,
        solimp: pair.solimp,
        margin: pair.margin,
        gap: pair.gap,
        friction: pair.friction,
    };
    inherit(&mut compiled, geoms[ids[0]].spec, geoms[ids[1]].spec);
    Ok(compiled)
}

/// Fills what the pair leaves undefined (NaN) from its geoms: by priority, else by mixing.
fn inherit(pair: &mut CompiledPair, a: &Geom, b: &Geom) {
    if pair.margin.is_nan() {
        pair.margin = a.margin.max(b.margin);
    }
    if pair.gap.is_nan() {
        pair.gap = a.gap.max(b.gap);
    }
    let mix = match a.priority.cmp(&b.priority) {
        std::cmp::Ordering::Greater => 1.0,
        std::cmp::Ordering::Less => 0.0,
        std::cmp::Ordering::Equal => mixing_weight(a.solmix, b.solmix),
    };
    let same = a.priority == b.priority;
    let winner = if a.priority > b.priority { a } else { b };
    if pair.friction[0].is_nan() {
        let [slide, spin, roll]: [f64; 3] =
            if same { std::array::from_fn(|i| a.friction[i].max(b.friction[i])) } else { winner.friction };
        pair.friction = [slide, slide, spin, roll, roll];
    }
    if pair.solref[0].is_nan() {
        // the reference tests the undefined value itself for being positive, so it always takes the minimum
        pair.solref =
            if same { std::array::from_fn(|i| a.solref[i].min(b.solref[i])) } else { winner.solref };
    }
    if pair.solimp[0].is_nan() {
        pair.solimp = if same {
            std::array::from_fn(|i| mix * a.solimp[i] + (1.0 - mix) * b.solimp[i])
        } else {
            winner.solimp
        };
    }
}

/// Weight of the first of two mixed geoms.
fn mixing_weight(a: f64, b: f64) -> f64 {
    match (a >= MIN_WEIGHT, b >= MIN_WEIGHT) {
        (true, true) => a / (a + b),
        (false, false) => 0.5,
        (false, true) => 0.0,
        (true, false) => 1.0,
    }
}

/// Compiles excluded body pairs; the result is in the order of the model.
pub fn compile_excludes(excludes: &[Exclude], index: &Index) -> Result<Vec<CompiledExclude>> {
    let mut compiled = Vec::with_capacity(excludes.len());
    for (source, exclude) in excludes.iter().enumerate() {
        let find = |attribute: &str, name: &str| {
            index.get(ObjType::Body, name).ok_or_else(|| {
                let message = format!("body '{name}' not found in bodypair {source} ({attribute})");
                unknown(ObjType::Exclude, &exclude.meta, message, index, ObjType::Body, name)
            })
        };
        let (a, b) = (find("body1", &exclude.bodyname1)?, find("body2", &exclude.bodyname2)?);
        compiled.push(CompiledExclude { source, signature: signature(a, b) });
    }
    compiled.sort_by_key(|exclude| exclude.signature);
    Ok(compiled)
}

/// Adds to the sizes of the model.
pub fn count_pairs(pairs: &[CompiledPair], excludes: &[CompiledExclude], sizes: &mut Sizes) {
    sizes.npair = pairs.len();
    sizes.nexclude = excludes.len();
}

/// Writes the arrays of the model.
pub fn write_pairs(pairs: &[CompiledPair], excludes: &[CompiledExclude], model: &mut Model) {
    for (i, pair) in pairs.iter().enumerate() {
        model.pair_dim[i] = pair.condim;
        model.pair_geom1[i] = pair.geoms[0] as i32;
        model.pair_geom2[i] = pair.geoms[1] as i32;
        model.pair_signature[i] = pair.signature;
        model.pair_solref[i] = pair.solref;
        model.pair_solreffriction[i] = pair.solreffriction;
        model.pair_solimp[i] = pair.solimp;
        model.pair_margin[i] = pair.margin;
        model.pair_gap[i] = pair.gap;
        model.pair_friction[i] = pair.friction;
    }
    for (i, exclude) in excludes.iter().enumerate() {
        model.exclude_signature[i] = exclude.signature;
    }
}

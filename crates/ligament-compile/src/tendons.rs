//! `<tendon>`: paths of fixed and spatial tendons, their validity and their limits.

use crate::error::fail_at;
use crate::index::Index;
use crate::joints::{check_autolimits, is_limited};
use crate::report::{unknown, user_data, user_width};
use crate::tree::Tree;
use ligament_mjcf::diag::{MjcfError, Result};
use ligament_mjcf::spec::{Compiler, Spec, Tendon, Wrap, WrapKind};
use ligament_model::enums::{GeomType, ObjType, WrapType};
use ligament_model::model::{Model, Sizes};

/// A compiled tendon.
#[derive(Debug, Clone, PartialEq)]
pub struct CompiledTendon<'a> {
    pub spec: &'a Tendon,
    pub path: Vec<CompiledWrap>,
    pub material: i32,
    pub limited: bool,
    pub force_limited: bool,
    pub user: Vec<f64>,
}

/// One object of a compiled path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CompiledWrap {
    pub kind: WrapType,
    /// Joint, site or geom; -1 for a pulley.
    pub object: i32,
    /// Coefficient of a joint, divisor of a pulley, side site of a geom (-1: none).
    pub parameter: f64,
}

/// Compiles tendons.
pub fn compile_tendons<'a>(
    spec: &'a Spec,
    index: &Index,
    tree: &Tree<'_>,
) -> Result<Vec<CompiledTendon<'a>>> {
    let width = user_width(spec.size.nuser_tendon, spec.tendons.iter().map(|x| x.userdata.len()));
    spec.tendons
        .iter()
        .enumerate()
        .map(|(id, tendon)| compile_tendon(id, width, tendon, spec, index, tree))
        .collect()
}

/// An error about a tendon, with the beginning the reference gives it.
fn path_error(id: usize, tendon: &Tendon, message: &str) -> MjcfError {
    let message = format!("tendon '{}' (id = {id}): {message}", tendon.meta.name);
    fail_at(ObjType::Tendon, &tendon.meta, message)
}

fn compile_tendon<'a>(
    id: usize,
    width: usize,
    tendon: &'a Tendon,
    spec: &Spec,
    index: &Index,
    tree: &Tree<'_>,
) -> Result<CompiledTendon<'a>> {
    let user = user_data(ObjType::Tendon, &tendon.meta, &tendon.userdata, width)?;
    let Some(first) = tendon.path.first() else {
        return Err(path_error(id, tendon, "path cannot be empty"));
    };
    let spatial = !matches!(first.kind, WrapKind::Joint { .. });
    if spatial && tendon.path.len() < 2 {
        return Err(path_error(id, tendon, "spatial path must contain at least two objects"));
    }
    if spatial && tendon.width <= 0.0 {
        let message = format!("tendon '{}' (id = {id}) must have positive width", tendon.meta.name);
        return Err(fail_at(ObjType::Tendon, &tendon.meta, message));
    }
    let path = tendon
        .path
        .iter()
        .enumerate()
        .map(|(position, wrap)| resolve_wrap(id, position, wrap, tendon, index, tree))
        .collect::<Result<Vec<_>>>()?;
    if path.iter().all(|wrap| wrap.kind == WrapType::Pulley) {
        return Err(path_error(id, tendon, "no attached reference found"));
    }
    if spatial {
        check_spatial_path(id, tendon, &path)?;
    } else if let Some(position) = path.iter().position(|wrap| wrap.kind != WrapType::Joint) {
        return Err(path_error(id, tendon, &format!("spatial object found in fixed path at pos {position}")));
    }
    check_limits(tendon, &spec.compilers[tendon.meta.compiler.index()])?;
    Ok(CompiledTendon {
        spec: tendon,
        path,
        material: material(id, tendon, spec, index)?,
        limited: is_limited(tendon.limited, tendon.range),
        force_limited: is_limited(tendon.actfrclimited, tendon.actfrcrange),
        user,
    })
}

/// Id of the material; -1 for none, also when materials are discarded.
fn material(id: usize, tendon: &Tendon, spec: &Spec, index: &Index) -> Result<i32> {
    let name = &tendon.material;
    if name.is_empty() || spec.compiler().discardvisual {
        return Ok(-1);
    }
    match index.get(ObjType::Material, name) {
        Some(material) => Ok(material as i32),
        None => {
            let message = format!("material '{name}' not found in tendon {id}");
            Err(unknown(ObjType::Tendon, &tendon.meta, message, index, ObjType::Material, name))
        }
    }
}

fn resolve_wrap(
    id: usize,
    position: usize,
    wrap: &Wrap,
    tendon: &Tendon,
    index: &Index,
    tree: &Tree<'_>,
) -> Result<CompiledWrap> {
    let find = |kind: ObjType, what: &str, name: &str| {
        index.get(kind, name).ok_or_else(|| {
            let message = match what {
                "site" => format!("site '{name}' not found in wrap {position} of tendon {id}"),
                _ => format!("{what} '{name}' not found in tendon {id}, wrap {position}"),
            };
            unknown(ObjType::Tendon, &tendon.meta, message, index, kind, name)
        })
    };
    Ok(match &wrap.kind {
        WrapKind::Joint { joint, coef } => {
            let object = find(ObjType::Joint, "joint", joint)? as i32;
            CompiledWrap { kind: WrapType::Joint, object, parameter: *coef }
        }
        WrapKind::Site { site } => {
            let object = find(ObjType::Site, "site", site)? as i32;
            CompiledWrap { kind: WrapType::Site, object, parameter: 0.0 }
        }
        WrapKind::Geom { geom, sidesite } => {
            let object = find(ObjType::Geom, "geom", geom)?;
            let kind = match tree.geoms[object].kind {
                GeomType::Sphere => WrapType::Sphere,
                GeomType::Cylinder => WrapType::Cylinder,
                _ => {
                    let message =
                        format!("geom '{geom}' in tendon {id}, wrap {position} is not sphere or cylinder");
                    return Err(fail_at(ObjType::Tendon, &tendon.meta, message));
                }
            };
            let side =
                if sidesite.is_empty() { -1.0 } else { find(ObjType::Site, "side site", sidesite)? as f64 };
            CompiledWrap { kind, object: object as i32, parameter: side }
        }
        WrapKind::Pulley { divisor } => {
            // a zero divisor would make an infinitely long tendon
            if *divisor <= 0.0 {
                let what = if *divisor < 0.0 { "negative" } else { "zero" };
                let message = format!("pulley has {what} divisor in tendon {id}, wrap {position}");
                return Err(fail_at(ObjType::Tendon, &tendon.meta, message));
            }
            CompiledWrap { kind: WrapType::Pulley, object: -1, parameter: *divisor }
        }
    })
}

/// What may follow what in a spatial path.
fn check_spatial_path(id: usize, tendon: &Tendon, path: &[CompiledWrap]) -> Result<()> {
    let error = |message: &str| Err(path_error(id, tendon, message));
    if tendon.armature < 0.0 {
        return error("tendon armature cannot be negative");
    }
    for (i, wrap) in path.iter().enumerate() {
        let before = i.checked_sub(1).map(|k| path[k]);
        let after = path.get(i + 1).copied();
        let kind = |wrap: Option<CompiledWrap>| wrap.map(|w| w.kind);
        match wrap.kind {
            WrapType::Pulley if kind(before) == Some(WrapType::Pulley) => {
                return error(&format!("consecutive pulleys (pos {i})"));
            }
            WrapType::Pulley if after.is_none() => return error("path ends with pulley"),
            WrapType::Site => {
                let open = |wrap: Option<CompiledWrap>| wrap.is_none_or(|w| w.kind == WrapType::Pulley);
                if open(before) && open(after) {
                    return error(&format!("site {i} needs a neighbor that is not a pulley"));
                }
                if after.is_some_and(|w| w.kind == WrapType::Site && w.object == wrap.object) {
                    return error(&format!("site {i} is repeated"));
                }
            }
            WrapType::Sphere | WrapType::Cylinder => {
                if kind(before) != Some(WrapType::Site) || kind(after) != Some(WrapType::Site) {
                    return error(&format!("geom at pos {i} not bracketed by sites"));
                }
                if tendon.armature > 0.0 {
                    return error("geom wrapping not supported by tendon armature");
                }
            }
            WrapType::Joint => return error(&format!("joint wrap found in spatial path at pos {i}")),
            WrapType::Pulley => {}
            WrapType::None => return error(&format!("invalid wrap object at pos {i}")),
        }
    }
    Ok(())
}

fn check_limits(tendon: &Tendon, compiler: &Compiler) -> Result<()> {
    let meta = &tendon.meta;
    let error = |message: &str| Err(fail_at(ObjType::Tendon, meta, message));
    check_autolimits(ObjType::Tendon, meta, compiler, "", tendon.limited, tendon.range)?;
    if tendon.range[0] >= tendon.range[1] && is_limited(tendon.limited, tendon.range) {
        return error("invalid limits in tendon");
    }
    let [low, high] = tendon.actfrcrange;
    check_autolimits(
        ObjType::Tendon,
        meta,
        compiler,
        "actuatorfrc",
        tendon.actfrclimited,
        tendon.actfrcrange,
    )?;
    if (low >= high || low > 0.0 || high < 0.0) && is_limited(tendon.actfrclimited, tendon.actfrcrange) {
        return error("invalid actuatorfrcrange in tendon");
    }
    if tendon.springlength[0] > tendon.springlength[1] {
        return error("invalid springlength in tendon");
    }
    Ok(())
}

/// Adds to the sizes of the model.
pub fn count_tendons(tendons: &[CompiledTendon], sizes: &mut Sizes) {
    sizes.ntendon = tendons.len();
    sizes.nwrap = tendons.iter().map(|t| t.path.len()).sum();
}

/// Writes the arrays of the model.
pub fn write_tendons(tendons: &[CompiledTendon], model: &mut Model) {
    let mut address = 0;
    for (i, tendon) in tendons.iter().enumerate() {
        let spec = tendon.spec;
        model.tendon_adr[i] = address as i32;
        model.tendon_num[i] = tendon.path.len() as i32;
        model.tendon_matid[i] = tendon.material;
        model.tendon_group[i] = spec.group;
        model.tendon_limited[i] = u8::from(tendon.limited);
        model.tendon_actfrclimited[i] = u8::from(tendon.force_limited);
        model.tendon_width[i] = spec.width;
        model.tendon_solref_lim[i] = spec.solref_limit;
        model.tendon_solimp_lim[i] = spec.solimp_limit;
        model.tendon_solref_fri[i] = spec.solref_friction;
        model.tendon_solimp_fri[i] = spec.solimp_friction;
        model.tendon_range[i] = spec.range;
        model.tendon_actfrcrange[i] = spec.actfrcrange;
        model.tendon_margin[i] = spec.margin;
        model.tendon_stiffness[i] = spec.stiffness;
        model.tendon_damping[i] = spec.damping;
        model.tendon_armature[i] = spec.armature;
        model.tendon_frictionloss[i] = spec.frictionloss;
        model.tendon_lengthspring[i] = spec.springlength;
        model.tendon_rgba[i] = spec.rgba;
        let width = tendon.user.len();
        model.tendon_user[i * width..(i + 1) * width].copy_from_slice(&tendon.user);
        for wrap in &tendon.path {
            model.wrap_type[address] = wrap.kind as i32;
            model.wrap_objid[address] = wrap.object;
            model.wrap_prm[address] = wrap.parameter;
            address += 1;
        }
    }
}

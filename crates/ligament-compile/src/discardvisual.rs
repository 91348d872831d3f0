//! `discardvisual`: geoms that neither collide nor are referred to vanish, and meshes with them.
//!
//! Masses and inertias were computed before and stay. Materials and textures vanish before anything is compiled.

use crate::error::unknown_at;
use crate::tree::Tree;
use ligament_mjcf::diag::Result;
use ligament_mjcf::spec::{Meta, Spec, WrapKind};
use ligament_model::enums::ObjType;
use std::collections::HashSet;

/// The specification without materials and textures. Geoms lose their references to them; all other references are
/// refused: the ones to what has been there here, the ones to unknown names where they are looked up.
pub fn without_materials(spec: &Spec) -> Result<Spec> {
    let materials: HashSet<&str> =
        spec.materials.iter().map(|material| material.meta.name.as_str()).collect();
    let textures: HashSet<&str> = spec.textures.iter().map(|texture| texture.meta.name.as_str()).collect();
    for (kind, meta, name) in material_users(spec) {
        let known = if kind == ObjType::Light { &textures } else { &materials };
        if !name.is_empty() && known.contains(name) {
            let message = format!("object not found: discardvisual removes '{name}'");
            return Err(unknown_at(kind, meta, message));
        }
    }
    let mut kept = spec.clone();
    kept.materials.clear();
    kept.textures.clear();
    kept.bodies.iter_mut().flat_map(|body| &mut body.geoms).for_each(|geom| geom.material.clear());
    Ok(kept)
}

/// Everything but geoms that names a material, or a texture: kind, origin, name.
fn material_users(spec: &Spec) -> Vec<(ObjType, &Meta, &str)> {
    let mut users = Vec::new();
    users.extend(spec.meshes.iter().map(|x| (ObjType::Mesh, &x.meta, x.material.as_str())));
    users.extend(spec.skins.iter().map(|x| (ObjType::Skin, &x.meta, x.material.as_str())));
    users.extend(spec.tendons.iter().map(|x| (ObjType::Tendon, &x.meta, x.material.as_str())));
    users.extend(spec.flexes.iter().map(|x| (ObjType::Flex, &x.meta, x.material.as_str())));
    for body in &spec.bodies {
        users.extend(body.sites.iter().map(|x| (ObjType::Site, &x.meta, x.material.as_str())));
        users.extend(body.lights.iter().map(|x| (ObjType::Light, &x.meta, x.texture.as_str())));
    }
    users
}

/// Removes visual geoms and renumbers meshes; returns which meshes stay.
pub fn discard_visual_geoms(spec: &Spec, tree: &mut Tree<'_>) -> Vec<bool> {
    let (geoms, meshes) = referenced(spec);
    let visual = |geom: &ligament_mjcf::spec::Geom| {
        geom.contype == 0
            && geom.conaffinity == 0
            && (geom.meta.name.is_empty() || !geoms.contains(geom.meta.name.as_str()))
    };
    tree.geoms.retain(|geom| !visual(geom.spec));
    let mut start = 0;
    for (id, body) in tree.bodies.iter_mut().enumerate() {
        let end = start + tree.geoms[start..].iter().take_while(|g| g.body == id).count();
        body.geoms = start..end;
        start = end;
    }
    let mut kept: Vec<bool> = spec.meshes.iter().map(|m| meshes.contains(m.meta.name.as_str())).collect();
    for geom in &tree.geoms {
        if !geom.spec.meshname.is_empty() {
            kept[geom.data as usize] = true;
        }
    }
    renumber_meshes(tree, &kept);
    kept
}

/// Makes geoms refer to meshes by their new ids.
fn renumber_meshes(tree: &mut Tree<'_>, kept: &[bool]) {
    let mut ids = Vec::with_capacity(kept.len());
    let mut count = 0;
    for &kept in kept {
        ids.push(count);
        count += i32::from(kept);
    }
    for geom in &mut tree.geoms {
        if !geom.spec.meshname.is_empty() {
            geom.data = ids[geom.data as usize];
        }
    }
}

/// Names of geoms and meshes that pairs, sensors, tuples and tendons refer to.
fn referenced(spec: &Spec) -> (HashSet<&str>, HashSet<&str>) {
    let mut geoms = HashSet::new();
    let mut meshes = HashSet::new();
    geoms.extend(spec.pairs.iter().flat_map(|p| [p.geomname1.as_str(), p.geomname2.as_str()]));
    for sensor in &spec.sensors {
        for (kind, name) in [(sensor.objtype, &sensor.objname), (sensor.reftype, &sensor.refname)] {
            match kind {
                ObjType::Geom => geoms.insert(name.as_str()),
                ObjType::Mesh => meshes.insert(name.as_str()),
                _ => false,
            };
        }
    }
    for tuple in &spec.tuples {
        let objects = tuple.objtype.iter().zip(&tuple.objname);
        let tuple_geoms = objects.filter(|(kind, _)| **kind == ObjType::Geom as i32);
        geoms.extend(tuple_geoms.map(|(_, name)| name.as_str()));
    }
    for wrap in spec.tendons.iter().flat_map(|t| &t.path) {
        if let WrapKind::Geom { geom, .. } = &wrap.kind {
            geoms.insert(geom.as_str());
        }
    }
    (geoms, meshes)
}

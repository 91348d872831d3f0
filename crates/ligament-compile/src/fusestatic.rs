//! `fusestatic`: bodies without joints are merged into their parents.
//!
//! Two deliberate differences from MuJoCo 3.5.0 (see docs/deviations.md): the merged inertia is turned with the
//! body, and cameras and lights move to the parent instead of ending the program.

use crate::error::fail_at;
use crate::inertia::{Part, accumulate_collision_bits, combine};
use crate::tree::{CBody, Tree};
use ligament_math::{MINVAL, quat};
use ligament_mjcf::diag::Result;
use ligament_mjcf::spec::Spec;
use ligament_model::enums::{EqType, ObjType, SensorType, TrnType};
use std::collections::HashSet;

/// Merges what can be merged and renumbers the tree.
pub fn fuse_static_bodies(spec: &Spec, tree: &mut Tree<'_>) -> Result<()> {
    let fused = find_fusible(spec, tree);
    if !fused.contains(&true) {
        return Ok(());
    }
    // parents come first, so the target of a parent is known when its children ask for it
    let mut target: Vec<usize> = Vec::with_capacity(fused.len());
    for id in 0..fused.len() {
        let parent = tree.bodies[id].parent;
        if id > 0 && fused[parent] {
            tree.bodies[id].pose = tree.bodies[parent].pose.then(tree.bodies[id].pose);
            tree.bodies[id].parent = target[parent];
        }
        if fused[id] {
            add_inertia(tree, id)?;
            move_elements(tree, id);
        }
        target.push(if fused[id] { tree.bodies[id].parent } else { id });
    }
    renumber(tree, &fused, &target);
    tree.assign_addresses();
    let Tree { bodies, geoms, .. } = tree;
    bodies.iter_mut().for_each(|body| accumulate_collision_bits(body, geoms));
    Ok(())
}

/// A body stays when it can move or when something refers to it by name.
fn find_fusible(spec: &Spec, tree: &Tree<'_>) -> Vec<bool> {
    let referenced = referenced_bodies(spec);
    let force_sites: HashSet<&str> = (spec.sensors.iter())
        .filter(|s| s.objtype == ObjType::Site && matches!(s.kind, SensorType::Force | SensorType::Torque))
        .map(|s| s.objname.as_str())
        .collect();
    let measures = |body: &CBody<'_>| {
        tree.sites[body.sites.clone()].iter().any(|s| force_sites.contains(s.spec.meta.name.as_str()))
    };
    let fusible = |(id, body): (usize, &CBody<'_>)| {
        let name = body.spec.meta.name.as_str();
        let needed = !name.is_empty() && (referenced.contains(name) || measures(body));
        id > 0 && body.joints.is_empty() && !body.spec.mocap && !needed
    };
    tree.bodies.iter().enumerate().map(fusible).collect()
}

/// Names of all bodies that other elements refer to.
fn referenced_bodies(spec: &Spec) -> HashSet<&str> {
    let is_body = |kind: ObjType| matches!(kind, ObjType::Body | ObjType::Xbody);
    let mut names = HashSet::new();
    for body in &spec.bodies {
        names.extend(body.cameras.iter().map(|c| c.targetbody.as_str()));
        names.extend(body.lights.iter().map(|l| l.targetbody.as_str()));
    }
    names.extend(spec.skins.iter().flat_map(|s| s.bodyname.iter().map(String::as_str)));
    names.extend(spec.excludes.iter().flat_map(|e| [e.bodyname1.as_str(), e.bodyname2.as_str()]));
    for equality in &spec.equalities {
        let between_bodies =
            matches!(equality.kind, EqType::Connect | EqType::Weld) && equality.objtype != ObjType::Site;
        if between_bodies {
            names.extend([equality.name1.as_str(), equality.name2.as_str()]);
        }
    }
    let on_bodies = spec.actuators.iter().filter(|a| a.trntype == TrnType::Body);
    names.extend(on_bodies.map(|a| a.target.as_str()));
    for sensor in &spec.sensors {
        if is_body(sensor.objtype) {
            names.insert(sensor.objname.as_str());
        }
        if is_body(sensor.reftype) {
            names.insert(sensor.refname.as_str());
        }
    }
    for tuple in &spec.tuples {
        let objects = tuple.objtype.iter().zip(&tuple.objname);
        let bodies = objects.filter(|(kind, _)| ObjType::try_from(**kind).is_ok_and(is_body));
        names.extend(bodies.map(|(_, name)| name.as_str()));
    }
    names
}

/// Adds mass and inertia to the parent, unless that is the world.
fn add_inertia(tree: &mut Tree<'_>, id: usize) -> Result<()> {
    let body = &tree.bodies[id];
    if body.parent == 0 || body.mass < MINVAL {
        return Ok(());
    }
    let parent = &tree.bodies[body.parent];
    let own = Part { mass: parent.mass, inertia: parent.inertia, pose: parent.inertial };
    let added = Part { mass: body.mass, inertia: body.inertia, pose: body.pose.then(body.inertial) };
    let sum = combine(&[own, added]).ok_or_else(|| {
        let message = "error 'inertia must have positive eigenvalues' in fusing static body inertias";
        fail_at(ObjType::Body, &body.spec.meta, message)
    })?;
    let id = body.parent;
    let parent = &mut tree.bodies[id];
    (parent.mass, parent.inertia, parent.inertial) = (sum.mass, sum.inertia, sum.pose);
    Ok(())
}

/// Expresses what a merged body carries in the frame of its parent.
fn move_elements(tree: &mut Tree<'_>, id: usize) {
    let body = &tree.bodies[id];
    let pose = body.pose;
    tree.geoms[body.geoms.clone()].iter_mut().for_each(|geom| geom.pose = pose.then(geom.pose));
    tree.sites[body.sites.clone()].iter_mut().for_each(|site| site.pose = pose.then(site.pose));
    tree.cameras[body.cameras.clone()].iter_mut().for_each(|camera| camera.pose = pose.then(camera.pose));
    for light in &mut tree.lights[body.lights.clone()] {
        light.pos = pose.then(crate::pose::Pose::new(light.pos, quat::IDENTITY)).pos;
        light.dir = quat::rotate(pose.quat, light.dir);
    }
}

/// Drops merged bodies and gives what they carried to the bodies they went into, after what those had before.
fn renumber(tree: &mut Tree<'_>, fused: &[bool], target: &[usize]) {
    let mut new_id = vec![0; fused.len()];
    let mut count = 0;
    for (id, &gone) in fused.iter().enumerate() {
        new_id[id] = count;
        count += usize::from(!gone);
    }
    let destination: Vec<usize> = target.iter().map(|&id| new_id[id]).collect();
    let mut kept = fused.iter().map(|gone| !gone);
    tree.bodies.retain(|_| kept.next().unwrap_or(true));
    for body in &mut tree.bodies {
        body.parent = new_id[body.parent];
    }
    macro_rules! regroup {
        ($list:ident) => {
            tree.$list.iter_mut().for_each(|x| x.body = destination[x.body]);
            // stable: what a body had comes before what it takes over, in the order of the old bodies
            tree.$list.sort_by_key(|x| x.body);
            let mut start = 0;
            for (id, body) in tree.bodies.iter_mut().enumerate() {
                let end = start + tree.$list[start..].iter().take_while(|x| x.body == id).count();
                body.$list = start..end;
                start = end;
            }
        };
    }
    regroup!(joints);
    regroup!(geoms);
    regroup!(sites);
    regroup!(cameras);
    regroup!(lights);
}

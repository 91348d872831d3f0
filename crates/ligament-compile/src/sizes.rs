//! Sizes of the model: counts of the tree, user data, memory.

use crate::error::fail_at;
use crate::sparse;
use crate::topology::Topology;
use crate::tree::Tree;
use ligament_mjcf::diag::Result;
use ligament_mjcf::spec::{Meta, SizeSettings};
use ligament_model::enums::ObjType;
use ligament_model::model::Sizes;

/// Bytes of a number and of an id in the reference's memory.
const NUMBER: usize = 8;
const ID: usize = 4;
/// Bytes of a contact in the reference's memory.
const CONTACT: usize = 576;
const MEGABYTE: usize = 1 << 20;

/// Counts everything that the kinematic tree decides.
pub fn count_tree(tree: &Tree<'_>, topology: &Topology, sizes: &mut Sizes) {
    sizes.nbody = tree.bodies.len();
    sizes.njnt = tree.joints.len();
    sizes.ngeom = tree.geoms.len();
    sizes.nsite = tree.sites.len();
    sizes.ncam = tree.cameras.len();
    sizes.nlight = tree.lights.len();
    sizes.nq = tree.joints.iter().map(|joint| joint.nq()).sum();
    sizes.nv = tree.joints.iter().map(|joint| joint.nv()).sum();
    sizes.nmocap = tree.bodies.iter().filter(|body| body.mocap >= 0).count();
    sizes.ngravcomp = tree.bodies.iter().filter(|body| body.spec.gravcomp > 0.0).count();
    sizes.ntree = topology.ntree;
    let parents: Vec<usize> = tree.bodies.iter().map(|body| body.parent).collect();
    let dofs: Vec<usize> = tree.bodies.iter().map(|body| body.dofnum).collect();
    let sparse = sparse::count(&topology.dof_parent, &topology.dof_simplenum, &parents, &dofs);
    (sizes.nM, sizes.nC, sizes.nD, sizes.nB) = (sparse.nm, sparse.nc, sparse.nd, sparse.nb);
    let nodes: usize = tree.bodies.iter().map(|body| body.bvh.len()).sum();
    sizes.nbvhstatic += nodes;
}

/// Widths of the user data of the tree; -1 in the text means as many as the longest has.
pub fn count_user_data(tree: &Tree<'_>, settings: &SizeSettings, sizes: &mut Sizes) -> Result<()> {
    let bodies = tree.bodies.iter().map(|x| (&x.spec.meta, x.spec.userdata.len()));
    let joints = tree.joints.iter().map(|x| (&x.spec.meta, x.spec.userdata.len()));
    let geoms = tree.geoms.iter().map(|x| (&x.spec.meta, x.spec.userdata.len()));
    let sites = tree.sites.iter().map(|x| (&x.spec.meta, x.spec.userdata.len()));
    let cameras = tree.cameras.iter().map(|x| (&x.spec.meta, x.spec.userdata.len()));
    sizes.nuser_body = user_width(ObjType::Body, "nuser_body", settings.nuser_body, bodies)?;
    sizes.nuser_jnt = user_width(ObjType::Joint, "nuser_jnt", settings.nuser_jnt, joints)?;
    sizes.nuser_geom = user_width(ObjType::Geom, "nuser_geom", settings.nuser_geom, geoms)?;
    sizes.nuser_site = user_width(ObjType::Site, "nuser_site", settings.nuser_site, sites)?;
    sizes.nuser_cam = user_width(ObjType::Camera, "nuser_cam", settings.nuser_cam, cameras)?;
    Ok(())
}

fn user_width<'m>(
    kind: ObjType,
    size: &str,
    setting: i32,
    elements: impl Iterator<Item = (&'m Meta, usize)>,
) -> Result<usize> {
    let Ok(width) = usize::try_from(setting) else {
        return Ok(elements.map(|(_, length)| length).max().unwrap_or(0));
    };
    for (meta, length) in elements {
        if length > width {
            let message = format!("user has more values than {size} in {}", crate::labels::label(kind));
            return Err(fail_at(kind, meta, message));
        }
    }
    Ok(width)
}

/// Totals and bytes of arena memory: what the text says, or the reference's rule of thumb in whole megabytes.
pub fn count_memory(settings: &SizeSettings, sizes: &mut Sizes) {
    sizes.nbvh = sizes.nbvhstatic + sizes.nbvhdynamic;
    sizes.nuserdata = usize::try_from(settings.nuserdata).unwrap_or(0);
    sizes.njmax = settings.njmax.into();
    sizes.nconmax = settings.nconmax.into();
    if let Ok(bytes) = usize::try_from(settings.memory) {
        sizes.narena = bytes;
        return;
    }
    let contacts = usize::try_from(settings.nconmax).unwrap_or(100);
    let rows = usize::try_from(settings.njmax).unwrap_or(500);
    let stack = usize::try_from(settings.nstack).unwrap_or_else(|_| {
        let square = rows + sizes.neq + sizes.nv;
        let counts = [
            sizes.nq,
            sizes.nv,
            sizes.nu,
            sizes.na,
            sizes.nbody,
            sizes.njnt,
            sizes.ngeom,
            sizes.nsite,
            sizes.neq,
            sizes.ntendon,
            sizes.nwrap,
        ];
        (5 * square * square + 20 * counts.iter().sum::<usize>()).max(1000)
    });
    let arena = contacts * CONTACT
        + rows * (8 * ID + 14 * NUMBER)
        + sizes.nv * (3 * ID)
        + rows * sizes.nv * (2 * ID + 2 * NUMBER)
        + rows * rows * (ID + NUMBER);
    sizes.narena = (NUMBER * stack + arena).div_ceil(MEGABYTE) * MEGABYTE;
}

//! Accelerations and forces of bodies once the constraint forces are known.

use crate::access::{Access, access};
use crate::constraint::contact_force;
use crate::support::body_of_geom;
use crate::support::object::world_point;
use crate::velocity::interaction_forces;
use ligament_math::{Vec3, Vec6, mat3, spatial};
use ligament_model::enums::{EqType, ObjType};
use ligament_model::{Data, Model};

/// What [`rne_post_constraint`] touches.
pub(crate) const RNE_POST_CONSTRAINT: Access = access! {
    model {
        body_dofadr body_dofnum body_parentid body_rootid eq_data eq_obj1id eq_obj2id eq_objtype eq_type
        flex_edgeadr flex_edgenum flex_vertnum geom_bodyid site_bodyid site_pos
    }
    reads {
        cdof cdof_dot cinert contact cvel efc_force efc_id ncon ne qacc qvel subtree_com xfrc_applied
        xmat xpos
    }
    writes { cacc cfrc_ext cfrc_int flg_rnepost }
};

/// Com-based accelerations (cacc), external forces (cfrc_ext: applied, contact, connect and weld) and interaction
/// forces with the parent (cfrc_int). Sensors and users ask for it when needed.
pub fn rne_post_constraint(m: &Model, d: &mut Data) {
    d.cfrc_ext.fill([0.0; 6]);
    for i in 1..m.nbody {
        let f = d.xfrc_applied[i];
        if f != [0.0; 6] {
            add_force(m, d, i, &[f[3], f[4], f[5], f[0], f[1], f[2]], d.xipos[i], 1.0);
        }
    }
    add_contacts(m, d);
    add_equalities(m, d);
    interaction_forces(m, d);
    d.flg_rnepost = true;
}

/// Adds a force (torque, force) that acts on a body at a point; nothing happens to the world.
fn add_force(m: &Model, d: &mut Data, body: usize, force: &Vec6, point: Vec3, sign: f64) {
    if body > 0 {
        let com = d.subtree_com[m.body_rootid[body] as usize];
        let moved = spatial::shift_force(force, com, point);
        for (x, f) in d.cfrc_ext[body].iter_mut().zip(moved) {
            *x += sign * f;
        }
    }
}

fn add_contacts(m: &Model, d: &mut Data) {
    for i in 0..d.ncon.min(d.contact.len()) {
        let contact = &d.contact[i];
        if contact.efc_address < 0 {
            continue;
        }
        let bodies = contact.geom.map(|geom| usize::try_from(body_of_geom(m, geom)));
        let [Ok(first), Ok(second)] = bodies else { continue };
        let (frame, pos) = (contact.frame, contact.pos);
        let local = contact_force(m, d, i);
        let torque = mat3::mul_vec_t(&frame, [local[3], local[4], local[5]]);
        let force = mat3::mul_vec_t(&frame, [local[0], local[1], local[2]]);
        let world = spatial::join(torque, force);
        add_force(m, d, first, &world, pos, -1.0);
        add_force(m, d, second, &world, pos, 1.0);
    }
}

fn add_equalities(m: &Model, d: &mut Data) {
    let mut row = 0;
    while row < d.ne {
        let id = d.efc_id[row] as usize;
        row += match EqType::try_from(m.eq_type[id]) {
            Ok(EqType::Connect) => {
                add_equality(m, d, id, row, false);
                3
            }
            Ok(EqType::Weld) => {
                add_equality(m, d, id, row, true);
                6
            }
            Ok(EqType::Flex) => {
                let flex = m.eq_obj1id[id] as usize;
                let start = m.flex_edgeadr[flex] as usize;
                let edges = &m.flexedge_rigid[start..start + m.flex_edgenum[flex] as usize];
                edges.iter().filter(|rigid| **rigid == 0).count().max(1)
            }
            Ok(EqType::Flexvert) => 2 * m.flex_vertnum[m.eq_obj1id[id] as usize] as usize,
            Ok(EqType::Joint | EqType::Tendon | EqType::Distance) | Err(_) => 1,
        };
    }
}

/// Forces of a connect or weld on its two bodies, at their anchors.
fn add_equality(m: &Model, d: &mut Data, id: usize, row: usize, weld: bool) {
    let f = &d.efc_force;
    let torque = if weld { [f[row + 3], f[row + 4], f[row + 5]] } else { [0.0; 3] };
    let world = spatial::join(torque, [f[row], f[row + 1], f[row + 2]]);
    let on_bodies = m.eq_objtype[id] == ObjType::Body as i32;
    let data = &m.eq_data[id];
    let anchor =
        |second: bool| if second { [data[3], data[4], data[5]] } else { [data[0], data[1], data[2]] };
    // a connect keeps the anchor on body 1 first, a weld the one on body 2
    for (object, local, sign) in
        [(m.eq_obj1id[id], anchor(weld), 1.0), (m.eq_obj2id[id], anchor(!weld), -1.0)]
    {
        let (body, local) = if on_bodies {
            (object as usize, local)
        } else {
            (m.site_bodyid[object as usize] as usize, m.site_pos[object as usize])
        };
        let point = world_point((&*d).into(), local, body);
        add_force(m, d, body, &world, point, sign);
    }
}

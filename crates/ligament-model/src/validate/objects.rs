//! What geoms, tendons, actuators, equalities, sensors and tuples refer to.

use super::assets::present;
use super::{Outcome, ids, require, ring_length, section, within};
use crate::Model;
use crate::enums::{EqType, GeomType, JointType, ObjType, SensorType, TrnType, WrapType};
use crate::plugin::{Capability, REGISTRY};

pub(super) fn check(m: &Model) -> Outcome {
    geoms(m)?;
    plugins(m)?;
    signatures(m)?;
    wraps(m)?;
    equalities(m)?;
    actuators(m)?;
    sensors(m)?;
    tuples(m)
}

fn geoms(m: &Model) -> Outcome {
    for i in 0..m.ngeom {
        let count = match GeomType::try_from(m.geom_type[i]) {
            Ok(GeomType::Hfield) => m.nhfield,
            Ok(GeomType::Mesh | GeomType::Sdf) => m.nmesh,
            _ => continue,
        };
        require(within(m.geom_dataid[i], 0, count), "geom_dataid", i)?;
    }
    Ok(())
}

/// Each instance has a known kind, and each user the capability it needs.
fn plugins(m: &Model) -> Outcome {
    ids("plugin", &m.plugin, 0, REGISTRY.len())?;
    let users = [
        ("body_plugin", &m.body_plugin, Capability::Passive),
        ("geom_plugin", &m.geom_plugin, Capability::Sdf),
        ("actuator_plugin", &m.actuator_plugin, Capability::Actuator),
        ("sensor_plugin", &m.sensor_plugin, Capability::Sensor),
    ];
    for (field, instances, capability) in users {
        ids(field, instances, -1, m.nplugin)?;
        for (i, &instance) in instances.iter().enumerate() {
            let fits = |instance: usize| REGISTRY[m.plugin[instance] as usize].capability == capability;
            require(usize::try_from(instance).map_or(true, fits), field, i)?;
        }
    }
    Ok(())
}

/// Packed body ids of pairs and exclusions.
fn signatures(m: &Model) -> Outcome {
    for (field, packed) in
        [("pair_signature", &m.pair_signature), ("exclude_signature", &m.exclude_signature)]
    {
        for (i, &bodies) in packed.iter().enumerate() {
            let known = within(bodies & 0xFFFF, 0, m.nbody) && within(bodies >> 16, 0, m.nbody);
            require(known, field, i)?;
        }
    }
    Ok(())
}

fn wraps(m: &Model) -> Outcome {
    for i in 0..m.nwrap {
        let count = match WrapType::try_from(m.wrap_type[i]) {
            Ok(WrapType::Joint) => m.njnt,
            Ok(WrapType::Site) => m.nsite,
            Ok(WrapType::Sphere | WrapType::Cylinder) => {
                let side = m.wrap_prm[i].round();
                require(!(side >= 0.0) || (side as usize) < m.nsite, "wrap_prm", i)?;
                m.ngeom
            }
            Ok(WrapType::Pulley) => continue,
            Ok(WrapType::None) | Err(_) => return require(false, "wrap_type", i),
        };
        require(within(m.wrap_objid[i], 0, count), "wrap_objid", i)?;
    }
    for i in 0..m.ntendon {
        require(m.tendon_adr[i] >= 0 && m.tendon_num[i] > 0, "tendon_adr", i)?;
        let path = m.tendon_adr[i] as usize..(m.tendon_adr[i] + m.tendon_num[i]) as usize;
        let joint = |at: usize| m.wrap_type[at] == WrapType::Joint as i32;
        let fixed = joint(path.start);
        for at in path.clone() {
            require(joint(at) == fixed, "wrap_type", at)?;
            let wraps =
                matches!(WrapType::try_from(m.wrap_type[at]), Ok(WrapType::Sphere | WrapType::Cylinder));
            let is_site = |at: usize| path.contains(&at) && m.wrap_type[at] == WrapType::Site as i32;
            require(!wraps || (at > 0 && is_site(at - 1) && is_site(at + 1)), "wrap_type", at)?;
        }
        require(m.tendon_treenum[i] >= 0, "tendon_treenum", i)?;
    }
    Ok(())
}

fn equalities(m: &Model) -> Outcome {
    for i in 0..m.neq {
        // number of objects, and the lowest second id: -1 where the second object may be missing
        let (count, lowest) = match EqType::try_from(m.eq_type[i]) {
            Ok(EqType::Joint) => (m.njnt, -1),
            Ok(EqType::Tendon) => (m.ntendon, -1),
            Ok(EqType::Connect | EqType::Weld) => match ObjType::try_from(m.eq_objtype[i]) {
                Ok(ObjType::Body) => (m.nbody, 0),
                Ok(ObjType::Site) => (m.nsite, 0),
                _ => return require(false, "eq_objtype", i),
            },
            Ok(EqType::Flex | EqType::Flexvert) => (m.nflex, -1),
            _ => return require(false, "eq_type", i),
        };
        require(within(m.eq_obj1id[i], 0, count), "eq_obj1id", i)?;
        require(within(m.eq_obj2id[i], lowest, count), "eq_obj2id", i)?;
    }
    Ok(())
}

fn actuators(m: &Model) -> Outcome {
    let mut moments = 0;
    for i in 0..m.nu {
        require(present(m.actuator_actadr[i], m.actuator_actnum[i]), "actuator_actadr", i)?;
        let [target, second] = m.actuator_trnid[i];
        let known = match TrnType::try_from(m.actuator_trntype[i]) {
            Ok(TrnType::Joint | TrnType::Jointinparent) => within(target, 0, m.njnt),
            Ok(TrnType::Tendon) => within(target, 0, m.ntendon),
            Ok(TrnType::Site) => within(target, 0, m.nsite) && within(second, -1, m.nsite),
            Ok(TrnType::Slidercrank) => within(target, 0, m.nsite) && within(second, 0, m.nsite),
            Ok(TrnType::Body) => within(target, 0, m.nbody),
            _ => true,
        };
        require(known, "actuator_trnid", i)?;
        moments += moment_length(m, i);
        let length = ring_length(m.actuator_history[i][0], 1);
        require(ring_fits(m, m.actuator_historyadr[i], length), "actuator_historyadr", i)?;
    }
    require(moments == m.nJmom, "actuator_trnid", m.nu)
}

/// Most numbers in the moment arms of an actuator: the degrees of freedom of its joint, or all.
fn moment_length(m: &Model, actuator: usize) -> usize {
    match TrnType::try_from(m.actuator_trntype[actuator]) {
        Ok(TrnType::Joint | TrnType::Jointinparent) => {
            match JointType::try_from(m.jnt_type[m.actuator_trnid[actuator][0] as usize]) {
                Ok(JointType::Free) => 6,
                Ok(JointType::Ball) => 3,
                _ => 1,
            }
        }
        _ => m.nv,
    }
}

fn ring_fits(m: &Model, start: i32, length: i64) -> bool {
    length == 0 || (start >= 0 && i64::from(start) + length <= m.nhistory as i64)
}

fn sensors(m: &Model) -> Outcome {
    for i in 0..m.nsensor {
        let Ok(kind) = SensorType::try_from(m.sensor_type[i]) else {
            return require(false, "sensor_type", i);
        };
        require(m.sensor_dim[i] >= 0, "sensor_dim", i)?;
        if let Some(dim) = fixed_dim(kind) {
            require(m.sensor_dim[i] == dim, "sensor_dim", i)?;
        }
        require(m.sensor_adr[i] >= 0, "sensor_adr", i)?;
        require(section(m.sensor_adr[i], m.sensor_dim[i], m.nsensordata), "sensor_adr", i)?;
        require(object_exists(m, m.sensor_objtype[i], m.sensor_objid[i], 0), "sensor_objid", i)?;
        require(object_exists(m, m.sensor_reftype[i], m.sensor_refid[i], -1), "sensor_refid", i)?;
        require(observes(m, kind, i), "sensor_objtype", i)?;
        let length = ring_length(m.sensor_history[i][0], m.sensor_dim[i]);
        require(ring_fits(m, m.sensor_historyadr[i], length), "sensor_historyadr", i)?;
    }
    Ok(())
}

/// Numbers of a sensor whose length follows from its kind.
fn fixed_dim(kind: SensorType) -> Option<i32> {
    use SensorType as S;
    Some(match kind {
        S::Contact | S::Tactile | S::Rangefinder | S::User | S::Plugin => return None,
        S::Camprojection => 2,
        S::Geomfromto => 6,
        S::Ballquat | S::Framequat => 4,
        S::Accelerometer
        | S::Velocimeter
        | S::Gyro
        | S::Force
        | S::Torque
        | S::Magnetometer
        | S::Ballangvel => 3,
        S::Framepos | S::Framexaxis | S::Frameyaxis | S::Framezaxis | S::Geomnormal => 3,
        S::Framelinvel | S::Frameangvel | S::Framelinacc | S::Frameangacc => 3,
        S::Subtreecom | S::Subtreelinvel | S::Subtreeangmom => 3,
        _ => 1,
    })
}

/// Whether the sensor is attached to the kind of object that it reads.
fn observes(m: &Model, kind: SensorType, i: usize) -> bool {
    use SensorType as S;
    let object = ObjType::try_from(m.sensor_objtype[i]).unwrap_or(ObjType::Unknown);
    let reference = ObjType::try_from(m.sensor_reftype[i]).unwrap_or(ObjType::Unknown);
    let id = m.sensor_objid[i];
    let frame = |kind| {
        matches!(kind, ObjType::Body | ObjType::Xbody | ObjType::Geom | ObjType::Site | ObjType::Camera)
    };
    let joint_is = |kinds: &[JointType]| {
        object == ObjType::Joint && kinds.iter().any(|&kind| m.jnt_type[id as usize] == kind as i32)
    };
    match kind {
        S::Touch | S::Accelerometer | S::Velocimeter | S::Gyro | S::Force | S::Torque | S::Magnetometer => {
            object == ObjType::Site
        }
        S::Camprojection => object == ObjType::Site && reference == ObjType::Camera && m.sensor_refid[i] >= 0,
        S::Rangefinder => match object {
            ObjType::Site => m.sensor_dim[i] == fields(&RAY_FIELDS, m.sensor_intprm[i][0]),
            ObjType::Camera => {
                let [width, height] = m.cam_resolution[id as usize].map(|n| i64::from(n.max(0)));
                let rays = width.saturating_mul(height);
                rays.checked_mul(i64::from(fields(&RAY_FIELDS, m.sensor_intprm[i][0])))
                    == Some(i64::from(m.sensor_dim[i]))
            }
            _ => false,
        },
        S::Jointpos | S::Jointvel | S::Jointactfrc => joint_is(&[JointType::Slide, JointType::Hinge]),
        S::Ballquat | S::Ballangvel => joint_is(&[JointType::Ball]),
        S::Jointlimitpos | S::Jointlimitvel | S::Jointlimitfrc => object == ObjType::Joint,
        S::Tendonpos | S::Tendonvel | S::Tendonactfrc => object == ObjType::Tendon,
        S::Tendonlimitpos | S::Tendonlimitvel | S::Tendonlimitfrc => object == ObjType::Tendon,
        S::Actuatorpos | S::Actuatorvel | S::Actuatorfrc => object == ObjType::Actuator,
        S::Framepos | S::Framequat | S::Framexaxis | S::Frameyaxis | S::Framezaxis => frame(object),
        S::Framelinvel | S::Frameangvel | S::Framelinacc | S::Frameangacc => frame(object),
        S::Subtreecom | S::Subtreelinvel | S::Subtreeangmom => object == ObjType::Body,
        S::Insidesite => frame(object) && reference == ObjType::Site && m.sensor_refid[i] >= 0,
        S::Geomdist | S::Geomnormal | S::Geomfromto => {
            let solid = |kind| matches!(kind, ObjType::Body | ObjType::Xbody | ObjType::Geom);
            solid(object) && solid(reference) && m.sensor_refid[i] >= 0
        }
        S::Contact => {
            let [bits, _, count] = m.sensor_intprm[i];
            let expected = i64::from(fields(&CONTACT_FIELDS, bits)) * i64::from(count);
            count > 0 && expected == i64::from(m.sensor_dim[i])
        }
        S::Tactile => object == ObjType::Mesh && reference == ObjType::Geom && m.sensor_refid[i] >= 0,
        S::Plugin => m.sensor_plugin[i] >= 0,
        S::EPotential | S::EKinetic | S::Clock | S::User => true,
    }
}

/// Numbers of each part of a contact report, by bit.
const CONTACT_FIELDS: [i32; 7] = [1, 3, 3, 1, 3, 3, 3];
/// Numbers of each part of a ray report, by bit.
const RAY_FIELDS: [i32; 6] = [1, 3, 3, 3, 3, 1];

/// Sum of the parts whose bits are set.
fn fields(parts: &[i32], bits: i32) -> i32 {
    parts.iter().enumerate().filter(|(bit, _)| bits & (1 << bit) != 0).map(|(_, n)| n).sum()
}

fn tuples(m: &Model) -> Outcome {
    for i in 0..m.ntupledata {
        require(object_exists(m, m.tuple_objtype[i], m.tuple_objid[i], 0), "tuple_objid", i)?;
    }
    Ok(())
}

/// Whether there is such an object; kinds without numbered objects accept any id.
fn object_exists(m: &Model, kind: i32, id: i32, lowest: i32) -> bool {
    use ObjType as O;
    let count = match ObjType::try_from(kind) {
        Ok(O::Unknown | O::Frame | O::Default | O::Model) => return true,
        Ok(O::Body | O::Xbody) => m.nbody,
        Ok(O::Joint) => m.njnt,
        Ok(O::Dof) => m.nv,
        Ok(O::Geom) => m.ngeom,
        Ok(O::Site) => m.nsite,
        Ok(O::Camera) => m.ncam,
        Ok(O::Light) => m.nlight,
        Ok(O::Flex) => m.nflex,
        Ok(O::Mesh) => m.nmesh,
        Ok(O::Skin) => m.nskin,
        Ok(O::Hfield) => m.nhfield,
        Ok(O::Texture) => m.ntex,
        Ok(O::Material) => m.nmat,
        Ok(O::Pair) => m.npair,
        Ok(O::Exclude) => m.nexclude,
        Ok(O::Equality) => m.neq,
        Ok(O::Tendon) => m.ntendon,
        Ok(O::Actuator) => m.nu,
        Ok(O::Sensor) => m.nsensor,
        Ok(O::Numeric) => m.nnumeric,
        Ok(O::Text) => m.ntext,
        Ok(O::Tuple) => m.ntuple,
        Ok(O::Key) => m.nkey,
        Ok(O::Plugin) => m.nplugin,
        Err(_) => return false,
    };
    within(id, lowest, count)
}

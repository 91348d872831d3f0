//! Statistics of the model at the reference configuration: size, masses, inertia.

use ligament_math::{Vec3, vec3};
use ligament_model::enums::{GeomType, JointType};
use ligament_model::{Data, Model};

/// Smallest length a body or the model counts with.
const MIN_SIZE: f64 = 1e-5;

/// The lesser of two numbers; where one is none, the second, as in the reference: the order of comparisons then shows.
fn lesser(a: f64, b: f64) -> f64 {
    if a <= b { a } else { b }
}

/// The larger of two numbers; where one is none, the second.
fn larger(a: f64, b: f64) -> f64 {
    if a >= b { a } else { b }
}

struct Bounds {
    min: Vec3,
    max: Vec3,
}

impl Bounds {
    fn add(&mut self, pos: Vec3, radius: f64) {
        for k in 0..3 {
            self.min[k] = lesser(self.min[k], pos[k] - radius);
            self.max[k] = larger(self.max[k], pos[k] + radius);
        }
    }
}

/// Sets `stat` and dof_length; the position stage was run at qpos0.
pub(super) fn set_statistics(m: &mut Model, d: &Data) {
    let box_ = bounds(m, d);
    m.stat.center = vec3::scale(vec3::add(box_.min, box_.max), 0.5);
    if box_.max[0] > box_.min[0] {
        let size = vec3::sub(box_.max, box_.min);
        m.stat.extent = larger(MIN_SIZE, larger(size[0], larger(size[1], size[2])));
    }
    let mut sizes = body_sizes(m, d);
    if m.nbody > 1 {
        m.stat.meansize = 0.0;
        m.stat.meanmass = 0.0;
        for i in 1..m.nbody {
            sizes[i] = larger(sizes[i], MIN_SIZE);
            m.stat.meansize += sizes[i] / (m.nbody - 1) as f64;
            m.stat.meanmass += m.body_mass[i];
        }
        m.stat.meanmass /= (m.nbody - 1) as f64;
    }
    dof_lengths(m, &sizes);
    m.stat.extent = larger(m.stat.extent, 2.0 * m.stat.meansize);
    if m.nv > 0 {
        m.stat.meaninertia = m.dof_Madr.iter().map(|&adr| d.qM[adr as usize]).sum::<f64>() / m.nv as f64;
    }
}

/// Box around bodies, joints, sites and geoms.
fn bounds(m: &Model, d: &Data) -> Bounds {
    let mut b = Bounds { min: [1e10; 3], max: [-1e10; 3] };
    for i in 1..m.nbody {
        b.add(d.xpos[i], 0.0);
        b.add(d.xipos[i], 0.0);
    }
    for pos in d.xanchor.iter().chain(&d.site_xpos) {
        b.add(*pos, 0.0);
    }
    for i in 0..m.ngeom {
        b.add(d.geom_xpos[i], geom_radius(m, i));
    }
    b
}

/// Bounding radius; planes and height fields count with a tenth of their size.
fn geom_radius(m: &Model, i: usize) -> f64 {
    let size = m.geom_size[i];
    if m.geom_rbound[i] > 0.0 {
        m.geom_rbound[i]
    } else if m.geom_type[i] == GeomType::Plane as i32 {
        if size[0] != 0.0 || size[1] != 0.0 { size[0].max(size[1]) * 0.1 } else { 1.0 }
    } else if m.geom_type[i] == GeomType::Hfield as i32 {
        let [x, y, z, base] = m.hfield_size[m.geom_dataid[i] as usize];
        x.max(y.max(z.max(base))) * 0.1
    } else {
        0.0
    }
}

/// Approximate length of each body: farthest joint, geom surface or flex neighbour from its centre of mass.
fn body_sizes(m: &Model, d: &Data) -> Vec<f64> {
    let mut sizes = vec![0.0_f64; m.nbody];
    let mut grow = |body: usize, size: f64| sizes[body] = larger(sizes[body], size);
    for j in 0..m.njnt {
        let body = m.jnt_bodyid[j] as usize;
        for id in [body, m.body_parentid[body] as usize] {
            // the world has no size
            if id > 0 {
                grow(id, vec3::distance(d.xipos[id], d.xanchor[j]));
            }
        }
    }
    for g in 0..m.ngeom {
        let body = m.geom_bodyid[g] as usize;
        if body > 0 && m.geom_rbound[g] > 0.0 {
            grow(body, m.geom_rbound[g] + vec3::distance(d.xipos[body], d.geom_xpos[g]));
        }
    }
    for f in 0..m.nflex {
        if m.flex_interp[f] != 0 {
            let start = m.flex_nodeadr[f] as usize;
            let nodes = &m.flex_nodebodyid[start..start + m.flex_nodenum[f] as usize];
            for b1 in nodes.iter().map(|&b| b as usize) {
                for b2 in nodes.iter().map(|&b| b as usize) {
                    grow(b1, vec3::distance(d.xpos[b1], d.xpos[b2]));
                }
            }
            continue;
        }
        let start = m.flex_edgeadr[f] as usize;
        for e in start..start + m.flex_edgenum[f] as usize {
            for v in m.flex_edge[e] {
                grow(m.flex_vertbodyid[(m.flex_vertadr[f] + v) as usize] as usize, m.flexedge_length0[e]);
            }
        }
    }
    sizes
}

/// Length by which rotational dofs are compared with translational ones.
fn dof_lengths(m: &mut Model, sizes: &[f64]) {
    for i in 0..m.nv {
        let joint = m.dof_jntid[i] as usize;
        let rotational = match JointType::try_from(m.jnt_type[joint]) {
            Ok(JointType::Ball | JointType::Hinge) => true,
            Ok(JointType::Free) => i as i32 - m.jnt_dofadr[joint] >= 3,
            Ok(JointType::Slide) | Err(_) => false,
        };
        m.dof_length[i] = if rotational { sizes[m.dof_bodyid[i] as usize] } else { 1.0 };
    }
}

//! Stages whose lanes part too much, or that are rare: one world after the other, with the exact engine's functions.
//!
//! Each lane has a `Data` of its own. A stage copies into it what the functions read, calls them, and brings the results
//! back; nothing else of that `Data` means anything.

use crate::algebra::{M9, Q4};
use crate::collision::Slots;
use crate::inertia::mul_m;
use crate::lane::Lane;
use crate::tables::{Advance, Tables};
use crate::world::World;
use ligament_math::{mat3, quat, vec3};
use ligament_model::{Contact, Data, Model};
use ligament_sim::actuation::fwd_actuation;
use ligament_sim::collision::{Parting, convex_contacts, pair_contacts};
use ligament_sim::derivative::smooth::{actuator_vel, passive_vel};
use ligament_sim::support::{actuator_disabled, next_activation};
use ligament_sim::{fluid, history, inertia, integrate, kinematics, tendon, transmission, velocity};

/// What the exact engine works on.
pub(crate) struct LaneData {
    pub data: Vec<Data>,
    contacts: Vec<Contact>,
    /// Of pairs of convex geoms, lane by lane: speeds up, changes no result.
    partings: Vec<Parting>,
}

/// Why a contact has no rows: it is in the gap.
const IN_GAP: i32 = 1;

pub(crate) fn lane3<L: Lane>(v: &[L; 3], lane: usize) -> [f64; 3] {
    std::array::from_fn(|k| v[k].lanes()[lane])
}

pub(crate) fn lane_mat<L: Lane>(m: &M9<L>, lane: usize) -> [f64; 9] {
    std::array::from_fn(|k| m[k].lanes()[lane])
}

fn lane_quat<L: Lane>(q: &Q4<L>, lane: usize) -> [f64; 4] {
    std::array::from_fn(|k| q[k].lanes()[lane])
}

/// The model of a lane.
fn of<'a>(models: &[&'a Model], lane: usize) -> &'a Model {
    models[lane.min(models.len() - 1)]
}

/// A `Data` with the model's plugins, whose settings were read before if the model simulates.
pub(crate) fn fresh(m: &Model) -> Data {
    ligament_sim::reset::make_data(m).unwrap_or_else(|_| Data::new(m))
}

impl LaneData {
    /// Empty when the tables need no lane of their own.
    pub fn new<L: Lane>(m: &[&Model], t: &Tables<L>) -> Self {
        let count = if t.by_lane.any() { L::WIDTH } else { 0 };
        Self {
            data: (0..count).map(|lane| fresh(of(m, lane))).collect(),
            contacts: Vec::new(),
            partings: vec![Parting::default(); t.pairs.partings * L::WIDTH],
        }
    }

    /// Data for all lanes, if they were not needed before.
    fn make<L: Lane>(&mut self, m: &[&Model]) {
        for lane in self.data.len()..L::WIDTH {
            self.data.push(fresh(of(m, lane)));
        }
    }

    /// Contacts of one pair, in the lanes of `bits`. Written from the poses of the two geoms.
    pub fn collide<L: Lane>(
        &mut self,
        m: &[&Model],
        t: &Tables<L>,
        w: &mut World<L>,
        k: usize,
        bits: u32,
        group: usize,
    ) {
        let pair = &t.pairs.pairs[k];
        let geoms = pair.geoms.map(|g| g as usize);
        self.make::<L>(m);
        if self.partings.len() < t.pairs.partings * L::WIDTH {
            // worlds with parameters of their own may have more
            self.partings.resize(t.pairs.partings * L::WIDTH, Parting::default());
        }
        for lane in (0..L::WIDTH).filter(|lane| bits >> lane & 1 != 0) {
            let d = &mut self.data[lane];
            for g in geoms {
                d.geom_xpos[g] = lane3(&w.geom_xpos[g], lane);
                d.geom_xmat[g] = lane_mat(&w.geom_xmat[g], lane);
            }
            self.contacts.clear();
            let explicit = usize::try_from(pair.explicit).ok();
            match usize::try_from(pair.parting) {
                Ok(at) => {
                    let (margin, at) = (pair.margin.lanes()[lane], at * L::WIDTH + lane);
                    let parting = &mut self.partings[at];
                    convex_contacts(of(m, lane), d, geoms, explicit, margin, parting, &mut self.contacts);
                }
                Err(_) => pair_contacts(of(m, lane), d, geoms, explicit, &mut self.contacts),
            }
            for contact in &self.contacts {
                let f = &contact.frame;
                let splat = |v: [f64; 3]| v.map(L::splat);
                let mut slots = Slots { t, w, pair: k, group };
                slots.put(
                    L::mask(1 << lane),
                    L::splat(contact.dist),
                    splat(contact.pos),
                    splat([f[0], f[1], f[2]]),
                    splat([f[3], f[4], f[5]]),
                );
            }
        }
    }

    /// Copies state, poses and motion axes of a lane.
    fn export<L: Lane>(d: &mut Data, m: &Model, t: &Tables<L>, w: &World<L>, lane: usize) {
        load_state(d, w, lane);
        for i in 0..m.nbody {
            d.xpos[i] = lane3(&w.xpos[i], lane);
            d.xmat[i] = lane_mat(&w.xmat[i], lane);
            d.xquat[i] = std::array::from_fn(|k| w.xquat[i][k].lanes()[lane]);
            d.xipos[i] = lane3(&w.xipos[i], lane);
            let root = t.tree.bodies[i].root as usize;
            // only roots are read
            d.subtree_com[t.tree.roots[root].body as usize] = lane3(&w.com[root], lane);
        }
        for (cdof, x) in d.cdof.iter_mut().zip(&w.cdof) {
            *cdof = std::array::from_fn(|k| x[k].lanes()[lane]);
        }
        for (s, site) in t.tree.sites.iter().enumerate() {
            let body = site.body as usize;
            d.site_xpos[s] = vec3::add(d.xpos[body], mat3::mul_vec(&d.xmat[body], lane3(&site.pos, lane)));
            d.site_xmat[s] = quat::to_mat(quat::mul(d.xquat[body], lane_quat(&site.quat, lane)));
        }
    }

    /// A step of the integrator `implicit`, whose matrix is not symmetric, from the forces M a; returns the lanes where that is
    /// singular.
    pub fn implicit<L: Lane>(&mut self, m: &[&Model], t: &Tables<L>, w: &mut World<L>) -> u32 {
        self.make::<L>(m);
        mul_m(t, &w.M, &w.qacc, &mut w.Ma, &mut w.padded);
        let mut singular = 0;
        for lane in 0..L::WIDTH {
            let (m, d) = (of(m, lane), &mut self.data[lane]);
            load_state(d, w, lane);
            kinematics::kinematics(m, d);
            kinematics::com_pos(m, d);
            tendon::tendon(m, d);
            inertia::make_m(m, d);
            transmission::transmission(m, d);
            velocity::com_vel(m, d);
            actuator_velocities(m, d);
            fwd_actuation(m, d);
            for i in 0..m.nv {
                let rest = if t.solver.follow { w.gradient[i].lanes()[lane] } else { 0.0 };
                d.qfrc_smooth[i] = w.Ma[i].lanes()[lane] + rest;
                d.qfrc_constraint[i] = 0.0;
            }
            if integrate::implicit(m, d).is_err() {
                singular |= 1 << lane;
            }
            for (out, x) in [(&mut w.qpos, &d.qpos), (&mut w.qvel, &d.qvel), (&mut w.act, &d.act)] {
                for (y, x) in out.iter_mut().zip(x.iter()) {
                    y.lanes_mut()[lane] = *x;
                }
            }
        }
        singular
    }

    /// Keeps the controls of the step that ends, for actuators with delays; time goes on.
    pub fn remember_controls<L: Lane>(&mut self, m: &[&Model], w: &World<L>) {
        for (lane, d) in self.data.iter_mut().enumerate() {
            for (ctrl, x) in d.ctrl.iter_mut().zip(&w.ctrl) {
                *ctrl = x.lanes()[lane];
            }
            let m = of(m, lane);
            history::advance_controls(m, d);
            d.time += m.opt.timestep;
        }
    }

    /// Drag and lift of the medium, actuators: added to qfrc_smooth. Writes act_dot, qfrc_actuator, slope_by_lane.
    pub fn forces<L: Lane>(&mut self, m: &[&Model], t: &Tables<L>, w: &mut World<L>) {
        if !(t.by_lane.fluid || t.by_lane.actuation) {
            return;
        }
        self.make::<L>(m);
        w.slope_by_lane.fill(L::zero());
        for lane in 0..L::WIDTH {
            let (m, d) = (of(m, lane), &mut self.data[lane]);
            Self::export(d, m, t, w, lane);
            geom_poses(t, d, lane);
            tendon::tendon(m, d);
            d.qDeriv.fill(0.0);
            if t.by_lane.fluid {
                fluid_force(m, t, d, w, lane);
            }
            if t.by_lane.actuation {
                if t.actuation.adheres {
                    show_contacts(t, d, w, lane);
                }
                actuator_force(m, t, d, w, lane);
            }
            if t.advance == Advance::ImplicitFast {
                add_slopes(m, t, d, w, lane);
            }
        }
    }
}

fn load_state<L: Lane>(d: &mut Data, w: &World<L>, lane: usize) {
    let copy = |out: &mut [f64], x: &[L]| {
        for (y, x) in out.iter_mut().zip(x) {
            *y = x.lanes()[lane];
        }
    };
    copy(&mut d.qpos, &w.qpos);
    copy(&mut d.qvel, &w.qvel);
    copy(&mut d.act, &w.act);
    copy(&mut d.ctrl, &w.ctrl);
    copy(d.mocap_pos.as_flattened_mut(), w.mocap_pos.as_flattened());
    copy(d.mocap_quat.as_flattened_mut(), w.mocap_quat.as_flattened());
}

fn actuator_velocities(m: &Model, d: &mut Data) {
    for i in 0..m.nu {
        let start = d.moment_rowadr[i] as usize;
        let row = start..start + d.moment_rownnz[i] as usize;
        let terms = d.actuator_moment[row.clone()].iter().zip(&d.moment_colind[row]);
        d.actuator_velocity[i] = terms.map(|(j, &dof)| j * d.qvel[dof as usize]).sum();
    }
}

fn fluid_force<L: Lane>(m: &Model, t: &Tables<L>, d: &mut Data, w: &mut World<L>, lane: usize) {
    for i in 0..m.nbody {
        d.ximat[i] = mat3::mul(&d.xmat[i], &quat::to_mat(m.body_iquat[i]));
        d.cvel[i] = std::array::from_fn(|k| w.cvel[i][k].lanes()[lane]);
    }
    d.qfrc_fluid.fill(0.0);
    fluid::fluid(m, d);
    for (x, f) in w.qfrc_smooth.iter_mut().zip(&d.qfrc_fluid) {
        x.lanes_mut()[lane] += *f;
    }
    if t.advance == Advance::ImplicitFast {
        passive_vel(m, d);
    }
}

/// Contacts of a lane as what adhesion pulls at: it needs their normals, not their rows.
fn show_contacts<L: Lane>(t: &Tables<L>, d: &mut Data, w: &World<L>, lane: usize) {
    d.clear_constraints();
    d.contact.clear();
    for point in w.points.iter().filter(|point| point.occupied >> lane & 1 != 0) {
        let [x, y, z] = vec3::unit(lane3(&point.normal, lane));
        d.contact.push(Contact {
            geom: t.pairs.pairs[point.pair[lane] as usize].geoms.map(|g| g as i32),
            pos: lane3(&point.pos, lane),
            frame: [x, y, z, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            exclude: IN_GAP,
            ..Contact::default()
        });
    }
    d.ncon = d.contact.len();
}

fn actuator_force<L: Lane>(m: &Model, t: &Tables<L>, d: &mut Data, w: &mut World<L>, lane: usize) {
    for (y, x) in d.qfrc_gravcomp.iter_mut().zip(&w.qfrc_gravcomp) {
        *y = x.lanes()[lane];
    }
    transmission::transmission(m, d);
    actuator_velocities(m, d);
    fwd_actuation(m, d);
    for (x, y) in w.act_dot.iter_mut().zip(&d.act_dot) {
        x.lanes_mut()[lane] = *y;
    }
    for (i, f) in d.qfrc_actuator.iter().enumerate() {
        w.qfrc_actuator[i].lanes_mut()[lane] = *f;
        w.qfrc_smooth[i].lanes_mut()[lane] += *f;
    }
    if t.advance == Advance::ImplicitFast {
        actuator_vel(m, d);
    }
}

/// Activations after the step, of actuators that the lanes do not know.
pub(crate) fn advance_activations<L: Lane>(m: &[&Model], w: &mut World<L>) {
    for lane in 0..L::WIDTH {
        let m = of(m, lane);
        for i in 0..m.nu {
            let Ok(first) = usize::try_from(m.actuator_actadr[i]) else { continue };
            let disabled = actuator_disabled(m, i);
            for adr in first..first + m.actuator_actnum[i] as usize {
                let rate = if disabled { 0.0 } else { w.act_dot[adr].lanes()[lane] };
                let act = &mut w.act[adr].lanes_mut()[lane];
                *act = next_activation(m, *act, i, rate);
            }
        }
    }
}

/// Poses of all geoms from those of the bodies.
fn geom_poses<L: Lane>(t: &Tables<L>, d: &mut Data, lane: usize) {
    for (g, geom) in t.tree.geoms.iter().enumerate() {
        let body = geom.body as usize;
        d.geom_xpos[g] = vec3::add(d.xpos[body], mat3::mul_vec(&d.xmat[body], lane3(&geom.pos, lane)));
        d.geom_xmat[g] = if geom.aligned {
            d.xmat[body]
        } else {
            quat::to_mat(quat::mul(d.xquat[body], lane_quat(&geom.quat, lane)))
        };
    }
}

/// Adds the lower half of qDeriv to the lane's slopes on the tree's rows.
fn add_slopes<L: Lane>(m: &Model, t: &Tables<L>, d: &Data, w: &mut World<L>, lane: usize) {
    for i in 0..m.nv {
        let start = m.D_rowadr[i] as usize;
        let row = t.tree.row(i);
        for at in start..start + m.D_rownnz[i] as usize {
            let j = m.D_colind[at] as usize;
            if j <= i && d.qDeriv[at] != 0.0 {
                let place = t.tree.panels.places[row.start + t.tree.dofs[j].level as usize] as usize;
                w.slope_by_lane[place].lanes_mut()[lane] += d.qDeriv[at];
            }
        }
    }
}

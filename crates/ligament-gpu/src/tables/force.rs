//! Actuators, paths and sparse rows.

use super::tree::Levels;
use super::{Builder, flatten};
use crate::delays::{Around, Delay, delays};
use crate::paths::{Path, PathKind, Paths, Pull, PullKind, chain};
use crate::rows::SparseRow;
use ligament_model::Model;
use ligament_model::enums::{DisableBit, GeomType, Integrator, TrnType};
use ligament_sim::support::actuator_disabled;

/// Numbers of a pull in the room for pulls: `PULL` in `path.cuh`.
const PULL_NUMBERS: usize = 20;

impl Builder<'_> {
    pub(super) fn actuators(&mut self, m: &Model, paths: &Paths) {
        let off = |u: usize| m.opt.disabled(DisableBit::Actuation) || actuator_disabled(m, u);
        let kept = |kinds: &[i32]| (0..m.nu).map(|u| if off(u) { 0 } else { kinds[u] }).collect::<Vec<_>>();
        let numbers = |rows: &[[f64; 10]]| {
            (0..m.nu).flat_map(|u| if off(u) { [0.0; 10] } else { rows[u] }).collect::<Vec<_>>()
        };
        let clamp = !m.opt.disabled(DisableBit::Clampctrl);
        // an actuator acts along a path, or on a hinge or slide
        let path = &paths.of_actuator;
        let kind = |u: usize| if path[u].is_some() { TrnType::Tendon } else { TrnType::Joint };
        self.int("actuator_trntype", (0..m.nu).map(|u| kind(u) as i32));
        self.int("actuator_trnid", (0..m.nu).map(|u| path[u].map_or(m.actuator_trnid[u][0], |p| p as i32)));
        let gains = self.differs("actuator_gainprm") || self.differs("actuator_biasprm");
        self.define("HAS_IDLE_GAINS", i32::from(gains && (0..m.nu).any(off)));
        self.int("actuator_off", (0..m.nu).map(|u| i32::from(off(u))));
        self.int("actuator_dyntype", m.actuator_dyntype.iter().copied());
        self.int("actuator_gaintype", kept(&m.actuator_gaintype));
        self.int("actuator_biastype", kept(&m.actuator_biastype));
        self.int("actuator_actadr", (0..m.nu).map(|u| if off(u) { -1 } else { m.actuator_actadr[u] }));
        self.int("actuator_ctrllimited", m.actuator_ctrllimited.iter().map(|&l| i32::from(clamp && l != 0)));
        self.int("actuator_forcelimited", m.actuator_forcelimited.iter().map(|&l| i32::from(l != 0)));
        self.int("actuator_actlimited", m.actuator_actlimited.iter().map(|&l| i32::from(l != 0)));
        self.int("actuator_actearly", m.actuator_actearly.iter().map(|&l| i32::from(l != 0)));
        let driven_by = |d: usize| {
            let drives = |u: &usize| !off(*u) && m.jnt_dofadr[m.actuator_trnid[*u][0] as usize] == d as i32;
            (0..m.nu).filter(|&u| path[u].is_none()).filter(drives).map(|u| u as i32).collect::<Vec<_>>()
        };
        let (starts, list) = flatten(&(0..m.nv).map(driven_by).collect::<Vec<_>>());
        self.int("dof_actadr", starts);
        self.int("dof_act", list);
        let pulling = |t: usize| {
            let pulls = |u: &usize| !off(*u) && path[*u] == Some(t);
            (0..m.nu).filter(pulls).map(|u| u as i32).collect::<Vec<_>>()
        };
        let (starts, list) = flatten(&(0..paths.list.len()).map(pulling).collect::<Vec<_>>());
        self.int("ten_actadr", starts);
        self.int("ten_act", list);
        // the gear of an actuator with a path of its own is in the path
        let gear = |u: usize| if paths.is_of_actuator(m, u) { 1.0 } else { m.actuator_gear[u][0] };
        self.real("actuator_gear", &(0..m.nu).map(gear).collect::<Vec<_>>());
        self.real("actuator_ctrlrange", m.actuator_ctrlrange.as_flattened());
        self.real("actuator_forcerange", m.actuator_forcerange.as_flattened());
        self.real("actuator_actrange", m.actuator_actrange.as_flattened());
        let dynprm: Vec<[f64; 3]> = m.actuator_dynprm.iter().map(|p| [p[0], p[1], p[2]]).collect();
        self.real("actuator_dynprm", dynprm.as_flattened());
        self.real("actuator_gainprm", &numbers(&m.actuator_gainprm));
        self.real("actuator_biasprm", &numbers(&m.actuator_biasprm));
        self.real("actuator_acc0", &m.actuator_acc0);
        self.real("actuator_lengthrange", m.actuator_lengthrange.as_flattened());
    }

    /// Delayed controls; returns how many a world keeps.
    pub(super) fn delays(&mut self, m: &Model) -> usize {
        let list = delays(m);
        let nothing = Around { ages: [1; 4], weights: [0.0; 4] };
        let none = Delay { start: 0, samples: 0, stages: [nothing; 3] };
        let all = || list.iter().map(|d| d.unwrap_or(none));
        let stages = if m.opt.integrator == Integrator::Rk4 as i32 { 3 } else { 1 };
        let rows: Vec<Around> = (0..stages).flat_map(|k| all().map(move |d| d.stages[k])).collect();
        self.int("delay_start", all().map(|d| d.start as i32));
        self.int("delay_samples", all().map(|d| d.samples as i32));
        self.int("delay_age", rows.iter().flat_map(|r| r.ages.map(|age| age as i32)));
        self.real("delay_weight", rows.iter().map(|r| r.weights).collect::<Vec<_>>().as_flattened());
        let kept = all().map(|d| d.samples).sum();
        self.define("NHISTORY", kept);
        kept
    }

    pub(super) fn paths(&mut self, m: &Model, paths: &Paths, levels: &Levels) {
        let list = &paths.list;
        let (starts, flat) = flatten(&list.iter().map(|p| p.dofs()).collect::<Vec<_>>());
        // of each entry, those of its path whose dofs lie above or below its own, and itself
        let kin = |t: usize, own: usize| {
            let all = starts[t]..starts[t + 1];
            all.filter(|&k| levels.in_line(flat[own] as usize, flat[k as usize] as usize)).collect::<Vec<_>>()
        };
        let entries =
            (0..list.len()).flat_map(|t| (starts[t]..starts[t + 1]).map(move |own| (t, own as usize)));
        let (kin_starts, kin) = flatten(&entries.map(|(t, own)| kin(t, own)).collect::<Vec<_>>());
        self.int("ten_kinadr", kin_starts);
        self.int("ten_kin", kin);
        self.transposed("dof_ten", m.nv, &starts, &flat);
        self.int("ten_adr", starts);
        self.int("ten_dof", flat);
        self.int("ten_of", list.iter().enumerate().flat_map(|(t, p)| vec![t as i32; p.entries.len()]));
        let coefs: Vec<f64> = list.iter().flat_map(|p| &p.entries).map(|e| e.1).collect();
        self.real("ten_coef", &coefs);
        self.int("path_kind", list.iter().map(|p| p.kind as i32));
        self.int("path_id", list.iter().map(|p| p.id));
        self.real("path_axis", list.iter().map(|p| p.axis).collect::<Vec<_>>().as_flattened());
        let numbers = |p: &Path| vec![0; p.pulls.len()];
        self.int("path_pulladr", flatten(&list.iter().map(numbers).collect::<Vec<_>>()).0);
        self.int("path_group", paths.groups().iter().map(|&t| t as i32));
        self.pulls(m, paths);
        self.effects(m, paths);
        // paths of actuators have no springs, dampers or ranges
        let more = list.len() - m.ntendon;
        self.real(
            "tendon_lengthspring",
            [&m.tendon_lengthspring[..], &vec![[0.0; 2]; more]].concat().as_flattened(),
        );
        self.real("tendon_stiffness", &[&m.tendon_stiffness[..], &vec![0.0; more]].concat());
        self.real("tendon_armature", &[&m.tendon_armature[..], &vec![0.0; more]].concat());
        self.real("tendon_damping", &[&m.tendon_damping[..], &vec![0.0; more]].concat());
        self.int(
            "tendon_actfrclimited",
            (0..list.len()).map(|t| i32::from(m.tendon_actfrclimited.get(t) == Some(&1))),
        );
        self.real(
            "tendon_actfrcrange",
            [&m.tendon_actfrcrange[..], &vec![[0.0; 2]; more]].concat().as_flattened(),
        );
        self.real("tendon_range", m.tendon_range.as_flattened());
        self.real("tendon_margin", &m.tendon_margin);
        self.real("tendon_length0", &m.tendon_length0);
    }

    fn pulls(&mut self, m: &Model, paths: &Paths) {
        let list: Vec<Pull> = paths.pulls().copied().collect();
        self.int("pull_kind", list.iter().map(|p| p.kind as i32));
        self.int("pull_site", list.iter().flat_map(|p| p.sites));
        self.int("pull_body", list.iter().flat_map(|p| p.bodies));
        self.int("pull_geom", list.iter().map(|p| p.geom));
        self.int("pull_side", list.iter().map(|p| p.side));
        self.int("pull_cylinder", list.iter().map(|p| i32::from(p.cylinder)));
        self.real("pull_scale", &list.iter().map(|p| p.scale).collect::<Vec<_>>());
        self.real("pull_gear", list.iter().map(|p| p.gear).collect::<Vec<_>>().as_flattened());
        self.real("pull_rod", &list.iter().map(|p| p.rod).collect::<Vec<_>>());
        self.int("site_bodyid", m.site_bodyid.iter().copied());
        self.real("site_pos", m.site_pos.as_flattened());
        self.real("site_quat", m.site_quat.as_flattened());
    }

    /// Which wrenches of its pulls each entry of a path feels: where they stand in the room for pulls of its group. A part of a path
    /// within what a dof moves has no effect on it.
    fn effects(&mut self, m: &Model, paths: &Paths) {
        let felt = |path: &Path, first: usize, dof: i32| {
            let mut places = Vec::new();
            for (k, pull) in path.pulls.iter().enumerate() {
                let sides = if pull.geom >= 0 { 3 } else { 2 };
                let moved = |side: &usize| chain(m, pull.bodies[*side]).contains(&dof);
                let within = pull.kind == PullKind::Stretch && (0..sides).all(|side| moved(&side));
                if !within {
                    let place = |side: usize| (PULL_NUMBERS * (first + k) + 6 * side) as i32;
                    places.extend((0..sides).filter(moved).map(place));
                }
            }
            places
        };
        let (mut feels, mut places) = (Vec::new(), Vec::new());
        for group in paths.groups().windows(2) {
            let mut first = 0;
            for path in &paths.list[group[0]..group[1]] {
                for &(dof, _) in &path.entries {
                    let own = felt(path, first, dof);
                    let count = if path.kind == PathKind::Pulls { own.len() as i32 } else { -1 };
                    feels.extend([count, dof, places.len() as i32]);
                    places.extend(own);
                }
                first += path.pulls.len();
            }
        }
        self.int("entry_feels", feels);
        self.int("entry_wrench", places);
        // those around geoms first: they take longer, and lanes wait for each other
        let mut order = Vec::new();
        for group in paths.groups().windows(2) {
            let before: usize = paths.list[..group[0]].iter().map(|p| p.pulls.len()).sum();
            let pulls: Vec<&Pull> = paths.list[group[0]..group[1]].iter().flat_map(|p| &p.pulls).collect();
            let mut own: Vec<usize> = (0..pulls.len()).collect();
            own.sort_by_key(|&k| (pulls[k].geom < 0, !pulls[k].cylinder));
            order.extend(own.into_iter().map(|k| (before + k) as i32));
        }
        self.int("pull_order", order);
    }

    /// What a fluid needs to know of bodies and geoms.
    pub(super) fn fluid(&mut self, m: &Model) {
        let geoms = |b: usize| {
            let first = m.body_geomadr[b].max(0) as usize;
            first..first + m.body_geomnum[b] as usize
        };
        self.int("body_geomadr", (0..m.nbody).map(|b| m.body_geomadr[b].max(0)));
        self.int("body_geomnum", m.body_geomnum.iter().copied());
        let ellipsoids = |b: usize| geoms(b).any(|g| m.geom_fluid[g][0] > 0.0);
        self.int("body_ellipsoids", (0..m.nbody).map(|b| i32::from(ellipsoids(b))));
        self.real("geom_fluid", m.geom_fluid.as_flattened());
        let axes = |g: usize| {
            let size @ [radius, length, _] = m.geom_size[g];
            match GeomType::try_from(m.geom_type[g]) {
                Ok(GeomType::Sphere) => [radius; 3],
                Ok(GeomType::Capsule) => [radius, radius, radius + length],
                Ok(GeomType::Cylinder) => [radius, radius, length],
                _ => size,
            }
        };
        self.real("geom_semiaxes", (0..m.ngeom).map(axes).collect::<Vec<_>>().as_flattened());
    }

    pub(super) fn sparse(&mut self, m: &Model, rows: &[SparseRow], levels: &Levels) {
        let dofs: Vec<Vec<i32>> = rows.iter().map(|r| r.dofs.clone()).collect();
        let (starts, flat) = flatten(&dofs);
        self.transposed("dof_srow", m.nv, &starts, &flat);
        self.int("srow_adr", starts);
        self.int("srow_dof", flat);
        self.int("srow_kind", rows.iter().map(|r| r.kind as i32));
        self.int("srow_id", rows.iter().map(|r| r.id as i32));
        self.int("srow_obj1", rows.iter().map(|r| r.objects[0]));
        self.int("srow_obj2", rows.iter().map(|r| r.objects[1]));
        self.int("srow_in_tree", rows.iter().map(|r| i32::from(levels.on_one_path(r))));
        self.real("srow_solref", rows.iter().map(|r| r.solver.solref).collect::<Vec<_>>().as_flattened());
        self.real("srow_solimp", rows.iter().map(|r| r.solver.solimp).collect::<Vec<_>>().as_flattened());
        self.real("srow_weight", &rows.iter().map(|r| r.weight).collect::<Vec<_>>());
        self.real("srow_loss", &rows.iter().map(|r| r.loss).collect::<Vec<_>>());
        self.int("srow_part", rows.iter().map(|r| r.part));
        let anchors: Vec<[[f64; 3]; 2]> = rows.iter().map(|r| r.joined.anchors).collect();
        self.real("srow_anchor", anchors.as_flattened().as_flattened());
        let quats: Vec<[[f64; 4]; 2]> = rows.iter().map(|r| r.joined.quats).collect();
        self.real("srow_quat", quats.as_flattened().as_flattened());
        self.real("srow_scale", &rows.iter().map(|r| r.joined.scale).collect::<Vec<_>>());
        let poly: Vec<[f64; 5]> = m.eq_data.iter().map(|d| [d[0], d[1], d[2], d[3], d[4]]).collect();
        self.real("eq_poly", poly.as_flattened());
    }
}

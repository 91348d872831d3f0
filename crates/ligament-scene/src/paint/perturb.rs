//! What is selected and pulled, and forces that the user applies.

use super::Painter;
use crate::geom::single;
use crate::{Geom, color};
use ligament_math::{MINVAL, mat3, quat, vec3};
use ligament_model::enums::{GeomType, Label, PertBit, VisFlag};

impl Painter<'_> {
    fn hands(&self, bit: PertBit) -> (bool, bool) {
        (self.perturb.active & bit as i32 > 0, self.perturb.active2 & bit as i32 > 0)
    }

    pub(super) fn perturbation(&mut self) {
        if !self.shows(VisFlag::Pertobj) {
            return;
        }
        let Some(body) = self.perturb.body(self.m) else { return };
        let (first, second) = self.hands(PertBit::Translate);
        if first || second {
            self.pull(body, color::of_hands(self.m.vis.rgba.constraint, first, second));
        }
        let (first, second) = self.hands(PertBit::Rotate);
        if first || second {
            self.turn(body, color::of_hands(self.m.vis.rgba.inertia, first, second));
        }
    }

    /// A line from the selected point to where it should go.
    fn pull(&mut self, body: usize, rgba: [f32; 4]) {
        let width = f64::from(self.scale() * self.m.vis.scale.constraint);
        let from = self.perturb.point(self.d, body);
        let to = self.perturb.refselpos;
        let geom = self.decor(body);
        self.connect_colored(geom, GeomType::Capsule, width, [from, to], rgba);
        let mut geom = self.decor(body);
        let mat = quat::to_mat(self.perturb.refquat);
        geom.init(GeomType::Sphere as i32, Some([2.0 * width; 3]), Some(to), Some(&mat), Some(rgba));
        self.push(geom);
    }

    /// A box around the body, turned as the body should turn.
    fn turn(&mut self, body: usize, rgba: [f32; 4]) {
        let (m, d) = (self.m, self.d);
        let (offset, size) = if m.body_bvhnum[body] != 0 {
            let aabb = &m.bvh_aabb[m.body_bvhadr[body] as usize];
            (mat3::mul_vec(&d.ximat[body], [aabb[0], aabb[1], aabb[2]]), [aabb[3], aabb[4], aabb[5]])
        } else {
            ([0.0; 3], [f64::from(self.scale()); 3])
        };
        let mut geom = self.decor(body);
        let pos = vec3::add(offset, d.xipos[body]);
        let mat = quat::to_mat(self.perturb.refquat);
        geom.init(GeomType::Box as i32, Some(size), Some(pos), Some(&mat), Some(rgba));
        self.push(geom);
    }

    pub(super) fn selected_point(&mut self) {
        if !self.shows(VisFlag::Select) {
            return;
        }
        let Some(body) = self.perturb.body(self.m) else { return };
        let point = self.perturb.point(self.d, body);
        let size = [self.scale() * self.m.vis.scale.selectpoint; 3];
        let geom = self.decor(body);
        let rgba = self.m.vis.rgba.selectpoint;
        let mut geom = Geom { kind: GeomType::Sphere as i32, size, pos: single(point), rgba, ..geom };
        if self.labels(Label::Selpnt) {
            let [x, y, z] = point;
            let [a, b, c] = self.perturb.localpos;
            let text = format!("{x:.3} {y:.3} {z:.3} (local {a:.3} {b:.3} {c:.3})");
            geom.label = crate::table::Text::new(&text);
        }
        self.push(geom);
    }

    pub(super) fn applied_forces(&mut self) {
        if !self.shows(VisFlag::Pertforce) {
            return;
        }
        let (m, d) = (self.m, self.d);
        let width = f64::from(m.vis.scale.forcewidth * self.scale());
        for body in 1..m.nbody {
            let [x, y, z, ..] = d.xfrc_applied[body];
            if vec3::norm([x, y, z]) > MINVAL {
                let arrow = vec3::scale([x, y, z], f64::from(m.vis.map.force) / m.stat.meanmass);
                let from = d.xipos[body];
                let geom = self.decor(body);
                let ends = [from, vec3::add(from, arrow)];
                self.connect_colored(geom, GeomType::Arrow, width, ends, m.vis.rgba.force);
            }
        }
    }
}

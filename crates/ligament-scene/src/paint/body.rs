//! Bodies and joints: inertias, frames, labels, centres of mass, connections.

use super::Painter;
use crate::geom::single;
use crate::{Geom, color};
use ligament_math::{MINVAL, Vec3, vec3};
use ligament_model::enums::{CatBit, ConstraintType, Frame, GeomType, JointType, Label, ObjType, VisFlag};
use std::f64::consts::PI;

impl Painter<'_> {
    pub(super) fn inertias(&mut self) {
        if !self.shows(VisFlag::Inertia) {
            return;
        }
        let (m, d) = (self.m, self.d);
        let ellipsoid = m.vis.global.ellipsoidinertia == 1;
        let kind = if ellipsoid { GeomType::Ellipsoid } else { GeomType::Box };
        for body in (1..m.nbody).filter(|&i| m.body_mass[i] > MINVAL) {
            if !self.admits(self.category(body)) {
                continue;
            }
            let selected = self.perturb.select == body as i32;
            let mut geom = self.blank(body, CatBit::Decor, ObjType::Body);
            let size = self.inertia_size(body, ellipsoid);
            let (pos, mat) = (d.xipos[body], &d.ximat[body]);
            geom.init(kind as i32, Some(size), Some(pos), Some(mat), Some(m.vis.rgba.inertia));
            if selected {
                self.mark(&mut geom);
            }
            if self.labels(Label::Body) || (self.labels(Label::Selection) && selected) {
                geom.label = self.label(ObjType::Body, body);
            }
            self.push(geom);
        }
    }

    /// Half sizes of the box or ellipsoid with the inertia of a body; on demand with its mass at the density of water.
    fn inertia_size(&self, body: usize, ellipsoid: bool) -> Vec3 {
        let mass = self.m.body_mass[body];
        let [x, y, z] = self.m.body_inertia[body];
        let shape = if ellipsoid { 5f64.sqrt() } else { 3f64.sqrt() };
        let size = [y + z - x, x + z - y, x + y - z].map(|sum| (sum / (2.0 * mass)).sqrt() * shape);
        if !self.shows(VisFlag::Sclinertia) {
            return size;
        }
        let of_unit = if ellipsoid { 4.0 / 3.0 * PI } else { 8.0 };
        let volume = of_unit * size[0] * size[1] * size[2];
        let density = mass / volume.max(MINVAL);
        let scale = (density * 0.001).powf(1.0 / 3.0);
        size.map(|s| s * scale)
    }

    pub(super) fn body_frames(&mut self) {
        let (m, d) = (self.m, self.d);
        let (length, width) = self.frame_size();
        let bodies = if self.frames(Frame::World) {
            0..1
        } else if self.frames(Frame::Body) {
            1..m.nbody
        } else {
            return;
        };
        for body in bodies {
            if body > 0 && !self.admits(self.category(body)) {
                continue;
            }
            let (pos, mat) = if self.shows(VisFlag::Inertia) {
                (d.xipos[body], &d.ximat[body])
            } else {
                (d.xpos[body], &d.xmat[body])
            };
            let size = if body == 0 { 2.0 } else { 1.0 };
            self.frame(body, pos, mat, length * size, width * size);
        }
    }

    pub(super) fn body_labels(&mut self) {
        if self.shows(VisFlag::Inertia) {
            return; // inertias carry them
        }
        let d = self.d;
        for body in 1..self.m.nbody {
            let selected = self.labels(Label::Selection) && self.perturb.select == body as i32;
            if (selected || self.labels(Label::Body)) && self.admits(self.category(body)) {
                let geom = self.decor(body);
                let label = self.label(ObjType::Body, body);
                let (pos, mat) = (single(d.xpos[body]), single(d.xmat[body]));
                self.push(Geom { kind: GeomType::Label as i32, pos, mat, label, ..geom });
            }
        }
    }

    pub(super) fn island_labels(&mut self) {
        let (m, d) = (self.m, self.d);
        if !self.labels(Label::Island) || d.nisland == 0 {
            return;
        }
        for body in 1..m.nbody {
            let weld = m.body_weldid[body] as usize;
            if m.body_dofnum[weld] == 0 {
                continue;
            }
            let island = d.dof_island[m.body_dofadr[weld] as usize];
            if island >= 0 {
                let geom = self.decor(body);
                let label = crate::table::Text::new(&island.to_string());
                let (pos, mat) = (single(d.xipos[body]), single(d.ximat[body]));
                self.push(Geom { kind: GeomType::Label as i32, pos, mat, label, ..geom });
            }
        }
    }

    pub(super) fn joints(&mut self) {
        if !self.shows(VisFlag::Joint) {
            return;
        }
        let (m, d) = (self.m, self.d);
        let length = f64::from(m.vis.scale.jointlength * self.scale());
        let width = f64::from(m.vis.scale.jointwidth * self.scale());
        for joint in 0..m.njnt {
            if !super::in_group(&self.option.jointgroup, m.jnt_group[joint]) {
                continue;
            }
            let mut geom = self.blank(joint, CatBit::Decor, ObjType::Joint);
            let body = m.jnt_bodyid[joint] as usize;
            let from = d.xanchor[joint];
            let to = vec3::add_scaled(from, d.xaxis[joint], length);
            let kind = JointType::try_from(m.jnt_type[joint]);
            let placed = match kind {
                Ok(JointType::Slide) => geom.connect(GeomType::Arrow, width, from, to),
                Ok(JointType::Hinge) => geom.connect(GeomType::Arrow1, width, from, to),
                _ => {
                    let free = kind == Ok(JointType::Free);
                    geom.kind = if free { GeomType::Box } else { GeomType::Sphere } as i32;
                    geom.size = [(0.3 * length) as f32; 3];
                    geom.pos = single(from);
                    geom.mat = single(d.xmat[body]);
                    Ok(())
                }
            };
            let impedance = self.limit_impedance(ConstraintType::LimitJoint, joint);
            let [r, g, b, _] = color::blend(m.vis.rgba.joint, m.vis.rgba.constraint, impedance);
            geom.rgba = [r, g, b, 1.0];
            if self.labels(Label::Joint) {
                geom.label = self.label(ObjType::Joint, joint);
            }
            if placed.is_ok() {
                self.push(geom);
            }
        }
    }

    pub(super) fn centers_of_mass(&mut self) {
        if !self.shows(VisFlag::Com) {
            return;
        }
        let (m, d) = (self.m, self.d);
        let size = [self.scale() * m.vis.scale.com; 3];
        for body in (1..m.nbody).filter(|&i| m.body_rootid[i] == i as i32) {
            let geom = self.decor(body);
            let kind = GeomType::Sphere as i32;
            self.push(Geom { kind, size, pos: single(d.subtree_com[body]), rgba: m.vis.rgba.com, ..geom });
        }
    }

    /// From each centre of mass through the joints to the centre of mass of the parent.
    pub(super) fn connections(&mut self) {
        if !self.shows(VisFlag::Autoconnect) {
            return;
        }
        let (m, d) = (self.m, self.d);
        let width = f64::from(self.scale() * m.vis.scale.connect);
        for body in (1..m.nbody).filter(|&i| m.body_parentid[i] != 0) {
            let first = m.body_jntadr[body].max(0) as usize;
            let joints = (first..first + m.body_jntnum[body] as usize).rev().map(|j| d.xanchor[j]);
            let mut from = d.xipos[body];
            for to in joints.chain([d.xipos[m.body_parentid[body] as usize]]) {
                let geom = self.decor(body);
                self.connect_colored(geom, GeomType::Capsule, width, [from, to], m.vis.rgba.connect);
                from = to;
            }
        }
    }
}

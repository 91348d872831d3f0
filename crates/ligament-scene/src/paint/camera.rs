//! Cameras with what they see, and lights.

use super::Painter;
use super::bvh::LINE_WIDTH;
use crate::Geom;
use crate::camera::sensor_frustum;
use crate::geom::single;
use crate::pose::z_to;
use ligament_math::{Vec3, mat3, quat, vec3};
use ligament_model::enums::{CatBit, Frame, GeomType, Label, ObjType, Projection, VisFlag};
use std::f64::consts::PI;

impl Painter<'_> {
    pub(super) fn cameras(&mut self) {
        if !self.shows(VisFlag::Camera) {
            return;
        }
        let (m, d) = (self.m, self.d);
        let (length, width) = self.frame_size();
        let unit = self.scale() * m.vis.scale.camera;
        for id in 0..m.ncam {
            let mut rgba = m.vis.rgba.camera;
            if m.cam_resolution[id].iter().any(|&n| n > 1) {
                rgba[3] = 0.3;
                self.camera_frustum(id);
            }
            let (pos, mat) = (d.cam_xpos[id], d.cam_xmat[id]);
            let geom = self.blank(id, CatBit::Decor, ObjType::Camera);
            let size = [1.0, 0.8, 0.4].map(|s| (f64::from(unit) * s) as f32);
            let kind = GeomType::Box as i32;
            let mut geom = Geom { kind, size, pos: single(pos), mat: single(mat), rgba, ..geom };
            if self.labels(Label::Camera) {
                geom.label = self.label(ObjType::Camera, id);
            }
            self.push(geom);

            let geom = self.blank(id, CatBit::Decor, ObjType::Camera);
            let offset = f64::from(unit) * 0.6;
            let lens = std::array::from_fn(|k| (pos[k] - offset * mat[3 * k + 2]) as f32);
            let size = [0.4, 0.4, 0.3].map(|s| (f64::from(unit) * s) as f32);
            let dark = [rgba[0] * 0.5, rgba[1] * 0.5, rgba[2] * 0.5, rgba[3]];
            let kind = GeomType::Cylinder as i32;
            self.push(Geom { kind, size, pos: lens, mat: single(mat), rgba: dark, ..geom });
            if self.frames(Frame::Camera) {
                self.frame(id, pos, &mat, length, width);
            }
        }
    }

    /// Half heights and half widths of the near plane of a camera of the model.
    fn near_plane(&self, id: usize, near: f64) -> ([f32; 2], [f32; 2]) {
        let m = self.m;
        let [columns, rows] = m.cam_resolution[id];
        let aspect = columns as f32 / rows as f32;
        let fovy = m.cam_fovy[id];
        if m.cam_projection[id] == Projection::Orthographic as i32 {
            let width = (fovy * f64::from(aspect) / 2.0) as f32;
            ([(fovy / 2.0) as f32; 2], [width; 2])
        } else if m.cam_sensorsize[id].iter().all(|&s| s != 0.0) {
            let (intrinsic, size) = (m.cam_intrinsic[id], m.cam_sensorsize[id]);
            let half = |axis| sensor_frustum(near as f32, intrinsic, size, axis);
            (half(1), half(0))
        } else {
            let height = (near * (fovy * PI / 360.0).tan()) as f32;
            ([height; 2], [height * aspect; 2])
        }
    }

    fn camera_frustum(&mut self, id: usize) {
        let (m, d) = (self.m, self.d);
        let orthographic = m.cam_projection[id] == Projection::Orthographic as i32;
        let near = f64::from(m.vis.map.znear) * m.stat.extent;
        let mut far = f64::from(m.vis.scale.frustum * self.scale());
        let (mut vertical, mut horizontal) = self.near_plane(id, near);
        let axes: [Vec3; 3] = std::array::from_fn(|k| mat3::col(&d.cam_xmat[id], k));
        let corners = |depth: f64, vertical: [f32; 2], horizontal: [f32; 2]| -> [Vec3; 4] {
            let center = vec3::add_scaled(d.cam_xpos[id], axes[2], -depth);
            [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(right, up)| {
                let x = f64::from(if right == 1 { horizontal[1] } else { -horizontal[0] });
                let y = f64::from(if up == 1 { vertical[1] } else { -vertical[0] });
                vec3::add_scaled(vec3::add_scaled(center, axes[0], x), axes[1], y)
            })
        };
        let front = corners(near, vertical, horizontal);
        if orthographic {
            far = f64::from((horizontal[0] + vertical[0]) / 2.0);
        } else {
            let widen = |x: f32| (f64::from(x) * (far / near)) as f32;
            (vertical, horizontal) = (vertical.map(widen), horizontal.map(widen));
        }
        let back = corners(far, vertical, horizontal);
        let rgba = m.vis.rgba.frustum;
        for edge in 0..4 {
            let next = (edge + 1) % 4;
            for triangle in [[front[edge], back[edge], front[next]], [back[edge], back[next], front[next]]] {
                let mut geom = self.blank(id, CatBit::Decor, ObjType::Camera);
                geom.span(triangle, rgba);
                self.push(geom);
            }
            for ends in [[front[edge], front[next]], [back[edge], back[next]], [front[edge], back[edge]]] {
                let geom = self.blank(id, CatBit::Decor, ObjType::Camera);
                self.connect_colored(geom, GeomType::Line, LINE_WIDTH, ends, rgba);
            }
        }
    }

    pub(super) fn lights(&mut self) {
        if !self.shows(VisFlag::Light) {
            return;
        }
        let (m, d) = (self.m, self.d);
        let (length, width) = self.frame_size();
        let unit = self.scale() * m.vis.scale.light;
        for id in 0..m.nlight {
            let mat = quat::to_mat(z_to(d.light_xdir[id]));
            // behind the light, so that it casts no shadow
            let behind = f64::from(-unit) - 0.0001;
            let pos = single(vec3::add_scaled(d.light_xpos[id], d.light_xdir[id], behind));
            let size = [0.8, 0.8, 1.0].map(|s| (f64::from(unit) * s) as f32);
            let geom = self.blank(id, CatBit::Decor, ObjType::Light);
            let kind = GeomType::Cylinder as i32;
            let mut geom = Geom { kind, size, pos, mat: single(mat), rgba: m.vis.rgba.light, ..geom };
            if self.labels(Label::Light) {
                geom.label = self.label(ObjType::Light, id);
            }
            self.push(geom);
            if self.frames(Frame::Light) {
                self.frame(id, d.light_xpos[id], &mat, length, width);
            }
        }
    }
}

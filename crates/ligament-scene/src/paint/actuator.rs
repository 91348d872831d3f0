//! Actuators, coloured by control or activation.

use super::{Painter, in_group};
use crate::Geom;
use ligament_math::{MINVAL, Vec3, vec3};
use ligament_model::enums::{CatBit, GeomType, JointType, Label, ObjType, TrnType, VisFlag};
use ligament_sim::support::actuator_disabled;

/// By how much shapes of actuators are larger than what they act on.
const INFLATION: f64 = 1.05;

impl Painter<'_> {
    pub(super) fn actuators(&mut self) {
        if !self.shows(VisFlag::Actuator) {
            return;
        }
        let m = self.m;
        for id in 0..m.nu {
            if !in_group(&self.option.actuatorgroup, m.actuator_group[id]) || actuator_disabled(m, id) {
                continue;
            }
            let rgba = self.actuator_color(id);
            let target = m.actuator_trnid[id][0] as usize;
            match TrnType::try_from(m.actuator_trntype[id]) {
                Ok(TrnType::Joint | TrnType::Jointinparent) => self.joint_actuator(id, target, rgba),
                Ok(TrnType::Site) => self.site_actuator(id, target, rgba),
                Ok(TrnType::Body) => self.body_actuator(id, target, rgba),
                Ok(TrnType::Tendon) => self.tendon_actuator(id, target, rgba),
                _ => {}
            }
        }
    }

    /// Lower end, resting value and upper end of what an actuator is given.
    fn actuator_range(&self, id: usize) -> Vec3 {
        let m = self.m;
        let [low, high] = if m.actuator_ctrllimited[id] != 0 {
            m.actuator_ctrlrange[id]
        } else if self.shows(VisFlag::Activation) && m.actuator_actlimited[id] != 0 {
            m.actuator_actrange[id]
        } else {
            [-1.0, 1.0]
        };
        let mut range = if low >= 0.0 {
            [-1.0, low, high]
        } else if high <= 0.0 {
            [low, high, 1.0]
        } else {
            [low, 0.0, high]
        };
        if range[1] - range[0] < MINVAL {
            range[0] = range[1] - MINVAL;
        }
        if range[2] - range[1] < MINVAL {
            range[2] = range[1] + MINVAL;
        }
        range
    }

    fn actuator_color(&self, id: usize) -> [f32; 4] {
        let (m, d) = (self.m, self.d);
        let range = self.actuator_range(id);
        let activated = self.shows(VisFlag::Activation) && m.actuator_dyntype[id] != 0;
        let value = if activated {
            d.act[(m.actuator_actadr[id] + m.actuator_actnum[id] - 1) as usize]
        } else {
            d.ctrl[id]
        };
        let value = if value < range[0] {
            range[0]
        } else if value > range[2] {
            range[2]
        } else {
            value
        };
        let (mut below, mut above) = (0.0, 0.0);
        if value <= range[1] {
            below = ((range[1] - value) / (range[1] - range[0]).max(MINVAL)) as f32;
        } else {
            above = ((value - range[1]) / (range[2] - range[1]).max(MINVAL)) as f32;
        }
        let rest = 1.0 - if value <= range[1] { below } else { above };
        let colors = &m.vis.rgba;
        std::array::from_fn(|k| {
            below * colors.actuatornegative[k]
                + rest * colors.actuator[k]
                + above * colors.actuatorpositive[k]
        })
    }

    fn finish_actuator(&mut self, mut geom: Geom, id: usize, rgba: [f32; 4]) {
        geom.rgba = rgba;
        if self.labels(Label::Actuator) {
            geom.label = self.label(ObjType::Actuator, id);
        }
        self.push(geom);
    }

    fn joint_actuator(&mut self, id: usize, joint: usize, rgba: [f32; 4]) {
        let (m, d) = (self.m, self.d);
        let mut geom = self.blank(id, CatBit::Decor, ObjType::Actuator);
        let kind = JointType::try_from(m.jnt_type[joint]);
        let from = d.xanchor[joint];
        let placed = match kind {
            Ok(JointType::Hinge | JointType::Slide) => {
                let length = f64::from(m.vis.scale.actuatorlength * self.scale());
                let width = f64::from(m.vis.scale.actuatorwidth * self.scale());
                let to = vec3::add_scaled(from, d.xaxis[joint], length);
                let slides = kind == Ok(JointType::Slide);
                geom.connect(if slides { GeomType::Arrow } else { GeomType::Arrow1 }, width, from, to)
            }
            _ => {
                let size = [f64::from(m.vis.scale.jointlength * self.scale()) * 0.33; 3];
                let shape = if kind == Ok(JointType::Ball) { GeomType::Sphere } else { GeomType::Box };
                let mat = &d.xmat[m.jnt_bodyid[joint] as usize];
                geom.init(shape as i32, Some(size), Some(from), Some(mat), None);
                Ok(())
            }
        };
        if placed.is_ok() {
            self.finish_actuator(geom, id, rgba);
        }
    }

    fn site_actuator(&mut self, id: usize, site: usize, rgba: [f32; 4]) {
        let (m, d) = (self.m, self.d);
        let mut geom = self.blank(id, CatBit::Decor, ObjType::Actuator);
        let size = vec3::scale(m.site_size[site], INFLATION);
        geom.init(m.site_type[site], Some(size), Some(d.site_xpos[site]), Some(&d.site_xmat[site]), None);
        self.finish_actuator(geom, id, rgba);
    }

    /// Around all simple shapes of a body.
    fn body_actuator(&mut self, id: usize, body: usize, rgba: [f32; 4]) {
        let (m, d) = (self.m, self.d);
        let first = m.body_geomadr[body].max(0) as usize;
        for shape in first..first + m.body_geomnum[body] as usize {
            let kind = GeomType::try_from(m.geom_type[shape]);
            if matches!(kind, Ok(GeomType::Plane | GeomType::Hfield | GeomType::Mesh | GeomType::Sdf)) {
                continue;
            }
            let mut geom = self.blank(id, CatBit::Decor, ObjType::Actuator);
            let size = vec3::scale(m.geom_size[shape], INFLATION);
            let (pos, mat) = (d.geom_xpos[shape], &d.geom_xmat[shape]);
            geom.init(m.geom_type[shape], Some(size), Some(pos), Some(mat), Some(rgba));
            self.push(geom);
        }
    }

    fn tendon_actuator(&mut self, id: usize, tendon: usize, rgba: [f32; 4]) {
        let m = self.m;
        let first = self.d.ten_wrapadr[tendon] as usize;
        for place in self.path_segments(tendon) {
            let mut geom = self.blank(id, CatBit::Decor, ObjType::Actuator);
            self.set_material(&mut geom, m.tendon_matid[tendon], m.tendon_rgba[tendon]);
            geom.rgba = rgba;
            if self.labels(Label::Actuator) && place == first {
                geom.label = self.label(ObjType::Actuator, id);
            }
            self.connect_path(geom, tendon, place, f64::from(m.vis.map.actuatortendon));
        }
    }
}

//! Spatial tendons and slider-cranks.

use super::{Painter, in_group};
use crate::{Geom, catenary, color};
use ligament_math::{MINVAL, Vec3, mat3, vec3};
use ligament_model::enums::{CatBit, ConstraintType, DisableBit, GeomType, Label, ObjType, TrnType, VisFlag};

/// Most points of a slack string.
const MAXCATENARY: i32 = 100;

impl Painter<'_> {
    pub(super) fn tendons(&mut self) {
        if !self.admits(CatBit::Dynamic) || !self.shows(VisFlag::Tendon) {
            return;
        }
        for tendon in 0..self.m.ntendon {
            if in_group(&self.option.tendongroup, self.m.tendon_group[tendon]) {
                match self.slack_length(tendon) {
                    Some(length) => self.hanging_tendon(tendon, length),
                    None => self.straight_tendon(tendon),
                }
            }
        }
    }

    /// Length of a tendon that hangs under gravity: a free string between two sites.
    fn slack_length(&self, tendon: usize) -> Option<f64> {
        let (m, d) = (self.m, self.d);
        let spring = m.tendon_lengthspring[tendon];
        let held_by_spring = m.tendon_stiffness[tendon] > 0.0 && spring[0] == 0.0 && spring[1] > 0.0;
        let [lower, upper] = m.tendon_range[tendon];
        let held_by_limit = m.tendon_stiffness[tendon] == 0.0
            && m.tendon_limited[tendon] == 1
            && lower == 0.0
            && d.ten_length[tendon] < upper;
        let falls = !m.opt.disabled(DisableBit::Gravity) && vec3::norm(m.opt.gravity) > MINVAL;
        let passive = m.tendon_damping[tendon] == 0.0 && m.tendon_frictionloss[tendon] == 0.0;
        let driven = (0..m.nu).any(|i| {
            m.actuator_trntype[i] == TrnType::Tendon as i32 && m.actuator_trnid[i][0] == tendon as i32
        });
        let hangs =
            falls && m.tendon_num[tendon] == 2 && held_by_spring != held_by_limit && passive && !driven;
        hangs.then_some(if held_by_limit { upper } else { spring[1] })
    }

    fn hanging_tendon(&mut self, tendon: usize, length: f64) {
        let m = self.m;
        let [start, end] = self.path_points(self.d.ten_wrapadr[tendon] as usize);
        let count = (m.vis.quality.numslices + 1).clamp(0, MAXCATENARY) as usize;
        let points = catenary(start, end, m.opt.gravity, length, count);
        for pair in points.windows(2) {
            let mut geom = self.blank(tendon, CatBit::Dynamic, ObjType::Tendon);
            self.set_material(&mut geom, m.tendon_matid[tendon], m.tendon_rgba[tendon]);
            if self.labels(Label::Tendon) {
                geom.label = self.label(ObjType::Tendon, tendon);
            }
            self.connect(geom, GeomType::Capsule, m.tendon_width[tendon], pair[0], pair[1]);
        }
    }

    fn straight_tendon(&mut self, tendon: usize) {
        let m = self.m;
        let rgba = self.tendon_color(tendon);
        let first = self.d.ten_wrapadr[tendon] as usize;
        for place in self.path_segments(tendon) {
            let mut geom = self.blank(tendon, CatBit::Dynamic, ObjType::Tendon);
            self.set_material(&mut geom, m.tendon_matid[tendon], rgba);
            if self.shows(VisFlag::Island) {
                geom.matid = -1;
                let row = self.d.tendon_efcadr.get(tendon).copied().unwrap_or(-1);
                geom.rgba = color::island(self.island_of_row(row), true);
            }
            if self.labels(Label::Tendon) && place == first {
                geom.label = self.label(ObjType::Tendon, tendon);
            }
            self.connect_path(geom, tendon, place, 1.0);
        }
    }

    /// Plain tendons change colour as their limit becomes active.
    fn tendon_color(&self, tendon: usize) -> [f32; 4] {
        let m = self.m;
        let rgba = m.tendon_rgba[tendon];
        if m.tendon_matid[tendon] == -1 && rgba == [0.5, 0.5, 0.5, 1.0] {
            let impedance = self.limit_impedance(ConstraintType::LimitTendon, tendon);
            color::blend(rgba, m.vis.rgba.constraint, impedance)
        } else {
            rgba
        }
    }

    /// Impedance of the limit of a joint or tendon; 0 while it is not active.
    pub(super) fn limit_impedance(&self, kind: ConstraintType, id: usize) -> f64 {
        let d = self.d;
        let limits = d.ne + d.nf..d.ne + d.nf + d.nl;
        let rows = limits.rev().find(|&row| d.efc_type[row] == kind as i32 && d.efc_id[row] == id as i32);
        rows.map_or(0.0, |row| d.efc_KBIP[row][2])
    }

    /// Places along the path of a tendon from which a visible piece leads to the next.
    pub(super) fn path_segments(&self, tendon: usize) -> Vec<usize> {
        let d = self.d;
        let first = d.ten_wrapadr[tendon] as usize;
        let count = d.ten_wrapnum[tendon] as usize;
        let objects = d.wrap_obj.as_flattened();
        (first..(first + count).saturating_sub(1))
            .filter(|&i| objects[i] != -2 && objects[i + 1] != -2)
            .collect()
    }

    fn path_points(&self, place: usize) -> [Vec3; 2] {
        let (points, _) = self.d.wrap_xpos.as_flattened().as_chunks::<3>();
        [points[place], points[place + 1]]
    }

    /// Adds a piece of a tendon; it is thinner inside of objects that it wraps.
    pub(super) fn connect_path(&mut self, geom: Geom, tendon: usize, place: usize, thickness: f64) {
        let objects = self.d.wrap_obj.as_flattened();
        let inside = objects[place] >= 0 && objects[place + 1] >= 0;
        let width = self.m.tendon_width[tendon] * if inside { 0.5 } else { 1.0 };
        let [from, to] = self.path_points(place);
        self.connect(geom, GeomType::Capsule, width * thickness, from, to);
    }

    pub(super) fn slider_cranks(&mut self) {
        if !self.admits(CatBit::Dynamic) {
            return;
        }
        let (m, d) = (self.m, self.d);
        let width = self.scale() * m.vis.scale.slidercrank;
        for id in (0..m.nu).filter(|&i| m.actuator_trntype[i] == TrnType::Slidercrank as i32) {
            let [crank, slider] = m.actuator_trnid[id].map(|site| site as usize);
            let rod = m.actuator_cranklength[id];
            let axis = mat3::col(&d.site_xmat[slider], 2);
            let offset = vec3::sub(d.site_xpos[crank], d.site_xpos[slider]);
            let along = vec3::dot(offset, axis);
            let discriminant = along * along + rod * rod - vec3::dot(offset, offset);
            let broken = discriminant < 0.0;
            let length = along - if broken { 0.0 } else { discriminant.sqrt() };
            let end = vec3::add(vec3::scale(axis, length), d.site_xpos[slider]);

            let rgba = m.vis.rgba.slidercrank;
            let mut geom = Geom { rgba, ..self.blank(id, CatBit::Dynamic, ObjType::Actuator) };
            if self.labels(Label::Actuator) {
                geom.label = self.label(ObjType::Actuator, id);
            }
            self.connect(geom, GeomType::Cylinder, f64::from(width), d.site_xpos[slider], end);

            let rgba = if broken { m.vis.rgba.crankbroken } else { rgba };
            let geom = Geom { rgba, ..self.blank(id, CatBit::Dynamic, ObjType::Actuator) };
            self.connect(geom, GeomType::Capsule, f64::from(width) / 2.0, end, d.site_xpos[crank]);
        }
    }
}

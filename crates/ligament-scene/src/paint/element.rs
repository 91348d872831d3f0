//! Elements of the model with a shape: flexes, skins, geoms, sites.

use super::{Painter, in_group};
use crate::geom::single;
use crate::{Geom, MAXPLANEGRID, color};
use ligament_math::{Vec3, mat3, vec3};
use ligament_model::enums::{CatBit, EnableBit, Frame, GeomType, Label, ObjType, VisFlag};
use ligament_sim::sleep::sleep_cycle;

impl Painter<'_> {
    pub(super) fn flexes(&mut self) {
        let (m, d) = (self.m, self.d);
        let parts = [VisFlag::Flexvert, VisFlag::Flexedge, VisFlag::Flexface, VisFlag::Flexskin];
        if !self.admits(CatBit::Dynamic) || !parts.into_iter().any(|part| self.shows(part)) {
            return;
        }
        for flex in (0..m.nflex).filter(|&i| in_group(&self.option.flexgroup, m.flex_group[i])) {
            let mut geom = self.blank(flex, CatBit::Dynamic, ObjType::Flex);
            let first = d.flexvert_xpos[m.flex_vertadr[flex] as usize];
            geom.init(GeomType::Flex as i32, None, Some(first), None, None);
            geom.size[0] = m.flex_radius[flex] as f32;
            self.set_material(&mut geom, m.flex_matid[flex], m.flex_rgba[flex]);
            if m.flex_texcoordadr[flex] >= 0 {
                geom.texcoord = 1;
            } else {
                geom.matid = -1;
            }
            if self.perturb.flexselect == flex as i32 {
                self.mark(&mut geom);
            }
            self.finish(geom, Label::Flex, ObjType::Flex, flex);
        }
    }

    pub(super) fn skins(&mut self) {
        let (m, d) = (self.m, self.d);
        if !self.admits(CatBit::Dynamic) || !self.shows(VisFlag::Skin) {
            return;
        }
        for skin in (0..m.nskin).filter(|&i| in_group(&self.option.skingroup, m.skin_group[i])) {
            let mut geom = self.blank(skin, CatBit::Dynamic, ObjType::Skin);
            let first = d.xpos[m.skin_bonebodyid[m.skin_boneadr[skin] as usize] as usize];
            geom.init(GeomType::Skin as i32, None, Some(first), None, None);
            self.set_material(&mut geom, m.skin_matid[skin], m.skin_rgba[skin]);
            if self.perturb.skinselect == skin as i32 {
                self.mark(&mut geom);
            }
            geom.texcoord = i32::from(m.skin_texcoordadr[skin] >= 0);
            self.finish(geom, Label::Skin, ObjType::Skin, skin);
        }
    }

    pub(super) fn geoms(&mut self) {
        let (m, d) = (self.m, self.d);
        let mut plane = -1;
        for id in 0..m.ngeom {
            let kind = m.geom_type[id];
            plane += i32::from(kind == GeomType::Plane as i32);
            let body = m.geom_bodyid[id] as usize;
            let category = self.category(body);
            if !self.admits(category) || !in_group(&self.option.geomgroup, m.geom_group[id]) {
                continue;
            }
            let mut geom = self.blank(id, category, ObjType::Geom);
            geom.init(kind, Some(m.geom_size[id]), Some(d.geom_xpos[id]), Some(&d.geom_xmat[id]), None);
            geom.dataid = m.geom_dataid[id];
            geom.modelrbound = m.geom_rbound[id] as f32;
            self.set_material(&mut geom, m.geom_matid[id], self.tints.apply(id, m.geom_rgba[id]));
            if self.shows(VisFlag::Island) {
                self.color_by_island(&mut geom, body);
            }
            if geom.rgba[3] == 0.0 {
                continue;
            }
            if self.perturb.select > 0 && self.perturb.select as usize == body {
                self.mark(&mut geom);
            }
            match GeomType::try_from(kind) {
                Ok(GeomType::Mesh | GeomType::Sdf) => self.set_mesh(&mut geom, id),
                Ok(GeomType::Plane) => {
                    geom.dataid = plane;
                    geom.pos = single(self.plane_position(id));
                }
                _ => {}
            }
            self.finish(geom, Label::Geom, ObjType::Geom, id);
        }
    }

    /// Meshes have even numbers, their hulls odd ones.
    fn set_mesh(&self, geom: &mut Geom, id: usize) {
        let m = self.m;
        geom.dataid *= 2;
        let Ok(mesh) = usize::try_from(m.geom_dataid[id]) else { return };
        geom.texcoord = i32::from(m.mesh_texcoordadr[mesh] >= 0);
        let collides = m.geom_contype[id] != 0 || m.geom_conaffinity[id] != 0;
        if m.mesh_graphadr[mesh] >= 0 && self.shows(VisFlag::Convexhull) && collides {
            geom.dataid += 1;
        }
    }

    /// Infinite planes follow the camera in steps that keep their texture in place.
    fn plane_position(&self, id: usize) -> Vec3 {
        let (m, d) = (self.m, self.d);
        let mut pos = d.geom_xpos[id];
        let eyes = &self.scene.camera;
        let offset: Vec3 =
            std::array::from_fn(|k| 0.5 * f64::from(eyes[0].pos[k] + eyes[1].pos[k]) - d.geom_xpos[id][k]);
        for k in (0..2).filter(|&k| m.geom_size[id][k] <= 0.0) {
            let far = f64::from(m.vis.map.zfar) * m.stat.extent;
            let repeat =
                usize::try_from(m.geom_matid[id]).map_or(0.0, |material| m.mat_texrepeat[material][k]);
            let step =
                if repeat > 0.0 { f64::from(2.0 / repeat) } else { 2.1 * far / (MAXPLANEGRID - 2) as f64 };
            let axis = mat3::col(&d.geom_xmat[id], k);
            let steps = round_half_up(0.5 * vec3::dot(offset, axis) / step);
            pos = vec3::add_scaled(pos, axis, 2.0 * step * steps);
        }
        pos
    }

    /// Colours what can move by its island, and without islands by its sleeping tree.
    fn color_by_island(&self, geom: &mut Geom, body: usize) {
        let (m, d) = (self.m, self.d);
        let weld = m.body_weldid[body] as usize;
        if m.body_dofnum[weld] == 0 {
            return;
        }
        geom.matid = -1;
        let dof = m.body_dofadr[weld] as usize;
        let island = if d.nisland > 0 { d.dof_island[dof] } else { -1 };
        let awake = d.body_awake[body] != 0;
        let mut first = self.first_dof(island);
        if first.is_none() && m.opt.enabled(EnableBit::Sleep) {
            let tree = m.dof_treeid[dof] as usize;
            let shown = if awake { Some(tree) } else { sleep_cycle(&d.tree_asleep, tree) };
            first = shown.map(|tree| m.tree_dofadr[tree] as usize);
        }
        geom.rgba = color::island(first, awake);
    }

    pub(super) fn sites(&mut self) {
        let (m, d) = (self.m, self.d);
        for id in 0..m.nsite {
            let body = m.site_bodyid[id] as usize;
            let category = self.category(body);
            if !self.admits(category) || !in_group(&self.option.sitegroup, m.site_group[id]) {
                continue;
            }
            let mut geom = self.blank(id, category, ObjType::Site);
            geom.init(
                m.site_type[id],
                Some(m.site_size[id]),
                Some(d.site_xpos[id]),
                Some(&d.site_xmat[id]),
                None,
            );
            self.set_material(&mut geom, m.site_matid[id], m.site_rgba[id]);
            if self.perturb.select > 0 && self.perturb.select as usize == body {
                self.mark(&mut geom);
            }
            self.finish(geom, Label::Site, ObjType::Site, id);
        }
    }

    /// Adds an element with its label, unless it is invisible.
    fn finish(&mut self, mut geom: Geom, label: Label, kind: ObjType, id: usize) {
        if geom.rgba[3] != 0.0 {
            if self.labels(label) {
                geom.label = self.label(kind, id);
            }
            self.push(geom);
        }
    }

    pub(super) fn geom_frames(&mut self) {
        if !self.frames(Frame::Geom) {
            return;
        }
        let (m, d) = (self.m, self.d);
        let (length, width) = self.frame_size();
        for id in 0..m.ngeom {
            let visible = self.admits(self.category(m.geom_bodyid[id] as usize))
                && in_group(&self.option.geomgroup, m.geom_group[id])
                && self.alpha(m.geom_matid[id], m.geom_rgba[id]) != 0.0;
            if visible {
                self.frame(id, d.geom_xpos[id], &d.geom_xmat[id], length, width);
            }
        }
    }

    pub(super) fn site_frames(&mut self) {
        if !self.frames(Frame::Site) {
            return;
        }
        let (m, d) = (self.m, self.d);
        let (length, width) = self.frame_size();
        for id in 0..m.nsite {
            let visible = self.admits(self.category(m.site_bodyid[id] as usize))
                && in_group(&self.option.sitegroup, m.site_group[id])
                && self.alpha(m.site_matid[id], m.site_rgba[id]) != 0.0;
            if visible {
                self.frame(id, d.site_xpos[id], &d.site_xmat[id], length, width);
            }
        }
    }

    fn alpha(&self, material: i32, rgba: [f32; 4]) -> f32 {
        usize::try_from(material).map_or(rgba[3], |id| self.m.mat_rgba[id][3])
    }
}

/// Nearest whole number.
fn round_half_up(x: f64) -> f64 {
    let (lower, upper) = (x.floor(), x.ceil());
    if x - lower < upper - x { lower } else { upper }
}

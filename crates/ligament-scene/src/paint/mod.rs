//! Which geoms show a model in its present state, in the order of the reference.
//!
//! Sizes follow its mixture of single and double precision, so that the numbers agree to the last bit.

mod actuator;
mod body;
mod bvh;
mod camera;
mod contact;
mod decor;
mod element;
mod perturb;
mod sensor;
mod tendon;

use crate::additions::{self, Tints};
use crate::{Geom, NGROUP, Perturb, Scene, VisualOption};
use ligament_math::{Mat3, Vec3, mat3, vec3};
use ligament_model::enums::{CatBit, Frame, GeomType, Label, ObjType, VisFlag};
use ligament_model::{Data, Model};

/// Whether a group is shown; numbers out of range count as the nearest group.
pub(crate) fn in_group(groups: &[u8; NGROUP], group: i32) -> bool {
    groups[group.clamp(0, NGROUP as i32 - 1) as usize] != 0
}

/// Adds the geoms of a model (`mjv_addGeoms`); `categories` are bits of [`CatBit`].
pub fn add_geoms(
    m: &Model,
    d: &Data,
    option: &VisualOption,
    perturb: &Perturb,
    categories: i32,
    scene: &mut Scene,
) {
    let tints = additions::tints(m, d, option);
    paint(m, d, option, perturb, categories, scene, &tints);
}

/// As [`add_geoms`], with the colours that plugins ask for.
pub(crate) fn paint(
    m: &Model,
    d: &Data,
    option: &VisualOption,
    perturb: &Perturb,
    categories: i32,
    scene: &mut Scene,
    tints: &Tints,
) {
    let hidden = if option.shows(VisFlag::Static) { 0 } else { CatBit::Static as i32 };
    let mut painter = Painter { m, d, option, perturb, categories: categories & !hidden, scene, tints };
    painter.add_model();
    if painter.admits(CatBit::Decor) {
        painter.add_decoration();
    }
}

struct Painter<'a> {
    m: &'a Model,
    d: &'a Data,
    option: &'a VisualOption,
    perturb: &'a Perturb,
    categories: i32,
    scene: &'a mut Scene,
    tints: &'a Tints,
}

impl Painter<'_> {
    fn add_model(&mut self) {
        self.flexes();
        self.skins();
        self.geoms();
        self.sites();
        self.tendons();
        self.slider_cranks();
    }

    fn add_decoration(&mut self) {
        self.geom_frames();
        self.site_frames();
        self.body_volumes();
        self.flex_volumes();
        self.mesh_volumes();
        self.mesh_octrees();
        self.tactile_sensors();
        self.inertias();
        self.perturbation();
        self.body_frames();
        self.selected_point();
        self.body_labels();
        self.joints();
        self.actuators();
        self.island_labels();
        self.cameras();
        self.lights();
        self.centers_of_mass();
        self.connections();
        self.rangefinders();
        self.applied_forces();
        self.constraints();
        self.contacts();
    }

    fn shows(&self, flag: VisFlag) -> bool {
        self.option.shows(flag)
    }

    fn labels(&self, label: Label) -> bool {
        self.option.label == label as i32
    }

    fn frames(&self, frame: Frame) -> bool {
        self.option.frame == frame as i32
    }

    fn admits(&self, category: CatBit) -> bool {
        self.categories & category as i32 != 0
    }

    /// Size of a typical body, as most of the reference sees it.
    fn scale(&self) -> f32 {
        self.m.stat.meansize as f32
    }

    /// Whether a body belongs to the world or moves; mocap bodies move.
    fn category(&self, body: usize) -> CatBit {
        let root = self.m.body_rootid[body] as usize;
        let fixed = self.m.body_weldid[body] == 0 && self.m.body_mocapid[root] == -1;
        if fixed { CatBit::Static } else { CatBit::Dynamic }
    }

    fn blank(&mut self, id: usize, category: CatBit, kind: ObjType) -> Geom {
        self.scene.blank(id, category, kind)
    }

    fn decor(&mut self, id: usize) -> Geom {
        self.scene.blank(id, CatBit::Decor, ObjType::Unknown)
    }

    fn push(&mut self, geom: Geom) {
        self.scene.push(geom);
    }

    /// Adds a geom that reaches from one point to another.
    fn connect(&mut self, mut geom: Geom, kind: GeomType, width: f64, from: Vec3, to: Vec3) {
        if geom.connect(kind, width, from, to).is_ok() {
            self.push(geom);
        }
    }

    fn connect_colored(&mut self, geom: Geom, kind: GeomType, width: f64, ends: [Vec3; 2], rgba: [f32; 4]) {
        self.connect(Geom { rgba, ..geom }, kind, width, ends[0], ends[1]);
    }

    /// Three coloured axes.
    fn frame(&mut self, id: usize, pos: Vec3, axes: &Mat3, length: f64, width: f64) {
        let (length, width) = (f64::from(length as f32), f64::from(width as f32));
        for axis in 0..3 {
            let mut along = [0.0; 3];
            along[axis] = length;
            let mut rgba = [0.0, 0.0, 0.0, 1.0];
            rgba[axis] = 0.9;
            let end = vec3::add(pos, mat3::mul_vec(axes, along));
            let geom = self.decor(id);
            self.connect_colored(geom, GeomType::Cylinder, width, [pos, end], rgba);
        }
    }

    /// Length and width of frames.
    fn frame_size(&self) -> (f64, f64) {
        let scale = self.scale();
        let sizes = &self.m.vis.scale;
        (f64::from(sizes.framelength * scale), f64::from(sizes.framewidth * scale))
    }

    /// Name of an element, or its kind and number.
    fn label(&self, kind: ObjType, id: usize) -> crate::table::Text<100> {
        let text = self.m.name(kind, id).map_or_else(|| format!("{} {id}", word(kind)), str::to_owned);
        crate::table::Text::new(&text)
    }

    /// Takes the look of a geom from a material, unless a colour of its own says otherwise.
    fn set_material(&self, geom: &mut Geom, material: i32, rgba: [f32; 4]) {
        let m = self.m;
        let id = usize::try_from(material).ok();
        if let Some(id) = id {
            geom.rgba = m.mat_rgba[id];
            geom.emission = m.mat_emission[id];
            geom.specular = m.mat_specular[id];
            geom.shininess = m.mat_shininess[id];
            geom.reflectance = m.mat_reflectance[id];
        }
        if rgba != [0.5, 0.5, 0.5, 1.0] || id.is_none() {
            geom.rgba = rgba;
        }
        if self.shows(VisFlag::Texture) && id.is_some() {
            geom.matid = material;
        }
        if self.shows(VisFlag::Transparent) && geom.category == CatBit::Dynamic as i32 {
            geom.rgba[3] *= m.vis.map.alpha;
        }
    }

    /// Makes a selected geom glow.
    fn mark(&self, geom: &mut Geom) {
        geom.emission += self.m.vis.global.glow;
    }

    /// First dof of the island of a constraint row.
    fn island_of_row(&self, row: i32) -> Option<usize> {
        if self.d.nisland == 0 {
            return None;
        }
        let island = *self.d.efc_island.get(usize::try_from(row).ok()?)?;
        self.first_dof(island)
    }

    fn first_dof(&self, island: i32) -> Option<usize> {
        Some(*self.d.island_dofadr.get(usize::try_from(island).ok()?)? as usize)
    }
}

fn word(kind: ObjType) -> &'static str {
    match kind {
        ObjType::Body => "body",
        ObjType::Joint => "joint",
        ObjType::Geom => "geom",
        ObjType::Site => "site",
        ObjType::Camera => "camera",
        ObjType::Light => "light",
        ObjType::Flex => "flex",
        ObjType::Skin => "skin",
        ObjType::Equality => "equality",
        ObjType::Tendon => "tendon",
        ObjType::Actuator => "actuator",
        _ => "element",
    }
}

//! What plugins, parts and callbacks add to a scene before the model itself is drawn.

use crate::{Geom, Scene, VisualOption};
use ligament_model::draw::{Canvas, Sketch};
use ligament_model::enums::{CatBit, ObjType, VisFlag};
use ligament_model::{Data, Model};

/// Colours of geoms that differ from those of the model.
#[derive(Default)]
pub(crate) struct Tints(Vec<Option<[f32; 3]>>);

impl Tints {
    /// The colour of a geom that the model gives another.
    pub(crate) fn apply(&self, geom: usize, [r, g, b, alpha]: [f32; 4]) -> [f32; 4] {
        let [r, g, b] = self.0.get(geom).copied().flatten().unwrap_or([r, g, b]);
        [r, g, b, alpha]
    }

    fn set(&mut self, geom: usize, rgb: [f32; 3]) {
        if self.0.len() <= geom {
            self.0.resize(geom + 1, None);
        }
        self.0[geom] = Some(rgb);
    }
}

/// A scene that takes additions.
struct Easel<'a> {
    option: &'a VisualOption,
    /// Takes shapes; without a scene only colours are asked for.
    scene: Option<&'a mut Scene>,
    tints: Tints,
    /// Was there no room for a shape?
    overfull: bool,
    geoms: usize,
}

impl Canvas for Easel<'_> {
    fn shows(&self, flag: VisFlag) -> bool {
        self.option.shows(flag)
    }

    fn draw(&mut self, sketch: &Sketch, rgba: [f32; 4], id: Option<usize>) -> bool {
        let Some(scene) = self.scene.as_deref_mut() else { return false };
        if scene.is_full() {
            self.overfull = true;
            return false;
        }
        let (objid, segid) = id.map_or((-1, -1), |id| (i32::try_from(id).unwrap_or(-1), scene.ngeom));
        let (objtype, category) = (ObjType::Unknown as i32, CatBit::Decor as i32);
        let mut geom = Geom { objid, segid, objtype, category, ..Geom::default() };
        match *sketch {
            Sketch::Solid { kind, size, pos, mat } => {
                geom.init(kind as i32, Some(size), Some(pos), Some(&mat), Some(rgba));
            }
            Sketch::Connector { kind, width, from, to } => {
                geom.rgba = rgba;
                if geom.connect(kind, width, from, to).is_err() {
                    return false;
                }
            }
        }
        scene.push(geom);
        true
    }

    fn tint(&mut self, geom: usize, rgb: [f32; 3]) {
        if geom < self.geoms {
            self.tints.set(geom, rgb);
        }
    }
}

impl Easel<'_> {
    fn fill(&mut self, m: &Model, d: &Data) {
        ligament_sim::drawing::draw_plugins(m, d, self);
        m.parts.draw(m, d, self);
        if let Some(draw) = &d.callbacks.draw {
            draw(m, d, self);
        }
    }
}

/// Adds shapes to a scene; returns the colours, and whether there was no room for all shapes.
pub(crate) fn add_shapes(m: &Model, d: &Data, option: &VisualOption, scene: &mut Scene) -> (Tints, bool) {
    let mut easel =
        Easel { option, scene: Some(scene), tints: Tints::default(), overfull: false, geoms: m.ngeom };
    easel.fill(m, d);
    (easel.tints, easel.overfull)
}

/// The colours alone.
pub(crate) fn tints(m: &Model, d: &Data, option: &VisualOption) -> Tints {
    let mut easel = Easel { option, scene: None, tints: Tints::default(), overfull: false, geoms: m.ngeom };
    easel.fill(m, d);
    easel.tints
}

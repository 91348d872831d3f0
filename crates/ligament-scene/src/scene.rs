//! The scene: everything that is drawn, in order.

use crate::additions::add_shapes;
use crate::paint::paint;
use crate::table::record;
use crate::{Camera, Geom, GlCamera, Light, MAXLIGHT, NRNDFLAG, Perturb, SceneError, VisualOption};
use crate::{make_lights, update_camera, update_flexes, update_skins};
use ligament_model::enums::{CatBit, ObjType, RndFlag, VisFlag, Warning};
use ligament_model::{Data, Model};
use ligament_sim::collision::mark_visited_volumes;

fn initial_effects() -> [u8; NRNDFLAG] {
    let mut flags = [0; NRNDFLAG];
    for flag in [RndFlag::Shadow, RndFlag::Reflection, RndFlag::Skybox, RndFlag::Haze, RndFlag::CullFace] {
        flags[flag as usize] = 1;
    }
    flags
}

record! {
    /// Shapes, lights and cameras that show a model (`mjvScene`).
    Scene {
        maxgeom: i32 = 0, "most geoms";
        ngeom: i32 = 0, "geoms";
        geomorder: Vec<i32> = Vec::new(), "geoms by distance, set by the renderer";
        nflex: i32 = 0, "flexes";
        flexedgeadr: Vec<i32> = Vec::new(), "first edge of each flex";
        flexedgenum: Vec<i32> = Vec::new(), "edges of each flex";
        flexvertadr: Vec<i32> = Vec::new(), "first vertex of each flex";
        flexvertnum: Vec<i32> = Vec::new(), "vertices of each flex";
        flexfaceadr: Vec<i32> = Vec::new(), "first face of each flex";
        flexfacenum: Vec<i32> = Vec::new(), "most faces of each flex";
        flexfaceused: Vec<i32> = Vec::new(), "faces of each flex that are drawn";
        flexedge: Vec<i32> = Vec::new(), "vertices of edges";
        flexvert: Vec<f32> = Vec::new(), "vertices";
        flexface: Vec<f32> = Vec::new(), "corners of faces";
        flexnormal: Vec<f32> = Vec::new(), "normals at the corners of faces";
        flextexcoord: Vec<f32> = Vec::new(), "texture coordinates of the corners of faces";
        flexvertopt: u8 = 0, "vertices of flexes are drawn";
        flexedgeopt: u8 = 0, "edges of flexes are drawn";
        flexfaceopt: u8 = 0, "faces of flexes are drawn";
        flexskinopt: u8 = 0, "smooth skins of flexes are drawn";
        nskin: i32 = 0, "skins";
        skinfacenum: Vec<i32> = Vec::new(), "faces of each skin";
        skinvertadr: Vec<i32> = Vec::new(), "first vertex of each skin";
        skinvertnum: Vec<i32> = Vec::new(), "vertices of each skin";
        skinvert: Vec<f32> = Vec::new(), "vertices";
        skinnormal: Vec<f32> = Vec::new(), "normals at vertices";
        nlight: i32 = 0, "lights";
        enabletransform: u8 = 0, "the model is moved in the room";
        translate: [f32; 3] = [0.0; 3], "position of the model in the room";
        rotate: [f32; 4] = [0.0; 4], "orientation of the model in the room";
        scale: f32 = 0.0, "size of the model in the room";
        stereo: i32 = 0, "pictures for two eyes";
        flags: [u8; 11] = [0; NRNDFLAG], "effects, by RndFlag";
        framewidth: i32 = 0, "width of a frame around the picture in pixels";
        framergb: [f32; 3] = [0.0; 3], "colour of that frame";
        status: i32 = 0, "1: there was no room for all geoms";
    }
    beside {
        all_geoms: Vec<Geom> = Vec::new(), "memory for geoms, of which the first `ngeom` are in use";
        all_lights: Vec<Light> = vec![Light::default(); MAXLIGHT], "memory for lights, likewise";
        camera: [GlCamera; 2] = [GlCamera::default(); 2], "cameras of the left and the right eye";
    }
}

/// Most geoms that a scene has room for: a quarter of a gigabyte.
pub const MAXGEOM: usize = 1_000_000;

impl Scene {
    /// An empty scene with room for `maxgeom` geoms, up to [`MAXGEOM`], and for the flexes and skins of the model.
    pub fn new(model: Option<&Model>, maxgeom: usize) -> Self {
        let maxgeom = maxgeom.min(MAXGEOM);
        let mut scene = Self {
            maxgeom: maxgeom as i32,
            all_geoms: vec![Geom::default(); maxgeom],
            geomorder: vec![0; maxgeom],
            flags: initial_effects(),
            scale: 1.0,
            rotate: [1.0, 0.0, 0.0, 0.0],
            ..Self::default()
        };
        if let Some(m) = model {
            scene.make_flexes(m);
            scene.make_skins(m);
        }
        scene
    }

    fn make_flexes(&mut self, m: &Model) {
        if m.nflex == 0 {
            return;
        }
        self.nflex = m.nflex as i32;
        self.flexedgeadr = m.flex_edgeadr.to_vec();
        self.flexedgenum = m.flex_edgenum.to_vec();
        self.flexvertadr = m.flex_vertadr.to_vec();
        self.flexvertnum = m.flex_vertnum.to_vec();
        self.flexedge = m.flex_edge.as_flattened().to_vec();
        self.flexvert = vec![0.0; 3 * m.nflexvert];
        self.flexfacenum = (0..m.nflex).map(|flex| most_faces(m, flex) as i32).collect();
        self.flexfaceused = vec![0; m.nflex];
        let mut count = 0;
        self.flexfaceadr = Vec::with_capacity(m.nflex);
        for &faces in &self.flexfacenum {
            self.flexfaceadr.push(count);
            count += faces;
        }
        self.flexface = vec![0.0; 9 * count as usize];
        self.flexnormal = vec![0.0; 9 * count as usize];
        self.flextexcoord = vec![0.0; 6 * count as usize];
    }

    fn make_skins(&mut self, m: &Model) {
        if m.nskin == 0 {
            return;
        }
        self.nskin = m.nskin as i32;
        self.skinfacenum = m.skin_facenum.to_vec();
        self.skinvertadr = m.skin_vertadr.to_vec();
        self.skinvertnum = m.skin_vertnum.to_vec();
        self.skinvert = vec![0.0; 3 * m.nskinvert];
        self.skinnormal = vec![0.0; 3 * m.nskinvert];
    }

    /// The geoms in use.
    pub fn geoms(&self) -> &[Geom] {
        &self.all_geoms[..(self.ngeom.max(0) as usize).min(self.all_geoms.len())]
    }

    /// The lights in use.
    pub fn lights(&self) -> &[Light] {
        &self.all_lights[..(self.nlight.max(0) as usize).min(MAXLIGHT)]
    }

    pub(crate) fn is_full(&self) -> bool {
        usize::try_from(self.ngeom).map_or(true, |n| n >= self.all_geoms.len())
    }

    /// A geom with the number of the next free place; notes when there is none.
    pub(crate) fn blank(&mut self, id: usize, category: CatBit, kind: ObjType) -> Geom {
        if self.is_full() {
            self.status = 1;
        }
        let place = self.ngeom;
        Geom {
            objtype: kind as i32,
            objid: id as i32,
            category: category as i32,
            segid: place,
            ..Geom::default()
        }
    }

    /// Puts a geom into the next free place, if there is one.
    pub(crate) fn push(&mut self, geom: Geom) {
        if !self.is_full() {
            self.all_geoms[self.ngeom as usize] = geom;
            self.ngeom += 1;
        }
    }

    /// Whether the scene has room for the flexes and skins of this model.
    fn check(&self, m: &Model) -> Result<(), SceneError> {
        let faces = 9 * self.flexfacenum.iter().map(|&n| n.max(0) as usize).sum::<usize>();
        let sizes = [
            ("flex vertices", self.flexvert.len() / 3, m.nflexvert),
            ("flexes", self.flexfaceused.len(), m.nflex),
            ("skin vertices", self.skinvert.len() / 3, m.nskinvert),
            ("numbers of flex faces", self.flexface.len(), faces),
        ];
        if let Some((what, found, expected)) =
            sizes.into_iter().find(|(_, found, expected)| found != expected)
        {
            return Err(SceneError::OtherModel { what, found, expected });
        }
        let mut next = 0;
        for (flex, (&first, &count)) in self.flexfaceadr.iter().zip(&self.flexfacenum).enumerate() {
            if first != next || count < 0 {
                return Err(SceneError::Faces(flex));
            }
            next += count; // the sum is the number of faces that the scene has
        }
        Ok(())
    }
}

/// The greatest number of faces that any options show.
fn most_faces(m: &Model, flex: usize) -> usize {
    let (shells, elements) = (m.flex_shellnum[flex] as usize, m.flex_elemnum[flex] as usize);
    if m.flex_dim[flex] == 2 {
        return 2 * shells + 2 * elements;
    }
    let first = m.flex_elemadr[flex] as usize;
    let layers = m.flex_elemlayer.get(first..first + elements).unwrap_or(&[]);
    let in_layer = |layer: i32| layers.iter().filter(|&&l| l == layer).count();
    let most = (0..).map(in_layer).take_while(|&n| n > 0).max().unwrap_or(0);
    shells.max(4 * most)
}

/// Fills a scene from the present state (`mjv_updateScene`). Without a camera, that of the scene stays.
pub fn update_scene(
    m: &Model,
    d: &mut Data,
    option: &VisualOption,
    perturb: &Perturb,
    camera: Option<&mut Camera>,
    categories: i32,
    scene: &mut Scene,
) -> Result<(), SceneError> {
    scene.check(m)?;
    scene.ngeom = 0;
    scene.status = 0;
    if [VisFlag::Bodybvh, VisFlag::Meshbvh].into_iter().any(|flag| option.shows(flag)) {
        mark_visited_volumes(m, d);
    }
    let (tints, overfull) = add_shapes(m, d, option, scene);
    if overfull {
        d.warn(Warning::Vgeomfull, scene.maxgeom as usize);
    }
    paint(m, d, option, perturb, categories, scene, &tints);
    if let Some(camera) = camera {
        update_camera(m, d, camera, scene)?;
    }
    make_lights(m, d, scene)?;
    let flexes = [VisFlag::Flexvert, VisFlag::Flexedge, VisFlag::Flexface, VisFlag::Flexskin];
    if flexes.into_iter().any(|flag| option.shows(flag)) {
        update_flexes(m, d, option, scene);
    }
    if option.shows(VisFlag::Skin) {
        update_skins(m, d, option, scene);
    }
    if scene.status != 0 {
        d.warn(Warning::Vgeomfull, scene.maxgeom as usize);
    }
    Ok(())
}

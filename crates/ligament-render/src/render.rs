//! The order in which a scene is drawn: mirror images, opaque things, shadows, sky, transparent things.

use crate::context::Context;
use crate::frame::{Frame, Rect, TILE};
use crate::light::{Lamp, Look, MAX_LIGHTS};
use crate::matrix::{
    self, Box6, Mat4, Vec3, Vec4, cross, dot, look_at, mul, orthographic, perspective, pose, reflection,
    scaling, translation, unit,
};
use crate::raster::{Blend, Draw, Fog, Pass, Stencil, draw_tile};
use crate::shadow::{self, ShadowMap};
use crate::surfaces::{Moving, Part, parts, texture};
use crate::text::{Font, draw_seamed_text};
use crate::texture::Texture;
use crate::vertex::{Camera, Cull, Mapping, Triangles, Vertices};
use ligament_geom::sdf::halton;
use ligament_math::{MINVAL, quat};
use ligament_model::enums::{CatBit, GeomType, LightType, RndFlag, Stereo};
use ligament_scene::{Geom, GlCamera, Light, Scene, SceneError, average_camera, camera_in_model};

/// Memory that is kept from picture to picture.
#[derive(Debug, Default)]
pub struct Scratch {
    depths: Vec<Vec<f32>>,
}

/// Why a picture cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RenderError {
    #[error(transparent)]
    Scene(#[from] SceneError),
    #[error("stereo pictures are not supported: set scene.stereo to mjSTEREO_NONE")]
    Stereo,
    #[error("there is no memory for a picture of {width} x {height} pixels")]
    Frame { width: usize, height: usize },
    #[error(
        "shapes of {slices} slices, {stacks} stacks and {quads} quads have too many parts: see visual/quality"
    )]
    Quality { slices: usize, stacks: usize, quads: usize },
    #[error("there is no memory for shadows of {0} x {0} pixels: see visual/quality/shadowsize")]
    Shadows(usize),
}

/// Triangles that are collected before they are drawn.
const MOST_TRIANGLES: usize = 1 << 18;

/// Parts of the sky's distance to the far plane: just below 1/√2.
const SKY_DISTANCE: f32 = 0.70;
/// Opacity below which a geom is drawn as transparent.
const OPAQUE: f32 = 0.995;

/// Draws a scene on a part of a frame (`mjr_render`). The scene keeps the order of its transparent geoms.
pub fn render(
    frame: &mut Frame,
    viewport: Rect,
    scene: &mut Scene,
    context: &Context,
    scratch: &mut Scratch,
    threads: usize,
) -> Result<(), RenderError> {
    if viewport.width <= 0 || viewport.height <= 0 {
        return Ok(());
    }
    if scene.stereo != Stereo::None as i32 {
        return Err(RenderError::Stereo);
    }
    if context.shadow_size > shadow::LARGEST {
        return Err(RenderError::Shadows(context.shadow_size));
    }
    let eye = average_camera(&scene.camera[0], &scene.camera[1])?;
    if f64::from(eye.frustum_near) < MINVAL {
        return if scene.ngeom > 0 { Err(SceneError::NearPlane.into()) } else { Ok(()) };
    }
    let head = camera_in_model(scene)?.pos.map(|x| x as f32);
    let order = sort_transparent(scene, head);
    keep_one_mirror(scene);
    let moving = Moving::new(scene, context);
    let geoms = scene.geoms().to_vec();
    let picture = Picture {
        scene,
        context,
        moving: &moving,
        geoms: &geoms,
        order: &order,
        eye,
        head,
        viewport,
        threads,
    };
    picture.draw(frame, scratch)?;
    if scene.flags[RndFlag::Segment as usize] == 0 {
        picture.draw_labels(frame);
    }
    if scene.framewidth > 0 {
        draw_frame(frame, viewport, scene);
    }
    Ok(())
}

/// Whether a point is below a plane.
fn is_behind(point: Vec3, pos: Vec3, mat: &[f32; 9]) -> bool {
    (point[0] - pos[0]) * mat[2] + (point[1] - pos[1]) * mat[5] + (point[2] - pos[2]) * mat[8] < 0.0
}

/// Notes which geoms are transparent; returns them from near to far.
fn sort_transparent(scene: &mut Scene, head: Vec3) -> Vec<usize> {
    let mut order = Vec::new();
    for i in 0..scene.geoms().len() {
        let geom = &mut scene.all_geoms[i];
        let plane = geom.kind == GeomType::Plane as i32;
        geom.transparent = u8::from(geom.rgba[3] < OPAQUE || (plane && is_behind(head, geom.pos, &geom.mat)));
        if geom.transparent != 0 {
            let offset = matrix::sub(geom.pos, head);
            geom.camdist = if plane { 1e10 } else { dot(offset, offset).sqrt() - geom.bounding_radius() };
            order.push(i);
        }
    }
    order.sort_by(|&a, &b| scene.all_geoms[a].camdist.total_cmp(&scene.all_geoms[b].camdist));
    for (target, &source) in scene.geomorder.iter_mut().zip(&order) {
        *target = source as i32;
    }
    order
}

fn is_mirror(geom: &Geom) -> bool {
    let flat = geom.kind == GeomType::Plane as i32 || geom.kind == GeomType::Box as i32;
    flat && geom.transparent == 0 && geom.reflectance > 0.0
}

fn keep_one_mirror(scene: &mut Scene) {
    let count = scene.geoms().len();
    let mut found = false;
    for geom in &mut scene.all_geoms[..count] {
        if found {
            geom.reflectance = 0.0;
        }
        found |= is_mirror(geom);
    }
}

/// What one picture is made from.
struct Picture<'a> {
    scene: &'a Scene,
    context: &'a Context,
    moving: &'a Moving,
    geoms: &'a [Geom],
    /// Transparent geoms, near ones first.
    order: &'a [usize],
    eye: GlCamera,
    head: Vec3,
    viewport: Rect,
    threads: usize,
}

/// How geoms are drawn in one pass.
#[derive(Clone, Copy)]
struct Style<'a> {
    lamps: Option<&'a [Lamp]>,
    glows: bool,
    blend: Blend,
    depth_write: bool,
    stencil: Stencil,
    lit_by: Option<usize>,
    marks_shadows: bool,
    fog: Option<Fog>,
    /// Mirror image: matrix, plane and weight of the colours.
    mirror: Option<(Mat4, Vec4, f32)>,
    segmented: bool,
}

/// Triangles and how to draw them.
#[derive(Default)]
struct Commands<'a> {
    triangles: Triangles,
    draws: Vec<Draw<'a>>,
}

impl<'a> Picture<'a> {
    fn flag(&self, flag: RndFlag) -> bool {
        self.scene.flags[flag as usize] != 0
    }

    fn draw(&self, frame: &mut Frame, scratch: &mut Scratch) -> Result<(), RenderError> {
        let camera = self.camera();
        if self.flag(RndFlag::Segment) {
            let mut sheet = Sheet::new(self, frame, &[], true);
            for geom in self.geoms.iter().filter(|g| g.segid >= 0) {
                self.add(&mut sheet, &camera, geom, &self.segments());
            }
            sheet.flush();
            return Ok(());
        }
        let maps: Vec<ShadowMap> = self.shadow_maps();
        let lights = &self.scene.lights()[..self.scene.lights().len().min(MAX_LIGHTS)];
        let lamps: Vec<Lamp> = lights.iter().map(|light| Lamp::new(light, &camera.view)).collect();
        let fog = self.fog(self.context.fog);

        let mut sheet = Sheet::new(self, frame, &maps, true);
        self.add_mirror_image(&mut sheet, &camera, lights, fog);
        let steady: Vec<Lamp> = lights
            .iter()
            .zip(&lamps)
            .filter(|(light, _)| !self.casts_shadow(light))
            .map(|(_, lamp)| *lamp)
            .collect();
        let opaque = Style { marks_shadows: !maps.is_empty(), fog, ..Style::new(&steady) };
        for geom in self.geoms.iter().filter(|g| is_mirror(g)) {
            self.add(&mut sheet, &camera, geom, &Style { blend: Blend::Add, ..opaque });
        }
        for geom in self.geoms.iter().filter(|g| g.transparent == 0 && !is_mirror(g)) {
            self.add(&mut sheet, &camera, geom, &opaque);
        }
        sheet.flush();
        let maps = self.fill_shadows(maps, scratch)?;

        let mut sheet = Sheet::new(self, frame, &maps, false);
        self.add_shadowed_light(&mut sheet, &camera, lights, &lamps);
        self.add_sky(&mut sheet.commands, &camera, fog);
        let blend = if self.flag(RndFlag::Additive) { Blend::AddWeighted } else { Blend::Mix };
        let glass = Style { blend, depth_write: false, fog, ..Style::new(&lamps) };
        for &i in &self.transparent_order() {
            self.add(&mut sheet, &camera, &self.geoms[i], &glass);
        }
        sheet.flush();
        scratch.depths.extend(maps.into_iter().map(ShadowMap::into_memory));
        if self.flag(RndFlag::Depth) {
            self.show_depth(frame);
        }
        Ok(())
    }

    /// Near to far, then far to near, so that what is hidden by one order shows in the other.
    fn transparent_order(&self) -> Vec<usize> {
        let mut order = self.order.to_vec();
        if !self.flag(RndFlag::Additive) {
            order.extend(self.order.iter().rev());
        }
        order
    }

    fn camera(&self) -> Camera {
        let eye = &self.eye;
        let aspect = self.viewport.width as f32 / self.viewport.height as f32;
        let half_width = if eye.frustum_width != 0.0 {
            eye.frustum_width
        } else {
            0.5 * aspect * (eye.frustum_top - eye.frustum_bottom)
        };
        let frustum = Box6 {
            left: f64::from(eye.frustum_center - half_width),
            right: f64::from(eye.frustum_center + half_width),
            bottom: f64::from(eye.frustum_bottom),
            top: f64::from(eye.frustum_top),
            near: f64::from(eye.frustum_near),
            far: f64::from(eye.frustum_far),
        };
        let projection = if eye.orthographic != 0 { orthographic(frustum) } else { perspective(frustum) };
        let mut view = look_at(eye.pos, eye.forward, eye.up);
        if self.scene.enabletransform != 0 {
            let turn = quat::to_mat(self.scene.rotate.map(f64::from)).map(|x| x as f32 * self.scene.scale);
            view = mul(&view, &pose(&turn, self.scene.translate));
        }
        let r = self.viewport;
        Camera {
            view,
            projection,
            viewport: [r.left as f32, r.bottom as f32, r.width as f32, r.height as f32],
        }
    }

    fn fog(&self, rgba: [f32; 4]) -> Option<Fog> {
        let flat = (self.eye.orthographic != 0).then_some([self.eye.frustum_near, self.eye.frustum_far]);
        self.flag(RndFlag::Fog).then_some(Fog {
            start: self.context.fog_start,
            end: self.context.fog_end,
            color: [rgba[0], rgba[1], rgba[2]],
            flat,
        })
    }

    fn segments(&self) -> Style<'static> {
        Style { lamps: None, segmented: true, ..Style::new(&[]) }
    }

    fn casts_shadow(&self, light: &Light) -> bool {
        light.castshadow != 0 && self.flag(RndFlag::Shadow) && self.context.shadow_size > 0
    }

    /// A light as a camera.
    fn shadow_maps(&self) -> Vec<ShadowMap> {
        let lights = self.scene.lights().iter().take(MAX_LIGHTS);
        lights.filter(|light| self.casts_shadow(light)).map(|light| self.shadow_map(light)).collect()
    }

    fn shadow_map(&self, light: &Light) -> ShadowMap {
        let (near, far) = (f64::from(self.eye.frustum_near), f64::from(self.eye.frustum_far));
        let square = |half: f64| Box6 { left: -half, right: half, bottom: -half, top: half, near, far };
        let projection = match LightType::try_from(light.kind) {
            Ok(LightType::Directional) => orthographic(square(f64::from(self.context.shadow_clip))),
            Ok(LightType::Spot) => {
                let angle = (2.0 * light.cutoff * self.context.shadow_scale).min(160.0);
                perspective(square((f64::from(angle) / 360.0 * std::f64::consts::PI).tan() * near))
            }
            _ => matrix::unprojected(),
        };
        let view = look_at(light.pos, light.dir, perpendicular(light.dir));
        ShadowMap::new(self.context.shadow_size, view, projection)
    }

    /// Everything but lines and decoration casts shadows.
    fn fill_shadows(
        &self,
        mut maps: Vec<ShadowMap>,
        scratch: &mut Scratch,
    ) -> Result<Vec<ShadowMap>, RenderError> {
        for map in &mut maps {
            let memory = scratch.depths.pop().unwrap_or_default();
            map.prepare(memory).map_err(|_| RenderError::Shadows(self.context.shadow_size))?;
            let mut triangles = Triangles::default();
            for geom in self.geoms.iter().filter(|g| g.category != CatBit::Decor as i32) {
                for part in parts(geom, self.context, self.scene, self.moving) {
                    if let Part::Surface { mesh, transform, .. } = part {
                        let vertices = Vertices { cull: Cull::None, ..plain(mesh, transform, [0.0; 4]) };
                        triangles.add(&map.camera, &vertices, 0);
                    }
                    if triangles.triangles.len() > MOST_TRIANGLES {
                        map.fill(&std::mem::take(&mut triangles), self.threads);
                    }
                }
            }
            map.fill(&triangles, self.threads);
        }
        Ok(maps)
    }

    /// What the first mirror shows.
    fn add_mirror_image(
        &self,
        sheet: &mut Sheet<'_, 'a>,
        camera: &Camera,
        lights: &[Light],
        fog: Option<Fog>,
    ) {
        if !self.flag(RndFlag::Reflection) || self.flag(RndFlag::Depth) {
            return;
        }
        let Some((index, geom)) = self.geoms.iter().enumerate().find(|(_, g)| is_mirror(g)) else { return };
        let mut plane = *geom;
        if geom.kind == GeomType::Box as i32 {
            // the upper side of a box
            plane.kind = GeomType::Plane as i32;
            for k in 0..3 {
                plane.pos[k] += plane.size[2] * plane.mat[3 * k + 2];
            }
        }
        if is_behind(self.head, plane.pos, &plane.mat) {
            return;
        }
        let normal = [plane.mat[2], plane.mat[5], plane.mat[8]];
        let mirror = reflection(plane.pos, normal);
        let below = [-normal[0], -normal[1], -normal[2], dot(plane.pos, normal)];
        let lamps: Vec<Lamp> =
            lights.iter().map(|light| Lamp::new(light, &mul(&camera.view, &mirror))).collect();
        self.add(sheet, camera, &plane, &Style { stencil: Stencil::Mark, ..Style::new(&[]) });
        let inside = Style {
            stencil: Stencil::Inside,
            mirror: Some((mirror, below, plane.reflectance)),
            fog,
            ..Style::new(&lamps)
        };
        for (i, geom) in self.geoms.iter().enumerate() {
            if geom.transparent == 0 && i != index {
                self.add(sheet, camera, geom, &inside);
            }
        }
        let blend = if self.flag(RndFlag::Additive) { Blend::AddWeighted } else { Blend::Mix };
        for i in self.transparent_order() {
            if i != index {
                self.add(sheet, camera, &self.geoms[i], &Style { blend, depth_write: false, ..inside });
            }
        }
    }

    /// Light of lamps that cast shadows, where it arrives.
    fn add_shadowed_light(
        &self,
        sheet: &mut Sheet<'_, 'a>,
        camera: &Camera,
        lights: &[Light],
        lamps: &[Lamp],
    ) {
        let fog = self.fog([0.0; 4]);
        let casting = lights.iter().zip(lamps).filter(|(light, _)| self.casts_shadow(light));
        for (map, (_, lamp)) in casting.enumerate() {
            let style = Style {
                glows: false,
                blend: Blend::Add,
                lit_by: Some(map),
                fog,
                ..Style::new(std::slice::from_ref(lamp))
            };
            for geom in self.geoms.iter().filter(|g| g.transparent == 0) {
                self.add(sheet, camera, geom, &style);
            }
        }
    }

    fn add_sky(&self, commands: &mut Commands<'a>, camera: &Camera, fog: Option<Fog>) {
        let Some(sky) = self.context.skybox().filter(|_| self.flag(RndFlag::Skybox)) else { return };
        let mut distance = self.eye.frustum_far * SKY_DISTANCE;
        if self.scene.enabletransform != 0 {
            distance /= self.scene.scale;
        }
        let around = mul(&translation(self.head), &scaling([distance; 3]));
        let style = Style { fog, ..Style::new(&[]) };
        let inward = Vertices {
            cull: self.cull(Cull::Front),
            ..plain(&self.context.shapes.cylinder, around, [1.0; 4])
        };
        let draw = commands.draw(style.draw(Some(sky), None));
        commands.triangles.add(camera, &Vertices { mapping: Mapping::Sky, ..inward }, draw);
        if !self.flag(RndFlag::Haze) {
            return;
        }
        let infinite = |g: &&Geom| g.kind == GeomType::Plane as i32 && g.size[0] == 0.0 && g.size[1] == 0.0;
        if let Some(plane) = self.geoms.iter().find(infinite) {
            let normal = [plane.mat[2], plane.mat[5], plane.mat[8]];
            let elevation = dot(matrix::sub(self.head, plane.pos), normal) / distance;
            if elevation < 0.0 {
                return;
            }
            let turned = mul(&around, &pose(&plane.mat, [0.0; 3]));
            let lowered = mul(&turned, &translation([0.0, 0.0, -elevation]));
            let transform = mul(&lowered, &scaling([1.0, 1.0, elevation]));
            let [r, g, b] = self.context.haze;
            let draw = commands.draw(Style { blend: Blend::Mix, ..style }.draw(None, None));
            let haze = plain(&self.context.shapes.haze, transform, [r, g, b, 1.0]);
            commands.triangles.add(camera, &Vertices { cull: self.cull(Cull::Front), ..haze }, draw);
        }
    }

    fn cull(&self, side: Cull) -> Cull {
        if self.flag(RndFlag::CullFace) { side } else { Cull::None }
    }

    /// Adds the parts of a geom.
    fn add(&self, sheet: &mut Sheet<'_, 'a>, camera: &Camera, geom: &Geom, style: &Style<'_>) {
        let behind = geom.kind == GeomType::Plane as i32 && is_behind(self.head, geom.pos, &geom.mat);
        let mut rgba = geom.rgba;
        if let Some((_, _, weight)) = style.mirror {
            (0..3).for_each(|k| rgba[k] *= weight);
        }
        if behind && style.lit_by.is_none() && !style.segmented {
            rgba[3] *= 0.3;
        }
        let look = Look { rgba, emission: geom.emission, specular: geom.specular, shininess: geom.shininess };
        let textured = if style.segmented { None } else { texture(geom, self.context) };
        let segment = style.segmented.then(|| self.segment_color(geom));
        for part in parts(geom, self.context, self.scene, self.moving) {
            let commands = sheet.commands();
            match part {
                Part::Surface { mesh, transform, textured: wanted, two_sided } => {
                    let (image, mapping) = match textured.filter(|_| wanted) {
                        Some((image, mapping)) => (Some(image), mapping),
                        None => (None, Mapping::None),
                    };
                    let cull = if two_sided {
                        Cull::None
                    } else {
                        self.cull(if behind { Cull::Front } else { Cull::Back })
                    };
                    let vertices = Vertices {
                        mesh,
                        transform: style.mirror.map_or(transform, |(mirror, ..)| mul(&mirror, &transform)),
                        look,
                        mapping,
                        lamps: style.lamps,
                        global_light: if self.scene.nlight > 0 { 0.0 } else { 0.3 },
                        glows: style.glows,
                        cull,
                        mirrored: style.mirror.is_some(),
                        clip: style.mirror.map(|(_, plane, _)| plane),
                    };
                    let draw = commands.draw(style.draw(image, segment));
                    if self.flag(RndFlag::Wireframe) && !style.segmented && style.stencil != Stencil::Mark {
                        commands.triangles.add_wires(camera, &vertices, self.context.line_width, draw);
                    } else {
                        commands.triangles.add(camera, &vertices, draw);
                    }
                }
                Part::Lines { ends, width } => {
                    let draw = commands.draw(style.draw(None, segment));
                    for [a, b] in ends {
                        let ends = match style.mirror {
                            Some((mirror, ..)) => [matrix::point(&mirror, a), matrix::point(&mirror, b)],
                            None => [a, b],
                        };
                        commands.triangles.add_line(camera, ends, width, rgba, draw);
                    }
                }
            }
        }
    }

    fn segment_color(&self, geom: &Geom) -> [u8; 4] {
        let id = geom.segid + 1;
        if self.flag(RndFlag::Idcolor) {
            return [id as u8, (id >> 8) as u8, (id >> 16) as u8, 255];
        }
        let scattered = |base| 0.1 + 0.8 * halton((geom.segid + 10).max(0) as usize, base);
        let [r, g, b] = [2, 3, 5].map(|base| (scattered(base) * 255.0 + 0.5) as u8);
        [r, g, b, 255]
    }

    /// Draws on all tiles of the viewport; at first it is cleared.
    fn run(&self, frame: &mut Frame, commands: &Commands<'_>, shadows: &[ShadowMap], clear: bool) {
        let rect = frame.clip(self.viewport);
        let bounds =
            [rect.left, rect.bottom, rect.left + rect.width, rect.bottom + rect.height].map(i64::from);
        let columns = frame.columns();
        let lists = commands.sort(columns, frame.tiles.len() / columns.max(1), bounds);
        let pass = Pass {
            points: &commands.triangles.points,
            triangles: &commands.triangles.triangles,
            draws: &commands.draws,
            shadows,
            bounds,
        };
        let samples = frame.samples();
        frame.for_each_tile(self.threads, |index, tile| {
            let origin = [(index % columns * TILE) as i64, (index / columns * TILE) as i64];
            if clear {
                clear_tile(tile, origin, bounds, samples);
            }
            draw_tile(&pass, tile, origin, &lists[index]);
        });
    }

    /// Texts beside geoms; those whose place is not visible have none.
    fn draw_labels(&self, frame: &mut Frame) {
        let camera = self.camera();
        let full = mul(&camera.projection, &camera.view);
        let font = Font::new(self.context.font_scale, ligament_model::enums::Font::Normal);
        for geom in self.geoms.iter().filter(|g| !g.label.is_empty()) {
            let [x, y, z, w] = matrix::apply(&full, geom.pos, 1.0);
            if x.abs() > w || y.abs() > w || !(0.0..=w).contains(&z) {
                continue;
            }
            let [left, bottom, width, height] = camera.viewport;
            let at = [left + (x / w * 0.5 + 0.5) * width, bottom + (y / w * 0.5 + 0.5) * height];
            let text = geom.label.to_string();
            draw_seamed_text(frame, font, &text, at.map(|c| c.floor() as i32), [1.0; 3], self.viewport);
        }
    }

    /// Shows depths as grey values.
    fn show_depth(&self, frame: &mut Frame) {
        let rect = frame.clip(self.viewport);
        for y in rect.bottom..rect.bottom + rect.height {
            for x in rect.left..rect.left + rect.width {
                let grey = (frame.depth(x as usize, y as usize) * 255.0 + 0.5) as u8;
                frame.modify(x as usize, y as usize, |_| [grey, grey, grey, 255]);
            }
        }
    }
}

impl<'a> Style<'a> {
    fn new(lamps: &'a [Lamp]) -> Self {
        Self {
            lamps: Some(lamps),
            glows: true,
            blend: Blend::Replace,
            depth_write: true,
            stencil: Stencil::Ignore,
            lit_by: None,
            marks_shadows: false,
            fog: None,
            mirror: None,
            segmented: false,
        }
    }

    fn draw<'b>(&self, texture: Option<&'b Texture>, plain: Option<[u8; 4]>) -> Draw<'b> {
        Draw {
            texture,
            plain,
            depth_write: self.depth_write,
            blend: self.blend,
            stencil: self.stencil,
            lit_by: self.lit_by,
            marks_shadows: self.marks_shadows,
            fog: self.fog,
            centered: self.segmented,
        }
    }
}

/// A frame, and what will be drawn on it next: as much as memory should hold at a time.
struct Sheet<'f, 'a> {
    picture: &'f Picture<'a>,
    frame: &'f mut Frame,
    shadows: &'f [ShadowMap],
    commands: Commands<'a>,
    clear: bool,
}

impl<'f, 'a> Sheet<'f, 'a> {
    fn new(picture: &'f Picture<'a>, frame: &'f mut Frame, shadows: &'f [ShadowMap], clear: bool) -> Self {
        Self { picture, frame, shadows, commands: Commands::default(), clear }
    }

    /// Where more can be added.
    fn commands(&mut self) -> &mut Commands<'a> {
        if self.commands.triangles.triangles.len() > MOST_TRIANGLES {
            self.flush();
        }
        &mut self.commands
    }

    /// Draws what was collected.
    fn flush(&mut self) {
        let commands = std::mem::take(&mut self.commands);
        self.picture.run(self.frame, &commands, self.shadows, self.clear);
        self.clear = false;
    }
}

impl<'a> Commands<'a> {
    fn draw(&mut self, draw: Draw<'a>) -> u32 {
        self.draws.push(draw);
        self.draws.len() as u32 - 1
    }

    /// Triangles over each tile, in order.
    fn sort(&self, columns: usize, rows: usize, bounds: [i64; 4]) -> Vec<Vec<u32>> {
        let mut lists = vec![Vec::new(); columns * rows];
        for (i, triangle) in self.triangles.triangles.iter().enumerate() {
            let points = triangle.points.map(|p| &self.triangles.points[p as usize]);
            let range = |values: [i64; 3], k: usize| {
                let low = (values.into_iter().min().unwrap_or(0) >> 8).max(bounds[k]);
                let high = (values.into_iter().max().unwrap_or(0) >> 8).min(bounds[k + 2] - 1);
                (low <= high).then_some(low.max(0) as usize / TILE..=high.max(0) as usize / TILE)
            };
            if let (Some(xs), Some(ys)) = (range(points.map(|p| p.x), 0), range(points.map(|p| p.y), 1)) {
                for y in ys {
                    for x in xs.clone() {
                        lists[y * columns + x].push(i as u32);
                    }
                }
            }
        }
        lists
    }
}

/// A surface in one colour.
fn plain<'a>(mesh: &'a crate::mesh::Mesh, transform: Mat4, rgba: [f32; 4]) -> Vertices<'a> {
    Vertices {
        mesh,
        transform,
        look: Look { rgba, emission: 0.0, specular: 0.0, shininess: 0.0 },
        mapping: Mapping::None,
        lamps: None,
        global_light: 0.0,
        glows: false,
        cull: Cull::None,
        mirrored: false,
        clip: None,
    }
}

fn clear_tile(tile: &mut crate::frame::Tile, origin: [i64; 2], bounds: [i64; 4], samples: usize) {
    tile.stencil.clear();
    let range = |k: usize| {
        let low = (bounds[k] - origin[k]).clamp(0, TILE as i64) as usize;
        let high = (bounds[k + 2] - origin[k]).clamp(0, TILE as i64) as usize;
        low..high.max(low)
    };
    let columns = range(0);
    for y in range(1) {
        let row = (y * TILE + columns.start) * samples..(y * TILE + columns.end) * samples;
        tile.color[row.clone()].fill([0; 4]);
        tile.depth[row].fill(0.0);
    }
}

/// A vector that is not parallel to another, as the upward direction of a light.
fn perpendicular(v: Vec3) -> Vec3 {
    let across = cross(v, [-1.0, 0.0, 0.0]);
    if dot(across, across) > 0.01 { unit(across) } else { unit(cross(v, [0.0, 1.0, 0.0])) }
}

/// The coloured frame around a picture.
fn draw_frame(frame: &mut Frame, rect: Rect, scene: &Scene) {
    let [r, g, b] = scene.framergb.map(|c| (c.clamp(0.0, 1.0) * 255.0 + 0.5) as u8);
    let width = scene.framewidth;
    let edges = [
        Rect { height: width, ..rect },
        Rect { bottom: rect.bottom + rect.height - width, height: width, ..rect },
        Rect { width, ..rect },
        Rect { left: rect.left + rect.width - width, width, ..rect },
    ];
    for edge in edges {
        frame.clear(edge, [r, g, b, 0], None);
    }
}

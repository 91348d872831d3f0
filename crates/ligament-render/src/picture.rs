//! The order in which a scene is drawn: mirror images, opaque things, shadows, sky, transparent things.

use crate::commands::{Commands, MOST_TRIANGLES, Sheet, Style, plain};
use crate::context::Context;
use crate::frame::{Frame, Rect};
use crate::light::{Lamp, Look, MAX_LIGHTS};
use crate::matrix::{
    self, Box6, Vec3, cross, dot, look_at, mul, orthographic, perspective, pose, reflection, scaling,
    translation, unit,
};
use crate::raster::{Blend, Fog, Relight, Stencil};
use crate::render::{RenderError, Scratch, is_behind, is_mirror};
use crate::shadow::{self, ShadowMap};
use crate::surfaces::{Moving, Part, parts, texture};
use crate::text::{Font, draw_seamed_text};
use crate::vertex::{Camera, Cull, Mapping, Vertices};
use ligament_geom::sdf::halton;
use ligament_math::quat;
use ligament_model::enums::{CatBit, GeomType, LightType, RndFlag};
use ligament_scene::{Geom, GlCamera, Light, Scene};

/// Parts of the sky's distance to the far plane: just below 1/√2.
const SKY_DISTANCE: f32 = 0.70;
/// What one picture is made from.
pub(crate) struct Picture<'a> {
    pub scene: &'a Scene,
    pub context: &'a Context,
    pub moving: &'a Moving,
    pub geoms: &'a [Geom],
    /// Transparent geoms, near ones first.
    pub order: &'a [usize],
    pub eye: GlCamera,
    pub head: Vec3,
    pub viewport: Rect,
    pub threads: usize,
}

impl<'a> Picture<'a> {
    fn flag(&self, flag: RndFlag) -> bool {
        self.scene.flags[flag as usize] != 0
    }

    /// Draws everything but texts.
    pub fn draw(&self, frame: &mut Frame, scratch: &mut Scratch) -> Result<(), RenderError> {
        let camera = self.camera(frame);
        if self.flag(RndFlag::Segment) {
            let mut sheet = self.sheet(frame, scratch, 1).cleared();
            for geom in self.geoms.iter().filter(|g| g.segid >= 0) {
                self.add(&mut sheet, &camera, geom, &self.segments());
            }
            let (done, _) = sheet.finish();
            scratch.buffers.push(done.into_buffers());
            return Ok(());
        }
        let lights = &self.scene.lights()[..self.scene.lights().len().min(MAX_LIGHTS)];
        let lamps: Vec<Lamp> = lights.iter().map(|light| Lamp::new(light, &camera.view)).collect();
        let chosen = |casting: bool| -> Vec<Lamp> {
            let pairs = lights.iter().zip(&lamps);
            pairs.filter(|(light, _)| self.casts_shadow(light) == casting).map(|(_, lamp)| *lamp).collect()
        };
        let (steady, casting) = (chosen(false), chosen(true));
        let fog = self.fog(self.context.fog);
        let mut maps = self.shadow_maps(scratch)?;
        let opaque = Style { relights: &casting, fog, ..Style::new(&steady) };

        let mut sheet = self.sheet(frame, scratch, 1 + casting.len()).cleared().with_shadows(&maps, None);
        self.add_mirror_image(&mut sheet, &camera, lights, fog);
        self.add_opaque(&mut sheet, &camera, &opaque);
        let (drawn, whole) = sheet.finish();
        self.fill_shadows(&mut maps, scratch)?;

        let black = self.fog([0.0; 4]);
        let relights: Vec<Relight> = (0..maps.len()).map(|map| Relight { map, fog: black }).collect();
        if !whole {
            // there was too much to keep: it is made once more for every lamp
            for light in &relights {
                let sheet = self.sheet(frame, scratch, 1 + casting.len());
                let mut sheet = sheet.with_shadows(&maps, Some(*light));
                self.add_opaque(&mut sheet, &camera, &opaque);
                let (done, _) = sheet.finish();
                scratch.buffers.push(done.into_buffers());
            }
        }
        let mut sheet = self.sheet(frame, scratch, 1).with_shadows(&maps, None);
        self.add_sky(sheet.commands(), &camera, fog);
        self.add_transparent(&mut sheet, &camera, &Style { fog, ..Style::new(&lamps) }, None);
        let done = sheet.finish_after(&drawn, if whole { &relights } else { &[] });
        scratch.buffers.extend([done, drawn].map(Commands::into_buffers));
        scratch.shadows.extend(maps.into_iter().map(ShadowMap::into_memory));
        if self.flag(RndFlag::Depth) {
            self.show_depth(frame);
        }
        Ok(())
    }

    fn sheet<'f>(&self, frame: &'f mut Frame, scratch: &mut Scratch, layers: usize) -> Sheet<'f, 'a> {
        let commands = Commands::new(scratch.buffers.pop().unwrap_or_default(), layers);
        Sheet::new(frame, self.viewport, commands, self.threads)
    }

    /// Mirrors add their colour to what they show.
    fn add_opaque(&self, sheet: &mut Sheet<'_, 'a>, camera: &Camera, style: &Style<'_>) {
        for geom in self.geoms.iter().filter(|g| is_mirror(g)) {
            self.add(sheet, camera, geom, &Style { blend: Blend::Add, ..*style });
        }
        for geom in self.geoms.iter().filter(|g| g.transparent == 0 && !is_mirror(g)) {
            self.add(sheet, camera, geom, style);
        }
    }

    fn add_transparent(
        &self,
        sheet: &mut Sheet<'_, 'a>,
        camera: &Camera,
        style: &Style<'_>,
        but: Option<usize>,
    ) {
        let blend = if self.flag(RndFlag::Additive) { Blend::AddWeighted } else { Blend::Mix };
        for i in self.transparent_order().into_iter().filter(|i| Some(*i) != but) {
            self.add(sheet, camera, &self.geoms[i], &Style { blend, depth_write: false, ..*style });
        }
    }

    /// Near to far, then far to near, so that what is hidden by one order shows in the other.
    fn transparent_order(&self) -> Vec<usize> {
        let mut order = self.order.to_vec();
        if !self.flag(RndFlag::Additive) {
            order.extend(self.order.iter().rev());
        }
        order
    }

    fn camera(&self, frame: &Frame) -> Camera {
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
        let inside = frame.clip(r);
        let bounds = [inside.left, inside.bottom, inside.left + inside.width, inside.bottom + inside.height];
        Camera {
            view,
            projection,
            viewport: [r.left as f32, r.bottom as f32, r.width as f32, r.height as f32],
            bounds: bounds.map(|c| i64::from(c) * 256),
            grid: if frame.samples() > 1 && !self.flag(RndFlag::Segment) { 64 } else { 256 },
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

    /// The lamps that cast shadows, as cameras.
    fn shadow_maps(&self, scratch: &mut Scratch) -> Result<Vec<ShadowMap>, RenderError> {
        let lights = self.scene.lights().iter().take(MAX_LIGHTS);
        lights
            .filter(|light| self.casts_shadow(light))
            .map(|light| self.shadow_map(light, scratch.shadows.pop().unwrap_or_default()))
            .collect()
    }

    fn shadow_map(&self, light: &Light, memory: shadow::Memory) -> Result<ShadowMap, RenderError> {
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
        let size = self.context.shadow_size;
        ShadowMap::new(size, view, projection, memory).map_err(|_| RenderError::Shadows(size))
    }

    /// Everything but lines and decoration casts shadows.
    fn fill_shadows(&self, maps: &mut [ShadowMap], scratch: &mut Scratch) -> Result<(), RenderError> {
        let mut commands = Commands::new(scratch.buffers.pop().unwrap_or_default(), 0);
        let triangles = &mut commands.triangles;
        for map in maps {
            map.prepare().map_err(|_| RenderError::Shadows(self.context.shadow_size))?;
            for geom in self.geoms.iter().filter(|g| g.category != CatBit::Decor as i32) {
                for part in parts(geom, self.context, self.scene, self.moving) {
                    if let Part::Surface { mesh, transform, .. } = part {
                        let vertices = plain(mesh, transform, [0.0; 4]);
                        triangles.add_where(&map.camera, &vertices, 0, |corners| map.wants(corners));
                    }
                    if triangles.triangles.len() > MOST_TRIANGLES {
                        map.fill(triangles, self.threads);
                        triangles.clear(0);
                    }
                }
            }
            map.fill(triangles, self.threads);
            triangles.clear(0);
        }
        scratch.buffers.push(commands.into_buffers());
        Ok(())
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
        self.add_transparent(sheet, camera, &inside, Some(index));
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
        if behind && !style.segmented {
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
                        relights: style.relights,
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

    /// Texts beside geoms; those whose place is not visible have none.
    pub fn draw_labels(&self, frame: &mut Frame) {
        let camera = self.camera(frame);
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

/// A vector that is not parallel to another, as the upward direction of a light.
fn perpendicular(v: Vec3) -> Vec3 {
    let across = cross(v, [-1.0, 0.0, 0.0]);
    if dot(across, across) > 0.01 { unit(across) } else { unit(cross(v, [0.0, 1.0, 0.0])) }
}

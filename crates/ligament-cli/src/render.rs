//! `ligament render`

mod film;

use crate::args::{RenderArgs, Source};
use crate::convert::extension;
use crate::{Usage, keyframe};
use anyhow::{Context as _, bail};
use film::Film;
use ligament::prelude::*;
use ligament_render::{Context, Frame, Rect, Scratch};
use ligament_scene::{ALL, Camera, Perturb, Scene, VisualOption, update_scene};
use ligament_view::{Recording, Session};
use std::process::ExitCode;

/// Simulated seconds of a film.
const FILM_SECONDS: f64 = 3.0;
/// Width and height of pictures.
const USUAL_SIZE: &str = "640x480";
/// Longest film.
const MOST_SECONDS: f64 = 86_400.0;
/// Most geoms in a picture.
const MAXGEOM: usize = 100_000;
/// Samples of a pixel.
const SAMPLES: usize = 4;
/// Steps between two frames of a film.
const MOST_STEPS: f64 = 1e6;
/// Places of the flags for segments among those of a scene.
const SEGMENT: usize = ligament::enums::RndFlag::Segment as usize;

pub fn render(args: &RenderArgs, source: &Source) -> anyhow::Result<ExitCode> {
    let ending = extension(&args.out);
    if !matches!(ending, "png" | "gif" | "mp4" | "webm" | "html") {
        bail!(Usage(format!("cannot write '{}': use .png, .gif, .mp4, .webm or .html", args.out.display())));
    }
    let (width, height) = size(args.size.as_deref().unwrap_or(USUAL_SIZE))?;
    let seconds = args.seconds.unwrap_or(if ending == "png" { 0.0 } else { FILM_SECONDS });
    if !(0.0..=MOST_SECONDS).contains(&seconds) {
        bail!(Usage(format!("{seconds} is not a duration: --seconds takes 0 to {MOST_SECONDS}")));
    }
    if ending == "html" && (args.depth || args.segmentation || args.size.is_some()) {
        bail!(Usage(
            "a page shows colours and fills its window: leave out --depth, --segmentation and --size".into()
        ));
    }
    let model = source.open(&args.model)?;
    let mut data = keyframe::make_data(&model, args.keyframe.as_deref())?;
    let mut camera = camera(&model, args)?;
    if ending == "html" {
        record(&model, &mut data, camera, args, seconds)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut picture = Picture::new(&model, width, height, args)?;
    let mut film = Film::new(&args.out, ending, (width, height), args.fps, seconds > 0.0)?;
    data.forward(&model)?;
    film.add(&picture.draw(&model, &mut data, &mut camera)?)?;
    let mut pace = Pace::new(&model, &data, args.fps);
    for _ in 1..frames(seconds, args.fps) {
        pace.next(&model, &mut data)?;
        film.add(&picture.draw(&model, &mut data, &mut camera)?)?;
    }
    film.finish()?;
    Ok(ExitCode::SUCCESS)
}

fn frames(seconds: f64, fps: u32) -> u64 {
    (seconds * f64::from(fps)).round() as u64
}

/// Steps from picture to picture.
struct Pace {
    start: f64,
    interval: f64,
    pictures: u64,
    /// Most steps between two pictures: time starts anew when an unstable simulation is reset.
    most: u64,
}

impl Pace {
    fn new(model: &Model, data: &Data, fps: u32) -> Self {
        let interval = 1.0 / f64::from(fps);
        let most = 1.0 + (interval / model.opt.timestep).min(MOST_STEPS);
        Self { start: data.time, interval, pictures: 0, most: most as u64 }
    }

    fn next(&mut self, model: &Model, data: &mut Data) -> anyhow::Result<()> {
        self.pictures += 1;
        let due = self.start + self.pictures as f64 * self.interval;
        for _ in 0..self.most {
            if data.time < due {
                data.step(model)?;
            }
        }
        Ok(())
    }
}

/// Writes a page that plays the simulation.
fn record(
    model: &Model,
    data: &mut Data,
    camera: Camera,
    args: &RenderArgs,
    seconds: f64,
) -> anyhow::Result<()> {
    let name = args.model.file_name().unwrap_or_default().to_string_lossy();
    let mut session = Session::new(model, &name);
    session.camera = camera;
    let mut recording = Recording::new(session.describe(model));
    data.forward(model)?;
    recording.add(session.frame(model, data)?);
    let mut pace = Pace::new(model, data, args.fps);
    for _ in 1..frames(seconds, args.fps) {
        pace.next(model, data)?;
        recording.add(session.frame(model, data)?);
    }
    std::fs::write(&args.out, recording.html()?)
        .with_context(|| format!("cannot write '{}'", args.out.display()))
}

fn size(text: &str) -> anyhow::Result<(usize, usize)> {
    let numbers = text.split_once('x').and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    match numbers {
        Some((w, h)) if (1..=8192).contains(&w) && (1..=8192).contains(&h) => Ok((w, h)),
        _ => {
            bail!(Usage(format!("'{text}' is not a size: write width and height as in 640x480, up to 8192")))
        }
    }
}

fn camera(model: &Model, args: &RenderArgs) -> anyhow::Result<Camera> {
    let Some(wanted) = &args.camera else {
        let mut camera = Camera::free(model);
        if let Some(angle) = [args.azimuth, args.elevation].into_iter().flatten().find(|x| !x.is_finite()) {
            bail!(Usage(format!("{angle} is not an angle: --azimuth and --elevation take degrees")));
        }
        if let Some(distance) = args.distance.filter(|d| !(d.is_finite() && *d > 0.0)) {
            bail!(Usage(format!("{distance} is not a distance: --distance takes a positive number")));
        }
        camera.azimuth = args.azimuth.unwrap_or(camera.azimuth);
        camera.elevation = args.elevation.unwrap_or(camera.elevation);
        camera.distance = args.distance.unwrap_or(camera.distance);
        return Ok(camera);
    };
    let named = model.id(ObjType::Camera, wanted);
    match named.or_else(|| wanted.parse().ok().filter(|&i: &usize| i < model.ncam)) {
        Some(id) => Ok(Camera::fixed(id)),
        None => {
            let names: Vec<String> = (0..model.ncam)
                .map(|i| model.name(ObjType::Camera, i).map_or_else(|| i.to_string(), Into::into))
                .collect();
            let known = if names.is_empty() { "none".into() } else { names.join(", ") };
            bail!(Usage(format!("no camera '{wanted}' in the model; it has: {known}")))
        }
    }
}

/// What is kept from picture to picture.
struct Picture {
    scene: Scene,
    context: Context,
    frame: Frame,
    scratch: Scratch,
    depth: bool,
    threads: usize,
}

impl Picture {
    fn new(model: &Model, width: usize, height: usize, args: &RenderArgs) -> anyhow::Result<Self> {
        let mut scene = Scene::new(Some(model), MAXGEOM);
        scene.flags[SEGMENT] = u8::from(args.segmentation || args.depth);
        Ok(Self {
            scene,
            context: Context::new(model)?,
            frame: Frame::new(width, height, SAMPLES)?,
            scratch: Scratch::default(),
            depth: args.depth,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
        })
    }

    /// Three bytes a pixel, from the top.
    fn draw(&mut self, model: &Model, data: &mut Data, camera: &mut Camera) -> anyhow::Result<Vec<u8>> {
        let (option, perturb) = (VisualOption::default(), Perturb::default());
        update_scene(model, data, &option, &perturb, Some(camera), ALL, &mut self.scene)?;
        let (width, height) = (self.frame.width(), self.frame.height());
        let rect = Rect { left: 0, bottom: 0, width: width as i32, height: height as i32 };
        let scene = &mut self.scene;
        ligament_render::render(
            &mut self.frame,
            rect,
            scene,
            &self.context,
            &mut self.scratch,
            self.threads,
        )?;
        let mut pixels = Vec::with_capacity(3 * width * height);
        for y in (0..height).rev() {
            for x in 0..width {
                pixels.extend_from_slice(&self.frame.color(x, y)[..3]);
            }
        }
        if self.depth {
            self.show_depth(&mut pixels);
        }
        Ok(pixels)
    }

    /// Grey values between the nearest and the farthest thing in the picture; the background is black.
    fn show_depth(&self, pixels: &mut [u8]) {
        let (width, height) = (self.frame.width(), self.frame.height());
        // depths are inverse distances, so that near things are bright
        let depth = |i: usize| self.frame.depth(i % width, height - 1 - i / width);
        let found = (0..width * height).map(depth).filter(|&d| d > 0.0);
        let (low, high) = found.fold((f32::INFINITY, 0f32), |(low, high), d| (low.min(d), high.max(d)));
        for (i, pixel) in pixels.chunks_exact_mut(3).enumerate() {
            let d = depth(i);
            let grey = if d > 0.0 { 55.0 + 200.0 * (d - low) / (high - low).max(1e-9) } else { 0.0 };
            pixel.fill(grey as u8);
        }
    }
}

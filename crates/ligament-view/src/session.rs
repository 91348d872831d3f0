//! What a viewer knows beside the model and the state, and how it obeys the page.

use crate::clock::Clock;
use crate::command::{Command, Grouped, Pick, Shot};
use crate::connection::Event;
use crate::history::History;
use crate::server::Server;
use crate::{FRAME, describe, frame, keyframe, message};
use ligament_math::{mat3, vec3};
use ligament_model::enums::{CameraType, Timer};
use ligament_model::{Data, Model};
use ligament_scene::{
    ALL, Camera, Geom, Perturb, Scene, SceneError, VisualOption, apply_perturb_force, apply_perturb_pose,
    camera_in_model, init_perturb, move_camera, move_perturb, select, update_scene,
};
use ligament_sim::reset::{ResetError, reset_data, reset_data_keyframe};
use ligament_sim::step::{StepError, forward, step};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Most geoms in a scene.
const MAX_GEOMS: usize = 100_000;
/// Most steps at once by the user's hand.
const MAX_STEPS: u32 = 10_000;

/// Who makes the steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The session.
    Active,
    /// The program that uses it; the session changes a copy, and keeps its edits for the original.
    Passive,
}

/// Why a session cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum ViewError {
    /// The scene cannot be shown.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// A step failed.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The state cannot be reset.
    #[error(transparent)]
    Reset(#[from] ResetError),
}

/// What a page asks for that only the owner of the session can do.
#[derive(Debug, PartialEq, Eq)]
pub enum Request {
    /// Load the model again.
    Reload,
    /// Open files that were dropped on the page.
    Open(Vec<(String, Vec<u8>)>),
    /// A key was pressed.
    Key(i32),
    /// A page was closed by its user.
    Left,
    /// End the viewer.
    Quit,
}

/// A change of the state by the user's hand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Edit {
    /// Back to the initial state.
    Reset,
    /// To a keyframe.
    Key(usize),
    /// Sets one control.
    Control(usize, f64),
    /// Sets all controls to zero.
    ClearControls,
    /// Sets one number of `qpos`.
    Position(usize, f64),
}

impl Edit {
    /// Makes the change; numbers of things that do not exist change nothing.
    pub fn apply(self, m: &Model, d: &mut Data) -> Result<(), ResetError> {
        let put = |numbers: &mut [f64], index: usize, value: f64| {
            if let Some(number) = numbers.get_mut(index).filter(|_| value.is_finite()) {
                *number = value;
            }
        };
        match self {
            Edit::Reset => reset_data(m, d)?,
            Edit::Key(key) if key < m.nkey => reset_data_keyframe(m, d, key as i32)?,
            Edit::Key(_) => {}
            Edit::Control(index, value) => put(&mut d.ctrl, index, value),
            Edit::ClearControls => d.ctrl.fill(0.0),
            Edit::Position(index, value) => put(&mut d.qpos, index, value),
        }
        Ok(())
    }
}

/// A text over the picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// Size of the letters in percent.
    pub percent: u32,
    /// Where it stands, an `mjtGridPos`.
    pub place: i32,
    /// Left column.
    pub left: String,
    /// Right column.
    pub right: String,
}

/// An image over the picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// Distance from the left side of the page in pixels.
    pub left: i32,
    /// Distance from its lower side.
    pub bottom: i32,
    /// Width in pixels.
    pub width: usize,
    /// Red, green and blue of each pixel, row after row from the top.
    pub pixels: Vec<u8>,
}

/// Camera, options, what is pulled, the clock.
pub struct Session {
    /// The camera.
    pub camera: Camera,
    /// What is shown.
    pub option: VisualOption,
    /// What is selected and pulled.
    pub perturb: Perturb,
    /// The scene as it was shown last.
    pub scene: Scene,
    /// Geoms that the program adds to the scene.
    pub user_geoms: Vec<Geom>,
    /// Texts over the picture.
    pub texts: Vec<Text>,
    /// Images over the picture: plots, pictures of other cameras.
    pub images: Vec<Image>,
    /// Whether the left and the right panel of the page are open; the user can change it there.
    pub panels: [bool; 2],
    /// Width and height of the picture on the page that told its size last; zeros before any did.
    pub size: [u32; 2],
    /// Whether time passes.
    pub running: bool,
    pub(crate) clock: Clock,
    /// Seconds of each stage in a step, where they are measured.
    pub(crate) stages: Option<Vec<f64>>,
    pub(crate) history: History,
    name: String,
    mode: Mode,
    edits: Vec<Edit>,
    /// Body that was pulled in the last step.
    pulled: Option<usize>,
    /// How long the last frame took to make.
    pub(crate) making: Duration,
    /// Something changed that the page has not seen.
    changed: bool,
    /// The history does not have the present state.
    unnoted: bool,
    shown: Instant,
}

impl Session {
    /// A session that makes the steps itself, running.
    pub fn new(model: &Model, name: &str) -> Self {
        Self {
            camera: Camera::free(model),
            option: VisualOption::default(),
            perturb: Perturb::default(),
            scene: Scene::new(Some(model), MAX_GEOMS),
            user_geoms: Vec::new(),
            texts: Vec::new(),
            images: Vec::new(),
            panels: [true; 2],
            size: [0; 2],
            running: true,
            clock: Clock::default(),
            stages: None,
            history: History::new(model),
            name: name.to_owned(),
            mode: Mode::Active,
            edits: Vec::new(),
            pulled: None,
            making: Duration::ZERO,
            changed: true,
            unnoted: true,
            shown: Instant::now(),
        }
    }

    /// A session that only watches.
    pub fn passive(model: &Model, name: &str) -> Self {
        Self { mode: Mode::Passive, running: false, ..Self::new(model, name) }
    }

    /// Goes on with a changed model: the look stays where it fits.
    pub fn replace_model(&mut self, model: &Model, name: &str) {
        let fits = |count: usize, id: i32| usize::try_from(id).is_ok_and(|id| id < count);
        let mut next = Self { mode: self.mode, running: self.running, ..Self::new(model, name) };
        next.option = self.option.clone();
        (next.panels, next.size) = (self.panels, self.size);
        next.scene.flags = self.scene.flags;
        next.clock.set_speed(self.clock.speed());
        next.stages = self.stages.clone();
        let keeps = match CameraType::try_from(self.camera.kind) {
            Ok(CameraType::Fixed) => fits(model.ncam, self.camera.fixedcamid),
            Ok(CameraType::Tracking) => fits(model.nbody, self.camera.trackbodyid),
            Ok(CameraType::Free) => true,
            Ok(CameraType::User) | Err(_) => false,
        };
        if keeps && self.name == name {
            next.camera = self.camera.clone();
        }
        *self = next;
    }

    /// What a page must know about the model.
    pub fn describe(&self, model: &Model) -> Vec<u8> {
        describe::describe(model, &self.name, self.mode == Mode::Passive)
    }

    /// The state has changed from outside.
    pub fn touch(&mut self) {
        self.changed = true;
    }

    /// Changes that the user made since the last call, for the original of a passive session.
    pub fn take_edits(&mut self) -> Vec<Edit> {
        std::mem::take(&mut self.edits)
    }

    /// One frame: obeys the pages, makes steps, shows the result. Returns what the owner has to do.
    pub fn turn(&mut self, m: &Model, d: &mut Data, server: &Server) -> Result<Vec<Request>, ViewError> {
        let end = Instant::now() + FRAME;
        self.keep(d); // the first state
        let mut requests = Vec::new();
        let mut patience = Duration::ZERO;
        loop {
            while let Some(event) = server.next_event(patience) {
                requests.extend(self.obey(m, d, server, event)?);
                patience = Duration::ZERO;
            }
            let now = Instant::now();
            if now >= end {
                break;
            }
            let due = self.advance(m, d, end).unwrap_or_else(|error| {
                self.running = false;
                server.tell(notice("error", &error.to_string()));
                FRAME
            });
            patience = due.min(end.saturating_duration_since(Instant::now()));
        }
        self.keep(d);
        self.show(m, d, server)?;
        Ok(requests)
    }

    /// Steps until the simulation has caught up with the clock, or until the time is over. Returns how long nothing
    /// needs to be done.
    fn advance(&mut self, m: &Model, d: &mut Data, until: Instant) -> Result<Duration, StepError> {
        if !self.running || self.mode == Mode::Passive {
            return Ok(FRAME);
        }
        let mut stepped = false;
        let rest = loop {
            let now = Instant::now();
            let due = self.clock.due(now, d.time);
            if due > 0.0 {
                break Duration::from_secs_f64(due);
            }
            if now >= until {
                break Duration::ZERO;
            }
            self.pull(m, d);
            step(m, d)?;
            stepped = true;
        };
        self.changed |= stepped;
        self.unnoted |= stepped;
        Ok(rest)
    }

    /// Pulls the selected body of a simulation that runs; a body that was let go is free again.
    pub fn pull(&mut self, m: &Model, d: &mut Data) {
        if let Some(body) = self.pulled.take().filter(|&body| body < m.nbody) {
            d.xfrc_applied[body] = [0.0; 6];
        }
        if self.perturb.active | self.perturb.active2 != 0 {
            apply_perturb_pose(m, d, &self.perturb, false);
            apply_perturb_force(m, d, &self.perturb);
            self.pulled = usize::try_from(self.perturb.select).ok();
        }
    }

    /// Shows the present state, if it changed and someone waits for it.
    pub fn show(&mut self, m: &Model, d: &mut Data, server: &Server) -> Result<(), ViewError> {
        if self.running {
            self.clock.note(Instant::now(), d.time);
        }
        // also without changes now and then: what plots show
        if !server.is_awaited() || !(self.changed || self.shown.elapsed() > Duration::from_millis(500)) {
            return Ok(());
        }
        if self.changed && !self.running && self.mode == Mode::Active {
            forward(m, d)?;
        }
        let start = Instant::now();
        server.show_frame(self.frame(m, d)?);
        self.making = start.elapsed();
        self.changed = false;
        self.shown = Instant::now();
        Ok(())
    }

    /// The present state as a frame.
    pub fn frame(&mut self, m: &Model, d: &mut Data) -> Result<Vec<u8>, ViewError> {
        ligament_sim::energy::energy_pos(m, d);
        ligament_sim::energy::energy_vel(m, d);
        self.note_stages(d);
        update_scene(m, d, &self.option, &self.perturb, Some(&mut self.camera), ALL, &mut self.scene)?;
        Ok(frame::frame(self, m, d))
    }

    fn note_stages(&mut self, d: &mut Data) {
        if let Some(stages) = &mut self.stages {
            for (seconds, timer) in stages.iter_mut().zip(d.timer.iter_mut()) {
                if timer.number > 0 {
                    *seconds = timer.duration / f64::from(timer.number);
                }
                (timer.duration, timer.number) = (0.0, 0);
            }
        }
    }

    /// Does what a page asks for.
    pub fn obey(
        &mut self,
        m: &Model,
        d: &mut Data,
        server: &Server,
        event: Event,
    ) -> Result<Option<Request>, ViewError> {
        self.changed = true;
        Ok(match event {
            Event::Joined => None,
            Event::Left => Some(Request::Left),
            Event::Files(files) => Some(Request::Open(files)),
            Event::Command(Command::Reload) => Some(Request::Reload),
            Event::Command(Command::Quit) => Some(Request::Quit),
            Event::Command(Command::KeyPress { code }) => Some(Request::Key(code)),
            Event::Command(Command::CopyState) => {
                server.tell(notice("keyframe", &keyframe(m, d)));
                None
            }
            Event::Command(command) => {
                self.act(m, d, command)?;
                None
            }
        })
    }

    fn act(&mut self, m: &Model, d: &mut Data, command: Command) -> Result<(), ViewError> {
        match command {
            Command::Run { on } => {
                self.running = on && self.mode == Mode::Active;
                self.clock.stop();
            }
            Command::Step { count } if self.mode == Mode::Active => {
                self.pause();
                for _ in 0..count.min(MAX_STEPS) {
                    if self.history.go_back(m, d, -1) == 0 {
                        self.pull(m, d);
                        step(m, d)?;
                        self.unnoted = true;
                    }
                }
            }
            Command::Rewind { count } if self.mode == Mode::Active => self.rewind(m, d, count),
            Command::Scrub { back } if self.mode == Mode::Active => {
                let [now, kept] = self.history.place();
                self.rewind(m, d, back.min(kept) as i32 - now as i32);
            }
            Command::Step { .. } | Command::Rewind { .. } | Command::Scrub { .. } => {}
            Command::Size { width, height } => self.size = [width, height],
            Command::Speed { factor } => self.clock.set_speed(factor),
            Command::Reset => self.edit(m, d, Edit::Reset)?,
            Command::Key { index } => self.edit(m, d, Edit::Key(index))?,
            Command::Control { index, value } => self.edit(m, d, Edit::Control(index, value))?,
            Command::ClearControls => self.edit(m, d, Edit::ClearControls)?,
            Command::Position { index, value } => self.edit(m, d, Edit::Position(index, value))?,
            Command::Shot(_)
            | Command::Align
            | Command::Move { .. }
            | Command::Pick { .. }
            | Command::SelectBody { .. } => self.look(m, d, command)?,
            Command::Grasp { .. } | Command::Pull { .. } | Command::Release => self.hold(m, d, command)?,
            Command::Flag { index, on } => set(&mut self.option.flags, index, on),
            Command::Effect { index, on } => set(&mut self.scene.flags, index, on),
            Command::Group { of, index, on } => set(self.groups(of), index, on),
            Command::Label { index } => self.option.label = index,
            Command::Frame { index } => self.option.frame = index,
            Command::Depths { bvh, layer } => (self.option.bvh_depth, self.option.flex_layer) = (bvh, layer),
            Command::Timers { on } => self.measure(d, on),
            Command::Drawn
            | Command::Reload
            | Command::Quit
            | Command::KeyPress { .. }
            | Command::CopyState => {}
        }
        Ok(())
    }

    /// Keeps the present state, to be able to come back to it.
    fn keep(&mut self, d: &Data) {
        if std::mem::take(&mut self.unnoted) && self.mode == Mode::Active {
            self.history.note(d);
        }
    }

    fn rewind(&mut self, m: &Model, d: &mut Data, count: i32) {
        self.pause();
        self.keep(d);
        self.history.go_back(m, d, count);
    }

    fn pause(&mut self) {
        self.running = false;
        self.clock.stop();
    }

    fn edit(&mut self, m: &Model, d: &mut Data, edit: Edit) -> Result<(), ViewError> {
        edit.apply(m, d)?;
        if matches!(edit, Edit::Reset | Edit::Key(_)) {
            self.clock.stop();
            self.unnoted = true;
            self.keep(d);
        }
        match self.mode {
            Mode::Passive => {
                self.edits.push(edit);
                forward(m, d)?;
            }
            Mode::Active if self.running => {}
            Mode::Active => forward(m, d)?,
        }
        Ok(())
    }

    fn measure(&mut self, d: &mut Data, on: bool) {
        d.callbacks.time = on.then(ligament::processor_clock);
        self.stages = on.then(|| vec![0.0; Timer::INFO.members.len()]);
    }

    fn groups(&mut self, of: Grouped) -> &mut [u8] {
        match of {
            Grouped::Geom => &mut self.option.geomgroup,
            Grouped::Site => &mut self.option.sitegroup,
            Grouped::Joint => &mut self.option.jointgroup,
            Grouped::Tendon => &mut self.option.tendongroup,
            Grouped::Actuator => &mut self.option.actuatorgroup,
            Grouped::Flex => &mut self.option.flexgroup,
            Grouped::Skin => &mut self.option.skingroup,
        }
    }

    /// Commands about the camera and what is selected.
    fn look(&mut self, m: &Model, d: &mut Data, command: Command) -> Result<(), ViewError> {
        match command {
            Command::Shot(Shot::Free) => self.camera.kind = CameraType::Free as i32,
            Command::Shot(Shot::Tracking { body }) if usize::try_from(body).is_ok_and(|b| b < m.nbody) => {
                self.camera.kind = CameraType::Tracking as i32;
                self.camera.trackbodyid = body;
            }
            Command::Shot(Shot::Fixed { id }) if usize::try_from(id).is_ok_and(|c| c < m.ncam) => {
                self.camera.kind = CameraType::Fixed as i32;
                self.camera.fixedcamid = id;
            }
            Command::Align => self.camera = Camera::free(m),
            Command::Move { action, dx, dy } => {
                move_camera(m, action, dx, dy, &self.scene, &mut self.camera)?
            }
            Command::Pick { pick, x, y, aspect } => self.pick(m, d, pick, [x, y], aspect)?,
            Command::SelectBody { body } => {
                self.perturb = Perturb::default();
                if let Some(id) = usize::try_from(body).ok().filter(|&b| 0 < b && b < m.nbody) {
                    self.perturb.select = body;
                    // the point by which it is held: its centre of mass
                    self.perturb.localpos = m.body_ipos[id];
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn pick(&mut self, m: &Model, d: &Data, pick: Pick, at: [f64; 2], aspect: f64) -> Result<(), ViewError> {
        let found = select(m, d, &self.option, aspect, at[0], at[1], &self.scene)?;
        match (pick, found) {
            (Pick::Select, found) => {
                self.perturb = Perturb::default();
                if let Some(found) = found.filter(|f| f.body > 0) {
                    let id = |x: Option<usize>| x.map_or(-1, |i| i as i32);
                    self.perturb.select = found.body as i32;
                    self.perturb.flexselect = id(found.flex);
                    self.perturb.skinselect = id(found.skin);
                    let offset = vec3::sub(found.point, d.xpos[found.body]);
                    self.perturb.localpos = mat3::mul_vec_t(&d.xmat[found.body], offset);
                }
            }
            (Pick::LookAt, Some(found)) => self.camera.lookat = found.point,
            (Pick::Track, Some(found)) if found.body > 0 => {
                self.camera.kind = CameraType::Tracking as i32;
                self.camera.trackbodyid = found.body as i32;
            }
            (Pick::LookAt | Pick::Track, _) => {}
        }
        Ok(())
    }

    /// Commands about what is pulled.
    fn hold(&mut self, m: &Model, d: &mut Data, command: Command) -> Result<(), ViewError> {
        match command {
            Command::Grasp { bits } if self.perturb.select > 0 => {
                camera_in_model(&self.scene)?; // without a picture there is nothing to hold
                if self.perturb.active == 0 {
                    init_perturb(m, d, &self.scene, &mut self.perturb)?;
                }
                self.perturb.active = bits & 3;
            }
            Command::Pull { action, dx, dy } if self.perturb.active != 0 => {
                move_perturb(m, d, action, dx, dy, &self.scene, &mut self.perturb)?;
                if !self.running && self.mode == Mode::Active {
                    apply_perturb_pose(m, d, &self.perturb, true);
                }
            }
            Command::Release => self.perturb.active = 0,
            _ => {}
        }
        Ok(())
    }
}

fn set(flags: &mut [u8], index: usize, on: bool) {
    if let Some(flag) = flags.get_mut(index) {
        *flag = u8::from(on);
    }
}

/// A message of words.
pub fn notice(kind: &str, text: &str) -> Vec<u8> {
    message::plain(&json!({ "kind": kind, "text": text }) as &Value)
}

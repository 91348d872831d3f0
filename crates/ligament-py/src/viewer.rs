//! The viewer: sessions that make the steps themselves, and sessions that watch.

use crate::functions::{Data, Model, callbacks, fatal, pair, pair_mut};
use crate::scene::{PyCamera, PyPerturb, PyScene, PyVisualOption};
use ligament_py_macros::entries;
use ligament_scene::{Camera, Perturb, VisualOption};
use ligament_view::{FRAME, Image, Recording, Request, Server, Session, Text, Ticket, ViewError, notice};
use numpy::{PyReadonlyArray3, PyUntypedArrayMethods};
use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

/// How long a page may be away, for it may be loading again.
const RELOADING: Duration = Duration::from_secs(2);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn start_server(port: u16) -> PyResult<Server> {
    Server::start(port).map_err(|error| PyOSError::new_err(format!("cannot serve at port {port}: {error}")))
}

/// Notices when the last page has been closed by its user.
#[derive(Default)]
struct Farewell(Option<Instant>);

impl Farewell {
    fn note(&mut self, requests: &[Request]) {
        if requests.contains(&Request::Left) {
            self.0 = Some(Instant::now());
        }
    }

    fn is_over(&mut self, pages: usize) -> bool {
        if pages > 0 {
            self.0 = None;
        }
        self.0.is_some_and(|at| at.elapsed() > RELOADING)
    }
}

/// What pages asked for, in words that Python acts on.
fn in_words(requests: &[Request]) -> Vec<String> {
    let word = |request: &Request| match request {
        Request::Reload => Some("reload"),
        Request::Quit => Some("quit"),
        Request::Open(_) => Some("open"),
        Request::Key(_) | Request::Left => None,
    };
    requests.iter().filter_map(word).map(str::to_owned).collect()
}

/// A session that makes the steps: the native part of `viewer.launch`.
#[pyclass(frozen, module = "ligament._core")]
pub struct ActiveViewer {
    /// Locked while a frame is made, which may call functions of the user.
    state: Mutex<(Server, Session, Farewell)>,
    /// The files that were dropped on a page last.
    dropped: Mutex<Vec<(String, Vec<u8>)>>,
    address: String,
}

impl ActiveViewer {
    /// Who would have to wait, perhaps for himself, is told so.
    fn enter(&self) -> PyResult<MutexGuard<'_, (Server, Session, Farewell)>> {
        match self.state.try_lock() {
            Ok(state) => Ok(state),
            Err(TryLockError::Poisoned(state)) => Ok(state.into_inner()),
            Err(TryLockError::WouldBlock) => Err(PyRuntimeError::new_err("the viewer is making a frame")),
        }
    }
}

#[entries]
impl ActiveViewer {
    #[new]
    fn new(m: &Model<'_>, name: &str, port: u16) -> PyResult<Self> {
        let model = m.get().read()?;
        let (server, session) = (start_server(port)?, Session::new(&model, name));
        server.show_model(session.describe(&model));
        let address = server.address();
        let state = Mutex::new((server, session, Farewell::default()));
        Ok(Self { state, dropped: Mutex::default(), address })
    }

    fn address(&self) -> String {
        self.address.clone()
    }

    /// One frame; returns what pages ask for, and "quit" when the last one was closed.
    fn turn(&self, py: Python<'_>, m: &Model<'_>, d: &Data<'_>) -> PyResult<Vec<String>> {
        let mut state = self.enter()?;
        let (server, session, farewell) = &mut *state;
        let requests = callbacks::run(py, m, d, |m, d| session.turn(m, d, server))?;
        let requests = requests.map_err(|error: ViewError| fatal(error))?;
        farewell.note(&requests);
        let mut words = in_words(&requests);
        for request in requests {
            if let Request::Open(files) = request {
                *lock(&self.dropped) = files;
            }
        }
        if farewell.is_over(server.pages()) {
            words.push("quit".to_owned());
        }
        Ok(words)
    }

    /// Goes on with another model.
    fn replace(&self, m: &Model<'_>, name: &str) -> PyResult<()> {
        let model = m.get().read()?;
        let mut state = self.enter()?;
        let (server, session, _) = &mut *state;
        session.replace_model(&model, name);
        server.show_model(session.describe(&model));
        Ok(())
    }

    /// Names and contents of the files that were dropped on a page last.
    fn take_files<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let files = PyDict::new(py);
        for (name, content) in std::mem::take(&mut *lock(&self.dropped)) {
            files.set_item(name, PyBytes::new(py, &content))?;
        }
        Ok(files)
    }

    /// The panels that pages open with.
    fn show_panels(&self, left: bool, right: bool) -> PyResult<()> {
        self.enter()?.1.panels = [left, right];
        Ok(())
    }

    /// Shows what is wrong.
    fn complain(&self, text: &str) -> PyResult<()> {
        self.enter()?.0.show_notice(notice("error", text));
        Ok(())
    }
}

/// Copies that are shown between two calls of `sync`.
struct Watched {
    model: ligament_model::Model,
    data: ligament_model::Data,
    session: Session,
    /// The records as they were exchanged last: who differs from them has changed.
    camera: Camera,
    option: VisualOption,
    perturb: Perturb,
    keys: Vec<i32>,
    /// Surfaces or textures have changed.
    describe: bool,
}

struct Passive {
    watched: Mutex<Watched>,
    ended: AtomicBool,
}

/// A session that watches: the native part of `viewer.launch_passive`.
#[pyclass(frozen, module = "ligament._core")]
pub struct PassiveViewer {
    passive: Arc<Passive>,
    ticket: Ticket,
    address: String,
}

#[entries]
impl PassiveViewer {
    #[new]
    fn new(m: &Model<'_>, d: &Data<'_>, name: &str, port: u16) -> PyResult<Self> {
        let (model, data) = pair(m, d)?;
        let (model, mut data) = ((*model).clone(), (*data).clone());
        data.callbacks = ligament_model::callbacks::Callbacks::default(); // those belong to the caller's threads
        let session = Session::passive(&model, name);
        let server = start_server(port)?;
        server.show_model(session.describe(&model));
        let (ticket, address) = (server.ticket(), server.address());
        let watched = Watched {
            camera: session.camera.clone(),
            option: session.option.clone(),
            perturb: session.perturb.clone(),
            model,
            data,
            session,
            keys: Vec::new(),
            describe: false,
        };
        let passive = Arc::new(Passive { watched: Mutex::new(watched), ended: AtomicBool::new(false) });
        let watching = passive.clone();
        std::thread::Builder::new().spawn(move || watching.serve(&server))?;
        Ok(Self { passive, ticket, address })
    }

    fn address(&self) -> String {
        self.address.clone()
    }

    fn is_running(&self) -> bool {
        !self.passive.ended.load(Ordering::Acquire)
    }

    fn close(&self) {
        self.passive.ended.store(true, Ordering::Release);
    }

    /// Number of pages that show the simulation.
    fn pages(&self) -> usize {
        self.ticket.pages()
    }

    /// Takes over the state, gives back what the user changed; records go the way of the last change.
    #[pyo3(signature = (m, d, cam, opt, pert, scn, state_only))]
    fn sync(
        &self,
        m: &Model<'_>,
        d: &Data<'_>,
        cam: &PyCamera,
        opt: &PyVisualOption,
        pert: &PyPerturb,
        scn: Option<&PyScene>,
        state_only: bool,
    ) -> PyResult<()> {
        let (model, mut data) = pair_mut(m, d)?;
        let mut watched = lock(&self.passive.watched);
        let Watched { session, camera, option, perturb, .. } = &mut *watched;
        exchange(&mut session.camera, camera, cam.record(), |new| cam.overwrite(new));
        exchange(&mut session.option, option, opt.record(), |new| opt.overwrite(new));
        exchange(&mut session.perturb, perturb, pert.record(), |new| pert.overwrite(new));
        for edit in session.take_edits() {
            edit.apply(&model, &mut data).map_err(fatal)?;
        }
        session.pull(&model, &mut data);
        if let Some(scene) = scn {
            session.user_geoms.clear();
            session.user_geoms.extend_from_slice(scene.scene().geoms());
        }
        session.touch();
        let fits = watched.data.fits(&model);
        if fits {
            watched.data.assign(&data);
        } else {
            watched.data = (*data).clone();
            watched.data.callbacks = ligament_model::callbacks::Callbacks::default();
        }
        if !state_only || !fits {
            watched.model = (*model).clone();
        }
        if !fits {
            let Watched { session, model, .. } = &mut *watched;
            session.replace_model(model, "model");
            watched.describe = true;
        }
        Ok(())
    }

    /// Shows changed surfaces and textures.
    fn update_assets(&self, m: &Model<'_>) -> PyResult<()> {
        let model = m.get().read()?;
        let mut watched = lock(&self.passive.watched);
        if !watched.data.fits(&model) {
            return Err(fatal("the viewer shows another model: call sync first"));
        }
        watched.model = (*model).clone();
        watched.describe = true;
        Ok(())
    }

    /// Shows images: left, bottom and rows of pixels from the top.
    fn set_images(&self, images: Vec<(i32, i32, PyReadonlyArray3<'_, u8>)>) -> PyResult<()> {
        let mut shown = Vec::with_capacity(images.len());
        for (left, bottom, array) in images {
            let (width, pixels) = (array.shape()[1], array.as_slice()?.to_vec());
            shown.push(Image { left, bottom, width, pixels });
        }
        let mut watched = lock(&self.passive.watched);
        watched.session.images = shown;
        watched.session.touch();
        Ok(())
    }

    fn show_panels(&self, left: bool, right: bool) {
        let mut watched = lock(&self.passive.watched);
        watched.session.panels = [left, right];
        watched.session.touch();
    }

    /// Shows texts: size in percent, place, left and right column.
    fn set_texts(&self, texts: Vec<(u32, i32, String, String)>) {
        let text = |(percent, place, left, right)| Text { percent, place, left, right };
        let mut watched = lock(&self.passive.watched);
        watched.session.texts = texts.into_iter().map(text).collect();
        watched.session.touch();
    }

    /// Width and height of the picture on the page; zeros before there was a page.
    fn size(&self) -> [u32; 2] {
        lock(&self.passive.watched).session.size
    }

    /// Keys that were pressed since the last call.
    fn take_keys(&self) -> Vec<i32> {
        std::mem::take(&mut lock(&self.passive.watched).keys)
    }
}

/// The side that changed since the last exchange tells the other; the program comes first.
fn exchange<T: Clone + PartialEq>(own: &mut T, last: &mut T, theirs: &T, tell: impl FnOnce(T)) {
    if theirs != last {
        own.clone_from(theirs);
    } else if own != last {
        tell(own.clone());
    }
    last.clone_from(own);
}

impl Passive {
    /// Shows the copies and obeys the pages until it is over.
    fn serve(&self, server: &Server) {
        let mut farewell = Farewell::default();
        while !self.ended.load(Ordering::Acquire) {
            let first = server.next_event(FRAME);
            let mut watched = lock(&self.watched);
            let Watched { model, data, session, keys, describe, .. } = &mut *watched;
            let mut event = first;
            while let Some(now) = event {
                match session.obey(model, data, server, now) {
                    Ok(Some(Request::Key(code))) => keys.push(code),
                    Ok(Some(Request::Quit)) => self.ended.store(true, Ordering::Release),
                    Ok(Some(Request::Left)) => farewell.note(&[Request::Left]),
                    Ok(Some(Request::Reload | Request::Open(_))) => {
                        server.tell(notice(
                            "error",
                            "the program that shows this model decides which model is shown",
                        ));
                    }
                    Ok(None) => {}
                    Err(error) => server.tell(notice("error", &error.to_string())),
                }
                event = server.next_event(Duration::ZERO);
            }
            if std::mem::take(describe) {
                server.show_model(session.describe(model));
            }
            if let Err(error) = session.show(model, data, server) {
                server.tell(notice("error", &error.to_string()));
            }
            if farewell.is_over(server.pages()) {
                self.ended.store(true, Ordering::Release);
            }
        }
    }
}

impl Drop for PassiveViewer {
    fn drop(&mut self) {
        self.passive.ended.store(true, Ordering::Release);
    }
}

/// Frames of a simulation, to be kept as a page: the native part of `viewer.Recorder`.
#[pyclass(frozen, module = "ligament._core")]
pub struct SceneRecorder(Mutex<(Session, Recording)>);

#[entries]
impl SceneRecorder {
    #[new]
    fn new(m: &Model<'_>, name: &str) -> PyResult<Self> {
        let model = m.get().read()?;
        let session = Session::new(&model, name);
        let recording = Recording::new(session.describe(&model));
        Ok(Self(Mutex::new((session, recording))))
    }

    /// Adds the present state, seen by a camera with options.
    #[pyo3(signature = (m, d, cam = None, opt = None, scn = None))]
    fn capture(
        &self,
        m: &Model<'_>,
        d: &Data<'_>,
        cam: Option<&PyCamera>,
        opt: Option<&PyVisualOption>,
        scn: Option<&PyScene>,
    ) -> PyResult<()> {
        let (model, mut data) = pair_mut(m, d)?;
        let mut state = lock(&self.0);
        let (session, recording) = &mut *state;
        if let Some(cam) = cam {
            session.camera = cam.record().clone();
        }
        if let Some(opt) = opt {
            session.option = opt.record().clone();
        }
        session.user_geoms = scn.map_or_else(Vec::new, |scn| scn.scene().geoms().to_vec());
        recording.add(session.frame(&model, &mut data).map_err(fatal)?);
        Ok(())
    }

    fn __len__(&self) -> usize {
        lock(&self.0).1.frames()
    }

    /// The page.
    fn html(&self) -> PyResult<String> {
        Ok(lock(&self.0).1.html()?)
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<ActiveViewer>()?;
    module.add_class::<PassiveViewer>()?;
    module.add_class::<SceneRecorder>()
}

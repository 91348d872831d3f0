//! The kernels compiled for the host: a warp with one lane.
#![allow(unsafe_code, dead_code)] // a library that was just compiled is loaded and called; tests use parts

use ligament::prelude::*;
use ligament_gpu::{Capacity, Precision, SOURCES, Tables, Wanted};
use std::ffi::c_void;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// As `Args` in `step.cu`.
#[repr(C)]
struct Args {
    qpos: *mut c_void,
    qvel: *mut c_void,
    act: *mut c_void,
    warm: *mut c_void,
    time: *mut c_void,
    ctrl: *const c_void,
    qfrc_applied: *const c_void,
    xfrc_applied: *const c_void,
    results: *const *mut c_void,
    status: *mut i32,
    done: *mut i32,
    counts: *mut i32,
    overflow: *mut i32,
    turns: *mut i32,
    nworld: i32,
    nstep: i32,
    rounds: i32,
    mode: i32,
}

/// `Mode` in `after.cuh`: steps that write forces of bodies too, and a look at the state (with its last stage).
pub const STEPS: i32 = 3 | 8;
pub const FORWARD: i32 = 4;

/// As `Given` in `world.cuh`.
#[repr(C)]
struct Given {
    ints: *const i32,
    reals: *const c_void,
    own: *const c_void,
    mocap_pos: *const c_void,
    mocap_quat: *const c_void,
    /// The host build has its own.
    scratch: *mut c_void,
    history: *mut c_void,
    /// A warp with lanes has its own.
    kept: *mut c_void,
    /// As it has of this.
    worlds: *mut c_void,
}

/// A contact: its geoms (the one with the lower type first), distance, position and normal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch {
    pub geoms: [i32; 2],
    pub numbers: [f64; 7],
}

/// State of one world.
#[derive(Debug, Clone, Default)]
pub struct State {
    pub qpos: Vec<f64>,
    pub qvel: Vec<f64>,
    pub act: Vec<f64>,
    pub warm: Vec<f64>,
    pub ctrl: Vec<f64>,
    pub qfrc_applied: Vec<f64>,
    pub xfrc_applied: Vec<f64>,
    pub mocap_pos: Vec<f64>,
    pub mocap_quat: Vec<f64>,
    /// Earlier controls of delayed actuators, of each the newest first.
    pub history: Vec<f64>,
    pub sensordata: Vec<f64>,
    /// What the kernels have written, in the order of `Tables::results`.
    pub results: Vec<(&'static str, Vec<f64>)>,
    pub time: f64,
    pub contacts: i32,
    pub iterations: i32,
    pub status: i32,
    /// Was most of the room for contacts needed?
    pub crowded: bool,
}

pub struct Kernel {
    library: libloading::Library,
    tables: Tables,
    precision: Precision,
    /// Has a warp one lane?
    alone: bool,
}

static COUNT: AtomicUsize = AtomicUsize::new(0);

impl Kernel {
    /// Compiles the kernels with the host's C++ compiler, a warp of one lane.
    pub fn new(tables: Tables, precision: Precision) -> Self {
        Self::compile(tables, precision, 1, &[])
    }

    /// The same with lanes as on a GPU (`warp.h`).
    pub fn with_lanes(tables: Tables, precision: Precision, lanes: usize) -> Self {
        Self::compile(tables, precision, lanes, &[])
    }

    /// The same with the world in device memory, as if it were too large for shared memory.
    pub fn in_device_memory(tables: Tables, precision: Precision, lanes: usize) -> Self {
        Self::compile(tables, precision, lanes, &["-DSHARED_ROOM=1024"])
    }

    fn compile(tables: Tables, precision: Precision, lanes: usize, options: &[&str]) -> Self {
        let alone = lanes == 1;
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("kernel-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for (name, _) in SOURCES {
            let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("kernels").join(name);
            std::fs::copy(source, folder.join(name)).unwrap();
        }
        std::fs::write(folder.join("topology.cuh"), &tables.header).unwrap();
        std::fs::write(folder.join("warp.h"), include_str!("warp.h")).unwrap();
        std::fs::write(folder.join("host.h"), include_str!("host.h")).unwrap();
        let real = if precision == Precision::F32 { "float" } else { "double" };
        let output = Command::new("c++")
            .current_dir(&folder)
            .args([
                "-std=c++17",
                "-O1",
                "-Wall",
                "-Wno-unknown-pragmas",
                "-shared",
                "-fPIC",
                if alone { "-DLIGAMENT_HOST" } else { "-Wno-unused" },
            ])
            .args((!alone).then(|| format!("-DLANES={lanes}")))
            .args(options)
            // other options for a trial, as "-O3 -mfma -ffp-contract=fast"
            .args(std::env::var("LIGAMENT_CXX").unwrap_or_default().split_whitespace())
            .arg(format!("-DREAL={real}"))
            .args(["-x", "c++", if alone { "host.h" } else { "warp.h" }, "-o", "kernel.so"])
            .output()
            .expect("a C++ compiler is installed");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        // SAFETY: the library has no initialisers.
        let library = unsafe { libloading::Library::new(folder.join("kernel.so")).unwrap() };
        std::fs::remove_dir_all(&folder).unwrap();
        Self { library, tables, precision, alone }
    }

    /// Contacts of the last step, of a warp with one lane: geoms, distance and position.
    pub fn contacts(&self, count: i32) -> Vec<Touch> {
        // SAFETY: the signature is that of `ligament_contact` in host.h, which writes two integers and seven numbers.
        let contact = |k: i32| unsafe {
            let (mut geoms, mut numbers) = ([0; 2], [0.0; 7]);
            let entry: libloading::Symbol<unsafe extern "C" fn(i32, *mut i32, *mut f64) -> bool> =
                self.library.get(b"ligament_contact").unwrap();
            entry(k, geoms.as_mut_ptr(), numbers.as_mut_ptr()).then_some(Touch { geoms, numbers })
        };
        (0..count).filter_map(contact).collect()
    }

    /// Memory of a world, of a warp with one lane.
    pub fn world_bytes(&self) -> usize {
        // SAFETY: the signature is that of `ligament_world_bytes` in step.cu for the host.
        let bytes = unsafe {
            let entry: libloading::Symbol<unsafe extern "C" fn() -> i32> =
                self.library.get(b"ligament_world_bytes").unwrap();
            entry()
        };
        bytes as usize
    }

    /// What the world keeps from step to step.
    fn kept(&self) -> (*mut u8, usize) {
        let mut bytes = 0;
        // SAFETY: the signature is that of `ligament_kept` in host.h.
        let place = unsafe {
            let entry: libloading::Symbol<unsafe extern "C" fn(*mut i32) -> *mut u8> =
                self.library.get(b"ligament_kept").unwrap();
            entry(&raw mut bytes)
        };
        (place, bytes as usize)
    }

    /// Lets a world go on with what it kept when another kernel stepped it.
    pub fn take_kept(&self, other: &Self) {
        let ((to, size), (from, given)) = (self.kept(), other.kept());
        assert_eq!(size, given, "kernels of one model keep the same");
        // SAFETY: both places have this size and belong to different libraries.
        unsafe { std::ptr::copy_nonoverlapping(from, to, size) };
    }

    /// Makes `steps` steps of one world.
    pub fn steps(&self, state: &mut State, steps: usize) {
        self.call(state, steps, STEPS);
    }

    /// Steps, or a look at the state (`FORWARD` and a stage).
    pub fn call(&self, state: &mut State, steps: usize, mode: i32) {
        match self.precision {
            Precision::F64 => self.run::<f64>(state, (steps, mode), |x| x, |x| x),
            Precision::F32 => self.run::<f32>(state, (steps, mode), |x| x as f32, f64::from),
        }
    }

    fn run<T: Copy>(
        &self,
        state: &mut State,
        (steps, mode): (usize, i32),
        to: fn(f64) -> T,
        from: fn(T) -> f64,
    ) {
        let convert = |x: &[f64]| x.iter().map(|&x| to(x)).collect::<Vec<T>>();
        let reals = convert(&self.tables.reals);
        let [mut qpos, mut qvel, mut act, mut warm] =
            [&state.qpos, &state.qvel, &state.act, &state.warm].map(|x| convert(x));
        let ctrl = convert(&state.ctrl);
        let (own, qfrc, xfrc) =
            (convert(&self.tables.own), convert(&state.qfrc_applied), convert(&state.xfrc_applied));
        let (mocap_pos, mocap_quat) = (convert(&state.mocap_pos), convert(&state.mocap_quat));
        // numbers that nobody writes stay
        let earlier = |(name, columns): &(&str, usize)| {
            let rows = state.results.iter().find(|rows| rows.0 == *name);
            convert(rows.map_or(&vec![0.0; *columns], |rows| &rows.1))
        };
        let mut results: Vec<Vec<T>> = self.tables.results.iter().map(earlier).collect();
        let rows: Vec<*mut c_void> = results.iter_mut().map(|rows| rows.as_mut_ptr().cast()).collect();
        let mut history = convert(&state.history);
        let (mut overflow, mut turns) = ([0; 3], [0; 2]);
        let or_null = |x: &[T]| if x.is_empty() { std::ptr::null() } else { x.as_ptr().cast() };
        let (mut time, mut status, mut done, mut counts) = ([to(state.time)], [0], [0], [0; 2]);
        let given = Given {
            ints: self.tables.ints.as_ptr(),
            reals: reals.as_ptr().cast(),
            own: own.as_ptr().cast(),
            mocap_pos: mocap_pos.as_ptr().cast(),
            mocap_quat: mocap_quat.as_ptr().cast(),
            scratch: std::ptr::null_mut(),
            history: history.as_mut_ptr().cast(),
            kept: if self.alone { self.kept().0.cast() } else { std::ptr::null_mut() },
            worlds: std::ptr::null_mut(),
        };
        let args = Args {
            qpos: qpos.as_mut_ptr().cast(),
            qvel: qvel.as_mut_ptr().cast(),
            act: act.as_mut_ptr().cast(),
            warm: warm.as_mut_ptr().cast(),
            time: time.as_mut_ptr().cast(),
            ctrl: ctrl.as_ptr().cast(),
            qfrc_applied: or_null(&qfrc),
            xfrc_applied: or_null(&xfrc),
            results: rows.as_ptr(),
            status: status.as_mut_ptr(),
            done: done.as_mut_ptr(),
            counts: counts.as_mut_ptr(),
            overflow: overflow.as_mut_ptr(),
            turns: turns.as_mut_ptr(),
            nworld: 1,
            nstep: steps as i32,
            rounds: 2,
            mode,
        };
        // SAFETY: the signature is that of `ligament_steps` in step.cu and of `ligament_warp` in warp.h; every pointer is to arrays of the sizes it reads.
        unsafe {
            let name: &[u8] = if self.alone { b"ligament_steps" } else { b"ligament_warp" };
            let entry: libloading::Symbol<unsafe extern "C" fn(*const Args, *const Given, i32, i32)> =
                self.library.get(name).unwrap();
            entry(&args, &given, 0, 1);
        }
        let back = |x: &[T]| x.iter().map(|&x| from(x)).collect::<Vec<f64>>();
        (state.qpos, state.qvel, state.act, state.warm) = (back(&qpos), back(&qvel), back(&act), back(&warm));
        let names = self.tables.results.iter().map(|(name, _)| *name);
        state.results = names.zip(results.iter().map(|rows| back(rows))).collect();
        let sensors = state.results.iter().find(|rows| rows.0 == "sensordata");
        state.sensordata = sensors.map_or_else(Vec::new, |rows| rows.1.clone());
        state.history = back(&history);
        (state.contacts, state.iterations, state.status) = (counts[0], counts[1], status[0]);
        state.crowded = overflow[1] != 0;
    }
}

/// Deterministic numbers in [-1, 1).
pub struct Noise(pub u64);
impl Noise {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// Largest differences of [`compare_states`].
pub fn compare(model: &Model, precision: Precision, states: usize, between: usize, steps: usize) -> [f64; 3] {
    let results = if model.nsensor > 0 { vec!["sensordata".to_string()] } else { Vec::new() };
    let wanted = Wanted { results, ..Wanted::default() };
    let errors = compare_states(model, precision, states, between, steps, &wanted);
    std::array::from_fn(|k| errors.iter().map(|e| e[k]).fold(0.0, f64::max))
}

/// Largest differences after `steps` steps from each of `states` states along a noisy trajectory: positions and activations,
/// velocities, sensors. Contact sets must be equal.
pub fn compare_states(
    model: &Model,
    precision: Precision,
    states: usize,
    between: usize,
    steps: usize,
    wanted: &Wanted,
) -> Vec<[f64; 3]> {
    let capacity = Some(Capacity { contacts: 128, hits: 512 });
    let wanted = Wanted { capacity, ..wanted.clone() };
    let kernel = Kernel::new(Tables::new(model, &wanted).unwrap(), precision);
    let mut data = model.make_data().unwrap();
    let mut noise = Noise(7);
    let mut errors = Vec::new();
    for _ in 0..states {
        for _ in 0..between {
            data.ctrl.iter_mut().for_each(|u| *u = noise.next());
            data.step(model).unwrap();
        }
        data.qfrc_applied.iter_mut().for_each(|f| *f = 0.01 * noise.next());
        data.xfrc_applied.iter_mut().flatten().for_each(|f| *f = 0.01 * noise.next());
        data.mocap_pos.iter_mut().flatten().for_each(|x| *x += 0.001 * noise.next());
        let mut state = state_of(model, &data);
        let mut judge = data.clone();
        let mut contacts = 0;
        for _ in 0..steps {
            judge.step(model).unwrap();
            contacts += judge.contact.iter().filter(|c| c.exclude == 0).count() as i32;
        }
        kernel.steps(&mut state, steps);
        assert_eq!((state.status, state.contacts), (0, contacts));
        let far = |a: &[f64], b: &[f64]| {
            a.iter().zip(b).map(|(x, y)| (x - y).abs() / (1.0 + y.abs())).fold(0.0, f64::max)
        };
        let positions = far(&state.qpos, &judge.qpos).max(far(&state.act, &judge.act));
        errors.push([positions, far(&state.qvel, &judge.qvel), far(&state.sensordata, &judge.sensordata)]);
    }
    errors
}

/// Samples of delayed actuators, of each the newest first.
fn history_of(model: &Model, data: &Data) -> Vec<f64> {
    let delayed = |u: &usize| model.actuator_delay[*u] != 0.0 && model.actuator_history[*u][0] > 0;
    let samples = |u: usize| {
        let n = model.actuator_history[u][0] as usize;
        let ring = &data.history[model.actuator_historyadr[u] as usize..];
        let (newest, values) = (ring[1] as usize, &ring[2 + n..2 + 2 * n]);
        (0..n).map(|age| values[(newest + n - age) % n]).collect::<Vec<_>>()
    };
    (0..model.nu).filter(delayed).flat_map(samples).collect()
}

pub fn state_of(model: &Model, data: &Data) -> State {
    State {
        history: history_of(model, data),
        qpos: data.qpos.to_vec(),
        qvel: data.qvel.to_vec(),
        act: data.act.to_vec(),
        warm: data.qacc_warmstart.to_vec(),
        ctrl: data.ctrl.to_vec(),
        qfrc_applied: data.qfrc_applied.to_vec(),
        xfrc_applied: data.xfrc_applied.as_flattened().to_vec(),
        mocap_pos: data.mocap_pos.as_flattened().to_vec(),
        mocap_quat: data.mocap_quat.as_flattened().to_vec(),
        time: data.time,
        ..State::default()
    }
}

/// An arm with a gripper, whose tree is nearly a chain: fingers that an equality couples and one tendon drives, ellipsoids (for which
/// gaps are kept), implicitly integrated dampers, limits. `ball`: something that the fingers touch.
pub fn gripper_arm(ball: bool) -> String {
    let limb = |at: &str, axis: &str, inner: &str| {
        format!(
            r#"<body pos="{at}"><joint axis="{axis}" range="-100 100" damping=".3" armature=".02"/>
               <geom type="ellipsoid" size=".04 .04 .1" pos="0 0 .1" mass=".4"/>{inner}</body>"#
        )
    };
    let finger = |side: f64, name: &str| {
        format!(
            r#"<body pos="0 {} .2"><joint name="{name}" type="slide" axis="0 {side} 0" range="0 .05" damping="2" armature=".05"/>
               <geom type="box" size=".01 .01 .03" mass=".03"/></body>"#,
            0.03 * side
        )
    };
    let hand = finger(1.0, "left") + &finger(-1.0, "right");
    let arm = limb(
        "0 0 0",
        "0 0 1",
        &limb("0 0 .22", "0 1 0", &limb("0 0 .22", "1 0 0", &limb("0 0 .22", "0 1 0", &hand))),
    );
    let ball = if ball { r#"<geom type="ellipsoid" size=".05 .06 .04" pos=".1 .05 .8"/>"# } else { "" };
    format!(
        r#"<mujoco><option timestep=".002" integrator="implicitfast"/><worldbody>{ball}{arm}</worldbody>
           <tendon><fixed name="grip" damping=".5"><joint joint="left" coef=".5"/><joint joint="right" coef=".5"/></fixed></tendon>
           <equality><joint joint1="left" joint2="right"/></equality>
           <actuator><position tendon="grip" kp="100" kv="5"/></actuator></mujoco>"#
    )
}

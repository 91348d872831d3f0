//! The kernels compiled for the host: a warp with one lane.
#![allow(unsafe_code)] // a library that was just compiled is loaded and called

use ligament_gpu::{Precision, SOURCES, Tables};
use std::ffi::c_void;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// As `Args` in `step.cu`.
#[repr(C)]
struct Args {
    it: *const i32,
    rt: *const c_void,
    wt: *const c_void,
    qpos: *mut c_void,
    qvel: *mut c_void,
    act: *mut c_void,
    warm: *mut c_void,
    time: *mut c_void,
    ctrl: *const c_void,
    qfrc_applied: *const c_void,
    xfrc_applied: *const c_void,
    status: *mut i32,
    done: *mut i32,
    counts: *mut i32,
    nworld: i32,
    nstep: i32,
    ctrl_steps: i32,
}

/// State of one world.
#[derive(Debug, Clone, Default)]
pub struct State {
    pub qpos: Vec<f64>,
    pub qvel: Vec<f64>,
    pub act: Vec<f64>,
    pub warm: Vec<f64>,
    pub ctrl: Vec<f64>,
    pub contacts: i32,
    pub iterations: i32,
    pub status: i32,
}

pub struct Kernel {
    library: libloading::Library,
    tables: Tables,
    precision: Precision,
}

static COUNT: AtomicUsize = AtomicUsize::new(0);

impl Kernel {
    /// Compiles the kernels with the host's C++ compiler.
    pub fn new(tables: Tables, precision: Precision) -> Self {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("kernel-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for (name, _) in SOURCES {
            let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("kernels").join(name);
            std::fs::copy(source, folder.join(name)).unwrap();
        }
        std::fs::write(folder.join("topology.cuh"), &tables.header).unwrap();
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
                "-DLIGAMENT_HOST",
            ])
            .arg(format!("-DREAL={real}"))
            .args(["-x", "c++", "step.cu", "-o", "kernel.so"])
            .output()
            .expect("a C++ compiler is installed");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        // SAFETY: the library has no initialisers.
        let library = unsafe { libloading::Library::new(folder.join("kernel.so")).unwrap() };
        std::fs::remove_dir_all(&folder).unwrap();
        Self { library, tables, precision }
    }

    /// Makes `steps` steps of one world.
    pub fn steps(&self, state: &mut State, steps: usize) {
        match self.precision {
            Precision::F64 => self.run::<f64>(state, steps, |x| x, |x| x),
            Precision::F32 => self.run::<f32>(state, steps, |x| x as f32, f64::from),
        }
    }

    fn run<T: Copy>(&self, state: &mut State, steps: usize, to: fn(f64) -> T, from: fn(T) -> f64) {
        let convert = |x: &[f64]| x.iter().map(|&x| to(x)).collect::<Vec<T>>();
        let reals = convert(&self.tables.reals);
        let [mut qpos, mut qvel, mut act, mut warm] =
            [&state.qpos, &state.qvel, &state.act, &state.warm].map(|x| convert(x));
        let ctrl = convert(&state.ctrl);
        let (mut time, mut status, mut done, mut counts) = ([to(0.0)], [0], [0], [0; 2]);
        let args = Args {
            it: self.tables.ints.as_ptr(),
            rt: reals.as_ptr().cast(),
            wt: reals.as_ptr().cast(),
            qpos: qpos.as_mut_ptr().cast(),
            qvel: qvel.as_mut_ptr().cast(),
            act: act.as_mut_ptr().cast(),
            warm: warm.as_mut_ptr().cast(),
            time: time.as_mut_ptr().cast(),
            ctrl: ctrl.as_ptr().cast(),
            qfrc_applied: std::ptr::null(),
            xfrc_applied: std::ptr::null(),
            status: status.as_mut_ptr(),
            done: done.as_mut_ptr(),
            counts: counts.as_mut_ptr(),
            nworld: 1,
            nstep: steps as i32,
            ctrl_steps: 1,
        };
        // SAFETY: the signature is that of `ligament_steps` in step.cu; every pointer is to arrays of the sizes it reads.
        unsafe {
            let entry: libloading::Symbol<unsafe extern "C" fn(*const Args)> =
                self.library.get(b"ligament_steps").unwrap();
            entry(&args);
        }
        let back = |x: &[T]| x.iter().map(|&x| from(x)).collect::<Vec<f64>>();
        (state.qpos, state.qvel, state.act, state.warm) = (back(&qpos), back(&qvel), back(&act), back(&warm));
        (state.contacts, state.iterations, state.status) = (counts[0], counts[1], status[0]);
    }
}

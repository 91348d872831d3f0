//! A device that is this machine's processor: the kernels as ordinary C++, compiled by the compiler that is installed. It
//! is for tests of programs where there is no GPU: slow, and a warp has one lane.

use super::GpuError;
use super::machine::{Args, Device, Fill, Given, Kind, Memory, Program, ProgramFacts, Sizes};
use super::recipe::{Compiler, Recipe};
use crate::tables::{Precision, Tables};
use crate::{SOURCES, one_source};
use libloading::Library;
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::SystemTime;

pub(super) const EMULATED: Kind = Kind { recipe, open: || Ok(Box::new(Emulated)) };

fn recipe(tables: &Tables, precision: Precision) -> Result<Recipe, GpuError> {
    let real = if precision == Precision::F32 { "float" } else { "double" };
    let fixed = "-std=c++17 -O1 -ffp-contract=off -w -shared -fPIC -DLIGAMENT_HOST";
    let options = fixed.split(' ').map(str::to_string).chain([format!("-DREAL={real}")]).collect();
    Ok(Recipe { source: one_source(SOURCES, &tables.header), options, compiler: &HostCompiler })
}

/// The machine's C++ compiler: `CXX`, else `c++`.
struct HostCompiler;

impl HostCompiler {
    /// Its command, which may have arguments ("ccache g++").
    fn command() -> (String, Command) {
        let named = std::env::var("CXX").ok().filter(|name| !name.trim().is_empty());
        let line = named.unwrap_or_else(|| "c++".into());
        let mut words = line.split_whitespace();
        let mut command = Command::new(words.next().unwrap_or("c++"));
        command.args(words);
        (line, command)
    }
}

impl Compiler for HostCompiler {
    fn version(&self) -> String {
        let said =
            Self::command().1.arg("--version").output().map(|output| output.stdout).unwrap_or_default();
        format!("{} {} {}", String::from_utf8_lossy(&said), std::env::consts::ARCH, std::env::consts::OS)
    }

    fn extension(&self) -> &'static str {
        "so"
    }

    fn compile(&self, source: &str, options: &[String]) -> Result<Vec<u8>, GpuError> {
        let (name, mut command) = Self::command();
        let failed = |why: String| GpuError::HostCompiler(format!("{name} {why}"));
        let folder = Folder::new()?;
        folder.write("kernels.cpp", source.as_bytes())?;
        let compiled =
            command.current_dir(&folder.0).args(options).args(["kernels.cpp", "-o", "kernels.so"]).output();
        let compiled = compiled.map_err(|e| failed(format!("cannot be run ({e})")))?;
        if !compiled.status.success() {
            return Err(failed(format!("reports: {}", String::from_utf8_lossy(&compiled.stderr).trim())));
        }
        std::fs::read(folder.0.join("kernels.so")).map_err(|e| failed(format!("left no library ({e})")))
    }
}

/// A folder of this process alone, which goes when it is no longer needed.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self, GpuError> {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let (process, number) = (std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |t| t.as_nanos());
        let path = std::env::temp_dir().join(format!("ligament-kernels-{process}-{number}-{time}"));
        // not one that another program has made
        std::fs::create_dir(&path).map_err(|e| unwritten(&path, &e))?;
        Ok(Self(path))
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<PathBuf, GpuError> {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).map_err(|e| unwritten(&path, &e))?;
        Ok(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn unwritten(path: &Path, error: &std::io::Error) -> GpuError {
    GpuError::HostCompiler(format!("{} cannot be written ({error})", path.display()))
}

struct Emulated;

impl Device for Emulated {
    fn zeroed(&self, bytes: usize) -> Result<Box<dyn Memory>, GpuError> {
        Ok(Box::new(HostMemory::new(bytes.max(16))?))
    }

    /// What the system can give without taking it from others, where it says so.
    fn free_memory(&self) -> Result<usize, GpuError> {
        let said = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
        let line = said.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
        let kilobytes = line.and_then(|rest| rest.trim().strip_suffix("kB")?.trim().parse::<usize>().ok());
        Ok(kilobytes.map_or(isize::MAX as usize, |kilobytes| kilobytes << 10))
    }

    /// A library in the cache that cannot be loaded (half a file, say) is made anew.
    fn load(&self, recipe: &Recipe) -> Result<Box<dyn Program>, GpuError> {
        let program = match recipe.kept().map(|code| Kernels::new(&code)) {
            Some(Ok(program)) => program,
            _ => Kernels::new(&recipe.compile()?)?,
        };
        Ok(Box::new(program))
    }

    unsafe fn wait_for(&self, _stream: u64) -> Result<(), GpuError> {
        Ok(()) // there are no streams
    }

    fn synchronize(&self) -> Result<(), GpuError> {
        Ok(()) // calls return when their work is done
    }
}

/// Memory that kernels reach by its address.
struct HostMemory {
    start: NonNull<u8>,
    bytes: usize,
}

impl HostMemory {
    fn layout(bytes: usize) -> Option<Layout> {
        Layout::from_size_align(bytes, 64).ok()
    }

    fn new(bytes: usize) -> Result<Self, GpuError> {
        // SAFETY: the layout has a size.
        let start = Self::layout(bytes).and_then(|layout| NonNull::new(unsafe { alloc_zeroed(layout) }));
        start.map(|start| Self { start, bytes }).ok_or(GpuError::HostMemory { megabytes: bytes >> 20 })
    }
}

impl Drop for HostMemory {
    fn drop(&mut self) {
        if let Some(layout) = Self::layout(self.bytes) {
            // SAFETY: it was allocated with this layout.
            unsafe { dealloc(self.start.as_ptr(), layout) };
        }
    }
}

// SAFETY: it owns the memory, which is changed through `&mut self` and by kernels, while they are waited for.
unsafe impl Send for HostMemory {}
// SAFETY: as above.
unsafe impl Sync for HostMemory {}

impl Memory for HostMemory {
    fn address(&self) -> u64 {
        self.start.as_ptr() as u64
    }

    fn len(&self) -> usize {
        self.bytes
    }

    fn read(&self) -> Result<Vec<u8>, GpuError> {
        // SAFETY: so many bytes are there, all of them written.
        Ok(unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.bytes) }.to_vec())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), GpuError> {
        let bytes = &bytes[..bytes.len().min(self.bytes)];
        // SAFETY: there is room for so many bytes, which nobody else can reach.
        unsafe { self.start.copy_from_nonoverlapping(NonNull::from(bytes).cast(), bytes.len()) };
        Ok(())
    }

    fn clear(&mut self) -> Result<(), GpuError> {
        // SAFETY: there is room for so many bytes.
        unsafe { self.start.write_bytes(0, self.bytes) };
        Ok(())
    }
}

/// As `ligament_steps` in step.cu for the host.
type Steps = unsafe extern "C" fn(*const Args, *const Given, i32, i32);

struct Kernels {
    steps: Steps,
    given: Given,
    sizes: Sizes,
    world: usize,
    /// Holds the code.
    _library: Library,
}

impl Kernels {
    fn new(code: &[u8]) -> Result<Self, GpuError> {
        let library = load(code)?;
        let missing = |e: libloading::Error| GpuError::HostCompiler(format!("the library is damaged ({e})"));
        // SAFETY: the signatures are those in step.cu for the host; what is called only returns a number.
        unsafe {
            let steps = *library.get::<Steps>(b"ligament_steps").map_err(missing)?;
            let bytes =
                |name: &[u8]| library.get::<unsafe extern "C" fn() -> i32>(name).map(|f| f() as usize);
            let (world, kept) = (bytes(b"ligament_world_bytes"), bytes(b"ligament_kept_bytes"));
            let (world, kept) = (world.map_err(missing)?, kept.map_err(missing)?);
            // threads have a world and a polytope of their own
            let sizes = Sizes { kept, ..Sizes::default() };
            Ok(Self { steps, given: Given::default(), sizes, world, _library: library })
        }
    }
}

/// A library from its bytes: as a file, which may go when it is loaded.
fn load(code: &[u8]) -> Result<Library, GpuError> {
    let folder = Folder::new()?;
    let file = folder.write("kernels.so", code)?;
    // SAFETY: the library is that of the kernels, which has no initialisers.
    unsafe { Library::new(file) }.map_err(|e| GpuError::HostCompiler(e.to_string()))
}

impl Program for Kernels {
    fn sizes(&self) -> Sizes {
        self.sizes
    }

    fn tell(&mut self, given: &Given) -> Result<(), GpuError> {
        self.given = *given;
        Ok(())
    }

    unsafe fn steps(&self, args: Args) -> Result<(), GpuError> {
        let worlds = args.nworld as usize;
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(worlds);
        let end = |thread: usize| (worlds * thread / threads) as i32;
        let run = |thread: usize| {
            let mut marks = [0i32; 3]; // threads do not write to the same place
            let args = Args { overflow: marks.as_mut_ptr() as u64, ..args };
            // SAFETY: the arguments have the layouts of step.cu and world.cuh, the caller vouches for their addresses;
            // no two threads have the same world.
            unsafe { (self.steps)(&raw const args, &raw const self.given, end(thread), end(thread + 1)) };
            marks
        };
        let marks: Vec<[i32; 3]> = std::thread::scope(|scope| {
            let start = |thread| std::thread::Builder::new().spawn_scoped(scope, move || run(thread));
            let others: Vec<_> = (1..threads).map(|thread| (thread, start(thread))).collect();
            let first = run(0);
            // worlds of a thread that cannot be started are stepped here; none panics
            let rest = others
                .into_iter()
                .map(|(n, other)| other.map_or_else(|_| run(n), |t| t.join().unwrap_or([0; 3])));
            rest.chain([first]).collect()
        });
        let target = args.overflow as *mut [i32; 3];
        for mark in marks {
            // SAFETY: the caller vouches for three integers at this address.
            unsafe { (*target).iter_mut().zip(mark).for_each(|(all, one)| *all |= one) };
        }
        Ok(())
    }

    unsafe fn fill(&self, f: Fill) -> Result<(), GpuError> {
        let bytes = f.row_bytes;
        debug_assert!(bytes.is_multiple_of(f.number_bytes), "a row is made of whole numbers");
        let (field, row, mask) = (f.field as *mut u8, f.row as *const u8, f.mask as *const u8);
        for world in 0..f.count {
            // SAFETY: the caller vouches for the sizes of the arrays.
            unsafe {
                if mask.is_null() || *mask.add(world) != 0 {
                    field.add(world * bytes).copy_from_nonoverlapping(row, bytes);
                }
            }
        }
        Ok(())
    }

    fn facts(&self) -> Result<ProgramFacts, GpuError> {
        Ok(ProgramFacts { shared_bytes: self.world, resident: 1, ..ProgramFacts::default() })
    }
}

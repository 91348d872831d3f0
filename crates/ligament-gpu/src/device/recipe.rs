//! What decides the machine code of kernels, and the cache on disk that keeps it.

use super::GpuError;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

/// Makes machine code of kernels.
pub(super) trait Compiler: Sync {
    /// Empty where it is not installed.
    fn version(&self) -> String;
    /// Of files with its machine code.
    fn extension(&self) -> &'static str;
    fn compile(&self, source: &str, options: &[String]) -> Result<Vec<u8>, GpuError>;
}

/// What decides the machine code of a kernel.
pub(super) struct Recipe {
    pub(super) source: String,
    pub(super) options: Vec<String>,
    pub(super) compiler: &'static dyn Compiler,
}

impl Recipe {
    /// Where the machine code is kept; none without a cache.
    fn file(&self) -> Option<PathBuf> {
        let name = digest(&self.source, &self.options, &self.compiler.version());
        cache_folder().map(|folder| folder.join(format!("{name:032x}.{}", self.compiler.extension())))
    }

    /// The machine code that the cache has.
    pub(super) fn kept(&self) -> Option<Vec<u8>> {
        std::fs::read(self.file()?).ok()
    }

    /// Compiles, and keeps the machine code in the cache.
    pub(super) fn compile(&self) -> Result<Vec<u8>, GpuError> {
        let code = self.compiler.compile(&self.source, &self.options)?;
        if let Some(file) = self.file() {
            keep(&file, &code);
        }
        Ok(code)
    }

    /// Compiles in another thread, so that the code is in the cache when it is asked for; none without a cache.
    pub(super) fn prepare(self) -> Option<Preparation> {
        cache_folder()?;
        let thread = std::thread::Builder::new().name("ligament-kernels".into());
        Some(Preparation(thread.spawn(move || drop(self.kept().map_or_else(|| self.compile(), Ok))).ok()))
    }
}

/// A compilation at work. It is waited for in the end: a process must not exit in the middle of one.
pub(super) struct Preparation(Option<JoinHandle<()>>);

impl Drop for Preparation {
    fn drop(&mut self) {
        // what went wrong is found again by whoever asks for the code
        let _ = self.0.take().map(JoinHandle::join);
    }
}

/// Where compiled kernels are kept: `LIGAMENT_CACHE`, else `ligament/kernels` in the user's cache folder. None: nowhere.
fn cache_folder() -> Option<PathBuf> {
    let named = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    named("LIGAMENT_CACHE").or_else(|| {
        let home = named("XDG_CACHE_HOME").or_else(|| Some(named("HOME")?.join(".cache")));
        home.map(|folder| folder.join("ligament").join("kernels"))
    })
}

/// Names the result of a compilation (FNV-1a over all that decides it).
fn digest(source: &str, options: &[String], version: &str) -> u128 {
    let parts = [source, version, env!("CARGO_PKG_VERSION")];
    let bytes =
        parts.into_iter().chain(options.iter().map(String::as_str)).flat_map(|p| p.bytes().chain([0]));
    let (start, prime) = (0x6c62_272e_07bb_0142_62b8_2175_6295_c58d, 0x0100_0000_0000_0000_0000_013b);
    bytes.fold(start, |hash: u128, byte| (hash ^ u128::from(byte)).wrapping_mul(prime))
}

/// Writes a file as a whole; a cache that cannot be written is done without.
fn keep(file: &Path, code: &[u8]) {
    let Some(folder) = file.parent() else { return };
    let part = file.with_extension(format!("{}.part", std::process::id()));
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&part, code));
    if written.and_then(|()| std::fs::rename(&part, file)).is_err() {
        let _ = std::fs::remove_file(&part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kernels are found again by all that decides them.
    #[test]
    fn compiled_kernels_are_kept_by_what_decides_them() {
        let options = |real: &str| vec![format!("-DREAL={real}")];
        let name = digest("source", &options("float"), "13.0");
        assert_eq!(name, digest("source", &options("float"), "13.0"));
        assert_ne!(name, digest("sourcf", &options("float"), "13.0"));
        assert_ne!(name, digest("source", &options("double"), "13.0"));
        assert_ne!(name, digest("source", &options("float"), "13.1"));
        let file =
            std::env::temp_dir().join(format!("ligament-{}-{name:x}", std::process::id())).join("k.cubin");
        keep(&file, b"machine code");
        assert_eq!(std::fs::read(&file).unwrap(), b"machine code");
        std::fs::remove_dir_all(file.parent().unwrap()).unwrap();
    }
}

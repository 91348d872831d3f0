//! Files on disk, files in memory that hide them, and files of one folder only.

use ligament_mjcf::assets::Assets;
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Content of an ordinary file of at most so many bytes. Devices and pipes have no end and are refused.
pub(crate) fn read_capped(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let kind = std::fs::metadata(path)?;
    if !kind.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not an ordinary file"));
    }
    let too_large = || io::Error::new(io::ErrorKind::FileTooLarge, format!("larger than {} MB", limit >> 20));
    if kind.len() > limit {
        return Err(too_large());
    }
    // one byte more than it says, so that its end is found without room for more
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(kind.len() as usize + 1)?;
    // a file may say that it is short and go on for ever, as those of the kernel do
    File::open(path)?.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(too_large()) } else { Ok(bytes) }
}

/// What is wrong with a file that can be seen but not be read.
fn refusal(path: &Path, limit: u64) -> Option<String> {
    match read_capped(path, limit) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Some(error.to_string()),
        _ => None,
    }
}

/// Files of the operating system; relative paths start at the working directory.
#[derive(Debug, Clone, Copy, Default)]
pub struct DiskAssets;

impl Assets for DiskAssets {
    fn read(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        read_capped(Path::new(path), self.memory()).ok().map(Cow::Owned)
    }

    fn exists(&self, path: &str) -> bool {
        Path::new(path).is_file()
    }

    fn refusal(&self, path: &str) -> Option<String> {
        refusal(Path::new(path), self.memory())
    }
}

/// Files inside one folder, for models from strangers: what lies outside, also behind a link or `..`, is not given.
#[derive(Debug, Clone)]
pub struct FolderAssets {
    /// The folder without links.
    root: PathBuf,
}

impl FolderAssets {
    /// Files of this folder and of those in it.
    pub fn new(folder: impl AsRef<Path>) -> io::Result<Self> {
        Ok(Self { root: folder.as_ref().canonicalize()? })
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where a file really is; `None` when that is outside, or nowhere. Relative paths start at the folder.
    fn inside(&self, path: &str) -> Option<PathBuf> {
        let real = self.root.join(path).canonicalize().ok()?;
        real.starts_with(&self.root).then_some(real)
    }
}

impl Assets for FolderAssets {
    fn read(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        read_capped(&self.inside(path)?, self.memory()).ok().map(Cow::Owned)
    }

    fn exists(&self, path: &str) -> bool {
        self.inside(path).is_some_and(|path| path.is_file())
    }

    fn refusal(&self, path: &str) -> Option<String> {
        match self.inside(path) {
            Some(path) => refusal(&path, self.memory()),
            None => Some(format!("no such file inside '{}'", self.root.display())),
        }
    }
}

/// Looks in the first source, then in the second, which also grants the memory.
#[derive(Debug, Clone, Copy)]
pub struct LayeredAssets<A, B>(pub A, pub B);

impl<A: Assets, B: Assets> Assets for LayeredAssets<A, B> {
    fn read(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        self.0.read(path).or_else(|| self.1.read(path))
    }

    fn exists(&self, path: &str) -> bool {
        self.0.exists(path) || self.1.exists(path)
    }

    fn refusal(&self, path: &str) -> Option<String> {
        self.0.refusal(path).or_else(|| self.1.refusal(path))
    }

    fn memory(&self) -> u64 {
        self.1.memory()
    }
}

/// Files of another source, with another amount of memory for what a model asks for.
#[derive(Debug, Clone, Copy)]
pub struct GrantedAssets<A> {
    /// Where the files come from.
    pub files: A,
    /// Bytes that one model may take.
    pub memory: u64,
}

impl<A: Assets> Assets for GrantedAssets<A> {
    fn read(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        self.files.read(path)
    }

    fn exists(&self, path: &str) -> bool {
        self.files.exists(path)
    }

    fn refusal(&self, path: &str) -> Option<String> {
        self.files.refusal(path)
    }

    fn memory(&self) -> u64 {
        self.memory
    }
}

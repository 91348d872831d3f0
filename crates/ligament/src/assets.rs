//! Files on disk, and files in memory that hide them.

use ligament_mjcf::assets::Assets;
use std::borrow::Cow;

/// Files of the operating system; relative paths start at the working directory.
#[derive(Debug, Clone, Copy, Default)]
pub struct DiskAssets;

impl Assets for DiskAssets {
    fn read(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        std::fs::read(path).ok().map(Cow::Owned)
    }
}

/// Looks in the first source, then in the second.
#[derive(Debug, Clone, Copy)]
pub struct LayeredAssets<A, B>(pub A, pub B);

impl<A: Assets, B: Assets> Assets for LayeredAssets<A, B> {
    fn read(&self, path: &str) -> Option<Cow<'_, [u8]>> {
        self.0.read(path).or_else(|| self.1.read(path))
    }
}

//! Where the files lie that elements name.

use crate::assets::Assets;
use crate::paths::{base_name, is_absolute, join};
use crate::spec::Compiler;

/// Which of the two asset directories applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AssetKind {
    /// Meshes, height fields, skins, flexcomp files.
    Mesh,
    /// Pictures.
    Texture,
}

/// The name under which an asset is asked from [`Assets`].
///
/// `file` is relative to the model's directory and the compiler's asset directory, unless `filedir` says that it
/// was found next to the included file that mentions it. `strippath` drops every directory from `file` first.
pub fn resolve_asset_path(compiler: &Compiler, kind: AssetKind, file: &str, filedir: &str) -> String {
    let dir = match kind {
        AssetKind::Mesh => &compiler.meshdir,
        AssetKind::Texture => &compiler.texturedir,
    };
    if compiler.strippath {
        return join(&compiler.modeldir, &join(dir, base_name(file)));
    }
    if !filedir.is_empty() {
        return join(filedir, file);
    }
    join(&compiler.modeldir, &join(dir, file))
}

/// Directory to record for a file named in an included document: that document's, when the file is not found by
/// the ordinary rule. `ordinary` is the path of the ordinary rule.
pub fn include_fallback(
    assets: &dyn Assets,
    ordinary: &str,
    file: &str,
    include_dir: Option<&str>,
) -> String {
    match include_dir {
        Some(dir) if !is_absolute(file) && !assets.exists(ordinary) => dir.to_string(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// P18.6, P18.7, P18.D7: asset directories and strippath.
    #[test]
    fn asset_paths_follow_the_compiler_settings() {
        let mut compiler = Compiler {
            modeldir: "/m/".into(),
            meshdir: "meshes/".into(),
            texturedir: "data".into(),
            ..Compiler::default()
        };
        let path = |c: &Compiler, kind, file| resolve_asset_path(c, kind, file, "");
        assert_eq!(path(&compiler, AssetKind::Mesh, "box.stl"), "/m/meshes/box.stl");
        assert_eq!(path(&compiler, AssetKind::Texture, "t.png"), "/m/data/t.png");
        assert_eq!(path(&compiler, AssetKind::Mesh, "/abs/box.stl"), "/abs/box.stl");
        assert_eq!(resolve_asset_path(&compiler, AssetKind::Mesh, "b.stl", "/m/sub/"), "/m/sub/b.stl");
        compiler.strippath = true;
        assert_eq!(path(&compiler, AssetKind::Mesh, "foo/bar/t.obj"), "/m/meshes/t.obj");
        compiler.meshdir = "/elsewhere".into();
        assert_eq!(path(&compiler, AssetKind::Mesh, "t.obj"), "/elsewhere/t.obj");
    }
}

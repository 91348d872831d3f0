//! Models back to text.

use ligament_mjcf::diag::Result;
use ligament_mjcf::paths;
use ligament_mjcf::spec::Spec;
use ligament_model::Model;
use std::path::Path;

/// A specification as MJCF text. Keyframes that came with attached models are completed from the compiled model.
pub fn mjcf_text(spec: &Spec, model: &Model) -> Result<String> {
    ligament_mjcf::write::write_compiled(spec, model)
}

/// Makes the directories of meshes and textures absolute, so that the text finds its files from anywhere.
pub fn point_to_files(spec: &mut Spec) -> std::io::Result<()> {
    let root = std::path::absolute(Path::new(".").join(&spec.compilers[0].modeldir))?;
    let compiler = &mut spec.compilers[0];
    for dir in [&mut compiler.meshdir, &mut compiler.texturedir] {
        if !paths::is_absolute(dir) {
            *dir = root.join(&*dir).to_string_lossy().into_owned();
        }
    }
    Ok(())
}

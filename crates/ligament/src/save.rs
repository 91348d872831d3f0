//! Models back to text.

use ligament_mjcf::diag::Result;
use ligament_mjcf::paths;
use ligament_mjcf::spec::Spec;
use ligament_mjcf::write::Compiled;
use ligament_model::Model;
use std::path::Path;

/// A specification as MJCF text. Keyframes that came with attached models are completed from the compiled model.
pub fn mjcf_text(spec: &Spec, model: &Model) -> Result<String> {
    ligament_mjcf::write::write_compiled(spec, model)
}

/// A specification as MJCF text, with the numbers of its model that were changed since `compiled` was taken.
///
/// ```
/// let spec = ligament::parse_mjcf_str("<mujoco><worldbody><geom name='floor' size='1'/></worldbody></mujoco>")?;
/// let mut model = ligament::compile(&spec, &ligament::NoAssets)?;
/// let compiled = ligament::Compiled::of(&spec, &model);
/// model.geom_size[0][0] = 2.0;
/// assert!(ligament::edited_mjcf_text(&spec, &compiled, &model)?.contains(r#"size="2"#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn edited_mjcf_text(spec: &Spec, compiled: &Compiled, model: &Model) -> Result<String> {
    mjcf_text(&ligament_mjcf::write::take_back(spec, compiled, model)?, model)
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

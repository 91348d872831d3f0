//! Models back to text.

use ligament_mjcf::diag::Result;
use ligament_mjcf::paths;
use ligament_mjcf::spec::Spec;
use ligament_model::Model;
use std::path::Path;

/// A specification as MJCF text. Keyframes that came with attached models are completed from the compiled model.
pub fn mjcf_text(spec: &Spec, model: &Model) -> Result<String> {
    if spec.keys.iter().all(|key| key.attached.is_none()) {
        return ligament_mjcf::write(spec);
    }
    fn row(values: &[f64], key: usize, width: usize) -> Vec<f64> {
        values[key * width..(key + 1) * width].to_vec()
    }
    let mut complete = spec.clone();
    for (i, key) in complete.keys.iter_mut().enumerate().filter(|(_, key)| key.attached.is_some()) {
        key.qpos = row(&model.key_qpos, i, model.nq);
        key.qvel = row(&model.key_qvel, i, model.nv);
        key.act = row(&model.key_act, i, model.na);
        key.ctrl = row(&model.key_ctrl, i, model.nu);
        key.mpos = row(&model.key_mpos, i, 3 * model.nmocap);
        key.mquat = row(&model.key_mquat, i, 4 * model.nmocap);
        key.attached = None;
    }
    ligament_mjcf::write(&complete)
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

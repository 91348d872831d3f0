//! Bytes as asset files: first the decoder alone, then the whole way into a model.

use ligament::MemoryAssets;
use ligament_mjcf::formats::{hfield, msh, obj, png, skn, stl, texture};

fn load(text: &str, file: &str, bytes: &[u8]) {
    let mut assets = MemoryAssets::default();
    assets.0.insert(file.to_string(), bytes.to_vec());
    if let Ok(model) = ligament::load_model_with_assets(text, &assets) {
        crate::mjcf::simulate(&model, 1);
    }
}

fn load_mesh(file: &str, bytes: &[u8]) {
    let text = format!(
        r#"<mujoco><asset><mesh name="m" file="{file}" inertia="shell"/></asset><worldbody><geom type="plane" size="1 1 1"/>
           <body><freejoint/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>"#
    );
    load(&text, file, bytes);
}

/// Binary STL.
pub fn run_stl(bytes: &[u8]) {
    let _ = stl::decode("m", bytes);
    load_mesh("m.stl", bytes);
}

/// Wavefront OBJ.
pub fn run_obj(bytes: &[u8]) {
    for mirrored in [false, true] {
        let _ = obj::decode("m", bytes, mirrored);
    }
    load_mesh("m.obj", bytes);
}

/// The reference's own mesh format.
pub fn run_msh(bytes: &[u8]) {
    let _ = msh::decode("m", bytes);
    load_mesh("m.msh", bytes);
}

/// PNG, as texture and as height field.
pub fn run_png(bytes: &[u8]) {
    for channels in 1..=4 {
        let _ = png::decode("t", bytes, channels);
    }
    let _ = hfield::decode_png("h", bytes);
    load(r#"<mujoco><asset><texture type="2d" name="t" file="t.png"/></asset></mujoco>"#, "t.png", bytes);
}

/// Binary height field.
pub fn run_hfield(bytes: &[u8]) {
    let _ = hfield::decode_binary("h", bytes);
    load(
        r#"<mujoco><asset><hfield name="h" file="h.hf" size="1 1 1 1"/></asset>
           <worldbody><geom type="hfield" hfield="h"/><body pos="0 0 .5"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"#,
        "h.hf",
        bytes,
    );
}

/// Skin.
pub fn run_skn(bytes: &[u8]) {
    let _ = skn::decode("s", bytes);
    load(r#"<mujoco><asset><skin name="s" file="s.skn"/></asset></mujoco>"#, "s.skn", bytes);
}

/// Binary texture.
pub fn run_texture(bytes: &[u8]) {
    let _ = texture::decode_binary("t", bytes);
    load(
        r#"<mujoco><asset><texture type="2d" name="t" file="t.bin" content_type="image/vnd.mujoco.texture"/></asset></mujoco>"#,
        "t.bin",
        bytes,
    );
}

/// GMSH, text and binary, as a sheet and as a block.
pub fn run_gmsh(bytes: &[u8]) {
    for dim in [2, 3] {
        let text = format!(
            r#"<mujoco><worldbody><body name="b"><flexcomp name="f" type="gmsh" file="f.msh" dim="{dim}" mass="1"/></body>
               </worldbody></mujoco>"#
        );
        load(&text, "f.msh", bytes);
    }
}

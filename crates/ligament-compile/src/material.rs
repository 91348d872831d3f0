//! Materials.

use crate::error::{fail_at, unknown_at};
use crate::index::Index;
use ligament_mjcf::diag::Result;
use ligament_mjcf::spec::{Material, Spec};
use ligament_model::Model;
use ligament_model::enums::ObjType;
use ligament_model::model::Sizes;

/// Roles a texture can have in a material.
const ROLES: usize = 10;

/// Ids of the textures of each material, by role; -1 for none.
pub fn resolve_textures(spec: &Spec, index: &Index) -> Result<Vec<[i32; ROLES]>> {
    spec.materials.iter().enumerate().map(|(id, material)| textures(id, material, index)).collect()
}

fn textures(id: usize, material: &Material, index: &Index) -> Result<[i32; ROLES]> {
    if material.meta.name.is_empty() {
        return Err(fail_at(ObjType::Material, &material.meta, "empty name in material"));
    }
    let mut ids = [-1; ROLES];
    for (slot, name) in ids.iter_mut().zip(&material.textures) {
        if name.is_empty() {
            continue;
        }
        *slot = match index.get(ObjType::Texture, name) {
            Some(texture) => texture as i32,
            None => {
                let message = format!("texture '{name}' not found in material {id}");
                return Err(unknown_at(ObjType::Material, &material.meta, message));
            }
        };
    }
    Ok(ids)
}

/// Sizes that materials decide.
pub fn count_materials(materials: &[Material], sizes: &mut Sizes) {
    sizes.nmat = materials.len();
}

/// Writes all materials; `textures` comes from [`resolve_textures`].
pub fn write_materials(materials: &[Material], textures: &[[i32; ROLES]], m: &mut Model) {
    for (id, (material, textures)) in materials.iter().zip(textures).enumerate() {
        m.mat_texid[id] = *textures;
        m.mat_texuniform[id] = u8::from(material.texuniform);
        m.mat_texrepeat[id] = material.texrepeat;
        m.mat_emission[id] = material.emission;
        m.mat_specular[id] = material.specular;
        m.mat_shininess[id] = material.shininess;
        m.mat_reflectance[id] = material.reflectance;
        m.mat_metallic[id] = material.metallic;
        m.mat_roughness[id] = material.roughness;
        m.mat_rgba[id] = material.rgba;
    }
}

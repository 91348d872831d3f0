//! Meshes, height fields, textures, materials and skins together.

use crate::crew;
use crate::error::fail_at;
use crate::geoms::MeshShape;
use crate::hfield::{CompiledHfield, compile_hfields, count_hfields, write_hfields};
use crate::index::Index;
use crate::material::{count_materials, resolve_textures, write_materials};
use crate::mesh::{CompiledMesh, compile_meshes, count_meshes, write_meshes};
use crate::names::Paths;
use crate::plugins::Plugins;
use crate::skin::{CompiledSkin, compile_skins, count_skins, write_skins};
use crate::texture::{CompiledTexture, compile_textures, count_textures, write_textures};
use ligament_mjcf::assets::Assets;
use ligament_mjcf::diag::Result;
use ligament_mjcf::paths::stem;
use ligament_mjcf::spec::{Meta, Spec};
use ligament_model::Model;
use ligament_model::enums::{ObjType, TextureType};
use ligament_model::model::Sizes;
use std::borrow::Cow;

/// The compiled assets of a model.
#[derive(Debug)]
pub struct CompiledAssets<'s> {
    spec: &'s Spec,
    pub meshes: Vec<CompiledMesh>,
    /// Position in the specification of each mesh that is kept.
    pub mesh_sources: Vec<usize>,
    hfields: Vec<CompiledHfield>,
    textures: Vec<CompiledTexture>,
    /// Textures of each material, by role.
    material_textures: Vec<[i32; 10]>,
    skins: Vec<CompiledSkin>,
}

/// Names assets without a name after their files, directories and extension dropped.
pub fn named_assets(spec: &Spec) -> Cow<'_, Spec> {
    let nameless = |meta: &Meta, file: &str| meta.name.is_empty() && !file.is_empty();
    let complete = !spec.meshes.iter().any(|x| nameless(&x.meta, &x.file))
        && !spec.hfields.iter().any(|x| nameless(&x.meta, &x.file))
        && !spec.textures.iter().any(|x| nameless(&x.meta, &x.file))
        && !spec.skins.iter().any(|x| nameless(&x.meta, &x.file));
    if complete {
        return Cow::Borrowed(spec);
    }
    let mut spec = spec.clone();
    let name = |meta: &mut Meta, file: &str| {
        if meta.name.is_empty() {
            meta.name = stem(file).into();
        }
    };
    spec.meshes.iter_mut().for_each(|x| name(&mut x.meta, &x.file));
    spec.hfields.iter_mut().for_each(|x| name(&mut x.meta, &x.file));
    spec.textures.iter_mut().for_each(|x| name(&mut x.meta, &x.file));
    spec.skins.iter_mut().for_each(|x| name(&mut x.meta, &x.file));
    Cow::Owned(spec)
}

/// Registers the names of assets. All but skins and the sky must have one.
pub fn register_assets(index: &mut Index, spec: &Spec) -> Result<()> {
    let check = |kind, label: &str, meta: &Meta| {
        if meta.name.is_empty() {
            return Err(fail_at(kind, meta, format!("empty name in {label}")));
        }
        Ok(())
    };
    spec.meshes.iter().try_for_each(|x| check(ObjType::Mesh, "mesh", &x.meta))?;
    spec.hfields.iter().try_for_each(|x| check(ObjType::Hfield, "height field", &x.meta))?;
    let named = spec.textures.iter().filter(|x| x.kind != TextureType::Skybox);
    named.into_iter().try_for_each(|x| check(ObjType::Texture, "texture", &x.meta))?;
    spec.materials.iter().try_for_each(|x| check(ObjType::Material, "material", &x.meta))?;
    index.register(ObjType::Mesh, spec.meshes.iter().map(|x| &x.meta))?;
    index.register(ObjType::Hfield, spec.hfields.iter().map(|x| &x.meta))?;
    index.register(ObjType::Texture, spec.textures.iter().map(|x| &x.meta))?;
    index.register(ObjType::Material, spec.materials.iter().map(|x| &x.meta))?;
    index.register(ObjType::Skin, spec.skins.iter().map(|x| &x.meta))
}

impl<'s> CompiledAssets<'s> {
    /// Compiles everything that geoms need to know; skins follow when the tree is final.
    pub fn compile(spec: &'s Spec, index: &Index, plugins: &Plugins, files: &dyn Assets) -> Result<Self> {
        let parallel = spec.compiler().usethread && !spec.meshes.is_empty() && !spec.textures.is_empty();
        let (meshes, textures) =
            crew::both(parallel, || compile_meshes(spec, plugins, files), || compile_textures(spec, files));
        Ok(Self {
            spec,
            meshes: meshes?,
            mesh_sources: (0..spec.meshes.len()).collect(),
            hfields: compile_hfields(spec, files)?,
            textures: textures?,
            material_textures: resolve_textures(spec, index)?,
            skins: Vec::new(),
        })
    }

    /// Compiles skins; the index must know the final bodies.
    pub fn compile_skins(&mut self, index: &Index, files: &dyn Assets) -> Result<()> {
        self.skins = compile_skins(self.spec, index, files, false)?;
        Ok(())
    }

    /// Forgets meshes that are only seen.
    pub fn keep_meshes(&mut self, kept: &[bool]) {
        let mut flags = kept.iter();
        self.meshes.retain(|_| *flags.next().unwrap_or(&true));
        self.mesh_sources.retain(|&id| kept[id]);
    }

    /// What geoms need to know of meshes.
    pub fn mesh_shapes(&self) -> Vec<MeshShape> {
        self.meshes.iter().map(CompiledMesh::shape).collect()
    }

    /// What geoms need to know of height fields.
    pub fn hfield_sizes(&self) -> Vec<[f64; 4]> {
        self.hfields.iter().map(|field| field.size).collect()
    }

    /// Files that the assets came from.
    pub fn paths(&self) -> Paths<'_> {
        Paths {
            hfields: self.hfields.iter().map(|x| x.path.as_str()).collect(),
            meshes: self.meshes.iter().map(|x| x.path.as_str()).collect(),
            skins: self.skins.iter().map(|x| x.path.as_str()).collect(),
            textures: self.textures.iter().map(|x| x.path.as_str()).collect(),
        }
    }

    /// Adds to the sizes of the model.
    pub fn count(&self, sizes: &mut Sizes) {
        count_meshes(&self.meshes, sizes);
        count_hfields(&self.hfields, sizes);
        count_textures(&self.textures, sizes);
        count_materials(&self.spec.materials, sizes);
        count_skins(&self.skins, sizes);
    }

    /// Writes the arrays of the model; trees of meshes start after those of bodies, at node `bvh`.
    pub fn write(&self, bvh: usize, m: &mut Model) {
        write_meshes(&self.meshes, bvh, m);
        write_hfields(&self.hfields, m);
        write_textures(&self.textures, m);
        write_materials(&self.spec.materials, &self.material_textures, m);
        write_skins(&self.skins, m);
    }
}

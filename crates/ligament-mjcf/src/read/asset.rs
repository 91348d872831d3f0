//! `<asset>`: meshes, height fields, skins, textures, materials.

use super::plugin::read_plugin_child;
use super::{GROUPS, Reader};
use crate::asset_paths::{self, AssetKind};
use crate::diag::Result;
use crate::keywords as key;
use crate::paths;
use crate::read::expand::attach;
use crate::spec::{HeightField, Material, Mesh, Skin, Texture};
use crate::xml::Element;
use ligament_model::enums::TextureRole;

/// Number of roles a texture can play in a material.
const TEXTURE_ROLES: usize = 10;
/// Largest height field that is filled without a file, so that a typing error cannot exhaust the memory.
const MAX_HFIELD: usize = 1 << 26;

impl Reader<'_> {
    pub(super) fn read_asset(&mut self, section: Element<'_>) -> Result<()> {
        for element in section.children() {
            let class = self.class_or_main(element)?;
            let meta = self.meta(element, class);
            match element.name() {
                "texture" => {
                    let mut texture = Texture { meta, ..Texture::default() };
                    self.read_texture(element, &mut texture)?;
                    self.spec.textures.push(texture);
                }
                "material" => {
                    let mut material = self.inherit(&self.spec.classes[class.index()].material, element)?;
                    material.meta = meta;
                    read_material(element, &mut material)?;
                    self.spec.materials.push(material);
                }
                "mesh" => {
                    let mut mesh = self.inherit(&self.spec.classes[class.index()].mesh, element)?;
                    mesh.meta = meta;
                    self.read_mesh(element, &mut mesh)?;
                    self.spec.meshes.push(mesh);
                }
                "skin" => self.read_skin(element)?,
                "hfield" => {
                    let mut hfield = HeightField { meta, ..HeightField::default() };
                    self.read_hfield(element, &mut hfield)?;
                    self.spec.hfields.push(hfield);
                }
                "model" => attach::read_model_asset(self, element)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads a file attribute together with the directory it was found in; true if it is written.
    fn read_file_attr(
        &self,
        element: Element<'_>,
        name: &str,
        kind: AssetKind,
        file: &mut String,
        filedir: &mut String,
    ) -> bool {
        let Some(text) = element.attr(name) else { return false };
        *file = paths::reduce(text);
        let ordinary = asset_paths::resolve_asset_path(self.spec.compiler(), kind, file, "");
        *filedir = asset_paths::include_fallback(self.assets, &ordinary, file, element.include_dir());
        true
    }

    pub(super) fn read_mesh(&self, element: Element<'_>, mesh: &mut Mesh) -> Result<()> {
        element.text("content_type", &mut mesh.content_type);
        let has_file =
            self.read_file_attr(element, "file", AssetKind::Mesh, &mut mesh.file, &mut mesh.filedir);
        element.array("refpos", &mut mesh.refpos)?;
        element.array("refquat", &mut mesh.refquat)?;
        element.array("scale", &mut mesh.scale)?;
        element.choose("inertia", key::MESH_INERTIA, &mut mesh.inertia)?;
        read_plugin_child(element, &mut mesh.plugin)?;
        element.flag("smoothnormal", &mut mesh.smoothnormal)?;
        if element.int("maxhullvert", &mut mesh.maxhullvert)?
            && mesh.maxhullvert != -1
            && mesh.maxhullvert < 4
        {
            return Err(element.invalid_attr("maxhullvert", "maxhullvert must be larger than 3"));
        }
        overwrite(element.numbers("vertex")?, &mut mesh.uservert);
        overwrite(element.numbers("normal")?, &mut mesh.usernormal);
        overwrite(element.numbers("texcoord")?, &mut mesh.usertexcoord);
        overwrite(element.numbers("face")?, &mut mesh.userface);
        if element.choose("builtin", key::MESH_BUILTIN, &mut mesh.builtin)? {
            mesh.params = element.required_numbers("params")?;
            if has_file {
                return Err(element.invalid("builtin cannot be used with a mesh file"));
            }
            if !mesh.uservert.is_empty() {
                return Err(element.invalid("builtin mesh cannot be used with user vertex data"));
            }
        }
        element.text("material", &mut mesh.material);
        Ok(())
    }

    pub(super) fn read_skin(&mut self, element: Element<'_>) -> Result<()> {
        let class = self.class_or_main(element)?;
        let meta = self.meta(element, class);
        let mut skin = Skin { meta, ..Skin::default() };
        self.read_file_attr(element, "file", AssetKind::Mesh, &mut skin.file, &mut skin.filedir);
        element.text("material", &mut skin.material);
        element.int("group", &mut skin.group)?;
        if !(0..GROUPS).contains(&skin.group) {
            return Err(element.invalid_attr("group", "skin group must be between 0 and 5"));
        }
        element.array("rgba", &mut skin.rgba)?;
        element.number("inflate", &mut skin.inflate)?;
        overwrite(element.numbers("vertex")?, &mut skin.vert);
        overwrite(element.numbers("texcoord")?, &mut skin.texcoord);
        overwrite(element.numbers("face")?, &mut skin.face);
        for bone in element.children().filter(|e| e.name() == "bone") {
            read_bone(bone, &mut skin)?;
        }
        self.spec.skins.push(skin);
        Ok(())
    }

    fn read_texture(&self, element: Element<'_>, texture: &mut Texture) -> Result<()> {
        element.choose("type", key::TEXTURE, &mut texture.kind)?;
        element.choose("colorspace", key::COLORSPACE, &mut texture.colorspace)?;
        element.text("content_type", &mut texture.content_type);
        self.read_file_attr(element, "file", AssetKind::Texture, &mut texture.file, &mut texture.filedir);
        element.int("width", &mut texture.width)?;
        element.int("height", &mut texture.height)?;
        element.int("nchannel", &mut texture.nchannel)?;
        element.array("rgb1", &mut texture.rgb1)?;
        element.array("rgb2", &mut texture.rgb2)?;
        element.array("markrgb", &mut texture.markrgb)?;
        element.number("random", &mut texture.random)?;
        element.choose("builtin", key::BUILTIN, &mut texture.builtin)?;
        element.choose("mark", key::MARK, &mut texture.mark)?;
        element.flag("hflip", &mut texture.hflip)?;
        element.flag("vflip", &mut texture.vflip)?;
        element.array("gridsize", &mut texture.gridsize)?;
        read_gridlayout(element, texture)?;
        const FACES: [&str; 6] = ["fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"];
        texture.cubefiles = vec![String::new(); FACES.len()];
        texture.cubedirs = vec![String::new(); FACES.len()];
        for (i, face) in FACES.iter().enumerate() {
            let (file, dir) = (&mut texture.cubefiles[i], &mut texture.cubedirs[i]);
            self.read_file_attr(element, face, AssetKind::Texture, file, dir);
        }
        Ok(())
    }

    fn read_hfield(&self, element: Element<'_>, hfield: &mut HeightField) -> Result<()> {
        element.text("content_type", &mut hfield.content_type);
        let has_file =
            self.read_file_attr(element, "file", AssetKind::Mesh, &mut hfield.file, &mut hfield.filedir);
        element.int("nrow", &mut hfield.nrow)?;
        element.int("ncol", &mut hfield.ncol)?;
        element.required_array("size", &mut hfield.size)?;
        if has_file || hfield.nrow <= 0 || hfield.ncol <= 0 {
            return Ok(());
        }
        let (nrow, ncol) = (hfield.nrow as usize, hfield.ncol as usize);
        let count = nrow.checked_mul(ncol).filter(|n| *n <= MAX_HFIELD);
        let count = count.ok_or_else(|| element.invalid("height field is too large"))?;
        // elevations of the specification, of the compiler, and of the model
        self.assets.charge(12 * count as u64).map_err(|over| element.over_budget(over))?;
        hfield.userdata = match element.numbers::<f32>("elevation")? {
            Some(rows) if rows.len() != count => {
                let message = "elevation data length must match nrow*ncol";
                return Err(element.invalid_attr("elevation", message));
            }
            // The text runs from the top row downwards, the data from the bottom row upwards.
            Some(rows) => rows.chunks_exact(ncol).rev().flatten().copied().collect(),
            None => vec![0.0; count],
        };
        Ok(())
    }
}

fn overwrite<T>(values: Option<Vec<T>>, out: &mut Vec<T>) {
    if let Some(values) = values {
        *out = values;
    }
}

fn read_bone(bone: Element<'_>, skin: &mut Skin) -> Result<()> {
    skin.bodyname.push(bone.required("body")?.to_string());
    let (mut bindpos, mut bindquat) = ([0.0f32; 3], [0.0f32; 4]);
    bone.required_array("bindpos", &mut bindpos)?;
    bone.required_array("bindquat", &mut bindquat)?;
    skin.bindpos.extend(bindpos);
    skin.bindquat.extend(bindquat);
    skin.vertid.push(bone.required_numbers("vertid")?);
    skin.vertweight.push(bone.required_numbers("vertweight")?);
    Ok(())
}

/// The layout overwrites the leading letters of the default.
fn read_gridlayout(element: Element<'_>, texture: &mut Texture) -> Result<()> {
    let Some(text) = element.attr("gridlayout") else { return Ok(()) };
    if text.len() > texture.gridlayout.len() {
        return Err(element.invalid_attr("gridlayout", "gridlayout length cannot exceed 12 characters"));
    }
    if i64::from(texture.gridsize[0]) * i64::from(texture.gridsize[1]) != text.len() as i64 {
        return Err(element.invalid_attr("gridlayout", "gridlayout length must match gridsize"));
    }
    if !text.is_ascii() {
        return Err(element.invalid_attr("gridlayout", "gridlayout must consist of face letters and dots"));
    }
    texture.gridlayout.replace_range(..text.len(), text);
    Ok(())
}

pub fn read_material(element: Element<'_>, material: &mut Material) -> Result<()> {
    if let Some(texture) = element.attr("texture") {
        set_texture(material, TextureRole::Rgb, texture);
    }
    for layer in element.children() {
        if element.attr("texture").is_some() {
            let message = "A material with a texture attribute cannot have layer sub-elements";
            return Err(layer.invalid(message));
        }
        layer.required("role")?;
        let texture = layer.required("texture")?;
        if let Some(role) = layer.keyword("role", key::TEXTURE_ROLE)? {
            set_texture(material, role, texture);
        }
    }
    element.flag("texuniform", &mut material.texuniform)?;
    element.array("texrepeat", &mut material.texrepeat)?;
    element.number("emission", &mut material.emission)?;
    element.number("specular", &mut material.specular)?;
    element.number("shininess", &mut material.shininess)?;
    element.number("reflectance", &mut material.reflectance)?;
    element.number("metallic", &mut material.metallic)?;
    element.number("roughness", &mut material.roughness)?;
    element.array("rgba", &mut material.rgba)?;
    Ok(())
}

/// `textures` has one name per role, or is empty.
fn set_texture(material: &mut Material, role: TextureRole, texture: &str) {
    material.textures.resize(TEXTURE_ROLES, String::new());
    material.textures[role as usize] = texture.to_string();
}

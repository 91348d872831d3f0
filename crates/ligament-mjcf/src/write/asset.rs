//! Textures, materials, meshes, height fields.

use super::Writer;
use crate::asset_paths::AssetKind;
use crate::keywords as key;
use crate::spec::{ClassId, HeightField, Material, Mesh, Texture};
use ligament_model::enums::{MeshBuiltin, TextureRole};

const CUBE_FACES: [&str; 6] = ["fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"];

impl Writer<'_> {
    pub(super) fn assets(&mut self) {
        self.xml.open("asset");
        for texture in &self.spec.textures {
            self.texture(texture);
        }
        for material in &self.spec.materials {
            self.xml.open("material");
            self.name_and_class(&material.meta, ClassId(0));
            let class = &self.spec.classes[material.meta.class.index()].material;
            self.material_settings(material, class);
            self.xml.close();
        }
        for mesh in &self.spec.meshes {
            self.mesh(mesh);
        }
        for hfield in &self.spec.hfields {
            self.hfield(hfield);
        }
        self.xml.close_unless_empty();
    }

    fn texture(&mut self, texture: &Texture) {
        let default = Texture::default();
        let compiler = texture.meta.compiler;
        let file = self.file(compiler, AssetKind::Texture, &texture.file, &texture.filedir);
        let faces: Vec<String> = texture
            .cubefiles
            .iter()
            .enumerate()
            .map(|(i, f)| {
                let dir = texture.cubedirs.get(i).map_or("", String::as_str);
                self.file(compiler, AssetKind::Texture, f, dir)
            })
            .collect();
        let xml = &mut self.xml;
        xml.open("texture");
        xml.text_if("name", &texture.meta.name);
        xml.key("type", key::TEXTURE, texture.kind);
        xml.changed_key("colorspace", key::COLORSPACE, texture.colorspace, default.colorspace);
        xml.text_if("content_type", &texture.content_type);
        xml.text_if("file", &file);
        for (name, face) in CUBE_FACES.iter().zip(&faces) {
            xml.text_if(name, face);
        }
        xml.changed_key("builtin", key::BUILTIN, texture.builtin, default.builtin);
        xml.changed_key("mark", key::MARK, texture.mark, default.mark);
        xml.changed("rgb1", &texture.rgb1, &default.rgb1);
        xml.changed("rgb2", &texture.rgb2, &default.rgb2);
        xml.changed("markrgb", &texture.markrgb, &default.markrgb);
        xml.changed_one("random", texture.random, default.random);
        xml.changed_one("width", texture.width, default.width);
        xml.changed_one("height", texture.height, default.height);
        xml.changed_one("nchannel", texture.nchannel, default.nchannel);
        xml.changed_flag("hflip", texture.hflip, default.hflip);
        xml.changed_flag("vflip", texture.vflip, default.vflip);
        if texture.gridsize != default.gridsize {
            xml.numbers("gridsize", &texture.gridsize);
            let cells = (texture.gridsize[0] * texture.gridsize[1]).max(0) as usize;
            xml.text("gridlayout", texture.gridlayout.get(..cells).unwrap_or(&texture.gridlayout));
        }
        xml.close();
    }

    pub(super) fn material_settings(&mut self, material: &Material, class: &Material) {
        let xml = &mut self.xml;
        let of = |m: &Material, role: TextureRole| m.textures.get(role as usize).cloned().unwrap_or_default();
        let differs = |role: TextureRole| of(material, role) != of(class, role);
        let layers = key::TEXTURE_ROLE.iter().any(|(_, role)| *role != TextureRole::Rgb && differs(*role));
        if !layers && differs(TextureRole::Rgb) {
            xml.text("texture", &of(material, TextureRole::Rgb));
        }
        xml.changed_flag("texuniform", material.texuniform, class.texuniform);
        xml.changed("texrepeat", &material.texrepeat, &class.texrepeat);
        xml.changed_one("emission", material.emission, class.emission);
        xml.changed_one("specular", material.specular, class.specular);
        xml.changed_one("shininess", material.shininess, class.shininess);
        xml.changed_one("reflectance", material.reflectance, class.reflectance);
        xml.changed_one("metallic", material.metallic, class.metallic);
        xml.changed_one("roughness", material.roughness, class.roughness);
        xml.changed("rgba", &material.rgba, &class.rgba);
        if layers {
            for (word, role) in key::TEXTURE_ROLE.iter().filter(|(_, role)| differs(*role)) {
                xml.open("layer");
                xml.text("texture", &of(material, *role));
                xml.text("role", word);
                xml.close();
            }
        }
    }

    fn mesh(&mut self, mesh: &Mesh) {
        let file = self.file(mesh.meta.compiler, AssetKind::Mesh, &mesh.file, &mesh.filedir);
        self.xml.open("mesh");
        self.name_and_class(&mesh.meta, ClassId(0));
        self.xml.text_if("content_type", &mesh.content_type);
        self.xml.text_if("file", &file);
        let class = &self.spec.classes[mesh.meta.class.index()].mesh;
        self.mesh_settings(mesh, class, false);
        if mesh.builtin == MeshBuiltin::None {
            self.xml.numbers_if("vertex", &mesh.uservert);
            self.xml.numbers_if("normal", &mesh.usernormal);
            self.xml.numbers_if("texcoord", &mesh.usertexcoord);
            self.xml.numbers_if("face", &mesh.userface);
        } else {
            self.xml.key("builtin", key::MESH_BUILTIN, mesh.builtin);
            self.xml.numbers("params", &mesh.params);
        }
        self.plugin_child(mesh.plugin.as_ref());
        self.xml.close();
    }

    /// Default classes know only scale, size of the hull and kind of inertia.
    pub(super) fn mesh_settings(&mut self, mesh: &Mesh, class: &Mesh, is_class: bool) {
        let xml = &mut self.xml;
        xml.changed("scale", &mesh.scale, &class.scale);
        xml.changed_one("maxhullvert", mesh.maxhullvert, class.maxhullvert);
        xml.changed_key("inertia", key::MESH_INERTIA, mesh.inertia, class.inertia);
        if !is_class {
            xml.changed("refpos", &mesh.refpos, &class.refpos);
            xml.changed("refquat", &mesh.refquat, &class.refquat);
            xml.changed_flag("smoothnormal", mesh.smoothnormal, class.smoothnormal);
            xml.changed_text("material", &mesh.material, &class.material);
        }
    }

    fn hfield(&mut self, hfield: &HeightField) {
        let file = self.file(hfield.meta.compiler, AssetKind::Mesh, &hfield.file, &hfield.filedir);
        let xml = &mut self.xml;
        xml.open("hfield");
        xml.text_if("name", &hfield.meta.name);
        xml.text_if("content_type", &hfield.content_type);
        xml.text_if("file", &file);
        xml.numbers("size", &hfield.size);
        if file.is_empty() {
            xml.numbers("nrow", &[hfield.nrow]);
            xml.numbers("ncol", &[hfield.ncol]);
            // the text lists rows from the top, the data from the bottom
            let rows = hfield.userdata.chunks(hfield.ncol.max(1) as usize).rev();
            let elevation: Vec<f32> = rows.flatten().copied().collect();
            xml.numbers_if("elevation", &elevation);
        }
        xml.close();
    }
}

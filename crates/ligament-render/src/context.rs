//! What of a model the renderer keeps: surfaces, textures, materials, settings.

use crate::assets;
use crate::matrix::Vec3;
use crate::mesh::Mesh;
use crate::render::RenderError;
use crate::shapes::Shapes;
use crate::texture::Texture;
use ligament_model::Model;
use ligament_model::enums::TextureRole;

/// Texture of a material, and how it is laid on.
#[derive(Debug, Clone, Copy)]
pub struct Material {
    /// Its number; none for a plain colour.
    pub texture: Option<usize>,
    /// Whether its size does not depend on that of the object.
    pub uniform: bool,
    /// How often it is repeated along both axes.
    pub repeat: [f32; 2],
}

/// Triangles of a skin; its vertices are in the scene.
#[derive(Debug, Clone)]
pub struct Skin {
    /// Number of vertices.
    pub vertices: usize,
    /// Corners of the triangles.
    pub triangles: Vec<[u32; 3]>,
    /// Texture coordinates of the vertices; empty when there are none.
    pub texture: Vec<[f32; 2]>,
}

/// Everything about a model that does not change from picture to picture.
#[derive(Debug, Clone)]
pub struct Context {
    /// Simple shapes of unit size.
    pub shapes: Shapes,
    /// Planes, in the order of their geoms.
    pub planes: Vec<Mesh>,
    /// Meshes at even places, their hulls at odd ones.
    pub meshes: Vec<Mesh>,
    /// Height fields.
    pub height_fields: Vec<Mesh>,
    /// Skins.
    pub skins: Vec<Skin>,
    /// Textures.
    pub textures: Vec<Texture>,
    /// Materials.
    pub materials: Vec<Material>,
    /// Width of lines in pixels.
    pub line_width: f32,
    /// Half the width of what a directional light casts shadows in.
    pub shadow_clip: f32,
    /// Part of the cone of a spot light in which it casts shadows.
    pub shadow_scale: f32,
    /// Side of a shadow map in texels.
    pub shadow_size: usize,
    /// Distance at which fog begins.
    pub fog_start: f32,
    /// Distance from which on there is nothing but fog.
    pub fog_end: f32,
    /// Colour of fog.
    pub fog: [f32; 4],
    /// Colour of haze.
    pub haze: Vec3,
    /// Size of labels in percent.
    pub font_scale: i32,
}

impl Context {
    /// Fails where the model asks for shapes of too many parts.
    pub fn new(m: &Model) -> Result<Self, RenderError> {
        let vis = &m.vis;
        Ok(Self {
            shapes: Shapes::new(&vis.quality, vis.map.haze)?,
            planes: assets::planes(m),
            meshes: (0..m.nmesh).flat_map(|i| [assets::mesh(m, i), assets::hull(m, i)]).collect(),
            height_fields: (0..m.nhfield).map(|i| assets::height_field(m, i)).collect(),
            skins: (0..m.nskin).map(|i| skin(m, i)).collect(),
            textures: (0..m.ntex).map(|i| Texture::new(m, i)).collect(),
            materials: (0..m.nmat).map(|i| material(m, i)).collect(),
            line_width: vis.global.linewidth,
            shadow_clip: (m.stat.extent * f64::from(vis.map.shadowclip)) as f32,
            shadow_scale: vis.map.shadowscale,
            shadow_size: vis.quality.shadowsize.max(0) as usize,
            fog_start: (m.stat.extent * f64::from(vis.map.fogstart)) as f32,
            fog_end: (m.stat.extent * f64::from(vis.map.fogend)) as f32,
            fog: vis.rgba.fog,
            haze: [vis.rgba.haze[0], vis.rgba.haze[1], vis.rgba.haze[2]],
            font_scale: 100,
        })
    }

    /// Takes over a changed mesh; one that the context does not have is left out.
    pub fn update_mesh(&mut self, m: &Model, id: usize) {
        if let Some([mesh, hull]) = self.meshes.as_chunks_mut::<2>().0.get_mut(id) {
            (*mesh, *hull) = (assets::mesh(m, id), assets::hull(m, id));
        }
    }

    /// Takes over a changed height field, likewise.
    pub fn update_height_field(&mut self, m: &Model, id: usize) {
        if let Some(field) = self.height_fields.get_mut(id) {
            *field = assets::height_field(m, id);
        }
    }

    /// Takes over a changed texture, likewise.
    pub fn update_texture(&mut self, m: &Model, id: usize) {
        if let Some(texture) = self.textures.get_mut(id) {
            *texture = Texture::new(m, id);
        }
    }

    pub(crate) fn skybox(&self) -> Option<&Texture> {
        self.textures.iter().find(|t| t.skybox)
    }
}

fn material(m: &Model, id: usize) -> Material {
    let texture = usize::try_from(m.mat_texid[id][TextureRole::Rgb as usize]).ok();
    Material { texture, uniform: m.mat_texuniform[id] != 0, repeat: m.mat_texrepeat[id] }
}

fn skin(m: &Model, id: usize) -> Skin {
    let first = m.skin_faceadr[id] as usize;
    let faces = &m.skin_face[first..first + m.skin_facenum[id] as usize];
    let count = m.skin_vertnum[id] as usize;
    let texture = usize::try_from(m.skin_texcoordadr[id]).ok();
    Skin {
        vertices: count,
        triangles: faces.iter().map(|f| f.map(|v| v as u32)).collect(),
        texture: texture.map_or_else(Vec::new, |adr| m.skin_texcoord[adr..adr + count].to_vec()),
    }
}

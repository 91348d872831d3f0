//! Textures: from files, bytes, or builtin patterns.

mod builtin;
mod cube;

use crate::crew;
use crate::error::{fail_at, over_budget};
use crate::named_files;
use ligament_mjcf::asset_paths::AssetKind;
use ligament_mjcf::assets::Assets;
use ligament_mjcf::diag::{MjcfError, Result};
use ligament_mjcf::formats::content_type::content_type;
use ligament_mjcf::formats::png::{Image, decode};
use ligament_mjcf::formats::texture::decode_binary;
use ligament_mjcf::spec::{Spec, Texture};
use ligament_model::Model;
use ligament_model::enums::{Builtin, ColorSpace, ObjType, TextureType};
use ligament_model::model::Sizes;

/// Bytes that one texture may take.
const MAX_BYTES: i64 = 1 << 31;

/// What the model keeps of a texture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompiledTexture {
    /// File it came from; empty: not from a file.
    pub path: String,
    pub kind: TextureType,
    pub colorspace: ColorSpace,
    pub width: usize,
    /// Rows; six times the width for a cube with its own sides.
    pub height: usize,
    pub nchannel: usize,
    pub data: Vec<u8>,
}

/// Compiles all textures, side by side if the model allows threads.
pub fn compile_textures(spec: &Spec, assets: &dyn Assets) -> Result<Vec<CompiledTexture>> {
    let compile = |i: usize| {
        let texture = &spec.textures[i];
        compile(spec, texture, assets).map_err(named_files::blame(ObjType::Texture, &texture.meta))
    };
    crew::map(spec.textures.len(), spec.compiler().usethread, compile).into_iter().collect()
}

fn error(texture: &Texture, message: impl Into<String>) -> MjcfError {
    fail_at(ObjType::Texture, &texture.meta, message)
}

/// Pixels and what loading them decided.
#[derive(Debug)]
struct Pixels {
    width: usize,
    height: usize,
    colorspace: ColorSpace,
    data: Vec<u8>,
}

fn compile(spec: &Spec, texture: &Texture, assets: &dyn Assets) -> Result<CompiledTexture> {
    let pixels = if !texture.data.is_empty() {
        from_bytes(texture)?
    } else if texture.builtin != Builtin::None {
        builtin::make(texture, spec.compiler().usethread)?
    } else if !texture.file.is_empty() {
        let loader = Loader { spec, texture, assets };
        let image = loader.load(&texture.file, &texture.filedir)?;
        if texture.kind == TextureType::N2d {
            from_image(texture, image)
        } else {
            cube::from_grid(texture, image)?
        }
    } else {
        cube::from_sides(&Loader { spec, texture, assets })?
    };
    let path = named_files::remembered_path(
        named_files::compiler(spec, &texture.meta),
        &texture.file,
        &texture.filedir,
    );
    let nchannel = usize::try_from(texture.nchannel).unwrap_or(0);
    let mut data = pixels.data;
    // the model has room for nchannel bytes per pixel, whatever was loaded
    let size = nchannel.saturating_mul(pixels.width.saturating_mul(pixels.height));
    assets.charge(size as u64).map_err(over_budget(ObjType::Texture, &texture.meta))?;
    data.resize(size, 0);
    Ok(CompiledTexture {
        path,
        kind: texture.kind,
        colorspace: pixels.colorspace,
        width: pixels.width,
        height: pixels.height,
        nchannel,
        data,
    })
}

fn channels(texture: &Texture) -> Result<usize> {
    match texture.nchannel {
        n @ (1 | 3 | 4) => Ok(n as usize),
        n => Err(error(texture, format!("Unsupported number of channels: {n}"))),
    }
}

/// Bytes given in code.
fn from_bytes(texture: &Texture) -> Result<Pixels> {
    let expected = i64::from(texture.nchannel) * i64::from(texture.width) * i64::from(texture.height);
    if texture.data.len() as i64 != expected {
        let message =
            format!("Texture buffer has incorrect size, given {} expected {expected}", texture.data.len());
        return Err(error(texture, message));
    }
    let (width, height) = (texture.width as usize, texture.height as usize);
    let mut data = texture.data.clone();
    flip(texture, &mut data, width, texture.nchannel as usize);
    Ok(Pixels { width, height, colorspace: texture.colorspace, data })
}

fn from_image(texture: &Texture, image: Image) -> Pixels {
    Pixels {
        width: image.width,
        height: image.height,
        colorspace: colorspace(texture, &image),
        data: image.data,
    }
}

/// What the text says, else what the file says.
fn colorspace(texture: &Texture, image: &Image) -> ColorSpace {
    match (texture.colorspace, image.srgb) {
        (ColorSpace::Auto, true) => ColorSpace::Srgb,
        (ColorSpace::Auto, false) => ColorSpace::Linear,
        (given, _) => given,
    }
}

/// Mirrors left to right and top to bottom, as asked.
fn flip(texture: &Texture, data: &mut [u8], width: usize, nchannel: usize) {
    let row = width * nchannel;
    if row == 0 {
        return;
    }
    if texture.hflip {
        for line in data.chunks_exact_mut(row) {
            for c in 0..width / 2 {
                for k in 0..nchannel {
                    line.swap(c * nchannel + k, (width - 1 - c) * nchannel + k);
                }
            }
        }
    }
    if texture.vflip {
        let rows = data.len() / row;
        for r in 0..rows / 2 {
            let (top, bottom) = data.split_at_mut((rows - 1 - r) * row);
            top[r * row..(r + 1) * row].swap_with_slice(&mut bottom[..row]);
        }
    }
}

/// Loads the images of a texture.
struct Loader<'a> {
    spec: &'a Spec,
    texture: &'a Texture,
    assets: &'a dyn Assets,
}

impl Loader<'_> {
    /// An image, flipped as asked.
    fn load(&self, name: &str, dir: &str) -> Result<Image> {
        let texture = self.texture;
        let kind = content_type(name, &texture.content_type);
        let compiler = named_files::compiler(self.spec, &texture.meta);
        let read = || named_files::read(self.assets, compiler, AssetKind::Texture, name, dir);
        let (mut image, nchannel) = match kind.as_str() {
            "image/png" => {
                let file = read()?;
                (decode(&file.name, &file.bytes, channels(texture)?)?, texture.nchannel as usize)
            }
            "image/ktx" => return self.load_ktx(&read()?),
            "" | "image/vnd.mujoco.texture" => {
                let file = read()?;
                (decode_binary(&file.name, &file.bytes)?, 3)
            }
            other => return Err(error(texture, format!("unsupported content type: '{other}'"))),
        };
        flip(texture, &mut image.data, image.width, nchannel);
        Ok(image)
    }

    /// A KTX file is kept as it is, for the renderer.
    fn load_ktx(&self, file: &named_files::File<'_>) -> Result<Image> {
        if self.texture.hflip || self.texture.vflip {
            return Err(error(self.texture, "cannot flip KTX textures"));
        }
        if file.bytes.is_empty() {
            return Err(error(self.texture, format!("texture file is empty: '{}'", file.name)));
        }
        Ok(Image { width: file.bytes.len(), height: 1, srgb: false, data: file.bytes.to_vec() })
    }
}

/// Sizes that textures decide.
pub fn count_textures(textures: &[CompiledTexture], sizes: &mut Sizes) {
    sizes.ntex = textures.len();
    sizes.ntexdata = textures.iter().map(|t| t.data.len()).sum();
}

/// Writes all textures.
pub fn write_textures(textures: &[CompiledTexture], m: &mut Model) {
    let mut at = 0;
    for (id, texture) in textures.iter().enumerate() {
        m.tex_type[id] = texture.kind as i32;
        m.tex_colorspace[id] = texture.colorspace as i32;
        m.tex_height[id] = texture.height as i32;
        m.tex_width[id] = texture.width as i32;
        m.tex_nchannel[id] = texture.nchannel as i32;
        m.tex_adr[id] = at as i64;
        m.tex_data[at..at + texture.data.len()].copy_from_slice(&texture.data);
        at += texture.data.len();
    }
}

#[cfg(test)]
mod tests;

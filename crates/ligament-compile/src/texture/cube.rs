//! Cube and skybox textures from images.

use super::{Loader, MAX_BYTES, Pixels, colorspace, error};
use ligament_mjcf::diag::Result;
use ligament_mjcf::formats::png::Image;
use ligament_mjcf::spec::Texture;
use ligament_model::enums::TextureType;

/// Symbols of the sides in a grid layout, in the order in which sides are stored.
const SIDES: &[u8; 6] = b"RLUDFB";

/// One image: used for all sides, or cut into squares.
pub fn from_grid(texture: &Texture, image: Image) -> Result<Pixels> {
    let [rows, columns] = texture.gridsize;
    if rows < 1 || columns < 1 || i64::from(rows) * i64::from(columns) > 12 {
        return Err(error(texture, "gridsize must be non-zero and no more than 12 squares in texture"));
    }
    let (rows, columns) = (rows as usize, columns as usize);
    let (w, h) = (image.width, image.height);
    if w / columns != h / rows || !w.is_multiple_of(columns) || !h.is_multiple_of(rows) {
        let message = format!("PNG size must be integer multiple of gridsize in texture '{}'", texture.file);
        return Err(error(texture, message));
    }
    let colorspace = colorspace(texture, &image);
    if rows == 1 && columns == 1 {
        let mut data = image.data;
        data.resize(3 * w * w, 0);
        return Ok(Pixels { width: w, height: w, colorspace, data });
    }
    let width = w / columns;
    let mut sides = Sides::new(texture, width)?;
    for (k, symbol) in
        texture.gridlayout.bytes().chain(std::iter::repeat(b'.')).take(rows * columns).enumerate()
    {
        let Some(side) = SIDES.iter().position(|s| *s == symbol) else {
            if symbol == b'.' {
                continue;
            }
            return Err(error(texture, "gridlayout symbol is not among '.RLUDFB' in texture"));
        };
        let (top, left) = (width * (k / columns), width * (k % columns));
        let line = 3 * width;
        for j in 0..width {
            let from = (j + top) * 3 * w + 3 * left;
            // an image with fewer bytes per pixel than colours has no such line
            if let Some(source) = image.data.get(from..from + line) {
                sides.side(side)[j * line..(j + 1) * line].copy_from_slice(source);
            }
        }
        sides.loaded[side] = true;
    }
    Ok(sides.finish(texture, colorspace))
}

/// An image per side; sides without one get the first colour.
pub fn from_sides(loader: &Loader<'_>) -> Result<Pixels> {
    let texture = loader.texture;
    if texture.kind == TextureType::N2d {
        return Err(error(texture, "Cannot load 2D texture from separate files, texture"));
    }
    let mut sides: Option<Sides> = None;
    let mut space = texture.colorspace;
    for (i, file) in texture.cubefiles.iter().take(6).enumerate().filter(|(_, file)| !file.is_empty()) {
        let image = loader.load(file, texture.cubedirs.get(i).map_or("", String::as_str))?;
        if image.width != image.height {
            return Err(error(texture, format!("Non-square PNG file '{file}' in cube or skybox")));
        }
        let target = match &mut sides {
            Some(sides) if sides.width != image.width => {
                return Err(error(texture, format!("PNG file '{file}' has incompatible size in texture")));
            }
            Some(sides) => sides,
            // the first file decides about size and colour space
            None => {
                space = colorspace(texture, &image);
                sides.insert(Sides::new(texture, image.width)?)
            }
        };
        let area = 3 * image.width * image.width;
        let available = area.min(image.data.len());
        target.side(i)[..available].copy_from_slice(&image.data[..available]);
        target.loaded[i] = true;
    }
    match sides {
        Some(sides) => Ok(sides.finish(texture, space)),
        None => Err(error(texture, "No cubefiles_ defined in cube or skybox texture")),
    }
}

/// Six squares of colours.
struct Sides {
    width: usize,
    data: Vec<u8>,
    loaded: [bool; 6],
}

impl Sides {
    fn new(texture: &Texture, width: usize) -> Result<Self> {
        match width.checked_mul(width).and_then(|n| n.checked_mul(18)) {
            Some(bytes) if bytes as i64 <= MAX_BYTES => {
                Ok(Self { width, data: vec![0; bytes], loaded: [false; 6] })
            }
            _ => Err(error(texture, "Cube texture too large")),
        }
    }

    fn side(&mut self, side: usize) -> &mut [u8] {
        let area = 3 * self.width * self.width;
        &mut self.data[side * area..(side + 1) * area]
    }

    /// Fills what was not loaded.
    fn finish(mut self, texture: &Texture, colorspace: ligament_model::enums::ColorSpace) -> Pixels {
        let color = texture.rgb1.map(|x| (255.0 * x) as i64 as u8);
        for side in 0..6 {
            if !self.loaded[side] {
                for pixel in self.side(side).chunks_exact_mut(3) {
                    pixel.copy_from_slice(&color);
                }
            }
        }
        Pixels { width: self.width, height: 6 * self.width, colorspace, data: self.data }
    }
}

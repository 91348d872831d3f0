use super::*;
use ligament_mjcf::assets::{MemoryAssets, NoAssets};
use ligament_model::enums::Mark;

fn compile_one(texture: Texture) -> Result<CompiledTexture> {
    let spec = Spec { textures: vec![texture], ..Spec::default() };
    compile_textures(&spec, &NoAssets).map(|mut list| list.remove(0))
}

fn builtin(kind: TextureType, builtin: Builtin) -> Texture {
    Texture {
        kind,
        builtin,
        width: 4,
        height: 4,
        rgb1: [1.0, 0.0, 0.0],
        rgb2: [0.0, 0.0, 1.0],
        ..Texture::default()
    }
}

fn pixel(texture: &CompiledTexture, row: usize, column: usize) -> [u8; 3] {
    let at = 3 * (row * texture.width + column);
    [texture.data[at], texture.data[at + 1], texture.data[at + 2]]
}

const FLAT: TextureType = TextureType::N2d;

#[test]
fn checkers_alternate() {
    let texture = compile_one(builtin(FLAT, Builtin::Checker)).unwrap();
    assert_eq!(pixel(&texture, 0, 0), [255, 0, 0]);
    assert_eq!(pixel(&texture, 0, 3), [0, 0, 255]);
    assert_eq!(pixel(&texture, 3, 3), [255, 0, 0]);
}

#[test]
fn cubes_have_six_sides_and_a_dark_bottom() {
    let texture = compile_one(builtin(TextureType::Cube, Builtin::Flat)).unwrap();
    assert_eq!((texture.width, texture.height), (4, 24));
    assert_eq!(pixel(&texture, 11, 0), [255, 0, 0]);
    assert_eq!(pixel(&texture, 12, 0), [0, 0, 255]);
    assert_eq!(pixel(&texture, 16, 0), [255, 0, 0]);
}

#[test]
fn marks_are_drawn_over_patterns() {
    let edge = Texture { mark: Mark::Edge, markrgb: [1.0; 3], ..builtin(FLAT, Builtin::Flat) };
    let texture = compile_one(edge).unwrap();
    assert_eq!(pixel(&texture, 0, 2), [255; 3]);
    assert_eq!(pixel(&texture, 1, 1), [255, 0, 0]);
}

/// Positions as MuJoCo 3.5.0 draws them.
#[test]
fn random_dots_come_from_the_reference_generator() {
    let dots = Texture { mark: Mark::Random, random: 0.2, markrgb: [1.0; 3], ..builtin(FLAT, Builtin::Flat) };
    let texture = compile_one(dots).unwrap();
    let marked: Vec<usize> = (0..16).filter(|i| pixel(&texture, i / 4, i % 4) == [255; 3]).collect();
    assert_eq!(marked, REFERENCE_DOTS);
}

#[test]
fn absurd_sizes_and_wrong_bytes_are_errors() {
    let huge = Texture { width: i32::MAX, height: i32::MAX, ..builtin(FLAT, Builtin::Flat) };
    assert!(compile_one(huge).unwrap_err().to_string().contains("too large"));
    let bytes = Texture { data: vec![0; 5], width: 2, height: 2, ..Texture::default() };
    assert!(compile_one(bytes).unwrap_err().to_string().contains("incorrect size"));
    let none = Texture { kind: TextureType::Cube, ..Texture::default() };
    assert!(compile_one(none).unwrap_err().to_string().contains("No cubefiles_"));
}

#[test]
fn bytes_are_flipped_as_asked() {
    let data = vec![1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4];
    let texture = Texture { data, width: 2, height: 2, hflip: true, vflip: true, ..Texture::default() };
    assert_eq!(compile_one(texture).unwrap().data, [4, 4, 4, 3, 3, 3, 2, 2, 2, 1, 1, 1]);
}

#[test]
fn grids_are_cut_into_sides() {
    // two squares of one pixel, right and left
    let file = [1_i32.to_le_bytes(), 2_i32.to_le_bytes()].concat();
    let file = [file, vec![10, 11, 12, 20, 21, 22]].concat();
    let assets = MemoryAssets([("t.bin".to_string(), file)].into());
    let texture = Texture {
        kind: TextureType::Cube,
        file: "t.bin".into(),
        gridsize: [2, 1],
        gridlayout: "LR..........".into(),
        rgb1: [1.0; 3],
        ..Texture::default()
    };
    let spec = Spec { textures: vec![texture], ..Spec::default() };
    let texture = compile_textures(&spec, &assets).unwrap().remove(0);
    assert_eq!(texture.data[..9], [20, 21, 22, 10, 11, 12, 255, 255, 255]);
    assert_eq!((texture.path.as_str(), texture.colorspace), ("t.bin", ColorSpace::Linear));
}

const REFERENCE_DOTS: [usize; 3] = [3, 5, 10];

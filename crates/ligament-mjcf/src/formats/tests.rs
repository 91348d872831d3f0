use super::*;
use proptest::prelude::*;

fn message<T: std::fmt::Debug>(result: Result<T>) -> String {
    match result.unwrap_err() {
        MjcfError::Asset(d) => d.message,
        other => panic!("not an asset error: {other}"),
    }
}

fn stl(count: u32, triangles: &[[[f32; 3]; 3]]) -> Vec<u8> {
    let mut bytes = vec![0; 80];
    bytes.extend(count.to_le_bytes());
    for t in triangles {
        bytes.extend([0; 12]);
        bytes.extend(t.as_flattened().iter().flat_map(|x| x.to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

#[test]
fn stl_vertices_are_merged_in_order_of_appearance() {
    let (a, b, c, d) = ([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
    let mesh = stl::decode("x", &stl(2, &[[a, b, c], [b, a, d]])).unwrap();
    assert_eq!(mesh.vert, [a, b, c, d]);
    assert_eq!(mesh.face, [[0, 1, 2], [1, 0, 3]]);
}

#[test]
fn ascii_and_truncated_stl_are_refused() {
    let ascii =
        b"solid cube\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n   vertex 0 1 0\n";
    assert!(message(stl::decode("x", ascii)).contains("ASCII"));
    assert!(message(stl::decode("x", &stl(3, &[[[0.0; 3]; 3]]))).contains("wrong size"));
    assert!(message(stl::decode("x", b"short")).contains("invalid header"));
    assert!(message(stl::decode("x", b"")).contains("is empty"));
    let infinite = stl(1, &[[[f32::INFINITY; 3]; 3]]);
    assert!(message(stl::decode("x", &infinite)).contains("exceed maximum bounds"));
}

#[test]
fn obj_takes_the_first_group_and_flips_v() {
    let text =
        b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0.25 0.25\no first\nf 1/1 2/1 3/1\no second\nf 1 3 4\n";
    let mesh = obj::decode("x", text, false).unwrap();
    assert_eq!(mesh.face, [[0, 1, 2]]);
    assert_eq!(mesh.texcoord, [0.25, 0.75]);
    assert_eq!(mesh.facetexcoord, [0, 0, 0]);
    assert_eq!(obj::decode("x", text, true).unwrap().face, [[0, 2, 1]]);
}

#[test]
fn obj_polygons_are_clipped_ear_by_ear() {
    // a notch at vertex 2: the first ear would cover it
    let text = b"v 0 0 0\nv 2 0 0\nv 0.5 0.5 0\nv 0 2 0\nf 1 2 3 4\nf -4 -3 -1\n";
    let mesh = obj::decode("x", text, false).unwrap();
    assert_eq!(mesh.face, [[0, 1, 2], [0, 2, 3], [0, 1, 3]]);
    assert!(message(obj::decode("x", b"v 0 0 0\nf 0 1 2\n", false)).contains("could not parse OBJ"));
}

#[test]
fn obj_numbers_are_read_in_all_their_forms() {
    let mesh = obj::decode("x", b"v -.5 1e-3 +2.5E2\r\nv 1. junk\r\n", false).unwrap();
    assert_eq!(mesh.vert, [[-0.5, 0.001, 250.0], [1.0, 0.0, 0.0]]);
}

fn msh(header: [i32; 4], floats: &[f32], ints: &[i32]) -> Vec<u8> {
    let mut bytes: Vec<u8> = header.iter().flat_map(|n| n.to_le_bytes()).collect();
    bytes.extend(floats.iter().flat_map(|x| x.to_le_bytes()));
    bytes.extend(ints.iter().flat_map(|x| x.to_le_bytes()));
    bytes
}

#[test]
fn msh_sizes_are_checked_before_anything_is_allocated() {
    let mesh = msh::decode("x", &msh([4, 0, 0, 1], &[0.5; 12], &[0, 1, 2])).unwrap();
    assert_eq!((mesh.vert.len(), mesh.face.len()), (4, 1));
    assert!(message(msh::decode("x", &msh([4, 3, 0, 1], &[], &[]))).contains("invalid sizes"));
    assert!(message(msh::decode("x", &msh([i32::MAX, 0, 0, 1], &[], &[]))).contains("too large sizes"));
    assert!(message(msh::decode("x", &msh([9_000_000, 0, 0, 1], &[], &[]))).contains("unexpected file size"));
}

#[test]
fn binary_height_fields_and_textures_match_their_headers() {
    let bytes = msh([2, 2, 0, 0], &[], &[]);
    let elevation = hfield::decode_binary("x", &[&bytes[..8], &[0; 16]].concat()).unwrap();
    assert_eq!((elevation.nrow, elevation.ncol, elevation.data.len()), (2, 2, 4));
    assert!(message(hfield::decode_binary("x", &bytes[..12])).contains("unexpected file size"));
    assert!(message(hfield::decode_binary("x", &[0; 8])).contains("non-positive"));
    assert_eq!(texture::decode_binary("x", &[&bytes[..8], &[7; 12]].concat()).unwrap().data, [7; 12]);
    assert!(message(texture::decode_binary("x", &[255; 30])).contains("non-positive texture"));
}

fn encode_png(width: u32, height: u32, color: ::png::ColorType, data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(color);
    encoder.set_depth(::png::BitDepth::Eight);
    encoder.write_header().unwrap().write_image_data(data).unwrap();
    bytes
}

#[test]
fn png_channels_are_converted() {
    let rgba = encode_png(2, 1, ::png::ColorType::Rgba, &[1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(png::decode("x", &rgba, 3).unwrap().data, [1, 2, 3, 5, 6, 7]);
    assert_eq!(png::decode("x", &rgba, 1).unwrap().data, [1, 5]);
    let grey = encode_png(1, 2, ::png::ColorType::Grayscale, &[9, 8]);
    assert_eq!(png::decode("x", &grey, 4).unwrap().data, [9, 9, 9, 255, 8, 8, 8, 255]);
    assert_eq!(hfield::decode_png("x", &grey).unwrap().data, [8.0, 9.0]);
    assert!(message(png::decode("x", &rgba[..40], 3)).contains("error decoding PNG"));
}

#[test]
fn skins_are_read_bone_by_bone() {
    let mut bytes = msh([1, 0, 0, 1], &[1.0, 2.0, 3.0], &[]);
    let mut name = [0; 40];
    name[..4].copy_from_slice(b"hand");
    bytes.extend(name);
    bytes.extend([0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0].iter().flat_map(|x| x.to_le_bytes()));
    bytes.extend(1_i32.to_le_bytes());
    bytes.extend(0_i32.to_le_bytes());
    bytes.extend(0.5_f32.to_le_bytes());
    let skin = skn::decode("x", &bytes).unwrap();
    assert_eq!(skin.bodyname, ["hand"]);
    assert_eq!(skin.vertweight, [[0.5]]);
    assert!(message(skn::decode("x", &bytes[..bytes.len() - 4])).contains("insufficient vertex data"));
    assert!(message(skn::decode("x", &[255; 16])).contains("negative size"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn noise_never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = stl::decode("x", &bytes);
        let _ = obj::decode("x", &bytes, false);
        let _ = msh::decode("x", &bytes);
        let _ = hfield::decode_binary("x", &bytes);
        let _ = hfield::decode_png("x", &bytes);
        let _ = texture::decode_binary("x", &bytes);
        let _ = skn::decode("x", &bytes);
    }

    #[test]
    fn plausible_headers_never_panic(header in proptest::array::uniform4(-2..40_i32), tail in proptest::collection::vec(any::<u8>(), 0..400)) {
        let bytes = [msh(header, &[], &[]), tail].concat();
        let _ = msh::decode("x", &bytes);
        let _ = skn::decode("x", &bytes);
        let _ = hfield::decode_binary("x", &bytes);
        let _ = texture::decode_binary("x", &bytes);
    }

    #[test]
    fn obj_words_never_panic(words in proptest::collection::vec("(v|vn|vt|f|g|o|l|p|usemtl|-?[0-9]{1,3}(/[0-9]{0,2}){0,2}|[0-9.eE+-]{1,5}|\\n)", 0..120)) {
        let _ = obj::decode("x", words.join(" ").as_bytes(), true);
    }

    #[test]
    fn damaged_png_never_panics(at in 8..70_usize, value in any::<u8>()) {
        let mut bytes = encode_png(3, 3, ::png::ColorType::Rgb, &[5; 27]);
        let at = at % bytes.len();
        bytes[at] = value;
        let _ = png::decode("x", &bytes, 3);
    }
}

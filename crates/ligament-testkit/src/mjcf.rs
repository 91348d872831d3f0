//! Text as a model.

use ligament::prelude::*;

/// What the models in conformance/models look like: seeds for mutation.
pub const SEEDS: [&str; 7] = [
    include_str!("../../../conformance/models/tree.xml"),
    include_str!("../../../conformance/models/contacts.xml"),
    include_str!("../../../conformance/models/tendons.xml"),
    include_str!("../../../conformance/models/equality.xml"),
    include_str!("../../../conformance/models/sensors.xml"),
    include_str!("../../../conformance/models/flex.xml"),
    include_str!("../../../conformance/models/sleep.xml"),
];

/// Larger models are loaded but not simulated, so that a case takes milliseconds.
const SIMULATED_DOFS: usize = 300;
/// Operations of a step: a case shall end soon also where every instruction is watched.
pub(crate) const CASE_EFFORT: u64 = 1 << 27;

/// Reads, compiles and, if it is small, advances three steps.
pub fn run(text: &str) {
    let Ok(model) = ligament::load_model_with_assets(text, &AnyFile) else {
        return;
    };
    let restored = Model::from_bytes(&model.to_bytes());
    assert!(restored.is_ok(), "a compiled model must survive the way through a file: {:?}", restored.err());
    simulate(&model, 3);
}

/// Any name is a picture or a mesh.
struct AnyFile;

impl ligament::Assets for AnyFile {
    fn read(&self, path: &str) -> Option<std::borrow::Cow<'_, [u8]>> {
        const TETRAHEDRON: &[u8] =
            b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
        /// Two by two pixels.
        const PICTURE: &[u8] = b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x00\x00\x02\x00\x00\x00\x02\x08\x02\x00\
            \x00\x00\xfd\xd4\x9a\x73\x00\x00\x00\x16IDAT\x78\xda\x63\x60\xe0\x12\x91\xd3\x30\x62\xd0\x30\xb2\x71\x0b\
            \x88\x02\x00\x0a\x2c\x02\x1d\xf8\xa2\x98\x8e\x00\x00\x00\x00IEND\xae\x42\x60\x82";
        Some(if path.ends_with(".png") { PICTURE } else { TETRAHEDRON }.into())
    }
}

/// Text as a URDF file, with a mesh for every file it names.
pub fn run_urdf(text: &str) {
    if let Ok(model) = ligament::load_model_with_assets(text, &AnyFile) {
        simulate(&model, 3);
    }
}

/// Makes a state and advances it; errors are fine.
pub fn simulate(model: &Model, steps: usize) {
    if model.nv > SIMULATED_DOFS || model.ngeom > SIMULATED_DOFS || model.nuserdata > 1 << 20 {
        return;
    }
    let Ok(mut data) = model.make_data() else {
        return;
    };
    data.effort = CASE_EFFORT;
    for _ in 0..steps {
        if data.step(model).is_err() {
            return;
        }
    }
}

/// A seed with a few bytes changed, cut out, repeated or replaced by nasty words, as `bytes` decide.
pub fn mutated(seed: usize, bytes: &[u8]) -> String {
    const WORDS: [&str; 24] = [
        "nan",
        "inf",
        "1e308",
        "-1",
        "0",
        "2147483647",
        "-2147483648",
        "4294967296",
        "1e-320",
        "\"",
        "<",
        ">",
        "/>",
        "&amp;",
        "<!--",
        "]]>",
        "\u{0}",
        "\u{fffd}",
        "true",
        "world",
        "mesh",
        "hfield",
        "sdf",
        "1 2 3 4 5 6 7 8 9",
    ];
    let mut text: Vec<u8> = SEEDS[seed % SEEDS.len()].as_bytes().to_vec();
    let mut numbers = crate::Numbers::new(bytes);
    while !numbers.is_empty() && !text.is_empty() {
        let at = usize::from(numbers.short()) % text.len();
        match numbers.byte() % 6 {
            0 => text[at] = numbers.byte(),
            1 => text.truncate(at),
            2 => {
                let end = (at + usize::from(numbers.byte() % 64)).min(text.len());
                text.drain(at..end);
            }
            3 => {
                let end = (at + usize::from(numbers.byte())).min(text.len());
                let piece = text[at..end].to_vec();
                text.splice(at..at, piece);
            }
            _ => replace_value(&mut text, at, WORDS[usize::from(numbers.byte()) % WORDS.len()]),
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// Puts a word in place of the next attribute word after `at`.
fn replace_value(text: &mut Vec<u8>, at: usize, word: &str) {
    let Some(quote) = text[at..].iter().position(|&b| b == b'"' || b == b' ') else {
        return;
    };
    let start = at + quote + 1;
    let length = text[start..].iter().position(|&b| b == b'"' || b == b' ').unwrap_or(0);
    text.splice(start..start + length, word.bytes());
}

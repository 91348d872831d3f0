//! Models of our own against numbers recorded from MuJoCo 3.5.0 (conformance/make_golden.py).

use ligament::prelude::*;
use ligament_model::array::ArrayRef;

const CONFORMANCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance");

/// Largest differences relative to the size of a field. On the machine that recorded the numbers all but the last bits
/// of curved cones and flex elements agree exactly; elsewhere the mathematical library may differ.
const MODEL: f64 = 1e-12;
const FORWARD: f64 = 1e-11;
const ROLLOUT: f64 = 1e-10;

fn numbers(array: ArrayRef<'_>) -> Vec<f64> {
    match array {
        ArrayRef::F64(x) => x.to_vec(),
        ArrayRef::F32(x) => x.iter().map(|&v| f64::from(v)).collect(),
        ArrayRef::I32(x) => x.iter().map(|&v| f64::from(v)).collect(),
        ArrayRef::I64(x) => x.iter().map(|&v| v as f64).collect(),
        ArrayRef::U64(x) => x.iter().map(|&v| v as f64).collect(),
        ArrayRef::U8(x) => x.iter().map(|&v| f64::from(v)).collect(),
    }
}

fn data_field(data: &Data, name: &str) -> Vec<f64> {
    match name {
        "contact.geom" => data.contact.iter().flat_map(|c| c.geom.map(f64::from)).collect(),
        "contact.dist" => data.contact.iter().map(|c| c.dist).collect(),
        "contact.pos" => data.contact.iter().flat_map(|c| c.pos).collect(),
        "contact.frame" => data.contact.iter().flat_map(|c| c.frame).collect(),
        "energy" => data.energy.to_vec(),
        _ => {
            let field = ligament::Data::FIELDS.iter().find(|f| f.name == name);
            numbers((field.unwrap_or_else(|| panic!("no field {name}")).get)(data))
        }
    }
}

/// Largest difference relative to the size of the field (at least one); infinite when lengths differ.
fn difference(found: &[f64], expected: &[f64]) -> f64 {
    if found.len() != expected.len() {
        return f64::INFINITY;
    }
    let scale = expected.iter().fold(1.0f64, |scale, x| scale.max(x.abs()));
    found.iter().zip(expected).fold(0.0f64, |worst, (x, y)| worst.max((x - y).abs() / scale))
}

fn compare(name: &str) {
    let model = ligament::load_model_from_file(format!("{CONFORMANCE}/models/{name}.xml")).expect("loads");
    let golden = std::fs::read_to_string(format!("{CONFORMANCE}/golden/{name}.txt")).expect("golden file");
    let mut data = model.make_data().expect("state");
    data.reset_to_keyframe(&model, 0).expect("reset");
    data.forward(&model).expect("forward");
    let forward = data.clone();
    for _ in 0..10 {
        data.step(&model).expect("step");
    }
    let mut wrong = Vec::new();
    for line in golden.lines() {
        let mut words = line.split_ascii_whitespace();
        let (moment, field) = (words.next().expect("moment"), words.next().expect("field"));
        let expected: Vec<f64> = words.map(|word| word.parse().expect("number")).collect();
        let (found, tolerance) = match moment {
            "model" => {
                let field = Model::field(field).unwrap_or_else(|| panic!("no model field {field}"));
                (numbers((field.get)(&model)), MODEL)
            }
            "forward" => (data_field(&forward, field), FORWARD),
            _ => (data_field(&data, field), ROLLOUT),
        };
        let worst = difference(&found, &expected);
        if worst > tolerance || worst.is_nan() {
            wrong.push(format!("{moment} {field}: differs by {worst:e}"));
        }
    }
    assert!(golden.lines().count() > 50);
    assert!(wrong.is_empty(), "{name}:\n{}", wrong.join("\n"));
}

macro_rules! golden {
    ($($name:ident),+) => { $(
        #[test]
        fn $name() {
            compare(stringify!($name));
        }
    )+ };
}
golden!(tree, contacts, tendons, equality, sensors, flex, sleep);

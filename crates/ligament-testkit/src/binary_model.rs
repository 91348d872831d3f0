//! Bytes as a compiled model.

use ligament::prelude::*;
use ligament_model::array::ArrayMut;

/// Bytes that may or may not be a model.
pub fn run(bytes: &[u8]) {
    if let Ok(model) = Model::from_bytes(bytes) {
        crate::mjcf::simulate(&model, 2);
    }
}

/// A well-formed file with some integers replaced by nonsense: refused, or simulated without leaving an array.
pub fn run_with_nonsense(seed: usize, bytes: &[u8]) {
    let text = crate::mjcf::SEEDS[seed % crate::mjcf::SEEDS.len()];
    let Ok(mut model) = ligament::load_model(text) else {
        return;
    };
    let mut numbers = crate::Numbers::new(bytes);
    while !numbers.is_empty() {
        let field = &Model::FIELDS[usize::from(numbers.short()) % Model::FIELDS.len()];
        let (at, value) = (usize::from(numbers.short()), nonsense(&mut numbers));
        match (field.get_mut)(&mut model) {
            ArrayMut::I32(x) if !x.is_empty() => {
                let at = at % x.len();
                x[at] = if value % 2 == 0 { x[at].wrapping_add(value / 2) } else { value };
            }
            ArrayMut::U8(x) if !x.is_empty() => x[at % x.len()] = value as u8,
            ArrayMut::F64(x) if !x.is_empty() => x[at % x.len()] = numbers.real(),
            _ => {}
        }
    }
    run(&model.to_bytes());
}

/// A compiled file of a seed with some bytes replaced, length and checksum made right again.
pub fn run_repaired(seed: usize, bytes: &[u8]) {
    let text = crate::mjcf::SEEDS[seed % crate::mjcf::SEEDS.len()];
    let Ok(model) = ligament::load_model(text) else {
        return;
    };
    let mut file = model.to_bytes();
    let mut numbers = crate::Numbers::new(bytes);
    while !numbers.is_empty() {
        let at = (usize::from(numbers.short()) << 8 | usize::from(numbers.byte())) % file.len();
        let end = (at + 4).min(file.len());
        let value = nonsense(&mut numbers).to_le_bytes();
        file[at..end].copy_from_slice(&value[..end - at]);
    }
    ligament_model::binary::seal(&mut file);
    run(&file);
}

/// Bytes as a binary model of MuJoCo, and a good file with some of its numbers replaced: it has no checksum.
pub fn run_mjb(seed: usize, bytes: &[u8]) {
    let simulate = |file: &[u8]| {
        if let Ok(model) = ligament::mjb::read(file) {
            crate::mjcf::simulate(&model, 2);
        }
    };
    simulate(bytes);
    let text = crate::mjcf::SEEDS[seed % crate::mjcf::SEEDS.len()];
    let Ok(Ok(mut file)) = ligament::load_model(text).map(|model| ligament::mjb::write(&model)) else {
        return;
    };
    let mut numbers = crate::Numbers::new(bytes);
    while !numbers.is_empty() {
        let place = usize::from(numbers.short()) << 8 | usize::from(numbers.byte());
        let at = 4 * (place % (file.len() / 4));
        let value = nonsense(&mut numbers).to_le_bytes();
        file[at..at + 4].copy_from_slice(&value);
    }
    simulate(&file);
}

fn nonsense(numbers: &mut crate::Numbers<'_>) -> i32 {
    match numbers.byte() {
        0 => i32::MAX,
        1 => i32::MIN,
        2..=40 => -1,
        _ => i32::from(numbers.byte() as i8),
    }
}

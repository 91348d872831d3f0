//! Making parts of a state useless, and comparing states bit for bit.

use ligament::{Contact, Data};
use ligament_model::array::{ArrayMut, ArrayRef};
use ligament_model::data::Scalar;

const WRONG_ID: i32 = i32::MIN / 2;

/// Fills an array with numbers that are never right.
pub fn spoil_array(array: ArrayMut<'_>) {
    match array {
        ArrayMut::F64(x) => x.fill(f64::NAN),
        ArrayMut::F32(x) => x.fill(f32::NAN),
        ArrayMut::I32(x) => x.fill(WRONG_ID),
        ArrayMut::I64(x) => x.fill(i64::from(WRONG_ID)),
        ArrayMut::U64(x) => x.fill(u64::MAX / 2),
        ArrayMut::U8(x) => x.fill(0xAA),
    }
}

/// A contact in which nothing is right.
pub fn spoilt_contact() -> Contact {
    Contact {
        dist: f64::NAN,
        pos: [f64::NAN; 3],
        frame: [f64::NAN; 9],
        includemargin: f64::NAN,
        friction: [f64::NAN; 5],
        solref: [f64::NAN; 2],
        solreffriction: [f64::NAN; 2],
        solimp: [f64::NAN; 5],
        mu: f64::NAN,
        H: [f64::NAN; 36],
        dim: WRONG_ID,
        geom: [WRONG_ID; 2],
        flex: [WRONG_ID; 2],
        elem: [WRONG_ID; 2],
        vert: [WRONG_ID; 2],
        exclude: WRONG_ID,
        efc_address: WRONG_ID,
    }
}

/// Everything in the state that has a name.
pub fn state_names() -> Vec<&'static str> {
    let arrays = Data::FIELDS.iter().map(|field| field.name);
    arrays.chain(Data::SCALARS.iter().copied()).chain(["contact", "energy"]).collect()
}

/// Makes a part of the state useless.
pub fn spoil(d: &mut Data, name: &str) {
    if let Some(field) = Data::FIELDS.iter().find(|field| field.name == name) {
        spoil_array((field.get_mut)(d));
    } else if name == "contact" {
        d.contact.fill(spoilt_contact());
    } else if name == "energy" {
        d.energy = [f64::NAN; 2];
    } else {
        let wrong = match d.scalar(name).expect("a number") {
            Scalar::Real(_) => f64::NAN,
            Scalar::Count(_) => 1.5e19, // too many to allocate, so that it is a panic
            Scalar::Flag(flag) => f64::from(u8::from(!flag)),
        };
        d.set_scalar(name, wrong);
    }
}

/// The bits of a part of the state.
pub fn bits(d: &Data, name: &str) -> Vec<u64> {
    if let Some(field) = Data::FIELDS.iter().find(|field| field.name == name) {
        return match (field.get)(d) {
            ArrayRef::F64(x) => x.iter().map(|v| v.to_bits()).collect(),
            ArrayRef::F32(x) => x.iter().map(|v| u64::from(v.to_bits())).collect(),
            ArrayRef::I32(x) => x.iter().map(|&v| v as u64).collect(),
            ArrayRef::I64(x) => x.iter().map(|&v| v as u64).collect(),
            ArrayRef::U64(x) => x.to_vec(),
            ArrayRef::U8(x) => x.iter().map(|&v| u64::from(v)).collect(),
        };
    }
    match name {
        "contact" => d.contact.iter().flat_map(contact_bits).collect(),
        "energy" => d.energy.map(f64::to_bits).to_vec(),
        _ => vec![match d.scalar(name).expect("a number") {
            Scalar::Real(x) => x.to_bits(),
            Scalar::Count(x) => x as u64,
            Scalar::Flag(x) => u64::from(x),
        }],
    }
}

fn contact_bits(c: &Contact) -> Vec<u64> {
    let numbers = [c.dist, c.includemargin, c.mu].into_iter().chain(c.pos).chain(c.frame).chain(c.friction);
    let numbers = numbers.chain(c.solref).chain(c.solreffriction).chain(c.solimp).chain(c.H);
    let ids = [c.dim, c.exclude, c.efc_address].into_iter().chain(c.geom).chain(c.flex).chain(c.elem);
    numbers.map(f64::to_bits).chain(ids.chain(c.vert).map(|id| id as u64)).collect()
}

/// Where an array lies in memory.
pub fn address(array: ArrayRef<'_>) -> usize {
    match array {
        ArrayRef::F64(x) => x.as_ptr() as usize,
        ArrayRef::F32(x) => x.as_ptr() as usize,
        ArrayRef::I32(x) => x.as_ptr() as usize,
        ArrayRef::I64(x) => x.as_ptr() as usize,
        ArrayRef::U64(x) => x.as_ptr() as usize,
        ArrayRef::U8(x) => x.as_ptr() as usize,
    }
}

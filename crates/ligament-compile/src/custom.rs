//! `<custom>`: numbers, texts and tuples of objects.

use crate::error::fail_at;
use crate::index::Index;
use crate::report::unknown;
use ligament_mjcf::diag::Result;
use ligament_mjcf::spec::{Numeric, Text, Tuple};
use ligament_model::enums::ObjType;
use ligament_model::model::{Model, Sizes};

/// Most numbers of one element.
const MAX_NUMBERS: usize = 1 << 28;

/// Compiled numbers: the values, padded with zeros to their size.
pub fn compile_numerics(numerics: &[Numeric]) -> Result<Vec<Vec<f64>>> {
    let compile = |(id, numeric): (usize, &Numeric)| {
        let error = |message: &str| {
            let message = format!("numeric '{}' (id = {id}): {message}", numeric.meta.name);
            Err(fail_at(ObjType::Numeric, &numeric.meta, message))
        };
        let size = usize::try_from(numeric.size).unwrap_or(0);
        let mut data = numeric.data.clone();
        if size != 0 && size < data.len() {
            return error("specified size smaller than initialization array");
        }
        if size > MAX_NUMBERS {
            return error("size too large");
        }
        data.resize(size.max(data.len()), 0.0);
        if data.is_empty() {
            return error("size cannot be zero");
        }
        Ok(data)
    };
    numerics.iter().enumerate().map(compile).collect()
}

/// Compiled texts: bytes with a zero at the end.
pub fn compile_texts(texts: &[Text]) -> Result<Vec<Vec<u8>>> {
    let compile = |(id, text): (usize, &Text)| {
        if text.data.is_empty() {
            let message = format!("text '{}' (id = {id}): size cannot be zero", text.meta.name);
            return Err(fail_at(ObjType::Text, &text.meta, message));
        }
        let mut data = text.data.clone().into_bytes();
        data.push(0);
        Ok(data)
    };
    texts.iter().enumerate().map(compile).collect()
}

/// One object of a tuple.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TupleObject {
    pub kind: ObjType,
    pub id: usize,
    pub parameter: f64,
}

/// Compiled tuples.
pub fn compile_tuples(tuples: &[Tuple], index: &Index) -> Result<Vec<Vec<TupleObject>>> {
    tuples.iter().enumerate().map(|(id, tuple)| compile_tuple(id, tuple, index)).collect()
}

fn compile_tuple(id: usize, tuple: &Tuple, index: &Index) -> Result<Vec<TupleObject>> {
    let name = &tuple.meta.name;
    let count = tuple.objtype.len();
    if count == 0 {
        return Err(fail_at(ObjType::Tuple, &tuple.meta, format!("tuple '{name}' (id = {id}) is empty")));
    }
    if tuple.objname.len() != count || tuple.objprm.len() != count {
        let message = format!("tuple '{name}' (id = {id}) has object arrays with different sizes");
        return Err(fail_at(ObjType::Tuple, &tuple.meta, message));
    }
    let object = |i: usize| {
        let objname = &tuple.objname[i];
        let kind = ObjType::try_from(tuple.objtype[i]).unwrap_or(ObjType::Unknown);
        match index.get(kind, objname) {
            Some(id) => Ok(TupleObject { kind, id, parameter: tuple.objprm[i] }),
            None => {
                let message = format!("unrecognized object '{objname}' in tuple {id}");
                Err(unknown(ObjType::Tuple, &tuple.meta, message, index, kind, objname))
            }
        }
    };
    (0..count).map(object).collect()
}

/// The compiled custom section.
#[derive(Debug, Default)]
pub struct Custom {
    pub numerics: Vec<Vec<f64>>,
    pub texts: Vec<Vec<u8>>,
    pub tuples: Vec<Vec<TupleObject>>,
}

/// Adds to the sizes of the model.
pub fn count_custom(custom: &Custom, sizes: &mut Sizes) {
    sizes.nnumeric = custom.numerics.len();
    sizes.nnumericdata = custom.numerics.iter().map(Vec::len).sum();
    sizes.ntext = custom.texts.len();
    sizes.ntextdata = custom.texts.iter().map(Vec::len).sum();
    sizes.ntuple = custom.tuples.len();
    sizes.ntupledata = custom.tuples.iter().map(Vec::len).sum();
}

/// Writes the arrays of the model.
pub fn write_custom(custom: &Custom, model: &mut Model) {
    let mut address = 0;
    for (i, data) in custom.numerics.iter().enumerate() {
        model.numeric_adr[i] = address as i32;
        model.numeric_size[i] = data.len() as i32;
        model.numeric_data[address..address + data.len()].copy_from_slice(data);
        address += data.len();
    }
    address = 0;
    for (i, data) in custom.texts.iter().enumerate() {
        model.text_adr[i] = address as i32;
        model.text_size[i] = data.len() as i32;
        model.text_data[address..address + data.len()].copy_from_slice(data);
        address += data.len();
    }
    address = 0;
    for (i, objects) in custom.tuples.iter().enumerate() {
        model.tuple_adr[i] = address as i32;
        model.tuple_size[i] = objects.len() as i32;
        for object in objects {
            model.tuple_objtype[address] = object.kind as i32;
            model.tuple_objid[address] = object.id as i32;
            model.tuple_objprm[address] = object.parameter;
            address += 1;
        }
    }
}

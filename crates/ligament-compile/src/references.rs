//! Everything that refers to the tree: the passes in the reference's order, their sizes and arrays.

use crate::actuators::{CompiledActuator, compile_actuators, count_actuators, write_actuators};
use crate::custom::{Custom, compile_numerics, compile_texts, compile_tuples, count_custom, write_custom};
use crate::equality::{CompiledEquality, compile_equalities, count_equalities, write_equalities};
use crate::flex::{CompiledFlex, compile_flexes, count_flexes, write_flexes};
use crate::index::Index;
use crate::keys::{count_keys, write_keys};
use crate::pairs::{
    CompiledExclude, CompiledPair, compile_excludes, compile_pairs, count_pairs, write_pairs,
};
use crate::plugin_checks::check_plugins;
use crate::plugins::{Plugins, count_plugins, write_plugins};
use crate::report::user_width;
use crate::sensors::{CompiledSensor, Observed, compile_sensors, count_sensors, write_sensors};
use crate::tendons::{CompiledTendon, compile_tendons, count_tendons, write_tendons};
use crate::tree::Tree;
use ligament_mjcf::diag::Result;
use ligament_mjcf::spec::Spec;
use ligament_model::enums::ObjType;
use ligament_model::model::{Model, Sizes};

/// The compiled elements outside the tree.
pub struct References<'s> {
    pub flexes: Vec<CompiledFlex<'s>>,
    pub pairs: Vec<CompiledPair>,
    pub excludes: Vec<CompiledExclude>,
    pub equalities: Vec<CompiledEquality>,
    pub tendons: Vec<CompiledTendon<'s>>,
    pub actuators: Vec<CompiledActuator<'s>>,
    pub sensors: Vec<CompiledSensor<'s>>,
    pub custom: Custom,
}

/// Registers the names of everything outside tree and assets; pairs and excludes in the order of the text.
pub fn register_references(index: &mut Index, spec: &Spec) -> Result<()> {
    index.register(ObjType::Flex, spec.flexes.iter().map(|x| &x.meta))?;
    index.register(ObjType::Pair, spec.pairs.iter().map(|x| &x.meta))?;
    index.register(ObjType::Exclude, spec.excludes.iter().map(|x| &x.meta))?;
    index.register(ObjType::Equality, spec.equalities.iter().map(|x| &x.meta))?;
    index.register(ObjType::Tendon, spec.tendons.iter().map(|x| &x.meta))?;
    index.register(ObjType::Actuator, spec.actuators.iter().map(|x| &x.meta))?;
    index.register(ObjType::Sensor, spec.sensors.iter().map(|x| &x.meta))?;
    index.register(ObjType::Numeric, spec.numerics.iter().map(|x| &x.meta))?;
    index.register(ObjType::Text, spec.texts.iter().map(|x| &x.meta))?;
    index.register(ObjType::Tuple, spec.tuples.iter().map(|x| &x.meta))?;
    index.register(ObjType::Key, spec.keys.iter().map(|x| &x.meta))
}

/// Compiles everything that refers to the tree. The index must know the tree, the assets and
/// [`register_references`]; it learns the final order of pairs and excludes.
pub fn compile_references<'s>(
    spec: &'s Spec,
    tree: &Tree<'s>,
    index: &mut Index,
    plugins: &Plugins,
    mesh_vertices: &[usize],
) -> Result<References<'s>> {
    let flexes = compile_flexes(&spec.flexes, index, tree)?;
    let pairs = compile_pairs(&spec.pairs, index, &tree.geoms)?;
    let excludes = compile_excludes(&spec.excludes, index)?;
    index.register(ObjType::Pair, pairs.iter().map(|x| &spec.pairs[x.source].meta))?;
    index.register(ObjType::Exclude, excludes.iter().map(|x| &spec.excludes[x.source].meta))?;
    let equalities = compile_equalities(&spec.equalities, index, &tree.joints, &flexes)?;
    let tendons = compile_tendons(spec, index, tree)?;
    let actuators = compile_actuators(spec, index, tree, plugins)?;
    let observed = Observed { index, tree, tendons: &tendons, plugins, mesh_vertices };
    let sensors = compile_sensors(spec, &observed)?;
    let custom = Custom {
        numerics: compile_numerics(&spec.numerics)?,
        texts: compile_texts(&spec.texts)?,
        tuples: compile_tuples(&spec.tuples, index)?,
    };
    check_plugins(plugins, &actuators)?;
    Ok(References { flexes, pairs, excludes, equalities, tendons, actuators, sensors, custom })
}

impl References<'_> {
    /// Adds to the sizes of the model; `nv` must be known.
    pub fn count(&self, spec: &Spec, tree: &Tree<'_>, plugins: &Plugins, sizes: &mut Sizes) {
        let widths = &spec.size;
        sizes.nuser_tendon = user_width(widths.nuser_tendon, spec.tendons.iter().map(|x| x.userdata.len()));
        sizes.nuser_actuator =
            user_width(widths.nuser_actuator, spec.actuators.iter().map(|x| x.userdata.len()));
        sizes.nuser_sensor = user_width(widths.nuser_sensor, spec.sensors.iter().map(|x| x.userdata.len()));
        count_flexes(&self.flexes, tree, sizes);
        count_pairs(&self.pairs, &self.excludes, sizes);
        count_equalities(&self.equalities, sizes);
        count_tendons(&self.tendons, sizes);
        count_actuators(&self.actuators, &tree.joints, sizes);
        count_sensors(&self.sensors, sizes);
        count_custom(&self.custom, sizes);
        count_keys(spec, sizes);
        count_plugins(plugins, sizes);
    }

    /// Writes the arrays of the model, whose tree must be complete: keys are filled up from it.
    pub fn write(&self, spec: &Spec, tree: &Tree<'_>, plugins: &Plugins, model: &mut Model) -> Result<()> {
        write_flexes(&self.flexes, &spec.equalities, tree, model);
        write_pairs(&self.pairs, &self.excludes, model);
        write_equalities(&self.equalities, model);
        write_tendons(&self.tendons, model);
        write_actuators(&self.actuators, model);
        let history = self.actuators.iter().map(CompiledActuator::history).sum();
        write_sensors(&self.sensors, history, model);
        write_custom(&self.custom, model);
        write_plugins(plugins, tree, model);
        write_keys(spec, tree, model)
    }
}

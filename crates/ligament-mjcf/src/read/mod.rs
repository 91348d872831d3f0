//! MJCF text to [`Spec`]: one file a section.

pub mod actuator;
mod asset;
mod body;
mod compiler;
mod contact;
mod default;
pub mod deformable;
mod equality;
mod keyframe;
pub mod keywords;
mod option;
pub mod parts;
pub mod plugin;
mod sensor;
mod size;
mod tendon;
mod visual;

pub use asset::GROUPS;
pub use compiler::read_compiler;
pub use option::read_option;
pub(crate) use option::{DISABLE, ENABLE};
pub(crate) use sensor::{FRAME_SENSORS, OBJECT_SENSORS};
pub use size::read_size;

use crate::assets::Assets;
use crate::diag::{Diagnostic, MjcfError, Result};
use crate::expand::include;
use crate::paths;
use crate::schema::schema;
use crate::spec::{ClassId, CompilerId, FrameId, Meta, Spec};
use crate::urdf;
use crate::xml::{Element, Tree};
use std::sync::Arc;

/// Model files may contain model files to this depth.
const MAX_MODEL_NESTING: usize = 32;

/// What reading carries along.
pub struct Reader<'a> {
    /// The model so far.
    pub spec: Spec,
    /// Where included files and the files of macros come from.
    pub assets: &'a dyn Assets,
    /// Models of `<asset><model>`; [`Spec::modelname`] is the name `<attach>` knows them by.
    pub models: Vec<Spec>,
    /// Files that are being read, outermost first.
    files: Vec<String>,
}

/// Reads a model from text. `file_name` is used in messages, `model_dir` is where its files are looked up.
pub fn read_str(text: &str, file_name: &str, model_dir: &str, assets: &dyn Assets) -> Result<Spec> {
    read_document(text, file_name, model_dir, assets, Vec::new())
}

/// Reads a model file.
pub fn read_file(path: &str, assets: &dyn Assets) -> Result<Spec> {
    read_model_file(path, assets, Vec::new())
}

fn read_model_file(path: &str, assets: &dyn Assets, files: Vec<String>) -> Result<Spec> {
    let bytes = assets.read(path).ok_or_else(|| {
        MjcfError::Asset(Diagnostic::new(format!("Error opening file '{path}'")).help("check the path"))
    })?;
    if bytes.is_empty() {
        return Err(MjcfError::XmlParse(Diagnostic::new(format!("empty file '{path}'"))));
    }
    let text = String::from_utf8_lossy(&bytes);
    read_document(&text, path, paths::directory(path), assets, files)
}

fn read_document(
    text: &str,
    file_name: &str,
    model_dir: &str,
    assets: &dyn Assets,
    mut files: Vec<String>,
) -> Result<Spec> {
    let file: Arc<str> = file_name.into();
    let mut tree = Tree::parse(text, &file)?;
    if tree.root().name() == "mujoco" {
        include::expand(&mut tree, file_name, model_dir, assets)?;
    }
    files.push(file_name.to_string());
    let mut reader = Reader { spec: Spec::default(), assets, models: Vec::new(), files };
    reader.spec.compilers[0].modeldir = model_dir.to_string();
    let root = tree.root();
    match root.name() {
        "mujoco" => {
            schema().check(root)?;
            reader.spec.comment.clone_from(&tree.comment);
            reader.read_mujoco(root)?;
        }
        "robot" => urdf::read_robot(&mut reader, root)?,
        other => {
            let message = format!("Unrecognized XML model type: '{other}'");
            return Err(MjcfError::Schema(root.complain(message).help("the root is <mujoco> or <robot>")));
        }
    }
    reader.spec.check_repeated_names()?;
    reader.spec.warnings.append(&mut tree.warnings.borrow_mut());
    Ok(reader.spec)
}

impl Reader<'_> {
    /// Reads another model file, such as that of a `<model>` asset; a file inside itself is an error.
    pub fn read_nested(&self, path: &str) -> Result<Spec> {
        if self.files.iter().any(|f| f == path) || self.files.len() > MAX_MODEL_NESTING {
            let message = format!("model file '{path}' contains itself");
            return Err(MjcfError::CircularInclude(Diagnostic::new(message)));
        }
        read_model_file(path, self.assets, self.files.clone())
    }

    /// Reads all sections in their fixed order, whatever their place in the text.
    fn read_mujoco(&mut self, root: Element<'_>) -> Result<()> {
        root.text("model", &mut self.spec.modelname);
        let sections = |name: &'static str| root.children().filter(move |e| e.name() == name);
        for section in sections("compiler") {
            read_compiler(section, &mut self.spec.compilers[0])?;
        }
        for section in sections("option") {
            read_option(section, &mut self.spec.option)?;
        }
        for section in sections("size") {
            read_size(section, &mut self.spec.size)?;
        }
        for section in sections("visual") {
            visual::read_visual(section, &mut self.spec.visual)?;
        }
        for section in sections("statistic") {
            option::read_statistic(section, &mut self.spec.stat)?;
        }
        sections("default").try_for_each(|section| self.read_default(section))?;
        for section in sections("extension") {
            plugin::read_extension(section, &mut self.spec)?;
        }
        sections("custom").try_for_each(|section| self.read_custom(section))?;
        sections("asset").try_for_each(|section| self.read_asset(section))?;
        sections("contact").try_for_each(|section| self.read_contact(section))?;
        sections("deformable").try_for_each(|section| self.read_deformable(section))?;
        sections("equality").try_for_each(|section| self.read_equality_section(section))?;
        sections("tendon").try_for_each(|section| self.read_tendon_section(section))?;
        sections("actuator").try_for_each(|section| self.read_actuator_section(section))?;
        sections("sensor").try_for_each(|section| self.read_sensor_section(section))?;
        sections("keyframe").try_for_each(|section| self.read_keyframe(section))?;
        sections("worldbody").try_for_each(|section| self.read_worldbody(section))
    }

    /// The class an element names.
    fn class_of(&self, element: Element<'_>) -> Result<Option<ClassId>> {
        let Some(name) = element.attr("class") else { return Ok(None) };
        self.spec.class(name).map(Some).ok_or_else(|| {
            let known: Vec<&str> = self.spec.classes.iter().map(|c| c.name.as_str()).collect();
            let message = format!("unknown default class name '{name}'");
            let diagnostic = element.complain_attr("class", message);
            MjcfError::UnknownName(crate::schema::with_suggestion(diagnostic, name, &known))
        })
    }

    fn class_or_main(&self, element: Element<'_>) -> Result<ClassId> {
        Ok(self.class_of(element)?.unwrap_or_default())
    }

    /// Name, class and place of an element outside bodies.
    pub fn meta(&self, element: Element<'_>, class: ClassId) -> Meta {
        self.meta_in(element, class, None)
    }

    /// Name, class, frame and place of an element.
    pub fn meta_in(&self, element: Element<'_>, class: ClassId, frame: Option<FrameId>) -> Meta {
        Meta {
            name: element.attr("name").unwrap_or_default().to_string(),
            class,
            compiler: CompilerId(0),
            frame,
            origin: element.origin().clone(),
        }
    }
}

#[cfg(test)]
mod tests;

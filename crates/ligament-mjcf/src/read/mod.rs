//! MJCF text to [`Spec`]: one file a section.

pub mod actuator;
mod asset;
mod body;
mod classes;
mod compiler;
mod contact;
mod default;
pub mod deformable;
mod equality;
pub mod expand;
mod keyframe;
mod nesting;
mod option;
pub mod parts;
pub mod plugin;
mod sensor;
mod size;
mod tendon;
pub mod urdf;
mod visual;

use classes::ClassNames;
pub use compiler::read_compiler;
use nesting::Nesting;
pub use option::read_option;
use option::read_solver_model;
pub(crate) use option::{DISABLE, ENABLE};
pub(crate) use sensor::{FRAME_SENSORS, OBJECT_SENSORS};
pub use size::read_size;

use crate::assets::{Assets, Metered, OverBudget, open};
use crate::diag::{Diagnostic, MjcfError, Result};
use crate::paths;
use crate::schema::schema;
use crate::spec::reflect::Fields;
use crate::spec::weight::tag_weight;
use crate::spec::{ClassId, CompilerId, FrameId, Meta, Spec};
use crate::xml::{Element, Tree};
use expand::include;
use std::sync::Arc;

/// Skins and geoms have groups 0 to 5.
pub const GROUPS: i32 = 6;

/// Reads one section of the model.
type SectionReader = fn(&mut Reader<'_>, Element<'_>) -> Result<()>;

/// The sections in the order in which they are read, whatever their place in the text.
const SECTIONS: &[(&str, SectionReader)] = &[
    ("compiler", |reader, section| read_compiler(section, &mut reader.spec.compilers[0])),
    ("option", |reader, section| {
        read_solver_model(section, &mut reader.spec)?;
        read_option(section, &mut reader.spec.option)
    }),
    ("size", |reader, section| read_size(section, &mut reader.spec.size)),
    ("visual", |reader, section| visual::read_visual(section, &mut reader.spec.visual)),
    ("statistic", |reader, section| option::read_statistic(section, &mut reader.spec.stat)),
    ("default", |reader, section| reader.read_default(section)),
    ("extension", |reader, section| plugin::read_extension(section, &mut reader.spec)),
    ("custom", |reader, section| reader.read_custom(section)),
    ("asset", |reader, section| reader.read_asset(section)),
    ("contact", |reader, section| reader.read_contact(section)),
    ("deformable", |reader, section| reader.read_deformable(section)),
    ("equality", |reader, section| reader.read_equality_section(section)),
    ("tendon", |reader, section| reader.read_tendon_section(section)),
    ("actuator", |reader, section| reader.read_actuator_section(section)),
    ("sensor", |reader, section| reader.read_sensor_section(section)),
    ("keyframe", |reader, section| reader.read_keyframe(section)),
    ("worldbody", |reader, section| reader.read_worldbody(section)),
];

/// What reading carries along.
pub struct Reader<'a> {
    /// The model so far.
    pub spec: Spec,
    /// Where included files and the files of macros come from.
    pub assets: &'a dyn Assets,
    /// Models of `<asset><model>`; [`Spec::modelname`] is the name `<attach>` knows them by.
    pub models: Vec<Spec>,
    /// What it shares with the readers of models inside and around.
    nesting: Nesting,
    /// The model's default classes by their names.
    classes: ClassNames,
}

/// Reads a model from text. `file_name` is used in messages, `model_dir` is where its files are looked up.
pub fn read_str(text: &str, file_name: &str, model_dir: &str, assets: &dyn Assets) -> Result<Spec> {
    let nesting = Nesting::new(assets.memory());
    read_document(text, file_name, model_dir, &Metered::new(assets), nesting)
}

/// Reads a model file.
pub fn read_file(path: &str, assets: &dyn Assets) -> Result<Spec> {
    read_model_file(path, &Metered::new(assets), Nesting::new(assets.memory()))
}

/// Everything that is wrong with a model file, as far as one mistake does not hide the next: all violations of the
/// format, or else the first mistake of every section. Empty for a file that [`read_file`] accepts.
pub fn problems_in_file(path: &str, assets: &dyn Assets) -> Vec<MjcfError> {
    let Err(first) = read_file(path, assets) else { return Vec::new() };
    let assets = &Metered::new(assets);
    let Some(bytes) = assets.read(path) else { return vec![first] };
    let (text, model_dir) = (String::from_utf8_lossy(&bytes), paths::directory(path));
    let Ok(mut tree) = Tree::parse(&text, &path.into()) else { return vec![first] };
    if tree.root().name() != "mujoco" || include::expand(&mut tree, path, model_dir, assets).is_err() {
        return vec![first];
    }
    let mut problems = schema().violations(tree.root());
    if problems.is_empty() {
        problems =
            Reader::new(path, model_dir, assets, Nesting::new(assets.memory())).section_problems(tree.root());
    }
    if problems.is_empty() { vec![first] } else { problems }
}

fn read_model_file(path: &str, assets: &dyn Assets, nesting: Nesting) -> Result<Spec> {
    let bytes = open(assets, path)
        .map_err(|message| MjcfError::Asset(Diagnostic::new(message).help("check the path")))?;
    if bytes.is_empty() {
        return Err(MjcfError::XmlParse(Diagnostic::new(format!("empty file '{path}'"))));
    }
    let text = String::from_utf8_lossy(&bytes);
    read_document(&text, path, paths::directory(path), assets, nesting)
}

fn read_document(
    text: &str,
    file_name: &str,
    model_dir: &str,
    assets: &dyn Assets,
    nesting: Nesting,
) -> Result<Spec> {
    let file: Arc<str> = file_name.into();
    let charge = |bytes: u64| {
        assets.charge(bytes).map_err(|over| {
            let message = format!("'{file_name}' is too large: {over}");
            MjcfError::Memory(Diagnostic::new(message).help(OverBudget::REMEDY))
        })
    };
    charge(Tree::weight(text))?;
    let mut tree = Tree::parse(text, &file)?;
    if tree.root().name() == "mujoco" {
        include::expand(&mut tree, file_name, model_dir, assets)?;
    }
    charge(tree.elements.iter().map(|element| tag_weight(&element.name)).sum())?;
    let mut reader = Reader::new(file_name, model_dir, assets, nesting);
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

impl<'a> Reader<'a> {
    fn new(file_name: &str, model_dir: &str, assets: &'a dyn Assets, nesting: Nesting) -> Self {
        let mut spec = Spec::default();
        spec.compilers[0].modeldir = model_dir.to_string();
        let nesting = nesting.inside(file_name);
        Self { spec, assets, models: Vec::new(), nesting, classes: ClassNames::default() }
    }

    /// Reads another model file, such as that of a `<model>` asset; a file inside itself is an error.
    pub fn read_nested(&self, path: &str) -> Result<Spec> {
        if self.nesting.is_circular(path) {
            let message = format!("model file '{path}' contains itself");
            return Err(MjcfError::CircularInclude(Diagnostic::new(message)));
        }
        read_model_file(path, self.assets, self.nesting.clone())
    }

    /// Counts elements that are looked at; false when that are too many.
    pub(crate) fn may_look_at(&self, elements: u64) -> bool {
        self.nesting.look(elements)
    }

    /// Counts that all elements are looked at, as each replicate and each attachment does.
    pub(crate) fn look_at_all(&self, element: Element<'_>) -> Result<()> {
        if self.may_look_at(self.spec.count_elements()) {
            return Ok(());
        }
        let message = format!("<{}> takes too long: it is one of too many in a large model", element.name());
        let diagnostic =
            element.complain(message).help("replicate or attach larger parts at once, or grant more memory");
        Err(MjcfError::Memory(diagnostic))
    }

    fn read_mujoco(&mut self, root: Element<'_>) -> Result<()> {
        root.text("model", &mut self.spec.modelname);
        for (name, read) in SECTIONS {
            root.children().filter(|e| e.name() == *name).try_for_each(|section| read(self, section))?;
        }
        Ok(())
    }

    /// The first mistake of every section. Reading ends after bad defaults, on which everything else depends.
    fn section_problems(&mut self, root: Element<'_>) -> Vec<MjcfError> {
        let mut problems = Vec::new();
        for (name, read) in SECTIONS {
            let sections = root.children().filter(|e| e.name() == *name);
            let mut found: Vec<MjcfError> =
                sections.filter_map(|section| read(self, section).err()).collect();
            let stop = *name == "default" && !found.is_empty();
            problems.append(&mut found);
            if stop {
                break;
            }
        }
        problems
    }

    /// Class by name.
    fn class(&mut self, name: &str) -> Option<ClassId> {
        self.classes.find(name, &self.spec.classes)
    }

    /// The class an element names.
    fn class_of(&mut self, element: Element<'_>) -> Result<Option<ClassId>> {
        let Some(name) = element.attr("class") else { return Ok(None) };
        self.class(name).map(Some).ok_or_else(|| {
            let known: Vec<&str> = self.spec.classes.iter().map(|c| c.name.as_str()).collect();
            let message = format!("unknown default class name '{name}'");
            let diagnostic = element.complain_attr("class", message);
            MjcfError::UnknownName(crate::schema::with_suggestion(diagnostic, name, &known))
        })
    }

    /// A copy of what a class says about elements of a kind. Texts and lists in it are charged for: a class that holds many
    /// numbers may have many elements.
    fn inherit<T: Fields + Clone>(&self, template: &T, element: Element<'_>) -> Result<T> {
        let bytes = 2 * template.list_bytes() as u64;
        self.assets.charge(bytes).map_err(|over| element.over_budget(over))?;
        Ok(template.clone())
    }

    fn class_or_main(&mut self, element: Element<'_>) -> Result<ClassId> {
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
            tag: 0,
        }
    }
}

#[cfg(test)]
mod tests;

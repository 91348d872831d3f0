//! A whole specification as dictionaries and lists, and back.

use super::element::{Held, PyElement};
use super::values;
use ligament::Spec;
use ligament_mjcf::spec::reflect::Fields;
use ligament_mjcf::spec::{
    Actuator, Body, BodyId, Camera, ClassId, Compiler, CompilerId, DefaultClass, Equality, Exclude, Flex,
    Frame, FrameId, Geom, HeightField, Joint, Key, LengthRangeOptions, Light, Material, Mesh, Meta, Numeric,
    Origin, Pair, PluginDeclaration, PluginInstance, Sensor, Site, SizeSettings, Skin, Tendon, Text, Texture,
    Tuple,
};
use ligament_py_macros::entries;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use std::collections::BTreeMap;

/// Name, class, compiler settings, frame, tag.
type MetaTuple<'a> = (&'a str, u32, u32, Option<u32>, u32);

fn meta_tuple(meta: &Meta) -> MetaTuple<'_> {
    (&meta.name, meta.class.0, meta.compiler.0, meta.frame.map(|f| f.0), meta.tag)
}

/// The number of what an attribute refers to; `None` for nothing.
fn number(own: &Bound<'_, PyDict>, attribute: &Bound<'_, PyString>) -> PyResult<Option<u32>> {
    let target = own.get_item(attribute)?.filter(|target| !target.is_none());
    target.map(|target| place(&target)).transpose()
}

/// The number of a body, frame, class or set of compiler settings.
fn place(object: &Bound<'_, PyAny>) -> PyResult<u32> {
    object.getattr(intern!(object.py(), "_place"))?.extract()
}

/// One of the lists of a body.
fn list<'py>(own: &Bound<'py, PyDict>, name: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyList>> {
    let listed = own.get_item(name)?.ok_or_else(|| PyKeyError::new_err(name.to_string()))?;
    Ok(listed.cast_into()?)
}

/// The numbers of all objects in a list.
fn places<T>(list: &Bound<'_, PyList>, make: fn(u32) -> T) -> PyResult<Vec<T>> {
    list.iter().map(|entry| place(&entry).map(make)).collect()
}

/// Gives every element a number by which its Python object is found again, and remembers the numbers of the class and
/// the settings of the last one: those of the next are mostly the same.
struct Tags<'py> {
    next: u32,
    class: Option<(Bound<'py, PyAny>, u32)>,
    compiler: Option<(Bound<'py, PyAny>, u32)>,
}

impl<'py> Tags<'py> {
    fn new(first: u32) -> Self {
        Self { next: first, class: None, compiler: None }
    }

    fn next(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }

    /// The number of a class or of settings; the first ones stand for none.
    fn number(
        known: &mut Option<(Bound<'py, PyAny>, u32)>,
        target: Option<Bound<'py, PyAny>>,
    ) -> PyResult<u32> {
        let Some(target) = target.filter(|target| !target.is_none()) else { return Ok(0) };
        match known {
            Some((last, number)) if last.is(&target) => Ok(*number),
            _ => {
                let number = place(&target)?;
                *known = Some((target, number));
                Ok(number)
            }
        }
    }
}

/// What the Python object of an element says: its own numbers, with the arrays that were handed out.
fn content<E: Held + Fields + Clone + 'static>(object: &Bound<'_, PyAny>) -> PyResult<E> {
    merged(object, attributes(object)?.get_item(intern!(object.py(), "_values"))?)
}

fn attributes<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
    Ok(object.getattr(intern!(object.py(), "__dict__"))?.cast_into()?)
}

fn merged<E>(object: &Bound<'_, PyAny>, handed_out: Option<Bound<'_, PyAny>>) -> PyResult<E>
where
    E: Held + Fields + Clone + 'static,
{
    let mut element: E = object.cast::<PyElement>()?.get().cloned()?;
    if let Some(values) = handed_out
        && !values.cast::<PyDict>()?.is_empty()
    {
        let overlay = object.call_method0(intern!(object.py(), "_overlay"))?;
        values::import(&mut element, overlay.cast()?)?;
    }
    Ok(element)
}

/// As [`content`], with name, class, settings, frame and tag.
fn element<'py, E>(object: &Bound<'py, PyAny>, own: &Bound<'py, PyDict>, tags: &mut Tags<'py>) -> PyResult<E>
where
    E: Held + Fields + Clone + 'static,
{
    let py = object.py();
    let mut element: E = merged(object, own.get_item(intern!(py, "_values"))?)?;
    if let Some(meta) = element.meta_mut() {
        meta.name = own.get_item(intern!(py, "_name"))?.map_or(Ok(String::new()), |name| name.extract())?;
        meta.class = ClassId(Tags::number(&mut tags.class, own.get_item(intern!(py, "_class"))?)?);
        meta.compiler =
            CompilerId(Tags::number(&mut tags.compiler, own.get_item(intern!(py, "_compiler"))?)?);
        meta.frame = number(own, intern!(py, "_frame"))?.map(FrameId);
        meta.tag = tags.next();
    }
    Ok(element)
}

fn elements_of<'py, E: Held + Fields + Clone + 'static>(
    list: &Bound<'py, PyList>,
    tags: &mut Tags<'py>,
) -> PyResult<Vec<E>> {
    list.iter().map(|object| element(&object, &attributes(&object)?, tags)).collect()
}

/// Calls `$apply!` with the lists of body elements, then those of the specification: field, type, key of the kind.
macro_rules! elements {
    ($apply:ident) => {
        $apply! {
            body { joints Joint "joint", geoms Geom "geom", sites Site "site", cameras Camera "camera",
                   lights Light "light" }
            spec { meshes Mesh "mesh", hfields HeightField "hfield", skins Skin "skin", textures Texture "texture",
                   materials Material "material", flexes Flex "flex", pairs Pair "pair",
                   excludes Exclude "exclude", equalities Equality "equality", tendons Tendon "tendon",
                   actuators Actuator "actuator", sensors Sensor "sensor", numerics Numeric "numeric",
                   texts Text "text", tuples Tuple "tuple", keys Key "key" }
            class { joint, geom, site, camera, light, flex, mesh, material, pair, equality, tendon, actuator }
        }
    };
}

macro_rules! exchange {
    (
        body { $($part:ident $part_ty:ident $part_kind:literal),+ }
        spec { $($list:ident $ty:ident $kind:literal),+ }
        class { $($default:ident),+ }
    ) => {
        pub fn kinds() -> BTreeMap<&'static str, Vec<(&'static str, &'static str)>> {
            BTreeMap::from([
                ("body", values::kinds::<Body>()),
                ("compiler", values::kinds::<Compiler>()),
                ("lengthrange", values::kinds::<LengthRangeOptions>()),
                ("size", values::kinds::<SizeSettings>()),
                $(($part_kind, values::kinds::<$part_ty>()),)+
                $(($kind, values::kinds::<$ty>()),)+
            ])
        }

        /// A body without what it carries.
        fn bare(body: &Body) -> Body {
            let Body { meta, parent, childclass, pos, quat, alt, explicitinertial, mass, ipos, iquat, inertia, ialt,
                       fullinertia, mocap, gravcomp, sleep, userdata, plugin, .. } = body;
            Body {
                meta: meta.clone(), parent: *parent, childclass: *childclass, pos: *pos, quat: *quat, alt: *alt,
                explicitinertial: *explicitinertial, mass: *mass, ipos: *ipos, iquat: *iquat, inertia: *inertia,
                ialt: *ialt, fullinertia: *fullinertia, mocap: *mocap, gravcomp: *gravcomp, sleep: *sleep,
                userdata: userdata.clone(), plugin: plugin.clone(), ..Body::default()
            }
        }

        fn export_body<'py>(py: Python<'py>, body: &Body) -> PyResult<Bound<'py, PyDict>> {
            let out = PyDict::new(py);
            out.set_item("meta", meta_tuple(&body.meta))?;
            out.set_item("content", PyElement::new(bare(body)).into_pyobject(py)?)?;
            out.set_item("childclass", body.childclass.map(|c| c.0))?;
            out.set_item("parent", body.parent.map(|p| p.0))?;
            out.set_item("children", body.children.iter().map(|c| c.0).collect::<Vec<_>>())?;
            out.set_item("frames", body.frames.iter().map(|f| f.0).collect::<Vec<_>>())?;
            $(out.set_item(stringify!($part), export_list(py, &body.$part, |e| &e.meta)?)?;)+
            Ok(out)
        }

        fn import_body<'py>(object: &Bound<'py, PyAny>, tags: &mut Tags<'py>) -> PyResult<Body> {
            let py = object.py();
            let own = &attributes(object)?;
            let mut body: Body = element(object, own, tags)?;
            body.childclass = number(own, intern!(py, "_childclass"))?.map(ClassId);
            body.parent = number(own, intern!(py, "_parent"))?.map(BodyId);
            body.children = places(&list(own, intern!(py, "_bodies"))?, BodyId)?;
            body.frames = places(&list(own, intern!(py, "_frames"))?, FrameId)?;
            $(body.$part = elements_of(&list(own, intern!(py, concat!("_", stringify!($part))))?, tags)?;)+
            Ok(body)
        }

        /// A default class: complete elements that new ones are copied from.
        #[pyclass(frozen, module = "ligament._core")]
        pub struct ClassContent(DefaultClass);

        #[entries]
        impl ClassContent {
            /// A class in which nothing is set.
            #[new]
            fn new() -> Self {
                Self(DefaultClass::default())
            }

            /// One of its elements.
            fn part(&self, name: &str) -> PyResult<PyElement> {
                Ok(match name {
                    $(stringify!($default) => PyElement::new(self.0.$default.clone()),)+
                    _ => return Err(PyKeyError::new_err(name.to_owned())),
                })
            }

            /// A copy in which some of the elements are others.
            fn with_(&self, parts: &Bound<'_, PyDict>) -> PyResult<Self> {
                let mut class = self.0.clone();
                for (name, object) in parts {
                    match name.extract::<String>()?.as_str() {
                        $(stringify!($default) => class.$default = content(&object)?,)+
                        other => return Err(PyKeyError::new_err(other.to_owned())),
                    }
                }
                Ok(Self(class))
            }
        }

        fn export_lists(py: Python<'_>, spec: &Spec, out: &Bound<'_, PyDict>) -> PyResult<()> {
            $(out.set_item(stringify!($list), export_list(py, &spec.$list, |e| &e.meta)?)?;)+
            Ok(())
        }

        fn import_lists<'py>(content: &Bound<'py, PyDict>, spec: &mut Spec, tags: &mut Tags<'py>) -> PyResult<()> {
            $(spec.$list = elements_of(item(content, stringify!($list))?.cast()?, tags)?;)+
            Ok(())
        }

        /// Are the numbers by which elements refer to each other in range?
        fn is_consistent(spec: &Spec) -> bool {
            let meta = |m: &Meta| {
                m.class.index() < spec.classes.len()
                    && m.compiler.index() < spec.compilers.len()
                    && m.frame.is_none_or(|f| f.index() < spec.frames.len())
            };
            let class = |c: &Option<ClassId>| c.is_none_or(|c| c.index() < spec.classes.len());
            let body = |id: &BodyId| id.index() < spec.bodies.len();
            !spec.bodies.is_empty()
                && !spec.classes.is_empty()
                && !spec.compilers.is_empty()
                && spec.classes.iter().all(|c| class(&c.parent))
                && spec.frames.iter().all(|f| meta(&f.meta) && body(&f.body) && class(&f.childclass))
                && spec.bodies.iter().all(|b| {
                    meta(&b.meta)
                        && class(&b.childclass)
                        && b.parent.as_ref().is_none_or(body)
                        && b.children.iter().all(body)
                        && b.frames.iter().all(|f| f.index() < spec.frames.len())
                        $(&& b.$part.iter().all(|e| meta(&e.meta)))+
                })
                $(&& spec.$list.iter().all(|e| meta(&e.meta)))+
        }
    };
}
elements!(exchange);

fn item<'py>(content: &Bound<'py, PyDict>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    content.get_item(name)?.ok_or_else(|| PyKeyError::new_err(name.to_owned()))
}

fn export_list<'py, E: Held + Clone + 'static>(
    py: Python<'py>,
    list: &[E],
    meta: fn(&E) -> &Meta,
) -> PyResult<Bound<'py, PyList>> {
    let out = PyList::empty(py);
    for element in list {
        out.append((meta_tuple(meta(element)), PyElement::new(element.clone())))?;
    }
    Ok(out)
}

/// `f` of every element of a list.
fn listed<'py, T>(
    py: Python<'py>,
    list: &[T],
    f: impl Fn(Python<'py>, &T) -> PyResult<Bound<'py, PyDict>>,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    list.iter().map(|x| f(py, x)).collect()
}

fn export_compiler<'py>(py: Python<'py>, compiler: &Compiler) -> PyResult<Bound<'py, PyDict>> {
    let out = PyDict::new(py);
    out.set_item("content", PyElement::new(compiler.clone()).into_pyobject(py)?)?;
    out.set_item("lengthrange", values::export(py, &compiler.lengthrange)?)?;
    Ok(out)
}

fn import_compiler(object: &Bound<'_, PyAny>) -> PyResult<Compiler> {
    let mut compiler: Compiler = content(object)?;
    let lengthrange = object.call_method0(intern!(object.py(), "_lengthrange_fields"))?;
    if !lengthrange.is_none() {
        values::import(&mut compiler.lengthrange, lengthrange.cast()?)?;
    }
    Ok(compiler)
}

fn export_class<'py>(py: Python<'py>, class: &DefaultClass) -> PyResult<Bound<'py, PyDict>> {
    let out = PyDict::new(py);
    out.set_item("name", &class.name)?;
    out.set_item("parent", class.parent.map(|p| p.0))?;
    out.set_item("content", ClassContent(class.clone()).into_pyobject(py)?)?;
    Ok(out)
}

fn import_class(object: &Bound<'_, PyAny>) -> PyResult<DefaultClass> {
    let py = object.py();
    let merged = object.call_method0(intern!(py, "_merged"))?;
    let mut class = merged.cast::<ClassContent>()?.get().0.clone();
    class.name = object.getattr(intern!(py, "name"))?.extract()?;
    let parent = object.getattr(intern!(py, "_parent"))?;
    class.parent = if parent.is_none() { None } else { Some(ClassId(place(&parent)?)) };
    Ok(class)
}

fn export_frame<'py>(py: Python<'py>, frame: &Frame) -> PyResult<Bound<'py, PyDict>> {
    let out = PyDict::new(py);
    out.set_item("meta", meta_tuple(&frame.meta))?;
    out.set_item("body", frame.body.0)?;
    out.set_item("childclass", frame.childclass.map(|c| c.0))?;
    out.set_item("content", PyElement::new(frame.clone()).into_pyobject(py)?)?;
    Ok(out)
}

fn import_frame<'py>(object: &Bound<'py, PyAny>, tags: &mut Tags<'py>) -> PyResult<Frame> {
    let py = object.py();
    let own = &attributes(object)?;
    let mut frame: Frame = element(object, own, tags)?;
    frame.body = BodyId(number(own, intern!(py, "_parent"))?.unwrap_or(0));
    frame.childclass = number(own, intern!(py, "_childclass"))?.map(ClassId);
    Ok(frame)
}

/// `f` of every object in a list.
fn read_list<'py, T>(
    content: &Bound<'py, PyDict>,
    name: &str,
    mut f: impl FnMut(&Bound<'py, PyAny>) -> PyResult<T>,
) -> PyResult<Vec<T>> {
    item(content, name)?.try_iter()?.map(|object| f(&object?)).collect()
}

/// Plugin, and its shared instances with their settings.
type PluginTuple = (String, Vec<(String, Vec<(String, String)>)>);

fn export_plugins(spec: &Spec) -> Vec<PluginTuple> {
    let instances =
        |p: &PluginDeclaration| p.instances.iter().map(|i| (i.name.clone(), i.config.clone())).collect();
    spec.plugins.iter().map(|p| (p.plugin.clone(), instances(p))).collect()
}

fn import_plugins(plugins: Vec<PluginTuple>) -> Vec<PluginDeclaration> {
    let instance = |(name, config)| PluginInstance { name, config, origin: Origin::default() };
    let declaration = |(plugin, instances): PluginTuple| PluginDeclaration {
        plugin,
        instances: instances.into_iter().map(instance).collect(),
        origin: Origin::default(),
    };
    plugins.into_iter().map(declaration).collect()
}

pub fn export<'py>(py: Python<'py>, spec: &Spec) -> PyResult<Bound<'py, PyDict>> {
    let out = PyDict::new(py);
    out.set_item("modelname", &spec.modelname)?;
    out.set_item("comment", &spec.comment)?;
    out.set_item("size", PyElement::new(spec.size.clone()).into_pyobject(py)?)?;
    out.set_item("compilers", listed(py, &spec.compilers, export_compiler)?)?;
    out.set_item("classes", listed(py, &spec.classes, export_class)?)?;
    out.set_item("plugins", export_plugins(spec))?;
    out.set_item("bodies", listed(py, &spec.bodies, export_body)?)?;
    out.set_item("frames", listed(py, &spec.frames, export_frame)?)?;
    export_lists(py, spec, &out)?;
    Ok(out)
}

/// The specification that Python objects describe; the first element gets the tag `first_tag`.
pub fn import(objects: &Bound<'_, PyDict>, first_tag: u32) -> PyResult<Spec> {
    let mut tags = Tags::new(first_tag);
    let mut spec = Spec {
        modelname: item(objects, "modelname")?.extract()?,
        comment: item(objects, "comment")?.extract()?,
        size: content(&item(objects, "size")?)?,
        compilers: read_list(objects, "compilers", import_compiler)?,
        classes: read_list(objects, "classes", import_class)?,
        plugins: import_plugins(item(objects, "plugins")?.extract()?),
        bodies: read_list(objects, "bodies", |body| import_body(body, &mut tags))?,
        frames: read_list(objects, "frames", |frame| import_frame(frame, &mut tags))?,
        ..Spec::default()
    };
    import_lists(objects, &mut spec, &mut tags)?;
    if !is_consistent(&spec) {
        return Err(PyValueError::new_err("elements refer to something that is not in the specification"));
    }
    Ok(spec)
}

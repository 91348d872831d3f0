//! A whole specification as dictionaries and lists, and back.

use super::values;
use ligament::Spec;
use ligament_mjcf::spec::reflect::Fields;
use ligament_mjcf::spec::{
    Actuator, Body, BodyId, Camera, ClassId, Compiler, CompilerId, DefaultClass, Equality, Exclude, Flex,
    Frame, FrameId, Geom, HeightField, Joint, Key, LengthRangeOptions, Light, Material, Mesh, Meta, Numeric,
    Origin, Pair, PluginDeclaration, PluginInstance, Sensor, Site, SizeSettings, Skin, Tendon, Text, Texture,
    Tuple,
};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::collections::BTreeMap;

/// Name, class, compiler settings, frame, tag, and file, line and column of the origin.
type MetaTuple = (String, u32, u32, Option<u32>, u32, (String, u32, u32));

fn meta_tuple(meta: &Meta) -> MetaTuple {
    let origin = (meta.origin.file.to_string(), meta.origin.line, meta.origin.column);
    (meta.name.clone(), meta.class.0, meta.compiler.0, meta.frame.map(|f| f.0), meta.tag, origin)
}

fn parse_meta((name, class, compiler, frame, tag, (file, line, column)): MetaTuple) -> Meta {
    Meta {
        name,
        class: ClassId(class),
        compiler: CompilerId(compiler),
        frame: frame.map(FrameId),
        origin: Origin { file: file.into(), line, column },
        tag,
    }
}

/// What all elements but bodies and frames consist of.
trait Element: Fields + Default {
    fn meta(&self) -> &Meta;
    fn meta_mut(&mut self) -> &mut Meta;
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
        $(impl Element for $part_ty {
            fn meta(&self) -> &Meta { &self.meta }
            fn meta_mut(&mut self) -> &mut Meta { &mut self.meta }
        })+
        $(impl Element for $ty {
            fn meta(&self) -> &Meta { &self.meta }
            fn meta_mut(&mut self) -> &mut Meta { &mut self.meta }
        })+

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

        pub fn defaults(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
            let out = PyDict::new(py);
            out.set_item("body", values::export(py, &Body::default())?)?;
            $(out.set_item($part_kind, values::export(py, &$part_ty::default())?)?;)+
            $(out.set_item($kind, values::export(py, &$ty::default())?)?;)+
            Ok(out)
        }

        fn export_body<'py>(py: Python<'py>, body: &Body) -> PyResult<Bound<'py, PyDict>> {
            let out = PyDict::new(py);
            out.set_item("meta", meta_tuple(&body.meta))?;
            out.set_item("fields", values::export(py, body)?)?;
            out.set_item("childclass", body.childclass.map(|c| c.0))?;
            out.set_item("parent", body.parent.map(|p| p.0))?;
            out.set_item("children", body.children.iter().map(|c| c.0).collect::<Vec<_>>())?;
            out.set_item("frames", body.frames.iter().map(|f| f.0).collect::<Vec<_>>())?;
            $(out.set_item(stringify!($part), export_list(py, &body.$part)?)?;)+
            Ok(out)
        }

        fn import_body(content: &Bound<'_, PyDict>) -> PyResult<Body> {
            let mut body = Body { meta: parse_meta(item(content, "meta")?.extract()?), ..Body::default() };
            values::import(&mut body, item(content, "fields")?.cast()?)?;
            body.childclass = item(content, "childclass")?.extract::<Option<u32>>()?.map(ClassId);
            body.parent = item(content, "parent")?.extract::<Option<u32>>()?.map(BodyId);
            body.children = item(content, "children")?.extract::<Vec<u32>>()?.into_iter().map(BodyId).collect();
            body.frames = item(content, "frames")?.extract::<Vec<u32>>()?.into_iter().map(FrameId).collect();
            $(body.$part = import_list(&item(content, stringify!($part))?)?;)+
            Ok(body)
        }

        fn export_class<'py>(py: Python<'py>, class: &DefaultClass) -> PyResult<Bound<'py, PyDict>> {
            let out = PyDict::new(py);
            out.set_item("name", &class.name)?;
            out.set_item("parent", class.parent.map(|p| p.0))?;
            $(out.set_item(stringify!($default), values::export(py, &class.$default)?)?;)+
            Ok(out)
        }

        fn import_class(content: &Bound<'_, PyDict>) -> PyResult<DefaultClass> {
            let mut class = DefaultClass { name: item(content, "name")?.extract()?, ..DefaultClass::default() };
            class.parent = item(content, "parent")?.extract::<Option<u32>>()?.map(ClassId);
            $(values::import(&mut class.$default, item(content, stringify!($default))?.cast()?)?;)+
            Ok(class)
        }

        fn export_lists(py: Python<'_>, spec: &Spec, out: &Bound<'_, PyDict>) -> PyResult<()> {
            $(out.set_item(stringify!($list), export_list(py, &spec.$list)?)?;)+
            Ok(())
        }

        fn import_lists(content: &Bound<'_, PyDict>, spec: &mut Spec) -> PyResult<()> {
            $(spec.$list = import_list(&item(content, stringify!($list))?)?;)+
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

fn export_list<'py, E: Element>(py: Python<'py>, list: &[E]) -> PyResult<Bound<'py, PyList>> {
    let out = PyList::empty(py);
    for element in list {
        out.append((meta_tuple(element.meta()), values::export(py, element)?))?;
    }
    Ok(out)
}

fn import_list<E: Element>(list: &Bound<'_, PyAny>) -> PyResult<Vec<E>> {
    let one = |entry: PyResult<Bound<'_, PyAny>>| {
        let (meta, fields): (MetaTuple, Bound<'_, PyDict>) = entry?.extract()?;
        let mut element = E::default();
        *element.meta_mut() = parse_meta(meta);
        values::import(&mut element, &fields)?;
        Ok(element)
    };
    list.try_iter()?.map(one).collect()
}

/// `f` of every element of a list.
fn listed<'py, T>(
    py: Python<'py>,
    list: &[T],
    f: impl Fn(Python<'py>, &T) -> PyResult<Bound<'py, PyDict>>,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    list.iter().map(|x| f(py, x)).collect()
}

/// `f` of every dictionary in a list of them.
fn parsed<T>(
    content: &Bound<'_, PyDict>,
    name: &str,
    f: impl Fn(&Bound<'_, PyDict>) -> PyResult<T>,
) -> PyResult<Vec<T>> {
    item(content, name)?.try_iter()?.map(|entry| f(entry?.cast()?)).collect()
}

fn export_compiler<'py>(py: Python<'py>, compiler: &Compiler) -> PyResult<Bound<'py, PyDict>> {
    let out = values::export(py, compiler)?;
    out.set_item("lengthrange", values::export(py, &compiler.lengthrange)?)?;
    Ok(out)
}

fn import_compiler(content: &Bound<'_, PyDict>) -> PyResult<Compiler> {
    let mut compiler = Compiler::default();
    values::import(&mut compiler, content)?;
    values::import(&mut compiler.lengthrange, item(content, "lengthrange")?.cast()?)?;
    Ok(compiler)
}

fn export_frame<'py>(py: Python<'py>, frame: &Frame) -> PyResult<Bound<'py, PyDict>> {
    let out = PyDict::new(py);
    out.set_item("meta", meta_tuple(&frame.meta))?;
    out.set_item("body", frame.body.0)?;
    out.set_item("childclass", frame.childclass.map(|c| c.0))?;
    out.set_item("fields", values::export(py, frame)?)?;
    Ok(out)
}

fn import_frame(content: &Bound<'_, PyDict>) -> PyResult<Frame> {
    let mut frame = Frame {
        meta: parse_meta(item(content, "meta")?.extract()?),
        body: BodyId(item(content, "body")?.extract()?),
        childclass: item(content, "childclass")?.extract::<Option<u32>>()?.map(ClassId),
        pos: [0.0; 3],
        quat: [1.0, 0.0, 0.0, 0.0],
        alt: None,
    };
    values::import(&mut frame, item(content, "fields")?.cast()?)?;
    Ok(frame)
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
    out.set_item("size", values::export(py, &spec.size)?)?;
    out.set_item("compilers", listed(py, &spec.compilers, export_compiler)?)?;
    out.set_item("classes", listed(py, &spec.classes, export_class)?)?;
    out.set_item("plugins", export_plugins(spec))?;
    out.set_item("bodies", listed(py, &spec.bodies, export_body)?)?;
    out.set_item("frames", listed(py, &spec.frames, export_frame)?)?;
    export_lists(py, spec, &out)?;
    Ok(out)
}

pub fn import(content: &Bound<'_, PyDict>) -> PyResult<Spec> {
    let mut spec = Spec {
        modelname: item(content, "modelname")?.extract()?,
        comment: item(content, "comment")?.extract()?,
        compilers: parsed(content, "compilers", import_compiler)?,
        classes: parsed(content, "classes", import_class)?,
        plugins: import_plugins(item(content, "plugins")?.extract()?),
        bodies: parsed(content, "bodies", import_body)?,
        frames: parsed(content, "frames", import_frame)?,
        ..Spec::default()
    };
    values::import(&mut spec.size, item(content, "size")?.cast()?)?;
    import_lists(content, &mut spec)?;
    if !is_consistent(&spec) {
        return Err(PyValueError::new_err("elements refer to something that is not in the specification"));
    }
    Ok(spec)
}

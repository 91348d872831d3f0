//! `<visual>` and `<collision>`.

use super::{Robot, only_child, read_origin, required_child};
use crate::diag::Result;
use crate::paths;
use crate::spec::{BodyId, Geom, Mesh, Meta};
use crate::xml::Element;
use ligament_model::enums::GeomType;

impl Robot<'_> {
    /// Adds a geom; `name` is that of the last named geom of the link and replaces a missing one.
    pub(super) fn read_geom(
        &mut self,
        element: Element<'_>,
        body: BodyId,
        collision: bool,
        rgba: Option<[f32; 4]>,
        name: &mut String,
    ) -> Result<()> {
        let mut geom = self.spec.classes[0].geom.clone();
        geom.meta = Meta { origin: element.origin().clone(), ..Meta::default() };
        geom.kind = GeomType::Box;
        if collision {
            [geom.contype, geom.conaffinity] = [1; 2];
        } else {
            [geom.contype, geom.conaffinity] = [0; 2];
            geom.group = 1;
            geom.density = 0.0;
        }
        self.read_geometry(required_child(element, "geometry")?, &mut geom)?;
        (geom.pos, geom.quat) = read_origin(element)?;
        geom.rgba = rgba.unwrap_or(geom.rgba);
        element.text("name", name);
        if self.geom_names.insert(name.clone()) {
            geom.meta.name.clone_from(name);
        } else if !name.is_empty() {
            element.warn(format!(
                "Geom with duplicate name '{name}' encountered in URDF, creating an unnamed geom."
            ));
        }
        self.spec.bodies[body.index()].geoms.push(geom);
        Ok(())
    }

    /// Shape; URDF gives full lengths.
    fn read_geometry(&mut self, geometry: Element<'_>, geom: &mut Geom) -> Result<()> {
        if let Some(shape) = only_child(geometry, "box")? {
            shape.required_array("size", &mut geom.size)?;
            geom.size = geom.size.map(|s| s / 2.0);
            return Ok(());
        }
        for (name, kind) in
            [("cylinder", GeomType::Cylinder), ("sphere", GeomType::Sphere), ("capsule", GeomType::Capsule)]
        {
            if let Some(shape) = only_child(geometry, name)? {
                geom.kind = kind;
                shape.required_array("radius", &mut geom.size[..1])?;
                if kind != GeomType::Sphere {
                    shape.required_array("length", &mut geom.size[1..2])?;
                    geom.size[1] /= 2.0;
                }
                return Ok(());
            }
        }
        if let Some(shape) = only_child(geometry, "mesh")? {
            geom.kind = GeomType::Mesh;
            geom.meshname = self.find_or_add_mesh(shape)?;
            return Ok(());
        }
        Err(geometry.invalid("visual geometry specification not found"))
    }

    /// Meshes are called after their file; the same file with another scale gets a number.
    fn find_or_add_mesh(&mut self, element: Element<'_>) -> Result<String> {
        let mut file = element.required("filename")?;
        let mut scale = [1.0; 3];
        element.array("scale", &mut scale)?;
        if self.spec.compiler().strippath {
            file = paths::base_name(file);
        }
        let stem = paths::stem(file);
        let same: Vec<&Mesh> = self.spec.meshes.iter().filter(|m| paths::stem(&m.file) == stem).collect();
        if same.iter().any(|m| m.scale == scale) {
            // the reference then takes the first mesh of that file, whatever its scale
            return Ok(stem.to_string());
        }
        let name = if same.is_empty() { stem.to_string() } else { format!("{stem}{}", same.len()) };
        let mut mesh = self.spec.classes[0].mesh.clone();
        mesh.meta = Meta { name: name.clone(), origin: element.origin().clone(), ..Meta::default() };
        mesh.file = file.to_string();
        mesh.scale = scale;
        self.spec.meshes.push(mesh);
        Ok(name)
    }
}

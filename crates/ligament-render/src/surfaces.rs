//! The surfaces that a geom of a scene consists of.

use crate::context::Context;
use crate::matrix::{Mat4, Vec3, mul, pose, scaling, translation};
use crate::mesh::Mesh;
use crate::texture::Texture;
use crate::vertex::Mapping;
use ligament_math::{quat, vec3};
use ligament_model::enums::GeomType;
use ligament_scene::{Geom, Scene};

/// A surface in its place, or lines.
#[derive(Debug, Clone)]
pub enum Part<'a> {
    Surface {
        mesh: &'a Mesh,
        transform: Mat4,
        textured: bool,
        two_sided: bool,
    },
    /// Ends in the world, width in pixels.
    Lines {
        ends: Vec<[Vec3; 2]>,
        width: f32,
    },
}

/// Surfaces of flexes and skins, which change with the state.
#[derive(Debug, Default)]
pub struct Moving {
    flexes: Vec<Mesh>,
    skins: Vec<Mesh>,
}

impl Moving {
    pub fn new(scene: &Scene, context: &Context) -> Self {
        let flexes = (0..scene.flexfaceused.len()).map(|flex| flex_faces(scene, flex)).collect();
        let skins = context.skins.iter().enumerate().map(|(i, skin)| {
            let Some((&first, &count)) = scene.skinvertadr.get(i).zip(scene.skinvertnum.get(i)) else {
                return Mesh::default();
            };
            let points = part(scene.skinvert.as_chunks::<3>().0, first, count);
            let normals = part(scene.skinnormal.as_chunks::<3>().0, first, count);
            if points.len() != skin.vertices {
                return Mesh::default();
            }
            Mesh {
                positions: points.to_vec(),
                normals: normals.to_vec(),
                texture: skin.texture.clone(),
                triangles: skin.triangles.clone(),
                ..Mesh::default()
            }
            .with_bounds()
        });
        Self { flexes, skins: skins.collect() }
    }
}

/// `count` elements from `first` on; none where they are not there, as a scene can be changed by anybody.
fn part<T>(list: &[T], first: i32, count: i32) -> &[T] {
    let range = usize::try_from(first).ok().zip(usize::try_from(count).ok());
    range.and_then(|(first, count)| list.get(first..)?.get(..count)).unwrap_or(&[])
}

fn flex_faces(scene: &Scene, flex: usize) -> Mesh {
    let (first, used) = (scene.flexfaceadr[flex], scene.flexfaceused[flex]);
    let corners = |list| part(<[[f32; 3]]>::as_chunks::<3>(list).0, first, used).as_flattened();
    let positions = corners(scene.flexface.as_chunks::<3>().0);
    let count = positions.len() / 3;
    Mesh {
        positions: positions.to_vec(),
        normals: corners(scene.flexnormal.as_chunks::<3>().0).to_vec(),
        texture: part(scene.flextexcoord.as_chunks::<2>().0.as_chunks::<3>().0, first, used)
            .as_flattened()
            .to_vec(),
        triangles: (0..count as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect(),
        edges: (0..count as u32)
            .flat_map(|i| [[3 * i, 3 * i + 1], [3 * i + 1, 3 * i + 2], [3 * i + 2, 3 * i]])
            .collect(),
        ..Mesh::default()
    }
    .with_bounds()
}

fn surface<'a>(mesh: &'a Mesh, transform: Mat4) -> Part<'a> {
    Part::Surface { mesh, transform, textured: true, two_sided: false }
}

/// The parts of a geom.
pub fn parts<'a>(geom: &Geom, context: &'a Context, scene: &Scene, moving: &'a Moving) -> Vec<Part<'a>> {
    let shapes = &context.shapes;
    let frame = pose(&geom.mat, geom.pos);
    let size = geom.size;
    let sized = || mul(&frame, &scaling(size));
    let id = usize::try_from(geom.dataid).ok();
    let Ok(kind) = GeomType::try_from(geom.kind) else { return Vec::new() };
    match kind {
        GeomType::Plane => match id.and_then(|id| context.planes.get(id)) {
            Some(plane) => vec![surface(plane, frame)],
            None => vec![surface(&shapes.plane, mul(&frame, &scaling([size[0], size[1], 1.0])))],
        },
        GeomType::Hfield => {
            id.and_then(|i| context.height_fields.get(i)).map(|m| surface(m, frame)).into_iter().collect()
        }
        GeomType::Mesh | GeomType::Sdf => {
            id.and_then(|i| context.meshes.get(i)).map(|m| surface(m, frame)).into_iter().collect()
        }
        GeomType::Sphere | GeomType::Ellipsoid => vec![surface(&shapes.sphere, sized())],
        GeomType::Cylinder => vec![surface(&shapes.cylinder, sized())],
        GeomType::Box => vec![surface(&shapes.boxed, sized())],
        GeomType::Capsule => capsule(geom, context),
        GeomType::Arrow | GeomType::Arrow1 | GeomType::Arrow2 => arrow(geom, kind, context),
        GeomType::Line => {
            let end = crate::matrix::point(&frame, [0.0, 0.0, size[2]]);
            vec![Part::Lines { ends: vec![[geom.pos, end]], width: size[0] * context.line_width }]
        }
        GeomType::Linebox => vec![Part::Lines { ends: box_edges(&sized()), width: 1.5 * context.line_width }],
        GeomType::Triangle => {
            let transform = mul(&frame, &scaling([size[0], size[1], 1.0]));
            vec![Part::Surface { mesh: &shapes.triangle, transform, textured: true, two_sided: true }]
        }
        GeomType::Flex => flex(geom, context, scene, moving),
        GeomType::Skin => {
            let skin = usize::try_from(geom.objid).ok().and_then(|i| moving.skins.get(i));
            skin.map(|m| surface(m, crate::matrix::IDENTITY)).into_iter().collect()
        }
        GeomType::Label | GeomType::None => Vec::new(),
    }
}

/// A tube with two half spheres.
fn capsule<'a>(geom: &Geom, context: &'a Context) -> Vec<Part<'a>> {
    let shapes = &context.shapes;
    let [x, y, z] = geom.size;
    let radius = 0.5 * (x + y);
    let frame = pose(&geom.mat, geom.pos);
    let cap =
        |shift: f32| mul(&mul(&frame, &scaling([x, y, radius])), &translation([0.0, 0.0, shift / radius]));
    vec![
        surface(&shapes.cylinder_open, mul(&frame, &scaling(geom.size))),
        surface(&shapes.sphere_top, cap(z - radius)),
        surface(&shapes.sphere_bottom, cap(radius - z)),
    ]
}

fn arrow<'a>(geom: &Geom, kind: GeomType, context: &'a Context) -> Vec<Part<'a>> {
    let shapes = &context.shapes;
    let [x, y, z] = geom.size;
    let frame = pose(&geom.mat, geom.pos);
    let up = |h: f32| translation([0.0, 0.0, h]);
    let wide = if kind == GeomType::Arrow1 { 1.0 } else { 1.75 };
    if kind == GeomType::Arrow2 {
        let shaft = mul(&frame, &scaling([x, y, z / 3.0]));
        let tip = mul(&shaft, &scaling([wide, wide, 0.5]));
        let half_turn = scaling([1.0, -1.0, -1.0]);
        return vec![
            surface(&shapes.cylinder_open, shaft),
            surface(&shapes.cone, mul(&mul(&tip, &up(-2.0)), &half_turn)),
            surface(&shapes.cone, mul(&tip, &up(2.0))),
        ];
    }
    let shaft = mul(&mul(&frame, &scaling([x, y, z / 6.0])), &up(1.0));
    let tip = mul(&mul(&shaft, &up(1.0)), &scaling([wide, wide, 1.0]));
    vec![surface(&shapes.cylinder, shaft), surface(&shapes.cone, tip)]
}

fn box_edges(transform: &Mat4) -> Vec<[Vec3; 2]> {
    let corner = |i: usize| {
        crate::matrix::point(transform, std::array::from_fn(|k| if i >> k & 1 == 1 { 1.0 } else { -1.0 }))
    };
    let pairs = (0..8).flat_map(|i| (0..3).map(move |k| (i, i | 1 << k)));
    pairs.filter(|(a, b)| a != b).map(|(a, b)| [corner(a), corner(b)]).collect()
}

fn flex<'a>(geom: &Geom, context: &'a Context, scene: &Scene, moving: &'a Moving) -> Vec<Part<'a>> {
    let Some(id) = usize::try_from(geom.objid).ok().filter(|&i| i < moving.flexes.len()) else {
        return Vec::new();
    };
    let radius = geom.size[0];
    let (points, _) = scene.flexvert.as_chunks::<3>();
    let skinned = scene.flexskinopt != 0 && scene.flexfaceused[id] > 0;
    let vertices = part(points, scene.flexvertadr[id], scene.flexvertnum[id]);
    let plain = |mesh, transform| Part::Surface { mesh, transform, textured: false, two_sided: false };
    let mut parts = Vec::new();
    if radius > 0.0 && scene.flexvertopt != 0 && !skinned {
        for &point in vertices {
            parts.push(plain(&context.shapes.sphere, mul(&translation(point), &scaling([radius; 3]))));
        }
    }
    if radius > 0.0 && scene.flexedgeopt != 0 && !skinned {
        let edges = scene.flexedge.as_chunks::<2>().0;
        for edge in part(edges, scene.flexedgeadr[id], scene.flexedgenum[id]) {
            if let [Some(&a), Some(&b)] = edge.map(|v| vertices.get(v as usize)) {
                parts.push(plain(&context.shapes.cylinder_open, rod(a, b, radius)));
            }
        }
    }
    if scene.flexfaceused[id] > 0 {
        parts.push(surface(&moving.flexes[id], crate::matrix::IDENTITY));
    }
    parts
}

/// Places a unit cylinder between two points.
fn rod(a: Vec3, b: Vec3, radius: f32) -> Mat4 {
    let mut axis = std::array::from_fn(|k| f64::from(b[k] - a[k]));
    let length = vec3::normalize(&mut axis);
    let turn = quat::to_mat(quat::from_z_axis(axis)).map(|x| x as f32);
    let middle = std::array::from_fn(|k| (a[k] + b[k]) * 0.5);
    mul(&pose(&turn, middle), &scaling([radius, radius, (length * 0.5) as f32]))
}

/// The texture of a geom, and how it is laid on.
pub fn texture<'a>(geom: &Geom, context: &'a Context) -> Option<(&'a Texture, Mapping)> {
    let material = context.materials.get(usize::try_from(geom.matid).ok()?)?;
    let texture = context.textures.get(material.texture?)?;
    let size = geom.size;
    if geom.texcoord != 0 {
        return (!texture.cube).then_some((texture, Mapping::Own));
    }
    if texture.cube {
        return Some((texture, Mapping::Around(if material.uniform { size } else { [1.0; 3] })));
    }
    let scale = std::array::from_fn(|k| {
        let mut scale = material.repeat[k];
        if size[k] > 0.0 {
            // surfaces of the model have their own size, simple shapes are scaled
            scale = if geom.dataid >= 0 { scale / size[k] } else { scale };
            scale = if material.uniform { scale * size[k] } else { scale };
        }
        scale
    });
    Some((texture, Mapping::Planar(scale)))
}

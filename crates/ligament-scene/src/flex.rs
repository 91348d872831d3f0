//! Flexes: faces of elements, or a smooth skin around them.

use crate::geom::single;
use crate::{Scene, VisualOption};
use ligament_math::{Vec3, vec3};
use ligament_model::enums::VisFlag;
use ligament_model::{Data, Model};

/// Vertices of one face, and where its texture coordinates are.
type Corners = [usize; 3];

/// Texture coordinates of faces, and of the flex.
type Texture<'a> = (&'a mut [[[f32; 2]; 3]], &'a [[f32; 2]]);

/// Where the faces of one flex go.
struct Faces<'a> {
    corners: &'a mut [[[f32; 3]; 3]],
    normals: &'a mut [[[f32; 3]; 3]],
    texture: Option<Texture<'a>>,
    count: usize,
}

impl Faces<'_> {
    fn add(&mut self, corners: [Vec3; 3], normals: [Vec3; 3], texture: Corners) {
        if self.count >= self.corners.len() {
            return; // the caller of the scene changed how many faces it holds
        }
        self.corners[self.count] = corners.map(single);
        self.normals[self.count] = normals.map(single);
        if let Some((target, source)) = &mut self.texture {
            target[self.count] = texture.map(|t| source[t]);
        }
        self.count += 1;
    }
}

/// Sets vertices and faces of all flexes (`mjv_updateActiveFlex`).
pub fn update_flexes(m: &Model, d: &Data, option: &VisualOption, scene: &mut Scene) {
    scene.flexvertopt = option.flags[VisFlag::Flexvert as usize];
    scene.flexedgeopt = option.flags[VisFlag::Flexedge as usize];
    scene.flexfaceopt = option.flags[VisFlag::Flexface as usize];
    scene.flexskinopt = option.flags[VisFlag::Flexskin as usize];
    for (target, source) in scene.flexvert.iter_mut().zip(d.flexvert_xpos.as_flattened()) {
        *target = *source as f32;
    }
    for flex in 0..m.nflex {
        let first = scene.flexfaceadr[flex] as usize;
        let range = first..first + scene.flexfacenum[flex] as usize;
        let texcoord = usize::try_from(m.flex_texcoordadr[flex]).ok();
        let texture = texcoord.map(|address| {
            let target = scene.flextexcoord.as_chunks_mut::<2>().0.as_chunks_mut::<3>().0;
            (&mut target[range.clone()], &m.flex_texcoord[address..])
        });
        let mut faces = Faces {
            corners: &mut scene.flexface.as_chunks_mut::<3>().0.as_chunks_mut::<3>().0[range.clone()],
            normals: &mut scene.flexnormal.as_chunks_mut::<3>().0.as_chunks_mut::<3>().0[range.clone()],
            texture,
            count: 0,
        };
        if m.flex_dim[flex] > 1 {
            if option.shows(VisFlag::Flexskin) {
                smooth_skin(m, d, flex, &mut faces);
            } else if option.shows(VisFlag::Flexface) {
                element_faces(m, d, flex, option.flex_layer, &mut faces);
            }
        }
        scene.flexfaceused[flex] = faces.count as i32;
    }
}

fn vertices<'a>(m: &Model, d: &'a Data, flex: usize) -> &'a [Vec3] {
    let first = m.flex_vertadr[flex] as usize;
    &d.flexvert_xpos[first..first + m.flex_vertnum[flex] as usize]
}

/// Vertices and texture coordinates of the elements of a flex.
fn elements(m: &Model, flex: usize) -> impl Iterator<Item = (&[i32], &[i32])> {
    let corners = m.flex_dim[flex] as usize + 1;
    let first = m.flex_elemdataadr[flex] as usize;
    let range = first..first + corners * m.flex_elemnum[flex] as usize;
    m.flex_elem[range.clone()].chunks_exact(corners).zip(m.flex_elemtexcoord[range].chunks_exact(corners))
}

/// Fragments of the boundary of a flex.
fn shells(m: &Model, flex: usize) -> impl Iterator<Item = &[i32]> {
    let corners = m.flex_dim[flex] as usize;
    // a closed surface has no boundary, and no place for one
    let first = m.flex_shelldataadr[flex].max(0) as usize;
    m.flex_shell[first..first + corners * m.flex_shellnum[flex] as usize].chunks_exact(corners)
}

fn unit_normal([a, b, c]: [Vec3; 3]) -> Vec3 {
    let mut normal = vec3::cross(vec3::sub(b, a), vec3::sub(c, a));
    vec3::normalize(&mut normal);
    normal
}

/// Both sides of triangles, or the four sides of the tetrahedra of a layer, with flat normals.
fn element_faces(m: &Model, d: &Data, flex: usize, layer: i32, faces: &mut Faces<'_>) {
    const TRIANGLE: &[Corners] = &[[0, 1, 2], [0, 2, 1]];
    const TETRAHEDRON: &[Corners] = &[[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]];
    let sheet = m.flex_dim[flex] == 2;
    let points = vertices(m, d, flex);
    let layers = &m.flex_elemlayer[m.flex_elemadr[flex] as usize..];
    for ((element, texture), &of) in elements(m, flex).zip(layers) {
        if !sheet && of != layer {
            continue;
        }
        for sides in if sheet { TRIANGLE } else { TETRAHEDRON } {
            let corners = sides.map(|k| points[element[k] as usize]);
            let normal = unit_normal(corners);
            let raised = corners.map(|p| vec3::add_scaled(p, normal, m.flex_radius[flex]));
            faces.add(raised, [normal; 3], sides.map(|k| texture[k] as usize));
        }
    }
}

/// A closed surface at the distance of the radius, with normals that vary smoothly.
fn smooth_skin(m: &Model, d: &Data, flex: usize, faces: &mut Faces<'_>) {
    let points = vertices(m, d, flex);
    let radius = m.flex_radius[flex];
    let sheet = m.flex_dim[flex] == 2;
    let first_three = |v: &[i32]| [v[0] as usize, v[1] as usize, v[2] as usize];
    let triangles: Vec<(Corners, Corners)> = if sheet {
        elements(m, flex).map(|(e, t)| (first_three(e), first_three(t))).collect()
    } else {
        shells(m, flex).map(|s| (first_three(s), first_three(s))).collect()
    };
    let mut normals = vec![[0.0; 3]; points.len()];
    for (triangle, _) in &triangles {
        let normal = unit_normal(triangle.map(|v| points[v]));
        for &v in triangle {
            normals[v] = vec3::add(normals[v], normal);
        }
    }
    for normal in &mut normals {
        vec3::normalize(normal);
    }
    let flat = m.flex_flatskin[flex] != 0;
    let mut add = |at: Corners, texture: Corners, offset: f64| {
        let sign = if offset > 0.0 { 1.0 } else { -1.0 };
        let raised = at.map(|v| raise(points[v], normals[v], offset));
        let of_face = flat.then(|| unit_normal(at.map(|v| points[v])));
        faces.add(raised, at.map(|v| vec3::scale(of_face.unwrap_or(normals[v]), sign)), texture);
    };
    for &(at, texture) in &triangles {
        add(at, texture, radius);
        if sheet {
            add([at[0], at[2], at[1]], [texture[0], texture[2], texture[1]], -radius);
        }
    }
    if sheet {
        for shell in shells(m, flex) {
            let [a, b] = [shell[0] as usize, shell[1] as usize];
            add_rim(points, &normals, [a, b], radius, faces);
            add_rim(points, &normals, [b, a], -radius, faces);
        }
    }
}

fn raise(point: Vec3, normal: Vec3, by: f64) -> Vec3 {
    std::array::from_fn(|k| point[k] + by * normal[k])
}

/// One of the two triangles that close a sheet along an edge of its boundary.
fn add_rim(points: &[Vec3], normals: &[Vec3], [a, b]: [usize; 2], radius: f64, faces: &mut Faces<'_>) {
    let mut normal = vec3::cross(vec3::sub(points[b], points[a]), normals[b]);
    if radius < 0.0 {
        normal = vec3::scale(normal, -1.0);
    }
    vec3::normalize(&mut normal);
    let corner = |v: usize, by: f64| raise(points[v], normals[v], by);
    faces.add([corner(a, radius), corner(b, -radius), corner(b, radius)], [normal; 3], [a, b, b]);
}

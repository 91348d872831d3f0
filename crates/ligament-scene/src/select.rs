//! What lies under the mouse.

use crate::{Scene, SceneError, VisualOption, average_camera, camera_in_model};
use ligament_geom::ray::{PlaneBasis, Pose, Ray, boxed, triangle};
use ligament_math::{Vec3, mat3, vec3};
use ligament_model::enums::VisFlag;
use ligament_model::{Data, Model};
use ligament_sim::constraint::flex_basis;
use ligament_sim::ray::{FlexParts, RayFilter, ray, ray_flex};

/// What was found under the mouse: one of geom, flex and skin, its body, and the point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Selection {
    /// The body.
    pub body: usize,
    /// The point on it, in the world.
    pub point: Vec3,
    /// The geom, where one was hit.
    pub geom: Option<usize>,
    /// The flex, where one was hit.
    pub flex: Option<usize>,
    /// The skin, where one was hit.
    pub skin: Option<usize>,
}

/// A body and a point on the ray's way, with the distance.
type Candidate = (f64, Selection);

/// What a point of the picture shows (`mjv_select`); `relx` and `rely` run from 0 to 1, from the lower left corner.
pub fn select(
    m: &Model,
    d: &Data,
    option: &VisualOption,
    aspect: f64,
    relx: f64,
    rely: f64,
    scene: &Scene,
) -> Result<Option<Selection>, SceneError> {
    let along = view_ray(aspect, relx, rely, scene)?;
    let candidates =
        [geom_hit(m, d, option, &along), flex_hit(m, d, option, &along), skin_hit(m, option, scene, &along)];
    let mut best: Option<Candidate> = None;
    for candidate in candidates.into_iter().flatten() {
        if best.is_none_or(|(distance, _)| distance > candidate.0) {
            best = Some(candidate);
        }
    }
    Ok(best.map(|(_, selection)| selection))
}

/// The ray through a point of the picture.
fn view_ray(aspect: f64, relx: f64, rely: f64, scene: &Scene) -> Result<Ray, SceneError> {
    let camera = average_camera(&scene.camera[0], &scene.camera[1])?;
    let view = camera_in_model(scene)?;
    let mut left = vec3::cross(view.up, view.forward);
    vec3::normalize(&mut left);
    let height = f64::from(camera.frustum_top - camera.frustum_bottom);
    let half_width = 0.5 * aspect * height;
    let upward = f64::from(camera.frustum_bottom) + rely * height;
    let leftward = -(f64::from(camera.frustum_center) + (2.0 * relx - 1.0) * half_width);
    let offset = |from: Vec3| vec3::add_scaled(vec3::add_scaled(from, view.up, upward), left, leftward);
    Ok(if camera.orthographic != 0 {
        Ray { origin: offset(view.pos), direction: view.forward }
    } else {
        let mut direction = offset(vec3::scale(view.forward, f64::from(camera.frustum_near)));
        vec3::normalize(&mut direction);
        Ray { origin: view.pos, direction }
    })
}

fn geom_hit(m: &Model, d: &Data, option: &VisualOption, along: &Ray) -> Option<Candidate> {
    let include_static = option.shows(VisFlag::Static);
    let filter = RayFilter { groups: Some(&option.geomgroup), include_static, exclude_body: -1 };
    let found = ray(m, d, along, &filter)?;
    let point = vec3::add_scaled(along.origin, along.direction, found.hit.distance);
    let body = m.geom_bodyid[found.geom] as usize;
    Some((found.hit.distance, Selection { body, point, geom: Some(found.geom), flex: None, skin: None }))
}

fn flex_hit(m: &Model, d: &Data, option: &VisualOption, along: &Ray) -> Option<Candidate> {
    let parts = FlexParts {
        layer: option.flex_layer,
        vertices: option.shows(VisFlag::Flexvert),
        edges: option.shows(VisFlag::Flexedge),
        faces: option.shows(VisFlag::Flexface),
        skin: option.shows(VisFlag::Flexskin),
    };
    if !(parts.vertices || parts.edges || parts.faces || parts.skin) {
        return None;
    }
    let mut best: Option<Candidate> = None;
    for flex in 0..m.nflex {
        let Some((hit, vertex)) = ray_flex(m, d, flex, parts, along) else { continue };
        if best.is_none_or(|(distance, _)| hit.distance < distance)
            && let Some((body, point)) = flex_handle(m, d, flex, vertex)
        {
            let selection = Selection { body, point, geom: None, flex: Some(flex), skin: None };
            best = Some((hit.distance, selection));
        }
    }
    best
}

/// The body to pull at, and its point: that of the vertex, or of the node with most influence on it.
fn flex_handle(m: &Model, d: &Data, flex: usize, vertex: usize) -> Option<(usize, Vec3)> {
    let global = m.flex_vertadr[flex] as usize + vertex;
    let order = m.flex_interp[flex];
    if order == 0 {
        return Some((m.flex_vertbodyid[global] as usize, d.flexvert_xpos[global]));
    }
    let first = m.flex_nodeadr[flex] as usize;
    let mut best: Option<(f64, usize)> = None;
    for node in 0..m.flex_nodenum[flex] as usize {
        let weight = flex_basis(m.flex_vert0[global], node, order);
        if weight > best.map_or(0.0, |(w, _)| w) {
            best = Some((weight, first + node));
        }
    }
    let (_, node) = best?;
    let body = m.flex_nodebodyid[node] as usize;
    let point = if m.flex_centered[flex] != 0 {
        d.xpos[body]
    } else {
        vec3::add(mat3::mul_vec(&d.xmat[body], m.flex_node[node]), d.xpos[body])
    };
    Some((body, point))
}

fn skin_hit(m: &Model, option: &VisualOption, scene: &Scene, along: &Ray) -> Option<Candidate> {
    if !option.shows(VisFlag::Skin) {
        return None;
    }
    let mut best: Option<Candidate> = None;
    for skin in 0..m.nskin {
        let first = m.skin_vertadr[skin] as usize;
        let range = 3 * first..3 * (first + m.skin_vertnum[skin] as usize);
        let (vertices, _) = scene.skinvert.get(range)?.as_chunks::<3>();
        let faces = m.skin_faceadr[skin] as usize;
        let faces = &m.skin_face[faces..faces + m.skin_facenum[skin] as usize];
        let Some((distance, vertex)) = ray_skin(faces, vertices, along) else { continue };
        if best.is_none_or(|(nearest, _)| distance < nearest)
            && let Some(body) = heaviest_bone(m, skin, vertex)
        {
            let point = vertices[vertex].map(f64::from);
            best = Some((distance, Selection { body, point, geom: None, flex: None, skin: Some(skin) }));
        }
    }
    best
}

/// Where a ray meets a skin, and the nearest vertex (`mju_raySkin`).
fn ray_skin(faces: &[[i32; 3]], vertices: &[[f32; 3]], along: &Ray) -> Option<(f64, usize)> {
    let bound = |k: usize, pick: fn(f32, f32) -> f32| vertices.iter().map(|v| v[k]).reduce(pick);
    let mut pos = [0.0; 3];
    let mut size = [0.0; 3];
    for k in 0..3 {
        let (low, high) = (f64::from(bound(k, f32::min)?), f64::from(bound(k, f32::max)?));
        pos[k] = 0.5 * (low + high);
        size[k] = 0.5 * (high - low);
    }
    boxed(&Pose { pos, mat: mat3::IDENTITY }, size, along)?;
    let basis = PlaneBasis::new(along.direction);
    let mut best: Option<(f64, usize)> = None;
    for face in faces {
        let corners = face.map(|v| vertices[v as usize].map(f64::from));
        let Some(distance) = triangle(&corners, along, &basis).filter(|&x| x >= 0.0) else { continue };
        if best.is_none_or(|(nearest, _)| distance < nearest) {
            let point = vec3::add_scaled(along.origin, along.direction, distance);
            let mut vertex = 0;
            for k in 1..3 {
                if vec3::distance(point, corners[k]) < vec3::distance(point, corners[vertex]) {
                    vertex = k;
                }
            }
            best = Some((distance, face[vertex] as usize));
        }
    }
    best
}

/// The body whose bone moves a vertex of a skin most.
fn heaviest_bone(m: &Model, skin: usize, vertex: usize) -> Option<usize> {
    let mut best: Option<(f32, usize)> = None;
    let first = m.skin_boneadr[skin] as usize;
    for bone in first..first + m.skin_bonenum[skin] as usize {
        let entries = m.skin_bonevertadr[bone] as usize;
        for entry in entries..entries + m.skin_bonevertnum[bone] as usize {
            let weight = m.skin_bonevertweight[entry];
            if m.skin_bonevertid[entry] as usize == vertex && best.is_none_or(|(w, _)| weight > w) {
                best = Some((weight, m.skin_bonebodyid[bone] as usize));
            }
        }
    }
    best.map(|(_, body)| body)
}

//! Skins: vertices follow their bones.

use crate::paint::in_group;
use crate::{Scene, VisualOption};
use ligament_math::{MINVAL, mat3, quat, vec3};
use ligament_model::{Data, Model};

/// Moves the vertices of visible skins with their bones (`mjv_updateActiveSkin`); others collapse to the origin.
pub fn update_skins(m: &Model, d: &Data, option: &VisualOption, scene: &mut Scene) {
    let (all_vertices, _) = scene.skinvert.as_chunks_mut::<3>();
    let (all_normals, _) = scene.skinnormal.as_chunks_mut::<3>();
    for skin in 0..m.nskin {
        let first = m.skin_vertadr[skin] as usize;
        let range = first..first + m.skin_vertnum[skin] as usize;
        let vertices = &mut all_vertices[range.clone()];
        let normals = &mut all_normals[range];
        vertices.fill([0.0; 3]);
        normals.fill([0.0; 3]);
        if in_group(&option.skingroup, m.skin_group[skin]) {
            follow_bones(m, d, skin, vertices);
            let faces = m.skin_faceadr[skin] as usize;
            set_normals(&m.skin_face[faces..faces + m.skin_facenum[skin] as usize], vertices, normals);
            inflate(m.skin_inflate[skin], vertices, normals);
        }
    }
}

fn follow_bones(m: &Model, d: &Data, skin: usize, vertices: &mut [[f32; 3]]) {
    let first = m.skin_boneadr[skin] as usize;
    let rest = &m.skin_vert[m.skin_vertadr[skin] as usize..];
    for bone in first..first + m.skin_bonenum[skin] as usize {
        let body = m.skin_bonebodyid[bone] as usize;
        let unbind = quat::conj(m.skin_bonebindquat[bone].map(f64::from));
        let rotate = quat::to_mat(quat::mul(d.xquat[body], unbind));
        let bound = mat3::mul_vec(&rotate, m.skin_bonebindpos[bone].map(f64::from));
        let translate = vec3::sub(d.xpos[body], bound);
        let entries = m.skin_bonevertadr[bone] as usize;
        for entry in entries..entries + m.skin_bonevertnum[bone] as usize {
            let vertex = m.skin_bonevertid[entry] as usize;
            let weight = m.skin_bonevertweight[entry];
            let moved = vec3::add(mat3::mul_vec(&rotate, rest[vertex].map(f64::from)), translate);
            for k in 0..3 {
                vertices[vertex][k] += weight * moved[k] as f32;
            }
        }
    }
}

/// Means of the normals of the faces around each vertex, weighted by area.
fn set_normals(faces: &[[i32; 3]], vertices: &[[f32; 3]], normals: &mut [[f32; 3]]) {
    for face in faces {
        let [a, b, c] = face.map(|v| vertices[v as usize]);
        let side = |to: [f32; 3]| std::array::from_fn(|k| f64::from(to[k] - a[k]));
        let normal = vec3::cross(side(b), side(c));
        for &v in face {
            for k in 0..3 {
                let sum = &mut normals[v as usize][k];
                *sum = (f64::from(*sum) + normal[k]) as f32;
            }
        }
    }
    for normal in normals {
        let length = (normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]).sqrt();
        let scale = (1.0 / f64::from(length).max(MINVAL)) as f32;
        *normal = normal.map(|x| x * scale);
    }
}

fn inflate(by: f32, vertices: &mut [[f32; 3]], normals: &[[f32; 3]]) {
    if by != 0.0 {
        for (vertex, normal) in vertices.iter_mut().zip(normals) {
            for k in 0..3 {
                vertex[k] += by * normal[k];
            }
        }
    }
}

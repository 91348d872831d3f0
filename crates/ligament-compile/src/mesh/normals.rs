//! Vertex normals in single precision, as the reference stores them.

use crate::pose::normalize;
use ligament_math::{MINVAL, Mat3, Vec3, mat3, quat, vec3};

/// Cosine to the vertex normal below which a face does not count there.
const SMOOTH: f64 = 0.8;

/// Area-weighted normals; faces at large angles are left out again unless `smooth`.
pub fn make(vert: &[Vec3], faces: &[[i32; 3]], smooth: bool) -> Vec<[f32; 3]> {
    let mut normals = vec![[0.0_f32; 3]; vert.len()];
    let face_normals: Vec<(Vec3, f64)> = faces
        .iter()
        .map(|face| {
            let [a, b, c] = face.map(|v| vert[v as usize]);
            let mut normal = vec3::cross(vec3::sub(b, a), vec3::sub(c, a));
            let area = normalize(&mut normal);
            (normal, area)
        })
        .collect();
    for (face, (normal, area)) in faces.iter().zip(&face_normals) {
        for v in face {
            add(&mut normals[*v as usize], normal, *area);
        }
    }
    if !smooth {
        remove_sharp(faces, &face_normals, &mut normals);
    }
    for normal in &mut normals {
        let [x, y, z] = *normal;
        let length = (x * x + y * y + z * z).sqrt();
        *normal =
            if f64::from(length) > MINVAL { [x / length, y / length, z / length] } else { [0.0, 0.0, 1.0] };
    }
    normals
}

/// Sums in single precision, products in double.
fn add(sum: &mut [f32; 3], normal: &Vec3, weight: f64) {
    for k in 0..3 {
        sum[k] = (f64::from(sum[k]) + normal[k] * weight) as f32;
    }
}

fn remove_sharp(faces: &[[i32; 3]], face_normals: &[(Vec3, f64)], normals: &mut [[f32; 3]]) {
    let mut removed = vec![[0.0_f32; 3]; normals.len()];
    for (face, (normal, area)) in faces.iter().zip(face_normals) {
        for v in face {
            let mut at_vertex = normals[*v as usize].map(f64::from);
            normalize(&mut at_vertex);
            if vec3::dot(*normal, at_vertex) < SMOOTH {
                add(&mut removed[*v as usize], normal, *area);
            }
        }
    }
    for (normal, removed) in normals.as_flattened_mut().iter_mut().zip(removed.as_flattened()) {
        *normal -= removed;
    }
}

/// Turns normals by a matrix.
pub fn rotate(normals: &mut [[f32; 3]], matrix: &Mat3) {
    for normal in normals {
        *normal = mat3::mul_vec(matrix, normal.map(f64::from)).map(|x| x as f32);
    }
}

/// Applies the reference frame and the scale of a mesh, then normalises.
pub fn transform(normals: &mut [[f32; 3]], orientation: [f64; 4], scale: Vec3) {
    if orientation != quat::IDENTITY {
        rotate(normals, &mat3::transpose(&quat::to_mat(orientation)));
    }
    for normal in normals {
        if scale != [1.0; 3] {
            for k in 0..3 {
                normal[k] = (f64::from(normal[k]) * scale[k]) as f32;
            }
        }
        let [x, y, z] = *normal;
        let square = x * x + y * y + z * z;
        *normal = if f64::from(square) > MINVAL {
            let inverse = 1.0 / square.sqrt();
            [x * inverse, y * inverse, z * inverse]
        } else {
            [0.0, 0.0, 1.0]
        };
    }
}

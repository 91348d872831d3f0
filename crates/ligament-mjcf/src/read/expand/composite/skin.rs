//! The skin around a box-shaped cable: two layers of a grid with a rim, bound to the links.

use super::Composite;
use crate::spec::Skin;

/// A cell of the bone grid spans bones 5, 9, 10, 6 of its 4×4 neighbourhood; (x, y) of these corners.
const CORNERS: [[usize; 2]; 4] = [[0, 0], [1, 0], [1, 1], [0, 1]];

/// Cubic Hermite basis: coefficient of xⁱ from (f₀, f₁, f′₀, f′₁).
const HERMITE: [[f64; 4]; 4] =
    [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [-3.0, 3.0, -2.0, -1.0], [2.0, -2.0, 1.0, 1.0]];

type Matrix16 = [[f64; 16]; 16];

impl Composite {
    /// Skin with one strip of cells, or two interpolated ones with a subgrid.
    pub(super) fn make_skin(&self) -> Skin {
        let subgrid = self.skin.subgrid.max(0) as usize;
        let bones = [self.count[0] as usize, self.count[1] as usize + if subgrid > 0 { 2 } else { 1 }];
        let grid = bones.map(|n| n + (n - 1) * subgrid);
        let mut skin = Skin {
            meta: self.meta(format!("{}Skin", self.prefix)),
            material: self.skin.material.clone(),
            rgba: self.skin.rgba,
            inflate: (2.0 * self.geom.size[2]) as f32,
            group: self.skin.group,
            vert: vec![0.0; 3 * 2 * grid[0] * grid[1]],
            face: faces(grid),
            ..Skin::default()
        };
        if self.skin.texcoord {
            skin.texcoord = texcoords(grid);
        }
        self.add_bones(bones, &mut skin);
        if subgrid == 0 {
            for (bone, (ids, weights)) in skin.vertid.iter_mut().zip(&mut skin.vertweight).enumerate() {
                ids.extend([bone as i32, (bones[0] * bones[1] + bone) as i32]);
                weights.extend([1.0; 2]);
            }
        } else {
            bind_subgrid(bones, subgrid, &mut skin);
        }
        skin
    }

    /// One bone per grid point; the last two columns belong to the last link.
    fn add_bones(&self, bones: [usize; 2], skin: &mut Skin) {
        let size = self.geom.size;
        for ix in 0..bones[0] {
            let label = match ix {
                0 => "first".to_string(),
                ix if ix + 2 >= bones[0] => "last".to_string(),
                ix => ix.to_string(),
            };
            for iy in 0..bones[1] {
                let x = if ix == bones[0] - 1 { -2.0 * size[0] } else { 0.0 };
                let y = if iy == 0 {
                    -size[1]
                } else if bones[1] == 2 || iy == 2 {
                    size[1]
                } else {
                    0.0
                };
                skin.bodyname.push(format!("{}B_{label}", self.prefix));
                skin.bindpos.extend([x as f32, y as f32, 0.0]);
                skin.bindquat.extend([1.0, 0.0, 0.0, 0.0]);
            }
        }
        skin.vertid = vec![Vec::new(); bones[0] * bones[1]];
        skin.vertweight = vec![Vec::new(); bones[0] * bones[1]];
    }
}

fn texcoords([nx, ny]: [usize; 2]) -> Vec<f32> {
    let layer = (0..nx).flat_map(|ix| {
        (0..ny).flat_map(move |iy| [ix as f32 / (nx - 1) as f32, iy as f32 / (ny - 1) as f32])
    });
    let layer: Vec<f32> = layer.collect();
    layer.repeat(2)
}

/// Both layers, seen from outside, then the rim.
fn faces([nx, ny]: [usize; 2]) -> Vec<i32> {
    let layer = nx * ny;
    let mut out = Vec::new();
    for side in 0..2 {
        for ix in 0..nx - 1 {
            for iy in 0..ny - 1 {
                let id = |dx: usize, dy: usize| side * layer + (ix + dx) * ny + iy + dy;
                out.extend([id(0, 0), id(1, side), id(1, 1 - side)]);
                out.extend([id(0, 0), id(1 - side, 1), id(side, 1)]);
            }
        }
    }
    let mut rim = |a: usize, b: usize, outward: bool| {
        if outward {
            out.extend([a, b, layer + b, a, layer + b, layer + a]);
        } else {
            out.extend([a, layer + b, b, a, layer + a, layer + b]);
        }
    };
    for ix in 0..nx - 1 {
        rim(ix * ny, (ix + 1) * ny, false);
    }
    for ix in 0..nx - 1 {
        rim(ix * ny + ny - 1, (ix + 1) * ny + ny - 1, true);
    }
    for iy in 0..ny - 1 {
        rim(iy, iy + 1, true);
    }
    for iy in 0..ny - 1 {
        rim(iy + (nx - 1) * ny, iy + 1 + (nx - 1) * ny, false);
    }
    out.into_iter().map(|id| id as i32).collect()
}

/// Binds every vertex to the bones around its cell by bicubic interpolation with differences for slopes.
fn bind_subgrid(bones: [usize; 2], subgrid: usize, skin: &mut Skin) {
    let columns = bones[1] + (bones[1] - 1) * subgrid;
    let layer = (bones[0] + (bones[0] - 1) * subgrid) * columns;
    let monomials_hermite = mul(&monomials(subgrid), &bicubic());
    let place = |i: usize, n: usize| {
        if i == 0 {
            0
        } else if i == n - 2 {
            2
        } else {
            1
        }
    };
    for ix in 0..bones[0] - 1 {
        for iy in 0..bones[1] - 1 {
            let weights = mul(&monomials_hermite, &slopes(place(ix, bones[0]), place(iy, bones[1])));
            // the last cells own the last points
            for dx in 0..1 + subgrid + usize::from(ix == bones[0] - 2) {
                for dy in 0..1 + subgrid + usize::from(iy == bones[1] - 2) {
                    let vertex = ((ix * (1 + subgrid) + dx) * columns + iy * (1 + subgrid) + dy) as i32;
                    let row = &weights[dx * (2 + subgrid) + dy];
                    for (neighbour, &weight) in row.iter().enumerate().filter(|(_, w)| **w != 0.0) {
                        let bone = (ix + neighbour / 4 - 1) * bones[1] + iy + neighbour % 4 - 1;
                        skin.vertid[bone].extend([vertex, vertex + layer as i32]);
                        skin.vertweight[bone].extend([weight as f32; 2]);
                    }
                }
            }
        }
    }
}

/// xⁱyʲ at the points of a cell, one row a point.
fn monomials(subgrid: usize) -> Vec<[f64; 16]> {
    let step = 1.0 / (1 + subgrid) as f64;
    let mut rows = Vec::new();
    for sx in 0..2 + subgrid {
        for sy in 0..2 + subgrid {
            let [x, y] = [sx as f64 * step, sy as f64 * step];
            let x_powers = [1.0, x, x * x, x * x * x];
            rows.push(std::array::from_fn(|k| (0..k % 4).fold(x_powers[k / 4], |product, _| product * y)));
        }
    }
    rows
}

/// Coefficients of xⁱyʲ from f, f_x, f_y, f_xy at the four corners.
fn bicubic() -> Matrix16 {
    std::array::from_fn(|row| {
        std::array::from_fn(|column| {
            let [cx, cy] = CORNERS[column % 4];
            let (slope_x, slope_y) = (column / 4 % 2, column / 8);
            HERMITE[row / 4][cx + 2 * slope_x] * HERMITE[row % 4][cy + 2 * slope_y]
        })
    })
}

/// Value or slope along one axis from four neighbours: central differences, one-sided at the border.
fn stencil(corner: usize, slope: bool, place: usize) -> [f64; 4] {
    let at = corner + 1;
    let mut out = [0.0; 4];
    if !slope {
        out[at] = 1.0;
        return out;
    }
    let before = if place == 0 && corner == 0 { at } else { at - 1 };
    let after = if place == 2 && corner == 1 { at } else { at + 1 };
    let scale = 1.0 / (after - before) as f64;
    out[before] = -scale;
    out[after] = scale;
    out
}

/// f, f_x, f_y, f_xy at the corners from the 16 bones; `place` is 0, 1, 2 for first, inner, last cells.
fn slopes(place_x: usize, place_y: usize) -> Matrix16 {
    std::array::from_fn(|row| {
        let [cx, cy] = CORNERS[row % 4];
        let along_x = stencil(cx, row / 4 % 2 == 1, place_x);
        let along_y = stencil(cy, row / 8 == 1, place_y);
        std::array::from_fn(|column| along_x[column / 4] * along_y[column % 4])
    })
}

/// Product row by row: weights that cancel exactly must stay exactly zero, as they are then left out.
fn mul(a: &[[f64; 16]], b: &Matrix16) -> Vec<[f64; 16]> {
    a.iter()
        .map(|row| {
            let mut out = [0.0; 16];
            for (scale, line) in row.iter().zip(b) {
                if *scale != 0.0 {
                    for (o, x) in out.iter_mut().zip(line) {
                        *o += x * scale;
                    }
                }
            }
            out
        })
        .collect()
}

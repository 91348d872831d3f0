//! Points and elements of the generated shapes.

use super::{FlexComp, FlexCompKind};
use crate::spec::pose;
use ligament_math::Vec3;
use std::f64::consts::PI;

/// Six tetrahedra around the diagonal of a cell; corners 0-3 below, 4-7 above, counter-clockwise.
const CELL_TETRAHEDRA: [[usize; 4]; 6] =
    [[0, 3, 1, 7], [0, 1, 4, 7], [1, 3, 2, 7], [1, 2, 6, 7], [1, 5, 4, 7], [1, 6, 5, 7]];

impl FlexComp {
    /// Line, circle, sheet or block, by dimension.
    pub(super) fn make_grid(&mut self) -> Result<(), &'static str> {
        match self.flex.dim {
            1 if self.kind == FlexCompKind::Circle => self.make_circle(),
            1 => self.make_line(),
            2 => self.make_sheet(),
            _ => self.make_block(),
        }
        if self.element.is_empty() {
            return Err("No elements were created in grid");
        }
        Ok(())
    }

    /// Square or disc: a sheet, for the disc pulled to a circle.
    pub(super) fn make_square(&mut self) -> Result<(), &'static str> {
        self.flex.dim = 2;
        self.make_grid()?;
        if self.kind == FlexCompKind::Disc {
            let size = [0, 1].map(|k| 0.5 * self.spacing[k] * f64::from(self.count[k] - 1));
            for p in self.point.chunks_exact_mut(3) {
                let reach = p[0].abs().max(p[1].abs());
                pose::normalize(&mut p[..2]);
                p[0] *= size[0] * reach;
                p[1] *= size[1] * reach;
            }
        }
        Ok(())
    }

    fn needs_texcoord(&self) -> bool {
        self.texcoord.is_empty() && !self.flex.material.is_empty()
    }

    fn centered(&self, axis: usize, i: i32) -> f64 {
        self.spacing[axis] * (f64::from(i) - 0.5 * f64::from(self.count[axis] - 1))
    }

    fn make_line(&mut self) {
        for ix in 0..self.count[0] {
            let x = self.centered(0, ix);
            self.point.extend([x, 0.0, 0.0]);
            if ix < self.count[0] - 1 {
                self.element.extend([ix, ix + 1]);
            }
        }
    }

    /// The last point of the line falls on the first.
    fn make_circle(&mut self) {
        let last = self.count[0] - 2;
        for ix in 0..=last {
            let theta = 2.0 * PI / f64::from(self.count[0] - 1);
            let radius = self.spacing[0] / (theta / 2.0).sin() / 2.0;
            let angle = theta * f64::from(ix);
            self.point.extend([radius * angle.cos(), radius * angle.sin(), 0.0]);
            self.element.extend([ix, if ix == last { 0 } else { ix + 1 }]);
        }
    }

    fn make_sheet(&mut self) {
        let needs_texcoord = self.needs_texcoord();
        let [nx, ny, nz] = self.count;
        for ix in 0..nx {
            for iy in 0..ny {
                let [x, y] = [self.centered(0, ix), self.centered(1, iy)];
                self.point.extend([x, y, 0.0]);
                if needs_texcoord {
                    self.push_texcoord([ix, iy], [0, 1]);
                }
                if ix < nx - 1 && iy < ny - 1 {
                    let id = |dx: i32, dy: i32| nz * ny * (ix + dx) + nz * (iy + dy);
                    let quad = [id(0, 0), id(1, 0), id(1, 1), id(0, 1)];
                    // the diagonals of a disc point to its centre
                    let flip = self.kind == FlexCompKind::Disc
                        && ((x < -pose::EPS && y > -pose::EPS) || (x > -pose::EPS && y < -pose::EPS));
                    let corners = if flip { [0, 1, 3, 1, 2, 3] } else { [0, 1, 2, 0, 2, 3] };
                    self.element.extend(corners.map(|c: usize| quad[c]));
                }
            }
        }
    }

    fn make_block(&mut self) {
        let needs_texcoord = self.needs_texcoord();
        let [nx, ny, nz] = self.count;
        for ix in 0..nx {
            for iy in 0..ny {
                for iz in 0..nz {
                    let p = [self.centered(0, ix), self.centered(1, iy), self.centered(2, iz)];
                    self.point.extend(p);
                    if needs_texcoord {
                        self.push_texcoord([ix, iy], [0, 1]);
                    }
                    if ix < nx - 1 && iy < ny - 1 && iz < nz - 1 {
                        let id = |dx: i32, dy: i32, dz: i32| nz * ny * (ix + dx) + nz * (iy + dy) + iz + dz;
                        let [a, b, c, d] = [(0, 0), (1, 0), (1, 1), (0, 1)];
                        let cell = [a, b, c, d, a, b, c, d];
                        let corner = |v: usize| id(cell[v].0, cell[v].1, (v / 4) as i32);
                        self.element.extend(CELL_TETRAHEDRA.iter().flatten().map(|&v| corner(v)));
                    }
                }
            }
        }
    }

    fn push_texcoord(&mut self, index: [i32; 2], axes: [usize; 2]) {
        for (i, axis) in index.into_iter().zip(axes) {
            self.texcoord.push(i as f32 / (self.count[axis] - 1).max(1) as f32);
        }
    }

    /// Box, cylinder or ellipsoid: the surface grid, in three dimensions filled towards a centre point.
    ///
    /// In two dimensions the surface is open at the top: points and elements of `iz = max` are left out, and
    /// the rim belongs to the sides.
    pub(super) fn make_box(&mut self) -> Result<(), &'static str> {
        if self.count.iter().any(|&n| n < 2) {
            return Err("Count too small");
        }
        let solid = self.flex.dim == 3;
        let needs_texcoord = self.needs_texcoord();
        if solid {
            self.point.extend([0.0; 3]);
        }
        if needs_texcoord {
            self.texcoord.extend([0.0; 2]);
        }
        let cells = self.count.iter().try_fold(1usize, |n, &c| n.checked_mul(c as usize));
        let mut ids = vec![0; cells.ok_or("Count too large")?];
        self.box_points(solid, needs_texcoord, &mut ids);
        if solid {
            self.box_tetrahedra();
        } else {
            self.box_triangles(&ids);
        }
        Ok(())
    }

    fn box_points(&mut self, solid: bool, needs_texcoord: bool, ids: &mut [i32]) {
        let [nx, ny, nz] = self.count;
        let mut next = 0;
        let mut add = |this: &mut Self, i: [i32; 3], axes: [usize; 2]| {
            let p = this.project(i);
            this.point.extend(p);
            ids[this.linear(i)] = next;
            next += 1;
            if needs_texcoord {
                this.push_texcoord(axes.map(|a| i[a]), axes);
            }
        };
        for iz in [0, nz - 1] {
            if iz != 0 && !solid {
                continue;
            }
            for ix in 0..nx {
                for iy in 0..ny {
                    add(self, [ix, iy, iz], [0, 1]);
                }
            }
        }
        let top = if solid { nz - 1 } else { nz };
        for iy in [0, ny - 1] {
            for ix in 0..nx {
                for iz in 1..top {
                    add(self, [ix, iy, iz], [0, 2]);
                }
            }
        }
        for ix in [0, nx - 1] {
            for iy in 1..ny - 1 {
                for iz in 1..top {
                    add(self, [ix, iy, iz], [1, 2]);
                }
            }
        }
    }

    /// Position in the full grid.
    fn linear(&self, [ix, iy, iz]: [i32; 3]) -> usize {
        (ix * self.count[1] * self.count[2] + iy * self.count[2] + iz) as usize
    }

    /// Point number of a surface point of a solid box; 0 is the centre.
    fn surface_id(&self, [ix, iy, iz]: [i32; 3]) -> i32 {
        let [nx, ny, nz] = self.count;
        if iz == 0 {
            ix * ny + iy + 1
        } else if iz == nz - 1 {
            nx * ny + ix * ny + iy + 1
        } else if iy == 0 {
            2 * nx * ny + ix * (nz - 2) + iz
        } else if iy == ny - 1 {
            2 * nx * ny + nx * (nz - 2) + ix * (nz - 2) + iz
        } else {
            let side = if ix == 0 { 0 } else { (ny - 2) * (nz - 2) };
            2 * nx * ny + 2 * nx * (nz - 2) + side + (iy - 1) * (nz - 2) + iz
        }
    }

    /// Surface point of the shape: grid coordinates in [-1, 1], projected and scaled.
    fn project(&self, index: [i32; 3]) -> Vec3 {
        let mut p: Vec3 =
            std::array::from_fn(|k| 2.0 * f64::from(index[k]) / f64::from(self.count[k] - 1) - 1.0);
        let size: Vec3 = std::array::from_fn(|k| 0.5 * self.spacing[k] * f64::from(self.count[k] - 1));
        match self.kind {
            FlexCompKind::Cylinder => {
                let reach = p[0].abs().max(p[1].abs());
                pose::normalize(&mut p[..2]);
                [p[0] * (size[0] * reach), p[1] * (size[1] * reach), p[2] * size[2]]
            }
            FlexCompKind::Ellipsoid => {
                pose::normalize(&mut p);
                [p[0] * size[0], p[1] * size[1], p[2] * size[2]]
            }
            _ => [p[0] * size[0], p[1] * size[1], p[2] * size[2]],
        }
    }

    /// Two tetrahedra per surface cell, all with the centre as first vertex.
    fn box_tetrahedra(&mut self) {
        for (normal, side) in [(2, 0), (2, 1), (1, 0), (1, 1), (0, 0), (0, 1)] {
            let axes = [[1, 2], [0, 2], [0, 1]][normal];
            for i in 0..self.count[axes[0]] - 1 {
                for j in 0..self.count[axes[1]] - 1 {
                    let id = |di: i32, dj: i32| {
                        let mut index = [0; 3];
                        index[normal] = side * (self.count[normal] - 1);
                        index[axes[0]] = i + di;
                        index[axes[1]] = j + dj;
                        self.surface_id(index)
                    };
                    let [a, b, c, d] = [id(0, 0), id(1, 0), id(1, 1), id(0, 1)];
                    self.element.extend([0, a, b, c, 0, a, d, c]);
                }
            }
        }
    }

    /// Two triangles per surface cell, normals outwards, the top left open.
    fn box_triangles(&mut self, ids: &[i32]) {
        let [nx, ny, nz] = self.count;
        let id = |this: &Self, ix: i32, iy: i32, iz: i32| ids[this.linear([ix, iy, iz])];
        for ix in 0..nx - 1 {
            for iy in 0..ny - 1 {
                let [a, b, c, d] =
                    [(ix, iy), (ix + 1, iy + 1), (ix + 1, iy), (ix, iy + 1)].map(|(x, y)| id(self, x, y, 0));
                self.element.extend([a, b, c, a, d, b]);
            }
        }
        for iy in [0, ny - 1] {
            for ix in 0..nx - 1 {
                let (from, to) = if iy == 0 { (ix, ix + 1) } else { (ix + 1, ix) };
                for iz in 0..nz - 1 {
                    let [a, b] = [id(self, from, iy, iz), id(self, to, iy, iz)];
                    let [c, d] = [id(self, to, iy, iz + 1), id(self, from, iy, iz + 1)];
                    self.element.extend([a, b, c, a, c, d]);
                }
            }
        }
        for ix in [0, nx - 1] {
            for iy in 0..ny - 1 {
                let (from, to) = if ix != 0 { (iy, iy + 1) } else { (iy + 1, iy) };
                for iz in 0..nz - 1 {
                    let [a, b] = [id(self, ix, from, iz), id(self, ix, to, iz)];
                    let [c, d] = [id(self, ix, to, iz + 1), id(self, ix, from, iz + 1)];
                    self.element.extend([a, b, c, a, c, d]);
                }
            }
        }
    }
}

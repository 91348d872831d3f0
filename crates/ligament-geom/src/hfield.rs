//! Height fields against convex shapes: the field is a grid of prisms, each a convex shape of its own.

use crate::ccd::{Ccd, CcdConfig};
use crate::contact::{ContactPoint, ContactPoints, MAX_POINTS};
use crate::convex::{Convex, Kind};
use crate::mpr;
use crate::pairs::ConvexOptions;
use crate::surface::round_normal;
use ligament_math::{Mat3, Vec3, mat3, vec3};

/// A height field in its frame: x over columns, y over rows.
#[derive(Debug, Clone, Copy)]
pub struct HeightField<'a> {
    /// Half extents in x and y, scale of the heights, thickness of the base.
    pub size: [f64; 4],
    /// Points along y.
    pub nrow: usize,
    /// Points along x.
    pub ncol: usize,
    /// Heights in [0, 1], row by row.
    pub data: &'a [f32],
}

/// Box in the frame of the field.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Lower corner.
    pub min: Vec3,
    /// Upper corner.
    pub max: Vec3,
}

/// Rows and columns of grid points that a box covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SubGrid {
    /// First and last row.
    pub rows: (usize, usize),
    /// First and last column.
    pub cols: (usize, usize),
}

impl HeightField<'_> {
    /// Can something inside these bounds touch the field?
    pub fn overlaps(&self, bounds: &Bounds, margin: f64) -> bool {
        let [x, y, top, base] = self.size;
        !(bounds.min[0] - margin > x
            || bounds.max[0] + margin < -x
            || bounds.min[1] - margin > y
            || bounds.max[1] + margin < -y
            || bounds.min[2] - margin > top
            || bounds.max[2] + margin < -base)
    }

    /// Grid points under a box.
    pub fn sub_grid(&self, bounds: &Bounds) -> SubGrid {
        let range = |min: f64, max: f64, half: f64, n: usize| {
            let last = n.saturating_sub(1);
            let scale = last as f64;
            let low = ((min + half) / (2.0 * half) * scale).floor().clamp(0.0, scale);
            let high = ((max + half) / (2.0 * half) * scale).ceil().min(scale);
            (low as usize, high.max(0.0) as usize)
        };
        SubGrid {
            rows: range(bounds.min[1], bounds.max[1], self.size[1], self.nrow),
            cols: range(bounds.min[0], bounds.max[0], self.size[0], self.ncol),
        }
    }

    /// Calls `visit` with the prisms of a sub-grid in order, as long as it returns true. The tops are raised by the margin.
    /// Prisms that lie entirely below `floor` are left out.
    pub fn prisms(&self, grid: &SubGrid, margin: f64, floor: f64, mut visit: impl FnMut(&[Vec3; 6]) -> bool) {
        let [sx, sy, sz, base] = self.size;
        let dx = (2.0 * sx) / (self.ncol as f64 - 1.0);
        let dy = (2.0 * sy) / (self.nrow as f64 - 1.0);
        let mut prism = [[0.0, 0.0, -base]; 6];
        let push = |prism: &mut [Vec3; 6], r: usize, c: usize| {
            prism.copy_within(1..3, 0);
            prism.copy_within(4..6, 3);
            let (x, y) = (dx * c as f64 - sx, dy * r as f64 - sy);
            let height = self.data.get(r * self.ncol + c).copied().unwrap_or(0.0);
            prism[2] = [x, y, -base];
            prism[5] = [x, y, f64::from(height) * sz + margin];
        };
        let ((rmin, rmax), (cmin, cmax)) = (grid.rows, grid.cols);
        for r in rmin..rmax {
            push(&mut prism, r + 1, cmin);
            push(&mut prism, r, cmin);
            for c in cmin + 1..=cmax {
                for row in [r + 1, r] {
                    push(&mut prism, row, c);
                    if prism[3][2] < floor && prism[4][2] < floor && prism[5][2] < floor {
                        continue;
                    }
                    if !visit(&prism) {
                        return;
                    }
                }
            }
        }
    }
}

/// Iterations that a prism counts for, besides those of its test.
pub const PRISM_STEPS: u64 = 4;

/// Contacts of a height field (at `pos`, `mat`) with a convex shape of the given bounding radius; no further prisms are tested
/// when `most` iterations have been counted (`Ccd::steps`).
pub fn hfield_convex(
    options: &ConvexOptions,
    field: &HeightField,
    (pos, mat): (Vec3, &Mat3),
    shape: &Convex,
    bounding_radius: f64,
    margin: f64,
    most: u64,
    ccd: &mut Ccd,
    out: &mut ContactPoints,
) {
    // the shape in the frame of the field
    let mut local = *shape;
    local.margin = 0.0;
    local.pos = mat3::mul_vec_t(mat, vec3::sub(shape.pos, pos));
    local.mat = mat3::t_mul(mat, &shape.mat);
    let sphere = Bounds {
        min: local.pos.map(|x| x - (bounding_radius + margin)),
        max: local.pos.map(|x| x + (bounding_radius + margin)),
    };
    if !field.overlaps(&sphere, 0.0) {
        return;
    }
    let bounds = bounds_of(&mut local);
    if !field.overlaps(&bounds, margin) {
        return;
    }
    local.margin = margin;
    let first = out.len();
    field.prisms(&field.sub_grid(&bounds), margin, bounds.min[2], |vertices| {
        let mut prism = Convex::new(Kind::Prism(vertices), [0.0; 3], mat3::IDENTITY, [0.0; 3], 0.0);
        if let Some((depth, dir, point)) = prism_contact(options, &mut prism, &mut local, ccd) {
            let world = vec3::add(mat3::mul_vec(mat, point), pos);
            let mut normal = mat3::mul_vec(mat, dir);
            if !options.native {
                normal = round_normal(None, Some(shape), world, normal);
            }
            out.push(ContactPoint::new(-depth, world, normal));
        }
        ccd.count(PRISM_STEPS);
        out.len() - first < MAX_POINTS && ccd.steps() < most
    });
}

/// Extent along the axes, by support points.
fn bounds_of(shape: &mut Convex) -> Bounds {
    let mut bounds = Bounds { min: [0.0; 3], max: [0.0; 3] };
    for k in 0..3 {
        let mut dir = [0.0; 3];
        dir[k] = 1.0;
        bounds.max[k] = shape.bare_support(dir)[k];
        dir[k] = -1.0;
        bounds.min[k] = shape.bare_support(dir)[k];
    }
    bounds
}

/// Depth, direction and position of the contact of a prism with a shape.
pub fn prism_contact(
    options: &ConvexOptions,
    prism: &mut Convex,
    shape: &mut Convex,
    ccd: &mut Ccd,
) -> Option<(f64, Vec3, Vec3)> {
    if !options.native {
        let mut steps = 0;
        let hit = mpr::penetration(prism, shape, options.tolerance, options.iterations, &mut steps);
        ccd.count(steps);
        let hit = hit?;
        return Some((hit.depth, hit.dir, hit.pos));
    }
    let config = CcdConfig {
        max_iterations: options.iterations,
        tolerance: options.tolerance,
        max_contacts: 1,
        dist_cutoff: 0.0,
    };
    let dist = ccd.run(&config, prism, shape);
    let &[x1, x2] = ccd.witness.first()?;
    if dist >= 0.0 || dist.is_nan() {
        return None;
    }
    let dir = vec3::unit(vec3::sub(x1, x2));
    Some((-dist, dir, std::array::from_fn(|k| 0.5 * (x1[k] + x2[k]))))
}

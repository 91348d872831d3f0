//! Bounding volumes of bodies, flexes and meshes.

use super::{Painter, in_group};
use ligament_math::{Mat3, Vec3, mat3, vec3};
use ligament_model::enums::{GeomType, VisFlag};

/// Width of lines in pixels.
pub(super) const LINE_WIDTH: f64 = 3.0;

fn halves(aabb: &[f64; 6]) -> (Vec3, Vec3) {
    ([aabb[0], aabb[1], aabb[2]], [aabb[3], aabb[4], aabb[5]])
}

impl Painter<'_> {
    /// A node at the chosen depth, or a leaf above it.
    fn is_shown(&self, node: usize) -> bool {
        let depth = self.m.bvh_depth[node];
        depth == self.option.bvh_depth || (self.is_leaf(node) && depth < self.option.bvh_depth)
    }

    fn is_leaf(&self, node: usize) -> bool {
        self.m.bvh_child[node] == [-1; 2]
    }

    fn is_marked(&self, node: usize) -> bool {
        self.m.vis.global.bvactive != 0 && self.d.bvh_active[node] != 0
    }

    fn volume_color(&self, node: usize) -> [f32; 4] {
        let colors = &self.m.vis.rgba;
        if self.is_marked(node) { colors.bvactive } else { colors.bv }
    }

    /// The edges of a box that is given in a frame.
    fn line_box(&mut self, id: usize, aabb: &[f64; 6], frame: Option<(Vec3, &Mat3)>, rgba: [f32; 4]) {
        let (center, size) = halves(aabb);
        let pos = frame.map_or(center, |(pos, mat)| vec3::add(mat3::mul_vec(mat, center), pos));
        let mut geom = self.decor(id);
        geom.init(GeomType::Linebox as i32, Some(size), Some(pos), frame.map(|(_, mat)| mat), Some(rgba));
        self.push(geom);
    }

    pub(super) fn body_volumes(&mut self) {
        if !self.shows(VisFlag::Bodybvh) {
            return;
        }
        let (m, d) = (self.m, self.d);
        let mut body = 0;
        for node in 0..m.nbvhstatic {
            while body < m.nbody && node as i32 >= m.body_bvhadr[body] + m.body_bvhnum[body] {
                body += 1;
            }
            if body == m.nbody {
                break; // what follows belongs to meshes
            }
            if !self.is_shown(node) {
                continue;
            }
            let rgba = self.volume_color(node);
            if self.is_leaf(node) {
                let geom = m.bvh_nodeid[node] as usize;
                let frame = (d.geom_xpos[geom], &d.geom_xmat[geom]);
                self.line_box(node, &m.geom_aabb[geom], Some(frame), rgba);
            } else {
                self.line_box(node, &m.bvh_aabb[node], Some((d.xipos[body], &d.ximat[body])), rgba);
            }
        }
    }

    pub(super) fn flex_volumes(&mut self) {
        if !self.shows(VisFlag::Meshbvh) {
            return;
        }
        let (m, d) = (self.m, self.d);
        for flex in 0..m.nflex {
            if in_group(&self.option.flexgroup, m.flex_group[flex]) {
                let first = m.flex_bvhadr[flex].max(0) as usize;
                for node in first..first + m.flex_bvhnum[flex] as usize {
                    if self.is_shown(node) {
                        let rgba = self.volume_color(node);
                        self.line_box(node, &d.bvh_aabb_dyn[node - m.nbvhstatic], None, rgba);
                    }
                }
            }
            if m.flex_interp[flex] != 0 {
                self.control_grid(flex);
            }
        }
    }

    /// Lines between the nodes of an interpolated flex.
    fn control_grid(&mut self, flex: usize) {
        let (m, d) = (self.m, self.d);
        let first = m.flex_nodeadr[flex] as usize;
        let points: Vec<Vec3> = (first..first + m.flex_nodenum[flex] as usize)
            .map(|node| {
                let body = m.flex_nodebodyid[node] as usize;
                if m.flex_centered[flex] != 0 {
                    d.xpos[body]
                } else {
                    vec3::add(mat3::mul_vec(&d.xmat[body], m.flex_node[node]), d.xpos[body])
                }
            })
            .collect();
        let n = m.flex_interp[flex] as usize + 1;
        for (i, j, k) in (0..n * n * n).map(|at| (at / (n * n), at / n % n, at % n)) {
            let here = n * n * i + n * j + k;
            for (step, index) in [(n * n, i), (n, j), (1, k)] {
                if index < n - 1 {
                    let geom = self.decor(i);
                    self.connect(geom, GeomType::Line, LINE_WIDTH, points[here], points[here + step]);
                }
            }
        }
    }

    /// Only visited volumes are drawn while visited volumes are marked.
    pub(super) fn mesh_volumes(&mut self) {
        if !self.shows(VisFlag::Meshbvh) {
            return;
        }
        let (m, d) = (self.m, self.d);
        for geom in (0..m.ngeom).filter(|&i| m.geom_type[i] != GeomType::Sdf as i32) {
            // height fields count as meshes here, as in the reference
            let Some(mesh) = self.mesh_of(geom).filter(|&mesh| m.mesh_octadr[mesh] < 0) else { continue };
            let first = m.mesh_bvhadr[mesh].max(0) as usize;
            for node in first..first + m.mesh_bvhnum[mesh] as usize {
                if self.is_shown(node) && (m.vis.global.bvactive == 0 || self.is_marked(node)) {
                    let rgba = self.volume_color(node);
                    let frame = (d.geom_xpos[geom], &d.geom_xmat[geom]);
                    self.line_box(node, &m.bvh_aabb[node], Some(frame), rgba);
                }
            }
        }
    }

    pub(super) fn mesh_octrees(&mut self) {
        if !self.shows(VisFlag::Meshbvh) {
            return;
        }
        let (m, d) = (self.m, self.d);
        for geom in (0..m.ngeom).filter(|&i| m.geom_type[i] != GeomType::Hfield as i32) {
            let Some(mesh) = self.mesh_of(geom).filter(|&mesh| m.mesh_octadr[mesh] >= 0) else { continue };
            let first = m.mesh_octadr[mesh] as usize;
            for cell in first..first + m.mesh_octnum[mesh] as usize {
                if m.oct_depth[cell] == self.option.bvh_depth {
                    let frame = (d.geom_xpos[geom], &d.geom_xmat[geom]);
                    self.line_box(cell, &m.oct_aabb[cell], Some(frame), m.vis.rgba.bv);
                }
            }
        }
    }

    fn mesh_of(&self, geom: usize) -> Option<usize> {
        usize::try_from(self.m.geom_dataid[geom]).ok().filter(|&mesh| mesh < self.m.nmesh)
    }
}

//! Which points are fixed to the parent body.

use super::{FlexComp, FlexCompDof, FlexCompKind};

impl FlexComp {
    /// Sizes of the pin lists, and where grid coordinates make sense.
    pub(super) fn check_pins(&self) -> Result<(), &'static str> {
        let dim = self.flex.dim as usize;
        let by_grid = !(self.pingrid.is_empty() && self.pingridrange.is_empty());
        if !self.pinrange.len().is_multiple_of(2) {
            return Err("Pin range number must be multiple of 2");
        }
        if !self.pingrid.len().is_multiple_of(dim) {
            return Err("Pin grid number must be multiple of dim");
        }
        if !self.pingridrange.len().is_multiple_of(2 * dim) {
            return Err("Pin grid range number of must be multiple of 2*dim");
        }
        if by_grid && self.kind != FlexCompKind::Grid && self.dof.order() == 0 {
            return Err("Pin grid(range) can only be used with grid or interpolated");
        }
        if by_grid && dim == 1 {
            return Err("Pin grid(range) cannot be used with dim=1");
        }
        Ok(())
    }

    /// A flag for each point or node, whichever are more; sets `rigid` when everything is
    /// pinned and `centered` when nothing is.
    pub(super) fn pinned_points(&mut self) -> Result<Vec<bool>, &'static str> {
        let points = self.point.len() / 3;
        let mut pinned = vec![self.rigid; points.max(self.dof.nodes())];
        if self.rigid {
            return Ok(pinned);
        }
        self.pin_ids(points, &mut pinned)?;
        self.pin_grid(&mut pinned)?;
        if self.dof == FlexCompDof::Radial {
            pinned[0] = true;
        }
        self.rigid = pinned[..points].iter().all(|&p| p);
        self.centered = !pinned[..points].contains(&true);
        Ok(pinned)
    }

    fn pin_ids(&self, points: usize, pinned: &mut [bool]) -> Result<(), &'static str> {
        let valid = |&id: &i32| usize::try_from(id).ok().filter(|&id| id < points);
        for id in &self.pinid {
            pinned[valid(id).ok_or("pinid out of range")?] = true;
        }
        for range in self.pinrange.chunks_exact(2) {
            let (Some(from), Some(to)) = (valid(&range[0]), valid(&range[1])) else {
                return Err("pinrange out of range");
            };
            pinned.iter_mut().take(to + 1).skip(from).for_each(|p| *p = true);
        }
        Ok(())
    }

    fn pin_grid(&self, pinned: &mut [bool]) -> Result<(), &'static str> {
        let dim = self.flex.dim as usize;
        let limits = match (self.kind, self.dof) {
            (FlexCompKind::Grid, _) | (_, FlexCompDof::Full | FlexCompDof::Radial) => self.count,
            (_, dof) => [dof.order() as i32 + 1; 3],
        };
        let inside = |coordinates: &[i32], limits: &[i32; 3]| {
            coordinates.iter().enumerate().all(|(k, &c)| c >= 0 && c < limits[k % dim])
        };
        for at in self.pingrid.chunks_exact(dim) {
            if !inside(at, &limits) {
                return Err("pingrid out of range");
            }
            *pinned.get_mut(self.grid_id(at)).ok_or("pingrid out of range")? = true;
        }
        for range in self.pingridrange.chunks_exact(2 * dim) {
            if !inside(range, &self.count) {
                return Err("pingridrange out of range");
            }
            let (from, to) = range.split_at(dim);
            let last_axis = if dim == 3 { from[2]..=to[2] } else { 0..=0 };
            for ix in from[0]..=to[0] {
                for iy in from[1]..=to[1] {
                    for iz in last_axis.clone() {
                        let id = self.grid_id(&[ix, iy, iz][..dim]);
                        *pinned.get_mut(id).ok_or("pingridrange out of range")? = true;
                    }
                }
            }
        }
        Ok(())
    }

    /// Point number of grid coordinates.
    fn grid_id(&self, at: &[i32]) -> usize {
        let count = self.count.map(|n| n as usize);
        match *at {
            [x, y] => x as usize * count[1] + y as usize,
            [x, y, z] => (x as usize * count[1] + y as usize) * count[2] + z as usize,
            _ => 0,
        }
    }
}

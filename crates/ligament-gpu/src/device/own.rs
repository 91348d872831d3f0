//! Numbers of the model that worlds have as their own.

use super::numbers::{from_bytes, to_bytes};
use super::{GpuError, GpuWorlds};
use crate::tables::OwnField;

impl GpuWorlds {
    /// Gives each world numbers of its own for a field of the model (one of [`crate::OWN`]); they start as the model's.
    ///
    /// # Errors
    /// A field that worlds cannot have as their own.
    pub fn expand(&mut self, name: &str) -> Result<(), GpuError> {
        if self.wanted.own.iter().any(|own| own == name) {
            return Ok(());
        }
        let mut wanted = self.wanted.clone();
        wanted.own.push(name.to_string());
        let before = (self.tables.clone(), self.read_own()?);
        self.rebuild(wanted)?;
        let mut rows = self.tables.own.repeat(self.count);
        let (width, old_width) = (self.tables.own.len(), before.0.own.len());
        for field in &before.0.own_fields {
            let to = self.own_field(&field.name)?.start;
            for w in 0..self.count {
                let from = w * old_width + field.start;
                rows[w * width + to..w * width + to + field.len]
                    .copy_from_slice(&before.1[from..from + field.len]);
            }
        }
        self.own = self.device.holding(&to_bytes(&rows, self.precision))?;
        self.tell()
    }

    fn read_own(&self) -> Result<Vec<f64>, GpuError> {
        let bytes = self.own.read()?;
        let mut rows = from_bytes(&bytes, self.precision);
        rows.truncate(self.count * self.tables.own.len());
        Ok(rows)
    }

    fn own_field(&self, name: &str) -> Result<&OwnField, GpuError> {
        let found = self.tables.own_fields.iter().find(|f| f.name == name);
        found.ok_or_else(|| GpuError::NotOwn(name.to_string()))
    }

    /// The worlds' own numbers of a field, a row a world.
    ///
    /// # Errors
    /// A field that was not expanded.
    pub fn read_expanded(&self, name: &str) -> Result<Vec<f64>, GpuError> {
        let (field, width) = (self.own_field(name)?, self.tables.own.len());
        let rows = self.read_own()?;
        Ok(rows
            .chunks_exact(width)
            .flat_map(|row| row[field.start..field.start + field.len].to_vec())
            .collect())
    }

    /// Sets the worlds' own numbers of a field.
    ///
    /// # Errors
    /// A field that was not expanded, an array of another size.
    pub fn write_expanded(&mut self, name: &str, values: &[f64]) -> Result<(), GpuError> {
        let (field, width) = (self.own_field(name)?.clone(), self.tables.own.len());
        if values.len() != self.count * field.len {
            let (expected, given) = (self.count * field.len, values.len());
            return Err(GpuError::Shape { field: field.name, expected, given });
        }
        let mut rows = self.read_own()?;
        for (row, value) in rows.chunks_exact_mut(width).zip(values.chunks_exact(field.len)) {
            row[field.start..field.start + field.len].copy_from_slice(value);
        }
        self.own.write(&to_bytes(&rows, self.precision))?;
        // gaps were kept for shapes as they were
        self.kept.clear()
    }
}

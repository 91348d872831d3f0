//! Pure geometry: shapes, distances, hulls and trees. Knows no model.

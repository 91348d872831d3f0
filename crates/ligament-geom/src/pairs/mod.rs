//! Closed-form contacts, one file a family of pairs.
//!
//! Every function takes two solids and the margin (largest reported distance) and appends the points it finds.
//! The normal points from the first shape to the second. Formulas and order of operations follow the reference's
//! engine_collision_primitive.c and engine_collision_box.c, since contact positions decide later digits.

mod box_box;
mod box_edge;
mod box_face;
mod capsule;
mod capsule_box;
mod convex;
mod cylinder;
mod plane;
mod plane_convex;
mod sphere;
mod triangle;

pub use box_box::{box_box, box_box_candidates};
pub use capsule::capsule_capsule;
pub use capsule_box::capsule_box;
pub use convex::{ConvexOptions, contact_frame, convex_convex, convex_single};
pub use cylinder::{plane_cylinder, sphere_cylinder};
pub use plane::{plane_box, plane_capsule, plane_sphere};
pub use plane_convex::{plane_ellipsoid, plane_fitted_ellipsoid, plane_mesh};
pub use sphere::{sphere_box, sphere_capsule, sphere_sphere};
pub use triangle::{box_triangle, capsule_triangle, sphere_triangle};

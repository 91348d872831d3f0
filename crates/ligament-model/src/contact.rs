//! A detected contact.

/// One contact between two geoms, or a geom and a flex, or two flexes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// Distance between the nearest points; negative when they penetrate.
    pub dist: f64,
    /// Midpoint between the nearest points, world frame.
    pub pos: [f64; 3],
    /// Rows: normal (from geom 1 to geom 2), first and second tangent.
    pub frame: [f64; 9],
    /// The contact gets constraint rows when `dist < includemargin` (margin minus gap).
    pub includemargin: f64,
    /// Two sliding, one spinning, two rolling coefficients.
    pub friction: [f64; 5],
    /// Reference parameters of the normal direction.
    pub solref: [f64; 2],
    /// Reference parameters of the friction directions; zeros: as `solref`.
    pub solreffriction: [f64; 2],
    /// Impedance parameters.
    pub solimp: [f64; 5],
    /// Regularised friction of the cone, set with the constraint rows.
    pub mu: f64,
    /// Cone Hessian, set by the constraint update.
    pub H: [f64; 36],
    /// Dimension of the contact space: 1, 3, 4 or 6.
    pub dim: i32,
    /// Geom ids; -1 for a flex.
    pub geom: [i32; 2],
    /// Flex ids; -1 for a geom.
    pub flex: [i32; 2],
    /// Element ids; -1 for a geom or a flex vertex.
    pub elem: [i32; 2],
    /// Vertex ids; -1 for a geom or a flex element.
    pub vert: [i32; 2],
    /// 0: included, 1: in the gap, 2: fused by a constraint, 3: equality of a passive flex.
    pub exclude: i32,
    /// Address of its first constraint row; -1 when it has none.
    pub efc_address: i32,
}

impl Default for Contact {
    #[inline]
    fn default() -> Self {
        Self {
            dist: 0.0,
            pos: [0.0; 3],
            frame: [0.0; 9],
            includemargin: 0.0,
            friction: [0.0; 5],
            solref: [0.0; 2],
            solreffriction: [0.0; 2],
            solimp: [0.0; 5],
            mu: 0.0,
            H: [0.0; 36],
            dim: 0,
            geom: [-1; 2],
            flex: [-1; 2],
            elem: [-1; 2],
            vert: [-1; 2],
            exclude: 0,
            efc_address: -1,
        }
    }
}

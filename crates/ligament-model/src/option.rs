//! Physics options, statistics and visualisation settings of a model.

use crate::array::{Element, Shape};
use crate::enums::{DisableBit, EnableBit};
use crate::model::FieldInfo;

macro_rules! group {
    ($(#[$meta:meta])* $rust:ident { $($name:ident : $ty:ty = $default:expr, $doc:literal;)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $rust { $(#[doc = $doc] pub $name: $ty,)+ }

        impl Default for $rust {
            fn default() -> Self { Self { $($name: $default,)+ } }
        }

        impl $rust {
            /// All settings, in the order of the table; a scalar has an empty shape.
            pub const FIELDS: &'static [FieldInfo<$rust>] = &[$(FieldInfo {
                name: stringify!($name),
                doc: $doc,
                shape: |_| match <$ty as Element>::INNER { Some(n) => Shape::default().with(n), None => Shape::default() },
                get: |g| <$ty as Element>::flat(std::slice::from_ref(&g.$name)),
                get_mut: |g| <$ty as Element>::flat_mut(std::slice::from_mut(&mut g.$name)),
            },)+];
        }
    };
}

group! {
    /// Physics options.
    Options {
        timestep: f64 = 0.002, "";
        impratio: f64 = 1.0, "";
        tolerance: f64 = 1e-8, "";
        ls_tolerance: f64 = 0.01, "";
        noslip_tolerance: f64 = 1e-6, "";
        ccd_tolerance: f64 = 1e-6, "";
        sleep_tolerance: f64 = 0.0001, "";
        density: f64 = 0.0, "";
        viscosity: f64 = 0.0, "";
        o_margin: f64 = 0.0, "";
        integrator: i32 = 0, "";
        cone: i32 = 0, "";
        jacobian: i32 = 2, "";
        solver: i32 = 2, "";
        iterations: i32 = 100, "";
        ls_iterations: i32 = 50, "";
        noslip_iterations: i32 = 0, "";
        ccd_iterations: i32 = 35, "";
        disableflags: i32 = 0, "";
        enableflags: i32 = 0, "";
        disableactuator: i32 = 0, "";
        sdf_initpoints: i32 = 40, "";
        sdf_iterations: i32 = 10, "";
        gravity: [f64; 3] = [0.0, 0.0, -9.81], "";
        wind: [f64; 3] = [0.0, 0.0, 0.0], "";
        magnetic: [f64; 3] = [0.0, -0.5, 0.0], "";
        o_solref: [f64; 2] = [0.02, 1.0], "";
        o_solimp: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0], "";
        o_friction: [f64; 5] = [1.0, 1.0, 0.005, 0.0001, 0.0001], "";
    }
}

group! {
    /// Statistics of the model at `qpos0`.
    Statistic {
        meaninertia: f64 = 1.0, "";
        meanmass: f64 = 1.0, "";
        meansize: f64 = 0.2, "";
        extent: f64 = 2.0, "";
        center: [f64; 3] = [0.0; 3], "";
    }
}

group! {
    /// Viewer settings of general use.
    VisualGlobal {
        cameraid: i32 = -1, "";
        orthographic: i32 = 0, "";
        fovy: f32 = 45.0, "";
        ipd: f32 = 0.068, "";
        azimuth: f32 = 90.0, "";
        elevation: f32 = -45.0, "";
        linewidth: f32 = 1.0, "";
        glow: f32 = 0.3, "";
        realtime: f32 = 1.0, "";
        offwidth: i32 = 640, "";
        offheight: i32 = 480, "";
        ellipsoidinertia: i32 = 0, "";
        bvactive: i32 = 1, "";
    }
}

group! {
    /// Rendering quality.
    VisualQuality {
        shadowsize: i32 = 4096, "";
        offsamples: i32 = 4, "";
        numslices: i32 = 28, "";
        numstacks: i32 = 16, "";
        numquads: i32 = 4, "";
    }
}

group! {
    /// The light at the camera.
    VisualHeadlight {
        ambient: [f32; 3] = [0.1, 0.1, 0.1], "";
        diffuse: [f32; 3] = [0.4, 0.4, 0.4], "";
        specular: [f32; 3] = [0.5, 0.5, 0.5], "";
        active: i32 = 1, "";
    }
}

group! {
    /// Scaling between forces, space and the picture.
    VisualMap {
        stiffness: f32 = 100.0, "";
        stiffnessrot: f32 = 500.0, "";
        force: f32 = 0.005, "";
        torque: f32 = 0.1, "";
        alpha: f32 = 0.3, "";
        fogstart: f32 = 3.0, "";
        fogend: f32 = 10.0, "";
        znear: f32 = 0.01, "";
        zfar: f32 = 50.0, "";
        haze: f32 = 0.3, "";
        shadowclip: f32 = 1.0, "";
        shadowscale: f32 = 0.6, "";
        actuatortendon: f32 = 2.0, "";
    }
}

group! {
    /// Sizes of decorative objects relative to the mean body size.
    VisualScale {
        forcewidth: f32 = 0.1, "";
        contactwidth: f32 = 0.3, "";
        contactheight: f32 = 0.1, "";
        connect: f32 = 0.2, "";
        com: f32 = 0.4, "";
        camera: f32 = 0.3, "";
        light: f32 = 0.3, "";
        selectpoint: f32 = 0.2, "";
        jointlength: f32 = 1.0, "";
        jointwidth: f32 = 0.1, "";
        actuatorlength: f32 = 0.7, "";
        actuatorwidth: f32 = 0.2, "";
        framelength: f32 = 1.0, "";
        framewidth: f32 = 0.1, "";
        constraint: f32 = 0.1, "";
        slidercrank: f32 = 0.2, "";
        frustum: f32 = 10.0, "";
    }
}

group! {
    /// Colours of decorative objects.
    VisualRgba {
        fog: [f32; 4] = [0.0, 0.0, 0.0, 1.0], "";
        haze: [f32; 4] = [1.0, 1.0, 1.0, 1.0], "";
        force: [f32; 4] = [1.0, 0.5, 0.5, 1.0], "";
        inertia: [f32; 4] = [0.8, 0.2, 0.2, 0.6], "";
        joint: [f32; 4] = [0.2, 0.6, 0.8, 1.0], "";
        actuator: [f32; 4] = [0.2, 0.25, 0.2, 1.0], "";
        actuatornegative: [f32; 4] = [0.2, 0.6, 0.9, 1.0], "";
        actuatorpositive: [f32; 4] = [0.9, 0.4, 0.2, 1.0], "";
        com: [f32; 4] = [0.9, 0.9, 0.9, 1.0], "";
        camera: [f32; 4] = [0.6, 0.9, 0.6, 1.0], "";
        light: [f32; 4] = [0.6, 0.6, 0.9, 1.0], "";
        selectpoint: [f32; 4] = [0.9, 0.9, 0.1, 1.0], "";
        connect: [f32; 4] = [0.2, 0.2, 0.8, 1.0], "";
        contactpoint: [f32; 4] = [0.9, 0.6, 0.2, 1.0], "";
        contactforce: [f32; 4] = [0.7, 0.9, 0.9, 1.0], "";
        contactfriction: [f32; 4] = [0.9, 0.8, 0.4, 1.0], "";
        contacttorque: [f32; 4] = [0.9, 0.7, 0.9, 1.0], "";
        contactgap: [f32; 4] = [0.5, 0.8, 0.9, 1.0], "";
        rangefinder: [f32; 4] = [1.0, 1.0, 0.1, 1.0], "";
        constraint: [f32; 4] = [0.9, 0.0, 0.0, 1.0], "";
        slidercrank: [f32; 4] = [0.5, 0.3, 0.8, 1.0], "";
        crankbroken: [f32; 4] = [0.9, 0.0, 0.0, 1.0], "";
        frustum: [f32; 4] = [1.0, 1.0, 0.0, 0.2], "";
        bv: [f32; 4] = [0.0, 1.0, 0.0, 0.5], "";
        bvactive: [f32; 4] = [1.0, 0.0, 0.0, 0.5], "";
    }
}

/// Visualisation settings.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Visual {
    pub global: VisualGlobal,
    pub quality: VisualQuality,
    pub headlight: VisualHeadlight,
    pub map: VisualMap,
    pub scale: VisualScale,
    pub rgba: VisualRgba,
}

impl Options {
    /// Is this stage or feature switched off?
    #[inline]
    pub fn disabled(&self, bit: DisableBit) -> bool {
        self.disableflags & bit as i32 != 0
    }

    /// Is this optional feature switched on?
    #[inline]
    pub fn enabled(&self, bit: EnableBit) -> bool {
        self.enableflags & bit as i32 != 0
    }
}

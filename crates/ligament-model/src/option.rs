//! Physics options, statistics and visualisation settings of a model.

use crate::array::{Element, Shape};
use crate::enums::{DisableBit, EnableBit};
use crate::sizes::FieldInfo;

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
                extents: &[],
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
        timestep: f64 = 0.002, "time step in seconds";
        impratio: f64 = 1.0, "ratio of frictional to normal impedance";
        tolerance: f64 = 1e-8, "solver tolerance";
        ls_tolerance: f64 = 0.01, "line-search tolerance";
        noslip_tolerance: f64 = 1e-6, "noslip tolerance";
        ccd_tolerance: f64 = 1e-6, "tolerance of convex collision";
        sleep_tolerance: f64 = 0.0001, "speed below which trees may sleep";
        density: f64 = 0.0, "density of the medium";
        viscosity: f64 = 0.0, "viscosity of the medium";
        o_margin: f64 = 0.0, "overriding contact margin";
        integrator: i32 = 0, "time integrator";
        cone: i32 = 0, "kind of friction cone";
        jacobian: i32 = 2, "dense or sparse Jacobians";
        solver: i32 = 2, "constraint solver";
        iterations: i32 = 100, "most solver iterations";
        ls_iterations: i32 = 50, "most line-search iterations";
        noslip_iterations: i32 = 0, "most noslip iterations";
        ccd_iterations: i32 = 35, "most iterations of convex collision";
        disableflags: i32 = 0, "features switched off";
        enableflags: i32 = 0, "features switched on";
        disableactuator: i32 = 0, "actuator groups switched off";
        sdf_initpoints: i32 = 40, "starting points of distance-field contacts";
        sdf_iterations: i32 = 10, "descent steps of distance-field contacts";
        gravity: [f64; 3] = [0.0, 0.0, -9.81], "gravity";
        wind: [f64; 3] = [0.0, 0.0, 0.0], "velocity of the medium";
        magnetic: [f64; 3] = [0.0, -0.5, 0.0], "magnetic field";
        o_solref: [f64; 2] = [0.02, 1.0], "overriding contact reference";
        o_solimp: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0], "overriding contact impedance";
        o_friction: [f64; 5] = [1.0, 1.0, 0.005, 0.0001, 0.0001], "overriding contact friction";
    }
}

group! {
    /// Statistics of the model at `qpos0`.
    Statistic {
        meaninertia: f64 = 1.0, "mean diagonal of the mass matrix";
        meanmass: f64 = 1.0, "mean body mass";
        meansize: f64 = 0.2, "mean body size";
        extent: f64 = 2.0, "size of the scene";
        center: [f64; 3] = [0.0; 3], "centre of the scene";
    }
}

group! {
    /// Viewer settings of general use.
    VisualGlobal {
        cameraid: i32 = -1, "initial camera; -1: free";
        orthographic: i32 = 0, "free camera is orthographic";
        fovy: f32 = 45.0, "field of view of the free camera";
        ipd: f32 = 0.068, "distance between the eyes of the free camera";
        azimuth: f32 = 90.0, "initial azimuth of the free camera";
        elevation: f32 = -45.0, "initial elevation of the free camera";
        linewidth: f32 = 1.0, "width of lines";
        glow: f32 = 0.3, "glow of the selected body";
        realtime: f32 = 1.0, "initial speed relative to real time";
        offwidth: i32 = 640, "width of off-screen pictures";
        offheight: i32 = 480, "height of off-screen pictures";
        ellipsoidinertia: i32 = 0, "draw inertias as ellipsoids";
        bvactive: i32 = 1, "bounding volumes that were visited";
    }
}

group! {
    /// Rendering quality.
    VisualQuality {
        shadowsize: i32 = 4096, "size of shadow maps";
        offsamples: i32 = 4, "samples of off-screen pictures";
        numslices: i32 = 28, "slices of round shapes";
        numstacks: i32 = 16, "stacks of round shapes";
        numquads: i32 = 4, "rectangles of boxes";
    }
}

group! {
    /// The light at the camera.
    VisualHeadlight {
        ambient: [f32; 3] = [0.1, 0.1, 0.1], "ambient colour";
        diffuse: [f32; 3] = [0.4, 0.4, 0.4], "diffuse colour";
        specular: [f32; 3] = [0.5, 0.5, 0.5], "specular colour";
        active: i32 = 1, "is on";
    }
}

group! {
    /// Scaling between forces, space and the picture.
    VisualMap {
        stiffness: f32 = 100.0, "stiffness of dragging";
        stiffnessrot: f32 = 500.0, "stiffness of turning";
        force: f32 = 0.005, "forces";
        torque: f32 = 0.1, "length of a unit torque";
        alpha: f32 = 0.3, "transparency of transparent bodies";
        fogstart: f32 = 3.0, "start of the fog";
        fogend: f32 = 10.0, "end of the fog";
        znear: f32 = 0.01, "near plane";
        zfar: f32 = 50.0, "far plane";
        haze: f32 = 0.3, "haze";
        shadowclip: f32 = 1.0, "reach of directional shadows";
        shadowscale: f32 = 0.6, "opening of spot shadows";
        actuatortendon: f32 = 2.0, "width of actuated tendons";
    }
}

group! {
    /// Sizes of decorative objects relative to the mean body size.
    VisualScale {
        forcewidth: f32 = 0.1, "width of force arrows";
        contactwidth: f32 = 0.3, "width of contacts";
        contactheight: f32 = 0.1, "height of contacts";
        connect: f32 = 0.2, "connections between bodies";
        com: f32 = 0.4, "centres of mass";
        camera: f32 = 0.3, "cameras";
        light: f32 = 0.3, "lights";
        selectpoint: f32 = 0.2, "the selected point";
        jointlength: f32 = 1.0, "length of joints";
        jointwidth: f32 = 0.1, "width of joints";
        actuatorlength: f32 = 0.7, "length of actuators";
        actuatorwidth: f32 = 0.2, "width of actuators";
        framelength: f32 = 1.0, "length of frames";
        framewidth: f32 = 0.1, "width of frames";
        constraint: f32 = 0.1, "constraints";
        slidercrank: f32 = 0.2, "slider-cranks";
        frustum: f32 = 10.0, "camera frustums";
    }
}

group! {
    /// Colours of decorative objects.
    VisualRgba {
        fog: [f32; 4] = [0.0, 0.0, 0.0, 1.0], "fog";
        haze: [f32; 4] = [1.0, 1.0, 1.0, 1.0], "haze";
        force: [f32; 4] = [1.0, 0.5, 0.5, 1.0], "forces";
        inertia: [f32; 4] = [0.8, 0.2, 0.2, 0.6], "inertias";
        joint: [f32; 4] = [0.2, 0.6, 0.8, 1.0], "joints";
        actuator: [f32; 4] = [0.2, 0.25, 0.2, 1.0], "actuators at rest";
        actuatornegative: [f32; 4] = [0.2, 0.6, 0.9, 1.0], "actuators at their lower limit";
        actuatorpositive: [f32; 4] = [0.9, 0.4, 0.2, 1.0], "actuators at their upper limit";
        com: [f32; 4] = [0.9, 0.9, 0.9, 1.0], "centres of mass";
        camera: [f32; 4] = [0.6, 0.9, 0.6, 1.0], "cameras";
        light: [f32; 4] = [0.6, 0.6, 0.9, 1.0], "lights";
        selectpoint: [f32; 4] = [0.9, 0.9, 0.1, 1.0], "the selected point";
        connect: [f32; 4] = [0.2, 0.2, 0.8, 1.0], "connections between bodies";
        contactpoint: [f32; 4] = [0.9, 0.6, 0.2, 1.0], "contact points";
        contactforce: [f32; 4] = [0.7, 0.9, 0.9, 1.0], "contact forces";
        contactfriction: [f32; 4] = [0.9, 0.8, 0.4, 1.0], "friction forces";
        contacttorque: [f32; 4] = [0.9, 0.7, 0.9, 1.0], "contact torques";
        contactgap: [f32; 4] = [0.5, 0.8, 0.9, 1.0], "contacts in the gap";
        rangefinder: [f32; 4] = [1.0, 1.0, 0.1, 1.0], "rangefinder rays";
        constraint: [f32; 4] = [0.9, 0.0, 0.0, 1.0], "constraints";
        slidercrank: [f32; 4] = [0.5, 0.3, 0.8, 1.0], "slider-cranks";
        crankbroken: [f32; 4] = [0.9, 0.0, 0.0, 1.0], "cranks that cannot reach";
        frustum: [f32; 4] = [1.0, 1.0, 0.0, 0.2], "camera frustums";
        bv: [f32; 4] = [0.0, 1.0, 0.0, 0.5], "bounding volumes";
        bvactive: [f32; 4] = [1.0, 0.0, 0.0, 0.5], "bounding volumes that were visited";
    }
}

/// Visualisation settings.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Visual {
    /// Global settings.
    pub global: VisualGlobal,
    /// Quality of rendering.
    pub quality: VisualQuality,
    /// Light at the camera.
    pub headlight: VisualHeadlight,
    /// Scales of interaction and drawing.
    pub map: VisualMap,
    /// Sizes of decorations.
    pub scale: VisualScale,
    /// Colours of decorations.
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

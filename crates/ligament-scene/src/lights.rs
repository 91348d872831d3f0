//! The lights of a scene.

use crate::geom::single;
use crate::{Light, MAXLIGHT, Scene, SceneError, camera_in_model};
use ligament_model::enums::LightType;
use ligament_model::{Data, Model};

/// Lists the headlight and the lights of the model that are on (`mjv_makeLights`).
pub fn make_lights(m: &Model, d: &Data, scene: &mut Scene) -> Result<(), SceneError> {
    scene.nlight = 0;
    if m.vis.headlight.active != 0 {
        let light = headlight(m, scene)?;
        add(scene, light);
    }
    for id in (0..m.nlight).filter(|&i| m.light_active[i] != 0) {
        add(scene, light_of_model(m, d, id));
    }
    Ok(())
}

fn add(scene: &mut Scene, light: Light) {
    let count = scene.nlight as usize;
    if count < MAXLIGHT {
        scene.all_lights[count] = light;
        scene.nlight += 1;
    }
}

fn headlight(m: &Model, scene: &Scene) -> Result<Light, SceneError> {
    let view = camera_in_model(scene)?;
    Ok(Light {
        id: -1,
        headlight: 1,
        texid: -1,
        kind: LightType::Directional as i32,
        bulbradius: 0.02,
        range: 10.0,
        pos: single(view.pos),
        dir: single(view.forward),
        ambient: m.vis.headlight.ambient,
        diffuse: m.vis.headlight.diffuse,
        specular: m.vis.headlight.specular,
        ..Light::default()
    })
}

fn light_of_model(m: &Model, d: &Data, id: usize) -> Light {
    let mut light = Light {
        id: id as i32,
        kind: m.light_type[id],
        texid: m.light_texid[id],
        castshadow: m.light_castshadow[id],
        bulbradius: m.light_bulbradius[id],
        intensity: m.light_intensity[id],
        range: m.light_range[id],
        ambient: m.light_ambient[id],
        diffuse: m.light_diffuse[id],
        specular: m.light_specular[id],
        pos: single(d.light_xpos[id]),
        dir: single(d.light_xdir[id]),
        ..Light::default()
    };
    if light.kind == LightType::Spot as i32 {
        light.attenuation = m.light_attenuation[id];
        light.exponent = m.light_exponent[id];
        light.cutoff = m.light_cutoff[id];
    }
    light
}

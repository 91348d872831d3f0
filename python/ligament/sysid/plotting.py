"""Pictures of trajectories."""

import ligament
from ligament import MjModel, mj_forward, mj_setState, mjtCatBit, mjtLightType, mjtState

__all__ = ["render_rollout"]

_FULL = int(mjtState.mjSTATE_FULLPHYSICS)


def render_rollout(model, data, state, framerate, camera=-1, width=640, height=480, light_pos=None):
    """Pictures of states (trajectories × steps × numbers), all trajectories in one picture.

    ``model`` is one model or one for each trajectory; ``data`` is used to compute. ``light_pos`` adds a spotlight.
    """
    models = [model] if isinstance(model, MjModel) else list(model)
    if len(models) not in (1, len(state)):
        raise ValueError(f"{len(models)} models for {len(state)} trajectories")
    models = models * len(state) if len(models) == 1 else models
    options, perturbation = ligament.MjvOption(), ligament.MjvPerturb()
    options.geomgroup[3] = 1
    pictures = []
    with ligament.Renderer(models[0], height=height, width=width) as renderer:
        for step in range(state.shape[1]):
            if len(pictures) >= step * models[0].opt.timestep * framerate:
                continue
            for i, (one, states) in enumerate(zip(models, state)):
                mj_setState(one, data, states[step], _FULL)
                mj_forward(one, data)
                if i == 0:
                    renderer.update_scene(data, camera, scene_option=options)
                else:
                    ligament.mjv_addGeoms(one, data, options, perturbation, int(mjtCatBit.mjCAT_DYNAMIC), renderer.scene)
            if light_pos is not None:
                _add_spotlight(renderer.scene, light_pos)
            pictures.append(renderer.render())
    return pictures


def _add_spotlight(scene, position):
    if scene.nlight >= len(scene.lights):
        return
    light = scene.lights[scene.nlight]
    light.type, light.headlight, light.castshadow = mjtLightType.mjLIGHT_SPOT, 0, 1
    light.pos, light.dir, light.attenuation = position, [0, 0, -1], [1, 0, 0]
    light.ambient, light.diffuse, light.specular = [0, 0, 0], [0.8] * 3, [0.3] * 3
    light.cutoff, light.exponent = 45, 10
    scene.nlight += 1

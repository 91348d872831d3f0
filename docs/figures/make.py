#!/usr/bin/env python3
"""Makes the pictures of the documentation that Ligament's own renderer draws.

    PYTHONPATH=python python docs/figures/make.py CORPUS

writes docs/images/humanoid.jpg: the humanoid in motion, a hand that holds a ball, a poncho. CORPUS is a folder
with MuJoCo's models (mujoco/model) and those of the Menagerie (menagerie).
"""

import argparse
import pathlib

import ligament
from PIL import Image

HERE = pathlib.Path(__file__).resolve().parent
HEIGHT = 420


def draw(model, data, width, **camera):
    """A picture, drawn at twice the size and made smaller."""
    model.vis.global_.offwidth, model.vis.global_.offheight = 2 * width, 2 * HEIGHT
    view = ligament.MjvCamera()
    ligament.mjv_defaultFreeCamera(model, view)
    view.azimuth, view.elevation, view.distance = camera["azimuth"], camera["elevation"], camera["distance"]
    view.lookat[:] = camera["lookat"]
    with ligament.Renderer(model, 2 * HEIGHT, 2 * width) as renderer:
        renderer.update_scene(data, view)
        return Image.fromarray(renderer.render()).resize((width, HEIGHT), Image.LANCZOS)


def humanoid(corpus):
    """It jumps off one leg."""
    model = ligament.MjModel.from_xml_path(str(corpus / "mujoco/model/humanoid/humanoid.xml"))
    data = ligament.MjData(model)
    ligament.mj_resetDataKeyframe(model, data, model.key("stand_on_left_leg").id)
    data.qvel[2] = 2.2
    while data.time < 0.16:
        ligament.mj_step(model, data)
    return draw(model, data, 380, azimuth=140, elevation=-12, distance=3.0, lookat=(0, 0, 1.15))


def hand(corpus):
    """Fingers on their way to a fist."""
    model = ligament.MjModel.from_xml_path(str(corpus / "menagerie/shadow_hand/scene_right.xml"))
    data = ligament.MjData(model)
    low, high = model.actuator_ctrlrange.T
    data.ctrl[:] = low + 0.55 * (high - low)
    data.ctrl[:2] = 0
    while data.time < 0.6:
        ligament.mj_step(model, data)
    centre = data.xpos[1:].mean(axis=0)
    return draw(model, data, 380, azimuth=200, elevation=-25, distance=0.5, lookat=centre)


def poncho(corpus):
    """Cloth that has fallen over a mannequin."""
    model = ligament.MjModel.from_xml_path(str(corpus / "mujoco/model/flex/poncho.xml"))
    data = ligament.MjData(model)
    while data.time < 2.5:
        ligament.mj_step(model, data)
    return draw(model, data, 380, azimuth=60, elevation=-12, distance=3.6, lookat=(0, 0, 1.05))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=pathlib.Path)
    options = parser.parse_args()
    pictures = [make(options.corpus) for make in (humanoid, hand, poncho)]
    strip = Image.new("RGB", (sum(p.width for p in pictures), HEIGHT))
    left = 0
    for picture in pictures:
        strip.paste(picture, (left, 0))
        left += picture.width
    strip.save(HERE.parent / "images" / "humanoid.jpg", quality=88, optimize=True)


if __name__ == "__main__":
    main()

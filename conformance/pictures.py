"""Compares pictures of MuJoCo, drawn by OSMesa, and of Ligament: segments, depths and colours.

    pictures.py CORPUS [--models 30] [--sheet FILE] [--only GLOB] [--speed]

Prints a line for each picture and the worst and mean figures; with --sheet, writes pairs side by side. --speed measures
pictures a second instead. PYTHONPATH should hold Ligament; Debian's package libosmesa6 has the library that MuJoCo needs.
"""

import argparse
import ctypes.util
import fnmatch
import os
import pathlib
import sys
import time

import numpy as np

os.environ.setdefault("MUJOCO_GL", "osmesa")

HEIGHT, WIDTH = 240, 320
# at least: equal segments, depths within one percent, mean and least similarity of colours
LIMITS = {"segments": 0.99, "depths": 0.99, "similarity": 0.95, "least": 0.90}
MODELS = (
    "mujoco/model/humanoid/humanoid.xml", "mujoco/model/humanoid/100_humanoids.xml", "mujoco/model/car/car.xml",
    "mujoco/model/balloons/balloons.xml", "mujoco/model/cards/cards.xml", "mujoco/model/cube/cube_3x3x3.xml",
    "mujoco/model/hammock/hammock.xml", "mujoco/model/mug/mug.xml", "mujoco/model/slider_crank/slider_crank.xml",
    "mujoco/model/tendon_arm/arm26.xml", "mujoco/model/flex/flag.xml", "mujoco/model/flex/softbox.xml",
    "menagerie/unitree_go2/scene.xml", "menagerie/unitree_h1/scene.xml", "menagerie/franka_emika_panda/scene.xml",
    "menagerie/shadow_hand/scene_left.xml", "menagerie/agility_cassie/scene.xml", "menagerie/anybotics_anymal_c/scene.xml",
    "menagerie/boston_dynamics_spot/scene.xml", "menagerie/google_barkour_vb/scene_hfield_mjx.xml",
    "menagerie/kuka_iiwa_14/scene.xml", "menagerie/universal_robots_ur5e/scene.xml", "menagerie/wonik_allegro/scene_left.xml",
    "dm_control/suite/cartpole.xml", "dm_control/suite/cheetah.xml", "dm_control/suite/dog.xml",
    "dm_control/suite/quadruped.xml", "dm_control/suite/swimmer.xml", "dm_control/suite/walker.xml",
    "gymnasium/ant.xml", "gymnasium/half_cheetah.xml", "gymnasium/hopper.xml", "gymnasium/pusher.xml",
    "myo_sim/hand/myohand.xml",
)


def similarity(a, b, window=7):
    """Mean structural similarity of two images (Wang et al. 2004), with a square window, over grey values."""
    weights = np.array([0.299, 0.587, 0.114])
    x, y = a @ weights, b @ weights

    def mean(image):
        total = np.pad(image.cumsum(0).cumsum(1), ((1, 0), (1, 0)))
        parts = total[window:, window:] - total[:-window, window:] - total[window:, :-window] + total[:-window, :-window]
        return parts / window**2

    mx, my = mean(x), mean(y)
    vx, vy, cov = mean(x * x) - mx**2, mean(y * y) - my**2, mean(x * y) - mx * my
    c1, c2 = (0.01 * 255)**2, (0.03 * 255)**2
    return float(np.mean((2 * mx * my + c1) * (2 * cov + c2) / ((mx**2 + my**2 + c1) * (vx + vy + c2))))


def find_models(corpus, pattern, count):
    chosen = [corpus / name for name in MODELS if (corpus / name).exists()]
    if len(chosen) < count:
        rest = sorted(path for path in corpus.rglob("scene*.xml") if path not in chosen)
        chosen += rest[:: max(1, len(rest) // (count - len(chosen) + 1))]
    return [path for path in chosen if fnmatch.fnmatch(str(path.relative_to(corpus)), pattern)][:count]


class Painter:
    """A model in one package, with a renderer."""

    def __init__(self, package, path, height=HEIGHT, width=WIDTH):
        self.package = package
        self.model = package.MjModel.from_xml_path(str(path))
        self.data = package.MjData(self.model)
        if self.model.nkey:
            package.mj_resetDataKeyframe(self.model, self.data, 0)
        package.mj_forward(self.model, self.data)
        self.renderer = package.Renderer(self.model, height, width)

    def cameras(self):
        """Two free cameras, and up to two of the model."""
        views = []
        for azimuth, elevation, distance in ((130, -25, 1.0), (20, -40, 0.6)):
            camera = self.package.MjvCamera()
            self.package.mjv_defaultFreeCamera(self.model, camera)
            camera.azimuth, camera.elevation = azimuth, elevation
            camera.distance *= distance
            views.append(camera)
        return views + list(range(min(2, self.model.ncam)))

    def pictures(self, camera):
        self.renderer.update_scene(self.data, camera)
        colors = self.renderer.render()
        self.renderer.enable_depth_rendering()
        depth = self.renderer.render()
        self.renderer.disable_depth_rendering()
        self.renderer.enable_segmentation_rendering()
        segments = self.renderer.render()
        self.renderer.disable_segmentation_rendering()
        return colors, depth, segments


def compare(ours, theirs):
    """Part of equal segments, part of depths within one percent, similarity of colours."""
    (color, depth, segments), (color2, depth2, segments2) = ours, theirs
    same = float(np.mean(np.all(segments == segments2, axis=-1)))
    near = float(np.mean(np.abs(depth - depth2) <= 0.01 * np.abs(depth2)))
    return same, near, similarity(color, color2)


def compare_model(ours, theirs, path):
    """Figures and colour pictures for every camera."""
    painters = Painter(ours, path), Painter(theirs, path)
    for camera, reference in zip(painters[0].cameras(), painters[1].cameras()):
        pictures = painters[0].pictures(camera), painters[1].pictures(reference)
        yield compare(*pictures), [picture[0] for picture in pictures]
    for painter in painters:
        painter.renderer.close()


def judge(figures):
    """The figures that miss their limits."""
    segments, depths, similar = np.array(figures).T
    found = {"segments": segments.min(), "depths": depths.min(), "similarity": similar.mean(), "least": similar.min()}
    return {name: value for name, value in found.items() if value < LIMITS[name]}, found


def is_available():
    """Whether MuJoCo can draw without a display."""
    return ctypes.util.find_library("OSMesa") is not None


def best_times(rounds, *programs):
    """Least seconds of each program, run in turns."""
    best = [np.inf] * len(programs)
    for _ in range(rounds):
        for i, program in enumerate(programs):
            start = time.perf_counter()
            program()
            best[i] = min(best[i], time.perf_counter() - start)
    return best


def speed(ours, theirs, path, worlds=256, shared=16):
    """One large picture, and small pictures of many worlds, in both packages. MuJoCo draws the worlds one after the
    other, with all the threads of its driver; as they take equal time, a part of them is measured."""
    def report(what, own, other):
        print(f"{path.name} {what}: {1e3 * own:.1f} ms, MuJoCo {1e3 * other:.1f} ms, ratio {other / own:.2f}", flush=True)

    def draw(painter):
        painter.renderer.update_scene(painter.data)
        painter.renderer.render()

    painters = [Painter(package, path, 480, 640) for package in (ours, theirs)]
    report("640x480", *best_times(5, *(lambda p=p: draw(p) for p in painters)))
    batch, small = ours.batch.Batch(painters[0].model, worlds), Painter(theirs, path, 64, 64)
    own, other = best_times(3, lambda: batch.render(size=64), lambda: [draw(small) for _ in range(shared)])
    report(f"64x64 of {worlds} worlds", own, other * worlds / shared)
    for painter in (*painters, small):
        painter.renderer.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=pathlib.Path)
    parser.add_argument("--models", type=int, default=30)
    parser.add_argument("--only", default="*")
    parser.add_argument("--sheet", type=pathlib.Path)
    parser.add_argument("--speed", action="store_true")
    options = parser.parse_args()
    if not is_available():
        sys.exit("OSMesa is not installed: apt-get install libosmesa6")
    import ligament
    import ligament.batch
    import mujoco
    figures, pairs = [], []
    for path in find_models(options.corpus, options.only, options.models):
        if options.speed:
            speed(ligament, mujoco, path)
            continue
        for view, (found, pictures) in enumerate(compare_model(ligament, mujoco, path)):
            figures.append(found)
            pairs += [pictures] if view == 0 else []
            print("{} {}: segments {:.4f}, depths {:.4f}, similarity {:.4f}".format(path.relative_to(options.corpus), view, *found),
                  flush=True)
    if options.sheet:
        save_sheet(options.sheet, pairs)
    if figures:
        missed, found = judge(figures)
        print(", ".join(f"{name} {value:.4f}" for name, value in found.items()), "missed:", missed or "none")
        return bool(missed)
    return 0


def save_sheet(path, pairs, columns=4):
    """Ligament on the left and MuJoCo on the right of each pair, at half size."""
    from PIL import Image
    cells = [np.concatenate(pair, axis=1)[::2, ::2] for pair in pairs]
    cells += [np.zeros_like(cells[0])] * (-len(cells) % columns)
    rows = [np.concatenate(cells[i:i + columns], axis=1) for i in range(0, len(cells), columns)]
    Image.fromarray(np.concatenate(rows)).save(path, quality=85)


if __name__ == "__main__":
    sys.exit(main())

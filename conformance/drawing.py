"""Compares the drawing functions (``mjr_*``) of MuJoCo, drawn by OSMesa, and of Ligament, one by one.

    drawing.py [FOLDER]     PYTHONPATH should hold Ligament; Debian's package libosmesa6 has the library that MuJoCo needs

Numbers and plain pixels must be equal; pictures, texts and plots must look alike, since fonts and the edges of lines are
each package's own. Prints a line for each function; with FOLDER,
saves pairs of pictures there.
"""

import os
import sys

os.environ.setdefault("MUJOCO_GL", "osmesa")

import numpy as np  # noqa: E402
from pictures import LIMITS, is_available, similarity  # noqa: E402

WIDTH, HEIGHT = 320, 240
LEAST_LETTERS = 0.8  # similarity of what consists of letters
MODEL = """<mujoco><visual><global offwidth="320" offheight="240"/><quality offsamples="4"/></visual><asset>
  <texture name="t" type="2d" builtin="checker" width="16" height="16" rgb1="1 0 0" rgb2="0 0 1"/>
  <material name="m" texture="t" texrepeat="2 2"/>
  <hfield name="h" nrow="3" ncol="3" size="1 1 .5 .1" elevation="0 0 0 0 1 0 0 0 0"/>
  <mesh name="p" vertex="-.4 -.4 0 .4 -.4 0 0 .4 0 0 0 .6"/></asset><worldbody><light pos="0 0 3"/>
  <geom type="plane" size="2 2 .1" material="m"/><geom type="hfield" hfield="h" pos="1 1 0"/>
  <geom type="mesh" mesh="p" pos="-.6 -.6 .1" rgba="0 1 0 1"/><body pos="0 0 .4"><freejoint/><geom size=".3"/></body>
</worldbody></mujoco>"""


class Studio:
    """A model with a context to draw in."""

    def __init__(self, package):
        self.package = package
        self.model = package.MjModel.from_xml_string(MODEL)
        self.data = package.MjData(self.model)
        package.mj_forward(self.model, self.data)
        self.gl = package.GLContext(WIDTH, HEIGHT)
        self.gl.make_current()
        self.context = package.MjrContext(self.model, package.mjtFontScale.mjFONTSCALE_100)
        self.call("setBuffer", package.mjtFramebuffer.mjFB_OFFSCREEN, self.context)
        self.all = package.MjrRect(0, 0, WIDTH, HEIGHT)

    def call(self, name, *arguments):
        return getattr(self.package, "mjr_" + name)(*arguments)

    def clear(self, color=(0.2, 0.3, 0.4)):
        self.call("rectangle", self.all, *color, 1)

    def pixels(self):
        colors, depths = np.zeros((HEIGHT, WIDTH, 3), np.uint8), np.zeros((HEIGHT, WIDTH), np.float32)
        self.call("readPixels", colors, depths, self.all, self.context)
        return colors, depths

    def colors(self):
        return self.pixels()[0]

    def picture(self):
        scene, camera = self.package.MjvScene(self.model, 100), self.package.MjvCamera()
        self.package.mjv_defaultFreeCamera(self.model, camera)
        camera.elevation = -50
        self.package.mjv_updateScene(self.model, self.data, self.package.MjvOption(), None, camera, 7, scene)
        self.call("render", self.all, scene, self.context)
        return self.colors()


# Each function draws or asks something in both packages. What it returns must be equal, or look alike.

def rectangle(s):
    s.clear((0.2, 0.4, 0.6))
    s.call("rectangle", s.package.MjrRect(10, 20, 30, 40), 1, 0, 0, 1)
    s.call("rectangle", s.package.MjrRect(20, 30, 50, 60), 0, 1, 0, 0.4)
    s.call("rectangle", s.package.MjrRect(WIDTH - 20, HEIGHT - 20, 50, 60), 0, 0, 1, 1)
    return s.colors()


def draw_pixels(s):
    """Colours alone: with depths, the driver paints over them in the colour that was used last."""
    s.clear()
    colors = np.random.default_rng(0).integers(0, 256, 10 * 21 * 3, dtype=np.uint8)
    place = s.package.MjrRect(33, 44, 21, 10)
    s.call("drawPixels", colors, None, place, s.context)
    read = np.zeros_like(colors)
    s.call("readPixels", read, None, place, s.context)
    return read


def find_rect(s):
    rect = s.package.MjrRect(5, 7, 10, 20)
    return [s.call("findRect", x, y, 1, rect) for x in (4, 5, 10, 14, 15, 16) for y in (6, 7, 20, 26, 27, 28)]


def sizes(s):
    viewport = s.call("maxViewport", s.context)
    fields = ("offWidth", "offHeight", "offSamples", "currentBuffer", "windowAvailable", "windowDoublebuffer", "nskin", "fontScale",
              "lineWidth", "shadowClip", "shadowScale", "fogStart", "fogEnd", "shadowSize", "readDepthMap", "ntexture")
    # samples and windows are the driver's
    known = [float(getattr(s.context, name)) for name in fields if name not in ("offSamples", "windowAvailable", "windowDoublebuffer")]
    return [viewport.left, viewport.bottom, viewport.width, viewport.height, *known]


def resize(s):
    s.call("resizeOffscreen", 64, 48, s.context)
    small = (s.context.offWidth, s.context.offHeight)
    s.call("resizeOffscreen", WIDTH, HEIGHT, s.context)
    s.clear((1, 0, 0))
    return [small, (s.context.offWidth, s.context.offHeight), s.colors()]


def blit_buffer(s):
    """Within the offscreen buffer nothing moves; without a window there is nothing to copy to."""
    s.clear((0, 0, 1))
    s.call("rectangle", s.package.MjrRect(0, 0, 10, 10), 1, 0, 0, 1)
    s.call("blitBuffer", s.package.MjrRect(0, 0, 10, 10), s.package.MjrRect(50, 50, 20, 20), 1, 1, s.context)
    return s.colors()


def auxiliary(s):
    s.clear((0, 0, 1))
    s.call("addAux", 3, 40, 30, 0, s.context)
    made = (s.context.auxWidth[3], s.context.auxHeight[3], s.context.auxSamples[3])
    s.call("setAux", 3, s.context)
    s.call("rectangle", s.package.MjrRect(0, 0, 40, 30), 0, 1, 0, 1)
    s.call("rectangle", s.package.MjrRect(5, 5, 10, 10), 1, 0, 0, 1)
    s.call("restoreBuffer", s.context)
    s.call("blitAux", 3, s.package.MjrRect(0, 0, 40, 30), 60, 20, s.context)
    s.call("setBuffer", s.package.mjtFramebuffer.mjFB_OFFSCREEN, s.context)
    return [made, s.colors()]


def errors(s):
    s.call("finish")
    return s.call("getError")


def change_font(s):
    s.call("changeFont", s.package.mjtFontScale.mjFONTSCALE_200, s.context)
    large = s.context.fontScale
    s.call("changeFont", s.package.mjtFontScale.mjFONTSCALE_100, s.context)
    return [large, s.context.fontScale]


def render(s):
    return s.picture()


def upload_texture(s):
    data = s.model.tex_data if hasattr(s.model, "tex_data") else s.model.tex_rgb
    before = data.copy()
    data[:] = np.tile(np.array([0, 255, 128], np.uint8), len(data) // 3)
    s.call("uploadTexture", s.model, s.context, 0)
    picture = s.picture()
    data[:] = before
    s.call("uploadTexture", s.model, s.context, 0)
    return picture


def upload_hfield(s):
    before = s.model.hfield_data.copy()
    s.model.hfield_data[:] = np.linspace(0, 1, 9)
    s.call("uploadHField", s.model, s.context, 0)
    picture = s.picture()
    s.model.hfield_data[:] = before
    s.call("uploadHField", s.model, s.context, 0)
    return picture


def upload_mesh(s):
    before = s.model.mesh_vert.copy()
    s.model.mesh_vert[:] *= 1.5
    s.call("uploadMesh", s.model, s.context, 0)
    picture = s.picture()
    s.model.mesh_vert[:] = before
    s.call("uploadMesh", s.model, s.context, 0)
    return picture


def text(s):
    s.clear()
    s.call("text", s.package.mjtFont.mjFONT_NORMAL, "Speed 12.5", s.context, 0.1, 0.2, 1, 1, 0)
    s.call("text", s.package.mjtFont.mjFONT_BIG, "Big", s.context, 0.3, 0.6, 1, 1, 1)
    return s.colors()


def label(s):
    s.clear()
    s.call("label", s.package.MjrRect(20, 30, 100, 40), s.package.mjtFont.mjFONT_NORMAL, "name", 0.8, 0.1, 0.1, 1, 1, 1, 1, s.context)
    return s.colors()


def overlay(s):
    s.clear()
    for place in range(4):
        s.call("overlay", s.package.mjtFont.mjFONT_NORMAL, place, s.all, "a\nb", "1\n2", s.context)
    return s.colors()


def figure(s):
    s.clear()
    plot = s.package.MjvFigure()
    plot.flg_legend, plot.title, plot.xlabel, plot.linewidth = 1, "height", "time", 2
    plot.figurergba[:] = 0.1, 0.1, 0.1, 1
    for line in range(2):
        plot.linepnt[line] = 50
        x = np.linspace(0, 10, 50)
        plot.linedata[line, :100] = np.stack([x, np.sin(x + line)], axis=1).ravel()
        plot.linename[line] = b"line"
    s.call("figure", s.all, plot, s.context)
    return s.colors()


def axes(s):
    """Where the axes of figures are, and what they show; along x that depends on the widths of letters."""
    found = []
    for low, high, symmetric, extend, title in ((0, 0, 0, 1, ""), (0, 1, 0, 1, "one"), (-3, 2, 1, 0, "one  two"), (0, 0, 1, 1, " ")):
        plot = s.package.MjvFigure()
        plot.flg_symmetric, plot.flg_extend, plot.title, plot.subplot = symmetric, extend, title, 1
        plot.range[1] = low, high
        plot.linepnt[0] = 3
        plot.linedata[0, :6] = 0, -0.13, 2, 47.2, 5, 3
        s.call("figure", s.package.MjrRect(30, 20, 200, 150), plot, s.context)
        found += [plot.xaxisdata.copy(), plot.yaxisdata.copy(), plot.yaxispixel.copy()]
    return found


EQUAL = {"finish, getError": errors, "rectangle": rectangle, "drawPixels, readPixels": draw_pixels, "findRect": find_rect,
         "maxViewport, MjrContext": sizes, "resizeOffscreen": resize, "blitBuffer": blit_buffer,
         "addAux, setAux, restoreBuffer, blitAux": auxiliary, "changeFont": change_font, "figure (axes)": axes}
PICTURES = {"render, setBuffer": render, "uploadTexture": upload_texture, "uploadHField": upload_hfield, "uploadMesh": upload_mesh}
LETTERS = {"text": text, "label": label, "overlay": overlay, "figure": figure}


def alike(ours, theirs, has_letters):
    """Similarity; letters, which have forms of their own, are looked at from further away."""
    if has_letters:
        ours, theirs = (image.reshape(HEIGHT // 4, 4, WIDTH // 4, 4, 3).mean((1, 3)) for image in (ours, theirs))
    return similarity(ours, theirs)


def outcome(function, studio):
    try:
        return function(studio)
    except Exception as error:  # pylint: disable=broad-except
        return f"{type(error).__name__}: {error}"


def flat(value):
    return np.concatenate([np.ravel(part) for part in value]) if isinstance(value, list) else np.ravel(value)


def judge(name, ours, theirs):
    """Whether two results agree, in words too."""
    if isinstance(ours, str) or isinstance(theirs, str):
        return ours == theirs, f"{ours}; MuJoCo: {theirs}"[:500]
    if name not in EQUAL:
        found = alike(ours, theirs, name in LETTERS)
        return found >= (LEAST_LETTERS if name in LETTERS else LIMITS["least"]), f"similarity {found:.4f}"
    ours, theirs = flat(ours).astype(float), flat(theirs).astype(float)
    # mixtures of colours are rounded
    close = ours.shape == theirs.shape and np.max(np.abs(ours - theirs), initial=0) <= (1 if name == "rectangle" else 0)
    different = ours != theirs
    return close, "equal" if close else f"differ: {ours[different][:8]}, MuJoCo {theirs[different][:8]}"


def main():
    if not is_available():
        sys.exit("OSMesa is not installed: apt-get install libosmesa6")
    import ligament
    import mujoco
    studios = Studio(ligament), Studio(mujoco)
    programs, bad = {**EQUAL, **PICTURES, **LETTERS}, 0
    for name, program in programs.items():
        ours, theirs = (outcome(program, studio) for studio in studios)
        good, found = judge(name, ours, theirs)
        print(f"mjr_{name}: {found}", flush=True)
        bad += not good
        if sys.argv[1:] and name not in EQUAL:
            from PIL import Image
            Image.fromarray(np.concatenate([ours, theirs], axis=1)[::-1]).save(f"{sys.argv[1]}/{name.split(',')[0]}.png")
    print(f"{bad} of {len(programs)} differ")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())

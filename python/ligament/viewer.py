"""The viewer: a page in the browser, served to this machine alone.

>>> ligament.viewer.launch(model, data)              # returns when the page is closed

>>> with ligament.viewer.launch_passive(model, data) as viewer:
...     while viewer.is_running():
...         ligament.mj_step(model, data)
...         viewer.sync()

Nothing needs to be installed, no display and no driver; ``mjpython`` is not needed on any system.
"""

import os
import posixpath
import sys
import threading
import time
import webbrowser
import weakref

import numpy as np

from ligament import _core
from ligament._enums import mjtFont, mjtFontScale, mjtGridPos
from ligament._functions import mj_forward
from ligament._render import MjrRect
from ligament._scene import MjvCamera, MjvOption, MjvPerturb, MjvScene, mjv_defaultFreeCamera
from ligament._structs import MjData, MjModel

_MAX_USER_GEOMS = 10000
_KEY_INTERVAL = 0.02
_BINARY = (".mjb", ".lig")


def _announce(address, opens):
    print(f"viewer: {address}", file=sys.stderr, flush=True)
    if opens:
        # a browser in the terminal would take the terminal
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _opens(browser):
    return not os.environ.get("LIGAMENT_VIEWER_NO_BROWSER") if browser is None else browser


class Handle:
    """A viewer that watches while the program makes the steps. Call `sync` after each step, or as often as is useful."""

    def __init__(self, model, data, key_callback=None, browser=None, port=0):
        self._m, self._d = model, data
        self._cam, self._opt, self._pert = MjvCamera(), MjvOption(), MjvPerturb()
        mjv_defaultFreeCamera(model, self._cam)
        self._user_scn = MjvScene(model, _MAX_USER_GEOMS)
        self._lock = threading.RLock()
        self._native = _core.PassiveViewer(model, data, "model", port)
        self._images, self._figures = [], []
        if key_callback is not None:
            threading.Thread(target=_listen, args=(weakref.ref(self), self._native, key_callback), daemon=True).start()
        _announce(self.address, _opens(browser))

    @property
    def address(self):
        """Where the page is."""
        return self._native.address()

    @property
    def cam(self):
        """The camera; changes by either side are seen by the other after the next `sync`."""
        return self._cam

    @property
    def opt(self):
        """What is drawn."""
        return self._opt

    @property
    def perturb(self):
        """What is selected and how it is pulled."""
        return self._pert

    pert = perturb

    @property
    def user_scn(self):
        """A scene whose geoms are drawn in addition: fill `geoms` and set `ngeom`."""
        return self._user_scn

    @property
    def viewport(self):
        """The picture on the page, in the units in which images and plots are placed; empty before there is a page."""
        return MjrRect(0, 0, *self._native.size())

    @property
    def m(self):
        return self._m

    @property
    def d(self):
        return self._d

    def lock(self):
        """A lock for programs whose threads share the viewer."""
        return self._lock

    def sync(self, state_only=False):
        """Shows the present state, and lets the user's hand act on it: pushes, sliders, reset."""
        if not self.is_running():
            return
        with self._lock:
            self._native.sync(self._m, self._d, self._cam, self._opt, self._pert, self._user_scn, bool(state_only))

    def is_running(self):
        """False once the page was closed or `close` was called."""
        return self._native.is_running()

    def close(self):
        self._native.close()

    def update_hfield(self, hfieldid):
        """Shows a changed height field."""
        self._update(hfieldid, self._m.nhfield, "hfield")

    def update_mesh(self, meshid):
        """Shows a changed mesh."""
        self._update(meshid, self._m.nmesh, "mesh")

    def update_texture(self, texid):
        """Shows a changed texture."""
        self._update(texid, self._m.ntex, "texture")

    def _update(self, number, count, what):
        if not 0 <= number < count:
            raise IndexError(f"{what} {number} does not exist: the model has {count}")
        self._native.update_assets(self._m)

    def set_texts(self, texts):
        """Shows texts over the picture: one or several of (font, place, left column, right column). The font is a
        mjtFontScale or a mjtFont, the place a mjtGridPos."""
        place = mjtGridPos.mjGRID_TOPLEFT
        self._native.set_texts([(_percent(font), int(place if at is None else at), left or "", right or "")
                                for font, at, left, right in _pairs(texts)])

    def clear_texts(self):
        self._native.set_texts([])

    def set_images(self, viewports_images):
        """Shows images over the picture: one or several of (MjrRect, array of bytes (height, width, 3))."""
        self._images = [(rect, _image(rect, image)) for rect, image in _pairs(viewports_images)]
        self._show_images()

    def clear_images(self):
        self._images = []
        self._show_images()

    def set_figures(self, viewports_figures):
        """Shows plots over the picture: one or several of (MjrRect, MjvFigure)."""
        self._figures = [(rect, _figure(rect, figure)) for rect, figure in _pairs(viewports_figures)]
        self._show_images()

    def clear_figures(self):
        self._figures = []
        self._show_images()

    def _show_images(self):
        both = self._figures + self._images
        self._native.set_images([(int(rect.left), int(rect.bottom), image) for rect, image in both])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def _percent(font):
    """Size of letters; fonts without a size have MuJoCo's usual one."""
    if font is None or font in (mjtFont.mjFONT_NORMAL, mjtFont.mjFONT_SHADOW):
        return int(mjtFontScale.mjFONTSCALE_150)
    if font == mjtFont.mjFONT_BIG:
        return 2 * int(mjtFontScale.mjFONTSCALE_150)
    return int(mjtFontScale(font))


def _pairs(given):
    return [given] if isinstance(given, tuple) else list(given)


def _image(rect, image):
    image = np.asarray(image)
    if image.shape[:2] != (rect.height, rect.width):
        raise ValueError(f"Image shape {image.shape[:2]} does not match target shape {(rect.height, rect.width)}")
    if image.shape != (rect.height, rect.width, 3) or image.dtype != np.uint8:
        raise ValueError(f"an image has bytes of shape (height, width, 3), got {image.dtype} of shape {image.shape}")
    return np.ascontiguousarray(image)


def _figure(rect, figure):
    """A plot as an image."""
    if rect.width < 1 or rect.height < 1:
        return np.zeros((0, 0, 3), np.uint8)
    corners = 0, 0, int(rect.width), int(rect.height)
    canvas = _core.Canvas(None, corners[2], corners[3], 4)
    canvas.figure(corners, (int(mjtFontScale.mjFONTSCALE_100), int(mjtFont.mjFONT_NORMAL)), figure)
    pixels = np.zeros((corners[3], corners[2], 3), np.uint8)
    canvas.read(pixels, None, corners, False)
    return np.ascontiguousarray(pixels[::-1])


def _listen(handle, native, key_callback):
    """Calls a function for every key that is pressed in the page."""
    while native.is_running() and handle() is not None:
        for key in native.take_keys():
            key_callback(key)
        time.sleep(_KEY_INTERVAL)


def launch_passive(model, data, *, key_callback=None, show_left_ui=True, show_right_ui=True, browser=None, port=0):
    """Opens a viewer and returns at once; see `Handle`. `browser=False` only prints the address.

    `show_left_ui` and `show_right_ui` say which panels the page opens with.
    """
    if not isinstance(model, MjModel):
        raise ValueError(f"`model` is not a MjModel: got {model!r}")
    if not isinstance(data, MjData):
        raise ValueError(f"`data` is not a MjData: got {data!r}")
    if key_callback is not None and not callable(key_callback):
        raise ValueError(f"`key_callback` is not callable: got {key_callback!r}")
    mj_forward(model, data)
    handle = Handle(model, data, key_callback, browser, port)
    handle._native.show_panels(bool(show_left_ui), bool(show_right_ui))
    return handle


def launch(model=None, data=None, *, loader=None, show_left_ui=True, show_right_ui=True, browser=None, port=0):
    """Simulates in a viewer until its page is closed. `loader` makes a model and a state, again when asked to reload.
    Without a model the world is empty: drop a file on the page. `show_left_ui` and `show_right_ui` say which panels the page opens with."""
    if model is None and data is not None:
        raise ValueError("mjData is specified but mjModel is not")
    if callable(model) and data is not None:
        raise ValueError("mjData should not be specified when an mjModel loader is used")
    if loader is not None and model is not None:
        raise ValueError("model and loader are both specified")
    if callable(model):
        loader = model
    if loader is None:
        model = MjModel.from_xml_string("<mujoco/>") if model is None else model
        given = model, MjData(model) if data is None else data
    else:
        given = loader()[:2]
    _run(*given, loader, browser, port, panels=(bool(show_left_ui), bool(show_right_ui)))


def launch_from_path(path, *, browser=None, port=0):
    """Simulates a file in a viewer until its page is closed."""
    path = os.fspath(path)
    read = MjModel.from_binary_path if path.endswith(_BINARY) else MjModel.from_xml_path

    def load():
        model = read(path)
        return model, MjData(model)

    _run(*load(), load, browser, port, os.path.basename(path))


def _run(model, data, loader, browser, port, name="model", panels=(True, True)):
    mj_forward(model, data)
    native = _core.ActiveViewer(model, name, port)
    native.show_panels(*panels)
    _announce(native.address(), _opens(browser))
    while True:
        asked = native.turn(model, data)
        if "quit" in asked:
            return
        wanted, title = loader, name
        if "open" in asked:
            wanted, title = _opener(native.take_files())
        elif "reload" not in asked or loader is None:
            continue
        try:
            model, data = wanted()[:2]
        except Exception as error:  # the last good model stays
            native.complain(str(error))
        else:
            loader, name = wanted, title
            mj_forward(model, data)
            native.replace(model, name)


def _opener(files):
    """A function that loads a model from files that were dropped on the page, by name, and its name. It sees no others."""
    endings = (".xml", ".urdf", ".lig", ".mjb")
    ranks = [(endings.index(ending), name.count("/"), name) for name in files
             if (ending := posixpath.splitext(name)[1].lower()) in endings]

    def load():
        if not ranks:
            raise ValueError("none of these files is a model: drop a .xml, .urdf, .mjb or .lig file, with the files it needs")
        place = posixpath.dirname(chosen) or "."
        near = {posixpath.relpath(name, place): content for name, content in files.items()}
        if chosen.endswith(_BINARY):
            model = MjModel.from_binary_path(posixpath.basename(chosen), near)
        else:
            model = MjModel.from_xml_string(files[chosen].decode("utf-8"), near)
        return model, MjData(model)

    chosen = min(ranks)[2] if ranks else ""
    return load, posixpath.basename(chosen)


class Recorder:
    """Keeps a simulation as one HTML file that plays anywhere and lets the camera move.

    >>> recorder = Recorder(model)
    >>> while data.time < 3:
    ...     ligament.mj_step(model, data)
    ...     recorder.capture(data)          # keeps at most `fps` states per simulated second
    >>> recorder.save("run.html")
    """

    def __init__(self, model, fps=30, name="recording"):
        if not fps > 0:
            raise ValueError(f"fps should be positive, not {fps}")
        self._model, self._interval, self._next = model, 1.0 / fps, None
        self._native = _core.SceneRecorder(model, name)

    def capture(self, data, camera=None, option=None, user_scn=None):
        """Adds the present state unless the last one is too near; returns whether it did."""
        if self._next is not None and self._next - self._interval <= data.time < self._next - 1e-9:
            return False
        self._native.capture(self._model, data, camera, option, user_scn)
        self._next = data.time + self._interval
        return True

    def __len__(self):
        return len(self._native)

    def html(self):
        """The page as text."""
        if not len(self):
            raise ValueError("nothing was captured: call capture(data) first")
        return self._native.html()

    def save(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html())

    def _repr_html_(self):
        return _frame(srcdoc=self.html())


def _frame(height=520, **source):
    from html import escape

    attributes = " ".join(f'{name}="{escape(value, quote=True)}"' for name, value in source.items())
    return f'<iframe {attributes} width="100%" height="{height}" style="border:0;border-radius:12px"></iframe>'


class Shown(Handle):
    """A passive viewer inside a notebook."""

    def __init__(self, model, data, height=520, port=0):
        self._height = height
        super().__init__(model, data, browser=False, port=port)

    def _repr_html_(self):
        return _frame(self._height, src=self.address)


def show(model, data, *, height=520, port=0):
    """A viewer inside a notebook: shows the state of the last `sync`. The notebook must run on this machine."""
    mj_forward(model, data)
    return Shown(model, data, height, port)


if __name__ == "__main__":
    import argparse

    _parser = argparse.ArgumentParser(description="Simulates a model in a viewer until its page is closed.")
    _parser.add_argument("--mjcf", help="the model; without one, drop a file on the page")
    _options = _parser.parse_args()
    if _options.mjcf is None:
        launch()
    else:
        launch_from_path(os.path.expanduser(_options.mjcf))

"""Pictures of scenes, under the names of MuJoCo. There is no OpenGL behind them: a context is a buffer in memory."""

import weakref

import numpy as np

from ligament import _core
from ligament._core import FatalError
from ligament._enums import mjtDepthMap, mjtFont, mjtFramebuffer

__all__ = ["MjrContext", "MjrRect", "mjr_addAux", "mjr_blitAux", "mjr_blitBuffer", "mjr_changeFont", "mjr_drawPixels", "mjr_figure", "mjr_findRect", "mjr_finish",
           "mjr_getError", "mjr_label", "mjr_maxViewport", "mjr_overlay", "mjr_readPixels", "mjr_rectangle", "mjr_render",
           "mjr_resizeOffscreen", "mjr_restoreBuffer", "mjr_setAux", "mjr_setBuffer", "mjr_text", "mjr_uploadHField", "mjr_uploadMesh",
           "mjr_uploadTexture"]

_GL_RGB, _GL_BGR = 0x1907, 0x80E0
_NAUX = 10


class MjrRect:
    """A rectangle of pixels, from the lower left corner."""

    __slots__ = ("left", "bottom", "width", "height")
    __hash__ = None

    def __init__(self, left, bottom, width, height):
        self.left, self.bottom, self.width, self.height = int(left), int(bottom), int(width), int(height)

    def _corners(self):
        return int(self.left), int(self.bottom), int(self.width), int(self.height)

    def __copy__(self):
        return MjrRect(*self._corners())

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __eq__(self, other):
        return self._corners() == other._corners() if isinstance(other, MjrRect) else NotImplemented

    def __repr__(self):
        lines = "\n".join(f"  {name}: {getattr(self, name)}" for name in sorted(self.__slots__))
        return f"<MjrRect\n{lines}\n>"


def _single(number):
    """As single precision holds it."""
    return float(np.float32(number))


class MjrContext:
    """Where pictures are made: surfaces and textures of a model, and a buffer of pixels.

    Handles of OpenGL objects, which MuJoCo lists here, are zero.
    """

    _HANDLES = ("offFBO_r", "offColor", "offColor_r", "offDepthStencil", "offDepthStencil_r", "shadowFBO", "shadowTex",
                "basePlane", "baseMesh", "baseHField", "baseBuiltin", "baseFontNormal", "baseFontShadow", "baseFontBig",
                "rangePlane", "rangeMesh", "rangeHField", "rangeBuiltin", "rangeFont", "windowSamples", "windowStereo",
                "windowDoublebuffer", "windowAvailable", "offFBO")
    _SETTINGS = ("lineWidth", "shadowClip", "shadowScale", "shadowSize", "fogStart", "fogEnd", "offWidth", "offHeight",
                 "offSamples", "fontScale", "ntexture", "nskin", "charHeight", "charHeightBig", "glInitialized",
                 "currentBuffer", "readPixelFormat", "readDepthMap")

    def __init__(self, model=None, fontscale=100):
        for name in (*self._HANDLES, *self._SETTINGS):
            setattr(self, name, 0)
        self.fogRGBA = np.zeros(4, np.float32)
        self.auxWidth, self.auxHeight, self.auxSamples = (np.zeros(_NAUX, np.int32) for _ in range(3))
        self.auxFBO, self.auxFBO_r, self.auxColor, self.auxColor_r = (np.zeros(_NAUX, np.uint32) for _ in range(4))
        self.charWidth, self.charWidthBig = np.zeros(127, np.int32), np.zeros(127, np.int32)
        self._canvas = None
        if model is not None:
            self._make(model, int(fontscale))

    def _make(self, model, fontscale):
        vis, extent = model.vis, model.stat.extent
        self.lineWidth = vis.global_.linewidth
        self.shadowClip, self.shadowScale = _single(extent * vis.map.shadowclip), vis.map.shadowscale
        self.shadowSize = vis.quality.shadowsize
        self.fogStart, self.fogEnd = _single(extent * vis.map.fogstart), _single(extent * vis.map.fogend)
        self.fogRGBA[:] = vis.rgba.fog
        self.offWidth, self.offHeight = vis.global_.offwidth, vis.global_.offheight
        self.offSamples = 4 if vis.quality.offsamples else 0
        self.ntexture, self.nskin = model.ntex, model.nskin
        self.offFBO = self.glInitialized = 1
        self.currentBuffer = int(mjtFramebuffer.mjFB_OFFSCREEN)
        self.readPixelFormat = _GL_RGB
        self.readDepthMap = int(mjtDepthMap.mjDEPTH_ZERONEAR)
        self._canvas = _core.Canvas(model, self.offWidth, self.offHeight, self.offSamples)
        mjr_changeFont(fontscale, self)

    def _checked(self):
        if self._canvas is None:
            raise FatalError("the context was made without a model, or freed")
        _last[:] = [weakref.ref(self)]
        return self._canvas

    def free(self):
        """Lets go of the memory."""
        self._canvas = None
        self.offFBO = 0


def mjr_render(viewport, scn, con):
    """Draws a scene on a rectangle of the buffer."""
    canvas = con._checked()
    canvas.configure(con.lineWidth, (con.shadowClip, con.shadowScale, int(con.shadowSize)),
                     (con.fogStart, con.fogEnd, con.fogRGBA.tolist()), int(con.fontScale))
    canvas.render(viewport._corners(), scn)


def mjr_readPixels(rgb, depth, viewport, con):
    """Copies colours and depths into arrays, from the lowest row of pixels upwards."""
    canvas = con._checked()
    canvas.choose_auxiliary(None)
    canvas.read(rgb, depth, viewport._corners(), con.readPixelFormat == _GL_BGR)
    if depth is not None and con.readDepthMap == mjtDepthMap.mjDEPTH_ZERONEAR:
        np.subtract(1, depth, out=depth)


def mjr_setBuffer(framebuffer, con):
    """Draws on the buffer for pictures again: there is no window."""
    con._checked().choose_auxiliary(None)


def mjr_restoreBuffer(con):
    """Draws on the buffer for pictures again."""
    con._checked().choose_auxiliary(None)


def mjr_addAux(index, width, height, samples, con):
    """Makes an auxiliary buffer in place of the one that had this number; without width or height, that one goes away."""
    index, width, height = int(index), int(width), int(height)
    samples = 4 if int(samples) > 0 else 0
    con._checked().add_auxiliary(index, width, height, samples)
    there = width > 0 and height > 0
    con.auxFBO[index] = con.auxFBO_r[index] = con.auxColor[index] = con.auxColor_r[index] = there
    if there:
        con.auxWidth[index], con.auxHeight[index], con.auxSamples[index] = width, height, samples


def mjr_setAux(index, con):
    """Draws on an auxiliary buffer, until mjr_restoreBuffer, mjr_setBuffer, mjr_readPixels or mjr_blitAux."""
    con._checked().choose_auxiliary(int(index))


def mjr_blitAux(index, src, left, bottom, con):
    """Copies a rectangle of an auxiliary buffer to a place of the buffer for pictures."""
    canvas = con._checked()
    canvas.copy_auxiliary(int(index), src._corners(), int(left), int(bottom))
    canvas.choose_auxiliary(None)


def mjr_resizeOffscreen(width, height, con):
    """Changes the size of the buffer; its content is lost."""
    if (con.offWidth, con.offHeight) != (width, height):
        con._checked().resize(int(width), int(height), int(con.offSamples))
        con.offWidth, con.offHeight = int(width), int(height)


def mjr_maxViewport(con):
    """The whole buffer."""
    return MjrRect(0, 0, con.offWidth, con.offHeight)


def mjr_findRect(x, y, nrect, rect):
    """0 if a point is in the rectangle, -1 if not."""
    inside = rect.left <= x < rect.left + rect.width and rect.bottom <= y < rect.bottom + rect.height
    return 0 if nrect > 0 and inside else -1


def mjr_uploadMesh(m, con, meshid):
    """Takes over a changed mesh."""
    con._checked().upload_mesh(m, int(meshid))


def mjr_uploadHField(m, con, hfieldid):
    """Takes over a changed height field."""
    con._checked().upload_height_field(m, int(hfieldid))


def mjr_uploadTexture(m, con, texid):
    """Takes over a changed texture."""
    con._checked().upload_texture(m, int(texid))


def mjr_finish():
    """Pictures are finished when the functions that make them return."""


def mjr_getError():
    """There is no OpenGL that could have an error."""
    return 0


def mjr_changeFont(fontscale, con):
    """Changes the size of texts."""
    con.fontScale = min(max(50 * round(int(fontscale) / 50), 50), 300)
    for kind, widths, height in ((mjtFont.mjFONT_NORMAL, con.charWidth, "charHeight"),
                                 (mjtFont.mjFONT_BIG, con.charWidthBig, "charHeightBig")):
        widths[32:], size = _core._letter_size(con.fontScale, int(kind))
        setattr(con, height, size)


def mjr_blitBuffer(src, dst, flg_color, flg_depth, con):
    """There is no second buffer to copy to: nothing happens, as in MuJoCo without a window."""


def mjr_drawPixels(rgb, depth, viewport, con):
    """Copies colours and depths from arrays into the buffer."""
    con._checked().write(rgb, depth, viewport._corners())


# mjr_rectangle is not told where to draw: on what was drawn on last
_last = []


def mjr_rectangle(viewport, r, g, b, a):
    """Fills a rectangle of the buffer that was used last."""
    if _last and _last[0]() is not None:
        _last[0]()._checked().rectangle(viewport._corners(), [r, g, b, a])


def mjr_label(viewport, font, txt, r, g, b, a, rt, gt, bt, con):
    """Fills a rectangle and writes a text in its middle."""
    con._checked().label(viewport._corners(), (int(con.fontScale), int(font)), txt, [r, g, b, a], [rt, gt, bt])


def mjr_text(font, txt, con, x, y, r, g, b):
    """Writes a text; its place is relative to the size of the buffer."""
    con._checked().text((int(con.fontScale), int(font)), txt, x, y, [r, g, b])


def mjr_overlay(font, gridpos, viewport, overlay, overlay2, con):
    """Writes texts in a corner or at a side, in one column or two."""
    if viewport.width > 0 and viewport.height > 0:
        con._checked().overlay((int(con.fontScale), int(font)), int(gridpos), viewport._corners(), overlay, overlay2 or "")


def mjr_figure(viewport, fig, con):
    """Draws a plot."""
    if viewport.width > 0 and viewport.height > 0:
        con._checked().figure(viewport._corners(), (int(con.fontScale), int(mjtFont.mjFONT_NORMAL)), fig)

"""Textures of a model as PNG files."""

import struct
import zlib

import numpy as np

_COLOR_TYPES = {1: 0, 2: 4, 3: 2, 4: 6}


def _chunk(kind, content):
    check = zlib.crc32(kind + content)
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check)


def png(pixels):
    """A picture (height, width, channels) of bytes as the content of a PNG file."""
    height, width, channels = pixels.shape
    rows = np.ascontiguousarray(pixels, dtype=np.uint8).reshape(height, -1)
    filtered = np.hstack([np.zeros((height, 1), dtype=np.uint8), rows])
    header = struct.pack(">IIBBBBB", width, height, 8, _COLOR_TYPES[channels], 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(filtered.tobytes()))
            + _chunk(b"IEND", b""))


def texture(model, number):
    """The pixels of a texture, first row at the top: pictures of OpenUSD begin at the bottom."""
    shape = model.tex_height[number], model.tex_width[number], model.tex_nchannel[number]
    start = model.tex_adr[number]
    return model.tex_data[start:start + int(np.prod(shape))].reshape(shape)[::-1]

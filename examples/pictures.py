"""What the examples share: pictures as PNG files, and strips of them, with nothing installed but NumPy."""

import pathlib
import struct
import zlib

import numpy as np


def save_png(path, pixels):
    """Writes an (height, width, 3) array of bytes."""
    height, width, _ = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in np.ascontiguousarray(pixels, dtype=np.uint8))

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    path = pathlib.Path(path)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9))
                     + chunk(b"IEND", b""))
    return path


def strip(pictures):
    """Pictures side by side, with a thin white line between them."""
    line = np.full((pictures[0].shape[0], 2, 3), 255, np.uint8)
    return np.concatenate([part for picture in pictures for part in (picture, line)][:-1], axis=1)


def plot(values, height=12, width=72, label=""):
    """A curve as text."""
    values = np.interp(np.linspace(0, len(values) - 1, width), np.arange(len(values)), np.asarray(values, dtype=float))
    low, high = float(values.min()), float(values.max())
    rows = np.round((values - low) / max(high - low, 1e-12) * (height - 1)).astype(int)
    lines = ["".join("*" if row == level else " " for row in rows) for level in reversed(range(height))]
    lines[0] += f"  {high:.3g}"
    lines[-1] += f"  {low:.3g}"
    return "\n".join([label, *lines] if label else lines)

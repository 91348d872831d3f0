"""Models and states as text."""

import re

import numpy as np

from ligament import _core

__all__ = ["mj_printData", "mj_printFormattedData", "mj_printFormattedModel", "mj_printFormattedScene",
           "mj_printModel", "mj_printScene", "mj_printSchema", "mju_printMat", "mju_printMatSparse"]


def _numbers(array, number_format):
    def one(value):
        return number_format % value if isinstance(value, (float, np.floating)) else str(value)
    rows = array.reshape(len(array), -1) if array.ndim else array.reshape(1, 1)
    return [" ".join(one(value) for value in row) for row in rows]


def _lines(name, value, number_format):
    """One field: short ones on one line, arrays row by row."""
    if isinstance(value, bytes):
        return [f"{name:<22}{value.replace(bytes(1), b' ').decode(errors='replace')}"]
    array = np.asarray(value)
    if array.size == 0:
        return []
    if array.size == 1:
        return [f"{name:<22}{_numbers(array.reshape(1), number_format)[0]}"]
    rows = _numbers(array, number_format)
    return [name, *(f"  {i:>5}: {row}" for i, row in enumerate(rows)), ""]


def _settings(settings, number_format):
    for name in settings._fields():
        yield from _lines(f"  {name}", getattr(settings, name), number_format)


def _check_format(number_format):
    """A format that cannot be used is an error before the file is touched."""
    if not isinstance(number_format, str):
        raise TypeError("float_format should be text")
    if re.search(r"\d{4}|\*", number_format):
        raise ValueError(f"float_format '{number_format}' asks for more than 999 characters")
    try:
        number_format % 0.0
    except (TypeError, ValueError) as error:
        raise ValueError(f"float_format '{number_format}' is not a printf format for one number: {error}") from None


def mj_printFormattedModel(m, filename, float_format):
    """Writes all of a model to a text file; ``float_format`` is a printf format for one number."""
    _check_format(float_format)
    lines = ["SIZES"]
    for name in m._size_fields:
        lines += _lines(f"  {name}", getattr(m, name), float_format)
    lines += ["", "OPTION", *_settings(m.opt, float_format), "", "STATISTIC", *_settings(m.stat, float_format)]
    for group in m.vis._GROUPS:
        lines += ["", f"VISUAL {group.strip('_').upper()}", *_settings(getattr(m.vis, group), float_format)]
    lines += [""]
    for name in _core.MjModel._field_names():
        lines += _lines(name, getattr(m, name), float_format)
    _write(filename, lines)


def mj_printModel(m, filename):
    """Writes all of a model to a text file."""
    mj_printFormattedModel(m, filename, "%- 9.2g")


def mj_printFormattedData(m, d, filename, float_format):
    """Writes all of a state to a text file; ``float_format`` is a printf format for one number."""
    _check_format(float_format)
    lines = ["SIZES"]
    for name in _core.MjData._scalar_names():
        lines += _lines(f"  {name}", getattr(d, name), float_format)
    lines += [""]
    for name in ("energy", "solver_niter", "solver_nnz", "solver_fwdinv", *dict(_core.MjData._field_names())):
        lines += _lines(name, getattr(d, name), float_format)
    for i, contact in enumerate(d.contact):
        lines += [f"CONTACT {i}"]
        for name in contact._FIELDS:
            lines += _lines(f"  {name}", np.reshape(getattr(contact, name), (1, -1)), float_format)
    _write(filename, lines)


def mj_printData(m, d, filename):
    """Writes all of a state to a text file."""
    mj_printFormattedData(m, d, filename, "%- 9.2g")


def _fields(record):
    return [name for name in dir(type(record)) if not name.startswith("_") and not callable(getattr(record, name))]


def mj_printFormattedScene(s, filename, float_format):
    """Writes all of a scene to a text file; ``float_format`` is a printf format for one number."""
    _check_format(float_format)
    lines = []
    for title, records in (("GEOM", s.geoms[:s.ngeom]), ("LIGHT", s.lights[:s.nlight]), ("CAMERA", s.camera)):
        lines += [f"{title}S {len(records)}"]
        for i, record in enumerate(records):
            lines += [f"  {title} {i}"]
            for name in _fields(record):
                value = np.reshape(getattr(record, name), (1, -1))
                lines += [f"    {name:<20}{_numbers(value, float_format)[0]}"]
        lines += [""]
    for name in [name for name in _fields(s) if name not in ("geoms", "lights", "camera", "model")]:
        lines += _lines(name, getattr(s, name), float_format)
    _write(filename, lines)


def mj_printScene(s, filename):
    """Writes all of a scene to a text file."""
    mj_printFormattedScene(s, filename, "%- 9.2g")


def _write(filename, lines):
    with open(filename, "w") as file:
        file.write("\n".join(lines) + "\n")


def mj_printSchema(flg_html, flg_pad):
    """The elements and attributes of MJCF, as text or as an HTML table."""
    rows = _core._schema()
    space = "&nbsp;" if flg_html and flg_pad else " "
    marks = {"once": "!", "optional": "?", "any": "*", "recursive": "R"}
    if flg_html:
        cells = (f"<tr><td>{space * 6 * depth}{name} ({marks[occurrence]})</td><td>{' '.join(attributes)}</td></tr>"
                 for depth, name, occurrence, attributes in rows)
        return "<table>\n" + "\n".join(cells) + "\n</table>\n"
    lines = []
    for depth, name, occurrence, attributes in rows:
        head = f"{'   ' * depth}{name} ({marks[occurrence]})".ljust(30)
        for start in range(0, max(len(attributes), 1), 4):
            lines.append(head + " ".join(attributes[start:start + 4]))
            head = " " * 30
    return "\n".join(lines) + "\n"


def mju_printMat(mat):
    """Prints a matrix."""
    print("\n".join(_numbers(np.atleast_2d(np.asarray(mat, dtype=float)), "%.8f")), end="\n\n")


def mju_printMatSparse(mat, rownnz, rowadr, colind):
    """Prints a sparse matrix, one line a row."""
    for count, start in zip(rownnz, rowadr):
        print(" ".join(f"({colind[k]}: {mat[k]:.8f})" for k in range(start, start + count)))
    print()

"""A wheel called ``mujoco`` that contains nothing but the alias."""

import base64
import hashlib
import pathlib
import re
import zipfile

from ligament import compat

_INIT = '''"""Ligament under the name mujoco."""

import sys

from ligament.compat import present

present(sys.modules[__name__])
'''
_TAG = "Wheel-Version: 1.0\nGenerator: ligament\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def write_wheel(directory, version=compat.VERSION):
    """Writes ``mujoco-VERSION-py3-none-any.whl`` into a directory and gives its path."""
    if not re.fullmatch(r"\d+(\.\d+)*([abc]|rc|\.post|\.dev)?\d*", version):
        raise ValueError(f"'{version}' is not a version")
    info = f"{compat.ALIAS}-{version}.dist-info"
    files = {f"{compat.ALIAS}/__init__.py": _INIT, f"{info}/METADATA": compat.metadata(version), f"{info}/WHEEL": _TAG}
    rows = [f"{name},sha256={_digest(text)},{len(text.encode())}" for name, text in files.items()]
    files[f"{info}/RECORD"] = "\n".join([*rows, f"{info}/RECORD,,", ""])
    target = pathlib.Path(directory) / f"{compat.ALIAS}-{version}-py3-none-any.whl"
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), text)
    return target


def _digest(text):
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()

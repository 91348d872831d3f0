"""Specifications in zip files."""

import contextlib
import os
import zipfile


# bytes that the files of an archive may have together: twice as much is the memory of a model
LARGEST = 1 << 29


def _opened(file, mode):
    """A file by name, or one that someone else closes."""
    return open(file, mode) if isinstance(file, str) else contextlib.nullcontext(file)


def read(file):
    """The text of the model in a zip file, and the other files in it by name."""
    with _opened(file, "rb") as source:
        if not zipfile.is_zipfile(source):
            raise ValueError(f"File {file} is not a zip file.")
        with zipfile.ZipFile(source) as archive:
            contents = _contents(archive)
    texts = [name for name in contents if name.endswith(".xml")]
    if not texts:
        raise ValueError("No XML file found in zip file.")
    folder = os.path.dirname(texts[-1]) or "."
    assets = {os.path.relpath(name, folder): data for name, data in contents.items() if not name.endswith(".xml")}
    return contents[texts[-1]].decode(), assets


def _contents(archive):
    """The files of an archive by name; what its directory says about their sizes is not trusted."""
    contents, left = {}, LARGEST
    for entry in archive.infolist():
        if entry.is_dir():
            continue
        with archive.open(entry) as file:
            contents[entry.filename] = file.read(left + 1)
        left -= len(contents[entry.filename])
        if left < 0:
            raise ValueError(f"'{entry.filename}' is too large: the files of an archive may have {LARGEST >> 20} MB together")
    return contents


def write(file, contents):
    """Writes files by name into a zip file."""
    if isinstance(file, str):
        os.makedirs(os.path.dirname(file) or ".", exist_ok=True)
    with _opened(file, "wb") as target, zipfile.ZipFile(target, "w") as archive:
        for name, data in contents.items():
            archive.writestr(zipfile.ZipInfo(name), data)

"""A layer of OpenUSD as text: prims with attributes that may change from frame to frame."""

import re

ROOT = "World"
FRAMES_PER_SECOND = 60


def identifier(name):
    """A name that OpenUSD accepts."""
    plain = re.sub(r"\W", "_", name, flags=re.ASCII) or "_"
    return f"_{plain}" if plain[0].isdigit() else plain


def number(x):
    return f"{float(x):.9g}"


def vector(values):
    return f"({', '.join(number(x) for x in values)})"


def vectors(rows):
    return f"[{', '.join(vector(row) for row in rows)}]"


def integers(values):
    return f"[{', '.join(str(int(x)) for x in values)}]"


def text(value):
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def transform(position, axes, scale=(1, 1, 1)):
    """A pose as a matrix that rows are multiplied by, as OpenUSD writes it; the columns of ``axes`` are the axes."""
    rows = [[*(axes[k][i] * scale[i] for k in range(3)), 0] for i in range(3)]
    return f"( {', '.join(vector(row) for row in (*rows, [*position, 1]))} )"


class Prim:
    """Something in the layer: attributes by name, each with its content from frame to frame."""

    def __init__(self, kind, name, header=""):
        self.kind, self.name, self.header, self.children = kind, name, header, {}
        self._attributes = {}

    def child(self, kind, name, header=""):
        """The prim of that name inside this one; made when it is first asked for."""
        if name not in self.children:
            self.children[name] = Prim(kind, name, header)
        return self.children[name]

    def set(self, attribute, content, frame=None):
        """Sets an attribute (type and name), for all frames or from one frame on."""
        if frame is None:
            self._attributes[attribute] = content
            return
        samples = self._attributes.setdefault(attribute, {})
        if not samples or samples[max(samples)] != content:
            samples[frame] = content

    def has(self, attribute):
        """Was an attribute set?"""
        return attribute in self._attributes

    def pose(self, matrix, frame=None):
        """Sets where it is."""
        self.set("matrix4d xformOp:transform", matrix, frame)
        self.set("uniform token[] xformOpOrder", '["xformOp:transform"]')

    def lines(self, indent=""):
        """The prim as text."""
        yield f"{indent}def {self.kind} {text(self.name)}{f' ({self.header})' if self.header else ''}"
        yield f"{indent}{{"
        for attribute, content in self._attributes.items():
            if not isinstance(content, dict):
                yield f"{indent}    {attribute} = {content}"
            elif list(content) == [0]:
                yield f"{indent}    {attribute} = {content[0]}"
            else:
                yield f"{indent}    {attribute}.timeSamples = {{"
                yield from (f"{indent}        {frame}: {sample}," for frame, sample in content.items())
                yield f"{indent}    }}"
        for child in self.children.values():
            yield ""
            yield from child.lines(indent + "    ")
        yield f"{indent}}}"


class Layer:
    """A whole file."""

    def __init__(self, below=None):
        self.world, self._below = Prim("Xform", ROOT), below

    def group(self, name):
        """A part of the world under which prims are collected."""
        return self.world.child("Scope", name)

    def text(self, frames):
        """The file, with that many frames."""
        head = ["#usda 1.0", "(", f'    defaultPrim = "{ROOT}"', f"    endTimeCode = {frames}", "    metersPerUnit = 1",
                "    startTimeCode = 0", f"    timeCodesPerSecond = {FRAMES_PER_SECOND}", '    upAxis = "Z"']
        if self._below:
            head.append(f"    subLayers = [@{self._below}@]")
        return "\n".join([*head, ")", "", *self.world.lines(), ""])

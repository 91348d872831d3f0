"""Takes out what MuJoCo complains about, so that the rest of a model can be compared."""

import re
from xml.etree import ElementTree as xml


def drop_refused(text, message):
    """The text without the element in the line of the message, or None when that does not help."""
    match = re.search(r"line (\d+)", message)
    if not match:
        return None
    lines = text.split("\n")[:int(match[1])]
    index = sum(bool(re.match(r"\s*<[^/?!]", line)) for line in lines) - 1
    root = xml.fromstring(text)
    elements = list(root.iter())
    if not 0 < index < len(elements):
        return None
    target = elements[index]
    parent = next(p for p in elements if target in list(p))
    parent.remove(target)
    return render(root)


def render(root):
    """One element a line."""
    xml.indent(root, " ")
    return xml.tostring(root, encoding="unicode")

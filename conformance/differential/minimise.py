"""Shrinks a model as long as it shows the same difference."""

import copy

from xml.etree import ElementTree as xml

from .repair import render


def minimise(text, interesting, budget=400):
    """Smallest text found for which ``interesting(text)`` holds."""
    root, left = xml.fromstring(text), [budget]

    def holds(candidate):
        left[0] -= 1
        return left[0] > 0 and interesting(render(candidate))

    changed = True
    while changed and left[0] > 0:
        changed = False
        for step in (drop_elements, unwrap_elements, drop_attributes):
            root, shrunk = step(root, holds)
            changed = changed or shrunk
    return render(root)


def drop_elements(root, holds):
    return shrink(root, holds, lambda element: [None], lambda parent, element, _: parent.remove(element))


def unwrap_elements(root, holds):
    """Children take the place of a frame, body or class."""
    def replace(parent, element, _):
        at = list(parent).index(element)
        parent[at:at + 1] = list(element)
    return shrink(root, holds, lambda element: [None] if len(element) and element.tag in
                  ("frame", "body", "default", "replicate") else [], replace)


def drop_attributes(root, holds):
    return shrink(root, holds, lambda element: list(element.attrib), lambda parent, element, name: element.attrib.pop(name))


def shrink(root, holds, options, change):
    """Tries every option at every element, from the last to the first."""
    shrunk = False
    position = sum(1 for _ in root.iter()) - 1
    while position > 0:
        elements = list(root.iter())
        if position < len(elements):
            for option in options(elements[position]):
                candidate = copy.deepcopy(root)
                nodes = list(candidate.iter())
                element = nodes[position]
                parent = next(p for p in nodes if element in list(p))
                change(parent, element, option)
                if holds(candidate):
                    root, shrunk = candidate, True
                    if option is None:
                        break
        position -= 1
    return root, shrunk

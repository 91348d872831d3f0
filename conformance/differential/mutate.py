"""Existing models with small random changes: mostly to see what is still accepted, and what then comes out."""

import copy
import random
from xml.etree import ElementTree as xml

from . import schema, values
from .repair import render

ODD_NUMBERS = ("0", "-1", "1", "2", "1e-12", "1e12", "-0.5", "0.001", "nan", "inf", "1.5", "3", "-3", "100")
ODD_WORDS = ("", " ", "abc", "true", "false", "auto", "1", "0 0 0", "1 2 3 4 5 6 7 8 9 10 11", "1 x 2", "0.1 0.2", "1,2")


def mutate(text, seed):
    """The text with one to three changes."""
    r = random.Random(seed)
    root = xml.fromstring(text)
    for _ in range(r.choice((1, 1, 2, 3))):
        elements = list(root.iter())
        r.choice((change_number, change_number, change_number, change_word, drop_attribute, drop_element,
                  repeat_element, add_attribute, add_attribute, borrow_value, rename, move_element))(r, root, elements)
    return render(root)


def with_attributes(r, elements):
    chosen = [element for element in elements if element.attrib]
    return r.choice(chosen) if chosen else None


def change_number(r, root, elements):
    element = with_attributes(r, elements)
    if element is None:
        return
    name = r.choice(list(element.attrib))
    parts = element.get(name).split()
    numbers = [i for i, part in enumerate(parts) if is_number(part)]
    if not numbers:
        return
    i = r.choice(numbers)
    old = float(parts[i])
    parts[i] = r.choice((values.number(old * r.uniform(0.5, 2)), values.number(-old), values.number(old + 0.1),
                         r.choice(ODD_NUMBERS)))
    if r.random() < 0.1:
        parts.append("1") if r.random() < 0.5 else parts.pop()
    element.set(name, " ".join(parts))


def is_number(text):
    try:
        float(text)
        return True
    except ValueError:
        return False


def change_word(r, root, elements):
    element = with_attributes(r, elements)
    if element is not None:
        element.set(r.choice(list(element.attrib)), r.choice(ODD_WORDS))


def drop_attribute(r, root, elements):
    element = with_attributes(r, elements)
    if element is not None:
        del element.attrib[r.choice(list(element.attrib))]


def parent_of(elements, child):
    return next((element for element in elements if child in list(element)), None)


def drop_element(r, root, elements):
    element = r.choice(elements)
    parent = parent_of(elements, element)
    if parent is not None:
        parent.remove(element)


def repeat_element(r, root, elements):
    element = r.choice(elements)
    parent = parent_of(elements, element)
    if parent is None:
        return
    twin = copy.deepcopy(element)
    if r.random() < 0.7:
        for node in twin.iter():
            if "name" in node.attrib:
                node.set("name", node.get("name") + "_twin")
    parent.append(twin)


def move_element(r, root, elements):
    element, target = r.choice(elements), r.choice(elements)
    parent = parent_of(elements, element)
    if parent is not None and target not in list(element.iter()):
        parent.remove(element)
        target.append(element)


def path_of(elements, element):
    """Path of the schema for an element, or None."""
    if element.tag == "worldbody":
        return "body"
    parts = [element.tag]
    parent = parent_of(elements, element)
    while parent is not None and parent.tag != "mujoco":
        parts.append("body" if parent.tag in ("worldbody", "frame", "replicate") else parent.tag)
        parent = parent_of(elements, parent)
    while len(parts) > 1 and parts[-1] in ("body", "default") and parts[-2] in ("body", "default"):
        parts.pop()
    path = "/".join(reversed(parts))
    return path if path in schema.attributes() else None


def add_attribute(r, root, elements):
    for _ in range(5):
        element = r.choice(elements)
        path = path_of(elements, element)
        if path and schema.attributes()[path]:
            name = r.choice(schema.attributes()[path])
            text = values.value(r, path, name)
            if text is not None:
                element.set(name, text)
                return


def borrow_value(r, root, elements):
    """A value of the same attribute elsewhere, or of any attribute."""
    element = with_attributes(r, elements)
    if element is None:
        return
    name = r.choice(list(element.attrib))
    others = [other.get(name) for other in elements if name in other.attrib] if r.random() < 0.8 else [
        value for other in elements for value in other.attrib.values()]
    element.set(name, r.choice(others))


def rename(r, root, elements):
    named = [element for element in elements if "name" in element.attrib]
    if named:
        r.choice(named).set("name", r.choice(named).get("name") if r.random() < 0.5 else "renamed")

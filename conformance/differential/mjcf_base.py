"""What all parts of the generator of models share."""

from xml.etree import ElementTree as xml

from . import schema, values

ORIENTATIONS = ("quat", "axisangle", "euler", "xyaxes", "zaxis")


class Base:
    """Choices, attributes and names."""

    def chance(self, probability):
        return self.r.random() < probability

    def fill(self, element, path, without=(), density=None):
        """Random attributes from the schema, at most one orientation among them."""
        density = self.density if density is None else density
        oriented = any(name in element.attrib for name in ORIENTATIONS)
        for name in schema.attributes()[path]:
            if name in element.attrib or name in without or self.r.random() > density:
                continue
            if name in ORIENTATIONS:
                if oriented:
                    continue
                oriented = True
            text = values.value(self.r, path, name)
            if text is not None:
                element.set(name, text)
        return element

    def name(self, kind, element):
        known = self.names.setdefault(kind, [])
        text = f"{kind}{len(known)}"
        known.append(text)
        element.set("name", text)
        return text

    def some(self, kind):
        """Name of an object of a kind, or None."""
        known = self.names.get(kind)
        return self.r.choice(known) if known else None

    def in_class(self, element):
        if self.classes and self.chance(0.3):
            element.set("class", self.r.choice(self.classes))

    def add(self, parent, tag):
        return xml.SubElement(parent, tag)

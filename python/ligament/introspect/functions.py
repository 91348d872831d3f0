"""The functions of the package: C declarations of their interface, descriptions of their own."""

import re

import ligament
from ligament.introspect._declarations import DECLARATIONS
from ligament.introspect.ast_nodes import ArrayType, FunctionDecl, FunctionParameterDecl, PointerType, ValueType

_FUNCTION = re.compile(r"(?P<kind>.+?[\s*])(?P<name>\w+)\((?P<parameters>.*)\)")
_PARAMETER = re.compile(r"(?P<kind>.+?[\s*])(?P<name>\w+)(?P<extents>(\[\d+\])*)")


def _type(text, extents=()):
    """A type as C writes it before the name, ``const mjtNum*``, with the extents written after the name."""
    words, stars = text.replace("*", "").split(), text.count("*")
    kind = ValueType(" ".join(word for word in words if word != "const"), is_const="const" in words)
    for _ in range(stars):
        kind = PointerType(kind)
    return ArrayType(kind, extents) if extents else kind


def _parameter(text):
    plain = text.removeprefix("nullable ")
    found = _PARAMETER.fullmatch(plain)
    extents = tuple(int(number) for number in re.findall(r"\d+", found["extents"]))
    return FunctionParameterDecl(found["name"], _type(found["kind"], extents), nullable=plain != text)


def _function(text):
    found = _FUNCTION.fullmatch(text)
    parameters = [_parameter(part.strip()) for part in found["parameters"].split(",") if part.strip()]
    doc = getattr(ligament, found["name"]).__doc__ or ""
    return FunctionDecl(found["name"], _type(found["kind"]), parameters, doc.strip())


def _paragraphs(text):
    """Declarations, each of which may go on in lines that are indented."""
    return re.sub(r"\n +", " ", text.strip()).splitlines()


FUNCTIONS = {function.name: function for function in map(_function, _paragraphs(DECLARATIONS))}

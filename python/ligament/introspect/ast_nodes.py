"""Declarations of types, structures and enumerations, under the names that the reference gives them."""

import dataclasses
from typing import Optional, Union


def _joined(*words):
    return " ".join(word for word in words if word)


@dataclasses.dataclass
class ValueType:
    """A type that is neither a pointer nor an array."""

    name: str
    is_const: bool = False
    is_volatile: bool = False
    nullable: bool = False

    def decl(self, name_or_decl: Optional[str] = None) -> str:
        """The declaration of something of this type."""
        return _joined("const" if self.is_const else "", "volatile" if self.is_volatile else "", self.name,
                       name_or_decl)

    def __str__(self):
        return self.decl()


@dataclasses.dataclass
class ArrayType:
    """An array of fixed size."""

    inner_type: Union[ValueType, "PointerType"]
    extents: tuple
    nullable: bool = False

    def __post_init__(self):
        self.extents = tuple(self.extents)

    def decl(self, name_or_decl: Optional[str] = None) -> str:
        """The declaration of something of this type."""
        return self.inner_type.decl((name_or_decl or "") + "".join(f"[{n}]" for n in self.extents))

    def __str__(self):
        return self.decl()


@dataclasses.dataclass
class PointerType:
    """A pointer."""

    inner_type: Union[ValueType, ArrayType, "PointerType"]
    nullable: bool = False
    is_const: bool = False
    is_volatile: bool = False
    is_restrict: bool = False

    def decl(self, name_or_decl: Optional[str] = None) -> str:
        """The declaration of something of this type."""
        marks = [mark for mark, is_set in (("nullable", self.nullable), ("const", self.is_const),
                                           ("volatile", self.is_volatile), ("restrict", self.is_restrict)) if is_set]
        text = _joined("*", *marks, name_or_decl)
        return self.inner_type.decl(f"({text})" if isinstance(self.inner_type, ArrayType) else text)

    def __str__(self):
        return self.decl()


@dataclasses.dataclass
class EnumDecl:
    """An enumeration."""

    name: str
    declname: str
    values: dict


@dataclasses.dataclass
class StructFieldDecl:
    """A field of a structure; ``array_extent`` names the sizes of what a pointer points to."""

    name: str
    type: Union[ValueType, ArrayType, PointerType, "StructDecl"]
    doc: str
    array_extent: Optional[tuple] = None

    def __str__(self):
        return self.type.decl(self.name)

    @property
    def decltype(self) -> str:
        return self.type.decl()


@dataclasses.dataclass
class StructDecl:
    """A structure."""

    name: str
    declname: str
    fields: tuple

    def __post_init__(self):
        self.fields = tuple(self.fields)

    def decl(self, name_or_decl: Optional[str] = None) -> str:
        """The declaration of something of this type."""
        return _joined(self.name, name_or_decl)


@dataclasses.dataclass
class FunctionParameterDecl:
    """A parameter of a function; an array keeps its extents, though C passes a pointer."""

    name: str
    type: Union[ValueType, ArrayType, PointerType]
    nullable: bool = False

    def __str__(self):
        return self.type.decl(self.name)

    @property
    def decltype(self) -> str:
        return self.type.decl()


@dataclasses.dataclass
class FunctionDecl:
    """A function."""

    name: str
    return_type: Union[ValueType, ArrayType, PointerType]
    parameters: tuple
    doc: str

    def __post_init__(self):
        self.parameters = tuple(self.parameters)

    def __str__(self):
        return f"{self.return_type} {self.name}({', '.join(map(str, self.parameters))})"

    @property
    def decltype(self) -> str:
        return f"{self.return_type} ({', '.join(parameter.decltype for parameter in self.parameters)})"

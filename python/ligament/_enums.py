"""The enumerations of the reference, made from the native table.

They are not those of Python's ``enum``: there, before Python 3.12, a member is found only after a search has failed,
which takes three times as long as an attribute.
"""

from types import MappingProxyType

from ligament import _core
from ligament._arguments import whole

__all__ = []


class Enumeration(type):
    """The class of enumerations: members by name (in brackets) and in order."""

    def __iter__(cls):
        return iter(dict.fromkeys(cls.__members__.values()))

    def __reversed__(cls):
        return reversed(list(cls))

    def __len__(cls):
        return len(cls._by_number)

    def __contains__(cls, value):
        return value in cls._by_number and not (isinstance(value, Numbered) and type(value) is not cls)

    def __getitem__(cls, name):
        return cls.__members__[name]

    def __setattr__(cls, name, value):
        raise AttributeError(f"members of {cls.__name__} cannot be changed")

    def __repr__(cls):
        return f"<enum '{cls.__name__}'>"


class Numbered(int, metaclass=Enumeration):
    """A member of an enumeration: a number with a name. All are true, as in the reference, zero too."""

    __members__, _by_number = {}, {}

    def __new__(cls, value):
        try:
            return cls._by_number[value]
        except (KeyError, TypeError):
            pass
        if isinstance(value, float) or not hasattr(value, "__int__"):
            raise TypeError(f"{cls.__name__} takes an integer, not {type(value).__name__}")
        number = whole(value)
        if number in cls._by_number:
            return cls._by_number[number]
        raise ValueError(f"Invalid int value for {cls.__name__}: {value}")

    def __setattr__(self, name, value):
        raise AttributeError(f"{self} cannot be changed")

    def __reduce__(self):
        return type(self), (int(self),)

    def __bool__(self):
        return True

    def __repr__(self):
        return f"<{self}: {int(self)}>"

    def __str__(self):
        return f"{type(self).__name__}.{self.name}"

    def __format__(self, spec):
        return format(int(self), spec) if spec else str(self)


def _enumeration(name, members):
    """A class with these members; a number has the first of its names."""
    by_number, by_name = {}, {}
    made = Enumeration(name, (Numbered,), {"__module__": __name__, "__doc__": f"Members: {', '.join(members)}."})
    for label, number in members.items():
        if number not in by_number:
            member = by_number[number] = int.__new__(made, number)
            member.__dict__.update(name=label, value=number)
        by_name[label] = by_number[number]
    for attribute, content in {**by_name, "__members__": MappingProxyType(by_name), "_by_number": by_number}.items():
        type.__setattr__(made, attribute, content)
    return made


def _publish(name, value):
    globals()[name] = value
    __all__.append(name)


for _name, _members, _counts in _core.enums():
    # The counts (mjNGEOMTYPES and so on) are members of the enumeration, and reachable by themselves.
    for _count, _value in _counts:
        _publish(_count, _value)
    _publish(_name, _enumeration(_name, {**dict(_members), **dict(_counts)}))

"""The enumerations of the reference, made from the native table."""

import enum

from ligament import _core

__all__ = []


class Numbered(enum.IntEnum):
    """An enumeration whose members are numbers and are shown by name."""

    __str__ = enum.Enum.__str__

    def __format__(self, spec):
        return format(int(self), spec) if spec else str(self)


def _publish(name, value):
    globals()[name] = value
    __all__.append(name)


for _name, _members, _counts in _core.enums():
    # The counts (mjNGEOMTYPES and so on) are members of the enumeration, and reachable by themselves.
    _class = Numbered(_name, {**dict(_members), **dict(_counts)}, module=__name__)
    for _member in _class.__members__.items():
        type.__setattr__(_class, *_member)  # found at once, where older versions of Python search
    for _count, _value in _counts:
        _publish(_count, _value)
    _publish(_name, _class)

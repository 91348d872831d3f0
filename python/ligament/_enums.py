"""The enumerations of the reference, made from the native table."""

import enum

from ligament import _core

__all__ = []


def _publish(name, value):
    globals()[name] = value
    __all__.append(name)


for _name, _members, _counts in _core.enums():
    # The counts (mjNGEOMTYPES and so on) are members of the enumeration, and reachable by themselves.
    _class = enum.IntEnum(_name, {**dict(_members), **dict(_counts)}, module=__name__)
    for _count, _value in _counts:
        _publish(_count, _value)
    _publish(_name, _class)

"""The enumerations, from the table they are made of."""

from ligament import _core
from ligament.introspect.ast_nodes import EnumDecl

ENUMS = {name: EnumDecl(name, f"enum {name}_", {**dict(members), **dict(counts)})
         for name, members, counts in _core.enums()}

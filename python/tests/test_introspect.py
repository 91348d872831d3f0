"""What the package says about itself agrees with what MuJoCo 3.5.0 says."""

import inspect

import ligament
import pytest
from ligament.introspect import enums, functions, structs

reference = pytest.importorskip("mujoco.introspect.functions")


def test_every_function_is_declared():
    callables = {name for name, value in vars(ligament).items()
                 if name.startswith(("mj_", "mju_", "mjv_", "mjr_", "mjd_")) and callable(value)}
    assert callables == functions.FUNCTIONS.keys()


def test_declarations_are_those_of_the_reference():
    for name, function in functions.FUNCTIONS.items():
        theirs = reference.FUNCTIONS[name]
        assert str(function) == str(theirs) and function.decltype == theirs.decltype
        assert repr(function.parameters) == repr(theirs.parameters), name


def test_every_function_has_a_description_of_its_own():
    assert not [name for name, function in functions.FUNCTIONS.items() if not function.doc]


def test_arguments_have_the_names_of_the_declaration():
    for name, function in functions.FUNCTIONS.items():
        declared = {parameter.name for parameter in function.parameters} | {"nstep", "from_"}
        assert set(inspect.signature(getattr(ligament, name)).parameters) <= declared, name


def extents(structure):
    """Sizes of the arrays of a structure; constants as numbers."""
    resolve = lambda size: getattr(ligament, size) if str(size).startswith("mjN") else size
    return {field.name: tuple(map(resolve, field.array_extent)) for field in structure.fields if field.array_extent}


def test_enumerations_and_structures_agree():
    from mujoco.introspect import enums as their_enums, structs as their_structs
    for name, declared in enums.ENUMS.items():
        assert declared.values == their_enums.ENUMS[name].values, name
    for name in ("mjModel", "mjData"):
        ours, theirs = extents(structs.STRUCTS[name]), extents(their_structs.STRUCTS[name])
        both = ours.keys() & theirs.keys()
        assert len(both) > 100
        assert {field: ours[field] for field in both} == {field: theirs[field] for field in both}

"""Names of the sizes of every array of a model and a state: rows, and numbers in a row."""

from ligament.introspect.structs import STRUCTS


def _extents(struct):
    return {field.name: (field.array_extent[0], str(field.array_extent[1]) if len(field.array_extent) > 1 else "1")
            for field in struct.fields if field.array_extent is not None}


MJMODEL_S, MJDATA_S = STRUCTS["mjModel"], STRUCTS["mjData"]
MJMODEL, MJDATA = _extents(MJMODEL_S), _extents(MJDATA_S)

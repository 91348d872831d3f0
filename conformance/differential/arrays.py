"""Arrays of the state in a form that can be compared."""

import numpy as np

SPARSE = {"ten_J": "ten_J", "efc_J": "efc_J", "actuator_moment": "moment", "flexedge_J": "flexedge_J",
          "flexvert_J": "flexvert_J"}


def read(engine, model, data, name):
    """An array of the state; sparse matrices become dense ones, since unused places hold left-over numbers."""
    value = np.asarray(getattr(data, name))
    if name == "efc_J" and not engine.mj_isSparse(model):
        return value[:data.nefc * model.nv]    # the reference reserves rows that turn out to be empty
    if name not in SPARSE or (name == "ten_J" and not engine.mj_isSparse(model)):
        return value
    holder = data if hasattr(data, SPARSE[name] + "_rownnz") else model
    rownnz, rowadr, colind = (np.ravel(getattr(holder, f"{SPARSE[name]}_{part}"))
                              for part in ("rownnz", "rowadr", "colind"))
    dense, value = np.zeros((len(rownnz), model.nv)), value.ravel()
    for row, (count, address) in enumerate(zip(rownnz, rowadr)):
        dense[row, colind[address:address + count]] = value[address:address + count]
    return dense

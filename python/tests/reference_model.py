"""Models compiled by the reference, simulated by Ligament: tests of stages do not depend on the compiler."""

import ligament
import mujoco
import numpy as np
from ligament import _core


def from_reference(reference):
    """A Ligament model with the arrays and options of a ``mujoco.MjModel``."""
    sizes = {name: int(getattr(reference, name)) for name in _core.MjModel._size_names()}
    model = ligament.MjModel(_core.MjModel._allocate(sizes))
    for name in _core.MjModel._field_names():
        value = getattr(reference, name)
        if isinstance(value, bytes):
            value = np.frombuffer(value, dtype=np.uint8)
        field = model._field(name)
        if field.size:
            field[...] = np.asarray(value).reshape(field.shape)
    for group in ("opt", "stat"):
        source, target = getattr(reference, group), getattr(model, group)
        for name in dir(target):
            if not name.startswith("_") and hasattr(source, name):
                setattr(target, name, getattr(source, name))
    return model


class Twin:
    """The same model and state in both engines."""

    def __init__(self, xml):
        self.reference = mujoco.MjModel.from_xml_string(xml)
        self.model = from_reference(self.reference)
        self.reference_data = mujoco.MjData(self.reference)
        self.data = ligament.MjData(self.model)
        self.set(self.reference_data.qpos)

    def set(self, qpos):
        """Puts both into a configuration and finds the contacts."""
        self.reference_data.qpos[:] = qpos
        self.data.qpos[:] = qpos
        for engine, m, d in (
            (mujoco, self.reference, self.reference_data),
            (ligament, self.model, self.data),
        ):
            engine.mj_kinematics(m, d)
            engine.mj_comPos(m, d)
            engine.mj_collision(m, d)

    def assert_same_contacts(self, tolerance=1e-9):
        """Same contacts in the same order with the same parameters."""
        mine, theirs = self.data.contact, self.reference_data.contact
        assert self.data.ncon == self.reference_data.ncon
        for name in ("geom", "dim", "exclude", "dist", "pos", "frame", "includemargin", "friction", "solref",
                     "solreffriction", "solimp", "flex", "elem", "vert"):
            np.testing.assert_allclose(getattr(mine, name), getattr(theirs, name), rtol=tolerance, atol=tolerance,
                                       err_msg=name)

"""Actuators of a specification, with the shortcuts of MJCF."""

import math

from ligament._enums import mjtBias, mjtDyn, mjtGain, mjtObj
from ligament._spec.elements import MjsElement


class MjsActuator(MjsElement):
    _KIND, _OBJECT = "actuator", mjtObj.mjOBJ_ACTUATOR

    def _types(self, gain, bias, dyn=None):
        self.gaintype, self.biastype = gain, bias
        if dyn is not None:
            self.dyntype = dyn

    def set_to_motor(self):
        """Force proportional to control."""
        self.gainprm[0] = 1
        self._types(mjtGain.mjGAIN_FIXED, mjtBias.mjBIAS_NONE, mjtDyn.mjDYN_NONE)

    def set_to_position(self, kp, kv=-1, dampratio=-1, timeconst=-1, inheritrange=False):
        """Position servo; negative numbers stand for what is not given."""
        self._servo(kp, kv, dampratio, timeconst, inheritrange)

    def _servo(self, kp, kv, dampratio, timeconst, inheritrange):
        if kv >= 0 and dampratio >= 0:
            raise ValueError("kv and dampratio cannot both be defined")
        self.gainprm[0], self.biasprm[1] = kp, -kp
        if kv >= 0:
            self.biasprm[2] = -kv
        if dampratio >= 0:
            self.biasprm[2] = dampratio
        if timeconst >= 0:
            self.dynprm[0] = timeconst
            self.dyntype = mjtDyn.mjDYN_FILTEREXACT if timeconst else mjtDyn.mjDYN_NONE
        self.inheritrange = inheritrange
        if inheritrange > 0 and self.ctrlrange.any():
            raise ValueError("ctrlrange and inheritrange cannot both be defined")
        self._types(mjtGain.mjGAIN_FIXED, mjtBias.mjBIAS_AFFINE)

    def set_to_intvelocity(self, kp, kv=-1, dampratio=-1, timeconst=-1, inheritrange=False):
        """Position servo whose target is the integral of the control."""
        self._servo(kp, kv, dampratio, timeconst, inheritrange)
        self.dyntype, self.actlimited = mjtDyn.mjDYN_INTEGRATOR, 1
        if inheritrange > 0 and self.actrange.any():
            raise ValueError("actrange and inheritrange cannot both be defined")

    def set_to_velocity(self, kv):
        """Velocity servo."""
        self.biasprm[:] = 0
        self.gainprm[0], self.biasprm[2] = kv, -kv
        self._types(mjtGain.mjGAIN_FIXED, mjtBias.mjBIAS_AFFINE, mjtDyn.mjDYN_NONE)

    def set_to_damper(self, kv):
        """Damping in proportion to control."""
        if kv < 0:
            raise ValueError("damping coefficient cannot be negative")
        if (self.ctrlrange < 0).any():
            raise ValueError("damper control range cannot be negative")
        self.gainprm[:] = 0
        self.gainprm[2], self.ctrllimited = -kv, 1
        self._types(mjtGain.mjGAIN_AFFINE, mjtBias.mjBIAS_NONE, mjtDyn.mjDYN_NONE)

    def set_to_cylinder(self, timeconst, bias, area, diameter=-1):
        """Pneumatic or hydraulic cylinder."""
        self.dynprm[0], self.biasprm[0] = timeconst, bias
        self.gainprm[0] = area if diameter < 0 else math.pi / 4 * diameter * diameter
        self._types(mjtGain.mjGAIN_FIXED, mjtBias.mjBIAS_AFFINE, mjtDyn.mjDYN_FILTER)

    def set_to_muscle(self, timeconst=-1, tausmooth=0.0, range=(-1.0, -1.0), force=-1, scale=-1, lmin=-1, lmax=-1,
                      vmax=-1, fpmax=-1, fvmax=-1):
        """Muscle; negative numbers stand for what is not given."""
        if tausmooth < 0:
            raise ValueError("muscle tausmooth cannot be negative")
        # numbers of the generic actuator are replaced by those of muscles: (field, place, generic, muscle)
        for field, place, generic, muscle in (
                ("dynprm", 0, 1, 0.01), ("dynprm", 1, 0, 0.04), ("gainprm", 0, 1, 0.75), ("gainprm", 1, 0, 1.05),
                ("gainprm", 2, 0, -1), ("gainprm", 3, 0, 200), ("gainprm", 4, 0, 0.5), ("gainprm", 5, 0, 1.6),
                ("gainprm", 6, 0, 1.5), ("gainprm", 7, 0, 1.3), ("gainprm", 8, 0, 1.2)):
            if getattr(self, field)[place] == generic:
                getattr(self, field)[place] = muscle
        self.dynprm[2] = tausmooth
        times = (timeconst, timeconst) if isinstance(timeconst, (int, float)) else timeconst
        for place, value in enumerate(times):
            if value >= 0:
                self.dynprm[place] = value
        for place, value in enumerate((*range, force, scale, lmin, lmax, vmax, fpmax, fvmax)):
            if value >= 0:
                self.gainprm[place] = value
        self.biasprm[:9] = self.gainprm[:9]
        self._types(mjtGain.mjGAIN_MUSCLE, mjtBias.mjBIAS_MUSCLE, mjtDyn.mjDYN_MUSCLE)

    def set_to_adhesion(self, gain):
        """Sticks to what it touches in proportion to control."""
        if gain < 0:
            raise ValueError("adhesion gain cannot be negative")
        if (self.ctrlrange < 0).any():
            raise ValueError("adhesion control range cannot be negative")
        self.gainprm[0], self.ctrllimited = gain, 1
        self._types(mjtGain.mjGAIN_FIXED, mjtBias.mjBIAS_NONE)

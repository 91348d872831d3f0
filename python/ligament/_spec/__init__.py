"""Editing models: ``MjSpec`` and its elements."""

from typing import Union

from ligament._spec.actuator import MjsActuator
from ligament._spec.bind import bind_data, bind_model
from ligament._spec.defaults import MjsDefault
from ligament._spec.elements import (
    MjsElement, MjsEquality, MjsExclude, MjsFlex, MjsHField, MjsKey, MjsMaterial, MjsMesh, MjsNumeric, MjsPair,
    MjsSensor, MjsSkin, MjsTendon, MjsTendonPath, MjsText, MjsTexture, MjsTuple)
from ligament._spec.fields import MjCharVec, MjsCompiler, MjsOrientation, MjsPlugin, MjsWrap
from ligament._spec.spec import MjSpec
from ligament._spec.tree import MjsBody, MjsCamera, MjsFrame, MjsGeom, MjsJoint, MjsLight, MjsSite
from ligament._spec.vectors import MjByteVec, MjDoubleVec, MjFloatVec, MjIntVec, MjStringVec

MjStruct = Union[MjsBody, MjsFrame, MjsGeom, MjsJoint, MjsSite, MjsCamera, MjsLight, MjsFlex, MjsMesh, MjsSkin,
                 MjsHField, MjsTexture, MjsMaterial, MjsPair, MjsEquality, MjsExclude, MjsTendon, MjsSensor, MjsNumeric,
                 MjsText, MjsTuple, MjsKey, MjsDefault, MjsActuator, MjsPlugin]

from_zip, to_zip = MjSpec.from_zip, MjSpec.to_zip

__all__ = [name for name in dir() if name.startswith("Mj")] + ["from_zip", "to_zip"]
